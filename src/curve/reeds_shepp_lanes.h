// The 48 Reeds-Shepp words in ten formulas. Lane 0 is the problem itself, lane 1 its mirror image (left and right
// exchanged); each formula is used with gears as they are and with all gears changed (the goal mirrored ahead and behind).
// That is 40 words; the formula of three arcs stands for three words each time, by the signs of its outer arcs: 48.
//
// All angles of the 48 are sums of few: the direction of the line from the start's left circle to the goal's left one and
// to its right one, the goal's heading, and angles that follow from the two distances alone. Words that the paper reads from
// their end need no more: seen from the goal, the first direction is phi minus itself and the second is phi plus that of the
// mirror image. So six or so inverse functions, two at a time, do for all words.
//
// Source: J. A. Reeds, L. A. Shepp, Optimal paths for a car that goes both forwards and backwards, 1990; numbers of formulas
// are the paper's. The form without tau and omega is ours.
#pragma once

#include <fairlead/curve/word.h>

#include "curve/frame.h"

namespace fairlead::curve {

enum class Formula : std::uint8_t {
    lsl,        ///< 8.1   L+ S+ L+
    lsr,        ///< 8.2   L+ S+ R+
    lrl,        ///< 8.3, 8.4  L+ R- L+, L+ R- L-, L- R- L+
    lrlr_out,   ///< 8.7   L+ R+ L- R-
    lrlr_back,  ///< 8.8   L+ R- L- R+
    lrsl,       ///< 8.9   L+ R- S- L-
    lsrl,       ///< 8.9   from its end: L- S- R- L+
    lrsr,       ///< 8.10  L+ R- S- R-
    rsrl,       ///< 8.10  from its end: R- S- R- L+
    lrslr,      ///< 8.11  L+ R- S- L- R+
    count_,
};
inline constexpr int kFormulas = static_cast<int>(Formula::count_);

/// What a formula gives for both lanes: its free amounts, and the length, kNoWord where there is none.
struct Slot {
    two::V t, u, v;
    two::V length;
};
inline constexpr double kNoWord = 1e300;

/// In [-pi, pi], pi rather than -pi.
FAIRLEAD_INLINE two::V wrap_positive(two::V a, double slack) {
    const two::V turns = (a - slack) * (1.0 / kTwoPi) + 0x1.8p52;
    return a - (turns - 0x1.8p52) * kTwoPi;
}

/// In [-pi, pi], -pi rather than pi.
FAIRLEAD_INLINE two::V wrap_negative(two::V a, double slack) {
    const two::V turns = (a + slack) * (1.0 / kTwoPi) + 0x1.8p52;
    return a - (turns - 0x1.8p52) * kTwoPi;
}

/// The goal in both lanes, and what does not depend on the gears.
struct Circles {
    two::V phi;
    two::V same, same_angle;    // from the start's left centre to the goal's left one
    two::V other, other_angle;  // and to its right one
    two::V other_square;
    double slack;  // of signs: what an arc of nothing may come out below it

    explicit FAIRLEAD_INLINE Circles(const Goal& g) {
        using namespace two;
        const V x = fill(g.x);
        const V y = pair(g.y, -g.y);
        const V sin = pair(g.sin, -g.sin);
        phi = pair(g.phi, -g.phi);
        const V same_x = x - sin;
        const V same_y = y - 1.0 + g.cos;
        const V other_x = x + sin;
        const V other_y = y - 1.0 - g.cos;
        same = root(same_x * same_x + same_y * same_y);
        other_square = other_x * other_x + other_y * other_y;
        other = root(other_square);
        same_angle = angle(same_y, same_x);
        same_angle = select(same < kNear, fill(0.0), same_angle);
        other_angle = angle(other_y, other_x);
        const double size = other[0] + same[0];
        slack = 0.1 * kNear / (1.0 + size) + kAngleRounding;
    }
};

/// One direction of gears: calls use(formula, slot) for each formula that may hold in one of the lanes.
template <class Use>
class Formulas {
  public:
    FAIRLEAD_INLINE Formulas(const Circles& c, Use& use) : c_(c), use_(use) {}

