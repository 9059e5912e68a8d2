// The whole bake, and one tile by itself.

#include <fairlead/mesh_bake/bake.h>

#include <algorithm>

#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "mesh_bake/show_stages.h"
#include "mesh_bake/strips.h"
#include "mesh_bake/tile.h"
#include "mesh_bake/tile_key.h"
#include "mesh_bake/world.h"

namespace fairlead::bake {

namespace {

void copy_frame(const Settings& s, BakedMesh& mesh) {
    mesh.origin = s.frame.origin;
    mesh.cell_size = s.frame.cell_size;
    mesh.cell_height = s.frame.cell_height;
    mesh.tile_cells = s.tile;
}

// The floors of a window over columns that are filled for it alone. The triangles and the columns are gone when it returns: what comes
// next takes their place in memory.
Result<void> floors_alone(const Settings& settings, GridSoup soup, const CellBox& box,
                          const CellBox& interior, Floors& floors) {
    Result<SpanField> field = SpanField::make(box, settings.allocator);
    if (!field) return field.error();
    const Result<void> added = field->add(soup);
    if (!added) return added;
    field->measure_tops(soup);
    soup.triangles.free_memory();
    soup.points.free_memory();
    SolidRows rows(settings.allocator);
    rows.box = box;
    if (!rows.rows.resize(static_cast<std::size_t>(box.height()))) return kNoMemory;
    for (std::int32_t y = box.y0; y < box.y1; ++y)
        rows.rows[static_cast<std::size_t>(y - box.y0)] = {field->row(y), field->upper()};
    show_solid(settings, interior, rows);
    return find_floors(rows, window_of(settings, interior), settings, floors);
}

Result<void> bake_alone(const Settings& settings, GridSoup soup, const CellBox& box, const CellBox& interior,
                        BakedTile tile, BakedMesh& out) {
    Floors floors(settings.allocator);
    const Result<void> found = floors_alone(settings, std::move(soup), box, interior, floors);
    return found ? bake_floors(settings, floors, interior, tile, out) : found;
}

}  // namespace

Result<BakedMesh> bake_mesh(const TriangleSoup& triangles, const BakeOptions& options) {
    const Result<Settings> settings =
        make_settings(options, options.give_origin ? options.origin : soup_low_corner(triangles));
    if (!settings) return settings.error();
    Array<raster::CellRows> rows(options.allocator);
    Result<GridSoup> soup = grid_soup(triangles, options, *settings, settings->tile != 0 ? &rows : nullptr);
    if (!soup) return soup.error();
    BakedMesh mesh(options.allocator);
    copy_frame(*settings, mesh);
    mesh.left_out = triangles.triangles.size() / 3 - soup->triangles.size();
    if (soup->triangles.empty()) return mesh;
    if (settings->tile != 0) {
        const Result<void> done = bake_world(*settings, options, *soup, std::move(rows), mesh);
        if (!done) return done.error();
        return mesh;
    }
    const CellBox box = box_of(*soup);
    const Result<void> done = bake_alone(*settings, std::move(*soup), box, box, {}, mesh);
    if (!done) return done.error();
    if (options.progress.report != nullptr && !options.progress.report(options.progress.user, 1, 1))
        return Error{ErrorCode::cancelled};
    return mesh;
}

Result<BakedMesh> bake_tile(const TriangleSoup& triangles, const BakeOptions& options, std::int32_t x,
                            std::int32_t y) {
    const Result<LoneTile> lone = lone_tile(options, x, y);
    if (!lone) return lone.error();
    Result<GridSoup> soup = grid_soup(triangles, options, lone->settings);
    if (!soup) return soup.error();
    BakedMesh mesh(options.allocator);
    copy_frame(lone->settings, mesh);
    BakedTile tile;
    tile.x = x;
    tile.y = y;
    const Result<void> done =
        bake_alone(lone->settings, std::move(*soup), lone->padded, lone->interior, tile, mesh);
    if (!done) return done.error();
    return mesh;
}

HeightField BakedMesh::heights(std::size_t i) const {
    const BakedTile& t = tiles[i];
    const auto at = [](std::uint64_t n) { return static_cast<std::size_t>(n); };
    return {height_layers.span().subspan(at(t.first_height_layer), t.layers),
            height_rows.span().subspan(at(t.first_height_row), t.height_rows),
            height_blocks.span().subspan(at(t.first_height_block), t.height_blocks),
            height_words.span().subspan(at(t.first_height_word), t.height_words)};
}

std::uint64_t digest(const BakedMesh& mesh) {
    Digest d;
    d.add(mesh.origin.x);
    d.add(mesh.origin.y);
    d.add(mesh.origin.z);
    d.add(mesh.cell_size);
    d.add(mesh.cell_height);
    for (const BakedTile& t : mesh.tiles) {
        d.add(t.x);
        d.add(t.y);
        for (const std::uint32_t n : {t.layers, t.vertex_count, t.polygon_count, t.corner_count}) d.add(n);
    }
    for (const Vec3& v : mesh.vertices) {
        d.add(v.x);
        d.add(v.y);
        d.add(v.z);
    }
    for (const BakedPolygon& p : mesh.polygons) {
        for (const std::uint32_t n : {p.first, p.count, p.layer, p.area}) d.add(n);
    }
    for (const std::uint32_t n : mesh.corners) d.add(n);
    for (const std::uint32_t n : mesh.across) d.add(n);
    for (const HeightLayer& l : mesh.height_layers) {
        d.add(l.y);
        d.add(l.count);
        d.add(l.first);
    }
    for (const HeightRow& r : mesh.height_rows) {
        d.add(r.x);
        d.add(r.count);
        d.add(r.first);
    }
    for (const HeightBlock& b : mesh.height_blocks) {
        for (const std::int32_t n : {b.base, std::int32_t{b.offset}, std::int32_t{b.slope_x},
                                     std::int32_t{b.slope_y}, std::int32_t{b.bits}, std::int32_t{b.fraction}})
            d.add(n);
        d.add(b.first);
    }
    for (const std::uint32_t n : mesh.height_words) d.add(n);
    return d.value();
}

}  // namespace fairlead::bake
