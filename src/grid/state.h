// StateData: everything a revision of a grid consists of. Immutable once a snapshot holds it.
//
// All storage hangs on one table of chunk pointers, so that making a new revision under a held snapshot is a
// copy of that table; the chunks themselves are shared until an edit touches them (editor.h).
#pragma once

#include <atomic>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/grid/grid.h>

#include "grid/body.h"
#include "grid/lines.h"

namespace fairlead::grid {

inline constexpr std::int32_t kSideMax = 16384;
inline constexpr std::int32_t kLayersMax = 64;
inline constexpr std::int64_t kCellsMax = std::int64_t{1} << 31;
inline constexpr std::int32_t kBodiesMax = 16;
inline constexpr std::int32_t kTerrainCostMax = 1023;

// Planes of a body's lines. A cell of the free plane is one where the body may stand. The two reach planes
// answer "does a straight scan from here in this direction meet a jump point before a wall?" (reach.h).
inline constexpr std::int32_t kFreePlane = 0;
inline constexpr std::int32_t kReachUpPlane = 1;    ///< scanning toward larger positions
inline constexpr std::int32_t kReachDownPlane = 2;  ///< toward smaller ones
inline constexpr std::int32_t kBodyPlanes = 3;
// Two more of a size on the half lattice with gaps (half_body.h).
inline constexpr std::int32_t kBridgePlane = 3;  ///< ends of doors open in the middle alone that may lead on
inline constexpr std::int32_t kStopPlane = 4;    ///< points where the disc fits, next to such an end
inline constexpr std::int32_t kGapPlanes = 5;

inline constexpr std::int32_t kClearancePlanes = 4;  ///< a bit-sliced class 0..12, see clearance.h

struct PortalTables;

/// A registered size.
struct Body {
    BodyKey key = kPointBody;
    std::int32_t reach = 0;     ///< body_reach(key)
    std::uint32_t rows_at = 0;  ///< first chunk of its row bands in StateData::chunks
    std::uint32_t cols_at = 0;
    std::uint32_t leaves_at = 0;  ///< first chunk of its connectivity leaves (connectivity.h)
    std::uint32_t blocks_at = 0;  ///< first chunk of its connectivity blocks
    std::uint32_t clusters_at =
        0;                     ///< first chunk of its hierarchy, level after level (hierarchy/clusters.h)
    std::int64_t corners = 0;  ///< jump points of all four directions, the measure of density
    std::int64_t free_cells = 0;
    std::uint8_t cluster_levels = 0;  ///< of its hierarchy; 0: it has none
    bool half = false;                ///< over the points of the half lattice, not over cells (half_body.h)
    std::int32_t planes = kBodyPlanes;
    double square = 0.0;  ///< of a half one: R of its disc (half_lattice.h)
};

/// A chunk: 64-bit words with a header in front, whose last word is zero: it is word -1 of a band's first plane.
struct ChunkHeader {
    std::uint64_t birth = 0;  ///< stamp of the edit that made it
    std::uint64_t words = 0;  ///< payload
    std::uint64_t spare = 0;
    std::uint64_t wall = 0;
};

struct StateData {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t layers = 1;
    Vec2 origin{};
    double cell_size = 1.0;
    bool wrap_x = false;
    bool wrap_y = false;
    bool hierarchy = false;  ///< registered sizes have one where they can
    CornerRule corner = CornerRule::never;
    LineShape rows{};
    LineShape cols{};
    LineShape half_rows{};  ///< of the half lattice: a line and a point more than twice as many
    LineShape half_cols{};

    std::uint64_t revision = 0;
    std::uint64_t stamp = 0;       ///< counts edits as revision does, and those too that failed (editor.h)
    std::int64_t rough_cells = 0;  ///< free cells whose terrain is not 1
    std::uint16_t costs[256] = {};
    Body bodies[kBodiesMax] = {};
    std::int32_t body_count = 0;
    Body half_bodies[kBodiesMax] = {};  ///< of registered discs wider than a tile
    std::int32_t half_count = 0;
    std::uint32_t clearance_at = 0;
    std::uint32_t top_at =
        0;  ///< one chunk per body, then one per half body: components joined by portals and seams (connectivity.h)
    std::uint32_t tiles_at = 0;    ///< bands of bytes; a null chunk means that every free cell is terrain 1
    Array<std::uint64_t*> chunks;  ///< payloads

    const Portal* portals = nullptr;
    std::size_t portal_count = 0;
    const PortalTables* portal_tables = nullptr;

    mutable std::atomic<std::uint32_t> held{0};  ///< snapshots that hold this revision

    [[nodiscard]] std::int32_t bands_per_layer(const LineShape& shape) const { return shape.bands() + 2; }

