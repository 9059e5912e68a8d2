// Costs of searches: unsigned 64-bit fixed point, so that sums are exact, order never depends on rounding and
// every compiler agrees.
//
// One cell straight is `straight`, one diagonal is `diagonal` = round(sqrt(2) x straight). With 34 fraction bits
// the order of two octile lengths is exact as long as their numbers of diagonals differ by less than 110,000;
// beyond that, lengths are exact to 1e-10 relative. CostScale::fit picks the largest scale at which no path can
// overflow, so the searches add without checks.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead {

using Cost = std::uint64_t;

inline constexpr Cost kCostMax = UINT64_MAX;

struct CostScale {
    std::int32_t bits = 34;  ///< 2^bits is one cell, straight, at terrain cost 1
    Cost straight = Cost{1} << 34;
    Cost diagonal = 24296004000;  ///< sqrt 2 x 2^34 = 24296003999.808...

    /// The finest scale, at most 34 bits, at which `units` diagonal steps of cost 1 stay below 2^64.
    [[nodiscard]] static constexpr CostScale fit(std::uint64_t units) {
        CostScale scale;
        while (scale.bits > 2 && units > UINT64_MAX / scale.diagonal) {
            --scale.bits;
            scale.straight >>= 1;
            scale.diagonal = (Cost{24296004000} + (Cost{1} << (33 - scale.bits))) >> (34 - scale.bits);
        }
        return scale;
    }

    /// Length of the shortest path of straight and diagonal steps over (dx, dy).
    [[nodiscard]] FAIRLEAD_INLINE Cost octile(std::int32_t dx, std::int32_t dy) const {
        const auto a = static_cast<Cost>(dx < 0 ? -dx : dx);
        const auto b = static_cast<Cost>(dy < 0 ? -dy : dy);
        const Cost low = a < b ? a : b;
        const Cost high = a < b ? b : a;
        return (high - low) * straight + low * diagonal;
    }

    [[nodiscard]] double to_cells(Cost cost) const {
        return static_cast<double>(cost) / static_cast<double>(straight);
    }
};

}  // namespace fairlead
