#include "drive/lattice/grid_lattice.h"

#include <algorithm>

namespace fairlead::drive {

bool LatticeGoal::curve_from(const Pose& from, Gear gear, FreeCurve& curve, int& which) const {
    return curves.find_any(from, gear, {target, static_cast<std::size_t>(targets)}, kCurveTries, curve,
                           which);
}

Cost GridLattice::curve_bound(const LatticePose& at) const {
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

void GridLattice::set_links(std::span<const LatticeLink> links) {
    links_ = links;
    over_link_ = kCostMax;
    const double offset = edges_->table().node_offset();
    constexpr double kMost = kCurveBoundsReach;
    for (const LatticeLink& link : links) {
        if (!goal_->on_floor(link.to_y)) continue;
        const Vec2 gap{goal_->centre.x - link.to_x - offset, goal_->centre.y - link.to_y - offset};
        // Less two steps of the bounds' table, so that it is no more than what that says from there.
        const double far = std::max(0.0, std::min(length(gap), kMost) - 2.0 * kCurveBoundsUnit);
        const Cost rest = static_cast<Cost>(far * (1.0 - 1e-9) * static_cast<double>(cell_)) * cheapest_;
        over_link_ = std::min(over_link_, link_cost(link) + rest);
    }
}

Cost GridLattice::bound_over_links(const LatticePose& at) const {
    if (goal_->targets != 1) return 0;
    if (goal_->on_floor(at.y)) return std::min(curve_bound(at), over_link_);
    return over_link_ == kCostMax ? 0 : over_link_;
}

bool GridLattice::cost_of_curve(const LatticePose& at, Cost& cost) const {
    FreeCurve curve;
    int which = 0;
    if (!goal_->curve_from(pose_in_cells(at), at.gear, curve, which)) return false;
    cost = static_cast<Cost>(curve.cost * static_cast<double>(cell_));
    return true;
}

Cost GridLattice::by_other(const LatticePose& at) const {
    const Pose from = pose_in_cells(at);
    const Vec2 gap = goal_->centre - from.position;
    const auto cell = static_cast<double>(cell_);
    switch (other_->kind()) {
        case DriveHeuristic::article: {
            const CurveWorld& curves = goal_->curves;
            const double length =
                other_->by_article(gap, from.heading_rad, curves.can_reverse ? curves.reverse_penalty : 0.0);
            return static_cast<Cost>(length * cell) * cheapest_;
        }
        case DriveHeuristic::straight: {
            const double rest = std::max(0.0, length(gap) - goal_->range);
            const Cost straight = static_cast<Cost>(rest * (1.0 - 1e-9) * cell) * cheapest_;
            if (links_.empty()) return straight;
            if (goal_->on_floor(at.y)) return std::min(straight, over_link_);
            return over_link_ == kCostMax ? 0 : over_link_;
        }
        case DriveHeuristic::own: return static_cast<Cost>(other_->by_user(from) * cell);
        default: return 0;
    }
}

}  // namespace fairlead::drive
