// The whole bake. The columns of the world are filled once, in strips as high as a tile; the tiles of a row read their own strip
// and the ends of the two beside it.

#include <fairlead/mesh_bake/bake.h>

#include <algorithm>

#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "base/owned.h"
#include "base/run_jobs.h"
#include "mesh_bake/show_stages.h"
#include "mesh_bake/tile.h"
#include "mesh_bake/tile_key.h"

namespace fairlead::bake {

namespace {

void copy_frame(const Settings& s, BakedMesh& mesh) {
    mesh.origin = s.frame.origin;
    mesh.cell_size = s.frame.cell_size;
    mesh.cell_height = s.frame.cell_height;
    mesh.tile_cells = s.tile;
}

template <class T>
[[nodiscard]] bool append(Array<T>& to, const Array<T>& from) {
    const std::size_t old = to.size();
    if (from.empty()) return true;
    if (!to.resize_uninitialized(old + from.size())) return false;
    std::copy(from.begin(), from.end(), to.begin() + old);
    return true;
}

[[nodiscard]] bool append_tile(BakedMesh& to, const BakedMesh& from) {
    for (BakedTile tile : from.tiles) {
        tile.first_vertex += to.vertices.size();
        tile.first_polygon += to.polygons.size();
        tile.first_corner += to.corners.size();
        tile.first_height_layer += to.height_layers.size();
        tile.first_height_row += to.height_rows.size();
        tile.first_height_block += to.height_blocks.size();
        tile.first_height_word += to.height_words.size();
        if (!to.tiles.push_back(tile)) return false;
    }
    return append(to.vertices, from.vertices) && append(to.polygons, from.polygons) &&
           append(to.corners, from.corners) && append(to.across, from.across) &&
           append(to.height_layers, from.height_layers) && append(to.height_rows, from.height_rows) &&
           append(to.height_blocks, from.height_blocks) && append(to.height_words, from.height_words);
}

/// Strip i is the row of tiles with y = first_y + i.
struct WorldBake {
    WorldBake(const Settings& s, const BakeOptions& o, const GridSoup& g)
        : settings(s),
          options(o),
          soup(g),
          strip_first(s.allocator),
          strip_triangles(s.allocator),
          touched(s.allocator),
          strips(s.allocator) {}

    const Settings& settings;
    const BakeOptions& options;
    const GridSoup& soup;
    CellBox box{};  ///< all columns that triangles touch
    std::int32_t first_x = 0;
    std::int32_t first_y = 0;
    std::int32_t tiles_x = 0;
    std::int32_t tiles_y = 0;
    Array<std::uint32_t> strip_first;  ///< triangles of strip i: strip_triangles[strip_first[i]] ..
    Array<std::uint32_t> strip_triangles;
    Array<std::uint8_t> touched;  ///< by tile, row by row: whether any triangle's box meets it

    struct Strip {
        Result<SpanField> field = Error{ErrorCode::out_of_memory, -1, 0};
        bool empty = true;  ///< no triangle touches it, and there is no field
    };
    Owned<Strip> strips;  ///< a ring: strip i is at i modulo size

    struct TileResult {
        BakedMesh mesh;
        Result<void> status{};
    };

    [[nodiscard]] CellBox strip_box(std::int32_t strip) const {
        const std::int32_t low = (first_y + strip) * settings.tile;
        return {box.x0, std::max(box.y0, low), box.x1, std::min(box.y1, low + settings.tile)};
    }

    [[nodiscard]] std::int32_t tile_of(double value) const {
        return floor_divide(cell_of(value), settings.tile);
    }

    struct TileRange {
        std::int32_t x0, y0, x1, y1;  ///< tiles from the first, all included
    };
    [[nodiscard]] TileRange tiles_of(const SoupTriangle& t) const {
        const Vec3& a = soup.points[t.corners[0]];
        const Vec3& b = soup.points[t.corners[1]];
        const Vec3& c = soup.points[t.corners[2]];
        return {tile_of(std::min({a.x, b.x, c.x})) - first_x, tile_of(std::min({a.y, b.y, c.y})) - first_y,
                tile_of(std::max({a.x, b.x, c.x})) - first_x, tile_of(std::max({a.y, b.y, c.y})) - first_y};
    }

