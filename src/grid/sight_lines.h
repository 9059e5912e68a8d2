// Sight along lines: which cells of each line of the tile world a swept body covers, 64 cells at a time.
//
// The frame of a sweep. Lines are rows or columns, whichever the segment crosses fewer of; so with `along`
// the coordinate on a line and `across` the number of the line, |across| moves no more than |along|. The
// segment is turned so that it runs toward larger `across`.
//
// Every body is made thinner by the slack, so that what it only touches is not found at all: a disc has
// radius r - slack, a square half its side minus the slack, and a point is a square of half side -slack,
// which means that it is the walls that get thinner.
//
// For a square this is the exact test: it covers the strip j <= across <= j + 1 of a line while its centre is
// between j - q and j + 1 + q, and then reaches q to both sides. A disc is compared with its bounding box and
// with the two lines that touch it on both sides, which overlap it by 0.43 r^2 at each end; the walls found
// there, a run of them as one box, are tested exactly (math/swept.h).
//
// Rounding: the position along, computed for a given place across, is off by some units in the last place of
// the largest coordinate, and where the segment is all but parallel to the line by that times its slope; that
// is the same as moving the segment across by those units in the last place, which the slack covers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <fairlead/math/swept.h>

#include "grid/sight.h"
#include "grid/state.h"

namespace fairlead::grid::sight_detail {

inline constexpr double kSlack = kSightSlack;

inline double smaller_of(double a, double b) { return b < a ? b : a; }
inline double larger_of(double a, double b) { return a < b ? b : a; }
inline Vec2 transposed(Vec2 p) { return {p.y, p.x}; }

/// The cell that a coordinate is in, for coordinates in (-1, 2^31): those below 0 give 0, where the lines
/// begin.
FAIRLEAD_INLINE std::int32_t cell_of(double v) { return static_cast<std::int32_t>(v); }

/// The corner of cells that is nearest to a place, and whether two places are the same, up to the slack.
inline Vec2 corner_of_cells(Vec2 p) { return {std::floor(p.x + 0.5), std::floor(p.y + 0.5)}; }
inline bool meets(Vec2 p, Vec2 q, double slack) {
    return p.x - q.x <= slack && q.x - p.x <= slack && p.y - q.y <= slack && q.y - p.y <= slack;
}

/// The first count of 64 cells.
FAIRLEAD_INLINE std::uint64_t first_cells(std::int32_t count) {
    return ~0ULL >> (64 - (count < 64 ? count : 64));
}

/// A map without wraps and filters, in one of its two orientations.
struct PlainLines {
    Lines lines;
    std::int32_t line_count = 0;
    std::int32_t length = 0;

    /// Blocked bits of cells x to x + 63 of line j; only the first count are asked for.
    [[nodiscard]] FAIRLEAD_INLINE std::uint64_t blocked(std::int32_t x, std::int32_t j, std::int32_t) const {
        return ~window(lines.line(j), x);
    }
    [[nodiscard]] std::int32_t line_low() const { return 0; }
    [[nodiscard]] std::int32_t line_high() const { return line_count - 1; }
    [[nodiscard]] std::int32_t low() const { return 0; }
    [[nodiscard]] std::int32_t high() const { return length - 1; }
    [[nodiscard]] double reach_across(double reach) const { return reach; }
    [[nodiscard]] double reach_along(double reach) const { return reach; }
};

/// Any map: wrapped axes, terrain that the filter closes.
struct AnyLines {
    WallReader walls;
    const StateData* state = nullptr;
    const std::uint16_t* costs = nullptr;  ///< null: no terrain is closed
    std::int32_t layer = 0;
    bool columns = false;

