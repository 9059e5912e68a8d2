// Every shortest way on one map of 4 x 4 cells, for a point unit: the witness of the test of all such maps.
//
// The map is 16 bits, bit 4 y + x set where the cell (x, y) is free. Written with bit masks and a Dijkstra of its own:
// it shares no code with the library, nor with the oracle for large worlds (a test compares the two).
#pragma once

#include <cstdint>

#include <fairlead/grid/query.h>

namespace fairlead::oracle {

inline constexpr std::int32_t kSmallSide = 4;
inline constexpr std::int32_t kSmallCells = 16;
inline constexpr std::uint32_t kSmallMaps = 1U << kSmallCells;

class SmallMap {
  public:
    SmallMap(std::uint32_t free, CornerRule rule, Neighbourhood neighbours);

    /// straight + diagonal x sqrt 2; straight is -1 where there is no way. Both cells are free.
    struct Steps {
        std::int32_t straight = -1;
        std::int32_t diagonal = 0;
        friend bool operator==(const Steps&, const Steps&) = default;
    };
    [[nodiscard]] Steps shortest(std::int32_t from, std::int32_t to) const { return shortest_[from][to]; }

    [[nodiscard]] bool free(std::int32_t cell) const { return ((free_ >> cell) & 1U) != 0; }
    /// May the unit step from one cell to the other?
    [[nodiscard]] bool joined(std::int32_t from, std::int32_t to) const {
        return (((straight_[from] | diagonal_[from]) >> to) & 1U) != 0;
    }
    /// Bit set of the cells that a flood from the cell reaches.
    [[nodiscard]] std::uint32_t flood(std::int32_t from) const;

  private:
    void find_moves(CornerRule rule, Neighbourhood neighbours);
    void find_shortest(std::int32_t from);

    std::uint32_t free_ = 0;
    std::uint32_t straight_[kSmallCells] = {};
    std::uint32_t diagonal_[kSmallCells] = {};
    Steps shortest_[kSmallCells][kSmallCells] = {};
};

}  // namespace fairlead::oracle
