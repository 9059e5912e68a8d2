// Poses of the lattice and numbers for them.
#pragma once

#include <bit>
#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/route/route.h>

namespace fairlead::drive {

struct LatticePose {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t heading = 0;
    Gear gear = Gear::forward;

    friend bool operator==(const LatticePose&, const LatticePose&) = default;
};

/// Numbers for lattice poses; of units without a reverse gear half as many.
struct LatticeCode {
    std::uint32_t pose_bits = 5;
    std::uint32_t column_bits = 0;
    std::uint32_t gear_bits = 1;

    [[nodiscard]] static LatticeCode of(std::int32_t width, std::int32_t headings, bool two_gears = true) {
        LatticeCode code;
        code.gear_bits = two_gears ? 1 : 0;
        code.pose_bits =
            static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(headings) - 1)) +
            code.gear_bits;
        code.column_bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(width) - 1));
        return code;
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t state(std::int32_t x, std::int32_t y, std::int32_t heading,
                                                      Gear gear) const {
        return (static_cast<std::uint32_t>(y) << (column_bits + pose_bits)) |
               (static_cast<std::uint32_t>(x) << pose_bits) |
               (static_cast<std::uint32_t>(heading) << gear_bits) | (gear == Gear::reverse ? 1U : 0U);
    }
    [[nodiscard]] FAIRLEAD_INLINE LatticePose pose(std::uint32_t state) const {
        return {static_cast<std::int32_t>((state >> pose_bits) & ((1U << column_bits) - 1U)),
                static_cast<std::int32_t>(state >> (column_bits + pose_bits)),
                static_cast<std::int32_t>((state & ((1U << pose_bits) - 1U)) >> gear_bits),
                (state & gear_bits) != 0 ? Gear::reverse : Gear::forward};
    }
    [[nodiscard]] std::uint64_t count(std::int32_t height) const {
        return static_cast<std::uint64_t>(height) << (column_bits + pose_bits);
    }
};

}  // namespace fairlead::drive