    [[nodiscard]] std::uint64_t blocked(std::int32_t x, std::int32_t j, std::int32_t count) const {
        const std::uint64_t bits = walls.blocked(x, j);
        return costs == nullptr ? bits : bits | closed(x, j, count < 64 ? count : 64, bits);
    }
    [[nodiscard]] std::int32_t line_low() const { return walls.wrap_line ? INT32_MIN / 2 : 0; }
    [[nodiscard]] std::int32_t line_high() const {
        return walls.wrap_line ? INT32_MAX / 2 : walls.shape.lines - 1;
    }
    [[nodiscard]] std::int32_t low() const { return walls.wrap_length ? INT32_MIN / 2 : 0; }
    [[nodiscard]] std::int32_t high() const {
        return walls.wrap_length ? INT32_MAX / 2 : walls.shape.length - 1;
    }
    /// On a wrapped axis the nearest image of a wall, which is the one that counts, is never farther than half the map.
    [[nodiscard]] double reach_across(double reach) const {
        return walls.wrap_line ? smaller_of(reach, 0.5 * walls.shape.lines + 1.0) : reach;
    }
    [[nodiscard]] double reach_along(double reach) const {
        return walls.wrap_length ? smaller_of(reach, 0.5 * walls.shape.length + 1.0) : reach;
    }

  private:
    [[nodiscard]] std::uint64_t closed(std::int32_t x, std::int32_t j, std::int32_t count,
                                       std::uint64_t known) const;
};

/// Is any of the cells low to high of line j blocked?
template <class Source>
FAIRLEAD_INLINE bool any_blocked(const Source& source, std::int32_t low, std::int32_t high, std::int32_t j) {
    while (low <= high) {
        const std::int32_t count = high - low + 1;
        if ((source.blocked(low, j, count) & first_cells(count)) != 0) return true;
        low += 64;
    }
    return false;
}

/// The segment in the frame of the lines: a.y <= b.y, b.y - a.y <= |b.x - a.x|.
struct Crossing {
    Vec2 a;
    Vec2 b;
    double slope = 0.0;  ///< along per across; 0 when flat
    bool flat = false;   ///< moves across by less than rounding
    double left = 0.0;   ///< the smaller and larger of a.x, b.x
    double right = 0.0;

