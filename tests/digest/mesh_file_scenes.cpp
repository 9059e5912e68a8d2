// Baked levels as files: the bytes of meshes and of their tiles, and 10,000 routes on what is loaded from them.
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

bool add_routes(Rng& rng, const NavMesh& mesh, double radius_max, Digest& digest) {
    Scratch scratch;
    Route route;
    for (int i = 0; i < kRoutes; ++i) {
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

bool mesh_files(Digest& digest) {
    Rng rng(4103);
    for (int round = 0; round < kLevels; ++round) {
        Soup soup;
        if (!soup.quad({0, 0, 0}, {24, 0, 0}, {24, 24, round * 0.4}, {0, 24, 0}, 1)) return false;
        for (int i = 0; i < 40; ++i) {
            if (!add_piece(rng, soup)) return false;
        }
        bake::BakeOptions options{.cell_size = 0.25, .cell_height = 0.1, .agent_radius = 0.2, .climb = 0.4};
        options.tile_cells = round % 2 == 0 ? 32 : 0;
        const double radius_max = round % 3 == 0 ? 0.0 : 0.8;
        const Result<NavMesh> made =
            bake::navmesh({soup.vertices.span(), soup.triangles.span(), soup.areas.span()}, options,
                          {.radius_max = radius_max, .landmarks = 8});
        Array<std::uint8_t> bytes;
        if (!made || !save_mesh(*made, bytes)) return false;
        add_bytes(digest, bytes);
        const Result<NavMesh> mesh = load_mesh(bytes.span());
        if (!mesh || !save_tile(*mesh, 0, 0, bytes)) return false;
        add_bytes(digest, bytes);
        if (!add_routes(rng, *mesh, radius_max, digest)) return false;
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(mesh_files) {
    if (!mesh_files(digest)) digest.add(std::uint64_t{1});
}
