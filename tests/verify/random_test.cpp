// Random routes through random maps: the checker agrees with dense sampling, and with itself on every image
// of the same route.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/dense_sampler.h"
#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_images.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"

namespace fairlead {
namespace {

using testing::dense_sample;
using testing::DenseResult;
using testing::FakeWorld;
using testing::Image;
using testing::RouteMaker;
using witness::verify_over;

constexpr double kBand = 1e-3;  // tiles: what sampling every 0.001 tile may miss

struct Scene {
    FakeWorld world{1, 1};
    Agent agent{};
    Route route;
};

Agent random_agent(Rng& rng) {
    switch (rng.below(4)) {
        case 0: return {};
        case 1: return {.radius = 0.0, .footprint = rng.between(1, 2)};
        case 2: return {.radius = 0.5, .footprint = 0};
        default: return {.radius = rng.between(0.0, 0.9), .footprint = 0};
    }
}

Scene random_scene(Rng& rng, std::int32_t size) {
    Scene scene;
    scene.world = FakeWorld::random(size, size, rng.between(0.0, 0.12), rng);
    scene.agent = random_agent(rng);
    RouteMaker maker({rng.between(1.0, size - 1.0), rng.between(1.0, size - 1.0)}, rng.between(-4.0, 4.0));
    const std::uint32_t legs = 1 + rng.below(4);
    for (std::uint32_t i = 0; i < legs; ++i) {
        const double length = rng.between(0.0, 3.0);
        const Gear gear = rng.below(4) == 0 ? Gear::reverse : Gear::forward;
        switch (rng.below(4)) {
            case 0: maker.turn(rng.between(-3.0, 3.0)); break;
            case 1: maker.drive(length, 0.0, gear); break;
            default: maker.drive(length, rng.between(-2.0, 2.0), gear); break;
        }
    }
    scene.route = maker.take();
    return scene;
}

/// A point: it is compared with pairs and blocks of tiles, and the depth is that in one of them.
bool is_thin(const Agent& agent) { return agent.footprint == 0 && agent.radius == 0.0; }

bool is_overlap(const Violation& bad) {
    return bad.kind == ViolationKind::wall || bad.kind == ViolationKind::off_world;
}

TEST(Random, AgreesWithDenseSampling) {
    Rng rng(20240601);
    int legal = 0;
    int illegal = 0;
    for (int i = 0; i < testing::trials(3000); ++i) {
        const Scene scene = random_scene(rng, 12);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        const DenseResult dense = dense_sample(scene.route, scene.world, scene.agent, kBand);
        ASSERT_TRUE(!bad || is_overlap(bad)) << bad.text().c_str();
        // What the sampler sees is there, and not later than where it sees it.
        if (dense.depth > 1e-7) {
            ASSERT_TRUE(bad) << i << " depth " << dense.depth;
        }
        if (dense.alarm) {
            ASSERT_LE(bad.leg, static_cast<std::int64_t>(dense.leg)) << i;
            if (bad.leg == static_cast<std::int64_t>(dense.leg)) {
                ASSERT_LE(bad.distance, dense.distance + 1e-9) << i;
            }
        }
        // What it does not see is not there, up to its step.
        if (dense.depth < -kBand) {
            ASSERT_FALSE(bad) << i << ' ' << bad.text().c_str();
        }
        ++(bad ? illegal : legal);
    }
    if (testing::all_trials()) {
        EXPECT_GT(legal, 600);
        EXPECT_GT(illegal, 600);
    }
}

/// The overlap that is reported is real: the sampler finds the same depth at the same place.
TEST(Random, ReportsAreTrue) {
    Rng rng(7);
    int checked = 0;
    for (int i = 0; i < testing::trials(3000); ++i) {
        const Scene scene = random_scene(rng, 12);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        if (!bad) continue;
        ASSERT_TRUE(is_overlap(bad));
        const Vec2 p = ground(bad.place.position);
        const double depth = testing::dense::depth_at(scene.world, scene.agent, p, 0);
        ASSERT_GT(depth, 0.0) << bad.text().c_str();
        if (bad.kind == ViolationKind::wall) {
            ASSERT_TRUE(scene.world.blocked(bad.cell));
            const double in_tile = testing::dense::depth_in_tile(p, scene.agent, 1.0, bad.cell.x, bad.cell.y);
            if (is_thin(scene.agent)) {
                ASSERT_GE(bad.depth, in_tile - 1e-9);
            } else {
                ASSERT_NEAR(bad.depth, in_tile, 1e-9);
            }
        }
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
        EXPECT_GT(checked, 500);
    }
}

TEST(Random, ImagesOfARouteAreJudgedAlike) {
    Rng rng(99);
    for (int i = 0; i < testing::trials(1500); ++i) {
        const std::int32_t size = 10;
        const Scene scene = random_scene(rng, size);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        for (int image_index = 1; image_index < 8; ++image_index) {
            const Image image{size, image_index >= 4, image_index % 4};
            const Violation other =
                verify_over(image.route(scene.route), image.world(scene.world), scene.agent);
            ASSERT_EQ(bad.kind, other.kind) << i << ' ' << bad.text().c_str() << '\n' << other.text().c_str();
            ASSERT_EQ(bad.leg, other.leg);
            ASSERT_NEAR(bad.distance, other.distance, 1e-6);
            // Two tiles may be met at the same moment; then either is reported.
            if (bad.kind == ViolationKind::wall && image.cell(bad.cell) == other.cell &&
                !is_thin(scene.agent)) {
                ASSERT_NEAR(bad.depth, other.depth, 1e-9);
            }
        }
        // Backwards the first violation is another one, but there is one or there is none.
        const Violation backwards = verify_over(testing::reversed(scene.route), scene.world, scene.agent);
        const bool turns = [&] {
            for (const Leg& leg : scene.route.legs) {
                if (leg.kind == LegKind::turn) return true;
            }
            return false;
        }();
        if (!turns) {
            ASSERT_EQ(static_cast<bool>(bad), static_cast<bool>(backwards)) << i << ' ' << bad.text().c_str();
        }
    }
}

TEST(Random, MovedAndScaledRoutesAreJudgedAlike) {
    Rng rng(4);
    for (int i = 0; i < testing::trials(1500); ++i) {
        Scene scene = random_scene(rng, 11);
        const Violation bad = verify_over(scene.route, scene.world, scene.agent);
        for (const double cell_size : {0.01, 1.0, 100.0}) {
            // So many cells away, that the slack stays below what these routes overlap by.
            const Vec2 origin = Vec2{rng.between(-1e6, 1e6), rng.between(-1e6, 1e6)} * cell_size;
            FakeWorld moved = scene.world;
            moved.at_origin = origin;
            moved.size_of_cell = cell_size;
            Agent agent = scene.agent;
            agent.radius *= cell_size;
            const Violation other =
                verify_over(testing::placed(scene.route, origin, cell_size), moved, agent);
            ASSERT_EQ(bad.kind, other.kind) << i << ' ' << bad.text().c_str() << '\n' << other.text().c_str();
            ASSERT_EQ(bad.leg, other.leg);
            ASSERT_NEAR(bad.distance * cell_size, other.distance, 1e-5 * cell_size);
        }
    }
}

/// A claim of clearance is a disc of that radius: the same routes with a claim in place of a body.
TEST(Random, ClaimsAreJudgedLikeDiscs) {
    Rng rng(12);
    for (int i = 0; i < testing::trials(2000); ++i) {
        Scene scene = random_scene(rng, 12);
        const double radius = rng.between(0.01, 1.0);
        scene.agent = {};
        if (verify_over(scene.route, scene.world, scene.agent)) continue;
        const Violation wide = verify_over(scene.route, scene.world, {.radius = radius, .footprint = 0});
        for (Leg& leg : scene.route.legs) leg.clearance = radius;
        const Violation claim = verify_over(scene.route, scene.world, scene.agent);
        ASSERT_EQ(static_cast<bool>(wide), static_cast<bool>(claim));
        if (!wide) continue;
        ASSERT_EQ(claim.kind, ViolationKind::clearance);
        ASSERT_EQ(wide.leg, claim.leg);
        ASSERT_EQ(wide.distance, claim.distance);
        ASSERT_EQ(wide.depth, claim.depth);
        ASSERT_EQ(wide.cell, claim.cell);
    }
}

}  // namespace
}  // namespace fairlead
