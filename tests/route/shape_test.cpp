// Turns and straightness of routes: known shapes, and random ones beside a count of the test's own along dense samples.
#include <fairlead/route/shape.h>

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/math/trig.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

/// Puts legs one after the other.
struct ShapeMaker {
    Route route;
    Vec2 at{0, 0};

    ShapeMaker() { route.status = PathStatus::complete; }
    Leg& add(double heading, double size, double curvature = 0.0, Gear gear = Gear::forward) {
        Leg leg;
        leg.start = {{at.x, at.y, 0}, heading, 0};
        leg.length = size;
        leg.curvature = curvature;
        leg.gear = gear;
        (void)route.legs.push_back(leg);
        const Place end = place_on_leg(route.legs.back(), size);
        at = {end.position.x, end.position.y};
        route.end = end;
        return route.legs.back();
    }
};

TEST(RouteShape, ZigzagOfTiles) {
    ShapeMaker way;
    for (int i = 0; i < 3; ++i) {
        way.add(0.0, 2.0);
        way.add(kPi / 4, std::sqrt(2.0));
    }
    const RouteShape shape = route_shape(way.route);
    EXPECT_EQ(shape.turns, 5);
    EXPECT_EQ(shape.cusps, 0);
    EXPECT_NEAR(shape.turned_rad, 5 * kPi / 4, 1e-12);
    EXPECT_NEAR(shape.straightness, std::sqrt(90.0) / (6 + 3 * std::sqrt(2.0)), 1e-12);
}

TEST(RouteShape, StraightAndEmpty) {
    EXPECT_EQ(route_shape({}).turns, 0);
    EXPECT_EQ(route_shape({}).straightness, 1.0);
    ShapeMaker way;
    way.add(0.3, 2.0);
    way.add(0.3, 5.0);
    EXPECT_EQ(route_shape(way.route).turns, 0);
    EXPECT_NEAR(route_shape(way.route).straightness, 1.0, 1e-12);
}

TEST(RouteShape, ARunOfArcsIsOneTurnAndAnSIsTwo) {
    ShapeMaker way;
    way.add(0.0, 3.0);
    way.add(0.0, 0.5, 1.0);
    way.add(0.5, 0.5, 0.5);
    way.add(0.75, 2.0);
    EXPECT_EQ(route_shape(way.route).turns, 1);
    EXPECT_NEAR(route_shape(way.route).turned_rad, 0.75, 1e-12);
    way.add(0.75, 0.5, -1.0);
    way.add(0.25, 0.5, 1.0);
    EXPECT_EQ(route_shape(way.route).turns, 3);
}

TEST(RouteShape, CuspsAreNoTurnsAndTurnsOnTheSpotAreTheirCorner) {
    ShapeMaker way;
    way.add(0.0, 3.0);
    way.add(0.0, 2.0, 0.0, Gear::reverse);
    way.add(0.0, 1.0);
    RouteShape shape = route_shape(way.route);
    EXPECT_EQ(shape.turns, 0);
    EXPECT_EQ(shape.cusps, 2);
    EXPECT_EQ(shape.turned_rad, 0.0);
    ShapeMaker spot;
    spot.add(0.0, 3.0);
    Leg& turn = spot.add(0.0, 0.0);
    turn.kind = LegKind::turn;
    turn.turn_rad = 1.0;
    spot.add(1.0, 2.0);
    shape = route_shape(spot.route);
    EXPECT_EQ(shape.turns, 1);
    EXPECT_NEAR(shape.turned_rad, 1.0, 1e-12);
}

TEST(RouteShape, LinksPartTheWayAndClimbsCountInSpace) {
    ShapeMaker way;
    way.add(0.0, 4.0);
    Leg& link = way.add(0.0, 0.0);
    link.kind = LegKind::link;
    way.at = {100, 100};
    way.add(2.0, 3.0);
    EXPECT_EQ(route_shape(way.route).turns, 0);
    EXPECT_NEAR(route_shape(way.route).straightness, 1.0, 1e-12);
    Route climb;
    climb.status = PathStatus::complete;
    Leg up;
    up.length = 3.0;
    up.rise = 4.0;
    (void)climb.legs.push_back(up);
    Leg flat;
    flat.start.position = {3, 0, 4};
    flat.length = 5.0;
    (void)climb.legs.push_back(flat);
    climb.end.position = {8, 0, 4};
    const RouteShape shape = route_shape(climb);
    EXPECT_EQ(shape.turns, 1);
    EXPECT_NEAR(shape.turned_rad, std::atan2(4.0, 3.0), 1e-12);
    EXPECT_NEAR(shape.straightness, std::sqrt(80.0) / 10.0, 1e-12);
}

// The turning of a curve is what its direction turns by between dense samples.
TEST(RouteShape, TurningIsThatOfDenseSamples) {
    Rng rng{4};
    for (int i = 0; i < trials(200); ++i) {
        ShapeMaker way;
        double heading = rng.between(-3.0, 3.0);
        const int count = rng.between(1, 8);
        for (int k = 0; k < count; ++k) {
            const double size = rng.between(0.2, 3.0);
            const double curvature = rng.below(2) == 0 ? 0.0 : rng.between(-1.0, 1.0);
            way.add(heading, size, curvature);
            heading = way.route.end.heading_rad + (rng.below(2) == 0 ? 0.0 : rng.between(-2.0, 2.0));
        }
        double turned = 0.0, last = way.route.legs[0].start.heading_rad;
        for (const Leg& leg : way.route.legs) {
            for (int k = 0; k <= 1000; ++k) {
                const double now = place_on_leg(leg, leg.length * k / 1000).heading_rad;
                turned += std::fabs(math::wrap_pi(now - last));
                last = now;
            }
        }
        EXPECT_NEAR(route_shape(way.route).turned_rad, turned, 1e-9);
    }
}

}  // namespace
}  // namespace fairlead::testing
