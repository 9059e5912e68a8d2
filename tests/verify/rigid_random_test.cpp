// Random routes of bodies that turn through random maps: the checker agrees with dense sampling, and with itself on every
// image of the same route.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/bodies.h"
#include "support/dense_body.h"
#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_images.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"

namespace fairlead {
namespace {

using testing::dense_sample_body;
using testing::DenseResult;
using testing::FakeWorld;
using testing::Image;
using testing::RouteMaker;
using witness::verify_over;

constexpr double kBodyBand = 1e-3;  // tiles: what sampling every 0.001 tile may miss

struct BodyScene {
    FakeWorld world{1, 1};
    Agent agent{};
    std::vector<Blocker> blockers;
    Route route;
};

Agent random_body_agent(Rng& rng) {
    return rng.below(6) == 0 ? Agent{.radius = rng.between(0.05, 0.8)} : testing::random_body(rng, 1.8);
}

BodyScene random_body_scene(Rng& rng, std::int32_t size) {
    BodyScene scene;
    scene.world = FakeWorld::random(size, size, rng.between(0.0, 0.1), rng);
    scene.agent = random_body_agent(rng);
    RouteMaker maker({rng.between(1.5, size - 1.5), rng.between(1.5, size - 1.5)}, rng.between(-4.0, 4.0));
    const std::uint32_t legs = 1 + rng.below(3);
    for (std::uint32_t i = 0; i < legs; ++i) {
        const double length = rng.between(0.0, 2.0);
        const Gear gear = rng.below(2) == 0 ? Gear::reverse : Gear::forward;
        switch (rng.below(4)) {
            case 0: maker.turn(rng.between(-2.0, 2.0)); break;
            case 1: maker.drive(length, 0.0, gear); break;
            default: maker.drive(length, rng.between(-1.5, 1.5), gear); break;
        }
    }
    scene.route = maker.take();
    return scene;
}

Blocker random_blocker(Rng& rng, double size) {
    const Vec2 at{rng.between(0.0, size), rng.between(0.0, size)};
    Blocker blocker;
    blocker.centre = at;
    blocker.radius = rng.between(0.0, 0.7);
    if (rng.below(2) == 0) return blocker;
    // Some as thin as a line.
    const Vec2 wide{rng.below(4) == 0 ? 0.0 : rng.unit(), rng.below(4) == 0 ? 0.0 : rng.unit()};
    blocker.box = {at, at + wide};
    return blocker;
}

bool is_body_overlap(const Violation& bad) {
    return bad.kind == ViolationKind::wall || bad.kind == ViolationKind::off_world ||
           bad.kind == ViolationKind::blocker;
}

/// What the sampler sees is there, and not later than where it sees it; what it does not see is not there.
void expect_agreement(const BodyScene& scene, const Violation& bad, const DenseResult& dense) {
    ASSERT_TRUE(!bad || is_body_overlap(bad)) << bad.text().c_str();
    ASSERT_TRUE(bad || dense.depth <= 1e-7) << "depth " << dense.depth;
    ASSERT_FALSE(bad && dense.depth < -kBodyBand) << bad.text().c_str() << " dense " << dense.depth;
    if (!dense.alarm) return;
    ASSERT_LE(bad.leg, static_cast<std::int64_t>(dense.leg));
    if (bad.leg == static_cast<std::int64_t>(dense.leg)) {
        ASSERT_LE(bad.distance, dense.distance + 1e-9);
    }
    ASSERT_GE(bad.leg, 0);
    ASSERT_LT(bad.leg, static_cast<std::int64_t>(scene.route.legs.size()));
}

TEST(RigidRandom, AgreesWithDenseSampling) {
    Rng rng(20260401);
    int legal = 0;
    int illegal = 0;
    const int count = testing::trials(3000);
    for (int i = 0; i < count; ++i) {
        const BodyScene scene = random_body_scene(rng, 12);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        SCOPED_TRACE(i);
        expect_agreement(scene, bad, dense_sample_body(scene.route, scene.world, scene.agent, kBodyBand));
        if (HasFatalFailure()) return;
        ++(bad ? illegal : legal);
    }
    EXPECT_GT(legal, count / 5);
    EXPECT_GT(illegal, count / 5);
}

TEST(RigidRandom, AgreesOnWrappedAxesWithBodiesLongerThanTheMap) {
    Rng rng(31);
    int legal = 0;
    int illegal = 0;
    const int count = testing::trials(300);
    for (int i = 0; i < count; ++i) {
        BodyScene scene = random_body_scene(rng, 5);
        scene.world.wraps_x = true;
        scene.world.wraps_y = rng.below(2) == 0;
        scene.agent = testing::random_body(rng, i % 10 == 0 ? 7.0 : 1.5);
        if (i % 10 == 0) scene.agent.width = scene.agent.radius = 0.05;
        if (scene.agent.shape == BodyShape::capsule) scene.agent.length = std::fmax(scene.agent.length, 0.1);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        SCOPED_TRACE(i);
        expect_agreement(scene, bad, dense_sample_body(scene.route, scene.world, scene.agent, kBodyBand));
        if (HasFatalFailure()) return;
        ++(bad ? illegal : legal);
    }
    EXPECT_GT(legal, count / 6);
    EXPECT_GT(illegal, count / 6);
}

TEST(RigidRandom, AgreesOnBlockers) {
    Rng rng(32);
    int blocked = 0;
    const int count = testing::trials(1000);
    for (int i = 0; i < count; ++i) {
        BodyScene scene = random_body_scene(rng, 9);
        scene.world = FakeWorld(9, 9);
        for (int j = 0; j < 5; ++j) scene.blockers.push_back(random_blocker(rng, 9.0));
        const Violation bad =
            verify_over(scene.route, scene.world, scene.agent, {.blockers = scene.blockers});
        SCOPED_TRACE(i);
        expect_agreement(scene, bad,
                         dense_sample_body(scene.route, scene.world, scene.agent, kBodyBand, scene.blockers));
        if (HasFatalFailure()) return;
        blocked += bad.kind == ViolationKind::blocker ? 1 : 0;
    }
    if (testing::all_trials()) {
        EXPECT_GT(blocked, count / 5);
    }
}

/// The overlap that is reported is real: the sampler finds the same depth at the same place.
TEST(RigidRandom, ReportsAreTrue) {
    Rng rng(7);
    int checked = 0;
    for (int i = 0; i < testing::trials(3000); ++i) {
        const BodyScene scene = random_body_scene(rng, 12);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        if (bad.kind != ViolationKind::wall || scene.agent.shape == BodyShape::disc) continue;
        ASSERT_TRUE(scene.world.blocked(bad.cell));
        const Vec2 low{static_cast<double>(bad.cell.x), static_cast<double>(bad.cell.y)};
        const auto body = testing::dense::placed(testing::dense::body_shape(scene.agent, 1.0),
                                                 ground(bad.place.position), bad.place.heading_rad);
        const double depth =
            testing::dense::depth_between(body, testing::dense::box_shape(low, low + Vec2{1, 1}));
        ASSERT_NEAR(bad.depth, depth, 1e-9) << i << ' ' << bad.text().c_str();
        // Nothing overlaps before it begins: the route up to there is legal.
        const Leg& leg = scene.route.legs[static_cast<std::size_t>(bad.leg)];
        if (leg.kind == LegKind::drive && bad.distance > 1e-6) {
            Route start = testing::copy_of(scene.route);
            ASSERT_TRUE(start.legs.resize(static_cast<std::size_t>(bad.leg) + 1));
            start.legs.back().length = bad.distance - 1e-6;
            start.end = place_on_leg(start.legs.back(), bad.distance - 1e-6);
            start.length = 0.0;
            for (const Leg& each : start.legs) start.length += each.length;
            ASSERT_FALSE(verify_over(start, scene.world, scene.agent)) << i << ' ' << bad.text().c_str();
            ++checked;
        }
    }
    if (testing::all_trials()) {
        EXPECT_GT(checked, 200);
    }
}

TEST(RigidRandom, ImagesOfARouteAreJudgedAlike) {
    Rng rng(99);
    for (int i = 0; i < 800; ++i) {
        const std::int32_t size = 10;
        const BodyScene scene = random_body_scene(rng, size);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        for (int image_index = 1; image_index < 8; ++image_index) {
            const Image image{size, image_index >= 4, image_index % 4};
            const Violation other =
                verify_over(image.route(scene.route), image.world(scene.world), scene.agent);
            ASSERT_EQ(bad.kind, other.kind) << i << ' ' << bad.text().c_str() << '\n' << other.text().c_str();
            ASSERT_EQ(bad.leg, other.leg);
            ASSERT_NEAR(bad.distance, other.distance, 1e-6);
        }
    }
}

TEST(RigidRandom, MovedAndScaledRoutesAreJudgedAlike) {
    Rng rng(4);
    for (int i = 0; i < 800; ++i) {
        BodyScene scene = random_body_scene(rng, 11);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        for (const double cell_size : {0.01, 100.0}) {
            // So many cells away, that the slack stays below what these routes overlap by.
            const Vec2 origin = Vec2{rng.between(-1e6, 1e6), rng.between(-1e6, 1e6)} * cell_size;
            FakeWorld moved = scene.world;
            moved.at_origin = origin;
            moved.size_of_cell = cell_size;
            Agent agent = scene.agent;
            for (double* v : {&agent.radius, &agent.length, &agent.width, &agent.axle_offset})
                *v *= cell_size;
            const Violation other =
                verify_over(testing::placed(scene.route, origin, cell_size), moved, agent);
            ASSERT_EQ(bad.kind, other.kind) << i << ' ' << bad.text().c_str() << '\n' << other.text().c_str();
            ASSERT_EQ(bad.leg, other.leg);
            ASSERT_NEAR(bad.distance * cell_size, other.distance, 1e-5 * cell_size);
        }
    }
}

}  // namespace
}  // namespace fairlead
