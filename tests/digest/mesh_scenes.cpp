// Level meshes: 3,000 queries over 60 random floors in tiles, with obstacles that come and go, for points and for units
// of any radius; every number of every route, and what can be seen, reached and touched from its start. And 800 with links.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh/surface.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"
#include "support/looked_up.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

constexpr std::int32_t kCells = 12;
constexpr std::int32_t kTileCells = 4;
constexpr double kCell = 3.0;
constexpr double kSize = kCells * kCell;

/// Square cells of one tile; a slope where x is large.
struct Floor {
    Array<Vec3> vertices;
    Array<std::uint32_t> sizes;
    Array<std::uint32_t> corners;
};

bool make_floor(Rng& rng, std::int32_t tx, std::int32_t ty, Floor& floor) {
    constexpr std::int32_t kAcross = kTileCells + 1;
    for (std::int32_t i = 0; i < kAcross * kAcross; ++i) {
        const double x = (tx * kTileCells + i % kAcross) * kCell, y = (ty * kTileCells + i / kAcross) * kCell;
        if (!floor.vertices.push_back({x, y, x > 20.0 ? (x - 20.0) * 0.25 : 0.0})) return false;
    }
    for (std::int32_t i = 0; i < kTileCells * kTileCells; ++i) {
        if (rng.below(5) == 0) continue;
        const auto a = static_cast<std::uint32_t>(i / kTileCells * kAcross + i % kTileCells);
        const std::uint32_t ring[] = {a, a + 1, a + kAcross + 1, a + kAcross};
        if (!floor.sizes.push_back(4)) return false;
        for (const std::uint32_t v : ring) {
            if (!floor.corners.push_back(v)) return false;
        }
    }
    return true;
}

MeshObstacle random_obstacle(Rng& rng) {
    const double x = rng.between(0.0, kSize);
    const double y = rng.between(0.0, kSize);
    if (rng.below(2) == 0) return MeshObstacle::pillar({x, y}, rng.between(0.2, 2.0), -1.0, 5.0);
    const double half = rng.between(0.3, 2.0);
    return MeshObstacle::box({x, y}, {half, 0.5}, rng.between(0.0, 3.0), -1.0, 5.0);
}

Vec3 random_place(Rng& rng) {
    const double x = rng.between(0.0, kSize);
    const double y = rng.between(0.0, kSize);
    return {x, y, 0.0};
}

bool ask(Rng& rng, const NavMesh& mesh, double radius_max, Scratch& scratch, Digest& digest) {
    Route route;
    Array<MeshDistance> within;
    for (int i = 0; i < 10; ++i) {
        MeshQuery query;
        query.start = random_place(rng);
        query.goal = random_place(rng);
        if (rng.below(2) == 0) query.agent.radius = rng.between(0.0, radius_max);
        query.partial = rng.below(2) == 0;
        if (!find_route_into(mesh, query, scratch, route)) return false;
        add_route(digest, route);
        const MeshPoint at = mesh.state().nearest(query.start.position);
        if (!at.polygon.valid()) continue;
        const MeshHit hit = cast_ray(mesh, at, query.goal.at.ground());
        digest.add(hit.length);
        const Result<MeshWall> wall = find_wall(mesh, at, 5.0, scratch);
        const Result<MeshPoint> moved = move_along(mesh, at, ground(at.position) + Vec2{1.0, 0.5}, scratch);
        if (!wall || !moved || !find_within_into(mesh, at, 6.0, scratch, within)) return false;
        digest.add(wall->distance);
        digest.add(moved->position.x);
        digest.add(moved->position.z);
        for (const MeshDistance& entry : within) digest.add(entry.distance);
    }
    return true;
}

constexpr std::int32_t kTiles = kCells / kTileCells;

bool make_tiles(Rng& rng, Floor (&floors)[kTiles * kTiles], NavMeshTile (&tiles)[kTiles * kTiles]) {
    for (std::int32_t i = 0; i < kTiles * kTiles; ++i) {
        const std::int32_t x = i % kTiles, y = i / kTiles;
        if (!make_floor(rng, x, y, floors[i])) return false;
        tiles[i] = {.x = x,
                    .y = y,
                    .vertices = floors[i].vertices,
                    .polygon_sizes = floors[i].sizes,
                    .polygon_corners = floors[i].corners};
    }
    return true;
}

Result<NavMesh> random_world(Rng& rng, bool any_radius, double& radius_max) {
    Floor floors[kTiles * kTiles];
    NavMeshTile tiles[kTiles * kTiles];
    if (!make_tiles(rng, floors, tiles)) return Error{ErrorCode::out_of_memory, -1, 0};
    if (any_radius) radius_max = rng.below(3) == 0 ? 0.0 : 2.0;
    return NavMesh::make({.tile_size = kTileCells * kCell, .radius_max = radius_max, .tiles = tiles});
}