    // Those that nobody wants are as those that no triangle touches.
    void leave_out_tiles() {
        if (options.only.wants == nullptr) return;
        for (std::size_t i = 0; i < touched.size(); ++i) {
            const auto row = static_cast<std::int32_t>(i / static_cast<std::size_t>(tiles_x));
            const auto column = static_cast<std::int32_t>(i % static_cast<std::size_t>(tiles_x));
            if (!options.only.wants(first_x + column, first_y + row, options.only.user)) touched[i] = 0;
        }
    }
    // Is there a tile that reads this strip?
    [[nodiscard]] bool is_read(std::int32_t strip) const {
        const auto row = [this](std::int32_t i) {
            return touched.begin() + static_cast<std::size_t>(i) * static_cast<std::size_t>(tiles_x);
        };
        const std::uint8_t* const end = row(std::min(strip + 2, tiles_y));
        return std::find(row(std::max(strip - 1, 0)), end, std::uint8_t{1}) != end;
    }

    Result<void> sort_triangles() {
        const std::size_t tiles = static_cast<std::size_t>(tiles_y) * static_cast<std::size_t>(tiles_x);
        if (!strip_first.resize(static_cast<std::size_t>(tiles_y) + 2) || !touched.resize(tiles))
            return kNoMemory;
        std::uint64_t all = 0;
        for (const SoupTriangle& t : soup.triangles) {
            const TileRange range = tiles_of(t);
            for (std::int32_t i = range.y0; i <= range.y1; ++i) {
                ++strip_first[static_cast<std::size_t>(i) + 2];
                std::uint8_t* row =
                    touched.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(tiles_x);
                std::fill(row + range.x0, row + range.x1 + 1, std::uint8_t{1});
            }
            all += static_cast<std::uint64_t>(range.y1 - range.y0) + 1;
        }
        leave_out_tiles();
        if (all > 0x7fffffffU) return Error{ErrorCode::size_limit, 0, 0x7fffffff};
        for (std::size_t i = 2; i < strip_first.size(); ++i) strip_first[i] += strip_first[i - 1];
        if (!strip_triangles.resize_uninitialized(static_cast<std::size_t>(all))) return kNoMemory;
        for (std::uint32_t t = 0; t < soup.triangles.size(); ++t) {
            const TileRange range = tiles_of(soup.triangles[t]);
            for (std::int32_t i = range.y0; i <= range.y1; ++i)
                strip_triangles[strip_first[static_cast<std::size_t>(i) + 1]++] = t;
        }
        return {};
    }

    Result<void> prepare() {
        box = {cell_of(soup.low[0]), cell_of(soup.low[1]), cell_of(soup.high[0]) + 1,
               cell_of(soup.high[1]) + 1};
        first_x = floor_divide(box.x0, settings.tile);
        first_y = floor_divide(box.y0, settings.tile);
        tiles_x = floor_divide(box.x1 - 1, settings.tile) - first_x + 1;
        tiles_y = floor_divide(box.y1 - 1, settings.tile) - first_y + 1;
        constexpr std::int64_t kTilesMax = std::int64_t{1} << 24;
        if (std::int64_t{tiles_x} * tiles_y > kTilesMax) return Error{ErrorCode::size_limit, 1, kTilesMax};
        if (box.width() * settings.tile * (kStripsAtOnce + 2) > kSpanColumnsMax)
            return Error{ErrorCode::size_limit, 0, kSpanColumnsMax};
        const auto count = static_cast<std::size_t>(kStripsAtOnce) + 2;
        if (!strips.reserve(count)) return kNoMemory;
        for (std::size_t i = 0; i < count; ++i) strips.add(Strip{});
        return sort_triangles();
    }

    [[nodiscard]] Strip& strip_at(std::int32_t i) {
        return strips[static_cast<std::size_t>(i) % strips.size()];
    }

    struct StripJob {
        WorldBake* bake;
        std::int32_t first;
    };

    static void fill_strip(void* context, std::size_t index) {
        const auto* job = static_cast<const StripJob*>(context);
        const std::int32_t i = job->first + static_cast<std::int32_t>(index);
        WorldBake& self = *job->bake;
        Strip& strip = self.strip_at(i);
        const std::uint32_t from = self.strip_first[static_cast<std::size_t>(i)];
        const std::uint32_t to = self.strip_first[static_cast<std::size_t>(i) + 1];
        strip.empty = from == to || !self.is_read(i);
        if (strip.empty) return;
        strip.field = SpanField::make(self.strip_box(i), self.settings.allocator);
        if (!strip.field) return;
        const Result<void> added =
            strip.field->add(self.soup, self.strip_triangles.span().subspan(from, to - from));
        if (!added) strip.field = added.error();
    }

