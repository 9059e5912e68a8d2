// D* Lite, the peer of a unit that explores: a search from the goal to the unit that is kept and mended as walls are seen, where ours
// looks for a way afresh (grid/explore.h).
//
// Source: S. Koenig, M. Likhachev, D* Lite, AAAI 2002, the optimised version. Eight neighbours, no corner is cut; costs are integers.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/grid/grid.h>

namespace fairlead::bench {

class DStarLite {
  public:
    static constexpr std::int64_t kStraight = 1 << 16;
    static constexpr std::int64_t kDiagonal = 92682;  ///< 2^16 x sqrt 2
    static constexpr std::int64_t kFar = INT64_MAX / 4;

    /// All cells are free.
    DStarLite(std::int32_t width, std::int32_t height, Cell start, Cell goal);

    /// The unit is elsewhere now.
    void move(Cell start);
    /// A cell is other than it was thought.
    void set(Cell cell, bool blocked);
    /// The way mended; its cost from the unit, kFar where there is none.
    [[nodiscard]] std::int64_t plan();
    /// The cells of the way after plan(), start and goal included.
    void path(std::vector<Cell>& out) const;

    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Key {
        std::int64_t first = 0;
        std::int64_t second = 0;
        friend bool operator<(const Key& a, const Key& b) {
            return a.first != b.first ? a.first < b.first : a.second < b.second;
        }
    };
    struct Node {
        std::int64_t g = kFar;
        std::int64_t rhs = kFar;
        Key key{};
        std::int32_t slot = -1;  ///< in the heap
    };

    [[nodiscard]] std::int32_t index(Cell cell) const { return cell.y * width_ + cell.x; }
    [[nodiscard]] std::int64_t heuristic(std::int32_t to) const;
    [[nodiscard]] Key key_of(std::int32_t at) const;
    [[nodiscard]] bool free(std::int32_t x, std::int32_t y) const;
    [[nodiscard]] std::int64_t best_rhs(std::int32_t at) const;
    template <class Visit>
    void each_neighbour(std::int32_t at, Visit visit) const;
    void update(std::int32_t at);
    void push(std::int32_t at, const Key& key);
    void remove(std::int32_t at);
    void sift_up(std::int32_t slot);
    void sift_down(std::int32_t slot);
    void place(std::int32_t slot, std::int32_t at);

    std::int32_t width_;
    std::int32_t height_;
    std::int32_t start_;
    std::int32_t last_;
    std::int32_t goal_;
    std::int64_t moved_ = 0;  ///< k_m
    std::uint64_t expanded_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint8_t> blocked_;
    std::vector<std::int32_t> heap_;
};

}  // namespace fairlead::bench
