// All tiles of a world: strips of columns are filled, and the tiles of a row read their own strip and the ends of the two beside it.

#include "mesh_bake/world.h"

#include <algorithm>

#include <fairlead/mesh_bake/bake.h>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "mesh_bake/show_stages.h"
#include "mesh_bake/strips.h"
#include "mesh_bake/tile.h"

namespace fairlead::bake {

namespace {

/// Strips of columns that are there at once: those of a batch of tile rows, and one on each side of it.
constexpr std::int32_t kStripsKept = kStripsAtOnce + 2;

struct TileResult {
    BakedMesh mesh;
    Result<void> status{};
};

template <class T>
[[nodiscard]] bool reserve_more(Array<T>& array, std::size_t more) {
    const std::size_t size = array.size();
    return array.resize_uninitialized(size + more) && array.resize_uninitialized(size);
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

/// Room for all of them at once, so that nothing is moved while they are appended.
[[nodiscard]] bool reserve_tiles(BakedMesh& to, const Owned<TileResult>& from) {
    const auto sum = [&from](auto BakedMesh::*array) {
        std::size_t all = 0;
        for (std::size_t i = 0; i < from.size(); ++i) all += (from[i].mesh.*array).size();
        return all;
    };
    const auto reserve = [&](auto BakedMesh::*array) { return reserve_more(to.*array, sum(array)); };
    return reserve(&BakedMesh::vertices) && reserve(&BakedMesh::polygons) && reserve(&BakedMesh::corners) &&
           reserve(&BakedMesh::across) && reserve(&BakedMesh::height_layers) &&
           reserve(&BakedMesh::height_rows) && reserve(&BakedMesh::height_blocks) &&
           reserve(&BakedMesh::height_words) && reserve(&BakedMesh::tiles);
}

[[nodiscard]] bool any_solid(const SolidRows& rows, const CellBox& interior) {
    const std::int32_t from = std::max(interior.x0, rows.box.x0) - rows.box.x0;
    const std::int32_t to = std::min(interior.x1, rows.box.x1) - rows.box.x0;
    const std::int32_t last = std::min(interior.y1, rows.box.y1);
    for (std::int32_t y = std::max(interior.y0, rows.box.y0); y < last; ++y) {
        const Span* columns = rows.rows[static_cast<std::size_t>(y - rows.box.y0)].columns;
        if (columns == nullptr) continue;
        if (std::any_of(columns + from, columns + to, [](const Span& s) { return s.high > s.low; }))
            return true;
    }
    return false;
}

struct WorldBake {
    const Settings& settings;
    const BakeOptions& options;
    const TileGrid& grid;
    Strips strips;

    struct TileJob {
        WorldBake* bake;
        Owned<TileResult>* results;
        std::int32_t first_row;
    };

    static void bake_one(void* context, std::size_t index) {
        const auto* job = static_cast<const TileJob*>(context);
        WorldBake& self = *job->bake;
        const TileGrid& grid = self.grid;
        TileResult& result = (*job->results)[index];
        const auto i = static_cast<std::int32_t>(index);
        const std::int32_t row = job->first_row + i / grid.tiles_x;
        BakedTile tile;
        tile.x = grid.first_x + i % grid.tiles_x;
        tile.y = grid.first_y + row;
        SolidRows rows(self.settings.allocator);
        if (!self.strips.gather_rows(row, rows)) {
            result.status = kNoMemory;
            return;
        }
        const std::int32_t size = grid.size;
        const CellBox interior{tile.x * size, tile.y * size, (tile.x + 1) * size, (tile.y + 1) * size};
        if (!any_solid(rows, interior)) return;
        show_solid(self.settings, interior, rows);
        Floors floors(self.settings.allocator);
        result.status = find_floors(rows, window_of(self.settings, interior), self.settings, floors);
        if (result.status) result.status = bake_floors(self.settings, floors, interior, tile, result.mesh);
    }

    Result<void> bake_rows(std::int32_t row, std::int32_t count, BakedMesh& out) {
        Owned<TileResult> results(settings.allocator);
        const std::size_t tiles = static_cast<std::size_t>(count) * static_cast<std::size_t>(grid.tiles_x);
        if (!results.reserve(tiles)) return kNoMemory;
        for (std::size_t i = 0; i < tiles; ++i) results.add(TileResult{BakedMesh(settings.allocator)});
        TileJob job{this, &results, row};
        run_jobs(options.jobs, tiles, bake_one, &job);
        for (std::size_t i = 0; i < tiles; ++i) {
            if (!results[i].status) return results[i].status;
        }
        if (!reserve_tiles(out, results)) return kNoMemory;
        for (std::size_t i = 0; i < tiles; ++i) {
            if (!append_tile(out, results[i].mesh)) return kNoMemory;
        }
        return {};
    }

    // One row if nobody works beside: the least memory. Else all rows if their strips can be kept, or batches of nearly the same size.
    [[nodiscard]] std::int32_t rows_at_once() const {
        if (options.jobs.run == nullptr) return 1;
        if (grid.tiles_y <= kStripsKept) return grid.tiles_y;
        const std::int32_t batches = (grid.tiles_y + kStripsAtOnce - 1) / kStripsAtOnce;
        return (grid.tiles_y + batches - 1) / batches;
    }

    Result<void> run(Array<raster::CellRows> rows, BakedMesh& out) {
        const std::int32_t at_once = rows_at_once();
        const Result<void> prepared = strips.prepare(rows, std::min(grid.tiles_y, at_once + 2));
        rows.free_memory();
        if (!prepared) return prepared;
        std::int32_t filled = 0;
        for (std::int32_t row = 0; row < grid.tiles_y; row += at_once) {
            const std::int32_t end = std::min(row + at_once, grid.tiles_y);
            const std::int32_t needed = std::min(end + 1, grid.tiles_y);
            Result<void> done = strips.fill(options.jobs, filled, needed);
            filled = needed;
            if (done) done = bake_rows(row, end - row, out);
            if (!done) return done;
            if (options.progress.report == nullptr) continue;
            const std::size_t so_far =
                static_cast<std::size_t>(end) * static_cast<std::size_t>(grid.tiles_x);
            if (!options.progress.report(options.progress.user, so_far, grid.tiles()))
                return Error{ErrorCode::incompatible, 10, 0};
        }
        return {};
    }
};

}  // namespace

Result<void> bake_world(const Settings& settings, const BakeOptions& options, const GridSoup& soup,
                        Array<raster::CellRows> rows, BakedMesh& out) {
    const Result<TileGrid> grid = TileGrid::make(box_of(soup), settings.tile);
    if (!grid) return grid.error();
    WorldBake bake{settings, options, *grid, Strips(settings, soup, *grid)};
    return bake.run(std::move(rows), out);
}

}  // namespace fairlead::bake
