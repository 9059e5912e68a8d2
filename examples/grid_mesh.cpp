// A tile map as a level mesh: routes of any angle on it, for any radius, that are legal among the tiles.

#include <fairlead/fairlead.h>

#include <cstdio>
#include <cstring>
#include <vector>

int main() {
    using namespace fairlead;
    const char* const rows[] = {"................",  //
                                "..####....##....",  //
                                "..#.......##....",  //
                                "..#..###........",  //
                                "..#..#.....####.",  //
                                ".....#.....#....",  //
                                "..####..#..#..#.",  //
                                "........#.....#."};
    std::vector<std::uint8_t> tiles;
    for (const char* row : rows) {
        for (std::size_t x = 0; x < std::strlen(row); ++x) tiles.push_back(row[x] == '#' ? 0 : 1);
    }
    Result<Grid> town = Grid::make({.width = 16, .height = 8}, tiles);
    if (!town) return 1;
    Result<NavMesh> mesh = make_grid_mesh(*town, {.tile_cells = 8, .radius_max = 1.0});
    if (!mesh) return 1;
    std::printf("%lld free cells, %u polygons\n", static_cast<long long>(town->state().free_cells()),
                mesh->state().polygons());

    Scratch scratch;
    const Vec3 from{3.5, 3.5, 0}, to{13.5, 6.5, 0};
    const Result<Route> among_tiles =
        find_route(*town, GridQuery{.start = ground(from), .goal = ground(to)}, scratch);
    if (!among_tiles) return 1;
    std::printf("among tiles %.3f\n", among_tiles->length);
    for (const double radius : {0.0, 0.25, 0.45}) {
        const MeshQuery query{.start = from, .goal = to, .agent = {.radius = radius}};
        const Result<Route> route = find_route(*mesh, query, scratch);
        if (!route || route->status != PathStatus::complete) return 1;
        std::printf("on the mesh, radius %.2f: %.3f\n", radius, route->length);
        // The tiles agree, whatever the mesh thinks.
        if (verify(*route, *town, query.agent, {.check_revision = false})) return 1;
        if (radius == 0.0 && route->length > among_tiles->length) return 1;
    }

    // A wall goes up: the tiles of the mesh that it touches, or nearly, are made anew.
    if (!town->fill({{8, 0}, {9, 3}}, 0)) return 1;
    PolygonScratch polygons;
    GridTile tile;
    for (std::int32_t x = 0; x < 2; ++x) {
        if (!grid_tile_into(*town, {.tile_cells = 8}, x, 0, polygons, tile)) return 1;
        if (!mesh->set_tile(tile.tile())) return 1;
    }
    const Result<Route> now = find_route(*mesh, MeshQuery{.start = from, .goal = to}, scratch);
    if (!now || now->status != PathStatus::complete) return 1;
    std::printf("with a wall more: %.3f\n", now->length);
    return verify(*now, *town, {}, {.check_revision = false}) ? 1 : 0;
}
