// Others in the way of a turning unit: routes keep clear of balls and boxes, by distances of dense samples; a scheduler keeps their lists.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/math/trig.h>
#include <fairlead/schedule/scheduler.h>
#include <fairlead/volume/find_route.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

Volume open_space() { return *Volume::make({.size = {36, 36, 24}}); }

double gap_to(const VolumeBlocker& blocker, Vec3 p) {
    if (!blocker.is_box()) return distance(p, blocker.centre) - blocker.radius;
    const auto out = [](double low, double high, double at) { return std::max({low - at, at - high, 0.0}); };
    return length(Vec3{out(blocker.low.x, blocker.high.x, p.x), out(blocker.low.y, blocker.high.y, p.y),
                       out(blocker.low.z, blocker.high.z, p.z)});
}

/// Of a route's places and the blockers; 300 places a leg.
double least_gap(const Route& route, const std::vector<VolumeBlocker>& blockers) {
    double least = 1e9;
    for (const Leg& leg : route.legs) {
        for (int i = 0; i <= 300; ++i) {
            const Vec3 at = place_on_leg(leg, leg.length * i / 300.0).position;
            for (const VolumeBlocker& blocker : blockers) least = std::min(least, gap_to(blocker, at));
        }
    }
    return least;
}

std::vector<VolumeBlocker> random_blockers(Rng& rng) {
    std::vector<VolumeBlocker> out;
    for (int i = 0; i < 12; ++i) {
        const double x = rng.between(7, 29);
        const double y = rng.between(2, 34);
        const double z = rng.between(2, 22);
        if (rng.below(2) == 0) {
            out.push_back(VolumeBlocker::ball({x, y, z}, rng.between(0.3, 4.0)));
        } else {
            const double wide = rng.between(0.5, 5.0);
            out.push_back(VolumeBlocker::box({x, y, z}, {x + wide, y + 2.0, z + wide}));
        }
    }
    return out;
}

TEST(FlyBlockers, RoutesKeepClear) {
    const Volume volume = open_space();
    Rng rng(7);
    Scratch scratch;
    int complete = 0;
    int bent = 0;
    for (int i = 0; i < trials(120); ++i) {
        const std::vector<VolumeBlocker> blockers = random_blockers(rng);
        FlyQuery query{.start = {Position3(3, rng.between(6, 30), 12), 0.0},
                       .goal = Spot(Position3(33, rng.between(6, 30), 12), 0.0),
                       .agent = {.radius = rng.between(0.0, 0.8), .turning_radius = 2.0}};
        query.expansions_max = 2000;
        const Result<Route> open = find_route(volume, query, scratch);
        query.blockers = blockers;
        const Result<Route> route = find_route(volume, query, scratch);
        ASSERT_TRUE(open && route);
        FlySearch search(volume.acquire(), query, scratch);
        while (search.running()) search.step(1 + rng.below(30));
        Route sliced;
        ASSERT_TRUE(search.take(sliced));
        EXPECT_EQ(sliced.stats, route->stats);
        if (route->status != PathStatus::complete) continue;
        ++complete;
        EXPECT_GE(least_gap(*route, blockers), query.agent.radius - 1e-6) << i;
        if (least_gap(*open, blockers) < query.agent.radius - 1e-6) {
            ++bent;
            EXPECT_GT(route->cost, open->cost);
        } else {
            EXPECT_TRUE(
                std::equal(route->legs.begin(), route->legs.end(), open->legs.begin(), open->legs.end()))
                << i;  // none is in the way
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 90);
    EXPECT_GT(bent, 20);
}

TEST(FlyBlockers, AtTheEnds) {
    const Volume volume = open_space();
    Scratch scratch;
    const FlyQuery query{.start = {Position3(3, 18, 12), 0.0},
                         .goal = Spot(Position3(33, 18, 12), 0.0),
                         .agent = {.radius = 0.5, .turning_radius = 2.0}};
    const auto status = [&](const VolumeBlocker& blocker) {
        FlyQuery with = query;
        with.blockers = Borrowed<VolumeBlocker>(&blocker, 1);
        const Result<Route> route = find_route(volume, with, scratch);
        return route ? route->status : PathStatus::count_;
    };
    EXPECT_EQ(status(VolumeBlocker::ball({3, 19, 12}, 0.6)), PathStatus::start_blocked);
    EXPECT_EQ(status(VolumeBlocker::ball({3, 19, 12}, 0.5)), PathStatus::complete);  // it touches
    EXPECT_EQ(status(VolumeBlocker::box({32, 17, 11}, {34, 17.6, 13})), PathStatus::goal_blocked);
    EXPECT_EQ(status(VolumeBlocker::ball({18, 18, 12}, 6.0)), PathStatus::complete);
    FlyQuery bad = query;
    const VolumeBlocker wrong[] = {VolumeBlocker::ball({1, 1, 1}, 1.0), VolumeBlocker::ball({1, 1, 1}, -1.0)};
    bad.blockers = wrong;
    const Result<Route> refused = find_route(volume, bad, scratch);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().field, Field::blockers);
    EXPECT_EQ(refused.error().index, 1);
}

