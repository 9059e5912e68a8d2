// The cells that a body may touch while its centre moves along a piece: row by row, never too few.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "verify/piece.h"
#include "verify/scale.h"

namespace fairlead::witness {

/// Cells first to last of one row.
struct CellRun {
    std::int32_t row = 0;
    std::int32_t first = 0;
    std::int32_t last = 0;
};

/// Cells of a rectangle, both ends included.
struct CellBounds {
    std::int32_t x_first = 0;
    std::int32_t x_last = 0;
    std::int32_t y_first = 0;
    std::int32_t y_last = 0;
};

/// Calls visit(CellRun) -> bool for the rows in the order of y, until it returns false. All cells within
/// `reach` (on each axis) of the piece are in these runs, but for those outside `bounds`.
template <class Visit>
void for_runs_near(const Piece& piece, Vec2 reach, const CellBounds& bounds, Visit&& visit);

namespace detail {

// Room for rounding; far more than the error of a coordinate.
inline constexpr double kPad = 1e-6;

inline std::int32_t floor_between(double v, std::int32_t low, std::int32_t high) {
    if (!(v > static_cast<double>(low))) return low;
    if (v >= static_cast<double>(high)) return high;
    return static_cast<std::int32_t>(std::floor(v));
}

/// The chord of a piece, from its low to its high end.
struct Chord {
    Vec2 low{};
    Vec2 high{};
    double slope = 0.0;  ///< dx / dy; 0 where the chord is too flat to say
    bool flat = true;

    explicit Chord(const Piece& piece) {
        low = {piece.a.x * piece.flip.x, piece.a.y * piece.flip.y};
        high = {piece.b.x * piece.flip.x, piece.b.y * piece.flip.y};
        if (low.y > high.y) std::swap(low, high);
        flat = high.y - low.y < kPad;
        if (!flat) slope = (high.x - low.x) / (high.y - low.y);
    }
    /// x at height y, which is clamped to the chord.
    [[nodiscard]] double x_at(double y) const {
        if (y <= low.y) return low.x;
        if (y >= high.y) return high.x;
        return low.x + (y - low.y) * slope;
    }
};

}  // namespace detail

template <class Visit>
void for_runs_near(const Piece& piece, Vec2 reach, const CellBounds& bounds, Visit&& visit) {
    const detail::Chord chord(piece);
    const double room = piece.bulge + detail::kPad;
    const Vec2 wide{reach.x + room, reach.y + room};
    const std::int32_t y_first =
        detail::floor_between(chord.low.y - wide.y, bounds.y_first, bounds.y_last + 1);
    const std::int32_t y_last =
        detail::floor_between(chord.high.y + wide.y, bounds.y_first - 1, bounds.y_last);
    for (std::int32_t row = y_first; row <= y_last; ++row) {
        const double below = static_cast<double>(row) - wide.y;
        const double above = static_cast<double>(row + 1) + wide.y;
        const double xa = chord.flat ? chord.low.x : chord.x_at(below);
        const double xb = chord.flat ? chord.high.x : chord.x_at(above);
        CellRun run;
        run.row = row;
        run.first = detail::floor_between(smaller(xa, xb) - wide.x, bounds.x_first, bounds.x_last + 1);
        run.last = detail::floor_between(larger(xa, xb) + wide.x, bounds.x_first - 1, bounds.x_last);
        if (run.first <= run.last && !visit(run)) return;
    }
}

}  // namespace fairlead::witness
