// What of a body counts on a surface that keeps away from walls: all of the body is within the margin of it, and it is no larger
// than it need be.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "support/bodies.h"
#include "support/environment.h"

namespace fairlead {
namespace {

double distance_to_body(const BodyCore& body, Vec2 p) {
    const double x = std::max({body.core.low.x - p.x, 0.0, p.x - body.core.high.x});
    const double y = std::max({body.core.low.y - p.y, 0.0, p.y - body.core.high.y});
    return std::max(0.0, std::hypot(x, y) - body.radius);
}

/// The largest distance of a point of the one from the other.
double farthest(const BodyCore& of, const BodyCore& from) {
    double most = 0.0;
    const Vec2 low = of.core.low, high = of.core.high;
    for (const Vec2 corner : {low, Vec2{high.x, low.y}, high, Vec2{low.x, high.y}}) {
        for (int i = 0; i < 720; ++i) {
            const double angle = kTwoPi * i / 720.0;
            const Vec2 p = corner + Vec2{std::cos(angle), std::sin(angle)} * of.radius;
            most = std::max(most, distance_to_body(from, p));
        }
    }
    return most;
}

TEST(BodyBeyond, AllOfTheBodyIsWithinTheMargin) {
    Rng rng(4);
    for (int i = 0; i < testing::trials(2000); ++i) {
        const Agent agent =
            rng.below(4) == 0 ? Agent{.radius = rng.between(0.0, 2.0)} : testing::random_body(rng, 4.0);
        const double margin = rng.below(5) == 0 ? 0.0 : rng.between(0.0, 1.5);
        const BodyCore body = body_core(agent), less = body_beyond(agent, margin);
        const double most = farthest(body, less);
        EXPECT_LE(most, margin + 1e-12);
        EXPECT_TRUE(less.core.contains(Vec2{0.0, 0.0}));
        EXPECT_GE(less.radius, 0.0);
        // As small as may be, where the axle does not keep it larger and the margin does not take all of it.
        const bool axle_inside = body.core.contains(Vec2{0.0, 0.0}) && agent.axle_offset == 0.0;
        if (axle_inside && margin < inscribed_radius(agent)) {
            EXPECT_NEAR(most, margin, 1e-4);
        }
        if (margin == 0.0 && body.core.contains(Vec2{0.0, 0.0})) {
            EXPECT_EQ(less.core, body.core);
        }
    }
}

}  // namespace
}  // namespace fairlead
