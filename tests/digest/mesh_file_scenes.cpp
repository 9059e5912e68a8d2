// Baked levels as files: the bytes of meshes and of their tiles, and 10,000 routes on what is loaded from them; and 2,000 with links.
#include <fairlead/base/array.h>
#include <fairlead/base/bytes.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"
#include "digest/soup.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_piece;
using fairlead::testing::add_route;
using fairlead::testing::Soup;

constexpr int kLevels = 5;
constexpr int kRoutes = 2000;  // on each

void add_bytes(Digest& digest, const Array<std::uint8_t>& bytes) {
    digest.add(static_cast<std::uint64_t>(bytes.size()));
    digest.add(crc32c(bytes.span()));
}

bool add_routes(Rng& rng, const NavMesh& mesh, double radius_max, int count, Digest& digest) {
    Scratch scratch;
    Route route;
    for (int i = 0; i < count; ++i) {
        const MeshPoint from = random_point(mesh, rng), to = random_point(mesh, rng);
        MeshQuery query{.start = from.position};
        query.goal = to.position;
        if (i % 4 == 0) query.agent.radius = rng.between(0.0, radius_max);
        query.partial = i % 8 == 0;
        if (!find_route_into(mesh, query, scratch, route)) return false;
        if (i % 16 == 0 && !follow_surface(mesh, 0.2, route)) return false;
        add_route(digest, route);
    }
    return true;
}

/// A level of a round, what it is baked with, and the largest radius of its queries.
struct RoundLevel {
    Soup soup;
    bake::BakeOptions options{.cell_size = 0.25, .cell_height = 0.1, .agent_radius = 0.2, .climb = 0.4};
    double radius_max = 0.0;

    [[nodiscard]] bool fill(Rng& rng, int round) {
        if (!soup.quad({0, 0, 0}, {24, 0, 0}, {24, 24, round * 0.4}, {0, 24, 0}, 1)) return false;
        for (int i = 0; i < 40; ++i) {
            if (!add_piece(rng, soup)) return false;
        }
        options.tile_cells = round % 2 == 0 ? 32 : 0;
        radius_max = round % 3 == 0 ? 0.0 : 0.8;
        return true;
    }
    [[nodiscard]] TriangleSoup triangles() const {
        return {soup.vertices.span(), soup.triangles.span(), soup.areas.span()};
    }
};

bool mesh_files(Digest& digest) {
    Rng rng(4103);
    for (int round = 0; round < kLevels; ++round) {
        RoundLevel level;
        if (!level.fill(rng, round)) return false;
        const Result<NavMesh> made =
            bake::navmesh(level.triangles(), level.options, {.radius_max = level.radius_max, .landmarks = 8});
        Array<std::uint8_t> bytes;
        if (!made || !save_mesh(*made, bytes)) return false;
        add_bytes(digest, bytes);
        const Result<NavMesh> mesh = load_mesh(bytes.span());
        if (!mesh || !save_tile(*mesh, 0, 0, bytes)) return false;
        add_bytes(digest, bytes);
        if (!add_routes(rng, *mesh, level.radius_max, kRoutes, digest)) return false;
    }
    return true;
}

bool put_link(Rng& rng, std::uint32_t id, NavMesh& mesh) {
    MeshLink link{.id = id, .from = random_point(mesh, rng).position};
    link.to = random_point(mesh, rng).position;
    link.one_way = rng.below(2) == 0;
    link.kind = static_cast<std::uint8_t>(rng.below(3));
    if (rng.below(2) == 0) link.extent = rng.between(0.5, 4.0);
    if (rng.below(2) == 0) link.cost = rng.between(0.0, 9.0);
    const MeshEdit put = MeshEdit::add_link(link);
    return mesh.apply({&put, 1}).has_value();
}

// Keys of tiles; meshes with links that the landmarks know and with others, and routes on what is loaded.
bool mesh_link_files(Digest& digest) {
    Rng rng(4104);
    for (int round = 0; round < 4; ++round) {
        RoundLevel level;
        if (!level.fill(rng, round)) return false;
        Array<bake::TileKey> keys;
        if (level.options.tile_cells != 0 && !bake::tile_keys(level.triangles(), level.options, keys))
            return false;
        for (const bake::TileKey& tile : keys) digest.add(tile.key);
        Result<NavMesh> made =
            bake::navmesh(level.triangles(), level.options, {.radius_max = level.radius_max, .landmarks = 8});
        if (!made) return false;
        for (std::uint32_t i = 0; i < 9; ++i) {
            if (!put_link(rng, 50 - 7 * i % 50, *made)) return false;
            if (i == 5 && !made->measure_landmarks(8)) return false;
        }
        Array<std::uint8_t> bytes;
        if (!save_mesh(*made, bytes)) return false;
        add_bytes(digest, bytes);
        const Result<NavMesh> mesh = load_mesh(bytes.span());
        if (!mesh || !add_routes(rng, *mesh, level.radius_max, 500, digest)) return false;
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(mesh_files) {
    if (!mesh_files(digest)) digest.add(std::uint64_t{1});
}

FAIRLEAD_DIGEST_SCENE(mesh_link_files) {
    if (!mesh_link_files(digest)) digest.add(std::uint64_t{1});
}
