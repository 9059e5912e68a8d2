// Distances on the ground around a place, in a box: from that place, or from several that lie some way from where they count.
//
// Cells are looked at again when they come nearer, first in first out (Bellman and Ford): the result does not depend on the order, and
// in boxes of some hundred cells nearly each one is looked at once or twice. About 10 us for 30 x 30 cells.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "drive/ground/ground_bits.h"
#include "drive/ground/ground_turns.h"

namespace fairlead::drive {

class NearGround {
  public:
    static constexpr std::int32_t kHalfMax = 32;  // cells to each side of the middle
    static constexpr std::uint32_t kNone = UINT32_MAX;

    NearGround() = default;
    NearGround(std::int32_t x, std::int32_t y, std::int32_t half) { begin(x, y, half); }

    void begin(std::int32_t x, std::int32_t y, std::int32_t half) {
        left_ = x - std::min(half, kHalfMax);
        low_ = y - std::min(half, kHalfMax);
        side_ = 2 * std::min(half, kHalfMax) + 1;
        first_ = waiting_ = 0;
        std::fill_n(units_, side_ * side_, kNone);
        std::fill_n(queued_, side_ * side_, false);
    }

    [[nodiscard]] bool has(std::int32_t x, std::int32_t y) const {
        return x >= left_ && y >= low_ && x < left_ + side_ && y < low_ + side_;
    }
    /// A free cell of the box that is no farther than `units` of GroundDistance.
    void add(std::int32_t x, std::int32_t y, std::uint32_t units) {
        reach((y - low_) * side_ + x - left_, units);
    }
    /// After the last one: all cells that they lead to within the box. False: `most` have been looked at, and there are more.
    bool grow(const GroundBits& free, GroundCorner corner, std::int32_t most = INT32_MAX) {
        for (; waiting_ > 0; --most) {
            if (most == 0) return false;
            const std::int32_t at = queue_[first_];
            first_ = first_ + 1 == side_ * side_ ? 0 : first_ + 1;
            --waiting_;
            queued_[at] = false;
            const std::int32_t x = left_ + at % side_;
            const std::int32_t y = low_ + at / side_;
            for (std::uint32_t ways = ground_steps(free.ring(x, y), corner); ways != 0; ways &= ways - 1) {
                const auto d = static_cast<std::uint32_t>(std::countr_zero(ways));
                if (!has(x + kGroundX[d], y + kGroundY[d])) continue;
                reach(at + kGroundY[d] * side_ + kGroundX[d], units_[at] + kGroundStraight + (d & 1U) * 2);
            }
        }
        return true;
    }
    /// Of a cell of the box; kNone: it is not reached.
    [[nodiscard]] std::uint32_t at(std::int32_t x, std::int32_t y) const {
        return units_[(y - low_) * side_ + x - left_];
    }

  private:
    static constexpr std::int32_t kCells = (2 * kHalfMax + 1) * (2 * kHalfMax + 1);

    void reach(std::int32_t at, std::uint32_t units) {
        if (units >= units_[at]) return;
        units_[at] = units;
        if (queued_[at]) return;
        queued_[at] = true;
        std::int32_t last = first_ + waiting_++;
        if (last >= side_ * side_) last -= side_ * side_;
        queue_[last] = static_cast<std::uint16_t>(at);
    }

    std::int32_t left_ = 0;
    std::int32_t low_ = 0;
    std::int32_t side_ = 0;
    std::int32_t first_ = 0;
    std::int32_t waiting_ = 0;
    std::uint32_t units_[kCells];
    std::uint16_t queue_[kCells];
    bool queued_[kCells];
};

}  // namespace fairlead::drive
