// Moving discs and squares against boxes: oracles in wide arithmetic, written apart from the library, and random cases.
#pragma once

#include <algorithm>
#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/math/swept.h>

#include "wide.h"

namespace fairlead::math_test {

// ---- Oracles, written apart from the library: wide arithmetic, textbook cases, no shared formula.

struct Wide2 {
    Wide x;
    Wide y;
};

inline Wide2 widen(Vec2 p) { return {p.x, p.y}; }
inline Wide2 at(Wide2 a, Wide2 b, Wide t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }
inline Wide least(Wide a, Wide b) { return a < b ? a : b; }
inline Wide most(Wide a, Wide b) { return a < b ? b : a; }

inline Wide clamped(Wide t) { return t < 0 ? Wide{0} : (t > 1 ? Wide{1} : t); }

inline Wide point_segment(Wide2 p, Wide2 a, Wide2 b) {
    const Wide2 d{b.x - a.x, b.y - a.y};
    const Wide square = d.x * d.x + d.y * d.y;
    const Wide t = square > 0 ? clamped(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / square) : Wide{0};
    const Wide2 q = at(a, b, t);
    const Wide2 gap{p.x - q.x, p.y - q.y};
    return wide_sqrt(gap.x * gap.x + gap.y * gap.y);
}

/// Clips the segment against the four sides of the closed box (Liang and Barsky 1984).
inline bool meets(Wide2 a, Wide2 b, const Aabb& box) {
    Wide first = 0, last = 1;
    const auto clip = [&](Wide start, Wide delta, Wide low, Wide high) {
        if (delta == 0) return low <= start && start <= high;
        const Wide enter = ((delta > 0 ? low : high) - start) / delta;
        const Wide leave = ((delta > 0 ? high : low) - start) / delta;
        first = most(first, enter);
        last = least(last, leave);
        return true;
    };
    return clip(a.x, b.x - a.x, box.low.x, box.high.x) && clip(a.y, b.y - a.y, box.low.y, box.high.y) &&
           first <= last;
}

inline Wide point_box(Wide2 p, const Aabb& box) {
    const Wide x = most(most(box.low.x - p.x, p.x - box.high.x), 0);
    const Wide y = most(most(box.low.y - p.y, p.y - box.high.y), 0);
    return wide_sqrt(x * x + y * y);
}

inline Wide oracle_distance(Vec2 from, Vec2 to, const Aabb& box) {
    const Wide2 a = widen(from), b = widen(to);
    if (meets(a, b, box)) return 0;
    Wide result = least(point_box(a, box), point_box(b, box));
    for (const double x : {box.low.x, box.high.x}) {
        for (const double y : {box.low.y, box.high.y}) result = least(result, point_segment({x, y}, a, b));
    }
    return result;
}

/// Depth of one point: distance to the nearest side's line, negative outside, in the largest-coordinate norm.
inline Wide depth_of_point(Wide2 p, Wide2 low, Wide2 high) {
    return least(least(p.x - low.x, high.x - p.x), least(p.y - low.y, high.y - p.y));
}

/// The depth is concave and piecewise linear in t with breaks where two of the four terms are equal: the
/// maximum is at one of those or at an end.
inline Wide oracle_depth(Vec2 from, Vec2 to, Wide half, const Aabb& box) {
    const Wide2 a = widen(from), b = widen(to);
    const Wide2 low{box.low.x - half, box.low.y - half}, high{box.high.x + half, box.high.y + half};
    const Wide2 d{b.x - a.x, b.y - a.y};
    const Wide offset[4] = {a.x - low.x, high.x - a.x, a.y - low.y, high.y - a.y};
    const Wide slope[4] = {d.x, -d.x, d.y, -d.y};
    Wide best = most(depth_of_point(a, low, high), depth_of_point(b, low, high));
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
            if (slope[i] == slope[j]) continue;
            const Wide t = (offset[j] - offset[i]) / (slope[i] - slope[j]);
            best = most(best, depth_of_point(at(a, b, clamped(t)), low, high));
        }
    }
    return best;
}

