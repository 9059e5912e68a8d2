// Bit lines: how the tile world stores one bit per cell so that a scan reads 64 cells at once.
//
// A *line* is a row (or, in the second copy of the world, a column) of one layer. A line holds one or more
// *planes* of bits one behind the other, each of `words` 64-bit words and a guard word of zeros; bit i of word
// w is cell 64 w + i. Zero means blocked in every plane, so the guard words, the lines above and below the map
// and the bits past the end of a line all read as wall, and no scan needs a bounds check.
//
// Lines live in *bands* of 16. A band is the unit of copy-on-write: an edit replaces only the bands that it
// touches and that a snapshot still holds. Within a band lines follow each other at a fixed stride, so stepping
// to the next line is an addition except at every 16th.
#pragma once

#include <bit>
#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead::grid {

/// The place of a column or row, any number of laps outside, on a side that wraps.
[[nodiscard]] constexpr std::int32_t wrapped(std::int32_t value, std::int32_t size) {
    const std::int32_t rest = value % size;
    return rest < 0 ? rest + size : rest;
}

inline constexpr std::int32_t kBandShift = 4;
inline constexpr std::int32_t kBandLines = 1 << kBandShift;

/// Sizes of one orientation.
struct LineShape {
    std::int32_t lines = 0;   ///< number of lines (the map's height for rows)
    std::int32_t length = 0;  ///< cells on a line (the map's width for rows)
    std::int32_t words = 0;   ///< words that hold cells, guard not counted

    [[nodiscard]] static LineShape of(std::int32_t lines, std::int32_t length) {
        return {lines, length, (length + 63) / 64};
    }
    [[nodiscard]] std::int32_t bands() const { return (lines + kBandLines - 1) >> kBandShift; }
    [[nodiscard]] std::int32_t plane_stride() const { return words + 1; }
};

/// A view of the lines of one layer. `line(y)` is valid for -16 <= y < lines + 16; outside the map it reads as
/// wall. Word -1 and word `words` of each plane are zero.
struct Lines {
    const std::uint64_t* const* bands = nullptr;  ///< bands[-1] and bands[last + 1] are the guard band
    std::int32_t line_stride = 0;                 ///< words from one line to the next within a band
    std::int32_t plane_stride = 0;

    [[nodiscard]] FAIRLEAD_INLINE const std::uint64_t* line(std::int32_t y) const {
        return bands[y >> kBandShift] +
               static_cast<std::uint32_t>(y & (kBandLines - 1)) * static_cast<std::uint32_t>(line_stride);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool get(std::int32_t x, std::int32_t y) const {
        return ((line(y)[x >> 6] >> (x & 63)) & 1U) != 0;
    }
};

/// The same for an editor that owns the bands it writes.
struct MutableLines {
    std::uint64_t* const* bands = nullptr;
    std::int32_t line_stride = 0;
    std::int32_t plane_stride = 0;

    [[nodiscard]] std::uint64_t* line(std::int32_t y) const {
        return bands[y >> kBandShift] +
               static_cast<std::uint32_t>(y & (kBandLines - 1)) * static_cast<std::uint32_t>(line_stride);
    }
    operator Lines() const { return {bands, line_stride, plane_stride}; }
};

/// 64 bits of a line from cell x on: bit 0 is cell x. -64 <= x < 64 (words + 1) - 63.
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t window(const std::uint64_t* line, std::int32_t x) {
    const std::int32_t word = x >> 6;
    const std::uint32_t shift = static_cast<std::uint32_t>(x) & 63U;
    return (line[word] >> shift) | ((line[word + 1] << 1) << (63U - shift));
}

/// 64 bits of a line up to cell x: bit 63 is cell x.
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t window_back(const std::uint64_t* line, std::int32_t x) {
    return window(line, x - 63);
}

/// Bits low to high - 1, both within a word: 0 <= low <= high <= 64.
[[nodiscard]] inline std::uint64_t bit_range(std::int32_t low, std::int32_t high) {
    const std::uint64_t upto_high = high >= 64 ? ~0ULL : (1ULL << high) - 1;
    const std::uint64_t upto_low = low >= 64 ? ~0ULL : (1ULL << low) - 1;
    return upto_high & ~upto_low;
}

/// Spreads `seed` toward bit 0 through connected ones of `through` (seed is a subset of it). Kogge-Stone fill.
[[nodiscard]] inline std::uint64_t fill_down(std::uint64_t through, std::uint64_t seed) {
    seed |= through & (seed >> 1);
    through &= through >> 1;
    seed |= through & (seed >> 2);
    through &= through >> 2;
    seed |= through & (seed >> 4);
    through &= through >> 4;
    seed |= through & (seed >> 8);
    through &= through >> 8;
    seed |= through & (seed >> 16);
    through &= through >> 16;
    return seed | (through & (seed >> 32));
}

/// The same toward bit 63.
[[nodiscard]] inline std::uint64_t fill_up(std::uint64_t through, std::uint64_t seed) {
    seed |= through & (seed << 1);
    through &= through << 1;
    seed |= through & (seed << 2);
    through &= through << 2;
    seed |= through & (seed << 4);
    through &= through << 4;
    seed |= through & (seed << 8);
    through &= through << 8;
    seed |= through & (seed << 16);
    through &= through << 16;
    return seed | (through & (seed << 32));
}

}  // namespace fairlead::grid
