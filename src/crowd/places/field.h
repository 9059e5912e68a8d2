// PlaceField: for every corner of the raster's cells the distance to the walls, whether a unit can stand there, and whether a pair or four
// can pass.
#pragma once

#include <cstdint>

#include <fairlead/crowd/narrow_places.h>

#include "crowd/places/distance.h"

namespace fairlead::crowd {

/// Points low <= (x, y) < high of the lattice.
struct PointRect {
    std::int32_t x0 = 0;
    std::int32_t y0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y1 = 0;
    [[nodiscard]] std::int32_t width() const { return x1 - x0; }
    [[nodiscard]] std::int32_t height() const { return y1 - y0; }
};

enum PointFlag : std::uint8_t {
    kStands = 1,      ///< a centre may be here
    kPairPasses = 2,  ///< and two units can pass
    kFourPass = 4,    ///< or four
};

/// Thresholds in steps of the lattice, squared and rounded to what whole numbers can tell.
struct PlaceLimits {
    std::int32_t stand = 0;      ///< D^2 at least
    std::int32_t seed[2] = {};   ///< D^2 at least: the disc fits
    std::int32_t reach[2] = {};  ///< squared, at most: from its middle
    std::int32_t cap = 0;        ///< of distances to walls
    std::int32_t reach_cap[2] = {};

    [[nodiscard]] static PlaceLimits of(double radius_in_cells, double margin);
};

struct PlaceField {
    explicit PlaceField(const Allocator& allocator)
        : solid(allocator),
          distance(allocator),
          flags(allocator),
          marked(allocator),
          cells(allocator),
          rows(allocator) {}

    /// Reads the walls and makes everything. False: no memory.
    [[nodiscard]] bool make(std::int32_t cells_x, std::int32_t cells_y, const PlaceLimits& with,
                            const WallRows& walls);
    /// After a change of these cells.
    [[nodiscard]] bool change(const RasterRect& changed, const WallRows& walls);

    [[nodiscard]] std::size_t index(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    [[nodiscard]] PointRect all() const { return {0, 0, width, height}; }
    [[nodiscard]] std::size_t memory() const {
        return solid.bytes() + distance.bytes() + flags.bytes() + marked.bytes() + cells.bytes() +
               rows.memory();
    }

    std::int32_t width = 0;  ///< points: one more than cells
    std::int32_t height = 0;
    PlaceLimits limits{};
    Array<std::uint8_t> solid;      ///< a corner of a wall's cell, or the raster's edge
    Array<std::uint16_t> distance;  ///< squared, at most cap^2
    Array<std::uint8_t> flags;
    Array<std::uint8_t> marked;  ///< work
    Array<std::uint8_t> cells;   ///< work: two rows of cells
    DistanceRows rows;

  private:
    [[nodiscard]] bool read(const PointRect& at, const WallRows& walls);
    [[nodiscard]] bool measure(const PointRect& at);
    [[nodiscard]] bool open(const PointRect& at, int level);
    [[nodiscard]] PointRect grown(const PointRect& rect, std::int32_t by) const;
};

}  // namespace fairlead::crowd
