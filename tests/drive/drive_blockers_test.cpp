// Blockers of one query for turning units: legal beside them, exactly; the same in slices; told where they close the way; minded by
// revalidate, repair, partial routes, speeds, floors and the search off the lattice; and the map is as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/repair.h>
#include <fairlead/verify/verify.h>

#include "drive/timed_checks.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

Violation judge(const Route& route, const DrivenWorld& world, std::span<const Blocker> others) {
    return verify(route, world.grid, world.agent, {.blockers = others, .check_revision = false});
}

bool fits_there(const DrivenWorld& world, const Spot& at, std::span<const Blocker> others) {
    Route route;
    route.status = PathStatus::complete;
    route.end = {at.position, at.heading_rad, 0};
    return !judge(route, world, others);
}

std::vector<Blocker> some_blockers(Rng& rng, const Tiles& tiles) {
    std::vector<Blocker> out(rng.below(4) == 0 ? 1 + rng.below(200) : 1 + rng.below(8));
    for (Blocker& other : out) {
        other.centre = {rng.between(-1.0, tiles.width + 1.0), rng.between(-1.0, tiles.height + 1.0)};
        other.radius = rng.below(5) == 0 ? rng.between(0.0, 4.0) : rng.between(0.0, 0.6);
        if (out.size() > 20) other.radius *= 0.2;
        if (rng.below(3) != 0) continue;
        const Vec2 half{other.radius, rng.between(0.0, other.radius)};
        other.box = {other.centre - half, other.centre + half};
    }
    return out;
}

DriveQuery random_drive(Rng& rng, const DrivenWorld& world) {
    DriveQuery query{.start = random_pose(rng, world.tiles, rng.below(2) == 0),
                     .goal = random_pose(rng, world.tiles, rng.below(2) == 0)};
    constexpr DrivePlanner kPlanners[] = {DrivePlanner::weighted, DrivePlanner::lattice,
                                          DrivePlanner::anytime};
    query.planner = kPlanners[rng.below(3)];
    query.smooth = rng.below(3) != 0;
    query.partial = rng.below(3) == 0;
    if (rng.below(4) == 0) query.goal.at = query.goal.at.any_heading();
    if (rng.below(4) == 0) query.start = query.start.any_heading();
    if (rng.below(6) == 0) query.goal = Goal::within(query.goal.at, 0.25 * rng.below(8));
    if (rng.below(3) == 0) query.off_lattice_max = 300;
    return query;
}

void expect_same_sliced(const DrivenWorld& world, DriveQuery query, const Route& way, Rng& rng,
                        Scratch& scratch) {
    std::vector<Blocker> lent(query.blockers.span().begin(), query.blockers.span().end());
    query.blockers = lent;
    DriveSearch sliced(*world.map, query, scratch);
    std::fill(lent.begin(), lent.end(), Blocker{});  // a search has its own
    while (sliced.step(1 + rng.below(5))) {
    }
    Route parts;
    ASSERT_TRUE(sliced.take(parts).has_value());
    EXPECT_EQ(parts.status, way.status);
    EXPECT_EQ(parts.end, way.end);
    EXPECT_EQ(parts.stats.digest, way.stats.digest);
}

// The blockers close what they did not close before, and open nothing.
void expect_no_better(const Route& way, const Route& without, const DriveQuery& query) {
    const bool found = way.status == PathStatus::complete;
    if (found && query.off_lattice_max == 0) {
        EXPECT_EQ(without.status, PathStatus::complete);
    }
    if (found && query.planner == DrivePlanner::lattice && !query.smooth && query.off_lattice_max == 0) {
        EXPECT_GE(way.cost, without.cost * (1.0 - 1e-3));
    }
}