    Crossing(Vec2 from, Vec2 to) : a(from), b(to) {
        if (b.y < a.y) {
            a = to;
            b = from;
        }
        left = smaller_of(a.x, b.x);
        right = larger_of(a.x, b.x);
        const double across = b.y - a.y;
        flat = across < 1e-12;
        if (!flat) slope = (b.x - a.x) / across;
    }
    /// Position along where the segment is at `across`, limited to its ends.
    [[nodiscard]] FAIRLEAD_INLINE double at(double across) const {
        return smaller_of(larger_of(a.x + (across - a.y) * slope, left), right);
    }
};

/// Can a square of half side `reach` be moved? reach > 0.
template <class Source>
bool square_passes(const Source& source, const Crossing& s, double reach, double slack) {
    const double q = reach - slack;
    std::int32_t j = cell_of(s.a.y - source.reach_across(q));
    std::int32_t last = cell_of(s.b.y + source.reach_across(q));
    if (j < source.line_low()) j = source.line_low();
    if (last > source.line_high()) last = source.line_high();
    for (; j <= last; ++j) {
        const double from = s.flat ? s.left : s.at(static_cast<double>(j) - q);
        const double to = s.flat ? s.right : s.at(static_cast<double>(j + 1) + q);
        std::int32_t low = cell_of(smaller_of(from, to) - source.reach_along(q));
        std::int32_t high = cell_of(larger_of(from, to) + source.reach_along(q));
        if (low < source.low()) low = source.low();
        if (high > source.high()) high = source.high();
        if (any_blocked(source, low, high, j)) return false;
    }
    return true;
}

/// Calls visit(box) for every run of blocked cells that may be nearer than q to the segment, in the frame of
/// the lines; stops when it returns false, and returns that.
template <class Source, class Visit>
bool visit_walls(const Source& source, const Crossing& s, double q, Visit visit) {
    std::int32_t j = cell_of(s.a.y - source.reach_across(q));
    std::int32_t last = cell_of(s.b.y + source.reach_across(q));
    if (j < source.line_low()) j = source.line_low();
    if (last > source.line_high()) last = source.line_high();
    const double box_low = s.left - source.reach_along(q);
    const double box_high = s.right + source.reach_along(q);
    const double steep = s.slope < 0.0 ? -s.slope : s.slope;
    // Half the width of the slab on a line, and the position along where the line begins and where it ends:
    // the smaller one counts on one side, the larger one on the other.
    const double size = larger_of(larger_of(s.right, s.b.y), 1.0);
    const double half = q * std::sqrt(1.0 + steep * steep) + (1.0 + steep) * size * 0x1p-49;
    const double ahead_low = s.slope < 0.0 ? s.slope : 0.0;
    const double ahead_high = s.slope < 0.0 ? 0.0 : s.slope;
    for (; j <= last; ++j) {
        double from = box_low;
        double to = box_high;
        if (!s.flat) {
            const double x = s.a.x + (static_cast<double>(j) - s.a.y) * s.slope;
            from = larger_of(x + ahead_low - half, from);
            to = smaller_of(x + ahead_high + half, to);
        }
        std::int32_t low = cell_of(from);
        std::int32_t high = cell_of(to);
        if (low < source.low()) low = source.low();
        if (high > source.high()) high = source.high();
        for (; low <= high; low += 64) {
            const std::int32_t count = high - low + 1;
            std::uint64_t bits = source.blocked(low, j, count) & first_cells(count);
            while (bits != 0) {
                const std::int32_t first = std::countr_zero(bits);
                const std::int32_t run = std::countr_one(bits >> first);
                const Vec2 corner{static_cast<double>(low + first), static_cast<double>(j)};
                if (!visit(Aabb{corner, {corner.x + static_cast<double>(run), corner.y + 1.0}})) return false;
                if (first + run >= 64) break;
                bits &= ~0ULL << (first + run);
            }
        }
    }
    return true;
}

/// Can a disc be moved? radius > slack.
template <class Source>
bool disc_passes(const Source& source, const Crossing& s, double radius, double slack) {
    return visit_walls(source, s, radius - slack, [&](const Aabb& box) {
        return !math::disc_sweep_overlaps_box(s.a, s.b, radius, box, slack);
    });
}

/// Can a point be moved? `pinch`: may it pass a corner between two walls?
///
/// Between two lines it is a square of half side -slack. What is left are the cracks: where the segment is
/// within the slack of the border between two lines, one of the two cells beside it must be free; where it is
/// within the slack of the border between two cells of a line, one of those. And the corners of four cells.
template <class Source>
class PointSweep {
  public:
    PointSweep(const Source& source, const Crossing& s, bool pinch, double slack)
        : source_(source), s_(s), slack_(slack), pinch_(pinch) {
        const double steep = s.slope < 0.0 ? -s.slope : s.slope;
        margin_ = slack_ * (2.0 + 2.0 * steep);
    }

