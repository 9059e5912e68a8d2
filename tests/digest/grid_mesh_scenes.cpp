// Tile worlds as level meshes: 20 random maps with terrain, in one tile and in tiles, every polygon of the tiles and 200 routes.
#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/find_route.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

constexpr std::int32_t kTilesSide = 40;

bool make_town(Rng& rng, Array<std::uint8_t>& tiles) {
    const std::uint32_t walls = rng.below(45);
    const std::uint32_t terrains = 1 + rng.below(3);
    if (!tiles.resize(kTilesSide * kTilesSide)) return false;
    for (std::uint8_t& tile : tiles) {
        tile = static_cast<std::uint8_t>(1 + rng.below(terrains));
        if (rng.below(100) < walls) tile = 0;
    }
    return true;
}

void add_tile(const GridTile& tile, Digest& digest) {
    for (const Vec3& v : tile.vertices) {
        digest.add(v.x);
        digest.add(v.y);
    }
    for (const std::uint32_t size : tile.sizes) digest.add(size);
    for (const std::uint32_t corner : tile.corners) digest.add(corner);
    for (const std::uint8_t area : tile.areas) digest.add(std::uint32_t{area});
}

bool grid_meshes(Digest& digest) {
    Rng rng(7300);
    Scratch scratch;
    PolygonScratch polygons;
    GridTile tile;
    for (int round = 0; round < 20; ++round) {
        Array<std::uint8_t> tiles;
        if (!make_town(rng, tiles)) return false;
        const double cell = round % 3 == 0 ? 0.3 : 1.0;
        const Result<Grid> grid = Grid::make(
            {.width = kTilesSide, .height = kTilesSide, .origin = {100.5, -7.0}, .cell_size = cell}, tiles);
        if (!grid) return false;
        const GridMeshOptions options{.tile_cells = round % 2 == 0 ? 0 : 16,
                                      .radius_max = round % 4 < 2 ? 0.0 : 2.0 * cell};
        if (!grid_tile_into(*grid, options, 0, 0, polygons, tile)) return false;
        add_tile(tile, digest);
        const Result<NavMesh> mesh = make_grid_mesh(*grid, options);
        if (!mesh) return false;
        for (int i = 0; i < 10; ++i) {
            Vec3 ends[2];
            for (Vec3& end : ends) {
                end.x = 100.5 + cell * rng.between(0.0, 40.0);
                end.y = -7.0 + cell * rng.between(0.0, 40.0);
            }
            const Agent agent{.radius = options.radius_max > 0.0 ? cell * rng.between(0.0, 1.0) : 0.0};
            const Result<Route> route =
                find_route(*mesh, MeshQuery{.start = ends[0], .goal = ends[1], .agent = agent}, scratch);
            if (!route) return false;
            add_route(digest, *route);
        }
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(grid_meshes) {
    if (!grid_meshes(digest)) digest.add(std::uint64_t{1});
}
