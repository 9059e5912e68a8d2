// Routes of turning units through random volumes: legal by verify, as tight and as steep as they may be, found where
// a flood of finer poses finds a way, and the same in slices.
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/fly/find_fly.h>
#include <fairlead/verify/verify_volume.h>

#include "oracle/fly_oracle.h"
#include "support/environment.h"
#include "support/fly_worlds.h"
#include "support/starve.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

constexpr FlyWorld kKinds[] = {FlyWorld::asteroids, FlyWorld::tunnels};

Place place_of(const Spot& spot) { return {spot.position, spot.heading_rad, 0}; }

TEST(FindFly, LegalEverywhereAndTheSameInSlices) {
    Rng rng(51);
    Scratch scratch, other;
    int complete = 0, given_up = 0;
    for (int i = 0; i < trials(60); ++i) {
        VolumeDense world = fly_world(rng, kKinds[i % 2], nullptr, 28);
        FlyQuery query;
        const double radius = rng.below(3) == 0 ? 0.0 : rng.between(0.05, 0.9),
                     turning = rng.between(1.0, 6.0);
        if (!draw_flight(rng, world, radius, turning, query)) continue;
        query.climb = {.up_rad = rng.between(0.2, 1.0), .down_rad = rng.between(0.2, 1.0)};
        query.expansions_max = 1000;
        query.smooth = rng.below(4) != 0;
        query.partial = rng.below(2) == 0;
        const Volume volume = make_volume(world);
        const Result<Route> route = find_route(volume, query, scratch);
        ASSERT_TRUE(route);
        const Violation bad = verify(*route, volume, query.agent);
        ASSERT_FALSE(bad) << bad.text().c_str();
        if (route->status == PathStatus::complete) {
            ASSERT_EQ(wrong_flight(query, *route), "");
        }
        complete += route->status == PathStatus::complete ? 1 : 0;
        given_up += route->status == PathStatus::budget_spent ? 1 : 0;
        FlySearch search(volume.acquire(), query, other);
        const std::uint64_t slice = 1 + rng.below(40);
        while (search.running()) search.step(slice);
        Route sliced;
        ASSERT_TRUE(search.take(sliced));
        ASSERT_EQ(sliced.stats, route->stats);
        ASSERT_EQ(sliced.status, route->status);
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 6);
    EXPECT_GT(given_up, 3);
}

TEST(FindFly, FindsWhatAFloodOfFinerPosesFinds) {
    Rng rng(52);
    Scratch scratch;
    int missed = 0, complete = 0;
    for (int i = 0; i < trials(16); ++i) {
        const VolumeDense world = fly_world(rng, kKinds[i % 2], nullptr, 28);
        FlyQuery query;
        const double turning = i % 4 < 2 ? 3.0 : 6.0;
        if (!draw_flight(rng, world, 0.4, turning, query)) continue;
        const Volume volume = make_volume(world);
        const Result<Route> route = find_route(volume, query, scratch);
        ASSERT_TRUE(route);
        complete += route->status == PathStatus::complete ? 1 : 0;
        if (route->status == PathStatus::complete) continue;  // legal: the test above
        const oracle::FlyFlood flood{
            .world = &world, .radius = 0.4, .turning_radius = turning, .climb_rad = kPi / 6.0};
        const bool found = oracle::flood_poses(flood, place_of(query.start), place_of(query.goal.at)) ==
                           oracle::FlyAnswer::found;
        missed += found ? 1 : 0;
    }
    // The campaign has the figure: one in a hundred.
    EXPECT_LE(missed, 1);
    if (all_trials()) {
        EXPECT_GT(complete, 0);
    }
}

