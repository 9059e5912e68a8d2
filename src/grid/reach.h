// Reach planes: for every cell and each of the four straight directions one bit, "a scan that leaves this cell
// in this direction meets a jump point before it meets a wall".
//
// A jump point of the scan (Harabor & Grastien 2011, in the form without corner cutting) is a free cell beside
// which, on either side, a wall ends: the side cell is free and the one behind it is blocked. A diagonal scan of
// jump-point search asks this question twice at each of its steps; with the planes the answer is two bits
// instead of two scans. Measured on four game maps the query time falls to 0.55 to 0.85 of the scanning form
// before any other change (docs/decisions). The planes are exact after every edit: only the runs of cells that
// lead to the edited rectangle can change.
//
// With F free, J the jump points and Q(x) = F(x) and (J(x) or Q(x+1)), the bit of x is Q(x+1): a fill of J through
// F, a few shifts for 64 cells.
#pragma once

#include "grid/state.h"

namespace fairlead::grid {

/// Jump points of scans toward larger positions among cells 64 word .. 64 word + 63 of a line.
[[nodiscard]] inline std::uint64_t jump_word_up(const std::uint64_t* line, const std::uint64_t* above,
                                                const std::uint64_t* below, std::int32_t word) {
    const std::uint64_t a = above[word];
    const std::uint64_t b = below[word];
    const std::uint64_t a_behind = (a << 1) | (above[word - 1] >> 63);
    const std::uint64_t b_behind = (b << 1) | (below[word - 1] >> 63);
    return line[word] & ((a & ~a_behind) | (b & ~b_behind));
}

/// The same for scans toward smaller positions.
[[nodiscard]] inline std::uint64_t jump_word_down(const std::uint64_t* line, const std::uint64_t* above,
                                                  const std::uint64_t* below, std::int32_t word) {
    const std::uint64_t a = above[word];
    const std::uint64_t b = below[word];
    const std::uint64_t a_behind = (a >> 1) | (above[word + 1] << 63);
    const std::uint64_t b_behind = (b >> 1) | (below[word + 1] << 63);
    return line[word] & ((a & ~a_behind) | (b & ~b_behind));
}

/// Recomputes both reach planes after cells low .. high - 1 of lines line_low .. line_high - 1 changed in the
/// free plane. Reads and writes the lines line_low - 1 .. line_high that lie on the map: the caller owns their
/// bands. Cost: the words of the rectangle, plus those of the runs of free cells that lead to it.
void update_reach(const MutableLines& lines, const LineShape& shape, const LineRect& changed);

/// The same for a size on the half lattice (half_body.h): a scan also ends at the last point before a wall if a way may lead
/// from it to the opposite corner of a room, between two points that do not fit; and with `gaps` at stops.
void update_half_reach(const MutableLines& lines, const LineShape& shape, const LineRect& changed, bool gaps);

/// Jump points of both directions in a rectangle of lines and positions, counted by whole words.
[[nodiscard]] std::int64_t count_jump_points(const Lines& lines, const LineShape& shape,
                                             const LineRect& rect);

}  // namespace fairlead::grid