bool mesh_queries(Digest& digest) {
    Rng rng(811);
    Scratch scratch;
    for (int world = 0; world < 60; ++world) {
        double radius_max = 0.0;
        Result<NavMesh> mesh = random_world(rng, true, radius_max);
        if (!mesh) return false;
        for (int step = 0; step < 5; ++step) {
            const MeshEdit edits[] = {MeshEdit::add(step, random_obstacle(rng)),
                                      MeshEdit::add(100 + step, random_obstacle(rng))};
            if (!mesh->apply(edits)) return false;
            const MeshEdit gone[] = {MeshEdit::remove(100 + step)};
            if (rng.below(2) == 0 && !mesh->apply(gone)) return false;
            if (!ask(rng, *mesh, radius_max, scratch, digest)) return false;
        }
    }
    return true;
}

MeshLink random_link(Rng& rng, std::uint32_t id) {
    MeshLink link;
    link.id = id;
    link.from = random_place(rng);
    link.to = random_place(rng);
    link.one_way = rng.below(2) == 0;
    link.kind = static_cast<std::uint8_t>(rng.below(3));
    if (rng.below(2) == 0) link.extent = rng.between(0.5, 8.0);
    if (rng.below(2) == 0) link.heading_rad = rng.between(-3.0, 3.0);
    if (rng.below(2) == 0) link.cost = rng.between(0.0, 6.0);
    link.reach = 8.0;
    return link;
}

// The same floors, with links that come, change and go: points and wide ones, dear and cheap.
bool mesh_links(Digest& digest) {
    Rng rng(812);
    Scratch scratch;
    for (int world = 0; world < 16; ++world) {
        Floor floors[kTiles * kTiles];
        NavMeshTile tiles[kTiles * kTiles];
        if (!make_tiles(rng, floors, tiles)) return false;
        const double radius_max = rng.below(3) == 0 ? 2.0 : 0.0;
        const MeshLink first = random_link(rng, 1000);
        Result<NavMesh> mesh = NavMesh::make({.tile_size = kTileCells * kCell,
                                              .radius_max = radius_max,
                                              .tiles = tiles,
                                              .links = {&first, 1}});
        if (!mesh) return false;
        for (std::uint32_t step = 0; step < 5; ++step) {
            const MeshEdit edits[] = {MeshEdit::add(step, random_obstacle(rng)),
                                      MeshEdit::add_link(random_link(rng, 10 + step)),
                                      MeshEdit::add_link(random_link(rng, 100 + step))};
            if (!mesh->apply(edits)) return false;
            const MeshEdit gone[] = {MeshEdit::remove_link(100 + step),
                                     MeshEdit::change_link(random_link(rng, 10 + step))};
            if (rng.below(2) == 0 && !mesh->apply(gone)) return false;
            if (rng.below(3) == 0 && !mesh->measure_landmarks()) return false;
            for (std::uint32_t i = 0; i < mesh->state().links(); ++i) {
                const MeshLinkState link = mesh->state().link_at(i);
                digest.add(std::uint64_t{link.awake ? 1U : 0U});
                digest.add(link.from.x);
                digest.add(link.cost);
            }
            if (!ask(rng, *mesh, radius_max, scratch, digest)) return false;
        }
    }
    return true;
}

// Tables of 30 of such worlds, as made and as loaded again; 30 routes each.
bool mesh_tables(Digest& digest) {
    Rng rng(812);
    Scratch scratch;
    Route route;
    Array<std::uint8_t> bytes;
    for (int world = 0; world < 30; ++world) {
        double radius_max = 0.0;
        Result<NavMesh> mesh = random_world(rng, false, radius_max);
        if (!mesh) return false;
        const MeshEdit edits[] = {MeshEdit::add(1, random_obstacle(rng)),
                                  MeshEdit::add(2, random_obstacle(rng))};
        if (!mesh->apply(edits)) return false;
        const Result<MeshTable> made = MeshTable::make(mesh->acquire());
        if (!made || !made->save(bytes)) return false;
        for (const std::uint8_t byte : bytes) digest.add(std::uint32_t{byte});
        const Result<MeshTable> table = MeshTable::load(bytes, mesh->acquire());
        if (!table) return false;
        digest.add(table->digest());
        for (int i = 0; i < 30; ++i) {
            MeshQuery query{
                .start = random_place(rng), .goal = random_place(rng), .partial = rng.below(2) == 0};
            if (!find_route_into(*mesh, looked_up_in(*table, query), scratch, route)) return false;
            add_route(digest, route);
        }
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(mesh_links) {
    if (!mesh_links(digest)) digest.add(std::uint64_t{1});
}

FAIRLEAD_DIGEST_SCENE(mesh_queries) {
    if (!mesh_queries(digest)) digest.add(std::uint64_t{1});
}

FAIRLEAD_DIGEST_SCENE(mesh_table) {
    if (!mesh_tables(digest)) digest.add(std::uint64_t{1});
}
