// The neighbours of a tile by number: 4, 8, 24 or 48 of them (techniques F10 and S6).
//
//     for (std::int32_t i = 0; i < offset_count(2); ++i) look_at(x + kTileOffsets[i].dx, y + kTileOffsets[i].dy);
//
// Numbers 0 to 7 are the ring of tiles one away, 8 to 23 the ring two away, 24 to 47 the ring three away; so that a table of 48 holds
// those of 24 and of 8 as its beginning. Each ring begins at +x and runs counter-clockwise (from +x towards +y). Of the first ring the
// even numbers are the four straight neighbours. offset_index is the way back, a table of 7 x 7.
// Cost: a load each; the tables are made at compile time. Source: Pinter 2001, the directional table of Directional A*.
#pragma once

#include <cstdint>

namespace fairlead {

struct TileOffset {
    std::int8_t dx = 0;
    std::int8_t dy = 0;

    friend constexpr bool operator==(const TileOffset&, const TileOffset&) = default;
};

inline constexpr std::int32_t kTileOffsetCount = 48;
inline constexpr std::int32_t kTileRings = 3;
inline constexpr std::int32_t kNoOffset = -1;

/// Of the first rings, 0 to 3: 0, 8, 24, 48.
[[nodiscard]] constexpr std::int32_t offset_count(std::int32_t rings) { return 4 * rings * (rings + 1); }

namespace classic {

struct OffsetTables {
    TileOffset offsets[kTileOffsetCount] = {};
    std::int8_t index[7][7] = {};  ///< [dy + 3][dx + 3]
};

constexpr OffsetTables make_offset_tables() {
    OffsetTables tables;
    std::int32_t at = 0;
    tables.index[3][3] = kNoOffset;
    for (std::int32_t ring = 1; ring <= kTileRings; ++ring) {
        std::int32_t x = ring;
        std::int32_t y = 0;
        for (std::int32_t i = 0; i < 8 * ring; ++i) {
            tables.offsets[at] = {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y)};
            tables.index[y + 3][x + 3] = static_cast<std::int8_t>(at);
            ++at;
            // Up the right side, left along the top, down the left side, right along the bottom.
            if (x == ring && y < ring) {
                ++y;
            } else if (y == ring && x > -ring) {
                --x;
            } else if (x == -ring && y > -ring) {
                --y;
            } else if (x < ring) {
                ++x;
            } else {
                ++y;
            }
        }
    }
    return tables;
}

inline constexpr OffsetTables kOffsetTables = make_offset_tables();

}  // namespace classic

/// By number.
inline constexpr const TileOffset (&kTileOffsets)[kTileOffsetCount] = classic::kOffsetTables.offsets;

/// The number of (dx, dy); kNoOffset for (0, 0) and for what is more than three tiles away.
[[nodiscard]] constexpr std::int32_t offset_index(std::int32_t dx, std::int32_t dy) {
    const bool near_by = dx >= -3 && dx <= 3 && dy >= -3 && dy <= 3;
    return near_by ? classic::kOffsetTables.index[dy + 3][dx + 3] : kNoOffset;
}

}  // namespace fairlead
