// The search over all poses, where the lattice has no way: legal by two witnesses, sliced = unsliced, no allocation, and it
// ends.

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/grid/road_layer.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "drive/lattice/bin_space.h"
#include "oracle/pose_sampler.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

Agent random_driver(Rng& rng) {
    Agent agent{.radius = 0.45};
    if (rng.below(3) == 0) agent.radius = 0.95;
    if (rng.below(3) == 0) agent = box_body(2.0, 1.0, 0.4);
    agent.turning_radius = rng.between(1, 3);
    agent.can_reverse = rng.below(2) == 0;
    return agent;
}

// A wall between two halves with a gap whose middle is `middle`, and a unit that fits it with `slack` to each side.
struct Gap {
    Grid grid = *Grid::make({.width = 40, .height = 30});
    Agent agent{};
    DriveQuery query{};

    explicit Gap(double slack) {
        EXPECT_TRUE(grid.fill({{18, 0}, {22, 30}}, 0).has_value());
        EXPECT_TRUE(grid.fill({{18, 14}, {22, 16}}, 1).has_value());
        agent = {.radius = 1.0 - slack, .turning_radius = 3.0};
        query = {.start = {{4.5, 20.5}, 0.0}, .goal = {{35.5, 9.5}, 0.0}, .agent = agent};
    }
};

// Poses at the middle of cells do not lie on the gap's middle line; at this setting nothing else is tried.
const GridDriveSetup kCentres{.nodes = DriveNodes::centres, .refine = false, .off_lattice_max = 0};

TEST(OffLattice, PassesAGapThatTheLatticeMisses) {
    const Gap gap(0.02);
    Scratch scratch;
    Route route;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, kCentres).has_value());
    ASSERT_EQ(route.status, PathStatus::unreachable);
    DriveQuery query = gap.query;
    query.off_lattice_max = 100'000;
    ASSERT_TRUE(find_route_into(gap.grid, query, scratch, route, kCentres).has_value());
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_STREQ(route.planner, "off_lattice");
    EXPECT_EQ(route.bound, kNoBound);
    EXPECT_FALSE(verify(route, gap.grid, gap.agent)) << verify(route, gap.grid, gap.agent).text().c_str();
    // Straight across would be 32.9.
    EXPECT_LT(route.length, 36.0);
    const std::uint64_t before = heap_calls();
    ASSERT_TRUE(find_route_into(gap.grid, query, scratch, route, kCentres).has_value());
    EXPECT_EQ(heap_calls(), before);
}

TEST(OffLattice, IsNotFoundWhereTheBodyDoesNotFit) {
    Gap gap(0.02);
    gap.query.agent.radius = 1.001;
    gap.query.off_lattice_max = 20'000;
    Scratch scratch;
    Route route;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, kCentres).has_value());
    EXPECT_EQ(route.status, PathStatus::unreachable);
}

// In a lane as wide as the unit, facing its wall: no way in, few poses, soon looked through.
TEST(OffLattice, EndsWhenOneSideHasNothingLeft) {
    Gap gap(0.02);
    ASSERT_TRUE(gap.grid.fill({{30, 8}, {40, 9}}, 0).has_value());
    ASSERT_TRUE(gap.grid.fill({{30, 11}, {40, 12}}, 0).has_value());
    gap.query.goal = {{35.0, 10.0}, kHalfPi};
    gap.query.off_lattice_max = UINT64_MAX;
    Scratch scratch;
    Route route;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, kCentres).has_value());
    EXPECT_EQ(route.status, PathStatus::unreachable);
    EXPECT_LT(route.stats.expanded, 20'000U);
}

TEST(OffLattice, KeepsToItsBudget) {
    Gap gap(0.02);
    Scratch scratch;
    Route route;
    gap.query.off_lattice_max = 40;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, kCentres).has_value());
    EXPECT_EQ(route.status, PathStatus::unreachable);
    EXPECT_EQ(route.stats.expanded, 40U);
    gap.query.off_lattice_max = UINT64_MAX;
    gap.query.expansions_max = 40;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, kCentres).has_value());
    EXPECT_EQ(route.status, PathStatus::budget_spent);
    EXPECT_EQ(route.stats.expanded, 40U);
}

