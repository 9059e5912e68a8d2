// Directions of travel as roads see them: facing 2 d is the direction d x 45 degrees, facing 2 d + 1 what lies between that
// and the next one.
#pragma once

#include <array>
#include <cstdint>

namespace fairlead::drive {

inline constexpr std::int32_t kFacings = 16;
inline constexpr std::uint16_t kAllFacings = 0xffff;

/// Bit f: facing f makes no more than 90 degrees with one of the directions of a cell's mask (bit d: d x 45 degrees).
[[nodiscard]] constexpr std::uint16_t facings_with(std::uint32_t directions) {
    std::uint32_t out = 0;
    for (std::int32_t d = 0; d < 8; ++d) {
        if (((directions >> d) & 1U) == 0) continue;
        for (std::int32_t f = -4; f <= 4; ++f) out |= 1U << ((2 * d + f + kFacings) % kFacings);
    }
    return static_cast<std::uint16_t>(out);
}

struct FacingsTable {
    std::array<std::uint16_t, 256> of{};
    constexpr FacingsTable() {
        for (std::uint32_t i = 0; i < 256; ++i) of[i] = facings_with(i);
    }
};
inline constexpr FacingsTable kFacingsTable{};

}  // namespace fairlead::drive