    FAIRLEAD_INLINE void all() {
        using namespace two;
        const V line = root(not_below_zero(c_.other_square - 4.0));
        const M apart = c_.other_square >= 4.0 - kNear;
        V tilt = fill(0.0);
        if (any(apart)) tilt = angle(fill(2.0), line);
        const V same_line = root(not_below_zero(c_.same * c_.same - 4.0));
        const M same_apart = same_line >= 2.0 - 0.1 * kNear;
        V same_tilt = fill(0.0);
        if (any(same_apart)) same_tilt = angle(fill(2.0), same_line);
        const M meet = c_.same < 4.0 + 0.1 * kNear;
        V third = fill(0.0);
        if (any(meet)) {
            const V quarter = 0.25 * c_.same;
            third = angle(quarter, root(not_below_zero(1.0 - quarter * quarter)));
        }
        const M overlap = c_.other < 2.0 + 0.1 * kNear;
        V out = fill(0.0);
        if (any(overlap)) {
            const V cos = 0.25 * c_.other + 0.5;
            out = angle(root(not_below_zero(1.0 - cos * cos)), cos);
        }
        const M reach = apart & (c_.other_square < 20.0 + kNear);
        V back = fill(0.0);
        V back_tilt = fill(0.0);
        if (any(reach)) {
            const V cos = (20.0 - c_.other_square) * 0.0625;
            const V sin = root(not_below_zero(1.0 - cos * cos));
            back = angle(sin, cos);
            back_tilt = angle(cos - 2.0, 0.0 - sin);
        }
        const V swapped_angle = swap(c_.other_angle);
        const V swapped = swap(c_.other);
        for (int gears = 0; gears < 2; ++gears) {
            phi_ = gears == 0 ? c_.phi : 0.0 - c_.phi;
            const V same = gears == 0 ? c_.same_angle : kPi - c_.same_angle;
            const V other = gears == 0 ? c_.other_angle : kPi - c_.other_angle;
            const V flipped = gears == 0 ? swapped_angle : kPi - swapped_angle;
            gears_ = gears;
            lsl(same);
            if (any(apart)) {
                lsr(apart, other, line, tilt);
                lrslr(apart, other, line, tilt);
                lrsr(Formula::lrsr, c_.other, other);
                lrsr(Formula::rsrl, swapped, phi_ + flipped);
            }
            if (any(same_apart)) {
                lrsl(Formula::lrsl, same_apart, same + same_tilt, same_line);
                lrsl(Formula::lsrl, same_apart, phi_ - same + same_tilt, same_line);
            }
            if (any(meet)) lrl(meet, same, third);
            if (any(overlap)) lrlr_out(overlap, other, out);
            if (any(reach)) lrlr_back(reach, other, back, back_tilt);
        }
    }

  private:
    using V = two::V;
    using M = two::M;

    static FAIRLEAD_INLINE V swap(V a) { return two::pair(a[1], a[0]); }
    [[nodiscard]] FAIRLEAD_INLINE V positive(V a) const { return wrap_positive(a, c_.slack); }
    [[nodiscard]] FAIRLEAD_INLINE V negative(V a) const { return wrap_negative(a, c_.slack); }
    [[nodiscard]] FAIRLEAD_INLINE M is_positive(V a) const { return a >= -c_.slack; }
    [[nodiscard]] FAIRLEAD_INLINE M is_negative(V a) const { return 0.0 - a >= -c_.slack; }
    FAIRLEAD_INLINE void give(Formula formula, M holds, V t, V u, V v, V length) {
        use_(formula, gears_, Slot{t, u, v, two::select(holds, length, two::fill(kNoWord))});
    }

    FAIRLEAD_INLINE void lsl(V same) {
        const V t = positive(same);
        const V v = positive(phi_ - t);
        give(Formula::lsl, is_positive(t) & is_positive(v), t, c_.same, v, t + c_.same + v);
    }
    FAIRLEAD_INLINE void lsr(M apart, V other, V line, V tilt) {
        const V t = positive(other + tilt);
        const V v = positive(t - phi_);
        give(Formula::lsr, apart & is_positive(t) & is_positive(v), t, line, v, t + line + v);
    }
    FAIRLEAD_INLINE void lrl(M meet, V same, V third) {
        const V t = positive(same - third + kPi);
        const V v = positive(phi_ - same - third + kPi);
        const V middle = 2.0 * third;
        give(Formula::lrl, meet & (is_positive(t) | is_positive(v)), t, 0.0 - middle, v,
             two::magnitude(t) + middle + two::magnitude(v));
    }
    FAIRLEAD_INLINE void lrlr_out(M overlap, V other, V u) {
        const V t = positive(other + u + kHalfPi);
        const V v = negative(t - 2.0 * u - phi_);
        give(Formula::lrlr_out, overlap & is_positive(t) & is_negative(v), t, u, v, t + 2.0 * u - v);
    }
    FAIRLEAD_INLINE void lrlr_back(M reach, V other, V u, V tilt) {
        const V t = positive(other - tilt);
        const V v = positive(t - phi_);
        give(Formula::lrlr_back, reach & is_positive(t) & is_positive(v), t, 0.0 - u, v, t + 2.0 * u + v);
    }
    // 8.9 and 8.10: an arc, a quarter turn in reverse, a line and an arc in reverse.
    FAIRLEAD_INLINE void lrsl(Formula formula, M apart, V angle, V line) {
        const V t = positive(angle + kHalfPi);
        const V v = negative(phi_ - kHalfPi - t);
        give(formula, apart & is_positive(t) & is_negative(v), t, 2.0 - line, v,
             t + kHalfPi + (line - 2.0) - v);
    }
    FAIRLEAD_INLINE void lrsr(Formula formula, V other, V angle) {
        const V t = positive(angle + kHalfPi);
        const V v = negative(t + kHalfPi - phi_);
        give(formula, (other >= 2.0 - 0.1 * kNear) & is_positive(t) & is_negative(v), t, 2.0 - other, v,
             t + kHalfPi + (other - 2.0) - v);
    }
    FAIRLEAD_INLINE void lrslr(M apart, V other, V line, V tilt) {
        const V t = positive(other + tilt + kHalfPi);
        const V v = positive(t - phi_);
        give(Formula::lrslr, apart & (line >= 4.0 - 0.1 * kNear) & is_positive(t) & is_positive(v), t,
             4.0 - line, v, t + kPi + (line - 4.0) + v);
    }

    const Circles& c_;
    Use& use_;
    V phi_;
    int gears_ = 0;
};

}  // namespace fairlead::curve