inline Wide oracle_disc(Vec2 a, Vec2 b, double radius, const Aabb& box) {
    if (radius > 0.0) return radius - oracle_distance(a, b, box);
    const Wide depth = oracle_depth(a, b, 0, box);
    return depth > 0 ? depth : -oracle_distance(a, b, box);
}

// ---- Cases.

struct Case {
    Vec2 a;
    Vec2 b;
    Aabb box;
    double body;  ///< radius or half-width
};

inline double largest_number(const Case& c) {
    double result = std::fabs(c.body);
    for (const Vec2 p : {c.a, c.b, c.box.low, c.box.high}) {
        result = std::max(result, std::max(std::fabs(p.x), std::fabs(p.y)));
    }
    return result;
}

inline double tolerance(const Case& c, double result) {
    return 8.0 * ulp_of(std::max(largest_number(c), std::fabs(result)));
}

/// Half-integer lattice, boxes of whole sides, now and then without width: every kind of touching.
inline Case lattice_case(Rng& rng) {
    const auto half = [&] { return 0.5 * rng.between(-6, 6); };
    const double ax = half(), ay = half(), bx = half(), by = half(), x = half(), y = half();
    const double width = rng.between(0, 3);
    return {{ax, ay}, {bx, by}, {{x, y}, {x + width, y + rng.between(0, 3)}}, 0.5 * rng.between(0, 3)};
}

inline Case free_case(Rng& rng) {
    const double scale = std::ldexp(1.0, rng.between(-12, 12));
    const auto any = [&] { return scale * rng.between(-4.0, 4.0); };
    const double ax = any(), ay = any(), bx = any(), by = any(), x = any(), y = any();
    const double width = scale * rng.unit() * 3.0;
    return {{ax, ay},
            {bx, by},
            {{x, y}, {x + width, y + scale * rng.unit() * 3.0}},
            rng.below(3) * scale * rng.unit()};
}

/// A free case within rounding of touching: the segment's line through a corner of the box, or a body as
/// large as the gap, or an end on a side; and far from the origin.
inline Case touching_case(Rng& rng) {
    Case c = rng.below(2) != 0 ? free_case(rng) : lattice_case(rng);
    const Vec2 offset{static_cast<double>(rng.between(-1000000, 1000000)),
                      static_cast<double>(rng.between(-1000000, 1000000))};
    if (rng.below(2) != 0)
        c = {c.a + offset, c.b + offset, {c.box.low + offset, c.box.high + offset}, c.body};
    const Vec2 corner{rng.below(2) != 0 ? c.box.low.x : c.box.high.x,
                      rng.below(2) != 0 ? c.box.low.y : c.box.high.y};
    switch (rng.below(4)) {
        case 0: c.b = corner + (corner - c.a) * rng.unit(); break;
        case 1: c.a = corner; break;
        case 2: c.body = static_cast<double>(oracle_distance(c.a, c.b, c.box)); break;
        default: c.b.x = c.box.low.x; break;
    }
    return c;
}

inline Case short_case(Rng& rng) {
    Case c = rng.below(2) != 0 ? free_case(rng) : touching_case(rng);
    const double x = std::ldexp(rng.between(-1.0, 1.0), rng.between(-60, 0));
    c.b = c.a + Vec2{x, rng.below(4) == 0 ? 0.0 : x * rng.between(-1.0, 1.0)};
    if (rng.below(8) == 0) c.b = c.a;
    return c;
}

template <class Check>
void for_all_kinds(int count, Check check) {
    Rng rng(7);
    for (int i = 0; i < count; ++i) {
        for (Case (*make)(Rng&) : {lattice_case, free_case, touching_case, short_case}) {
            const Case c = make(rng);
            check(c);
            if (::testing::Test::HasFatalFailure()) {
                ADD_FAILURE() << ::testing::PrintToString(i) << ": a " << c.a.x << " " << c.a.y << " b "
                              << c.b.x << " " << c.b.y << " box " << c.box.low.x << " " << c.box.low.y << " "
                              << c.box.high.x << " " << c.box.high.y << " body " << c.body;
                return;
            }
        }
    }
}

}  // namespace fairlead::math_test
