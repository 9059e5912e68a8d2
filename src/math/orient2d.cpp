// The orientation predicate. Jonathan R. Shewchuk (1997), "Adaptive precision floating-point arithmetic and
// fast robust geometric predicates". Departure: after the filter comes everything at once, because that is rare; where
// the differences are exact, as they are for neighbours and on lattices, it is four numbers instead of sixteen.
#include "math/expansion.h"
#include "math/predicates.h"

namespace fairlead::math {

FAIRLEAD_NOINLINE double detail::orient2d_exact(Vec2 a, Vec2 b, Vec2 c) {
    const Pair ux = two_difference(b.x, a.x), uy = two_difference(b.y, a.y);
    const Pair vx = two_difference(c.x, a.x), vy = two_difference(c.y, a.y);
    if (ux.low == 0.0 && uy.low == 0.0 && vx.low == 0.0 && vy.low == 0.0) {
        Expansion<4> four;
        four.add(two_product(ux.high, vy.high));
        four.add(two_product(-uy.high, vx.high));
        return four.value();
    }
    Expansion<16> sum;
    sum.add_product(ux, vy);
    sum.add_product({-uy.high, -uy.low}, vx);
    return sum.value();
}

double orient2d(Vec2 a, Vec2 b, Vec2 c) { return detail::orient2d_inline(a, b, c); }

}  // namespace fairlead::math
