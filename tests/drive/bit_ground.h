// Free cells as the ground distance reads them.
#pragma once

#include <cstdint>
#include <vector>

#include "drive/ground/ground_distance.h"

namespace fairlead::testing {

using drive::GroundBits;

// A map with the border that GroundBits asks for.
struct BitGround {
    std::int32_t width;
    std::int32_t height;
    std::size_t stride;
    std::vector<std::uint64_t> words;

    BitGround(std::int32_t w, std::int32_t h)
        : width(w),
          height(h),
          stride(static_cast<std::size_t>((w + 63) / 64) + 2),
          words(stride * (static_cast<std::size_t>(h) + 2)) {}
    void free(std::int32_t x, std::int32_t y) {
        words[static_cast<std::size_t>(y + 1) * stride + 1 + static_cast<std::size_t>(x >> 6)] |=
            std::uint64_t{1} << (x & 63);
    }
    [[nodiscard]] GroundBits bits() const { return {words.data() + stride + 1, stride, width, height}; }
};

}  // namespace fairlead::testing
