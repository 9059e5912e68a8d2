// See fly_poses.h.
#include "fly/fly_poses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/math/trig.h>

namespace fairlead::fly {

namespace {

constexpr double kUnit = 0x1p34;              ///< cost of a side
constexpr double kSidesMost = 0x1p26;         ///< farther than any volume is wide
constexpr double kStepCells = 1.5;            ///< a move leaves its cell
constexpr std::uint32_t kBack[] = {0, 3, 7};  ///< moves behind the pose that is met

}  // namespace

bool FlyPoses::make_field(const FlyTask& task, Masks* masks, bool back) {
    has_left_ = masks != nullptr;
    if (!has_left_) return true;
    const Vec3 start = task.state->in_voxels(task.start.position);
    const Vec3 goal = task.state->in_voxels(task.goal.position);
    return left_.make(*masks, task.climb, back, back ? start : goal, back ? goal : start);
}

void FlyPoses::begin(const FlyTask& task, const FlyGrain& grain, bool back, FlyPoses& other, FlyJoin& join) {
    task_ = task;
    grain_ = grain;
    back_ = back;
    other_ = &other;
    join_ = &join;
    const Vec3 s = task.state->scale;
    side_ = std::min({s.x, s.y, s.z});
    step_ = kStepCells * grain.cell;
    failed_ = false;
    shots_ = 0;
    make_moves();
    nodes_.clear();
    table_.reset();
    FlyNode root;
    root.at = back ? task.goal : task.start;
    root.key = key_of(root.at);
    bool added = false;
    failed_ = table_.find_or_add(nodes_, root, added) == kNoNode;
}

// Of a unit that flies backward in time from a pose: a turn to the left ends behind it and to its left as well.
void FlyPoses::make_moves() {
    move_count_ = 0;
    const double up = math::sin(task_.climb.up_rad) / math::cos(task_.climb.up_rad);
    const double down = math::sin(task_.climb.down_rad) / math::cos(task_.climb.down_rad);
    const double way = back_ ? -1.0 : 1.0;
    for (std::int32_t c = 0; c < grain_.climbs; ++c) {
        const double share = c - 0.5 * (grain_.climbs - 1);
        const double steep = share / (0.5 * (grain_.climbs - 1));
        for (std::int32_t b = 0; b < grain_.bends; ++b) {
            const double bend = (b - 0.5 * (grain_.bends - 1)) / (0.5 * (grain_.bends - 1));
            Move& move = moves_[move_count_++];
            move.curvature = bend / task_.radius;
            move.length = step_;
            move.turn = way * move.curvature * step_;
            const double half = 0.5 * move.turn;
            const double chord = bend == 0.0 ? way * step_ : 2.0 * math::sin(half) / move.curvature;
            const Vec2 along = math::direction(half);
            move.by = along * chord;
            move.rise = step_ * (steep > 0.0 ? steep * up : steep * down);
            move.cost = cost_of(length(Vec2{step_, move.rise}));
        }
    }
}

Cost FlyPoses::cost_of(double length) const {
    if (!(length > 0.0)) return 0;
    return static_cast<Cost>(std::min(length / side_, kSidesMost) * kUnit + 0.5);
}

std::uint64_t FlyPoses::key_of(const Place& at) const {
    const Vec3 p = (at.position - task_.state->origin) * (1.0 / grain_.cell);
    const auto number = [](double v) { return static_cast<std::uint64_t>(v > 0.0 ? v : 0.0) & 0x3ffffU; };
    const double share = math::wrap_two_pi(at.heading_rad) / kTwoPi * grain_.sectors + 0.5;
    const auto sector = static_cast<std::uint64_t>(share) % static_cast<std::uint64_t>(grain_.sectors);
    return number(p.x) | number(p.y) << 18 | number(p.z) << 36 | sector << 54;
}

std::uint32_t FlyPoses::try_move(std::uint32_t state, std::uint32_t i) {
    const FlyNode from = nodes_[state];
    const Move& move = moves_[i];
    const Vec2 ahead = math::direction(from.at.heading_rad);
    FlyNode made;
    made.at = from.at;
    made.at.position.x += ahead.x * move.by.x - ahead.y * move.by.y;
    made.at.position.y += ahead.y * move.by.x + ahead.x * move.by.y;
    made.at.position.z += back_ ? -move.rise : move.rise;
    const Vec3 v = task_.state->in_voxels(made.at.position);
    if (!task_.state->holds(v) || !task_.state->is_free(volume::voxel_of(*task_.state, v))) return kNoNode;
    made.at.heading_rad = math::wrap_pi(from.at.heading_rad + move.turn);
    made.key = key_of(made.at);
    if (table_.find(nodes_, made.key) != kNoNode) return kNoNode;
    const Place& begins = back_ ? made.at : from.at;
    const bool free = move.curvature == 0.0
                          ? task_.probe->is_line_free(from.at.position, made.at.position, from.at.heading_rad)
                          : task_.probe->is_arc_free(begins.position, begins.heading_rad, move.length,
                                                     move.curvature, move.rise);
    if (!free) return kNoNode;
    made.length = from.length + length(Vec2{move.length, move.rise});
    made.parent = state;
    made.move = i;
    bool added = false;
    const std::uint32_t node = table_.find_or_add(nodes_, made, added);
    failed_ = failed_ || node == kNoNode;
    return node;
}

Leg FlyPoses::leg_to(std::uint32_t node) const {
    const FlyNode& at = nodes_[node];
    const Move& move = moves_[at.move];
    Leg leg;
    leg.start = back_ ? at.at : nodes_[at.parent].at;
    leg.length = move.length;
    leg.rise = move.rise;
    leg.curvature = move.curvature;
    return leg;
}

Cost FlyPoses::least_left(std::uint32_t state) const {
    const Place& at = nodes_[state].at;
    double left = back_ ? airplane_distance(task_.start, at, task_.radius, task_.climb)
                        : airplane_distance(at, task_.goal, task_.radius, task_.climb);
    if (has_left_) left = std::max(left, left_.left(task_.state->in_voxels(at.position)));
    return cost_of(left);
}

bool FlyPoses::cost_to_goal(std::uint32_t state, Cost& cost) {
    const double before = join_->length;
    look_for_join(state);
    if (join_->length >= before) return false;
    cost = cost_of(join_->length - nodes_[state].length);
    return true;
}

bool FlyPoses::is_free(const Place& from, const AirplaneCurve& curve, double to_z) const {
    Leg legs[kAirplaneLegs];
    Place end;
    const int count = legs_of(curve, from, to_z, legs, end);
    for (int i = 0; i < count; ++i) {
        if (!task_.probe->is_free(legs[i])) return false;
    }
    return true;
}

bool FlyPoses::try_join(std::uint32_t own, std::uint32_t others, int most, double detour) {
    const FlyNode& a = nodes_[own];
    const FlyNode& b = other_->nodes_[others];
    const Place& from = back_ ? b.at : a.at;
    const Place& to = back_ ? a.at : b.at;
    const double both = a.length + b.length;
    const double least = airplane_distance(from, to, task_.radius, task_.climb);
    if (both + least >= join_->length) return false;
    AirplaneCurve curves[kAirplaneCurves];
    int count = 1;
    if (most == 1) {
        curves[0] = shortest_airplane(from, to, task_.radius, task_.climb);
    } else {
        count = std::min(most, airplane_curves(from, to, task_.radius, task_.climb, curves));
    }
    for (int i = 0; i < count; ++i) {
        if (both + curves[i].length >= join_->length || curves[i].length > detour) return false;
        if (!is_free(from, curves[i], to.position.z)) continue;
        *join_ = {both + curves[i].length, back_ ? others : own, back_ ? own : others, curves[i]};
        return true;
    }
    return false;
}

// The whole way to the other end; else what the other search has met here, or a little behind that.
void FlyPoses::look_for_join(std::uint32_t state) {
    const double far = std::numeric_limits<double>::infinity();
    const bool first = state == 0;
    (void)try_join(state, 0, first ? kAirplaneCurves : 1, far);
    if (first) return;
    std::uint32_t met = other_->table_.find(other_->nodes_, key_of(nodes_[state].at));
    if (met == kNoNode) return;
    const double near = (2.0 * kBack[2] + 4.0) * step_;
    std::uint32_t gone = 0;
    for (const std::uint32_t back : kBack) {
        for (; gone < back && other_->nodes_[met].parent != kNoNode; ++gone) met = other_->nodes_[met].parent;
        if (try_join(state, met, 1, near)) return;
    }
}

}  // namespace fairlead::fly
