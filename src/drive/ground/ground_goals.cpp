#include "drive/ground/ground_goals.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drive/ground/near_ground.h"
#include "drive/lattice/prepare_ends.h"

namespace fairlead::drive {

namespace {

constexpr std::int32_t kBulge =
    5;  // a curve that turns by 96 degrees strays no farther than that beyond its ends' box,
        // up to a reach of 8; beyond it by 0.6 of the reach
constexpr std::int32_t kBoxMax = 129;  // cells a side
constexpr std::uint16_t kNotReached = UINT16_MAX;

// Steps between free cells from the goal's cell, in a box around it.
class NearSteps {
  public:
    NearSteps(const GroundBits& free, GroundCorner corner, std::int32_t x, std::int32_t y, std::int32_t half)
        : left_(x - half), low_(y - half), side_(2 * half + 1) {
        std::fill(steps_, steps_ + side_ * side_, kNotReached);
        std::int32_t first = 0;
        std::int32_t last = 0;
        add(x, y, 0, last);
        while (first < last) {
            const std::int32_t at = queue_[first++];
            const std::int32_t cx = left_ + at % side_;
            const std::int32_t cy = low_ + at / side_;
            for (std::uint32_t ways = ground_steps(free.ring(cx, cy), corner); ways != 0; ways &= ways - 1) {
                const int d = std::countr_zero(ways);
                add(cx + kGroundX[d], cy + kGroundY[d], static_cast<std::uint16_t>(steps_[at] + 1), last);
            }
        }
    }
    [[nodiscard]] std::uint16_t at(std::int32_t x, std::int32_t y) const {
        return steps_[(y - low_) * side_ + x - left_];
    }

  private:
    void add(std::int32_t x, std::int32_t y, std::uint16_t steps, std::int32_t& last) {
        if (x < left_ || y < low_ || x >= left_ + side_ || y >= low_ + side_) return;
        const std::int32_t index = (y - low_) * side_ + x - left_;
        if (steps_[index] != kNotReached) return;
        steps_[index] = steps;
        queue_[last++] = static_cast<std::uint16_t>(index);
    }

    std::int32_t left_;
    std::int32_t low_;
    std::int32_t side_;
    std::uint16_t steps_[kBoxMax * kBoxMax];
    std::uint16_t queue_[kBoxMax * kBoxMax];
};

template <class Ground>
bool add_goals(const GroundBits& free, const DriveTable& table, const LatticeGoal& goal, Ground& ground) {
    const bool poses_will_do = goal.headings != 0 && (goal.targets == 0 || goal.accepts(goal.nearest));
    if (poses_will_do) {
        return !any_node_near(free, goal.centre, goal.range, goal.node_offset,
                              [&](std::int32_t x, std::int32_t y) {
                                  return goal.on_floor(y) && free.free(x, y) && !ground.add_goal(x, y, 0);
                              });
    }
    const std::int32_t reach = table.primitives().reach() + 1;
    const std::int32_t half = std::min(reach + std::max(kBulge, reach * 6 / 10 + 1), kBoxMax / 2);
    const NearSteps steps(free, table.ground_corner(), static_cast<std::int32_t>(std::floor(goal.centre.x)),
                          static_cast<std::int32_t>(std::floor(goal.centre.y)), half);
    const double units = kGroundStraight / table.ground_factor();
    const auto at_goal = [&](std::int32_t x, std::int32_t y) {
        const std::uint16_t k = steps.at(x, y);
        if (!free.free(x, y) || k == kNotReached) return NearGround::kNone;
        const Vec2 gap{goal.centre.x - x - goal.node_offset, goal.centre.y - y - goal.node_offset};
        const double length = std::max(std::sqrt(dot(gap, gap)), (k - 5) / 1.4143);
        return static_cast<std::uint32_t>(length * units);
    };
    // Most of these cells are no nearer by themselves than over others: they are left out.
    NearGround others(static_cast<std::int32_t>(std::floor(goal.centre.x)),
                      static_cast<std::int32_t>(std::floor(goal.centre.y)), half);
    const auto each = [&](auto&& visit) {
        return any_node_near(free, goal.centre, reach * 1.4143, goal.node_offset, visit);
    };
    (void)each([&](std::int32_t x, std::int32_t y) {
        const std::uint32_t far = at_goal(x, y);
        if (far != NearGround::kNone && others.has(x, y)) others.add(x, y, far);
        return false;
    });
    others.grow(free, table.ground_corner());
    return !each([&](std::int32_t x, std::int32_t y) {
        const std::uint32_t far = at_goal(x, y);
        if (far == NearGround::kNone || (others.has(x, y) && others.at(x, y) < far)) return false;
        return !ground.add_goal(x, y, far);
    });
}

}  // namespace

bool add_ground_goals(const GroundBits& free, const DriveTable& table, const LatticeGoal& goal,
                      GroundDistance& ground) {
    return add_goals(free, table, goal, ground);
}

bool add_ground_goals(const GroundBits& free, const DriveTable& table, const LatticeGoal& goal,
                      GroundWay& ground) {
    return add_goals(free, table, goal, ground);
}

}  // namespace fairlead::drive
