// Cells of a map as bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead::drive {

/// Free cells as bits: word 0 of row y at words[y x stride]; rows -1 and `height` and word -1 are there and blocked.
struct GroundBits {
    const std::uint64_t* words = nullptr;
    std::size_t stride = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;

    [[nodiscard]] FAIRLEAD_INLINE bool free(std::int32_t x, std::int32_t y) const {
        const auto* row = words + static_cast<std::ptrdiff_t>(y) * static_cast<std::ptrdiff_t>(stride);
        return ((row[x >> 6] >> (x & 63)) & 1U) != 0;
    }
    /// The eight neighbours, bit d: the one in direction d (ground_turns.h) is free.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t ring(std::int32_t x, std::int32_t y) const {
        const std::uint32_t below = three(x, y - 1);
        const std::uint32_t here = three(x, y);
        const std::uint32_t above = three(x, y + 1);
        return (here >> 2) | (above & 4U) >> 1 | (above & 2U) << 1 | (above & 1U) << 3 | (here & 1U) << 4 |
               (below & 1U) << 5 | (below & 2U) << 5 | (below & 4U) << 5;
    }

  private:
    // Cells x - 1, x, x + 1 as bits 0 to 2.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t three(std::int32_t x, std::int32_t y) const {
        const auto* row =
            words + static_cast<std::ptrdiff_t>(y) * static_cast<std::ptrdiff_t>(stride) + ((x - 1) >> 6);
        const auto shift = static_cast<std::uint32_t>(x - 1) & 63U;
        return static_cast<std::uint32_t>((row[0] >> shift) | ((row[1] << 1) << (63U - shift))) & 7U;
    }
};

}  // namespace fairlead::drive
