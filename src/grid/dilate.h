// Dilation: from the walls to the cells where a body cannot stand, 64 cells at a time.
//
// A cell is blocked for a body iff one of the cells that the body would cover is a wall: the walls are dilated
// by the mirrored body. Row by row the body is an interval, so 64 cells cost log2(width) shifts per row.
#pragma once

#include <span>

#include "grid/state.h"

namespace fairlead::grid {

/// OR of the 64-bit windows that start at 0 .. count - 1 of a 128-bit string; 1 <= count <= 65.
[[nodiscard]] inline std::uint64_t or_windows(std::uint64_t low, std::uint64_t high, std::int32_t count) {
    std::int32_t done = 1;
    while (done < count) {
        const std::int32_t step = done < count - done ? done : count - done;
        const auto s = static_cast<std::uint32_t>(step);
        const std::uint64_t carried = s == 64 ? high : (low >> s) | ((high << 1) << (63U - s));
        low |= carried;
        high |= s == 64 ? 0 : high >> s;
        done += step;
    }
    return low;
}

/// Blocked-for-the-body bits of 64 places from `x` on: blocked(x, y) tells of 64 cells of a line.
template <class Blocked>
[[nodiscard]] std::uint64_t dilate(const Blocked& blocked, std::span<const BodyRow> body, std::int32_t line,
                                   std::int32_t x) {
    constexpr std::int32_t kWindows = 65;
    std::uint64_t bits = 0;
    for (const BodyRow& row : body) {
        for (std::int32_t low = row.low; low <= row.high; low += kWindows) {
            const std::int32_t left = row.high - low + 1;
            const std::int32_t count = left < kWindows ? left : kWindows;
            const std::uint64_t near = blocked(x + low, line + row.dy);
            const std::uint64_t far = count > 1 ? blocked(x + low + 64, line + row.dy) : 0;
            bits |= or_windows(near, far, count);
        }
        if (bits == ~0ULL) break;
    }
    return bits;
}

/// The same for the bits of `of` alone, from the body's middle row outward: where walls are thick the first row has them all.
template <class Blocked>
[[nodiscard]] std::uint64_t dilate_near(const Blocked& blocked, std::span<const BodyRow> body,
                                        std::int32_t line, std::int32_t x, std::uint64_t of) {
    std::uint64_t bits = 0;
    const std::size_t middle = body.size() / 2;
    for (std::size_t n = 0; n < body.size() && (bits & of) != of; ++n) {
        const std::size_t step = (n + 1) / 2;
        const std::size_t at = n % 2 == 0 ? middle + step : middle - step;
        bits |= dilate(blocked, body.subspan(at, 1), line, x);
    }
    return bits;
}

/// Blocked-for-the-body bits of cells 64 word .. 64 word + 63 of a line.
[[nodiscard]] std::uint64_t dilated_word(const WallReader& walls, std::span<const BodyRow> body,
                                         std::int32_t line, std::int32_t word);

}  // namespace fairlead::grid
