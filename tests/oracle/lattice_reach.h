// Which poses of a lattice can be reached from which, by plain breadth-first search over the bits of an edge map: the
// witness for "unreachable, proven on the lattice". Two searches run in turns, one forward from the start and one
// backward from the goal, until they meet or one of them has seen all that it can: so what is sealed off is known
// quickly where either side is small.
#pragma once

#include <cstdint>
#include <vector>

#include "drive/map/edge_map.h"

#include "oracle/lattice_oracle.h"

namespace fairlead::oracle {

class LatticeReach {
  public:
    explicit LatticeReach(const EdgeMap& edges);

    [[nodiscard]] bool reaches(const OraclePose& start, const OraclePose& goal);
    /// States looked at by the last query.
    [[nodiscard]] std::size_t seen() const { return queue_[0].size() + queue_[1].size(); }

  private:
    [[nodiscard]] std::uint32_t state(std::int32_t x, std::int32_t y, std::int32_t heading) const;
    [[nodiscard]] bool visit(int side, std::uint32_t state);
    [[nodiscard]] bool open_forward(std::uint32_t state);
    [[nodiscard]] bool open_backward(std::uint32_t state);

    const EdgeMap& edges_;
    std::vector<std::vector<std::uint32_t>> into_;  // primitives by the heading they end in
    std::vector<std::uint8_t> seen_;                // bit 0: from the start, bit 1: from the goal
    std::vector<std::uint32_t> queue_[2];
};

}  // namespace fairlead::oracle
