// How far a cell is from the goal on the ground, round the walls, whatever the heading: the obstacle-aware half of the
// lattice search's lower bound. Grown only as far as it is asked for (Silver 2005, reverse resumable A*).
//
// Steps go to the eight neighbours, 5 units straight and 7 on a diagonal (a little less than sqrt 2 x 5), between free
// cells; a diagonal step needs one of the two cells beside it free. Exact in these units. The open list is a ring of
// buckets: with the consistent octile estimate toward the start, keys never fall and differ by less than 16.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/platform.h>

namespace fairlead::drive {

inline constexpr std::uint32_t kGroundStraight = 5;
inline constexpr std::uint32_t kGroundDiagonal = 7;
inline constexpr std::uint32_t kGroundFar = UINT32_MAX;  // cannot be reached

/// Free cells as bits: word 0 of row y at words[y x stride]; rows -1 and `height` and word -1 are there and blocked.
struct GroundBits {
    const std::uint64_t* words = nullptr;
    std::size_t stride = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;

    [[nodiscard]] FAIRLEAD_INLINE bool free(std::int32_t x, std::int32_t y) const {
        const auto* row = words + static_cast<std::ptrdiff_t>(y) * static_cast<std::ptrdiff_t>(stride);
        return ((row[x >> 6] >> (x & 63)) & 1U) != 0;
    }
};

class GroundDistance {
  public:
    explicit GroundDistance(const Allocator& allocator = {});

    /// Forgets; the distances are to (goal_x, goal_y), grown toward (start_x, start_y). False: out of memory.
    [[nodiscard]] bool begin(const GroundBits& ground, std::int32_t goal_x, std::int32_t goal_y,
                             std::int32_t start_x, std::int32_t start_y);

    /// Units of 1/5 cell, or kGroundFar.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t at(std::int32_t x, std::int32_t y) {
        const Cell& cell = cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
        if (FAIRLEAD_LIKELY(cell.stamp == stamp_ + 1)) return cell.distance;
        return grow(x, y);
    }
    [[nodiscard]] std::uint64_t grown() const { return grown_; }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    struct Cell {
        std::uint32_t distance;
        std::uint32_t stamp;  // stamp_: met, stamp_ + 1: settled
    };
    static constexpr std::uint32_t kBuckets = 16;

    [[nodiscard]] std::uint32_t grow(std::int32_t x, std::int32_t y);
    [[nodiscard]] std::uint32_t estimate(std::int32_t x, std::int32_t y) const;
    void reach(std::int32_t x, std::int32_t y, std::uint32_t distance);
    void settle(std::uint32_t packed);

    GroundBits ground_;
    Array<Cell> cells_;
    Array<std::uint32_t> bucket_[kBuckets];
    std::size_t width_ = 0;
    std::uint32_t stamp_ = 0;
    std::uint32_t key_ = 0;
    std::uint32_t waiting_ = 0;
    std::int32_t start_x_ = 0;
    std::int32_t start_y_ = 0;
    std::uint64_t grown_ = 0;
    bool failed_ = false;
};

}  // namespace fairlead::drive
