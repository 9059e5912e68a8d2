// The whole bake, and one tile by itself.

#include <fairlead/mesh_bake/bake.h>

#include <algorithm>

#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "mesh_bake/show_stages.h"
#include "mesh_bake/strips.h"
#include "mesh_bake/tile.h"
#include "mesh_bake/world.h"

namespace fairlead::bake {

namespace {

void copy_frame(const Settings& s, BakedMesh& mesh) {
    mesh.origin = s.frame.origin;
    mesh.cell_size = s.frame.cell_size;
    mesh.cell_height = s.frame.cell_height;
    mesh.tile_cells = s.tile;
}

Result<GridSoup> grid_soup(const TriangleSoup& soup, const BakeOptions& options, const Settings& settings,
                           Array<raster::CellRows>* rows = nullptr) {
    return raster::prepare_soup_rows(soup, settings.frame, {options.slope_max_rad, options.refuse_bad, false},
                                     options.allocator, rows);
}

// The floors of a window over columns that are filled for it alone. The triangles and the columns are gone when it returns: what comes
// next takes their place in memory.
Result<void> floors_alone(const Settings& settings, GridSoup soup, const CellBox& box,
                          const CellBox& interior, Floors& floors) {
    Result<SpanField> field = SpanField::make(box, settings.allocator);
    if (!field) return field.error();
    const Result<void> added = field->add(soup);
    if (!added) return added;
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

/// A tile by itself: its cells and those that it depends on.
struct LoneTile {
    Settings settings{};
    CellBox interior{};
    CellBox padded{};
};

Result<LoneTile> lone_tile(const BakeOptions& options, std::int32_t x, std::int32_t y) {
    if (options.tile_cells == 0 || !options.give_origin) return Error{ErrorCode::incompatible, 9, 0};
    const Result<Settings> settings = make_settings(options, options.origin);
    if (!settings) return settings.error();
    constexpr std::int64_t kCells = std::int64_t{1} << 25;  // kGridMax and a tile more
    const std::int64_t size = settings->tile;
    for (const std::int64_t at :
         {x * size, y * size, (std::int64_t{x} + 1) * size, (std::int64_t{y} + 1) * size}) {
        if (at < -kCells || at > kCells) return Error{ErrorCode::size_limit, 0, kCells};
    }
    const std::int32_t pad = settings->halo + 1;
    const CellBox interior{x * settings->tile, y * settings->tile, (x + 1) * settings->tile,
                           (y + 1) * settings->tile};
    return LoneTile{
        *settings, interior, {interior.x0 - pad, interior.y0 - pad, interior.x1 + pad, interior.y1 + pad}};
}

bool touches(const GridTriangle& t, const CellBox& box) {
    return std::max({t.x[0], t.x[1], t.x[2]}) >= box.x0 && std::min({t.x[0], t.x[1], t.x[2]}) < box.x1 &&
           std::max({t.y[0], t.y[1], t.y[2]}) >= box.y0 && std::min({t.y[0], t.y[1], t.y[2]}) < box.y1;
}

// The same whichever corner comes first.
std::uint64_t triangle_key(const GridTriangle& t) {
    std::uint64_t sum = t.area;
    for (int k = 0; k < 3; ++k) {
        Digest corners;
        for (int i = k; i < k + 3; ++i) {
            corners.add(t.x[i % 3]);
            corners.add(t.y[i % 3]);
            corners.add(t.z[i % 3]);
        }
        sum += corners.value();
    }
    Digest key;
    key.add(sum);
    return key.value();
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
        return Error{ErrorCode::incompatible, 10, 0};
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

Result<std::uint64_t> tile_key(const TriangleSoup& triangles, const BakeOptions& options, std::int32_t x,
                               std::int32_t y) {
    const Result<LoneTile> lone = lone_tile(options, x, y);
    if (!lone) return lone.error();
    const Result<GridSoup> soup = grid_soup(triangles, options, lone->settings);
    if (!soup) return soup.error();
    Digest key;
    const Settings& s = lone->settings;
    for (const double value :
         {s.frame.cell_size, s.frame.cell_height, s.radius, s.edge_error, options.slope_max_rad})
        key.add(value);
    for (const std::int32_t value :
         {s.height, s.climb, static_cast<std::int32_t>(s.island_min), s.tile, x, y})
        key.add(value);
    for (const AreaMark& mark : s.marks) {
        key.add(std::uint32_t{mark.area});
        key.add(mark.low_z - s.frame.origin.z);
        key.add(mark.high_z - s.frame.origin.z);
        for (const Vec2 p : mark.outline) {
            key.add(p.x - s.frame.origin.x);
            key.add(p.y - s.frame.origin.y);
        }
    }
    std::uint64_t sum = 0;  // of the triangles' digests: their order does not count
    for (std::size_t i = 0; i < soup->triangles.size(); ++i) {
        const GridTriangle t = soup->triangle(i);
        if (!touches(t, lone->padded)) continue;
        sum += triangle_key(t);
    }
    key.add(sum);
    return key.value();
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
                                     std::int32_t{b.slope_y}, std::int32_t{b.bits}, std::int32_t{b.empty}})
            d.add(n);
        d.add(b.first);
    }
    for (const std::uint32_t n : mesh.height_words) d.add(n);
    return d.value();
}

}  // namespace fairlead::bake
