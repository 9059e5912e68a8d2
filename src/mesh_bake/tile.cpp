// The steps of a tile.

#include "mesh_bake/tile.h"

#include "mesh_bake/heights.h"
#include "mesh_bake/show_stages.h"

namespace fairlead::bake {

CellBox window_of(const Settings& settings, const CellBox& interior) {
    const std::int32_t halo = settings.tile == 0 ? 0 : settings.halo;
    return {interior.x0 - halo, interior.y0 - halo, interior.x1 + halo, interior.y1 + halo};
}

Result<void> bake_floors(const Settings& settings, Floors& floors, const CellBox& interior, BakedTile tile,
                         BakedMesh& out) {
    Layers layers(settings.allocator);
    Borders borders(settings.allocator);
    Array<Segment> segments(settings.allocator);
    Result<void> done = mark_areas(settings, floors);
    if (done) done = link_floors(settings, floors);
    if (done) done = show_floors(settings, interior, floors);
    if (done) done = erode_floors(settings, floors);
    if (done) show_eroded(settings, interior, floors);
    if (done) done = find_layers(settings, interior, floors, layers);
    if (!done || layers.count == 0) return done;
    show_layers(settings, interior, floors, layers);
    done = find_edges(interior, floors, layers, borders);
    if (done) done = join_edges(settings, interior, floors, borders);
    if (done) done = trace_chains(borders);
    if (done) done = simplify_chains(settings, borders, segments);
    if (!done) return done;
    show_borders(settings, interior, floors, borders);
    show_straightened(settings, interior, borders, segments);
    tile.layers = layers.count;
    tile.low_x = interior.x0;
    tile.low_y = interior.y0;
    tile.first_vertex = out.vertices.size();
    tile.first_polygon = out.polygons.size();
    tile.first_corner = out.corners.size();
    const TileStart start{out.vertices.size(), out.polygons.size(), out.corners.size()};
    done = make_polygons(settings, interior, floors, borders, segments, out);
    if (done) done = part_edges(settings, start, out);
    if (!done) return done;
    tile.vertex_count = static_cast<std::uint32_t>(out.vertices.size() - tile.first_vertex);
    tile.polygon_count = static_cast<std::uint32_t>(out.polygons.size() - tile.first_polygon);
    tile.corner_count = static_cast<std::uint32_t>(out.corners.size() - tile.first_corner);
    if (tile.polygon_count == 0) return {};
    done = make_heights(settings, interior, floors, layers, tile, out);
    if (!done) return done;
    return out.tiles.push_back(tile) ? Result<void>{} : Error{ErrorCode::out_of_memory, -1, 0};
}

}  // namespace fairlead::bake