    [[nodiscard]] bool passes() const {
        // Lines first to last are entered deeper than the slack; at the borders from `border` on it crosses.
        const std::int32_t first = cell_of(s_.a.y + slack_);
        const std::int32_t last = cell_of(s_.b.y - slack_);
        std::int32_t border = cell_from(s_.a.y - slack_);
        for (; border <= first; ++border) {
            if (!passes_border(border)) return false;
        }
        for (std::int32_t j = first; j <= last; ++j) {
            const double from = s_.flat ? s_.left : s_.at(static_cast<double>(j) + slack_);
            const double to = s_.flat ? s_.right : s_.at(static_cast<double>(j + 1) - slack_);
            const std::int32_t low = cell_of(smaller_of(from, to) + slack_);
            const std::int32_t high = cell_of(larger_of(from, to) - slack_);
            if (FAIRLEAD_UNLIKELY(low > high)) {
                if (!free(low, j) && !free(high, j)) return false;
            } else if (any_blocked(source_, low, high, j)) {
                return false;
            }
            if (j == first) continue;
            // Where the border is crossed well within a cell, that cell has been looked at on both lines.
            const double rest = from - static_cast<double>(cell_of(from));
            if (FAIRLEAD_UNLIKELY(!(rest > margin_ && rest < 1.0 - margin_)) && !passes_border(j))
                return false;
        }
        const std::int32_t end = cell_of(s_.b.y + slack_);
        for (border = larger_of_ints(border, last + 1); border <= end; ++border) {
            if (!passes_border(border)) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] FAIRLEAD_INLINE bool free(std::int32_t x, std::int32_t j) const {
        return (source_.blocked(x, j, 1) & 1U) == 0;
    }
    [[nodiscard]] static std::int32_t larger_of_ints(std::int32_t a, std::int32_t b) { return a < b ? b : a; }
    /// The first border at v or above; v > -1.
    [[nodiscard]] static std::int32_t cell_from(double v) {
        const std::int32_t cell = cell_of(v);
        return static_cast<double>(cell) < v ? cell + 1 : cell;
    }

    [[nodiscard]] FAIRLEAD_NOINLINE bool passes_border(std::int32_t j) const {
        const double y = static_cast<double>(j);
        const double from = s_.flat ? s_.left : s_.at(y - slack_);
        const double to = s_.flat ? s_.right : s_.at(y + slack_);
        return passes_crack(j, smaller_of(from, to), larger_of(from, to));
    }

    [[nodiscard]] FAIRLEAD_INLINE bool passes_crack(std::int32_t j, double from, double to) const {
        const std::int32_t low = cell_of(from + slack_);
        const std::int32_t high = cell_of(to - slack_);
        for (std::int32_t x = low; x <= high; x += 64) {
            const std::int32_t count = high - x + 1;
            const std::uint64_t bits = source_.blocked(x, j - 1, count) & source_.blocked(x, j, count);
            if ((bits & first_cells(count)) != 0) return false;
        }
        const double y = static_cast<double>(j);
        if (low > high && s_.a.y >= y - slack_ &&
            s_.b.y <= y + slack_) {  // all of it is at a corner of cells
            return free(low, j) || free(high, j) || free(low, j - 1) || free(high, j - 1);
        }
        if (pinch_) return true;
        const std::int32_t first = cell_from(from - slack_);
        const std::int32_t last = cell_of(to + slack_);
        for (std::int32_t x = first; x <= last; ++x) {
            const Vec2 corner{static_cast<double>(x), y};
            if (!at_end(corner) && pinches(x, j)) return false;
        }
        return true;
    }

    [[nodiscard]] bool at_end(Vec2 p) const { return meets(p, s_.a, slack_) || meets(p, s_.b, slack_); }

    /// Do just two walls meet at the corner, diagonally?
    [[nodiscard]] bool pinches(std::int32_t x, std::int32_t j) const {
        const bool a = free(x - 1, j - 1);
        const bool b = free(x, j - 1);
        return a != b && free(x, j) == a && free(x - 1, j) == b;
    }

    const Source& source_;
    const Crossing& s_;
    double slack_;
    double margin_;
    bool pinch_;
};

}  // namespace fairlead::grid::sight_detail

namespace fairlead::grid {

/// use(source): the map's rows or columns.
template <class Use>
auto Sight::with_source(bool columns, Use use) const {
    using namespace sight_detail;
    const StateData& state = *world_.state;
    const LineShape& shape = columns ? state.cols : state.rows;
    const Body& walls = state.bodies[0];
    const Lines lines = columns ? state.col_lines(walls, world_.layer) : state.row_lines(walls, world_.layer);
    if (plain_) return use(PlainLines{lines, shape.lines, shape.length});
    const bool wrap_line = columns ? state.wrap_x : state.wrap_y;
    const bool wrap_length = columns ? state.wrap_y : state.wrap_x;
    return use(AnyLines{{lines, shape, wrap_line, wrap_length},
                        &state,
                        closes_ ? world_.costs : nullptr,
                        world_.layer,
                        columns});
}

/// use(source, crossing): the orientation in which the segment crosses fewer lines.
template <class Use>
auto Sight::with_lines(Vec2 a, Vec2 b, double reach, Use use) const {
    using namespace sight_detail;
    if (!plain_) {
        const Vec2 lap = lap_below({smaller_of(a.x, b.x), smaller_of(a.y, b.y)}, reach);
        a = a - lap;
        b = b - lap;
    }
    const Vec2 d = b - a;
    const bool columns = d.x * d.x < d.y * d.y;
    const Crossing s = columns ? Crossing(transposed(a), transposed(b)) : Crossing(a, b);
    return with_source(columns, [&](const auto& source) { return use(source, s); });
}

}  // namespace fairlead::grid
