#include "mesh_bake/tile_key.h"

#include <algorithm>

#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "mesh_bake/cells.h"

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
        constexpr std::int64_t kTilesMax = std::int64_t{1} << 24;
        first_ = tile_of(soup_.low);
        const Tile last = tile_of(soup_.high);
        tiles_x_ = last.x - first_.x + 1;
        tiles_y_ = last.y - first_.y + 1;
        if (std::int64_t{tiles_x_} * tiles_y_ > kTilesMax) return Error{ErrorCode::size_limit, 1, kTilesMax};
        const std::size_t tiles = static_cast<std::size_t>(tiles_x_) * static_cast<std::size_t>(tiles_y_);
        if (!sums_.resize(tiles) || !touched_.resize(tiles)) return kNoMemory;
        for (std::size_t i = 0; i < soup_.triangles.size(); ++i) add(soup_.triangle(i));
        for (std::size_t i = 0; i < tiles; ++i) {
            if (touched_[i] == 0) continue;
            TileKey tile{.x = first_.x + static_cast<std::int32_t>(i % static_cast<std::size_t>(tiles_x_)),
                         .y = first_.y + static_cast<std::int32_t>(i / static_cast<std::size_t>(tiles_x_))};
            tile.key = key_of(settings_, options_, tile.x, tile.y, sums_[i]);
            if (!out.push_back(tile)) return kNoMemory;
        }
        return {};
    }

  private:
    struct Tile {
        std::int32_t x = 0;
        std::int32_t y = 0;
    };
    [[nodiscard]] Tile tile_of(const double (&at)[3]) const {
        return {floor_divide(cell_of(at[0]), settings_.tile), floor_divide(cell_of(at[1]), settings_.tile)};
    }

    // To the sum of every tile that depends on it.
    void add(const GridTriangle& t) {
        const double low[3] = {std::min({t.x[0], t.x[1], t.x[2]}), std::min({t.y[0], t.y[1], t.y[2]}), 0.0};
        const double high[3] = {std::max({t.x[0], t.x[1], t.x[2]}), std::max({t.y[0], t.y[1], t.y[2]}), 0.0};
        const Tile from = tile_of(low), to = tile_of(high);
        const std::int32_t around = (settings_.halo + 1) / settings_.tile + 1;
        const std::uint64_t key = triangle_key(t);
        for (std::int32_t y = std::max(from.y - around, first_.y);
             y <= std::min(to.y + around, first_.y + tiles_y_ - 1); ++y) {
            for (std::int32_t x = std::max(from.x - around, first_.x);
                 x <= std::min(to.x + around, first_.x + tiles_x_ - 1); ++x) {
                const std::size_t at =
                    static_cast<std::size_t>(y - first_.y) * static_cast<std::size_t>(tiles_x_) +
                    static_cast<std::size_t>(x - first_.x);
                if (touches(t, padded_cells_of(settings_, x, y))) sums_[at] += key;
                if (x >= from.x && x <= to.x && y >= from.y && y <= to.y) touched_[at] = 1;
            }
        }
    }

    const Settings& settings_;
    const BakeOptions& options_;
    const GridSoup& soup_;
    Array<std::uint64_t> sums_;    ///< by tile, row after row: of the triangles' digests
    Array<std::uint8_t> touched_;  ///< has it triangles of its own?
    Tile first_{};
    std::int32_t tiles_x_ = 0;
    std::int32_t tiles_y_ = 0;
};

}  // namespace

Result<GridSoup> grid_soup(const TriangleSoup& soup, const BakeOptions& options, const Settings& settings,
                           Array<raster::CellRows>* rows) {
    return raster::prepare_soup_rows(soup, settings.frame, {options.slope_max_rad, options.refuse_bad, false},
                                     options.allocator, rows);
}

Result<LoneTile> lone_tile(const BakeOptions& options, std::int32_t x, std::int32_t y) {
    if (options.tile_cells == 0 || !options.give_origin) return Error{ErrorCode::incompatible, 9, 0};
    const Result<Settings> settings = make_settings(options, options.origin);
    if (!settings) return settings.error();
    constexpr std::int64_t kFarthest = std::int64_t{1} << 25;  // kGridMax and a tile more
    const std::int64_t size = settings->tile;
    for (const std::int64_t at :
         {x * size, y * size, (std::int64_t{x} + 1) * size, (std::int64_t{y} + 1) * size}) {
        if (at < -kFarthest || at > kFarthest) return Error{ErrorCode::size_limit, 0, kFarthest};
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
    if (options.tile_cells == 0) return Error{ErrorCode::incompatible, 9, 0};
    const Result<Settings> settings =
        make_settings(options, options.give_origin ? options.origin : soup_low_corner(triangles));
    if (!settings) return settings.error();
    const Result<GridSoup> soup = grid_soup(triangles, options, *settings);
    if (!soup) return soup.error();
    return soup->triangles.empty() ? Result<void>{} : TileKeyer(*settings, options, *soup).run(out);
}

}  // namespace fairlead::bake
