// 128 points of a line of the half lattice in a row, from any even one on: 64 whole coordinates and the 64 halves after
// them, which is what 64 cells of walls tell of.
#pragma once

#include <algorithm>

#include "grid/lines.h"

namespace fairlead::grid {

struct HalfWords {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    [[nodiscard]] bool any() const { return (low | high) != 0; }
    friend HalfWords operator&(HalfWords a, HalfWords b) { return {a.low & b.low, a.high & b.high}; }
    friend HalfWords operator|(HalfWords a, HalfWords b) { return {a.low | b.low, a.high | b.high}; }
    friend HalfWords operator^(HalfWords a, HalfWords b) { return {a.low ^ b.low, a.high ^ b.high}; }
    friend HalfWords operator~(HalfWords a) { return {~a.low, ~a.high}; }
    /// Each bit one point later on the line; `before`: the 64 points before them.
    [[nodiscard]] HalfWords later(std::uint64_t before = 0) const {
        return {(low << 1) | (before >> 63), (high << 1) | (low >> 63)};
    }
    /// One point sooner; `after`: the 64 points after them.
    [[nodiscard]] HalfWords sooner(std::uint64_t after) const {
        return {(low >> 1) | (high << 63), (high >> 1) | (after << 63)};
    }

    /// Points low .. high - 1 of the line, of those from `at` on.
    [[nodiscard]] static HalfWords range(std::int32_t at, std::int32_t low, std::int32_t high) {
        const auto part = [&](std::int32_t from) {
            return bit_range(std::clamp(low - from, 0, 64), std::clamp(high - from, 0, 64));
        };
        return {part(at), part(at + 64)};
    }
    /// Points at .. at + 127 of a line with `words` words and their guard; none past its end. at > -64.
    [[nodiscard]] static HalfWords read(const std::uint64_t* line, std::int32_t words, std::int32_t at) {
        const auto part = [&](std::int32_t x) { return x >> 6 < words ? window(line, x) : 0; };
        return {part(at), part(at + 64)};
    }
    /// Writes those of `mask`, which lie on the line.
    void write(std::uint64_t* line, std::int32_t at, HalfWords mask) const {
        put(line, at, mask.low, low);
        put(line, at + 64, mask.high, high);
    }

  private:
    static void put(std::uint64_t* line, std::int32_t at, std::uint64_t mask, std::uint64_t bits) {
        const std::uint32_t shift = static_cast<std::uint32_t>(at) & 63U;
        std::uint64_t* const word = line + (at >> 6);
        const std::uint64_t here = mask << shift;
        if (here != 0) *word = (*word & ~here) | ((bits << shift) & here);
        const std::uint64_t next = (mask >> 1) >> (63U - shift);
        if (next != 0) word[1] = (word[1] & ~next) | (((bits >> 1) >> (63U - shift)) & next);
    }
};

}  // namespace fairlead::grid
