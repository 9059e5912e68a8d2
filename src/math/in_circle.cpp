// The circle predicate. Jonathan R. Shewchuk (1997), "Adaptive precision floating-point arithmetic and fast
// robust geometric predicates". Departure: between the filter and the full expansion stands one stage for points
// of a lattice, whose differences and products of two are exact; it decides the cocircular points of grids.
#include "math/expansion.h"
#include "math/predicates.h"

namespace fairlead::math {
namespace detail {
namespace {

/// x * y - z * w where nothing of it rounds; `exact` is cleared where something does.
double short_minor(double x, double y, double z, double w, bool& exact) {
    const Pair left = two_product(x, y), right = two_product(z, w);
    const Pair sum = two_difference(left.high, right.high);
    exact = exact && left.low == 0.0 && right.low == 0.0 && sum.low == 0.0;
    return sum.high;
}

/// The stage for lattices. False where the differences or their products round.
bool in_circle_short(Vec2 a, Vec2 b, Vec2 c, Vec2 d, double& value) {
    const Pair ax = two_difference(a.x, d.x), ay = two_difference(a.y, d.y);
    const Pair bx = two_difference(b.x, d.x), by = two_difference(b.y, d.y);
    const Pair cx = two_difference(c.x, d.x), cy = two_difference(c.y, d.y);
    bool exact =
        ax.low == 0.0 && ay.low == 0.0 && bx.low == 0.0 && by.low == 0.0 && cx.low == 0.0 && cy.low == 0.0;
    if (!exact) return false;
    const double bc = short_minor(bx.high, cy.high, by.high, cx.high, exact);
    const double ca = short_minor(cx.high, ay.high, cy.high, ax.high, exact);
    const double ab = short_minor(ax.high, by.high, ay.high, bx.high, exact);
    const double lift_a = short_minor(ax.high, ax.high, -ay.high, ay.high, exact);
    const double lift_b = short_minor(bx.high, bx.high, -by.high, by.high, exact);
    const double lift_c = short_minor(cx.high, cx.high, -cy.high, cy.high, exact);
    if (!exact) return false;
    Expansion<6> sum;
    sum.add(two_product(lift_a, bc));
    sum.add(two_product(lift_b, ca));
    sum.add(two_product(lift_c, ab));
    value = sum.value();
    return true;
}

struct Minor {
    double part[12];
    int size = 0;
};

/// p.x q.y - q.x p.y, four numbers.
Minor minor(Vec2 p, Vec2 q) {
    Expansion<4> sum;
    sum.add(two_product(p.x, q.y));
    sum.add(two_product(-q.x, p.y));
    Minor out;
    for (int i = 0; i < sum.size; ++i) out.part[i] = sum.part[i];
    out.size = sum.size;
    return out;
}

Minor negated(Minor m) {
    for (int i = 0; i < m.size; ++i) m.part[i] = -m.part[i];
    return m;
}

/// The sum of three minors of two points: twice the area of a triangle.
Minor area_of(const Minor& p, const Minor& q, const Minor& r) {
    double two[8];
    const int size = sum_expansions(p.part, p.size, q.part, q.size, two);
    Minor out;
    out.size = sum_expansions(two, size, r.part, r.size, out.part);
    return out;
}

/// sign * area * (p.x^2 + p.y^2): at most 96 numbers.
int lifted(const Minor& area, Vec2 p, double sign, double* out) {
    double once[24], x[48], y[48];
    int size = scale_expansion(area.part, area.size, p.x, once);
    const int x_size = scale_expansion(once, size, sign * p.x, x);
    size = scale_expansion(area.part, area.size, p.y, once);
    const int y_size = scale_expansion(once, size, sign * p.y, y);
    return sum_expansions(x, x_size, y, y_size, out);
}

double in_circle_full(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const Minor ab = minor(a, b), bc = minor(b, c), cd = minor(c, d), da = minor(d, a);
    const Minor ac = minor(a, c), bd = minor(b, d);
    double p[96], q[96], r[96], s[96], left[192], right[192], total[384];
    const int p_size = lifted(area_of(bc, cd, negated(bd)), a, 1.0, p);
    const int q_size = lifted(area_of(cd, da, ac), b, -1.0, q);
    const int r_size = lifted(area_of(da, ab, bd), c, 1.0, r);
    const int s_size = lifted(area_of(ab, bc, negated(ac)), d, -1.0, s);
    const int left_size = sum_expansions(p, p_size, q, q_size, left);
    const int right_size = sum_expansions(r, r_size, s, s_size, right);
    const int size = sum_expansions(left, left_size, right, right_size, total);
    return size == 0 ? 0.0 : total[size - 1];
}

}  // namespace

FAIRLEAD_NOINLINE double in_circle_exact(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    double value = 0.0;
    return in_circle_short(a, b, c, d, value) ? value : in_circle_full(a, b, c, d);
}

}  // namespace detail

double in_circle(Vec2 a, Vec2 b, Vec2 c, Vec2 d) { return detail::in_circle_inline(a, b, c, d); }

}  // namespace fairlead::math
