#include "bridge/mesh_goal_side.h"

#include <algorithm>
#include <cmath>

#include "mesh/surface/surface.h"

namespace fairlead::bridge {

using drive::SheetPose;

namespace {

constexpr Gear kBothGears[] = {Gear::forward, Gear::reverse};

}  // namespace

std::span<const Gear> MeshGoalSide::gears() const {
    return std::span(kBothGears).first(table_->options().agent.can_reverse ? 2 : 1);
}

void MeshGoalSide::begin(MeshLattice& lattice, const DriveTable& table, const mesh::PathEnd& start,
                         const Pose& start_pose, const drive::WeightedOnceKey& key,
                         const MeshDriveTrace& trace) {
    lattice_ = &lattice;
    table_ = &table;
    start_ = start;
    start_pose_ = start_pose;
    stage_ = Stage::fresh;
    engine_ = Engine(*this, open_, nodes_, key, trace);
}

// What a step needs, when the first one is made.
bool MeshGoalSide::prepare() {
    const MeshSweep& sweep = lattice_->sweep;
    stage_ = Stage::seeds;
    seeds_.clear();
    ground_.clear();
    rings_ = static_cast<std::int32_t>(lattice_->goal.reach) + 1;
    seed_x_ = seed_y_ = -rings_;
    return list_moves() && flood_.begin(sweep.state(), start_, sweep.prices().closed, lattice_->width());
}

bool MeshGoalSide::list_moves() {
    into_.clear();
    const std::span<const Primitive> all = table_->primitives().all();
    for (std::int32_t h = 0; h <= table_->headings(); ++h) {
        first_[h] = static_cast<std::uint32_t>(into_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (all[i].to == h && !into_.push_back(i)) return false;
        }
    }
    return true;
}

// The places of one cell, on all floors. False: out of memory.
bool MeshGoalSide::add_seeds() {
    const Vec2 middle = lattice_->goal.target[0].position;
    const auto x = static_cast<std::int32_t>(std::floor(middle.x)) + seed_x_;
    const auto y = static_cast<std::int32_t>(std::floor(middle.y)) + seed_y_;
    const Vec2 node = table_->node(x, y, 0).position;
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
        if (place == kNoNode || (lattice_->is_near_goal(place) && !add_seeds_of(place))) return false;
    }
    return true;
}

bool MeshGoalSide::add_seeds_of(std::uint32_t place) {
    for (std::int32_t h = 0; h < table_->headings(); ++h) {
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

std::uint32_t MeshGoalSide::place_before(std::uint32_t state, std::uint32_t step) {
    const Primitive& move = table_->primitives().all()[step];
    const SheetPose from = lattice_->sheet_pose(state);
    return lattice_->place_after(lattice_->place_of(state), from, drive::driven_back(move.word),
                                 lattice_->steps[step].reach, -move.dx, -move.dy);
}

// Lower bound of the way from the start.
Cost MeshGoalSide::heuristic(std::uint32_t state) {
    if (state == kStartState) return 0;
    const SheetPose to = lattice_->sheet_pose(state);
    return std::max(ground_from_start(lattice_->place_of(state)), lattice_->least_curve(start_pose_, to));
}

Cost MeshGoalSide::ground_from_start(std::uint32_t place) {
    while (ground_.size() <= place) {
        if (!ground_.push_back(kCostMax)) return 0;  // a bound all the same
    }
    if (ground_[place] == kCostMax) {
        const MeshPlace& at = lattice_->places[place];
        const MeshFrame& frame = lattice_->sweep.frame();
        const double far = flood_.from(at.polygon, frame.to_mesh(table_->node(at.x, at.y, 0).position));
        ground_[place] = lattice_->rounded_down(far * frame.scale);
    }
    return ground_[place];
}

MeshGoalSide::Progress MeshGoalSide::step(std::uint64_t budget) {
    if (stage_ == Stage::fresh && !prepare()) return Progress::no_memory;
    for (; budget > 0 && stage_ == Stage::seeds; --budget) {
        if (!add_seeds()) return Progress::no_memory;
        if (++seed_x_ <= rings_) continue;
        seed_x_ = -rings_;
        if (++seed_y_ <= rings_) continue;
        stage_ = Stage::search;
        engine_.begin();
    }
    if (stage_ != Stage::search) return Progress::running;
    const SearchProgress progress = engine_.step(budget);
    if (lattice_->failed() || flood_.failed()) return Progress::no_memory;
    switch (progress) {
        case SearchProgress::running: return Progress::running;
        case SearchProgress::found: return Progress::found;
        case SearchProgress::exhausted: return Progress::ended;
        case SearchProgress::no_memory: break;
    }
    return Progress::no_memory;
}

bool MeshGoalSide::list_path(Array<std::uint32_t>& path) const {
    path.clear();
    std::uint32_t node = nodes_[engine_.goal_node()].parent;
    for (; node != kNoNode; node = nodes_[node].parent) {
        if (!path.push_back(nodes_.state_of(node))) return false;
    }
    return path.push_back(MeshLattice::kGoalState);
}

}  // namespace fairlead::bridge
