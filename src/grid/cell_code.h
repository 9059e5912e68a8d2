// CellCode: cells as 32-bit search states and back without a division.
#pragma once

#include <bit>
#include <cstdint>

#include "grid/state.h"

namespace fairlead::grid {

/// state = (layer x height + y) << x_bits | x. Below 2^32 for every map, since width x height x layers <= 2^31.
struct CellCode {
    std::int32_t x_bits = 0;
    std::int32_t height = 0;

    [[nodiscard]] static CellCode of(const StateData& data) {
        const auto last = static_cast<std::uint32_t>(data.width - 1);
        return {static_cast<std::int32_t>(std::bit_width(last)), data.height};
    }
    [[nodiscard]] std::uint64_t count(std::int32_t layers) const {
        return static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(layers) << x_bits;
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t state(std::int32_t x, std::int32_t y,
                                                      std::int32_t layer) const {
        return (static_cast<std::uint32_t>(layer * height + y) << x_bits) | static_cast<std::uint32_t>(x);
    }
    [[nodiscard]] FAIRLEAD_INLINE std::int32_t x(std::uint32_t s) const {
        return static_cast<std::int32_t>(s & ((1U << x_bits) - 1U));
    }
    /// layer x height + y.
    [[nodiscard]] FAIRLEAD_INLINE std::int32_t row(std::uint32_t s) const {
        return static_cast<std::int32_t>(s >> x_bits);
    }
    [[nodiscard]] Cell cell(std::uint32_t s) const {
        const std::int32_t r = row(s);
        return {x(s), r % height, r / height};
    }
};

}  // namespace fairlead::grid
