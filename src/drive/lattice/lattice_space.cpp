#include "drive/lattice/lattice_space.h"

#include <algorithm>

namespace fairlead::drive {

bool LatticeGoal::curve_from(const Pose& from, Gear gear, FreeCurve& curve, int& which) const {
    return curves.find_any(from, gear, {target, static_cast<std::size_t>(targets)}, kCurveTries, curve,
                           which);
}

Cost LatticeSpace::curve_bound(const LatticePose& at) const {
    if (goal_->targets != 1) return 0;
    if (goal_->on_lattice) {
        return bound_.length(goal_->nearest.x - at.x, goal_->nearest.y - at.y, at.heading) * curve_unit_;
    }
    const Pose from = pose_in_cells(at);
    const Vec2 gap = goal_->target[0].position - from.position;
    const DriveTable& table = edges_->table();
    constexpr auto kMost = static_cast<double>(kCurveBoundsReach);
    const bool far = dot(gap, gap) >= kMost * kMost;
    const double length =
        far ? kMost
            : least_length(from, goal_->target[0], table.turning_radius(), ways_of(table.options().agent));
    return static_cast<Cost>(std::min(length, kMost) * (1.0 - 1e-9) * static_cast<double>(cell_)) * cheapest_;
}

Cost LatticeSpace::by_article(const LatticePose& at) const {
    const Pose from = pose_in_cells(at);
    const Vec2 gap = goal_->centre - from.position;
    double length = article_->at(gap, from.heading_rad);
    const CurveWorld& curves = goal_->curves;
    if (curves.can_reverse)
        length = std::min(length, article_->at(gap, from.heading_rad + kPi) * curves.reverse_penalty);
    return static_cast<Cost>(length * static_cast<double>(cell_)) * cheapest_;
}

}  // namespace fairlead::drive
