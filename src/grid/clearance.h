// Clearance: the exact distance from a cell's centre to the nearest wall, up to a cap of 4 cells, as a class.
//
// Four times the squared distance from the centre of a cell to a wall square is a sum of two squares from
// {0, 1, 9, 25, 49, ...} (body.h), so below the cap of 4 cells only eleven values exist. A cell stores which:
// class 0 is a wall, class c in 1..11 is the distance sqrt(kClearanceSums[c - 1]) / 2, class 12 is the next sum, 74,
// or more: at least 4.30 cells. The classes are kept bit-sliced in four planes, so that "which of these 64
// cells have room for radius r" is a handful of word operations.
//
// The dilation by growing rings is a direct form of the exact Euclidean distance transform; for a cap this small
// it beats the two-pass methods (Felzenszwalb & Huttenlocher 2012), and an edit only touches the cells within
// reach of the edited rectangle.
#pragma once

#include "grid/state.h"

namespace fairlead::grid {

inline constexpr std::int64_t kClearanceSums[] = {1, 2, 9, 10, 18, 25, 26, 34, 49, 50, 58};
inline constexpr std::int32_t kClearanceClasses = 13;    ///< 0 wall, 1..11, 12 = beyond the cap
inline constexpr std::int32_t kClearanceReach = 4;       ///< cells within which a wall counts
inline constexpr std::int64_t kClearanceBeyondSum = 74;  ///< the smallest sum of class 12

/// Smallest class in which a disc with this key (body.h) may stand; 0 if the key is beyond the cap.
[[nodiscard]] std::int32_t clearance_class_for(BodyKey key);

/// Class of one cell.
[[nodiscard]] inline std::int32_t clearance_class(const Lines& planes, std::int32_t x, std::int32_t y) {
    const std::uint64_t* line = planes.line(y) + (x >> 6);
    const std::uint32_t bit = static_cast<std::uint32_t>(x) & 63U;
    std::int32_t value = 0;
    for (std::int32_t p = 0; p < kClearancePlanes; ++p) {
        value |= static_cast<std::int32_t>((line[p * planes.plane_stride] >> bit) & 1U) << p;
    }
    return value;
}

/// The four plane words of cells 64 word .. 64 word + 63 of a line.
void clearance_word(const WallReader& walls, std::int32_t line, std::int32_t word,
                    std::uint64_t planes[kClearancePlanes]);

/// Four times the squared distance, in cells, from the centre of (x, y) to the nearest wall, if that is less
/// than `limit_sum`; else limit_sum. Scans rows outward from the cell, 64 cells at a time.
[[nodiscard]] std::int64_t clearance_sum_on_demand(const WallReader& walls, std::int32_t x, std::int32_t y,
                                                   std::int64_t limit_sum);

}  // namespace fairlead::grid
