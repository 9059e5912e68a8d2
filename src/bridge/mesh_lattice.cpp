#include "bridge/mesh_lattice.h"

#include <algorithm>
#include <cmath>

namespace fairlead::bridge {

using drive::LatticePose;
using drive::SheetPose;

namespace {

constexpr double kRoundedDown = 1.0 - 1e-9;
constexpr double kFarthest = 1e9;  // cells: there is no way

// No point of the axle's way is farther from its start.
double farthest_along(const Primitive& primitive, const Pose& from, double radius) {
    const Aabb box = bounds_of_curve(from, radius, primitive.word);
    const double x = std::max(box.high.x - from.position.x, from.position.x - box.low.x);
    const double y = std::max(box.high.y - from.position.y, from.position.y - box.low.y);
    return std::sqrt(x * x + y * y);
}

}  // namespace

bool MeshLattice::begin(const DriveTable& table, Cost cell) {
    table_ = &table;
    cell_ = cell;
    failed_ = nearby_ = false;
    near_goal.forget();
    gear_bits_ = table.options().agent.can_reverse ? 1 : 0;
    poses_ = static_cast<std::uint32_t>(table.headings()) << gear_bits_;
    starts.clear();
    bridges.begin();
    most_room_ = 0.0;
    const std::span<const Primitive> all = table.primitives().all();
    if (!steps.resize_uninitialized(all.size())) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Primitive& p = all[i];
        const double far =
            farthest_along(p, table.node(0, 0, p.from), table.turning_radius()) + sweep.reach() + 1e-6;
        const double weight = p.gear == Gear::reverse ? goal.curves.reverse_penalty : 1.0;
        const double cost =
            p.is_turn() ? drive::turned_on_spot(p.word) * goal.curves.pivot_penalty : p.length * weight;
        const auto fixed = static_cast<Cost>(cost * static_cast<double>(cell) + 0.5);
        steps[i] = {std::max<Cost>(fixed, 1), far, p.dx, p.dy, p.to, p.gear};
        most_room_ = std::max(most_room_, far);
    }
    states_ = poses_;
    return places.begin() && nodes.resize(poses_);
}

double MeshLattice::width() const {
    const BodyCore& body = goal.curves.body;
    const double side = std::min({-body.core.low.x, body.core.high.x, -body.core.low.y, body.core.high.y});
    return 2.0 * (side + body.radius) * sweep.frame().size;
}

std::uint32_t MeshLattice::state_at(std::int32_t x, std::int32_t y, std::uint32_t polygon,
                                    std::int32_t heading, Gear gear) {
    return keep_state(places.find_or_add(x, y, polygon), heading, gear);
}

// Makes room for the states of a place.
std::uint32_t MeshLattice::keep_state(std::uint32_t place, std::int32_t heading, Gear gear) {
    const std::uint64_t states = (std::uint64_t{place} + 1) * poses_;
    if (place == kNoNode || states >= kNoNode || (states > states_ && !nodes.resize(states))) {
        failed_ = true;
        return kNoNode;
    }
    states_ = std::max(states_, states);
    return state_of(place, heading, gear);
}

LatticePose MeshLattice::pose_of(std::uint32_t state) const {
    const MeshPlace& place = places[state / poses_];
    const std::uint32_t pose = state % poses_;
    return {place.x, place.y, static_cast<std::int32_t>(pose >> gear_bits_),
            (pose & gear_bits_) != 0 ? Gear::reverse : Gear::forward};
}

SheetPose MeshLattice::sheet_pose(std::uint32_t state) const {
    const LatticePose at = pose_of(state);
    return {table_->node(at.x, at.y, at.heading), places[state / poses_].polygon};
}

double MeshLattice::room_at(std::uint32_t place) {
    if (places[place].room < 0.0F) {
        const MeshPlace& at = places[place];
        const double room = sweep.room(at.polygon, table_->node(at.x, at.y, 0).position, most_room_ + 1e-3);
        places[place].room = static_cast<float>(room * (1.0 - 1e-6));
    }
    return places[place].room;
}

double MeshLattice::even_at(std::uint32_t place) {
    if (places[place].even < 0.0F) {
        const MeshPlace& at = places[place];
        const double room =
            sweep.even_room(at.polygon, table_->node(at.x, at.y, 0).position, most_room_ + 1e-3);
        places[place].even = static_cast<float>(room * (1.0 - 1e-6));
    }
    return places[place].even;
}