// Fixture: a heading of 1e308 swallowed the turns that were added to it, and the legs did not meet.
TEST(FlyBlockers, HeadingsOfManyTurns) {
    const Volume volume = open_space();
    Scratch scratch;
    const double many = 1.7976931348623157e308;
    FlyQuery query{.start = {Position3(6, 18, 12), many},
                   .goal = Spot(Position3(28, 9, 9), -1e9),
                   .agent = {.radius = 0.5, .turning_radius = 2.0}};
    const Result<Route> route = find_route(volume, query, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->status, PathStatus::complete);
    for (std::size_t i = 0; i + 1 < route->legs.size(); ++i) {
        const Leg& leg = route->legs[i];
        EXPECT_LT(distance(place_on_leg(leg, leg.length).position, route->legs[i + 1].start.position), 1e-9);
    }
    query.start.heading_rad = math::wrap_pi(many);
    query.goal.at.heading_rad = math::wrap_pi(-1e9);
    const Result<Route> plain = find_route(volume, query, scratch);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->cost, route->cost);
}

// Fixture: a scheduler kept the lists of all queries but the blockers of those in volumes, and read what was gone.
TEST(FlyBlockers, ASchedulerKeepsTheLists) {
    const Volume volume = open_space();
    Scratch scratch;
    const VolumeBlocker wall = VolumeBlocker::box({17, 4, 0}, {19, 36, 24});
    FlyQuery plane{.start = {Position3(3, 18, 12), 0.0},
                   .goal = Spot(Position3(33, 18, 12), 0.0),
                   .agent = {.radius = 0.5, .turning_radius = 2.0}};
    VolumeQuery sphere{.start = Vec3{3, 18, 12}, .goal = Vec3{33, 18, 12}, .agent = {.radius = 0.5}};
    Scheduler scheduler = *Scheduler::make();
    const auto world = *scheduler.add_world(volume);
    RequestId asked[2];
    {
        std::vector<VolumeBlocker> gone(1, wall);
        plane.blockers = gone;
        sphere.blockers = gone;
        asked[0] = *scheduler.submit<FlySearch>(world, plane);
        asked[1] = *scheduler.submit<VolumeSearch>(world, sphere);
        gone[0] = VolumeBlocker::ball({18, 18, 12}, 0.1);
    }
    (void)scheduler.update({});
    plane.blockers = sphere.blockers = Borrowed<VolumeBlocker>(&wall, 1);
    Route route;
    ASSERT_TRUE(scheduler.take(asked[0], route));
    const Result<Route> flight = find_route(volume, plane, scratch);
    ASSERT_TRUE(flight);
    EXPECT_EQ(route.cost, flight->cost);
    EXPECT_GE(least_gap(route, {wall}), 0.5 - 1e-6);
    ASSERT_TRUE(scheduler.take(asked[1], route));
    const Result<Route> swim = find_route(volume, sphere, scratch);
    ASSERT_TRUE(swim);
    EXPECT_EQ(route.cost, swim->cost);
    EXPECT_GE(least_gap(route, {wall}), 0.5 - 1e-6);
    ASSERT_TRUE(scheduler.forget(world));
}

}  // namespace
}  // namespace fairlead::testing