TEST(FindFly, StatusesByHand) {
    VolumeDense world({24, 24, 24});
    for (std::int32_t y = 0; y < 24; ++y) {
        for (std::int32_t z = 0; z < 24; ++z) world.set({12, y, z}, true);
    }
    const Volume cut = make_volume(world);
    Scratch scratch;
    const auto status = [&](const VolumeState& volume, const FlyQuery& query) {
        const Result<Route> route = find_route(volume, query, scratch);
        return route ? route->status : PathStatus::count_;
    };
    const Agent unit{.radius = 0.5, .turning_radius = 2.0};
    const Spot left({4, 12, 12}, 0.0), right({20, 12, 12}, 0.0), wall({12.5, 12, 12}, 0.0),
        off({-3, 1, 1}, 0.0);
    EXPECT_EQ(status(cut, {.start = left, .goal = right, .agent = unit}), PathStatus::unreachable);
    EXPECT_EQ(status(cut, {.start = wall, .goal = right, .agent = unit}), PathStatus::start_blocked);
    EXPECT_EQ(status(cut, {.start = left, .goal = wall, .agent = unit}), PathStatus::goal_blocked);
    EXPECT_EQ(status(cut, {.start = left, .goal = off, .agent = unit}), PathStatus::off_world);
    EXPECT_EQ(status(cut, {.start = off, .goal = left, .agent = unit}), PathStatus::off_world);
    for (std::int32_t y = 10; y < 14; ++y) {
        for (std::int32_t z = 10; z < 14; ++z) world.set({12, y, z}, false);
    }
    const Volume holed = make_volume(world);
    EXPECT_EQ(status(holed, {.start = left, .goal = right, .agent = unit}), PathStatus::complete);
    // Through the hole and back out of it the other way, round.
    EXPECT_EQ(status(holed, {.start = left, .goal = Spot({4, 16, 12}, kPi), .agent = unit}),
              PathStatus::complete);
    EXPECT_EQ(status(holed, {.start = right, .goal = left, .agent = unit}), PathStatus::complete);
    // It faces a wall that is nearer than it can turn.
    EXPECT_EQ(status(holed, {.start = Spot({11, 3, 3}, 0.0), .goal = right, .agent = unit}),
              PathStatus::budget_spent);
    const Result<Route> stays =
        find_route(holed, FlyQuery{.start = left, .goal = left, .agent = unit}, scratch);
    ASSERT_TRUE(stays);
    EXPECT_EQ(stays->status, PathStatus::complete);
    EXPECT_TRUE(stays->legs.empty());
    // A climb that needs turns: a helix.
    const Volume open = make_volume(VolumeDense({24, 24, 60}));
    const Result<Route> up = find_route(
        open, FlyQuery{.start = Spot({12, 12, 4}, 0.0), .goal = Spot({12, 12, 56}, 0.0), .agent = unit},
        scratch);
    ASSERT_TRUE(up);
    ASSERT_EQ(up->status, PathStatus::complete);
    EXPECT_NEAR(up->line_cost, 104.0, 1e-6);
}

