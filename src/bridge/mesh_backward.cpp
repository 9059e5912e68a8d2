// See mesh_backward.h.
#include "bridge/mesh_backward.h"

#include <algorithm>
#include <cmath>

#include "mesh/surface/surface.h"

namespace fairlead::bridge {

using drive::SheetPose;

namespace {

constexpr Gear kBothGears[] = {Gear::forward, Gear::reverse};

}  // namespace

std::span<const Gear> MeshBackward::gears() const {
    return std::span(kBothGears).first(lattice_->table().options().agent.can_reverse ? 2 : 1);
}

bool MeshBackward::begin(MeshLattice& lattice, const mesh::PathEnd& start, const Pose* start_pose,
                         Cost cusp) {
    lattice_ = &lattice;
    start_pose_ = start_pose;
    cusp_ = cusp;
    seeds_.clear();
    ground_.clear();
    rings_ = static_cast<std::int32_t>(std::max(lattice.goal.reach, lattice.goal.range)) + 1;
    seed_x_ = seed_y_ = -rings_;
    const MeshSweep& sweep = lattice.sweep;
    return list_moves() && flood_.begin(sweep.state(), start, sweep.prices().closed, lattice.width());
}

bool MeshBackward::list_moves() {
    into_.clear();
    const std::span<const Primitive> all = lattice_->table().primitives().all();
    for (std::int32_t h = 0; h <= lattice_->table().headings(); ++h) {
        first_[h] = static_cast<std::uint32_t>(into_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (all[i].to == h && !into_.push_back(i)) return false;
        }
    }
    return true;
}

MeshBackward::Seeds MeshBackward::add_seeds() {
    if (!add_cell()) return Seeds::no_memory;
    if (++seed_x_ <= rings_) return Seeds::more;
    seed_x_ = -rings_;
    return ++seed_y_ <= rings_ ? Seeds::more : Seeds::all;
}

// The places of one cell, on all floors. False: out of memory.
bool MeshBackward::add_cell() {
    const Vec2 middle = lattice_->goal.centre;
    const auto x = static_cast<std::int32_t>(std::floor(middle.x)) + seed_x_;
    const auto y = static_cast<std::int32_t>(std::floor(middle.y)) + seed_y_;
    const Vec2 node = lattice_->table().node(x, y, 0).position;
    const Vec2 at = lattice_->sweep.frame().to_mesh(node);
    struct Found {
        Array<std::uint32_t>& polygons;
        bool lost = false;
    } found{found_};
    found_.clear();
    const auto note = [](PolygonId polygon, void* user) {
        auto& all = *static_cast<Found*>(user);
        if (!all.polygons.push_back(polygon.value)) all.lost = true;
    };
    mesh::each_polygon(lattice_->sweep.state(), {at, at}, note, &found);
    if (found.lost) return false;
    for (std::uint32_t polygon : found_) {
        if (!mesh::contains(lattice_->sweep.state(), polygon, at)) continue;
        lattice_->sweep.walk(polygon, node, node);
        const std::uint32_t place = lattice_->places.find_or_add(x, y, polygon);
        if (place == kNoNode || (lattice_->is_near_goal(place) && !add_place(place))) return false;
    }
    return true;
}

bool MeshBackward::add_place(std::uint32_t place) {
    for (std::int32_t h = 0; h < lattice_->table().headings(); ++h) {
        for (const Gear gear : gears()) {
            const std::uint32_t state = lattice_->keep_state(place, h, gear);
            Cost cost = 0;
            if (state == kNoNode) return false;
            if (!lattice_->cost_to_goal(state, cost)) continue;
            if (!seeds_.push_back({state, cost})) return false;
        }
    }
    return true;
}

std::uint32_t MeshBackward::place_before(std::uint32_t state, std::uint32_t step) {
    const Primitive& move = lattice_->table().primitives().all()[step];
    const SheetPose from = lattice_->sheet_pose(state);
    return lattice_->place_after(lattice_->place_of(state), from, drive::driven_back(move.word),
                                 lattice_->steps[step].reach, -move.dx, -move.dy);
}

// Lower bound of the way from the start.
Cost MeshBackward::least_left(std::uint32_t state) {
    const Cost by_ground = ground_from_start(lattice_->place_of(state));
    if (start_pose_ == nullptr) return by_ground;
    return std::max(by_ground, lattice_->least_curve(*start_pose_, lattice_->sheet_pose(state)));
}

// By the curve that the exact start is joined to a pose by.
bool MeshBackward::cost_to_goal(std::uint32_t state, Cost& cost) const {
    cost = kCostMax;
    for (const MeshStart& start : lattice_->starts) {
        if (start.state == state) cost = std::min(cost, start.cost);
    }
    return cost != kCostMax;
}

Cost MeshBackward::ground_from_start(std::uint32_t place) {
    while (ground_.size() <= place) {
        if (!ground_.push_back(kCostMax)) return 0;  // a bound all the same
    }
    if (ground_[place] == kCostMax) {
        const MeshPlace& at = lattice_->places[place];
        const MeshFrame& frame = lattice_->sweep.frame();
        const double far =
            flood_.from(at.polygon, frame.to_mesh(lattice_->table().node(at.x, at.y, 0).position));
        ground_[place] = lattice_->rounded_down(far * frame.scale);
    }
    return ground_[place];
}

// ---- its moves ---------------------------------------------------------------------------------------------

MeshBackward::Moves MeshBackward::moves(std::uint32_t state, bool) { return {*this, state}; }

MeshBackward::Moves::Moves(MeshBackward& world, std::uint32_t state)
    : world_(&world), at_(world.lattice_->pose_of(state)), state_(state) {
    next_ = world.first_[at_.heading];
    end_ = world.first_[at_.heading + 1];
}

// The next one that is free. False: that was the last one.
bool MeshBackward::Moves::next_primitive() {
    while (next_ < end_) {
        const std::uint32_t step = world_->into_[next_++];
        const Primitive& move = world_->lattice_->table().primitives().all()[step];
        if (move.gear != at_.gear) continue;
        place_ = world_->place_before(state_, step);
        if (place_ == kNoNode) continue;
        const drive::LatticePose from{at_.x - move.dx, at_.y - move.dy, move.from, at_.gear};
        cost_ = world_->lattice_->move_cost(place_, from, step);
        heading_ = move.from;
        gears_ = world_->gears();
        return true;
    }
    return false;
}

bool MeshBackward::Moves::next(PoseMove& move) {
    if (gears_.empty() && !next_primitive()) return false;
    const Gear gear = gears_.front();
    gears_ = gears_.subspan(1);
    const std::uint32_t before = world_->lattice_->keep_state(place_, heading_, gear);
    if (before == kNoNode) return false;  // out of memory: failed() says so
    move = {before, 0, cost_ + (gear == at_.gear ? 0 : world_->cusp_)};
    return true;
}

}  // namespace fairlead::bridge