TEST(OffLattice, SlicedIsUnsliced) {
    Gap gap(0.05);
    gap.query.off_lattice_max = 100'000;
    Scratch scratch;
    const Result<const DriveMap*> map = drive_map_in(scratch, gap.grid, gap.agent, kCentres);
    ASSERT_TRUE(map.has_value());
    Route whole;
    ASSERT_TRUE(find_route_into(**map, gap.query, scratch, whole).has_value());
    ASSERT_EQ(whole.status, PathStatus::complete);
    for (const std::uint64_t slice : {1U, 7U, 1000U}) {
        DriveSearch search(**map, gap.query, scratch);
        while (search.step(slice)) {
        }
        Route route;
        ASSERT_TRUE(search.take(route).has_value());
        ASSERT_EQ(route.legs.size(), whole.legs.size());
        for (std::size_t i = 0; i < whole.legs.size(); ++i) EXPECT_EQ(route.legs[i], whole.legs[i]);
        EXPECT_EQ(route.stats.expanded, whole.stats.expanded);
    }
}

// Random maps, on a lattice that misses much.
TEST(OffLatticeSlow, RandomWaysAreLegal) {
    Rng rng(77);
    Scratch scratch;
    Route route;
    int found = 0;
    int reversed = 0;
    for (int i = 0; i < trials(120); ++i) {
        const oracle::PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 24, 24);
        DriveQuery query{.agent = random_driver(rng), .off_lattice_max = 4000};
        if (!random_free_pose(rng, map, query.agent, false, query.start) ||
            !random_free_pose(rng, map, query.agent, false, query.goal.at)) {
            continue;
        }
        if (i % 3 == 0) query.goal.at = query.goal.at.facing(3.0 * kPi / 8.0, kHalfPi);
        const Grid grid = grid_of(map);
        const GridDriveSetup setup{.headings = 8, .rings = 1, .nodes = DriveNodes::centres, .refine = false};
        ASSERT_TRUE(find_route_into(grid, query, scratch, route, setup).has_value());
        if (route.status != PathStatus::complete) continue;
        SCOPED_TRACE(i);
        const Violation bad = verify(route, grid, query.agent);
        EXPECT_FALSE(bad) << bad.text().c_str();
        if (route.bound != kNoBound) continue;
        ++found;
        reversed += query.agent.can_reverse ? 1 : 0;
        if (query.goal.at.heading_tolerance_rad != 0.0) continue;
        const oracle::PoseFinding fault = sample_route(
            route, map, query.agent, {.start = query.start.pose(), .goal = query.goal.at.pose()});
        EXPECT_FALSE(fault) << fault_name(fault.fault) << " by " << fault.amount;
    }
    EXPECT_GT(found, trials(120) / 20);
    EXPECT_GT(reversed, 0);
}

// The lane through the gap leads the other way.
TEST(OffLattice, DoesNotBreakTheRulesOfTheRoad) {
    const Gap gap(0.02);
    RoadLayer roads = *RoadLayer::make(40, 30);
    const Vec2 line[] = {{40.0, 15.0}, {0.0, 15.0}};
    ASSERT_TRUE(roads.paint(line, 30.0, RoadLanes::one_way).has_value());
    GridDriveSetup setup{.nodes = DriveNodes::centres, .refine = false};
    setup.map.roads = &roads;
    setup.map.road_rules.against = kRoadForbidden;
    Scratch scratch;
    Route route;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, setup).has_value());
    EXPECT_EQ(route.status, PathStatus::unreachable);
    setup.map.road_rules.against = 2.0;
    ASSERT_TRUE(find_route_into(gap.grid, gap.query, scratch, route, setup).has_value());
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_NEAR(route.cost, 2.0 * route.length, 1e-6 * route.cost);
}

TEST(OffLattice, TurnedRoundIsTheSameWayFromTheOtherEnd) {
    CurveWord word;
    word.segments[0] = {0.7, Steer::left};
    word.segments[1] = {-1.3, Steer::straight};
    word.segments[2] = {0.4, Steer::right};
    word.count = 3;
    const Pose start{{3.0, 4.0}, 0.6};
    const Pose end = end_of_curve(start, 2.0, word);
    const Pose back = end_of_curve(drive::turned_round(end), 2.0, drive::turned_round(word));
    EXPECT_NEAR(back.position.x, start.position.x, 1e-12);
    EXPECT_NEAR(back.position.y, start.position.y, 1e-12);
    EXPECT_NEAR(math::wrap_pi(back.heading_rad - start.heading_rad - kPi), 0.0, 1e-12);
    const BodyCore body = body_core(box_body(3.0, 1.0, 0.7));
    EXPECT_EQ(drive::turned_round(drive::turned_round(body)).core, body.core);
    EXPECT_EQ(drive::turned_round(body).core.high.x, -body.core.low.x);
}

}  // namespace
}  // namespace fairlead::testing