    // The rows of a window, from the strips.
    [[nodiscard]] bool gather_rows(std::int32_t row, SolidRows& rows) {
        const std::int32_t low = (first_y + row) * settings.tile - settings.halo - 1;
        const std::int32_t high = (first_y + row + 1) * settings.tile + settings.halo + 1;
        rows.box = {box.x0, std::max(low, box.y0), box.x1, std::min(high, box.y1)};
        if (!rows.rows.resize(static_cast<std::size_t>(rows.box.height()))) return false;
        for (std::int32_t y = rows.box.y0; y < rows.box.y1; ++y) {
            const Strip& strip = strip_at(floor_divide(y, settings.tile) - first_y);
            if (strip.empty) continue;
            rows.rows[static_cast<std::size_t>(y - rows.box.y0)] = {strip.field->row(y),
                                                                    strip.field->upper()};
        }
        return true;
    }

    struct TileJob {
        WorldBake* bake;
        Owned<TileResult>* results;
        std::int32_t first_row;
    };

    static void bake_one(void* context, std::size_t index) {
        const auto* job = static_cast<const TileJob*>(context);
        WorldBake& self = *job->bake;
        TileResult& result = (*job->results)[index];
        const auto i = static_cast<std::int32_t>(index);
        const std::int32_t row = job->first_row + i / self.tiles_x;
        const std::size_t place =
            static_cast<std::size_t>(job->first_row) * static_cast<std::size_t>(self.tiles_x) + index;
        if (self.touched[place] == 0) return;
        BakedTile tile;
        tile.x = self.first_x + i % self.tiles_x;
        tile.y = self.first_y + row;
        SolidRows rows(self.settings.allocator);
        if (!self.gather_rows(row, rows)) {
            result.status = kNoMemory;
            return;
        }
        const std::int32_t size = self.settings.tile;
        const CellBox interior{tile.x * size, tile.y * size, (tile.x + 1) * size, (tile.y + 1) * size};
        show_solid(self.settings, interior, rows);
        Floors floors(self.settings.allocator);
        result.status = find_floors(rows, window_of(self.settings, interior), self.settings, floors);
        if (result.status) result.status = bake_floors(self.settings, floors, interior, tile, result.mesh);
    }

    Result<void> bake_rows(std::int32_t row, std::int32_t count, BakedMesh& out) {
        Owned<TileResult> results(settings.allocator);
        const std::size_t tiles = static_cast<std::size_t>(count) * static_cast<std::size_t>(tiles_x);
        if (!results.reserve(tiles)) return kNoMemory;
        for (std::size_t i = 0; i < tiles; ++i) results.add(TileResult{BakedMesh(settings.allocator)});
        TileJob job{this, &results, row};
        run_jobs(options.jobs, tiles, bake_one, &job);
        for (std::size_t i = 0; i < tiles; ++i) {
            if (!results[i].status) return results[i].status;
            if (!append_tile(out, results[i].mesh)) return kNoMemory;
        }
        return {};
    }

    Result<void> run(BakedMesh& out) {
        Result<void> done = prepare();
        std::int32_t filled = 0;
        for (std::int32_t row = 0; done && row < tiles_y; row += kStripsAtOnce) {
            const std::int32_t end = std::min(row + kStripsAtOnce, tiles_y);
            const std::int32_t needed = std::min(end + 1, tiles_y);
            StripJob job{this, filled};
            run_jobs(options.jobs, static_cast<std::size_t>(needed - filled), fill_strip, &job);
            for (; filled < needed; ++filled) {
                const Strip& strip = strip_at(filled);
                if (!strip.empty && !strip.field) return strip.field.error();
            }
            done = bake_rows(row, end - row, out);
            if (done && options.progress.report != nullptr) {
                const auto all = static_cast<std::size_t>(tiles_y) * static_cast<std::size_t>(tiles_x);
                const auto so_far = static_cast<std::size_t>(end) * static_cast<std::size_t>(tiles_x);
                if (!options.progress.report(options.progress.user, so_far, all))
                    return Error{ErrorCode::incompatible, 10, 0};
            }
        }
        return done;
    }
};

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

}  // namespace

Result<BakedMesh> bake_mesh(const TriangleSoup& triangles, const BakeOptions& options) {
    const Result<Settings> settings =
        make_settings(options, options.give_origin ? options.origin : soup_low_corner(triangles));
    if (!settings) return settings.error();
    Result<GridSoup> soup = grid_soup(triangles, options, *settings);
    if (!soup) return soup.error();
    BakedMesh mesh(options.allocator);
    copy_frame(*settings, mesh);
    if (soup->triangles.empty()) return mesh;
    if (settings->tile != 0) {
        WorldBake world(*settings, options, *soup);
        const Result<void> done = world.run(mesh);
        if (!done) return done.error();
        return mesh;
    }
    const CellBox box{cell_of(soup->low[0]), cell_of(soup->low[1]), cell_of(soup->high[0]) + 1,
                      cell_of(soup->high[1]) + 1};
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