TEST(FindFly, BadQueries) {
    const Volume made = make_volume(VolumeDense({12, 12, 12}));
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    Scratch scratch;
    const auto refused = [&](auto change, ErrorCode code, Field field) {
        FlyQuery query{.start = Spot({2, 2, 2}, 0.0), .goal = Spot({9, 9, 9}, 0.0)};
        Route route;
        ASSERT_TRUE(find_route_into(made, query, scratch, route));
        change(query);
        const Result<void> done = find_route_into(made, query, scratch, route);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, code) << error_text(done.error()).c_str();
        EXPECT_EQ(done.error().field, field) << error_text(done.error()).c_str();
        EXPECT_TRUE(route.legs.empty());
    };
    for (const double bad : {nan, inf, -inf}) {
        refused([&](FlyQuery& q) { q.start.position.y = bad; }, ErrorCode::not_finite, Field::start);
        refused([&](FlyQuery& q) { q.start.heading_rad = bad; }, ErrorCode::not_finite, Field::start_heading);
        refused([&](FlyQuery& q) { q.goal.at.position.z = bad; }, ErrorCode::not_finite, Field::goal);
        refused([&](FlyQuery& q) { q.goal.at.heading_rad = bad; }, ErrorCode::not_finite,
                Field::goal_heading);
        refused([&](FlyQuery& q) { q.agent.radius = bad; }, ErrorCode::not_finite, Field::agent_radius);
        refused([&](FlyQuery& q) { q.climb.up_rad = bad; }, ErrorCode::not_finite, Field::climb);
    }
    refused([&](FlyQuery& q) { q.agent.turning_radius = nan; }, ErrorCode::not_finite,
            Field::agent_turning_radius);
    refused([](FlyQuery& q) { q.agent.turning_radius = 0.0; }, ErrorCode::out_of_range,
            Field::agent_turning_radius);
    refused([](FlyQuery& q) { q.climb.down_rad = 1.6; }, ErrorCode::out_of_range, Field::climb);
    refused([](FlyQuery& q) { q.start = Vec3{2, 2, 2}; }, ErrorCode::unsupported, Field::start_heading);
    refused([](FlyQuery& q) { q.goal = Vec3{2, 2, 2}; }, ErrorCode::unsupported, Field::goal_heading);
    refused([](FlyQuery& q) { q.start.heading_tolerance_rad = 0.1; }, ErrorCode::unsupported,
            Field::start_heading);
    refused([](FlyQuery& q) { q.start = Spot::cell(1, 1, 0); }, ErrorCode::unsupported, Field::start);
    refused([](FlyQuery& q) { q.goal = WaypointId{3}; }, ErrorCode::unsupported, Field::goal);
    refused([](FlyQuery& q) { q.goal = Goal::within({9, 9, 9}, 1.0); }, ErrorCode::unsupported, Field::goal);
    refused([](FlyQuery& q) { q.goal.kind = static_cast<Goal::Kind>(9); }, ErrorCode::out_of_range,
            Field::goal);
    refused([](FlyQuery& q) { q.agent.can_reverse = true; }, ErrorCode::unsupported, Field::agent);
    refused([](FlyQuery& q) { q.agent.footprint = 2; }, ErrorCode::incompatible, Field::agent_footprint);
    refused(
        [](FlyQuery& q) {
            q.agent = {.shape = BodyShape::box, .length = 1.0, .width = 1.0, .turning_radius = 2.0};
        },
        ErrorCode::out_of_range, Field::agent_height);
}

TEST(FindFly, CancelledAndPartial) {
    Rng rng(53);
    Scratch scratch;
    int legs = 0;
    for (int i = 0; i < trials(16); ++i) {
        const VolumeDense world = fly_world(rng, kKinds[i % 2], nullptr, 24);
        FlyQuery query;
        if (!draw_flight(rng, world, 0.3, 3.0, query)) continue;
        query.partial = true;
        const Volume volume = make_volume(world);
        for (const std::uint64_t budget : {0U, 1U, 8U, 30U, 200U}) {
            query.expansions_max = budget;
            const Result<Route> route = find_route(volume, query, scratch);
            ASSERT_TRUE(route);
            ASSERT_LE(route->stats.expanded, budget);
            const Violation bad = verify(*route, volume, query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str();
            legs += route->status == PathStatus::budget_spent && !route->legs.empty() ? 1 : 0;
        }
        const std::atomic<bool> stop{true};
        const Result<Route> cancelled = find_route(volume, query, scratch, {.cancel = &stop});
        ASSERT_TRUE(cancelled);
        ASSERT_EQ(cancelled->status, PathStatus::budget_spent);
        ASSERT_EQ(cancelled->stats.expanded, 0U);
    }
    if (all_trials()) {
        EXPECT_GT(legs, 5);
    }
}

TEST(FindFly, WarmQueriesAllocateNothing) {
    Rng rng(54);
    const VolumeDense world = fly_world(rng, FlyWorld::asteroids, nullptr, 32);
    const Volume made = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    std::vector<FlyQuery> queries(12);
    for (FlyQuery& query : queries) {
        ASSERT_TRUE(draw_flight(rng, world, 0.4, 4.0, query));
        query.expansions_max = 500;
    }
    std::int64_t before = 0;
    for (int round = 0; round < 2; ++round) {
        before = memory.calls;
        for (const FlyQuery& query : queries) ASSERT_TRUE(find_route_into(made, query, scratch, route));
    }
    EXPECT_EQ(memory.calls, before);
    for (const bool once : kOnceAndForEver) {
        const FlyQuery& query = queries[0];
        (void)starve(
            memory, once,
            [&] {
                scratch.free_memory();
                route.legs.free_memory();
                return find_route_into(made, query, scratch, route);
            },
            [&](const Result<void>&) { ASSERT_TRUE(find_route_into(made, query, scratch, route)); });
    }
}

}  // namespace
}  // namespace fairlead::testing
