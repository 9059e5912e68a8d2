#include "drive/lattice_space.h"

#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>

#include "drive/curve_check.h"

namespace fairlead::drive {

namespace {

double turning(const CurveWord& word) {
    double sum = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.steer != Steer::straight) sum += std::abs(segment.amount);
    }
    return sum;
}

}  // namespace

bool LatticeGoal::curve_from(const GroundBits& free, const DriveTable& table, const Pose& from, Gear gear,
                             CurveWord& word, double& cost) const {
    const double radius = table.turning_radius();
    const Agent& agent = table.options().agent;
    const auto accept = [&](const CurveWord& way) {
        if (turning(way) > kTwoPi || !curve_is_free(free, table.body(), from, radius, way)) return false;
        word = way;
        cost = way.cost * radius;
        return true;
    };
    if (!agent.can_reverse) {
        CurveWord words[kDubinsWords];
        const int count = dubins_words(from, pose, radius, words);
        for (int i = 0; i < count; ++i) {
            if (accept(words[i])) return true;
        }
        return false;
    }
    CurveWord way = shortest_reeds_shepp(
        from, pose, radius, {.reverse_factor = reverse_penalty, .cusp_cost = cusp_penalty / radius});
    if (way.count == 0 || !accept(way)) return false;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        if ((segment.amount < 0.0) != (gear == Gear::reverse)) cost += cusp_penalty;
        break;
    }
    return true;
}

Cost LatticeSpace::curve_bound(const LatticePose& at) const {
    if (goal_->on_lattice) {
        return bound_.length(goal_->nearest.x - at.x, goal_->nearest.y - at.y, at.heading) * curve_unit_;
    }
    const Pose from = pose_in_cells(at);
    const Vec2 gap = goal_->pose.position - from.position;
    const DriveTable& table = edges_->table();
    if (dot(gap, gap) > kCurveBoundsReach * kCurveBoundsReach) return 0;
    const double length = table.options().agent.can_reverse
                              ? reeds_shepp_distance(from, goal_->pose, table.turning_radius())
                              : dubins_distance(from, goal_->pose, table.turning_radius());
    return static_cast<Cost>(length * (1.0 - 1e-9) * static_cast<double>(cell_));
}

}  // namespace fairlead::drive
