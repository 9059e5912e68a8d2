// Turning lines: what changed in a plane of rows is copied into the same plane of columns, 8 x 8 bits at a time.
#pragma once

#include <cstdint>

#include "grid/state.h"

namespace fairlead::grid {

/// A square of 8 x 8 bits, bit 8 y + x, with x and y exchanged (Warren, Hacker's Delight).
[[nodiscard]] inline std::uint64_t turned_square(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000cccc0000ccccULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0ULL;
    return x ^ t ^ (t << 28);
}

/// Copies `plane` of `from` inside `rect` to `to`, whose lines are the positions of `from`. Squares that the rectangle cuts
/// are copied whole: the two must agree outside it. The caller owns the bands of the lines of `to` that the rectangle
/// names.
inline void turn_lines(const Lines& from, const MutableLines& to, const LineShape& to_shape,
                       std::int32_t plane, const LineRect& rect) {
    constexpr std::int32_t kSide = 8;
    static_assert(kBandLines % kSide == 0);
    for (std::int32_t y = rect.line_low & -kSide; y < rect.line_high; y += kSide) {
        for (std::int32_t x = rect.low & -kSide; x < rect.high; x += kSide) {
            const std::uint64_t* line = from.line(y) + plane * from.plane_stride + (x >> 6);
            std::uint64_t square = 0;
            for (std::int32_t n = 0; n < kSide; ++n, line += from.line_stride)
                square |= ((*line >> (x & 63)) & 0xff) << (kSide * n);
            square = turned_square(square);
            const std::int32_t lines = to_shape.lines - x < kSide ? to_shape.lines - x : kSide;
            std::uint64_t* out = to.line(x) + plane * to.plane_stride + (y >> 6);
            for (std::int32_t n = 0; n < lines; ++n, out += to.line_stride) {
                *out = (*out & ~(0xffULL << (y & 63))) | (((square >> (kSide * n)) & 0xff) << (y & 63));
            }
        }
    }
}

}  // namespace fairlead::grid
