// The orientation predicate. Jonathan R. Shewchuk (1997), "Adaptive precision floating-point arithmetic and
// fast robust geometric predicates". Departure: two stages instead of four (a filter, then everything),
// because the second is rare and the planners' coordinates make most of its components zero.
#include <fairlead/math/swept.h>

#include "math/exact.h"

namespace fairlead::math {
namespace {

using detail::Pair;

/// An exact sum of doubles, none of which overlaps another, smallest first; zeros are left out.
struct Expansion {
    double part[16];
    int size = 0;

    /// Adds one number exactly (Shewchuk's GROW-EXPANSION with zero elimination). At most 16 times.
    void add(double value) {
        int kept = 0;
        for (int i = 0; i < size; ++i) {
            const Pair sum = detail::two_sum(value, part[i]);
            value = sum.high;
            if (sum.low != 0.0) part[kept++] = sum.low;
        }
        if (value != 0.0) part[kept++] = value;
        size = kept;
    }

    void add(Pair pair) {
        add(pair.low);
        add(pair.high);
    }

    /// The sum, rounded, with its exact sign: grown one number at a time in round-to-even, the parts are not
    /// even adjacent (Shewchuk's theorem 10), so the largest outweighs twice the rest.
    [[nodiscard]] double value() const {
        double sum = 0.0;
        for (int i = 0; i < size; ++i) sum += part[i];
        return sum;
    }
};

/// p * q, four exact products.
void add_product(Expansion& sum, Pair p, Pair q) {
    sum.add(detail::two_product(p.low, q.low));
    sum.add(detail::two_product(p.low, q.high));
    sum.add(detail::two_product(p.high, q.low));
    sum.add(detail::two_product(p.high, q.high));
}

FAIRLEAD_NOINLINE double orient2d_exact(Vec2 a, Vec2 b, Vec2 c) {
    const Pair ux = detail::two_difference(b.x, a.x), uy = detail::two_difference(b.y, a.y);
    const Pair vx = detail::two_difference(c.x, a.x), vy = detail::two_difference(c.y, a.y);
    Expansion sum;
    add_product(sum, ux, vy);
    add_product(sum, {-uy.high, -uy.low}, vx);
    return sum.value();
}

}  // namespace

// The filter: each difference and each product has a relative error of at most u = 2^-53, so `left` and
// `right` are off by (3 u + 3 u^2 + u^3) of their true values, and their difference by u of itself. With
// |left| + |right| as computed that is (3 u + O(u^2)) (|left| + |right|) + u |left - right|, below 4 u (1 + 8
// u) times the computed sum. Shewchuk's constant is the tighter 3 u + 16 u^2, because the last subtraction
// cannot change the sign.
double orient2d(Vec2 a, Vec2 b, Vec2 c) {
    constexpr double kBound = 3.0 * 0x1p-53 + 16.0 * 0x1p-106;
    const double left = (b.x - a.x) * (c.y - a.y);
    const double right = (b.y - a.y) * (c.x - a.x);
    const double area = left - right;
    const double bound = kBound * (detail::magnitude(left) + detail::magnitude(right));
    if (FAIRLEAD_LIKELY(area > bound || -area > bound)) return area;
    return orient2d_exact(a, b, c);
}

}  // namespace fairlead::math
