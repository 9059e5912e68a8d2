#include <fairlead/base/rng.h>
#include <fairlead/math/predicates.h>
#include <fairlead/math/swept.h>
#include <fairlead/math/trig.h>

#include "digest/digest_scene.h"

namespace math = fairlead::math;
using fairlead::Aabb;
using fairlead::Rng;
using fairlead::Vec2;

namespace {

constexpr int kDraws = 20000;

/// A number of random size, so that every range reduction and every polynomial is met.
double any_size(Rng& rng, double limit) {
    double size = limit;
    for (std::uint32_t halvings = rng.below(60); halvings > 0; --halvings) size *= 0.5;
    return rng.between(-size, size);
}

Vec2 any_point(Rng& rng, double limit) { return {rng.between(-limit, limit), rng.between(-limit, limit)}; }

}  // namespace

FAIRLEAD_DIGEST_SCENE(math_sin_cos) {
    Rng rng(1);
    for (int i = 0; i < kDraws; ++i) {
        const double x = any_size(rng, 0x1p30);
        const math::SinCos both = math::sin_cos(x);
        digest.add(math::sin(x));
        digest.add(math::cos(x));
        digest.add(both.sin);
        digest.add(both.cos);
    }
}

FAIRLEAD_DIGEST_SCENE(math_arc_functions) {
    Rng rng(2);
    for (int i = 0; i < kDraws; ++i) {
        digest.add(math::atan(any_size(rng, 1e9)));
        const double y = any_size(rng, 1e6);
        digest.add(math::atan2(y, any_size(rng, 1e6)));
        const double x = any_size(rng, 1.0);
        digest.add(math::acos(x));
        digest.add(math::asin(x));
    }
}

FAIRLEAD_DIGEST_SCENE(math_wrap) {
    Rng rng(3);
    for (int i = 0; i < kDraws; ++i) {
        const double x = any_size(rng, 1e6);
        digest.add(math::wrap_pi(x));
        digest.add(math::wrap_two_pi(x));
    }
}

FAIRLEAD_DIGEST_SCENE(math_swept) {
    Rng rng(4);
    for (int i = 0; i < kDraws; ++i) {
        const Vec2 a = any_point(rng, 10.0);
        const Vec2 b = any_point(rng, 10.0);
        const Vec2 low = any_point(rng, 8.0);
        const Aabb box{low, {low.x + rng.between(0.0, 3.0), low.y + rng.between(0.0, 3.0)}};
        const double reach = rng.between(0.0, 2.0);
        digest.add(math::distance_segment_box(a, b, box));
        digest.add(math::penetration_disc_box(a, b, reach, box));
        digest.add(math::penetration_disc_box(a, b, 0.0, box));
        digest.add(math::penetration_square_box(a, b, reach, box));
    }
}

// Points on a small lattice moved by one unit in the last place: the exact stage decides most of them.
FAIRLEAD_DIGEST_SCENE(math_orient2d) {
    Rng rng(5);
    for (int i = 0; i < kDraws; ++i) {
        const auto lattice = [&rng] { return rng.between(0, 8) * 0.1 + rng.between(-2, 2) * 0x1p-53; };
        const Vec2 a{lattice(), lattice()};
        const Vec2 b{lattice(), lattice()};
        const Vec2 c{lattice(), lattice()};
        const double turn = math::orient2d(a, b, c);
        digest.add((turn > 0.0) - (turn < 0.0));
    }
}

// Cocircular on the lattice or nearly so: all stages.
FAIRLEAD_DIGEST_SCENE(math_in_circle) {
    Rng rng(6);
    for (int i = 0; i < kDraws; ++i) {
        Vec2 p[4];
        for (Vec2& q : p) {
            q.x = rng.between(0, 8) * 0.1;
            q.x += rng.between(-2, 2) * 0x1p-53;
            q.y = rng.between(0, 8) * 0.1;
            q.y += rng.between(-2, 2) * 0x1p-53;
        }
        const double side = math::in_circle(p[0], p[1], p[2], p[3]);
        digest.add((side > 0.0) - (side < 0.0));
    }
}
