// See goal_list.h.
#include "volume/search/goal_list.h"

#include <algorithm>
#include <limits>

#include "volume/search/metric.h"

namespace fairlead::volume {

void GoalList::begin(Masks& masks, const Settler& settler, const VolumeQuery& query, const WayEnd& start,
                     Vec3 begins) {
    masks_ = &masks;
    state_ = &masks.state();
    widened_ = false;
    settler_ = &settler;
    query_ = &query;
    begins_ = begins;
    label_ = label_of(*state_, start.voxel);
    at_ = 0;
    count_ = query.goal.is_list() ? static_cast<std::uint32_t>(query.goal.list.size()) : 1;
    on_map_ = settled_ = partial_ = false;
    goals_.clear();
}

Spot GoalList::spot(std::size_t i) const {
    return query_->goal.is_list() ? query_->goal.list[i] : query_->goal.at;
}

bool GoalList::add(std::uint32_t index, const WayEnd& end, Vec3 exact) {
    const double away = metric_length(metric_of(*state_), exact - begins_);
    return goals_.push_back({end, exact, spot(index).position, away, index});
}

// A point; or a place within a range of one that is walled in or cut off.
bool GoalList::look() {
    const std::uint32_t index = at_++;
    const Vec3 place = spot(index).position;
    WayEnd end;
    Vec3 exact;
    bool on_map = false;
    const bool settled = settler_->settle(place, end, exact, on_map);
    on_map_ = on_map_ || on_map;
    settled_ = settled_ || settled;
    if (settled && label_of(*state_, end.voxel) == label_) return add(index, end, exact);
    const double range = query_->goal.range;
    if (query_->goal.kind != Goal::Kind::within || !(range > 0.0)) return true;
    const Vec3 at = state_->in_voxels(place);
    settled_ = settled_ || settler_->nearest(at, range, nullptr, end);
    if (!masks_->is_narrow()) return true;  // see widen
    return !settler_->nearest(at, range, &label_, end) || add(index, end, end.at);
}

// One place of each set of those that are joined in the range: any of them may be the one that a wide body can get to.
bool GoalList::widen() {
    const Goal& goal = query_->goal;
    if (widened_ || goal.kind != Goal::Kind::within || !(goal.range > 0.0) || masks_->is_narrow())
        return true;
    widened_ = true;
    const Vec3 place = goal.at.position;
    // That of the place itself was asked already.
    const bool asked = !goals_.empty() && goals_[0].end.on_lattice;
    const Voxel own = asked ? goals_[0].end.voxel : Voxel{};
    if (!groups_.list(*masks_, place, goal.range, asked ? &own : nullptr)) return false;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const Voxel v = groups_[i];
        if (label_of(*state_, v) == label_ && !add(0, {middle_of(v), v, true}, middle_of(v))) return false;
    }
    return true;
}

// Instead of goals that cannot be reached. Nothing where the unit is at the nearest place already.
bool GoalList::add_nearest() {
    constexpr double kAnywhere = std::numeric_limits<double>::infinity();
    const Vec3 metric = metric_of(*state_);
    double best = kAnywhere, stays = kAnywhere;
    std::uint32_t index = 0;
    WayEnd nearest;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const Vec3 at = state_->in_voxels(spot(i).position);
        WayEnd end;
        if (!settler_->nearest(at, kAnywhere, &label_, end)) continue;
        stays = std::min(stays, metric_length(metric, begins_ - at));
        const double away = metric_length(metric, end.at - at);
        if (!(away < best)) continue;
        best = away;
        nearest = end;
        index = i;
    }
    return !(best < stays) || add(index, nearest, nearest.at);
}

double GoalList::left_from(Vec3 at) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < count_; ++i) {
        least = std::min(least, metric_length(metric_of(*state_), at - state_->in_voxels(spot(i).position)));
    }
    return least;
}

bool GoalList::close() {
    if (goals_.empty() && !widen()) return false;
    if (goals_.empty() && query_->partial && (on_map_ || settled_)) {
        status_ = PathStatus::partial;
        partial_ = true;
        return add_nearest();
    }
    status_ = settled_ ? PathStatus::unreachable : on_map_ ? PathStatus::goal_blocked : PathStatus::off_world;
    if (query_->goal.kind == Goal::Kind::within) return true;  // the place itself, or by distance from it
    const auto before = [](const SettledGoal& a, const SettledGoal& b) {
        return a.away != b.away ? a.away < b.away : a.index < b.index;
    };
    std::sort(goals_.begin(), goals_.end(), before);  // total order
    return true;
}

}  // namespace fairlead::volume
