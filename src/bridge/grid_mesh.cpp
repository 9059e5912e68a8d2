#include <fairlead/bridge/grid_mesh.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/contact.h>
#include <fairlead/polygon/merge_convex.h>

#include "base/no_memory.h"
#include "bridge/cell_border.h"

namespace fairlead {

namespace {

constexpr int kCellSizeBits = 38;  // times 2^14 cells it is still exact in a double

[[nodiscard]] Result<bridge::CellCodes> codes_of(std::span<const std::uint8_t> areas) {
    bridge::CellCodes codes;
    if (!areas.empty() && areas.size() != 256)
        return Error{ErrorCode::out_of_range, Field::areas, static_cast<std::int64_t>(areas.size())};
    for (std::uint32_t t = 1; t < 256; ++t) {
        const std::uint32_t area = areas.empty() ? t - 1 : areas[t];
        if (area < kAreasMax) {
            codes.of[t] = static_cast<std::uint8_t>(area + 1);
        } else if (areas.empty()) {
            codes.of[t] = bridge::kBadCode;
        } else if (area != kNotWalkable) {
            return Error{ErrorCode::out_of_range, Field::areas, t, 0};
        }
    }
    return codes;
}

/// The places of tiles.
struct GridTiles {
    std::int32_t columns = 1;
    std::int32_t rows = 1;
};

[[nodiscard]] GridTiles tiles_of(const GridState& grid, const GridMeshOptions& options) {
    if (options.tile_cells == 0) return {};
    const auto count = [&](std::int32_t cells) { return (cells - 1) / options.tile_cells + 1; };
    return {count(grid.width()), count(grid.height())};
}

/// World units. Not larger than the map: the lattice of new vertices is a share of it.
[[nodiscard]] double tile_size_of(const GridState& grid, const GridMeshOptions& options) {
    return std::min(options.tile_cells, std::max(grid.width(), grid.height())) * grid_mesh_cell_size(grid);
}

[[nodiscard]] Result<void> check_options(const GridState& grid, const GridMeshOptions& options) {
    if (options.tile_cells < 0) return Error{ErrorCode::out_of_range, Field::tile_cells, options.tile_cells};
    if (!(options.layer_height > 0.0)) return Error{ErrorCode::out_of_range, Field::layer_height};
    if (grid.layers() > 1 && options.layer_height <= 2.0 * kHeightSlack)
        return Error{ErrorCode::out_of_range, Field::layer_height};
    if (grid.wrap_x() || grid.wrap_y()) return Error{ErrorCode::unsupported, -1, 0};
    return {};
}

struct GridTileMaker {
    GridTileMaker(const GridState& g, const GridMeshOptions& o, PolygonScratch& s, GridTile& t)
        : grid(g),
          options(o),
          scratch(s),
          out(t),
          borders(o.allocator),
          net(o.allocator),
          region(o.allocator),
          pieces(o.allocator),
          vertex_of(o.allocator) {}

    const GridState& grid;
    const GridMeshOptions& options;
    PolygonScratch& scratch;
    GridTile& out;
    bridge::CellBorders borders;
    Triangulation net;
    Array<std::uint32_t> region;
    ConvexPolygons pieces;
    Array<std::uint32_t> vertex_of;  ///< by vertex of the triangulation: that of the tile

    [[nodiscard]] Result<void> make(std::int32_t x, std::int32_t y) {
        const Result<bridge::CellCodes> codes = codes_of(options.areas);
        if (!codes) return codes.error();
        out.x = x;
        out.y = y;
        out.vertices.clear();
        out.sizes.clear();
        out.corners.clear();
        out.areas.clear();
        const std::int32_t side = options.tile_cells;
        bridge::CellWindow window{0, 0, grid.width(), grid.height(), 0};
        if (side > 0) {
            window = {x * side, y * side, grid.width() - x * side > side ? (x + 1) * side : grid.width(),
                      grid.height() - y * side > side ? (y + 1) * side : grid.height(), 0};
        }
        for (; window.layer < grid.layers(); ++window.layer) {
            Result<void> done = bridge::find_cell_borders(grid, window, *codes, borders);
            if (done && !borders.pieces.empty()) done = add_layer(window.layer);
            if (!done) return done;
        }
        return {};
    }

    [[nodiscard]] Result<void> add_layer(std::int32_t layer) {
        const Result<void> cut =
            triangulate_into(borders.points.span(), borders.pieces.span(),
                             {.quantum = 1.0, .allocator = options.allocator}, scratch, net);
        if (!cut) return cut;
        FAIRLEAD_ASSERT(net.crossings == 0 && net.vertices.size() == borders.points.size());
        const Result<RegionConflicts> flood = find_regions_into(net, borders.sides.span(), scratch, region);
        if (!flood) return flood.error();
        FAIRLEAD_ASSERT(flood->edges == 0);
        const Result<void> merged = merge_convex_into(net, region.span(), {}, scratch, pieces);
        if (!merged) return merged;
        return add_pieces(options.layer_height * layer) ? Result<void>{} : kNoMemory;
    }

