#include "bridge/cell_border.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/no_memory.h"
#include "grid/state.h"

namespace fairlead::bridge {

namespace {

constexpr std::int32_t kCodePlanes = 7;  // kAreasMax codes and the wall

/// Bit i of a row is the cell (or the grid line on its low side) x0 - 1 + i: the window and one cell around it.
struct CodeRow {
    explicit CodeRow(const Allocator& allocator) : bits(allocator), across(allocator) {}

    Array<std::uint64_t> bits;    ///< planes of the codes, one behind the other
    Array<std::uint64_t> across;  ///< grid lines with different codes on their two sides
};

struct BorderScan {
    BorderScan(const GridState& g, const CellWindow& w, const CellCodes& c, CellBorders& o)
        : state(g.data()),
          window(w),
          codes(c),
          out(o),
          words(static_cast<std::size_t>((w.x1 - w.x0 + 2 + 63) / 64)),
          above(o.points.allocator()),
          below(o.points.allocator()),
          line(o.points.allocator()),
          bends(o.points.allocator()),
          open(o.points.allocator()) {}

    const grid::StateData& state;
    const CellWindow& window;
    const CellCodes& codes;
    CellBorders& out;
    std::size_t words;
    CodeRow above;               ///< of the line in hand: cells with smaller y
    CodeRow below;               ///< with larger y
    Array<std::uint64_t> line;   ///< cells whose low side on the line in hand is a border
    Array<std::uint64_t> bends;  ///< points of the line in hand
    Array<std::uint32_t> open;   ///< by grid line: the last point on it
    std::uint8_t bad = 0;        ///< a terrain without an area that was met

    [[nodiscard]] bool prepare() {
        out.points.clear();
        out.pieces.clear();
        out.sides.clear();
        for (CodeRow* row : {&above, &below}) {
            if (!row->bits.resize(words * kCodePlanes) || !row->across.resize(words)) return false;
        }
        return line.resize(words) && bends.resize(words) && open.resize(words * 64);
    }

    void set_code(CodeRow& row, std::size_t bit, std::uint8_t code) const {
        for (std::size_t p = 0; p < kCodePlanes; ++p)
            row.bits[p * words + bit / 64] |= std::uint64_t{code >> p & 1U} << (bit % 64);
    }

    void read_codes(CodeRow& row, std::int32_t y) {
        std::fill(row.bits.begin(), row.bits.end(), 0);
        if (y < 0 || y >= state.height) return;
        const std::uint8_t* tiles = state.tile_row(y, window.layer);
        const std::uint64_t* free = state.row_lines(state.bodies[0], window.layer).line(y);
        const std::int32_t first = window.x0 - 1;
        const std::int32_t low = std::max(first, 0);
        const std::int32_t high = std::min(window.x1 + 1, state.width);
        if (tiles == nullptr) {
            const std::uint8_t code = codes.of[1];
            if (code == kBadCode) bad = 1;
            for (std::int32_t x = first; x < high; x += 64) {
                const std::uint64_t bits = grid::window(free, x) & grid::bit_range(0, std::min(high - x, 64));
                const auto word = static_cast<std::size_t>((x - first) / 64);
                for (std::size_t p = 0; p < kCodePlanes; ++p) {
                    if ((code >> p & 1U) != 0) row.bits[p * words + word] = bits;
                }
            }
            return;
        }
        for (std::int32_t x = low; x < high; ++x) {
            if ((free[x / 64] >> (x % 64) & 1U) == 0) continue;
            const std::uint8_t code = codes.of[tiles[x]];
            if (code == kBadCode) bad = tiles[x];
            if (code != 0) set_code(row, static_cast<std::size_t>(x - first), code);
        }
    }

    [[nodiscard]] std::uint64_t any_free(const CodeRow& row, std::size_t word) const {
        std::uint64_t bits = 0;
        for (std::size_t p = 0; p < kCodePlanes; ++p) bits |= row.bits[p * words + word];
        return bits;
    }

    // A grid line that is a side of the window inside the map is a border along every free cell.
    void force_side(CodeRow& row, std::size_t bit) const {
        const std::uint64_t here = any_free(row, bit / 64) >> (bit % 64);
        const std::uint64_t before = any_free(row, (bit - 1) / 64) >> ((bit - 1) % 64);
        row.across[bit / 64] |= ((here | before) & 1U) << (bit % 64);
    }

