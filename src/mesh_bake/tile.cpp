// The steps of a tile.

#include "mesh_bake/tile.h"

#include "mesh_bake/heights.h"

namespace fairlead::bake {

Result<void> bake_columns(const Settings& settings, const SolidRows& solid, const CellBox& interior,
                          BakedTile tile, BakedMesh& out) {
    const std::int32_t halo = settings.tile == 0 ? 0 : settings.halo;
    const CellBox window{interior.x0 - halo, interior.y0 - halo, interior.x1 + halo, interior.y1 + halo};
    Floors floors(settings.allocator);
    Layers layers(settings.allocator);
    Borders borders(settings.allocator);
    Array<Segment> segments(settings.allocator);
    const auto floors_made = [&]() -> Result<void> {
        Result<void> done = find_floors(solid, window, settings, floors);
        if (done) done = mark_areas(settings, floors);
        if (done) done = link_floors(settings, floors);
        if (done) done = erode_floors(settings, floors);
        return done;
    };
    Result<void> done = floors_made();
    if (done) done = find_layers(settings, interior, floors, layers);
    if (!done || layers.count == 0) return done;
    done = find_edges(settings, interior, floors, layers, borders);
    if (done) done = join_edges(settings, interior, floors, borders);
    if (done) done = trace_chains(settings, borders);
    if (done) done = simplify_chains(settings, borders, segments);
    if (!done) return done;
    tile.layers = layers.count;
    tile.low_x = interior.x0;
    tile.low_y = interior.y0;
    tile.first_vertex = out.vertices.size();
    tile.first_polygon = out.polygons.size();
    tile.first_corner = out.corners.size();
    done = make_polygons(settings, interior, borders, segments, out);
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
