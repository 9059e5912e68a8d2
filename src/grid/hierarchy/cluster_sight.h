// Sight between the middles of two cells of a cluster, a row of 64 cells at a time. Stricter than sight.h: every cell that the line
// touches must be free, at a corner of cells all four.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead::grid {

/// Bits low .. high, both from 0 to 63.
[[nodiscard]] FAIRLEAD_INLINE constexpr std::uint64_t bits_between(std::int32_t low, std::int32_t high) {
    return ((std::uint64_t{2} << (high - low)) - 1) << low;
}

/// `rows`: the cluster's free cells, a word a row. The line leaves row k (counted from the lower end) at
/// (dx (2k + 1) + dy) / 2dy cells from its start; without a remainder it does so in a corner of cells.
[[nodiscard]] inline bool cluster_sees(const std::uint64_t* rows, std::int32_t x0, std::int32_t y0,
                                       std::int32_t x1, std::int32_t y1) {
    if (y0 > y1) {
        const std::int32_t x = x0, y = y0;
        x0 = x1, y0 = y1;
        x1 = x, y1 = y;
    }
    const bool left = x1 < x0;
    const std::int32_t dx = left ? x0 - x1 : x1 - x0;
    const std::int32_t dy = y1 - y0;
    const auto blocked = [&](std::int32_t y, std::int32_t from, std::int32_t to) {
        const std::uint64_t line = left ? bits_between(x0 - to, x0 - from) : bits_between(x0 + from, x0 + to);
        return (rows[y] & line) != line;
    };
    if (dy == 0) return !blocked(y0, 0, dx);
    const std::int32_t whole = 2 * dy;
    std::int32_t end = (dx + dy) / whole;
    std::int32_t rest = dx + dy - end * whole;
    const std::int32_t step = dx / dy;
    const std::int32_t step_rest = 2 * (dx - step * dy);
    std::int32_t begin = 0;
    for (std::int32_t y = y0; y < y1; ++y) {
        if (blocked(y, begin, end)) return false;
        begin = rest == 0 ? end - 1 : end;
        end += step;
        rest += step_rest;
        if (rest >= whole) {
            rest -= whole;
            ++end;
        }
    }
    return !blocked(y1, begin, dx);
}

}  // namespace fairlead::grid