TEST(DriveBlockers, RoutesKeepClearOfThem) {
    Rng rng(2301);
    Rng slices(7);  // how many units there are must not change what is drawn
    Scratch scratch;
    int complete = 0;
    int cut_off = 0;
    int ends_blocked = 0;
    for (int n = 0; n < trials(300); ++n) {
        const MapStyle style = static_cast<MapStyle>(rng.below(static_cast<std::uint32_t>(MapStyle::count_)));
        Agent agent = random_unit(rng);
        agent.can_pivot = rng.below(5) == 0;
        const DrivenWorld world(random_drive_map(rng, style, 20 + static_cast<int>(rng.below(10)), 18),
                                agent);
        ASSERT_TRUE(world.map.has_value());
        DriveQuery query = random_drive(rng, world);
        if (rng.below(8) != 0 && !random_free_pose(rng, world.tiles, agent, rng.below(2) == 0, query.start))
            continue;
        const Result<Route> without = find_route(*world.map, query, scratch);
        const std::vector<Blocker> others = some_blockers(rng, world.tiles);
        query.blockers = others;
        SCOPED_TRACE(n);
        const Result<Route> way = find_route(*world.map, query, scratch);
        ASSERT_TRUE(way.has_value() && without.has_value());
        const Violation bad = judge(*way, world, others);
        EXPECT_FALSE(bad) << bad.text().c_str();
        expect_no_better(*way, *without, query);
        expect_same_sliced(world, query, *way, slices, scratch);
        if (query.start.has_heading && way->status != PathStatus::off_world) {
            EXPECT_EQ(way->status != PathStatus::start_blocked, fits_there(world, query.start, others));
        }
        complete += way->status == PathStatus::complete ? 1 : 0;
        cut_off += way->status == PathStatus::unreachable && without->status == PathStatus::complete ? 1 : 0;
        ends_blocked += way->status == PathStatus::start_blocked || way->status == PathStatus::goal_blocked;
        query.blockers = {};
        const Result<Route> again = find_route(*world.map, query, scratch);  // nothing is left of them
        EXPECT_EQ(again->stats.digest, without->stats.digest);
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 60);
    EXPECT_GT(cut_off, 2);
    EXPECT_GT(ends_blocked, 20);
}

// Between a disc and a wall there is just as much room as the unit is wide, or a little less.
TEST(DriveBlockers, AGapAsWideAsTheUnit) {
    const DrivenWorld world(open_tiles(40, 6), {.radius = 0.5, .turning_radius = 2.0});
    Scratch scratch;
    for (const double narrower : {-1e-3, 0.0, 1e-3}) {
        const Blocker others[] = {{.centre = {20.0, 6.0 - 1.0}, .radius = 4.0 + narrower}};
        DriveQuery query{.start = {{2.5, 0.5}, 0.0}, .goal = {{37.5, 0.5}, 0.0}, .blockers = others};
        query.off_lattice_max = 3000;
        const Result<Route> way = find_route(*world.map, query, scratch);
        ASSERT_TRUE(way.has_value());
        EXPECT_EQ(way->status, narrower > 0.0 ? PathStatus::unreachable : PathStatus::complete) << narrower;
        EXPECT_FALSE(judge(*way, world, others));
    }
}

TEST(DriveBlockers, AStartBesideOneIsFree) {
    const DrivenWorld world(open_tiles(20, 12), {.radius = 0.5, .turning_radius = 2.0});
    Scratch scratch;
    const Blocker touching[] = {{.centre = {3.5, 4.5}, .radius = 1.0}};
    DriveQuery query{.start = {{5.0, 4.5}, 0.0}, .goal = {{15.5, 8.5}, 0.0}, .blockers = touching};
    const Result<Route> way = find_route(*world.map, query, scratch);
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(way->status, PathStatus::complete);
    EXPECT_FALSE(judge(*way, world, touching));
    query.start = {{4.9, 4.5}, 0.0};
    EXPECT_EQ(find_route(*world.map, query, scratch).value().status, PathStatus::start_blocked);
    std::swap(query.start, query.goal.at);
    EXPECT_EQ(find_route(*world.map, query, scratch).value().status, PathStatus::goal_blocked);
}

TEST(DriveBlockers, ClearanceCountsThem) {
    const DrivenWorld world(open_tiles(30, 20), {.radius = 0.5, .turning_radius = 2.0});
    Scratch scratch;
    const Blocker others[] = {{.centre = {15.5, 12.5}, .radius = 0.75}, {.box = {{10.0, 8.0}, {11.0, 9.0}}}};
    const DriveQuery query{.start = {{2.5, 10.5}, 0.0}, .goal = {{27.5, 10.5}, 0.0}, .blockers = others};
    const Result<Route> way = find_route(*world.map, query, scratch);
    ASSERT_TRUE(way.has_value());
    ASSERT_EQ(way->legs.size(), 1U);
    EXPECT_NEAR(way->legs[0].clearance, 1.25, 1e-8);
}

