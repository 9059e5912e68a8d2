// All tiles of a world: strips of columns are filled, and the tiles of a row read their own strip and the ends of the two beside it.

#include "mesh_bake/world.h"

#include <algorithm>

#include <fairlead/mesh_bake/bake.h>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "mesh_bake/pipeline.h"
#include "mesh_bake/show_stages.h"
#include "mesh_bake/strips.h"
#include "mesh_bake/tile.h"

namespace fairlead::bake {

namespace {

/// Rows of tiles whose results are there at once, beside those that are in the mesh.
constexpr std::int32_t kRowsAtOnce = 16;

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
    Pipeline pipeline;
    std::int32_t reach = 1;                ///< strips to each side of a row of tiles that it reads
    Array<std::uint8_t> wanted;            ///< by tile, row by row; empty: all are
    Owned<TileResult>* results = nullptr;  ///< of the batch, by row
    std::int32_t first_row = 0;            ///< of the batch

    // BakeOptions::only is asked here, by one thread.
    [[nodiscard]] bool list_wanted() {
        if (options.only.wants == nullptr) return true;
        if (!wanted.resize_uninitialized(grid.tiles())) return false;
        std::size_t i = 0;
        for (std::int32_t y = 0; y < grid.tiles_y; ++y) {
            for (std::int32_t x = 0; x < grid.tiles_x; ++x, ++i) {
                const bool wants = options.only.wants(grid.first_x + x, grid.first_y + y, options.only.user);
                wanted[i] = wants ? 1 : 0;
            }
        }
        return true;
    }
    [[nodiscard]] std::size_t place_of(std::int32_t row, std::int32_t x) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.tiles_x) +
               static_cast<std::size_t>(x);
    }
    // Is there a tile that reads this strip?
    [[nodiscard]] bool is_read(std::int32_t strip) const {
        if (wanted.empty()) return true;
        const std::uint8_t* const end =
            wanted.begin() + place_of(std::min(strip + reach + 1, grid.tiles_y), 0);
        return std::find(wanted.begin() + place_of(std::max(strip - reach, 0), 0), end, std::uint8_t{1}) !=
               end;
    }

    static void work_once(void* context, std::size_t) {
        WorldBake& self = *static_cast<WorldBake*>(context);
        Pipeline::Work work;
        for (bool more = self.pipeline.start(work); more;)
            more = self.pipeline.finish(work, work.skip || self.do_work(work));
    }

    // False: no memory for a strip. What is wrong with a tile is in its result.
    bool do_work(const Pipeline::Work& work) {
        if (work.strip >= 0) return strips.fill(work.strip, is_read(work.strip));
        if (!wanted.empty() && wanted[place_of(work.row, work.x)] == 0) return true;
        TileResult& result = (*results)[place_of(work.row - first_row, work.x)];
        result.status = bake_one(work.row, work.x, result.mesh);
        return true;
    }

    Result<void> bake_one(std::int32_t row, std::int32_t x, BakedMesh& out) {
        BakedTile tile;
        tile.x = grid.first_x + x;
        tile.y = grid.first_y + row;
        SolidRows rows(settings.allocator);
        if (!strips.gather_rows(row, rows)) return kNoMemory;
        const std::int32_t size = grid.size;
        const CellBox interior{tile.x * size, tile.y * size, (tile.x + 1) * size, (tile.y + 1) * size};
        if (!any_solid(rows, interior)) return {};
        show_solid(settings, interior, rows);
        Floors floors(settings.allocator);
        const Result<void> found = find_floors(rows, window_of(settings, interior), settings, floors);
        return found ? bake_floors(settings, floors, interior, tile, out) : found;
    }

    Result<void> bake_rows(std::int32_t end, BakedMesh& out) {
        const std::size_t tiles =
            static_cast<std::size_t>(end - first_row) * static_cast<std::size_t>(grid.tiles_x);
        Owned<TileResult> made(settings.allocator);
        if (!made.reserve(tiles)) return kNoMemory;
        for (std::size_t i = 0; i < tiles; ++i) made.add(TileResult{BakedMesh(settings.allocator)});
        results = &made;
        run_jobs(options.jobs, pipeline.begin_batch(end), work_once, this);
        if (pipeline.failed()) return kNoMemory;
        for (std::size_t i = 0; i < tiles; ++i) {
            if (!made[i].status) return made[i].status;
        }
        if (!reserve_tiles(out, made)) return kNoMemory;
        for (std::size_t i = 0; i < tiles; ++i) {
            if (!append_tile(out, made[i].mesh)) return kNoMemory;
        }
        return {};
    }

    Result<void> run(Array<raster::CellRows> rows, std::int32_t kept, BakedMesh& out) {
        const Result<void> prepared = strips.prepare(rows.span(), kept);
        if (!prepared) return prepared;
        rows.free_memory();
        if (!pipeline.prepare() || !list_wanted()) return kNoMemory;
        // Nobody works beside: a row at a time, the least memory.
        const std::int32_t at_once = options.jobs.run == nullptr ? 1 : kRowsAtOnce;
        while (first_row < grid.tiles_y) {
            const std::int32_t end = std::min(first_row + at_once, grid.tiles_y);
            const Result<void> done = bake_rows(end, out);
            if (!done) return done;
            first_row = end;
            if (options.progress.report == nullptr) continue;
            const std::size_t so_far = static_cast<std::size_t>(end) * static_cast<std::size_t>(grid.tiles_x);
            if (!options.progress.report(options.progress.user, so_far, grid.tiles()))
                return Error{ErrorCode::cancelled};
        }
        return {};
    }
};

}  // namespace

Result<void> bake_world(const Settings& settings, const BakeOptions& options, const GridSoup& soup,
                        Array<raster::CellRows> rows, BakedMesh& out) {
    const Result<TileGrid> grid = TileGrid::make(box_of(soup), settings.tile);
    if (!grid) return grid.error();
    // A window and the columns beside it end in the next strip, or in the one after it if the halo is as wide as a tile.
    const std::int32_t reach = settings.halo < settings.tile ? 1 : 2;
    const std::int32_t kept = options.jobs.run == nullptr ? 2 * reach + 1 : kStripsAtOnce;
    WorldBake bake{settings,
                   options,
                   *grid,
                   Strips(settings, soup, *grid),
                   Pipeline(grid->tiles_x, grid->tiles_y, reach, kept, settings.allocator),
                   reach,
                   Array<std::uint8_t>(settings.allocator)};
    return bake.run(std::move(rows), kept, out);
}

}  // namespace fairlead::bake