    void read_row(CodeRow& row, std::int32_t y) {
        read_codes(row, y);
        std::fill(row.across.begin(), row.across.end(), 0);
        for (std::size_t p = 0; p < kCodePlanes; ++p) {
            const std::uint64_t* bits = row.bits.data() + p * words;
            std::uint64_t carry = 0;
            for (std::size_t w = 0; w < words; ++w) {
                row.across[w] |= bits[w] ^ (bits[w] << 1 | carry);
                carry = bits[w] >> 63;
            }
        }
        if (window.x0 > 0) force_side(row, 1);
        if (window.x1 < state.width) force_side(row, static_cast<std::size_t>(window.x1 - window.x0) + 1);
    }

    // A point is needed unless the four cells around it are alike in rows or in columns.
    void find_bends(bool force) {
        for (std::size_t w = 0; w < words; ++w) {
            line[w] = force ? any_free(above, w) | any_free(below, w) : 0;
            for (std::size_t p = 0; p < kCodePlanes; ++p)
                line[w] |= above.bits[p * words + w] ^ below.bits[p * words + w];
        }
        std::uint64_t carry = 0;
        for (std::size_t w = 0; w < words; ++w) {
            bends[w] = (above.across[w] | below.across[w]) & (line[w] | line[w] << 1 | carry);
            carry = line[w] >> 63;
        }
    }

    [[nodiscard]] std::uint32_t region(const CodeRow& row, std::size_t bit, bool inside) const {
        if (!inside) return kNoRegion;
        std::uint32_t code = 0;
        for (std::size_t p = 0; p < kCodePlanes; ++p)
            code |= static_cast<std::uint32_t>(row.bits[p * words + bit / 64] >> (bit % 64) & 1U) << p;
        return code == 0 ? kNoRegion : code - 1;
    }

    [[nodiscard]] bool add_piece(std::uint32_t from, std::uint32_t to, SegmentSides sides) {
        if (sides.left == kNoRegion && sides.right == kNoRegion) return true;
        return out.pieces.push_back({.from = from, .to = to}) && out.sides.push_back(sides);
    }

    [[nodiscard]] static bool get(const Array<std::uint64_t>& bits, std::size_t bit) {
        return (bits[bit / 64] >> (bit % 64) & 1U) != 0;
    }

    // The piece of the line that ends at point `to`, and that of the column above it.
    [[nodiscard]] bool end_pieces(std::int32_t y, std::size_t bit, std::size_t last, std::uint32_t from,
                                  std::uint32_t to) {
        if (from != kNoRegion && get(line, bit - 1)) {
            const SegmentSides sides{region(below, bit - 1, y < window.y1),
                                     region(above, bit - 1, y > window.y0)};
            if (!add_piece(from, to, sides)) return false;
        }
        if (y > window.y0 && get(above.across, bit)) {
            const SegmentSides sides{region(above, bit - 1, bit > 1), region(above, bit, bit < last)};
            if (!add_piece(open[bit], to, sides)) return false;
        }
        open[bit] = to;
        return true;
    }

    [[nodiscard]] bool scan_line(std::int32_t y) {
        const auto last = static_cast<std::size_t>(window.x1 - window.x0) + 1;
        std::uint32_t from = kNoRegion;
        for (std::size_t w = 0; w < words; ++w) {
            for (std::uint64_t left = bends[w]; left != 0; left &= left - 1) {
                const std::size_t bit = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
                if (bit < 1 || bit > last) continue;
                const auto to = static_cast<std::uint32_t>(out.points.size());
                const auto x = static_cast<double>(window.x0 - 1 + static_cast<std::int32_t>(bit));
                if (!out.points.push_back({x, static_cast<double>(y)})) return false;
                if (!end_pieces(y, bit, last, from, to)) return false;
                from = to;
            }
        }
        return true;
    }

    [[nodiscard]] Result<void> run() {
        if (!prepare()) return kNoMemory;
        read_row(below, window.y0 - 1);
        for (std::int32_t y = window.y0; y <= window.y1; ++y) {
            std::swap(above.bits, below.bits);
            std::swap(above.across, below.across);
            read_row(below, y);
            if (bad != 0) return Error{ErrorCode::out_of_range, Field::areas, bad, 0};
            find_bends((y == window.y0 && y > 0) || (y == window.y1 && y < state.height));
            if (!scan_line(y)) return kNoMemory;
        }
        return {};
    }
};

}  // namespace

Result<void> find_cell_borders(const GridState& grid, const CellWindow& window, const CellCodes& codes,
                               CellBorders& out) {
    BorderScan scan(grid, window, codes, out);
    return scan.run();
}

}  // namespace fairlead::bridge
