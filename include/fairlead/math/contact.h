// What touching means in numbers of finite precision: one slack for planners, worlds and verify.
//
// A body may overlap what it touches by up to the contact slack of its world,
//
//     contact_slack = 1e-9 x extent + 2^-44 x largest coordinate
//
// (extent: the larger side of the box around the world on the ground plane). The first term is what planners round; the second is
// 512 roundings of a coordinate, for worlds far from the origin. Planners keep within half of it; verify finds what is deeper. On a map
// of 1000 tiles at the origin it is 1e-6 tiles, at UTM coordinates (5e6) 2.8e-7 more, at 1e9 5.7e-5.
//
// Worlds in which it would be more than 1e-3 of a cell, or of the radius that a mesh was made for, are refused (out_of_range): there
// a coordinate does not tell any more on which side of a wall it is.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>

namespace fairlead {

[[nodiscard]] FAIRLEAD_INLINE constexpr double contact_slack(double extent, double largest_coordinate) {
    return 1e-9 * extent + 0x1p-44 * largest_coordinate;
}

/// Of a cell, or of a radius.
inline constexpr double kContactShareMax = 1e-3;

/// Is a slack small enough for bodies or cells of this size? False where one of the numbers is none.
[[nodiscard]] FAIRLEAD_INLINE constexpr bool contact_serves(double slack, double size) {
    return slack <= kContactShareMax * size;
}

/// World units: a place of a route on a level mesh is on the floors that are this near in height. Floors over each other must be further
/// apart.
inline constexpr double kHeightSlack = 0.05;

/// Of a map of tiles, in cells.
[[nodiscard]] FAIRLEAD_INLINE double tile_contact_slack(Vec2 origin, double cell_size, std::int32_t width,
                                                        std::int32_t height) {
    double largest = 0.0;
    const double numbers[] = {origin.x, origin.y, origin.x + width * cell_size,
                              origin.y + height * cell_size};
    for (const double v : numbers) {
        const double size = v < 0.0 ? -v : v;
        if (!(size <= largest)) largest = size;
    }
    return contact_slack(width > height ? width : height, largest / cell_size);
}

/// On tile worlds: coordinates and sizes in cells, counted from the map's low corner, up to which a slack (in cells) covers the rounding
/// of verify's arithmetic four times over. Blockers larger than this, or on an axis that wraps further out, are refused by
/// planners and verify alike. About 4000 times the larger side of the map.
[[nodiscard]] FAIRLEAD_INLINE constexpr double contact_reach(double slack) {
    constexpr double kCoveredMax =
        5e-7;  // cells; beyond it is rounding of the origin, not of what is counted from it
    return (slack < kCoveredMax ? slack : kCoveredMax) * 0x1p42;
}

}  // namespace fairlead
