// The closed-form test behind every verdict about bodies that turn, against a maximum found by search in long double. With
// a radius they agree to within the error bound of verify.h; sharp bodies are told apart as verify.h says.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/trig.h>

#include "verify/rigid_contact.h"
#include "verify/scale.h"

namespace fairlead {
namespace {

using Wide = long double;
using witness::Motion;
using witness::Obstacle;
using witness::RigidBody;

struct Point {
    Wide x;
    Wide y;
};

struct Pose {
    Point at;
    Point ahead;
};

/// The axle and the heading after a distance.
Pose pose_at(const Motion& m, Wide s) {
    const Wide spin = m.spin;
    const Wide turn = spin * s;
    const Point f{m.facing.x, m.facing.y};
    const Wide half = turn / 2;
    const Wide chord = m.speed * (spin == 0 ? s : 2 * std::sin(half) / spin);
    return {{m.axle.x + chord * (std::cos(half) * f.x - std::sin(half) * f.y),
             m.axle.y + chord * (std::sin(half) * f.x + std::cos(half) * f.y)},
            {std::cos(turn) * f.x - std::sin(turn) * f.y, std::sin(turn) * f.x + std::cos(turn) * f.y}};
}

using Corners = std::array<Point, 4>;

Corners corners_of(const Aabb& box) {
    return {Point{box.low.x, box.low.y}, Point{box.high.x, box.low.y}, Point{box.high.x, box.high.y},
            Point{box.low.x, box.high.y}};
}

/// The separation of two rectangles on an axis; negative where they overlap.
Wide apart_on(const Corners& a, const Corners& b, Point axis) {
    const auto range = [&](const Corners& points) {
        std::array<Wide, 2> r{1e30L, -1e30L};
        for (const Point p : points) {
            const Wide d = p.x * axis.x + p.y * axis.y;
            r = {std::min(r[0], d), std::max(r[1], d)};
        }
        return r;
    };
    const auto ra = range(a);
    const auto rb = range(b);
    return std::max(ra[0] - rb[1], rb[0] - ra[1]);
}

Wide to_segment(Point p, Point a, Point b) {
    const Wide dx = b.x - a.x;
    const Wide dy = b.y - a.y;
    const Wide size = dx * dx + dy * dy;
    const Wide t = size > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / size, 0.0L, 1.0L) : 0;
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

Wide depth(const Motion& motion, const RigidBody& body, const Obstacle& obstacle, Wide s) {
    const Pose pose = pose_at(motion, s);
    Corners core = corners_of(body.core);
    for (Point& p : core) {
        p = {pose.at.x + p.x * pose.ahead.x - p.y * pose.ahead.y,
             pose.at.y + p.x * pose.ahead.y + p.y * pose.ahead.x};
    }
    const Corners tile = corners_of(obstacle.box);
    Wide apart = -1e30L;
    for (const Point axis : {Point{1, 0}, Point{0, 1}, pose.ahead, Point{-pose.ahead.y, pose.ahead.x}}) {
        apart = std::max(apart, apart_on(core, tile, axis));
    }
    const Wide round = static_cast<Wide>(body.radius) + obstacle.round;
    if (apart < 0) return round - apart;
    Wide least = 1e30L;
    for (std::size_t i = 0; i < 4; ++i) {
        for (const Point p : core) least = std::min(least, to_segment(p, tile[i], tile[(i + 1) % 4]));
        for (const Point p : tile) least = std::min(least, to_segment(p, core[i], core[(i + 1) % 4]));
    }
    return round - least;
}

/// By sampling, then by thirds around every sample that could still hold the maximum.
Wide deepest(const Motion& motion, const RigidBody& body, const Obstacle& obstacle) {
    constexpr int kSamples = 600;
    const Wide step = static_cast<Wide>(motion.extent) / kSamples;
    std::vector<Wide> sampled;
    for (int i = 0; i <= kSamples; ++i) sampled.push_back(depth(motion, body, obstacle, step * i));
    Wide best = *std::max_element(sampled.begin(), sampled.end());
    const Wide far = body.reach();
    const Wide hopeful = best - 2 * step * (std::fabs(static_cast<Wide>(motion.spin)) * far + 1);
    for (int i = 0; i <= kSamples; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool peak =
            (i == 0 || sampled[at] > sampled[at - 1]) && (i == kSamples || sampled[at] >= sampled[at + 1]);
        if (sampled[at] < hopeful || !peak) continue;
        Wide low = std::max<Wide>(0, step * (i - 1));
        Wide high = std::min<Wide>(motion.extent, step * (i + 1));
        for (int j = 0; j < 70; ++j) {
            const Wide a = low + (high - low) / 3;
            const Wide b = high - (high - low) / 3;
            const bool rises = depth(motion, body, obstacle, a) < depth(motion, body, obstacle, b);
            (rises ? low : high) = rises ? a : b;
        }
        best = std::max(best, depth(motion, body, obstacle, (low + high) / 2));
    }
    return best;
}

struct RigidSpan {
    double low;
    double high;
};

struct RigidFamily {
    const char* name;
    RigidSpan length;
    RigidSpan radius;  // of the circle; low = 0: straight; high = 0: on the spot
    RigidSpan body;
    double place;  // how far out, cells
};

class RigidExact : public ::testing::TestWithParam<RigidFamily> {
  protected:
    static Motion random_motion(Rng& rng, const RigidFamily& family, const RigidBody& body) {
        const auto pick = [&](RigidSpan span) { return rng.between(span.low, span.high); };
        Motion motion;
        motion.facing =
            math::direction(rng.below(4) == 0 ? rng.between(-8, 8) * kHalfPi / 2 : rng.between(-4.0, 4.0));
        // A point of the body, somewhere on the way, is near the tile at `place`.
        const double out = family.place;
        motion.axle =
            Vec2{out, out} + Vec2{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)} * (body.reach() + 0.3);
        if (family.radius.high == 0.0) {
            motion.spin = rng.below(2) == 0 ? 1.0 : -1.0;
            motion.extent = pick({0.01, 3.0});
            return motion;
        }
        motion.speed = rng.below(2) == 0 ? 1.0 : -1.0;
        motion.extent = pick(family.length);
        if (family.radius.low > 0.0) motion.spin = (rng.below(2) == 0 ? 1.0 : -1.0) / pick(family.radius);
        motion.extent = std::min(motion.extent, 3.0 / std::max(std::fabs(motion.spin), 1e-12));
        return motion;
    }
    static RigidBody random_core(Rng& rng, const RigidFamily& family) {
        const double size = rng.between(family.body.low, family.body.high);
        const double ahead = rng.between(-0.7, 0.7) * size;
        const double wide = rng.below(3) == 0 ? 0.0 : 0.5 * size * rng.unit();
        return {{{ahead - 0.5 * size, -wide}, {ahead + 0.5 * size, wide}}, 0.0};
    }
    static Obstacle random_obstacle(Rng& rng, const RigidFamily& family) {
        const Vec2 low{family.place, family.place};
        if (rng.below(4) == 0) return {{low, low}, rng.unit()};
        return {{low, low + Vec2{1, 1}}, 0.0};
    }
};

TEST_P(RigidExact, BodiesWithARadiusAgreeWithinTheErrorBound) {
    const RigidFamily& family = GetParam();
    Rng rng(17);
    Wide worst = 0;
    int met = 0;
    for (int i = 0; i < 200; ++i) {
        RigidBody body = random_core(rng, family);
        const Obstacle obstacle = random_obstacle(rng, family);
        const Motion motion = random_motion(rng, family, body);
        // A radius with which the body reaches into the obstacle, so that the threshold is in the exact range.
        const auto gap = static_cast<double>(-deepest(motion, body, obstacle));
        if (gap < 0.0) continue;  // the cores meet
        body.radius = gap + rng.between(0.01, 0.8) * (gap + 0.01);
        const auto d = static_cast<double>(deepest(motion, body, obstacle));
        if (body.radius + obstacle.round < 1.2 * d || d <= 0.0) continue;
        ++met;
        const double size = 4.0 * body.reach() + family.place + motion.extent + 2.0;
        const double bound = 200.0 * witness::kRound * size;
        ASSERT_TRUE(goes_deeper(motion, body, obstacle, d - bound)) << i << " depth " << d;
        ASSERT_FALSE(goes_deeper(motion, body, obstacle, d + bound)) << i << " depth " << d;
        for (double e = bound; e > 1e-18; e /= 2) {
            if (goes_deeper(motion, body, obstacle, d - e) && !goes_deeper(motion, body, obstacle, d + e))
                continue;
            worst = std::max<Wide>(worst, e / (witness::kRound * size));
            break;
        }
    }
    EXPECT_GT(met, 30);
    RecordProperty("error_in_roundings", std::to_string(static_cast<double>(worst)));
}

TEST_P(RigidExact, SharpBodiesAreToldApartAsStated) {
    const RigidFamily& family = GetParam();
    Rng rng(23);
    int met = 0;
    for (int i = 0; i < 200; ++i) {
        RigidBody body = random_core(rng, family);
        Obstacle obstacle = random_obstacle(rng, family);
        if (obstacle.round > 0.0)
            obstacle.box.high = obstacle.box.low + Vec2{rng.unit(), rng.unit()}, obstacle.round = 0.0;
        const Motion motion = random_motion(rng, family, body);
        const auto d = static_cast<double>(deepest(motion, body, obstacle));
        if (d <= 1e-9) {
            ASSERT_FALSE(d < -1e-9 && goes_deeper(motion, body, obstacle, -d)) << i;
            continue;
        }
        ++met;
        ASSERT_TRUE(goes_deeper(motion, body, obstacle, d * (1.0 - 1e-6))) << i << " depth " << d;
        // One of the two is wide enough to lose its margin.
        const double t = d / 0.58;
        const Vec2 core = body.core.high - body.core.low;
        const Vec2 tile = obstacle.box.high - obstacle.box.low;
        const double margin = 2.0 * t * 0.7072;
        const bool wide = std::min(core.x, core.y) > margin || std::min(tile.x, tile.y) > margin;
        if (wide) {
            ASSERT_FALSE(goes_deeper(motion, body, obstacle, t)) << i << " depth " << d;
        }
    }
    EXPECT_GT(met, 30);
}

std::string rigid_name(const ::testing::TestParamInfo<RigidFamily>& tested) { return tested.param.name; }

INSTANTIATE_TEST_SUITE_P(All, RigidExact,
                         ::testing::Values(RigidFamily{"lines", {0, 5}, {0, 1}, {0.5, 4}, 10},
                                           RigidFamily{"long_lines", {10, 32}, {0, 1}, {0.5, 4}, 100},
                                           RigidFamily{"arcs", {0, 5}, {0.5, 12}, {0.5, 4}, 10},
                                           RigidFamily{"tight_arcs", {0, 3}, {0.01, 0.4}, {0.5, 4}, 10},
                                           RigidFamily{"flat_arcs", {0, 30}, {1e3, 1e6}, {0.5, 4}, 1000},
                                           RigidFamily{
                                               "almost_straight", {0, 30}, {1e8, 1e14}, {0.5, 4}, 1000},
                                           RigidFamily{"on_the_spot", {0, 0}, {0, 0}, {0.5, 4}, 10},
                                           RigidFamily{"large_bodies", {0, 30}, {5, 50}, {10, 60}, 100},
                                           RigidFamily{"small_bodies", {0, 2}, {0.1, 5}, {1e-3, 0.1}, 10}),
                         rigid_name);

}  // namespace
}  // namespace fairlead
