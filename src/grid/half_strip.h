// The walls beside 64 cells of all lines that matter to an edit, read once: each is asked for by many points, and doors,
// of the half lattice.
#pragma once

#include <span>

#include <fairlead/base/array.h>

#include "grid/dilate.h"
#include "grid/half_lattice.h"
#include "grid/half_words.h"

namespace fairlead::grid {

class WallStrip {
  public:
    WallStrip(const WallReader& walls, Array<std::uint64_t>& words) : walls_(walls), words_(words) {}

    /// Room for lines low .. high - 1. False: out of memory.
    [[nodiscard]] bool begin(std::int32_t low, std::int32_t high) {
        low_ = low;
        high_ = high;
        return words_.resize_uninitialized(2 * static_cast<std::size_t>(high - low));
    }
    /// Of cells x .. x + 63 from now on.
    void read(std::int32_t x) {
        x_ = x;
        std::uint64_t* out = words_.data();
        for (std::int32_t y = low_; y < high_; ++y) {
            *out++ = walls_.blocked(x - kMargin, y);
            *out++ = walls_.blocked(x - kMargin + 64, y);
        }
    }
    /// Are cells nearer than `row` says blocked, for each of the 64?
    [[nodiscard]] std::uint64_t near(std::int32_t line, const BodyRow& row) const {
        const auto blocked = [&](std::int32_t x, std::int32_t y) { return walls_.blocked(x, y); };
        if (row.low < -kMargin || row.high > kMargin) return dilate(blocked, {&row, 1}, line, x_);
        const std::uint64_t* at = words_.data() + 2 * (line + row.dy - low_);
        const auto shift = static_cast<std::uint32_t>(kMargin + row.low);
        const std::uint64_t low = (at[0] >> shift) | ((at[1] << 1) << (63U - shift));
        return or_windows(low, at[1] >> shift, row.high - row.low + 1);
    }

  private:
    static constexpr std::int32_t kMargin = 31;

    const WallReader& walls_;
    Array<std::uint64_t>& words_;
    std::int32_t low_ = 0;
    std::int32_t high_ = 0;
    std::int32_t x_ = 0;
};

/// Those of 64 points, each a cell from the next, that the tiles of `rows` do not block, out of the ones in `of`. First
/// their own row and the farthest ones: inside walls the one decides, along their sides the others do.
[[nodiscard]] inline std::uint64_t open_word(const WallStrip& walls, std::span<const BodyRow> rows,
                                             std::int32_t line, std::uint64_t of) {
    if (rows.empty() || of == 0) return of;
    const std::size_t middle = rows.size() / 2;
    of &= ~walls.near(line, rows[middle]);
    for (std::size_t low = 0, high = rows.size(); low < high && of != 0; ++low) {
        if (low != middle) of &= ~walls.near(line, rows[low]);
        if (--high > low && high != middle && of != 0) of &= ~walls.near(line, rows[high]);
    }
    return of;
}

/// The same of 128 points of a line of the half lattice. `rows`: by 2 (j odd) + (i odd).
[[nodiscard]] inline HalfWords open_words(const WallStrip& walls, const Array<BodyRow>* rows,
                                          std::int32_t line, HalfWords of) {
    const std::int32_t kind = 2 * (line & 1);
    const std::uint64_t whole = even_bits(of.low) | (even_bits(of.high) << 32);
    const std::uint64_t middle = even_bits(of.low >> 1) | (even_bits(of.high >> 1) << 32);
    const std::uint64_t w = open_word(walls, rows[kind].span(), line >> 1, whole);
    const std::uint64_t m = open_word(walls, rows[kind + 1].span(), line >> 1, middle);
    if ((w | m) == 0) return {};
    return {spread_bits(w) | (spread_bits(m) << 1), spread_bits(w >> 32) | (spread_bits(m >> 32) << 1)};
}

}  // namespace fairlead::grid
