#include "drive/lattice/curve_bounds.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/drive/headings.h>

namespace fairlead::drive {

namespace {

constexpr std::int32_t kSide = 2 * kCurveBoundsReach + 1;

std::uint16_t rounded_down(double cells) {
    return static_cast<std::uint16_t>(
        std::clamp(cells / kCurveBoundsUnit - 1e-6, 0.0, double{kCurveBoundsMost}));
}

}  // namespace

std::size_t curve_bounds_size(std::int32_t headings) {
    return static_cast<std::size_t>((headings / 8 + 1) * kSide * kSide * headings);
}

double least_length(const Pose& from, const Pose& to, double turning_radius, Ways ways) {
    switch (ways) {
        case Ways::forward: return dubins_distance(from, to, turning_radius);
        case Ways::both_gears: return reeds_shepp_distance(from, to, turning_radius);
        case Ways::pivots: break;
    }
    return length(to.position - from.position);
}

bool fill_curve_bounds(std::int32_t headings, double turning_radius, Ways ways, Array<std::uint16_t>& table) {
    const std::int32_t goals = headings / 8 + 1;
    if (!table.resize_uninitialized(curve_bounds_size(headings))) return false;
    std::size_t i = 0;
    for (std::int32_t goal = 0; goal < goals; ++goal) {
        for (std::int32_t y = -kCurveBoundsReach; y <= kCurveBoundsReach; ++y) {
            for (std::int32_t x = -kCurveBoundsReach; x <= kCurveBoundsReach; ++x) {
                const Pose to{{static_cast<double>(x), static_cast<double>(y)}, heading_rad(headings, goal)};
                for (std::int32_t h = 0; h < headings; ++h) {
                    const Pose from{{}, heading_rad(headings, h)};
                    table[i++] = rounded_down(least_length(from, to, turning_radius, ways));
                }
            }
        }
    }
    return true;
}

// The symmetry that brings the goal's heading into the first eighth: quarter turns back, then, from the second eighth, the
// mirror image in the diagonal.
CurveBound::CurveBound(std::span<const std::uint16_t> table, std::int32_t headings,
                       std::int32_t goal_heading) {
    const std::int32_t count = headings;
    const std::int32_t quarter = count / 4;
    mask_ = count - 1;
    const std::int32_t turns = goal_heading / quarter;
    std::int32_t rest = goal_heading % quarter;
    for (std::int32_t i = 0; i < turns; ++i) {  // (x, y) -> (y, -x)
        const std::int32_t old_xx = xx_;
        const std::int32_t old_xy = xy_;
        xx_ = yx_;
        xy_ = yy_;
        yx_ = -old_xx;
        yy_ = -old_xy;
    }
    add_ = -turns * quarter;
    if (rest > quarter / 2) {
        std::swap(xx_, yx_);
        std::swap(xy_, yy_);
        turn_ = -1;
        add_ = quarter - add_;
        rest = quarter - rest;
    }
    table_ = table.data() + static_cast<std::size_t>(rest * kSide * kSide * count);
}

}  // namespace fairlead::drive
