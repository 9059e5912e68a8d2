// The orientation predicate. Jonathan R. Shewchuk (1997), "Adaptive precision floating-point arithmetic and
// fast robust geometric predicates". Departure: two stages instead of four (a filter, then everything),
// because the second is rare and the planners' coordinates make most of its components zero.
#include "math/expansion.h"
#include "math/predicates.h"

namespace fairlead::math {

FAIRLEAD_NOINLINE double detail::orient2d_exact(Vec2 a, Vec2 b, Vec2 c) {
    const Pair ux = two_difference(b.x, a.x), uy = two_difference(b.y, a.y);
    const Pair vx = two_difference(c.x, a.x), vy = two_difference(c.y, a.y);
    Expansion<16> sum;
    sum.add_product(ux, vy);
    sum.add_product({-uy.high, -uy.low}, vx);
    return sum.value();
}

double orient2d(Vec2 a, Vec2 b, Vec2 c) { return detail::orient2d_inline(a, b, c); }

}  // namespace fairlead::math