Cost MeshLattice::priced_move(std::uint32_t place, const LatticePose& at, std::uint32_t step) {
    const Primitive& move = table_->primitives().all()[step];
    if (move.is_turn()) return steps[step].cost;
    const std::uint32_t polygon = places[place].polygon;
    if (even_at(place) >= steps[step].reach)
        return static_cast<Cost>(static_cast<double>(steps[step].cost) * sweep.price(polygon) + 0.5);
    const drive::SheetPose from(table_->node(at.x, at.y, at.heading), polygon);
    const double cost =
        sweep.priced_length(from, table_->turning_radius(), move.word, goal.curves.reverse_penalty);
    return static_cast<Cost>(cost * static_cast<double>(cell_) + 0.5);
}

std::uint32_t MeshLattice::place_after(std::uint32_t place, const Pose& from, const CurveWord& word,
                                       double reach, std::int32_t dx, std::int32_t dy) {
    std::uint32_t polygon = places[place].polygon;
    const std::int32_t x = places[place].x + dx, y = places[place].y + dy;
    if (room_at(place) >= reach) {
        if ((dx | dy) == 0) return place;
        sweep.walk(polygon, from.position, table_->node(x, y, 0).position);
    } else if (!sweep.is_free(polygon, from, table_->turning_radius(), word)) {
        return kNoNode;
    }
    const std::uint32_t next = places.find_or_add(x, y, polygon);
    failed_ = failed_ || next == kNoNode;
    return next;
}

// The state that a move leads to; kNoNode: it is not free.
std::uint32_t MeshLattice::move(std::uint32_t state, const LatticePose& at, std::uint32_t step) {
    const MeshStep& to = steps[step];
    const std::uint32_t next = place_after(state / poses_, table_->node(at.x, at.y, at.heading),
                                           table_->primitives().all()[step].word, to.reach, to.dx, to.dy);
    return next == kNoNode ? kNoNode : keep_state(next, to.to, to.gear);
}

Cost MeshLattice::ground_at(std::uint32_t place) {
    MeshPlace& at = places[place];
    if (at.ground == kCostMax) {
        const Vec2 node = sweep.frame().to_mesh(table_->node(at.x, at.y, 0).position);
        at.ground = rounded_down(flood.from(at.polygon, node) * sweep.frame().scale);
    }
    return at.ground;
}

Cost MeshLattice::rounded_down(double cells) const {
    return static_cast<Cost>(std::min(cells, kFarthest) * kRoundedDown * static_cast<double>(cell_));
}

Cost MeshLattice::least_curve(const Pose& from, const Pose& to) const {
    constexpr auto kMost = static_cast<double>(drive::kCurveBoundsReach);
    const Vec2 gap = to.position - from.position;
    if (dot(gap, gap) >= kMost * kMost) return rounded_down(kMost);
    const drive::Ways ways = drive::ways_of(table_->options().agent);
    return rounded_down(std::min(drive::least_length(from, to, table_->turning_radius(), ways), kMost));
}

Cost MeshLattice::curve_bound(std::uint32_t state) const {
    return goal.targets == 1 ? least_curve(sheet_pose(state), goal.target[0]) : 0;
}

bool MeshLattice::curve_to_goal(std::uint32_t state, Cost& cost) const {
    drive::FreeCurve curve;
    int which = 0;
    if (!goal.curve_from(sheet_pose(state), pose_of(state).gear, curve, which)) return false;
    cost = static_cast<Cost>(curve.cost * static_cast<double>(cell_));
    return true;
}

Cost MeshLattice::least_left(std::uint32_t state) {
    if (nearby_) return rounded_down(distance(sheet_pose(state).position, near_goal.goal()));
    const Cost by_ground = ground_at(state / poses_);
    if (goal.range > 0.0) return by_ground - std::min(by_ground, range_cost());
    const Cost by_curve = curve_bound(state);
    return std::max(by_ground, by_curve);
}

// Rounded up: no pose in range has a lower bound above 0.
Cost MeshLattice::range_cost() const {
    return static_cast<Cost>(std::min(goal.range, kFarthest) * static_cast<double>(cell_)) + 1;
}

bool MeshLattice::is_near_goal(std::uint32_t place) {
    const double far = goal.range > 0.0 ? goal.range : goal.reach;
    return static_cast<double>(ground_at(place)) <= far * static_cast<double>(cell_);
}

}  // namespace fairlead::bridge