    [[nodiscard]] bool add_pieces(double z) {
        if (!vertex_of.resize_uninitialized(net.vertices.size())) return false;
        for (std::uint32_t& vertex : vertex_of) vertex = kNoPolygon;
        const double side = grid_mesh_cell_size(grid);
        for (const std::uint32_t corner : pieces.corners) {
            std::uint32_t& vertex = vertex_of[corner];
            if (vertex == kNoPolygon) {
                vertex = static_cast<std::uint32_t>(out.vertices.size());
                const Vec2 at = net.vertices[corner] * side;
                if (!out.vertices.push_back({at.x, at.y, z})) return false;
            }
            if (!out.corners.push_back(vertex)) return false;
        }
        for (std::size_t i = 0; i < pieces.sizes.size(); ++i) {
            if (!out.sizes.push_back(pieces.sizes[i]) ||
                !out.areas.push_back(static_cast<std::uint8_t>(pieces.regions[i]))) {
                return false;
            }
        }
        return true;
    }
};

/// Where a tile's parts end in the arrays of all.
struct TileEnds {
    std::int32_t x, y;
    std::size_t vertices, polygons, corners;
};

/// All tiles, one behind the other.
struct GridTilesMade {
    explicit GridTilesMade(const Allocator& allocator) : all(allocator), ends(allocator), forms(allocator) {}

    GridTile all;
    Array<TileEnds> ends;
    Array<NavMeshTile> forms;

    template <class T>
    [[nodiscard]] static bool append(Array<T>& to, const Array<T>& from) {
        for (const T& value : from) {
            if (!to.push_back(value)) return false;
        }
        return true;
    }
    [[nodiscard]] bool add(const GridTile& tile) {
        return append(all.vertices, tile.vertices) && append(all.sizes, tile.sizes) &&
               append(all.corners, tile.corners) && append(all.areas, tile.areas) &&
               ends.push_back({tile.x, tile.y, all.vertices.size(), all.sizes.size(), all.corners.size()});
    }
    [[nodiscard]] bool make_forms() {
        TileEnds from{};
        for (const TileEnds& to : ends) {
            NavMeshTile form = all.tile();
            form.x = to.x;
            form.y = to.y;
            form.vertices = form.vertices.subspan(from.vertices, to.vertices - from.vertices);
            form.polygon_sizes = form.polygon_sizes.subspan(from.polygons, to.polygons - from.polygons);
            form.polygon_corners = form.polygon_corners.subspan(from.corners, to.corners - from.corners);
            form.areas = form.areas.subspan(from.polygons, to.polygons - from.polygons);
            if (!forms.push_back(form)) return false;
            from = to;
        }
        return true;
    }
};

/// Tells what NavMesh::make tells as the second half of the work.
struct SecondHalf {
    Progress all{};
    std::size_t first = 0;  ///< parts of the first half

    [[nodiscard]] Progress hook() {
        if (all.report == nullptr) return {};
        return {[](void* user, std::size_t done, std::size_t parts) {
                    const auto& self = *static_cast<const SecondHalf*>(user);
                    const std::size_t more = parts > 0 ? self.first * done / parts : 0;
                    return self.all.report(self.all.user, self.first + more, 2 * self.first);
                },
                this};
    }
};

}  // namespace

NavMeshTile GridTile::tile() const {
    return {.x = x,
            .y = y,
            .vertices = vertices.span(),
            .polygon_sizes = sizes.span(),
            .polygon_corners = corners.span(),
            .areas = areas.span()};
}

double grid_mesh_cell_size(const GridState& grid) {
    int exponent = 0;
    const double fraction = std::frexp(grid.cell_size(), &exponent);
    return std::ldexp(std::floor(std::ldexp(fraction, kCellSizeBits) + 0.5), exponent - kCellSizeBits);
}

Result<void> grid_tile_into(const GridState& grid, const GridMeshOptions& options, std::int32_t x,
                            std::int32_t y, PolygonScratch& scratch, GridTile& out) {
    const Result<void> good = check_options(grid, options);
    if (!good) return good;
    const GridTiles tiles = tiles_of(grid, options);
    if (x < 0 || y < 0 || x >= tiles.columns || y >= tiles.rows)
        return Error{ErrorCode::out_of_range, Field::tiles};
    GridTileMaker maker(grid, options, scratch, out);
    return maker.make(x, y);
}

Result<NavMesh> make_grid_mesh(const GridState& grid, const GridMeshOptions& options) {
    const Result<void> good = check_options(grid, options);
    if (!good) return good.error();
    PolygonScratch scratch(options.allocator);
    GridTile tile(options.allocator);
    GridTilesMade made(options.allocator);
    GridTileMaker maker(grid, options, scratch, tile);
    const GridTiles tiles = tiles_of(grid, options);
    const auto count = static_cast<std::size_t>(tiles.columns) * static_cast<std::size_t>(tiles.rows);
    SecondHalf second{options.progress, count};
    std::size_t cut = 0;
    for (std::int32_t y = 0; y < tiles.rows; ++y) {
        for (std::int32_t x = 0; x < tiles.columns; ++x) {
            if (options.progress.report != nullptr &&
                !options.progress.report(options.progress.user, cut++, 2 * count))
                return Error{ErrorCode::cancelled};
            const Result<void> done = maker.make(x, y);
            if (!done) return done.error();
            if (!tile.sizes.empty() && !made.add(tile)) return kNoMemory;
        }
    }
    if (!made.make_forms()) return kNoMemory;
    const Vec2 origin = grid.origin();
    return NavMesh::make({.origin = {origin.x, origin.y, 0.0},
                          .tile_size = tile_size_of(grid, options),
                          .step_height = 0.25 * options.layer_height,
                          .agent_radius = 0.0,
                          .agent_height = options.agent_height,
                          .radius_max = options.radius_max,
                          .tiles = made.forms.span(),
                          .landmarks = options.landmarks,
                          .gate_work_max = options.gate_work_max,
                          .progress = second.hook(),
                          .allocator = options.allocator});
}

}  // namespace fairlead
