// The kernel of the span field: one side of a polygon, as a line in the x-z plane, widens the height interval of each cell that it
// passes. Two cells at a time where the compiler has vectors, and a plain twin with the same operations in the same
// order, so with the same bits.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead::raster {

/// From (xa, za) to (xb, zb), xa <= xb.
struct RowPiece {
    double xa, za, xb, zb;
};

/// Height intervals of the cells of one row, from column `x0` on.
struct RowHeights {
    double* low;
    double* high;
    std::int64_t x0;
};

FAIRLEAD_INLINE double lesser(double a, double b) { return a < b ? a : b; }
FAIRLEAD_INLINE double greater(double a, double b) { return a > b ? a : b; }

/// The cells from..to (both included) of a piece that is not upright. `near` takes the height where the line enters a cell
/// and `far` where it leaves: for a rising line the lowest and the highest.
template <bool kRising>
FAIRLEAD_INLINE void widen_plain(const RowPiece& p, double slope, double bottom, double top,
                                 const RowHeights& row, std::int64_t from, std::int64_t to) {
    for (std::int64_t c = from; c <= to; ++c) {
        const auto x = static_cast<double>(c);
        const double enter = lesser(greater(p.za + (x - p.xa) * slope, bottom), top);
        const double leave = lesser(greater(p.za + (x + 1.0 - p.xa) * slope, bottom), top);
        double& low = row.low[c - row.x0];
        double& high = row.high[c - row.x0];
        low = lesser(kRising ? enter : leave, low);
        high = greater(kRising ? leave : enter, high);
    }
}

#if defined(FAIRLEAD_VECTOR)
using TwoCells = double FAIRLEAD_VECTOR(16);

FAIRLEAD_INLINE TwoCells lesser(TwoCells a, TwoCells b) { return a < b ? a : b; }
FAIRLEAD_INLINE TwoCells greater(TwoCells a, TwoCells b) { return a > b ? a : b; }

template <bool kRising>
FAIRLEAD_INLINE void widen_lanes(const RowPiece& p, double slope, double bottom, double top,
                                 const RowHeights& row, std::int64_t from, std::int64_t to) {
    const TwoCells slopes{slope, slope};
    const TwoCells bottoms{bottom, bottom};
    const TwoCells tops{top, top};
    const TwoCells start{p.xa, p.xa};
    const TwoCells height{p.za, p.za};
    const TwoCells one{1.0, 1.0};
    std::int64_t c = from;
    TwoCells x{static_cast<double>(c), static_cast<double>(c) + 1.0};
    for (; c < to; c += 2, x += TwoCells{2.0, 2.0}) {
        const TwoCells enter = lesser(greater(height + (x - start) * slopes, bottoms), tops);
        const TwoCells leave = lesser(greater(height + (x + one - start) * slopes, bottoms), tops);
        double* low = row.low + (c - row.x0);
        double* high = row.high + (c - row.x0);
        const TwoCells lows = lesser(kRising ? enter : leave, TwoCells{low[0], low[1]});
        const TwoCells highs = greater(kRising ? leave : enter, TwoCells{high[0], high[1]});
        low[0] = lows[0];
        low[1] = lows[1];
        high[0] = highs[0];
        high[1] = highs[1];
    }
    widen_plain<kRising>(p, slope, bottom, top, row, c, to);
}
#endif

/// Of a line that is upright, so steep that it is cut off at its ends.
FAIRLEAD_INLINE double slope_of(const RowPiece& p) { return (p.zb - p.za) / greater(p.xb - p.xa, 1e-30); }

/// All cells of the piece within from..to, which may be an empty range. `kLanes`: by vectors where there are any.
template <bool kLanes = true>
FAIRLEAD_INLINE void widen(const RowPiece& p, const RowHeights& row, std::int64_t from, std::int64_t to) {
    const bool rising = p.za <= p.zb;
    const double bottom = rising ? p.za : p.zb;
    const double top = rising ? p.zb : p.za;
    const double slope = slope_of(p);
#if defined(FAIRLEAD_VECTOR)
    if (kLanes && to - from >= 4) {
        if (rising) {
            widen_lanes<true>(p, slope, bottom, top, row, from, to);
        } else {
            widen_lanes<false>(p, slope, bottom, top, row, from, to);
        }
        return;
    }
#endif
    if (rising) {
        widen_plain<true>(p, slope, bottom, top, row, from, to);
    } else {
        widen_plain<false>(p, slope, bottom, top, row, from, to);
    }
}

