// The cells around a place, row by row and one at a time, so that what is made of them can be made in slices.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fairlead/math/vec.h>

#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

class NodeWalk {
  public:
    NodeWalk() = default;
    /// All cells of a map that are no farther from (x, y) than `reach` on both axes.
    NodeWalk(const GroundBits& free, std::int32_t x, std::int32_t y, std::int32_t reach)
        : left_(std::max(0, x - reach)),
          right_(std::min(free.width - 1, x + reach)),
          top_(std::min(free.height - 1, y + reach)),
          x_(left_),
          y_(std::max(0, y - reach)) {}
    /// The places of the lattice (x + offset, y + offset) on a map within `range` of p.
    NodeWalk(const GroundBits& free, Vec2 p, double range, double offset)
        : left_(cell(p.x - range - offset)),
          right_(std::min(free.width - 1, cell(p.x + range))),
          top_(std::min(free.height - 1, cell(p.y + range))),
          x_(left_),
          y_(cell(p.y - range - offset)),
          round_(true),
          centre_(p),
          range_(range),
          offset_(offset) {}

    /// False: that was the last one.
    [[nodiscard]] bool next(std::int32_t& x, std::int32_t& y) {
        for (; y_ <= top_; ++y_, x_ = left_) {
            while (x_ <= right_) {
                x = x_++;
                y = y_;
                if (!round_ || is_near(x, y)) return true;
            }
        }
        return false;
    }

  private:
    [[nodiscard]] static std::int32_t cell(double v) {
        constexpr double kFar = 1e6;  // beyond any map
        return static_cast<std::int32_t>(std::clamp(std::floor(v), 0.0, kFar));
    }
    [[nodiscard]] bool is_near(std::int32_t x, std::int32_t y) const {
        const Vec2 gap{centre_.x - x - offset_, centre_.y - y - offset_};
        return dot(gap, gap) <= range_ * range_;
    }

    std::int32_t left_ = 0;
    std::int32_t right_ = -1;
    std::int32_t top_ = -1;
    std::int32_t x_ = 0;  // the next one
    std::int32_t y_ = 0;
    bool round_ = false;
    Vec2 centre_{};
    double range_ = 0.0;
    double offset_ = 0.0;
};

}  // namespace fairlead::drive