TEST(DriveBlockers, RevalidateAndRepairMindThem) {
    const DrivenWorld world(open_tiles(40, 20), {.radius = 0.5, .turning_radius = 2.0});
    Scratch scratch;
    DriveQuery query{.start = {{2.5, 10.5}, 0.0}, .goal = {{37.5, 10.5}, 0.0}};
    Result<Route> found = find_route(*world.map, query, scratch);
    ASSERT_TRUE(found.has_value());
    Route& route = *found;
    const Blocker others[] = {{.centre = {20.0, 10.5}, .radius = 1.0}};
    EXPECT_TRUE(revalidate(*world.map, route, query, scratch).value().legal);
    query.blockers = others;
    EXPECT_FALSE(revalidate(*world.map, route, query, scratch).value().legal);
    ASSERT_TRUE(repair(*world.map, route, query, scratch).has_value());
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_FALSE(judge(route, world, others));
    EXPECT_TRUE(revalidate(*world.map, route, query, scratch).value().legal);
    // A claim of clearance is true beside them, and larger again without them.
    const double beside =
        std::min_element(route.legs.begin(), route.legs.end(), [](const Leg& a, const Leg& b) {
            return a.clearance < b.clearance;
        })->clearance;
    EXPECT_LT(beside, 1.0);
    query.blockers = {};
    EXPECT_TRUE(revalidate(*world.map, route, query, scratch).value().legal);
    for (const Leg& leg : route.legs) EXPECT_GT(leg.clearance, 1.0);
    // They close the road: the route is as unreachable as if it were asked for.
    const Blocker wall[] = {{.box = {{19.0, -1.0}, {21.0, 21.0}}}};
    query.blockers = wall;
    ASSERT_TRUE(repair(*world.map, route, query, scratch).has_value());
    EXPECT_EQ(route.status, PathStatus::unreachable);
    // A search that runs has the scratch.
    DriveSearch running(*world.map, query, scratch);
    EXPECT_EQ(revalidate(*world.map, route, query, scratch).error().code, ErrorCode::scratch_in_use);
}

// Nearer to the goal is no place that the unit reaches: asked one by one.
TEST(DriveBlockers, PartialLeadsToTheNearestPlaceBesideThem) {
    const DrivenWorld world(open_tiles(40, 20), {.radius = 0.5, .turning_radius = 2.0});
    Scratch scratch;
    const Blocker others[] = {{.box = {{20.0, -1.0}, {23.0, 21.0}}}};
    DriveQuery query{.start = {{5.5, 10.5}, 0.0}, .goal = {{30.5, 10.5}, 0.0}, .blockers = others};
    EXPECT_EQ(find_route(*world.map, query, scratch).value().status, PathStatus::unreachable);
    query.partial = true;
    const Result<Route> way = find_route(*world.map, query, scratch);
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(way->status, PathStatus::partial);
    EXPECT_EQ(ground(way->end.position), (Vec2{19.5, 10.5}));
    EXPECT_FALSE(judge(*way, world, others));
    query.goal.at.position.x = 21.5;  // in it
    EXPECT_EQ(ground(find_route(*world.map, query, scratch).value().end.position), (Vec2{19.5, 10.5}));
}

TEST(DriveBlockers, WithSpeeds) {
    Rng rng(2302);
    Scratch scratch;
    int complete = 0;
    for (int n = 0; n < trials(80); ++n) {
        const DrivenWorld world(random_drive_map(rng, MapStyle::blocks, 24, 18), random_unit(rng));
        ASSERT_TRUE(world.map.has_value());
        const Result<SpeedTable> speeds =
            SpeedTable::make(*world.table, {.speed_max = 6.0, .accel_max = 2.0, .brake_max = 3.0});
        ASSERT_TRUE(speeds.has_value());
        TimedQuery query{.partial = rng.below(2) == 0};
        Spot goal;
        if (!random_free_pose(rng, world.tiles, world.agent, rng.below(2) == 0, query.start) ||
            !random_free_pose(rng, world.tiles, world.agent, rng.below(2) == 0, goal))
            continue;
        query.goal = goal;
        const std::vector<Blocker> others = some_blockers(rng, world.tiles);
        query.blockers = others;
        SCOPED_TRACE(n);
        const Result<Route> way = find_route(*world.map, timed_by(*speeds, query), scratch);
        ASSERT_TRUE(way.has_value());
        const Violation bad = judge(*way, world, others);
        EXPECT_FALSE(bad) << bad.text().c_str();
        const bool stands = fits_there(world, query.start, others);
        EXPECT_EQ(way->status == PathStatus::start_blocked, !stands);
        complete += way->status == PathStatus::complete ? 1 : 0;
        Route route;
        ASSERT_TRUE(find_route_into(*world.map, timed_by(*speeds, query), scratch, route).has_value());
        EXPECT_TRUE(revalidate(*world.map, route, timed_by(*speeds, query), scratch).value().legal);
    }
    if (all_trials()) {
        EXPECT_GT(complete, 15);
    }
}

