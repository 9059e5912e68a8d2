#include "mesh_bake/tile_key.h"

#include <algorithm>

#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "mesh_bake/strips.h"

namespace fairlead::bake {

namespace {

/// Raised whenever a bake gives other bytes than before (golden digest bake_levels), so that no tile of an older bake has the
/// key of a new one.
constexpr std::uint32_t kBakeVersion = 1;

CellBox tile_cells_of(const Settings& s, std::int32_t x, std::int32_t y) {
    return {x * s.tile, y * s.tile, (x + 1) * s.tile, (y + 1) * s.tile};
}

/// With those that its floors depend on.
CellBox padded_cells_of(const Settings& s, std::int32_t x, std::int32_t y) {
    const std::int32_t pad = s.halo + 1;
    const CellBox own = tile_cells_of(s, x, y);
    return {own.x0 - pad, own.y0 - pad, own.x1 + pad, own.y1 + pad};
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

// `triangles`: the sum of the digests of those that touch the tile; their order does not count.
std::uint64_t key_of(const Settings& s, const BakeOptions& options, std::int32_t x, std::int32_t y,
                     std::uint64_t triangles) {
    Digest key;
    key.add(kBakeVersion);
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
    key.add(triangles);
    return key.value();
}

/// The keys of all tiles of a level at once.
class TileKeyer {
  public:
    TileKeyer(const Settings& settings, const BakeOptions& options, const GridSoup& soup)
        : settings_(settings),
          options_(options),
          soup_(soup),
          sums_(settings.allocator),
          touched_(settings.allocator) {}

    [[nodiscard]] Result<void> run(Array<TileKey>& out) {
        const Result<TileGrid> grid = TileGrid::make(box_of(soup_), settings_.tile);
        if (!grid) return grid.error();
        grid_ = *grid;
        const std::size_t tiles = grid_.tiles();
        if (!sums_.resize(tiles) || !touched_.resize(tiles)) return kNoMemory;
        for (std::size_t i = 0; i < soup_.triangles.size(); ++i) add(soup_.triangle(i));
        const auto across = static_cast<std::size_t>(grid_.tiles_x);
        for (std::size_t i = 0; i < tiles; ++i) {
            if (touched_[i] == 0) continue;
            TileKey tile{.x = grid_.first_x + static_cast<std::int32_t>(i % across),
                         .y = grid_.first_y + static_cast<std::int32_t>(i / across)};
            tile.key = key_of(settings_, options_, tile.x, tile.y, sums_[i]);
            if (!out.push_back(tile)) return kNoMemory;
        }
        return {};
    }

  private:
    [[nodiscard]] std::int32_t tile_of(double at) const { return floor_divide(cell_of(at), settings_.tile); }

    // To the sum of every tile that depends on it.
    void add(const GridTriangle& t) {
        const std::int32_t from_x = tile_of(std::min({t.x[0], t.x[1], t.x[2]}));
        const std::int32_t from_y = tile_of(std::min({t.y[0], t.y[1], t.y[2]}));
        const std::int32_t to_x = tile_of(std::max({t.x[0], t.x[1], t.x[2]}));
        const std::int32_t to_y = tile_of(std::max({t.y[0], t.y[1], t.y[2]}));
        const std::int32_t around = (settings_.halo + 1) / settings_.tile + 1;
        const std::uint64_t key = triangle_key(t);
        const std::int32_t end_x = std::min(to_x + around + 1, grid_.first_x + grid_.tiles_x);
        const std::int32_t end_y = std::min(to_y + around + 1, grid_.first_y + grid_.tiles_y);
        for (std::int32_t y = std::max(from_y - around, grid_.first_y); y < end_y; ++y) {
            for (std::int32_t x = std::max(from_x - around, grid_.first_x); x < end_x; ++x) {
                const std::size_t at =
                    static_cast<std::size_t>(y - grid_.first_y) * static_cast<std::size_t>(grid_.tiles_x) +
                    static_cast<std::size_t>(x - grid_.first_x);
                if (touches(t, padded_cells_of(settings_, x, y))) sums_[at] += key;
                if (x >= from_x && x <= to_x && y >= from_y && y <= to_y) touched_[at] = 1;
            }
        }
    }

    const Settings& settings_;
    const BakeOptions& options_;
    const GridSoup& soup_;
    Array<std::uint64_t> sums_;    ///< by tile, row after row: of the triangles' digests
    Array<std::uint8_t> touched_;  ///< has it triangles of its own?
    TileGrid grid_{};
};

}  // namespace

Result<GridSoup> grid_soup(const TriangleSoup& soup, const BakeOptions& options, const Settings& settings,
                           Array<raster::CellRows>* rows) {
    return raster::prepare_soup_rows(soup, settings.frame, {options.slope_max_rad, options.refuse_bad, false},
                                     options.allocator, rows);
}

Result<LoneTile> lone_tile(const BakeOptions& options, std::int32_t x, std::int32_t y) {
    if (options.tile_cells == 0 || !options.give_origin)
        return Error{ErrorCode::incompatible, Field::tile_cells};
    const Result<Settings> settings = make_settings(options, options.origin);
    if (!settings) return settings.error();
    constexpr std::int64_t kFarthest = std::int64_t{1} << 25;  // kGridMax and a tile more
    const std::int64_t size = settings->tile;
    for (const std::int64_t at :
         {x * size, y * size, (std::int64_t{x} + 1) * size, (std::int64_t{y} + 1) * size}) {
        if (at < -kFarthest || at > kFarthest)
            return Error{ErrorCode::size_limit, Field::cell_size, kFarthest};
    }
    return LoneTile{*settings, tile_cells_of(*settings, x, y), padded_cells_of(*settings, x, y)};
}

Result<std::uint64_t> tile_key(const TriangleSoup& triangles, const BakeOptions& options, std::int32_t x,
                               std::int32_t y) {
    const Result<LoneTile> lone = lone_tile(options, x, y);
    if (!lone) return lone.error();
    const Result<GridSoup> soup = grid_soup(triangles, options, lone->settings);
    if (!soup) return soup.error();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < soup->triangles.size(); ++i) {
        const GridTriangle t = soup->triangle(i);
        if (touches(t, lone->padded)) sum += triangle_key(t);
    }
    return key_of(lone->settings, options, x, y, sum);
}

Result<void> tile_keys(const TriangleSoup& triangles, const BakeOptions& options, Array<TileKey>& out) {
    out.clear();
    if (options.tile_cells == 0) return Error{ErrorCode::incompatible, Field::tile_cells};
    const Result<Settings> settings =
        make_settings(options, options.give_origin ? options.origin : soup_low_corner(triangles));
    if (!settings) return settings.error();
    const Result<GridSoup> soup = grid_soup(triangles, options, *settings);
    if (!soup) return soup.error();
    return soup->triangles.empty() ? Result<void>{} : TileKeyer(*settings, options, *soup).run(out);
}

}  // namespace fairlead::bake
