// Spheres of any radius through find_route.
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "volume/wide_check.h"
#include "volume/wide_route_check.h"

namespace fairlead::testing {
namespace {

constexpr VolumeKind kWideRouteKinds[] = {VolumeKind::noise, VolumeKind::sparse_noise, VolumeKind::rooms,
                                          VolumeKind::plates, VolumeKind::stairs};

TEST(WideRoute, AgainstTheOracleAndInSlices) {
    WideRouteTally tally;
    Scratch scratch, other;
    Route route, sliced;
    for (int w = 0; w < trials(6); ++w) {
        Rng rng(7000 + static_cast<std::uint64_t>(w));
        const oracle::VolumeDense world = random_volume(rng, kWideRouteKinds[w % 5], {12, 12, 12});
        const Volume space = make_volume(world);
        for (const oracle::VolumeRadius::Pair& pair : draw_wide_pairs(rng, world, 14)) {
            const double radius = draw_route_radius(rng, pair.radius, 2.5);
            const std::string bad = check_wide_route(space, pair, radius, scratch, route, tally);
            ASSERT_EQ(bad, "") << "world " << w << ", radius " << radius;
            if (rng.below(4) != 0 || !fits(space, pair.from, radius) || !fits(space, pair.to, radius))
                continue;
            VolumeSearch search(space, {.start = pair.from, .goal = pair.to, .agent = {.radius = radius}},
                                other);
            while (search.running()) search.step(1 + rng.below(50));
            ASSERT_TRUE(search.take(sliced));
            ASSERT_EQ(route_difference(sliced, route), "") << "world " << w << ", radius " << radius;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.complete, 60);
    EXPECT_GT(tally.unreachable, 8);
    EXPECT_GT(tally.must, 50);
}

// A wall with a hole of 3 x 3 voxels: one that fits exactly passes, one that does not is told so, on every side of what the bits of a row
// hold.
TEST(WideRoute, HolesByRadius) {
    Scratch scratch;
    Route route;
    for (const std::int32_t hole : {2, 3, 8, 57, 61, 66}) {
        oracle::VolumeDense world({9, hole + 20, hole + 20});
        for (std::int32_t z = 0; z < world.size.z; ++z) {
            for (std::int32_t y = 0; y < world.size.y; ++y) {
                const bool open = y >= 10 && y < 10 + hole && z >= 10 && z < 10 + hole;
                world.set({4, y, z}, !open);
            }
        }
        // Room enough on both sides is far away from the bounds only where the world is long.
        oracle::VolumeDense wide({2 * hole + 20, world.size.y, world.size.z});
        for (std::int32_t z = 0; z < world.size.z; ++z) {
            for (std::int32_t y = 0; y < world.size.y; ++y)
                wide.set({hole + 10, y, z}, !world.is_free({4, y, z}));
        }
        const Volume space = make_volume(wide);
        const double middle = 10.0 + 0.5 * hole, far = 2.0 * hole + 20.0;
        const Vec3 from{0.5 * hole + 2.0, middle, middle + 0.25},
            to{far - 0.5 * hole - 3.0, middle + 0.25, middle};
        for (const double more : {-0.25, 0.0, 0.0625}) {
            const double radius = 0.5 * hole + more;
            ASSERT_TRUE(find_route_into(
                space, VolumeQuery{.start = from, .goal = to, .agent = {.radius = radius}}, scratch, route));
            EXPECT_EQ(route.status, more > 0.0 ? PathStatus::unreachable : PathStatus::complete)
                << hole << " " << more;
            EXPECT_FALSE(verify(route, space, {.radius = radius})) << hole << " " << more;
        }
    }
}

// Where a sphere cannot be it is moved to where it can, and told so without `reach`; the reference planners take none that wide.
TEST(WideRoute, EndsAndPlanners) {
    oracle::VolumeDense world({20, 20, 20});
    for (std::int32_t z = 0; z < 20; ++z) {
        for (std::int32_t y = 0; y < 20; ++y) world.set({9, y, z}, y > 6);
    }
    const Volume space = make_volume(world);
    Scratch scratch;
    VolumeQuery query{.start = {0.5, 10, 10}, .goal = Vec3{18.0, 10, 10}, .agent = {.radius = 1.5}};
    const auto status = [&] { return (*find_route(space, query, scratch)).status; };
    EXPECT_EQ(status(), PathStatus::start_blocked);
    query.start = {8.0, 10, 10};
    query.goal = Vec3{10.2, 10, 10};
    EXPECT_EQ(status(), PathStatus::start_blocked);
    query.reach = 3.0;
    const Result<Route> route = find_route(space, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_EQ(route->legs[0].start.position, (Vec3{7.5, 9.5, 9.5}));
    EXPECT_FALSE(verify(*route, space, query.agent));
    query.expansions_max = 1;
    EXPECT_EQ(status(), PathStatus::budget_spent);
    query.expansions_max = UINT64_MAX;
    query.planner = VolumePlanner::astar;
    EXPECT_EQ(find_route(space, query, scratch).error(),
              (Error{ErrorCode::unsupported, Field::agent_radius}));
    // Wider than the world.
    query.planner = VolumePlanner::any_angle;
    for (const double radius : {11.0, 1e6, 1e300}) {
        query.agent.radius = radius;
        EXPECT_EQ(status(), PathStatus::start_blocked);
    }
}

// No allocation once a query has been answered, and out of memory at every point of one.
TEST(WideRoute, Memory) {
    Rng rng(91);
    const oracle::VolumeDense world = random_volume(rng, VolumeKind::rooms, {24, 24, 24});
    const Volume space = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route{};
    std::vector<VolumeQuery> queries;
    for (int i = 0; i < 400 && queries.size() < 30; ++i) {
        Voxel from, to;
        if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
        const double radius = rng.between(0.55, 1.6);
        if (!fits(space, world.centre(from), radius) || !fits(space, world.centre(to), radius)) continue;
        queries.push_back(
            {.start = world.centre(from), .goal = world.centre(to), .agent = {.radius = radius}});
    }
    for (const VolumeQuery& query : queries) ASSERT_TRUE(find_route_into(space, query, scratch, route));
    const std::int64_t calls = memory.calls;
    for (const VolumeQuery& query : queries) ASSERT_TRUE(find_route_into(space, query, scratch, route));
    EXPECT_EQ(memory.calls, calls);
    int failures = 0;
    for (int n = 0;; ++n) {
        Scratch starved(memory.allocator());
        memory.fail_after(n, false);
        const Result<void> done = find_route_into(space, queries[0], starved, route);
        const bool failed = memory.feed();
        EXPECT_EQ(failed, !done);
        if (!failed) break;
        EXPECT_EQ(done.error().code, ErrorCode::out_of_memory);
        ++failures;
    }
    EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace fairlead::testing
