// The circle predicate. Jonathan R. Shewchuk (1997), "Adaptive precision floating-point arithmetic and fast
// robust geometric predicates". Departure: the stages between the filter and the full expansion. Points of a
// lattice have exact differences and exact products of two, so one short sum decides the cocircular points of grids;
// twice the precision decides most of what is nearly cocircular; corners of upright boxes, the most frequent points off a
// lattice that are on a circle, are known by their symmetry; exact differences alone make the expansions short.
#include "math/expansion.h"
#include "math/predicates.h"

namespace fairlead::math {
namespace detail {
namespace {

/// The differences to d, each as an exact pair.
struct Offsets {
    Pair ax, ay, bx, by, cx, cy;
    [[nodiscard]] bool plain() const {
        return ax.low == 0.0 && ay.low == 0.0 && bx.low == 0.0 && by.low == 0.0 && cx.low == 0.0 &&
               cy.low == 0.0;
    }
};

/// x * y - z * w where nothing of it rounds; `exact` is cleared where something does.
double short_minor(double x, double y, double z, double w, bool& exact) {
    const Pair left = two_product(x, y), right = two_product(z, w);
    const Pair sum = two_difference(left.high, right.high);
    exact = exact && left.low == 0.0 && right.low == 0.0 && sum.low == 0.0;
    return sum.high;
}

/// The stage for lattices: plain offsets. False where the products of two of them round.
bool in_circle_short(const Offsets& o, double& value) {
    bool exact = true;
    const double bc = short_minor(o.bx.high, o.cy.high, o.by.high, o.cx.high, exact);
    const double ca = short_minor(o.cx.high, o.ay.high, o.cy.high, o.ax.high, exact);
    const double ab = short_minor(o.ax.high, o.by.high, o.ay.high, o.bx.high, exact);
    const double lift_a = short_minor(o.ax.high, o.ax.high, -o.ay.high, o.ay.high, exact);
    const double lift_b = short_minor(o.bx.high, o.bx.high, -o.by.high, o.by.high, exact);
    const double lift_c = short_minor(o.cx.high, o.cx.high, -o.cy.high, o.cy.high, exact);
    if (!exact) return false;
    Expansion<6> sum;
    sum.add(two_product(lift_a, bc));
    sum.add(two_product(lift_b, ca));
    sum.add(two_product(lift_c, ab));
    value = sum.value();
    return true;
}

// Numbers of twice the precision. Mioara Joldes, Jean-Michel Muller, Valentina Popescu (2017), "Tight and rigorous
// error bounds for basic building blocks of double-word arithmetic": relative errors below 3 u^2 (1 + O(u)) and
// 7 u^2, u = 2^-53.
Pair double_sum(Pair a, Pair b) {
    Pair sum = two_sum(a.high, b.high);
    const Pair low = two_sum(a.low, b.low);
    sum = fast_two_sum(sum.high, sum.low + low.high);
    return fast_two_sum(sum.high, sum.low + low.low);
}

Pair double_product(Pair a, Pair b) {
    const Pair product = two_product(a.high, b.high);
    return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

Pair minus(Pair a) { return {-a.high, -a.low}; }

Pair double_minor(Pair x, Pair y, Pair z, Pair w) {
    return double_sum(double_product(x, y), minus(double_product(z, w)));
}

double bulk(Pair x, Pair y, Pair z, Pair w) {
    return magnitude(x.high * y.high) + magnitude(z.high * w.high);
}

/// The stage for nearly cocircular points, such as regular polygons. A term is a product of a minor and a lift, each
/// within 11 u^2 of the sum of its products' sizes; times 7 u^2, and three additions: below 40 u^2 of the sum of the
/// terms' sizes. 2^-99 is 128 u^2; the rest is for `size` being rounded itself.
bool in_circle_double(const Offsets& o, double& value) {
    const Pair lift_a = double_minor(o.ax, o.ax, minus(o.ay), o.ay);
    const Pair lift_b = double_minor(o.bx, o.bx, minus(o.by), o.by);
    const Pair lift_c = double_minor(o.cx, o.cx, minus(o.cy), o.cy);
    const Pair a = double_product(lift_a, double_minor(o.bx, o.cy, o.by, o.cx));
    const Pair b = double_product(lift_b, double_minor(o.cx, o.ay, o.cy, o.ax));
    const Pair c = double_product(lift_c, double_minor(o.ax, o.by, o.ay, o.bx));
    const double size = lift_a.high * bulk(o.bx, o.cy, o.by, o.cx) +
                        lift_b.high * bulk(o.cx, o.ay, o.cy, o.ax) +
                        lift_c.high * bulk(o.ax, o.by, o.ay, o.bx);
    value = double_sum(double_sum(a, b), c).high;
    return magnitude(value) > 0x1p-99 * size;
}

bool same_sum(double a, double b, double c, double d) {
    const Pair one = two_sum(a, b), two = two_sum(c, d);
    return one.high == two.high && one.low == two.low;
}

/// Does one upright or level line mirror the pair p q and the pair r s? Then all four are on a circle.
bool mirrored(Vec2 p, Vec2 q, Vec2 r, Vec2 s) {
    return (p.y == q.y && r.y == s.y && same_sum(p.x, q.x, r.x, s.x)) ||
           (p.x == q.x && r.x == s.x && same_sum(p.y, q.y, r.y, s.y));
}

/// The stage for boxes: what is upright is cocircular wherever it stands.
bool in_circle_mirrored(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    return mirrored(a, b, c, d) || mirrored(a, c, b, d) || mirrored(a, d, b, c);
}

/// lift(p) * (q x r) with plain offsets; at most 32 numbers.
int plain_term(Pair px, Pair py, Pair qx, Pair qy, Pair rx, Pair ry, double* out) {
    Expansion<4> lift, area;
    lift.add(two_product(px.high, px.high));
    lift.add(two_product(py.high, py.high));
    area.add(two_product(qx.high, ry.high));
    area.add(two_product(-qy.high, rx.high));
    double sum[32], part[8];
    int size = 0;
    for (int i = 0; i < lift.size; ++i) {
        const int part_size = scale_expansion(area.part, area.size, lift.part[i], part);
        const int kept = sum_expansions(sum, size, part, part_size, out);
        for (int k = 0; k < kept; ++k) sum[k] = out[k];
        size = kept;
    }
    return size;
}

/// Everything, for plain offsets.
double in_circle_plain(const Offsets& o) {
    double a[32], b[32], c[32], two[64], total[96];
    const int a_size = plain_term(o.ax, o.ay, o.bx, o.by, o.cx, o.cy, a);
    const int b_size = plain_term(o.bx, o.by, o.cx, o.cy, o.ax, o.ay, b);
    const int c_size = plain_term(o.cx, o.cy, o.ax, o.ay, o.bx, o.by, c);
    const int two_size = sum_expansions(a, a_size, b, b_size, two);
    const int size = sum_expansions(two, two_size, c, c_size, total);
    return size == 0 ? 0.0 : total[size - 1];
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
    const Offsets o{two_difference(a.x, d.x), two_difference(a.y, d.y), two_difference(b.x, d.x),
                    two_difference(b.y, d.y), two_difference(c.x, d.x), two_difference(c.y, d.y)};
    const bool plain = o.plain();
    double value = 0.0;
    if (plain && in_circle_short(o, value)) return value;
    if (in_circle_double(o, value)) return value;
    if (in_circle_mirrored(a, b, c, d)) return 0.0;
    return plain ? in_circle_plain(o) : in_circle_full(a, b, c, d);
}

}  // namespace detail

double in_circle(Vec2 a, Vec2 b, Vec2 c, Vec2 d) { return detail::in_circle_inline(a, b, c, d); }

}  // namespace fairlead::math
