// What a unit cannot drive: curves, gears, turns and headings, leg by leg; units that do not exist; hostile numbers with
// bodies that turn.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/bodies.h"
#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_images.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"
#include "verify/extremes.h"

namespace fairlead {
namespace {

using testing::box_body;
using testing::capsule_body;
using testing::FakeWorld;
using testing::kHuge;
using testing::kInf;
using testing::kNan;
using testing::RouteMaker;
using witness::verify_over;

Agent truck(bool can_reverse = true) {
    Agent agent = box_body(2.0, 1.0, 0.6);
    agent.turning_radius = 3.0;
    agent.can_reverse = can_reverse;
    return agent;
}

/// Forward, a cusp, back, and on.
Route three_legs() {
    return RouteMaker({8, 8}, 0.3).drive(2.0, 0.25).drive(3.0, -1.0 / 3.0, Gear::reverse).drive(1.5).take();
}

class MannerOf : public ::testing::Test {
  protected:
    [[nodiscard]] Violation judge(const Agent& agent, const std::function<void(Route&)>& damage) const {
        Route route = three_legs();
        damage(route);
        return verify_over(route, world_, agent);
    }
    FakeWorld world_{20, 20};
};

TEST_F(MannerOf, ATruckDrivesCurvesAndCusps) {
    EXPECT_LEGAL(judge(truck(), [](Route&) {}));
    Agent disc{.radius = 0.5, .turning_radius = 3.0, .can_reverse = true};
    EXPECT_LEGAL(judge(disc, [](Route&) {}));
    EXPECT_LEGAL(judge(capsule_body(2, 0.4), [](Route&) {}));
}

TEST_F(MannerOf, Curvature) {
    const auto bent = [&](double radius) {
        Route route = RouteMaker({8, 8}).drive(1.0).drive(2.0, 1.0 / radius).take();
        return verify_over(route, world_, truck());
    };
    EXPECT_LEGAL(bent(3.0));
    EXPECT_LEGAL(bent(-3.0));
    EXPECT_LEGAL(bent(3.0 * (1.0 - 5e-10)));
    for (const double sign : {1.0, -1.0}) {
        const Violation bad = bent(sign * 2.5);
        EXPECT_KIND(bad, curvature);
        EXPECT_EQ(bad.leg, 1);
        EXPECT_NEAR(bad.depth, 0.5, 1e-12);
        EXPECT_EQ(bad.place.position.x, 9.0);
        EXPECT_KIND(bent(sign * 3.0 * (1.0 - 2e-9)), curvature);
    }
    // A unit that turns on the spot drives any curve.
    EXPECT_LEGAL(verify_over(RouteMaker({8, 8}).drive(2.0, 5.0).take(), world_, box_body(2, 1)));
}

TEST_F(MannerOf, Gear) {
    const Violation bad = judge(truck(false), [](Route&) {});
    EXPECT_KIND(bad, gear);
    EXPECT_EQ(bad.leg, 1);
    // Without a turning radius nothing says that it may not.
    EXPECT_LEGAL(judge(box_body(2, 1), [](Route&) {}));
}

TEST_F(MannerOf, Turn) {
    const Route route = RouteMaker({8, 8}).drive(1.0).turn(0.5).drive(1.0).take();
    const Violation bad = verify_over(route, world_, truck());
    EXPECT_KIND(bad, turn);
    EXPECT_EQ(bad.leg, 1);
    EXPECT_LEGAL(verify_over(route, world_, box_body(2, 1)));
    EXPECT_LEGAL(verify_over(route, world_, capsule_body(2, 0.5)));
}

TEST_F(MannerOf, HeadingIsContinuous) {
    const std::vector<Agent> bound{truck(),
                                   box_body(2, 1),
                                   capsule_body(2, 0.5),
                                   {.radius = 0.3, .turning_radius = 1.0, .can_reverse = true},
                                   {.footprint = 1, .turning_radius = 1.0, .can_reverse = true}};
    for (const Agent& agent : bound) {
        // A corner without a turn, in a route whose legs meet.
        const Route corner = testing::polyline({{4, 8}, {8, 8}, {12, 10}});
        const Violation bad = verify_over(corner, world_, agent);
        EXPECT_KIND(bad, heading);
        EXPECT_EQ(bad.leg, 0);
        EXPECT_EQ(bad.distance, 4.0);
        EXPECT_NEAR(bad.depth, std::atan2(2.0, 4.0), 1e-12);
        EXPECT_EQ(bad.place.position.x, 8.0);
        const auto end = [&](double by) {
            Route route = three_legs();
            route.end.heading_rad += by;
            return verify_over(route, world_, agent);
        };
        EXPECT_LEGAL(end(9e-10));
        EXPECT_LEGAL(end(kTwoPi));
        EXPECT_LEGAL(end(-6.0 * kTwoPi));
        EXPECT_KIND(end(2e-9), heading);
        EXPECT_KIND(end(-2e-9), heading);
        EXPECT_KIND(end(kPi), heading);
        EXPECT_EQ(end(2e-9).leg, 2);
    }
    EXPECT_LEGAL(verify_over(testing::polyline({{4, 8}, {8, 8}, {12, 10}}), world_, {.radius = 0.3}));
}

TEST_F(MannerOf, HeadingIsFreeBehindALink) {
    world_.portal_list = {Portal{{4, 8, 0}, {12, 8, 0}, 1.0, true}};
    Route route = RouteMaker({2.5, 8.5}).drive(2.0).link(0, {12.5, 8.5}, 0).take();
    Leg on;
    on.start = route.end;
    on.start.heading_rad = 1.0;
    on.length = 1.0;
    ASSERT_TRUE(route.legs.push_back(on));
    route.length += 1.0;
    route.end = place_on_leg(on, 1.0);
    EXPECT_LEGAL(verify_over(route, world_, truck()));
    route.legs[1].start.heading_rad = 1e-6;
    EXPECT_KIND(verify_over(route, world_, truck()), heading);
}

TEST_F(MannerOf, Facings) {
    const auto facing = [&](double heading, std::int32_t facings, double curvature = 0.0) {
        return verify_over(RouteMaker({8, 8}, heading).drive(2.0, curvature).take(), world_, {},
                           {.facings = facings});
    };
    for (const std::int32_t n : {1, 2, 3, 8, 16, 32}) {
        for (int i = -2 * n; i <= 2 * n; ++i) {
            const double heading = kTwoPi * i / n;
            EXPECT_LEGAL(facing(heading, n));
            EXPECT_LEGAL(facing(heading + 9e-10, n));
            const Violation bad = facing(heading - 1e-6, n);
            EXPECT_KIND(bad, facing);
            EXPECT_NEAR(bad.depth, 1e-6, 1e-12);
            EXPECT_LEGAL(facing(heading - 1e-6, 0));
            EXPECT_KIND(facing(heading, n, 0.5), facing);
        }
    }
    EXPECT_KIND(facing(0.0, -1), bad_argument);
    EXPECT_KIND(facing(0.0, std::numeric_limits<std::int32_t>::min()), bad_argument);
    EXPECT_LEGAL(facing(0.0, std::numeric_limits<std::int32_t>::max()));
    // Of the drive legs only.
    const Route turning = RouteMaker({8, 8}).drive(1.0).turn(0.3).turn(kHalfPi - 0.3).drive(1.0).take();
    EXPECT_LEGAL(verify_over(turning, world_, {}, {.facings = 8}));
}

TEST_F(MannerOf, WhatCannotBeDrivenComesBeforeOverlaps) {
    world_.set({8, 8, 0}, 0);
    EXPECT_KIND(judge(truck(false), [](Route&) {}), wall);  // leg 0 is driven well
    EXPECT_KIND(judge(truck(false), [](Route& r) { r.legs[0].gear = Gear::reverse; }), gear);
}

TEST(BodiesThatDoNotExist, AreBadArguments) {
    const FakeWorld world(20, 20);
    const Route route = RouteMaker({10, 10}).take();
    const auto expect = [&](const Agent& agent, bool exists) {
        const Violation bad = verify_over(route, world, agent);
        EXPECT_EQ(bad.kind == ViolationKind::bad_argument, !exists) << bad.text().c_str();
    };
    for (const double v : {kNan, kInf, -kInf, -1.0, kHuge, 1e4}) {
        expect(box_body(v, 1), false);
        expect(box_body(1, v), false);
        expect(box_body(2, 1, v == -1.0 ? -2.1 : v), false);
        expect(capsule_body(v, 0.5), false);
        expect(capsule_body(2, v), false);
        expect(capsule_body(2, 0.5, v == -1.0 ? -2.1 : v), false);
        Agent disc{.radius = 0.5};
        disc.turning_radius = v;
        expect(disc, v == kHuge || v == 1e4);
        Agent square{.footprint = 2};
        square.turning_radius = v;
        expect(square, v == kHuge || v == 1e4);
        // What a shape does not have is not read.
        disc = {.radius = 0.5};
        disc.length = disc.width = disc.axle_offset = v;
        expect(disc, true);
        Agent box = box_body(2, 1);
        box.radius = v;
        expect(box, true);
        Agent capsule = capsule_body(2, 0.5);
        capsule.width = v;
        expect(capsule, true);
    }
    expect(box_body(0, 1), false);
    expect(box_body(1, 0), false);
    expect(box_body(2, 1, 2.0), true);
    expect(box_body(2, 1, -2.0), true);
    expect(box_body(2, 1, 2.0001), false);
    expect(capsule_body(1.0, 0.5), true);
    expect(capsule_body(1.0, 0.5001), false);
    expect(capsule_body(0.0, 0.0), true);
    Agent shapeless = box_body(2, 1);
    shapeless.shape = static_cast<BodyShape>(3);
    expect(shapeless, false);
    shapeless.footprint = 2;
    expect(shapeless, true);
    // The largest body that is judged.
    expect(box_body(500, 500), true);
    EXPECT_KIND(verify_over(route, world, box_body(500, 500)), off_world);
}

TEST(BodiesThatDoNotExist, OverRoadmapsOnlyDiscsDo) {
    const Result<Roadmap> net = Roadmap::make({});
    ASSERT_TRUE(net);
    Route route;
    route.status = PathStatus::unreachable;
    route.revision = net->state().revision();
    EXPECT_LEGAL(verify(route, *net, {.radius = 0.5}));
    EXPECT_KIND(verify(route, *net, box_body(2, 1)), bad_argument);
    EXPECT_KIND(verify(route, *net, {.radius = 0.5, .turning_radius = 2.0}), bad_argument);
}

TEST(HostileNumbers, RandomDamageIsSafe) {
    // Any bytes in any leg: an answer, and the same one twice.
    Rng rng(81);
    FakeWorld world(20, 20);
    for (int i = 0; i < testing::trials(20000); ++i) {
        world.wraps_x = rng.below(2) == 0;
        world.wraps_y = rng.below(2) == 0;
        world.set({15, 15, 0}, rng.below(2) == 0 ? 0 : 1);
        Agent agent = rng.below(2) == 0 ? truck() : testing::random_body(rng, 4.0);
        Route route = three_legs();
        const std::uint32_t hits = 1 + rng.below(3);
        for (std::uint32_t j = 0; j < hits; ++j) {
            Leg& leg = route.legs[rng.below(3)];
            unsigned char bytes[sizeof(Leg)];
            std::memcpy(bytes, &leg, sizeof leg);
            const auto at = rng.below(sizeof(Leg));
            bytes[at] = static_cast<unsigned char>(rng.below(256));
            std::memcpy(&leg, bytes, sizeof leg);
        }
        const VerifyOptions options{.cells_max = 1000000};
        const Violation first = verify_over(route, world, agent, options);
        const Violation second = verify_over(route, world, agent, options);
        ASSERT_EQ(first.kind, second.kind);
        ASSERT_STREQ(first.text().c_str(), second.text().c_str());
        ASSERT_STRNE(first.text().c_str(), "");
    }
}

TEST(HostileNumbers, HugeAndTinyOnesAreAnsweredQuickly) {
    FakeWorld world(20, 20);
    world.wraps_x = world.wraps_y = true;
    world.set({2, 2, 0}, 0);
    const Agent agent = box_body(2.0, 1.0, 0.5);
    const VerifyOptions options{.cells_max = 1000000};
    for (const double v : {1e-320, 1e-300, 1e-17, 1e-9, 1e5, 1e7, 1e9, 1e18, 1e154, 1e300, kHuge}) {
        for (const double w : {1e-320, 1e-300, 1e-17, 1e-9, 1e5, 1e7, 1e18, 1e300, kHuge}) {
            Route route = RouteMaker({10, 10}).drive(1.0, 0.5).take();
            route.legs[0].length = v;
            route.legs[0].curvature = w;
            (void)verify_over(route, world, agent, options);
            route.legs[0].curvature = -w;
            (void)verify_over(route, world, agent, options);
        }
        Route route = RouteMaker({10, 10}).turn(1.0).take();
        route.legs[0].turn_rad = v;
        (void)verify_over(route, world, agent, options);
    }
    // A curve of no length that turns the body is a turn on the spot.
    Route spin = RouteMaker({10, 10}).drive(1e-18, 1e18).take();
    EXPECT_LEGAL(verify_over(spin, world, agent));
    world.set({10, 11, 0}, 0);
    EXPECT_KIND(verify_over(spin, world, agent), wall);
}

}  // namespace
}  // namespace fairlead
