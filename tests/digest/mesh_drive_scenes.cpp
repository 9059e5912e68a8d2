// Turning units on level meshes and local grids over them: 48 queries over 8 random floors, and the ways round clutter.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/bridge/local_grid.h>
#include <fairlead/bridge/mesh_drive.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"
#include "support/driven_by.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

constexpr std::uint32_t kCornersAcross = 13;  // corners along each side
constexpr double kCellSide = 2.0;

// Square cells with holes, uphill where x is large.
Result<NavMesh> random_floor(Rng& rng, std::uint32_t areas = 1) {
    Array<Vec3> vertices;
    Array<std::uint32_t> sizes;
    Array<std::uint32_t> corners;
    Array<std::uint8_t> area;
    for (std::uint32_t i = 0; i < kCornersAcross * kCornersAcross; ++i) {
        const double x = i % kCornersAcross * kCellSide, y = i / kCornersAcross * kCellSide;
        if (!vertices.push_back({x, y, x > 12.0 ? (x - 12.0) * 0.25 : 0.0})) return Error{};
    }
    for (std::uint32_t i = 0; i < (kCornersAcross - 1) * (kCornersAcross - 1); ++i) {
        if (rng.below(6) == 0) continue;
        const std::uint32_t a = i / (kCornersAcross - 1) * kCornersAcross + i % (kCornersAcross - 1);
        if (!sizes.push_back(4) || !area.push_back(static_cast<std::uint8_t>(i * 7 % 5 % areas)))
            return Error{};
        for (const std::uint32_t v : {a, a + 1, a + kCornersAcross + 1, a + kCornersAcross}) {
            if (!corners.push_back(v)) return Error{};
        }
    }
    const NavMeshTile tile{
        .vertices = vertices, .polygon_sizes = sizes, .polygon_corners = corners, .areas = area};
    return NavMesh::make({.agent_radius = 0.3, .radius_max = 1.0, .tiles = {&tile, 1}});
}

Agent random_vehicle(Rng& rng) {
    Agent agent{.radius = rng.between(0.2, 0.8)};
    if (rng.below(2) == 0) {
        agent.shape = BodyShape::box;
        agent.length = rng.between(1.0, 2.0);
        agent.width = rng.between(0.7, 1.2);
        agent.axle_offset = 0.2;
    }
    agent.turning_radius = rng.between(0.8, 2.0);
    agent.can_reverse = rng.below(2) == 0;
    agent.can_pivot = rng.below(3) == 0;
    return agent;
}

Place random_pose(Rng& rng) {
    constexpr double kSize = (kCornersAcross - 1) * kCellSide;
    const double x = rng.between(0.0, kSize), y = rng.between(0.0, kSize);
    return {{x, y, 1.0}, rng.between(-3.0, 3.0), 0};
}

// One cell for a change of gear, two for a radian on the spot.
void set_penalties(MeshDriveQuery& query, const DriveTable& table) {
    query.cusp_penalty = table.options().cell_size;
    query.pivot_penalty = 2.0 * table.options().cell_size;
}

bool add_detour(Rng& rng, const NavMesh& mesh, const Agent& agent, const Route& route, LocalGrid& window,
                Scratch& scratch, Digest& digest) {
    const Place middle = place_on_route(route, 2.0);
    if (!window.lay(mesh, middle.position, agent)) return true;  // a box that is too small
    const Place ahead = place_on_route(route, 4.0);
    const Vec2 at = ground(ahead.position) + Vec2{rng.between(-0.3, 0.3), rng.between(-0.3, 0.3)};
    const MeshObstacle crate = MeshObstacle::box(at, {0.3, 0.2}, rng.between(0.0, 3.0), -1.0, 5.0);
    if (!window.set_clutter({&crate, 1})) return false;
    const Result<Detour> way = find_detour(window, route, 1.0, scratch);
    if (!way) return false;
    digest.add(way->from);
    digest.add(way->to);
    add_route(digest, way->route);
    return true;
}

bool drive_floors(Digest& digest) {
    Rng rng(523);
    Scratch scratch;
    Result<LocalGrid> window = LocalGrid::make({.cells = 48});
    if (!window) return false;
    for (int world = 0; world < 8; ++world) {
        const Result<NavMesh> mesh = random_floor(rng);
        const Agent agent = random_vehicle(rng);
        const Result<DriveTable> table = make_mesh_drive_table(agent);
        if (!mesh || !table) return false;
        Route route;
        for (int i = 0; i < 6; ++i) {
            MeshDriveQuery query{.start = random_pose(rng), .goal = random_pose(rng)};
            query.epsilon = rng.below(3) == 0 ? 1.0 : 1.4;
            set_penalties(query, *table);
            query.expansions_max = 4000;
            if (rng.below(4) == 0) query.goal.at = query.goal.at.any_heading();
            if (!find_route_into(*mesh, driven_by(*table, query), scratch, route)) return false;
            add_route(digest, route);
            if (route.length > 5.0 && !add_detour(rng, *mesh, agent, route, *window, scratch, digest))
                return false;
        }
    }
    return true;
}

bool drive_areas(Digest& digest) {
    Rng rng(524);
    Scratch scratch;
    for (int world = 0; world < 8; ++world) {
        const Result<NavMesh> mesh = random_floor(rng, 3);
        const Agent agent = random_vehicle(rng);
        const Result<DriveTable> table = make_mesh_drive_table(agent);
        if (!mesh || !table) return false;
        double costs[kAreasMax] = {};
        for (int area = 0; area < 3; ++area) costs[area] = rng.below(8) == 0 ? 0.0 : rng.between(0.5, 4.0);
        Route route;
        for (int i = 0; i < 6; ++i) {
            MeshDriveQuery query{.start = random_pose(rng), .goal = random_pose(rng)};
            query.filter.areas.factors = costs;
            set_penalties(query, *table);
            query.expansions_max = 4000;
            if (!find_route_into(*mesh, driven_by(*table, query), scratch, route)) return false;
            add_route(digest, route);
        }
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(mesh_drive_areas) {
    if (!drive_areas(digest)) digest.add(std::uint64_t{1});
}
FAIRLEAD_DIGEST_SCENE(mesh_drive) {
    if (!drive_floors(digest)) digest.add(std::uint64_t{1});
}
