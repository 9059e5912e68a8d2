// What the scans of jump-point search over cells (jump_point.h) and over half tiles (half_jump.h) have in common.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

#include "grid/lines.h"

namespace fairlead::grid {

/// Directions on the map.
enum JumpWay : std::uint32_t { kEast = 0, kNorth = 1, kWest = 2, kSouth = 3 };

/// The search's tag: the straight directions that a path may go on in, one bit each: the one that it came in, and to
/// each side where a wall ended behind it.
inline constexpr std::uint32_t kAllWays = 0b1111;

template <std::uint32_t kWay>
inline constexpr bool kAlongRow = kWay == kEast || kWay == kWest;
template <std::uint32_t kWay>
inline constexpr bool kUpwards = kWay == kEast || kWay == kNorth;

/// Where a straight scan ends, and the sides on which a wall ended there: bit 0 the line above, bit 1 below.
struct JumpStop {
    std::int32_t at = 0;
    std::uint32_t sides = 0;
};
[[nodiscard]] FAIRLEAD_INLINE std::uint32_t jump_sides(std::uint64_t above, std::uint64_t below) {
    return static_cast<std::uint32_t>((above & 1U) | ((below & 1U) << 1));
}

[[nodiscard]] FAIRLEAD_INLINE bool line_bit(const std::uint64_t* line, std::int32_t at) {
    return ((line[at >> 6] >> (at & 63)) & 1U) != 0;
}
/// Are all places from low to high of the line free?
[[nodiscard]] inline bool line_is_clear(const std::uint64_t* line, std::int32_t low, std::int32_t high) {
    for (; low <= high; low += 64) {
        const std::int32_t count = high - low + 1;
        if ((~window(line, low) & bit_range(0, count < 64 ? count : 64)) != 0) return false;
    }
    return true;
}
/// Bit i: is the place free, and the next in the direction of the scan?
template <std::int32_t kDx>
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t with_next(std::uint64_t word) {
    return word & (kDx > 0 ? word >> 1 : word << 1);
}

}  // namespace fairlead::grid