/// Cells of a row that is looked at all at once: a short one has no time for loops that end early.
inline constexpr int kNarrow = 4;

/// The intervals of the cells x0 .. x0 + kNarrow, from all pieces of the row; low > high where none passes. The same bits as widen() gives.
FAIRLEAD_INLINE void widen_narrow_plain(const RowPiece* pieces, int count, double x0, double* low,
                                        double* high) {
    for (int i = 0; i < count; ++i) {
        const RowPiece& p = pieces[i];
        const double bottom = lesser(p.za, p.zb);
        const double top = greater(p.za, p.zb);
        const double slope = slope_of(p);
        for (int k = 0; k < kNarrow; ++k) {
            const double x = x0 + k;
            const double enter = lesser(greater(p.za + (x - p.xa) * slope, bottom), top);
            const double leave = lesser(greater(p.za + (x + 1.0 - p.xa) * slope, bottom), top);
            const bool passes = x + 1.0 > p.xa && x <= p.xb;
            low[k] = passes ? lesser(lesser(enter, leave), low[k]) : low[k];
            high[k] = passes ? greater(greater(enter, leave), high[k]) : high[k];
        }
    }
}

#if defined(FAIRLEAD_VECTOR)
FAIRLEAD_INLINE void widen_narrow(const RowPiece* pieces, int count, double x0, double* low, double* high) {
    const TwoCells one{1.0, 1.0};
    const TwoCells x[2] = {{x0, x0 + 1.0}, {x0 + 2.0, x0 + 3.0}};
    TwoCells lows[2] = {{low[0], low[1]}, {low[2], low[3]}};
    TwoCells highs[2] = {{high[0], high[1]}, {high[2], high[3]}};
    for (int i = 0; i < count; ++i) {
        const RowPiece& p = pieces[i];
        const double slope = slope_of(p);
        const double bottom = lesser(p.za, p.zb);
        const double top = greater(p.za, p.zb);
        const TwoCells slopes{slope, slope};
        const TwoCells bottoms{bottom, bottom};
        const TwoCells tops{top, top};
        const TwoCells start{p.xa, p.xa};
        const TwoCells end{p.xb, p.xb};
        const TwoCells height{p.za, p.za};
        for (int k = 0; k < 2; ++k) {
            const TwoCells enter = lesser(greater(height + (x[k] - start) * slopes, bottoms), tops);
            const TwoCells leave = lesser(greater(height + (x[k] + one - start) * slopes, bottoms), tops);
            const auto passes = (x[k] + one > start) & (x[k] <= end);
            lows[k] = passes ? lesser(lesser(enter, leave), lows[k]) : lows[k];
            highs[k] = passes ? greater(greater(enter, leave), highs[k]) : highs[k];
        }
    }
    for (int k = 0; k < kNarrow; ++k) {
        low[k] = lows[k / 2][k % 2];
        high[k] = highs[k / 2][k % 2];
    }
}
#else
FAIRLEAD_INLINE void widen_narrow(const RowPiece* pieces, int count, double x0, double* low, double* high) {
    widen_narrow_plain(pieces, count, x0, low, high);
}
#endif

/// Largest whole number that is not above, for |value| < 2^53.
FAIRLEAD_INLINE std::int64_t whole_below(double value) {
    const auto cut = static_cast<std::int64_t>(value);
    return cut - (static_cast<double>(cut) > value ? 1 : 0);
}
FAIRLEAD_INLINE std::int64_t whole_above(double value) {
    const auto cut = static_cast<std::int64_t>(value);
    return cut + (static_cast<double>(cut) < value ? 1 : 0);
}

}  // namespace fairlead::raster