    [[nodiscard]] Lines lines(std::uint32_t first, const LineShape& shape, std::int32_t planes,
                              std::int32_t layer) const {
        const auto at = first + static_cast<std::uint32_t>(layer * bands_per_layer(shape)) + 1U;
        return {chunks.data() + at, planes * shape.plane_stride(), shape.plane_stride()};
    }
    [[nodiscard]] MutableLines mutable_lines(std::uint32_t first, const LineShape& shape, std::int32_t planes,
                                             std::int32_t layer) {
        const auto at = first + static_cast<std::uint32_t>(layer * bands_per_layer(shape)) + 1U;
        return {chunks.data() + at, planes * shape.plane_stride(), shape.plane_stride()};
    }
    [[nodiscard]] Lines row_lines(const Body& body, std::int32_t layer) const {
        return lines(body.rows_at, rows, kBodyPlanes, layer);
    }
    [[nodiscard]] Lines col_lines(const Body& body, std::int32_t layer) const {
        return lines(body.cols_at, cols, kBodyPlanes, layer);
    }
    [[nodiscard]] Lines half_row_lines(const Body& body, std::int32_t layer) const {
        return lines(body.rows_at, half_rows, body.planes, layer);
    }
    [[nodiscard]] Lines half_col_lines(const Body& body, std::int32_t layer) const {
        return lines(body.cols_at, half_cols, body.planes, layer);
    }
    [[nodiscard]] Lines clearance_lines(std::int32_t layer) const {
        return lines(clearance_at, rows, kClearancePlanes, layer);
    }
    /// Terrain bytes of row y, or null where the whole band is terrain 1.
    [[nodiscard]] const std::uint8_t* tile_row(std::int32_t y, std::int32_t layer) const {
        const auto at =
            tiles_at + static_cast<std::uint32_t>(layer * bands_per_layer(rows) + 1 + (y >> kBandShift));
        const std::uint64_t* chunk = chunks[at];
        if (chunk == nullptr) return nullptr;
        return reinterpret_cast<const std::uint8_t*>(chunk) +
               static_cast<std::size_t>(y & (kBandLines - 1)) * static_cast<std::size_t>(width);
    }

    /// The chunk of a body's components joined by portals and seams.
    [[nodiscard]] std::uint32_t top_of(const Body& body) const {
        const auto at = body.half ? kBodiesMax + (&body - half_bodies) : &body - bodies;
        return top_at + static_cast<std::uint32_t>(at);
    }
    /// The registered body with this key, or null.
    [[nodiscard]] const Body* find_body(BodyKey key) const {
        for (std::int32_t i = 0; i < body_count; ++i) {
            if (bodies[i].key == key) return &bodies[i];
        }
        return nullptr;
    }
    /// The points of a disc on the half lattice, or null. `square` as HalfDisc has it.
    [[nodiscard]] const Body* find_half(double square) const {
        for (std::int32_t i = 0; i < half_count; ++i) {
            if (half_bodies[i].square == square) return &half_bodies[i];
        }
        return nullptr;
    }
    [[nodiscard]] bool inside(std::int32_t x, std::int32_t y) const {
        return static_cast<std::uint32_t>(x) < static_cast<std::uint32_t>(width) &&
               static_cast<std::uint32_t>(y) < static_cast<std::uint32_t>(height);
    }
};

/// A rectangle of lines x positions, half open: the same type serves both orientations.
struct LineRect {
    std::int32_t line_low = 0;
    std::int32_t line_high = 0;
    std::int32_t low = 0;  ///< position on the line
    std::int32_t high = 0;

    [[nodiscard]] bool empty() const { return line_low >= line_high || low >= high; }
    [[nodiscard]] LineRect transposed() const { return {low, high, line_low, line_high}; }
    [[nodiscard]] LineRect grown(std::int32_t by) const {
        return {line_low - by, line_high + by, low - by, high + by};
    }
    [[nodiscard]] LineRect clipped(const LineShape& shape) const {
        return {line_low > 0 ? line_low : 0, line_high < shape.lines ? line_high : shape.lines,
                low > 0 ? low : 0, high < shape.length ? high : shape.length};
    }
};

/// Read access to wall bits with wrap and with everything outside the map blocked: for the builders, which need
/// neighbours across the seam and past the edge. Not for the hot kernels.
struct WallReader {
    Lines lines;
    LineShape shape;
    bool wrap_line = false;    ///< do lines wrap (for rows: the y axis)?
    bool wrap_length = false;  ///< do positions on a line wrap?

    /// Blocked bits of cells x .. x + 63 on line y; x and y may be anything.
    [[nodiscard]] std::uint64_t blocked(std::int32_t x, std::int32_t y) const;
};

}  // namespace fairlead::grid
