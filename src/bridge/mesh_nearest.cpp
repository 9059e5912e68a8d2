// Of the places that a search has come to the one nearest to a goal.
#include "bridge/mesh_nearest.h"

#include <cmath>

#include "bridge/mesh_lattice.h"
#include "mesh/surface/surface.h"

namespace fairlead::bridge {

namespace {

constexpr double kProofReach = 32.0;  // cells: within which every place is looked at

double off_height(const MeshLattice& lattice, std::uint32_t polygon, Vec2 cells, double height) {
    const MeshSweep& sweep = lattice.sweep;
    return std::abs(mesh::ground_near(sweep.state(), polygon, sweep.frame().to_mesh(cells)) - height);
}

}  // namespace

void MeshNearest::begin(const At& goal, const At& start, std::uint32_t component) {
    const Vec2 gap = start.cells - goal.cells;
    goal_ = goal;
    component_ = component;
    state_ = kNoNode;
    failed_ = false;
    square_ = dot(gap, gap);
    off_ = std::abs(start.height - goal.height);
}

void MeshNearest::note(const MeshLattice& lattice, std::uint32_t state) {
    const drive::SheetPose at = lattice.sheet_pose(state);
    const Vec2 gap = at.position - goal_.cells;
    const double square = dot(gap, gap);
    if (square > square_) return;
    const double off = off_height(lattice, at.sheet, at.position, goal_.height);
    if (square == square_ && off >= off_) return;
    state_ = state;
    square_ = square;
    off_ = off;
}

bool MeshNearest::is_last(MeshLattice& lattice) {
    const double reach = std::sqrt(square_);
    if (reach > kProofReach) return false;
    const auto x0 = static_cast<std::int32_t>(std::floor(goal_.cells.x));
    const auto y0 = static_cast<std::int32_t>(std::floor(goal_.cells.y));
    const auto rings = static_cast<std::int32_t>(reach) + 1;
    for (std::int32_t y = y0 - rings; y <= y0 + rings; ++y) {
        for (std::int32_t x = x0 - rings; x <= x0 + rings; ++x) {
            const Vec2 gap = lattice.table().node(x, y, 0).position - goal_.cells;
            const double square = dot(gap, gap);
            if (square <= square_ && stands_at(lattice, x, y, square == square_ ? off_ : 1e300)) return false;
        }
    }
    return true;
}

// Less than so far off in height.
bool MeshNearest::stands_at(MeshLattice& lattice, std::int32_t x, std::int32_t y, double off) {
    const mesh::StateData& state = lattice.sweep.state();
    const Vec2 node = lattice.table().node(x, y, 0).position;
    const Vec2 at = lattice.sweep.frame().to_mesh(node);
    struct Found {
        Array<std::uint32_t>& polygons;
        bool lost = false;
    } found{found_};
    found_.clear();
    const auto add = [](PolygonId polygon, void* user) {
        auto& all = *static_cast<Found*>(user);
        if (!all.polygons.push_back(polygon.value)) all.lost = true;
    };
    mesh::each_polygon(state, {at, at}, add, &found);
    failed_ = failed_ || found.lost;
    if (failed_) return true;
    for (std::uint32_t polygon : found_) {
        if (!mesh::contains(state, polygon, at) || state.component(polygon) != component_) continue;
        if (off_height(lattice, polygon, node, goal_.height) >= off) continue;
        for (std::int32_t h = 0; h < lattice.table().headings(); ++h) {
            std::uint32_t sheet = polygon;
            if (lattice.sweep.is_free(sheet, lattice.table().node(x, y, h), 1.0, CurveWord{})) return true;
        }
    }
    return false;
}

}  // namespace fairlead::bridge