// Over the grid itself, in one call; each on its floor.
TEST(DriveBlockers, OverAGridOfTwoFloors) {
    const std::vector<std::uint8_t> tiles(2 * 30 * 12, 1);
    const Result<Grid> town = Grid::make({.width = 30, .height = 12, .layers = 2}, tiles);
    ASSERT_TRUE(town.has_value());
    Scratch scratch;
    DriveQuery query{.start = Spot{{2.5, 6.5}, 0.0}.on_layer(1), .goal = Spot{{27.5, 6.5}, 0.0}.on_layer(1)};
    query.agent = {.radius = 0.5, .turning_radius = 1.5};
    const Blocker below[] = {{.centre = {15.0, 6.5}, .radius = 20.0}};
    query.blockers = below;
    const Result<Route> straight = find_route(town->state(), query, scratch);
    ASSERT_TRUE(straight.has_value());
    EXPECT_EQ(straight->legs.size(), 1U);
    const Blocker here[] = {{.centre = {15.0, 6.5}, .radius = 2.0, .layer = 1}};
    query.blockers = here;
    const Result<Route> around = find_route(town->state(), query, scratch);
    ASSERT_TRUE(around.has_value());
    EXPECT_EQ(around->status, PathStatus::complete);
    EXPECT_GT(around->legs.size(), 1U);
    EXPECT_FALSE(verify(*around, town->state(), query.agent, {.blockers = here}));
}

TEST(DriveBlockers, BadOnesAreNamed) {
    const DrivenWorld world(open_tiles(10, 10), {.radius = 0.4, .turning_radius = 1.0});
    Scratch scratch;
    std::vector<Blocker> others(3);
    DriveQuery query{.start = {{2.5, 2.5}, 0.0}, .goal = {{7.5, 7.5}, 0.0}};
    const auto error = [&] {
        query.blockers = others;
        return find_route(*world.map, query, scratch).error();
    };
    others[2].centre.x = std::nan("");
    EXPECT_EQ(error(), (Error{ErrorCode::not_finite, Field::blockers, 2, 0}));
    others[2] = {.radius = -1.0};
    EXPECT_EQ(error(), (Error{ErrorCode::out_of_range, Field::blockers, 2, 0}));
    others[2] = {.radius = 1e9};
    EXPECT_EQ(error(), (Error{ErrorCode::out_of_range, Field::blockers, 2, 0}));
    others.assign(kBlockersMax + 1, {.centre = {-50.0, -50.0}});
    EXPECT_EQ(error().code, ErrorCode::size_limit);
    others.pop_back();
    query.blockers = others;
    EXPECT_EQ(find_route(*world.map, query, scratch).value().status, PathStatus::complete);
}

TEST(DriveBlockers, AWarmQueryAllocatesNothing) {
    TestAllocator memory;
    const DrivenWorld world(open_tiles(60, 40), {.radius = 0.4, .turning_radius = 1.5});
    std::vector<Blocker> others(40);
    for (std::size_t i = 0; i < others.size(); ++i)
        others[i] = {.centre = {10.0 + 1.0 * static_cast<double>(i), 10.0 + 0.5 * static_cast<double>(i)},
                     .radius = 0.5};
    Scratch scratch(memory.allocator());
    Route route;
    const DriveQuery query{
        .start = {{5.5, 20.5}, 0.0}, .goal = {{55.5, 20.5}, 0.0}, .partial = true, .blockers = others};
    for (int i = 0; i < 3; ++i) {
        const std::int64_t before = memory.calls;
        ASSERT_TRUE(find_route_into(*world.map, query, scratch, route).has_value());
        ASSERT_EQ(route.status, PathStatus::complete);
        if (i > 0) {
            EXPECT_EQ(memory.calls, before);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
