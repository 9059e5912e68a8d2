#include "bridge/mesh_goal_side.h"

#include <cmath>

#include "mesh/surface/surface.h"

namespace fairlead::bridge {

using drive::LatticePose;
using drive::SheetPose;

bool MeshGoalSide::begin(MeshLattice& lattice, const DriveTable& table) {
    headings_ = static_cast<std::uint32_t>(table.headings());
    queue_.clear();
    marks_.clear();
    into_.clear();
    next_ = 0;
    met_ = false;
    rings_ = static_cast<std::int32_t>(lattice.goal.reach) + 1;
    seed_x_ = seed_y_ = -rings_;
    const std::span<const Primitive> all = table.primitives().all();
    for (std::int32_t h = 0; h <= table.headings(); ++h) {
        first_[h] = static_cast<std::uint32_t>(into_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (all[i].to == h && !into_.push_back(i)) return false;
        }
    }
    return true;
}

bool MeshGoalSide::is_met(const MeshLattice& lattice, std::uint32_t state) {
    return state < lattice.states() && lattice.nodes.find(state) != kNoNode;
}

// False: out of memory.
bool MeshGoalSide::mark(const MeshLattice& lattice, std::uint32_t place, std::int32_t heading) {
    const std::uint32_t pose = place * headings_ + static_cast<std::uint32_t>(heading);
    if (pose >= marks_.size() && !marks_.resize((std::size_t{pose} + 1) * 2)) return false;
    if (marks_[pose] != 0) return true;
    marks_[pose] = 1;
    for (const Gear gear : {Gear::forward, Gear::reverse})
        met_ = met_ || is_met(lattice, lattice.state_of(place, heading, gear));
    return queue_.push_back(pose);
}

// The places of one cell, on all floors. False: out of memory.
bool MeshGoalSide::add_seeds(MeshLattice& lattice, const DriveTable& table) {
    const Vec2 middle = lattice.goal.target[0].position;
    const auto x = static_cast<std::int32_t>(std::floor(middle.x)) + seed_x_;
    const auto y = static_cast<std::int32_t>(std::floor(middle.y)) + seed_y_;
    const Vec2 node = table.node(x, y, 0).position;
    const Vec2 at = lattice.sweep.frame().to_mesh(node);
    struct Found {
        Array<std::uint32_t>& polygons;
        bool lost = false;
    } found{found_};
    found_.clear();
    const auto note = [](PolygonId polygon, void* user) {
        auto& all = *static_cast<Found*>(user);
        if (!all.polygons.push_back(polygon.value)) all.lost = true;
    };
    mesh::each_polygon(lattice.sweep.state(), {at, at}, note, &found);
    if (found.lost) return false;
    for (std::uint32_t polygon : found_) {
        if (!mesh::contains(lattice.sweep.state(), polygon, at)) continue;
        lattice.sweep.walk(polygon, node, node);
        const std::uint32_t place = lattice.places.find_or_add(x, y, polygon);
        if (place == kNoNode) return false;
        if (!lattice.is_near_goal(place)) continue;
        for (std::int32_t h = 0; h < table.headings(); ++h) {
            drive::FreeCurve curve;
            int which = 0;
            const SheetPose from(table.node(x, y, h), polygon);
            if (lattice.goal.curve_from(from, Gear::forward, curve, which) && !mark(lattice, place, h))
                return false;
        }
    }
    return true;
}

// False: out of memory.
bool MeshGoalSide::open(MeshLattice& lattice, const DriveTable& table, std::uint32_t pose) {
    const std::uint32_t place = pose / headings_;
    const auto heading = static_cast<std::int32_t>(pose % headings_);
    const MeshPlace at = lattice.places[place];
    const SheetPose from(table.node(at.x, at.y, heading), at.polygon);
    for (std::uint32_t i = first_[heading]; i < first_[heading + 1] && !met_; ++i) {
        const Primitive& move = table.primitives().all()[into_[i]];
        const std::uint32_t before = lattice.place_after(place, from, drive::driven_back(move.word),
                                                         lattice.steps[into_[i]].reach, -move.dx, -move.dy);
        if (before != kNoNode && !mark(lattice, before, move.from)) return false;
    }
    return !lattice.failed();
}

MeshGoalSide::Progress MeshGoalSide::step(MeshLattice& lattice, const DriveTable& table,
                                          std::uint64_t budget) {
    if (stage_ == Stage::fresh) {
        if (!begin(lattice, table)) return Progress::no_memory;
        stage_ = Stage::seeds;
    }
    for (; budget > 0 && !met_; --budget) {
        if (stage_ == Stage::seeds) {
            if (!add_seeds(lattice, table)) return Progress::no_memory;
            if (++seed_x_ <= rings_) continue;
            seed_x_ = -rings_;
            if (++seed_y_ > rings_) stage_ = Stage::search;
        } else if (next_ == queue_.size()) {
            return Progress::ended;
        } else if (!open(lattice, table, queue_[next_++])) {
            return Progress::no_memory;
        }
    }
    return met_ ? Progress::met : Progress::running;
}

}  // namespace fairlead::bridge
