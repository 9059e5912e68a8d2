// Routes after edits: what of them still holds, what they cost now, and how they are mended. Random ones: repair_random_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/roadmap/leg_names.h>
#include <fairlead/roadmap/repair.h>

#include "support/roadmap_repairs.h"
#include "support/roadmaps.h"
#include "support/starve.h"

namespace fairlead {
namespace {

using testing::judge;
using testing::PlainRoadmap;
using testing::route_of;
using testing::well_formed;

/// A ladder of 2 x 6 waypoints, 0 to 5 below, 10 to 15 above.
PlainRoadmap ladder() {
    PlainRoadmap plain;
    for (int i = 0; i < 6; ++i) {
        plain.node(i, 10.0 * i, 0);
        plain.node(10 + i, 10.0 * i, 10);
    }
    for (int i = 0; i < 6; ++i) plain.edge(i, 10 + i);
    for (int i = 0; i + 1 < 6; ++i) {
        plain.edge(i, i + 1);
        plain.edge(10 + i, 11 + i);
    }
    return plain;
}

TEST(RoadmapRepair, AroundAMissingEdge) {
    Roadmap roadmap = ladder().make();
    const RoadmapQuery query{.start = WaypointId{0}, .goal = WaypointId{5}};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.cost, 50.0);
    ASSERT_EQ(route.bound, 1.0);
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.bound, 1.0);  // nothing has changed

    ASSERT_TRUE(roadmap.remove_edge({.from = {2}, .to = {3}}));
    EXPECT_EQ(judge(roadmap, query, route), (Revalidation{false, 2, 2}));
    Scratch scratch;
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.cost, 70.0);
    EXPECT_EQ(route.length, 70.0);
    EXPECT_EQ(route.bound, kNoBound);
    EXPECT_EQ(route.revision, roadmap.state().revision());
    EXPECT_EQ(route.legs.size(), 7U);
    EXPECT_TRUE(well_formed(route, {0, 0, 0}, {50, 0, 0}));
    EXPECT_TRUE(judge(roadmap, query, route).legal);
}

TEST(RoadmapRepair, OneWayCountsAndPricesAreNew) {
    Roadmap roadmap = ladder().make();
    const RoadmapQuery query{.start = WaypointId{0}, .goal = WaypointId{5}};
    Route route = route_of(roadmap, query);
    ASSERT_TRUE(roadmap.remove_edge({.from = {3}, .to = {2}, .one_way = true}));
    EXPECT_TRUE(judge(roadmap, query, route).legal);  // the way back is gone, not this one
    EXPECT_EQ(route.cost, 50.0);
    EXPECT_EQ(route.bound, kNoBound);
    ASSERT_TRUE(roadmap.change_edge({.from = {1}, .to = {2}, .cost = 25}));
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.cost, 65.0);
    ASSERT_TRUE(roadmap.remove_edge({.from = {2}, .to = {3}, .one_way = true}));
    EXPECT_FALSE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.cost, 65.0);  // as it was
}

TEST(RoadmapRepair, FiltersLinksAndLabels) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 10, 10);
    plain.edges.push_back({.from = {1}, .to = {2}, .cost = 1, .link = true, .label = 7});
    plain.edges.push_back({.from = {2}, .to = {3}, .kind = 4, .flags = 2});
    plain.edge(1, 3, 100);
    Roadmap roadmap = plain.make();
    RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{3}};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.cost, 11.0);
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    query.filter.blocked_flags = 2;
    EXPECT_EQ(judge(roadmap, query, route), (Revalidation{false, 1, 1}));
    query.filter.blocked_flags = 0;
    std::vector<double> factors(256, 1.0);
    factors[4] = 3;
    query.filter.kinds.factors = factors;
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.cost, 31.0);
    ASSERT_TRUE(roadmap.remove_edge({.from = {1}, .to = {2}, .label = 7}));
    ASSERT_TRUE(roadmap.add_edge({.from = {1}, .to = {2}, .cost = 1, .link = true, .label = 8}));
    EXPECT_EQ(judge(roadmap, query, route), (Revalidation{false, 0, 0}));
    Scratch scratch;
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.cost, 31.0);
    EXPECT_EQ(route.legs[0].link_id, 8U);
}

// A waypoint that is moved or removed takes both its legs with it.
TEST(RoadmapRepair, MovedAndRemovedWaypoints) {
    Roadmap roadmap = ladder().make();
    const RoadmapQuery query{.start = WaypointId{0}, .goal = WaypointId{5}};
    Route route = route_of(roadmap, query);
    ASSERT_TRUE(roadmap.move_node({{2}, {20, -1, 0}}));
    EXPECT_EQ(judge(roadmap, query, route), (Revalidation{false, 1, 2}));
    Scratch scratch;
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_NEAR(route.cost, 30 + 2 * std::hypot(10.0, 1.0), 1e-12);
    ASSERT_TRUE(roadmap.remove_node({2}));
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.cost, 70.0);
    // The start: the route goes on from where it was, which is off the net now. Nothing is known about walls.
    ASSERT_TRUE(roadmap.remove_node({0}));
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    ASSERT_TRUE(roadmap.remove_node({route.legs[1].start.position.y == 0.0 ? 1 : 10}));
    EXPECT_EQ(judge(roadmap, query, route).first_bad, 0);
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_TRUE(well_formed(route, {0, 0, 0}, {50, 0, 0}));
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    ASSERT_TRUE(roadmap.remove_node({15}));
    ASSERT_TRUE(roadmap.remove_edge({.from = {4}, .to = {5}}));
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::unreachable);
    EXPECT_TRUE(route.legs.empty());
}

// Waypoints in one place are joined by an edge without length, which is no leg of the route.
TEST(RoadmapRepair, AnEdgeWithoutALegIsMissedToo) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 10, 0);
    plain.node(4, 20, 0);
    plain.node(5, 10, 5);
    plain.edge(1, 2);
    plain.edge(2, 3, 6);
    plain.edge(3, 4);
    plain.edge(2, 5);
    plain.edge(5, 3);
    Roadmap roadmap = plain.make();
    const RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{4}};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.cost, 26.0);
    ASSERT_EQ(route.legs.size(), 2U);
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.cost, 26.0);
    ASSERT_TRUE(roadmap.remove_edge({.from = {2}, .to = {3}}));
    EXPECT_FALSE(judge(roadmap, query, route).legal);
    Scratch scratch;
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.cost, 30.0);
    EXPECT_TRUE(judge(roadmap, query, route).legal);
}

// A route without legs, from one waypoint to another one in its place, was legal whatever had become of the edge.
TEST(RoadmapRepair, ARouteWithoutLegsNeedsItsEdgesToo) {
    PlainRoadmap plain;
    for (const std::int64_t id : {1, 2, 3}) plain.node(id, 10, 0);
    plain.node(4, 10, 5);
    plain.edge(1, 2, 4);
    plain.edge(2, 3, 2);
    plain.edge(1, 4);
    plain.edge(4, 3);
    Roadmap roadmap = plain.make();
    const RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{3}};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.cost, 6.0);
    ASSERT_TRUE(route.legs.empty());
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.bound, 1.0);
    ASSERT_TRUE(roadmap.change_edge({.from = {2}, .to = {3}, .cost = 3}));
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    EXPECT_EQ(route.cost, 7.0);
    Scratch scratch;
    RoadmapQuery narrow = query;
    narrow.filter.blocked_flags = 1;
    EXPECT_TRUE(judge(roadmap, narrow, route).legal);
    ASSERT_TRUE(roadmap.remove_edge({.from = {2}, .to = {3}}));
    EXPECT_FALSE(judge(roadmap, query, route).legal);
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.cost, 10.0);
    EXPECT_EQ(route.legs.size(), 2U);
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    ASSERT_TRUE(roadmap.remove_node({4}));
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::unreachable);
    // Who is there already needs none.
    const RoadmapQuery stays{.start = WaypointId{1}, .goal = WaypointId{1}};
    Route still = route_of(roadmap, stays);
    EXPECT_TRUE(judge(roadmap, stays, still).legal);
    EXPECT_EQ(still.cost, 0.0);
}

struct Door {
    bool shut = false;
    mutable int asked = 0;
    [[nodiscard]] SightQuery sight() const {
        return {[](Vec3 a, Vec3 b, double, void* user) {
                    const auto* door = static_cast<const Door*>(user);
                    ++door->asked;
                    return !door->shut || (a.y > 0.5) == (b.y > 0.5);
                },
                const_cast<Door*>(this)};
    }
};

TEST(RoadmapRepair, TheUsersWallsAndTheChangedRegion) {
    Roadmap roadmap = ladder().make();
    Door door;
    RoadmapQuery query{.start = Vec2{3, 4}, .goal = WaypointId{5}, .sight = door.sight(), .direct = false};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::complete);
    const Vec3 entry = leg_end(route, 0).position;
    ASSERT_LT(entry.y, 0.5);
    door.shut = true;
    Scratch scratch;
    const Aabb elsewhere{{30, 30}, {40, 40}};
    door.asked = 0;
    Result<Revalidation> found = revalidate(roadmap, route, query, scratch, &elsewhere);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->legal);
    EXPECT_EQ(door.asked, 0);
    const Aabb here{{-1, 0.4}, {60, 0.6}};
    found = revalidate(roadmap, route, query, scratch, &here);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (Revalidation{false, 0, 0}));
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_GT(leg_end(route, 0).position.y, 0.5);
    // check_edges: the rungs are shut as well.
    query.check_edges = true;
    found = revalidate(roadmap, route, query, scratch);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->legal);
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, PathStatus::unreachable);
}

// Found by EveryWorldMends: the last leg ran along an edge, which nobody asks to be clear. The edge goes, and the leg would now leave the
// net through a wall that has stood there all along, outside the changed region.
TEST(RoadmapRepair, WhereAnEdgeWentAWallUnderTheLegCounts) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 20, 0);
    plain.edge(1, 2);
    plain.edge(2, 3);
    plain.wall({{14, -1}, {16, -1}, {15, 1}}, true);
    Roadmap roadmap = plain.make();
    const RoadmapQuery query{.start = WaypointId{1}, .goal = Vec2{20, 0}};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::complete);
    ASSERT_TRUE(roadmap.move_node({WaypointId{3}, {20, 30, 0}}));
    Scratch scratch;
    const Aabb elsewhere{{30, 30}, {40, 40}};
    const Result<Revalidation> found = revalidate(roadmap, route, query, scratch, &elsewhere);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->legal);
    EXPECT_EQ(*found, judge(roadmap, query, route));
}

// FAULT-7: who stands in a wall is not legal because there is no leg.
TEST(RoadmapRepair, ARouteWithoutLegsIsBlockedByAWall) {
    Roadmap roadmap = ladder().make();
    bool free = true;
    const auto ask = [](Vec3, Vec3, double, void* user) { return *static_cast<const bool*>(user); };
    RoadmapQuery query{.start = Vec2{3, 4}, .goal = Vec2{3, 4}, .sight = {ask, &free}};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::complete);
    ASSERT_TRUE(route.legs.empty());
    EXPECT_TRUE(judge(roadmap, query, route).legal);
    free = false;
    Scratch scratch;
    const Aabb elsewhere{{30, 30}, {40, 40}};
    EXPECT_TRUE(revalidate(roadmap, route, query, scratch, &elsewhere).value().legal);
    EXPECT_EQ(judge(roadmap, query, route), (Revalidation{false, -1, -1}));
    ASSERT_TRUE(repair(roadmap, route, query, scratch));
    EXPECT_EQ(route.status, route_of(roadmap, query).status);
    EXPECT_NE(route.status, PathStatus::complete);
    EXPECT_TRUE(judge(roadmap, query, route).legal);  // it found no way: nothing to spoil
    // From a waypoint to itself nothing is asked of walls, as in find_route.
    query.start = query.goal.at = WaypointId{2};
    Route still = route_of(roadmap, query);
    ASSERT_EQ(still.status, PathStatus::complete);
    EXPECT_TRUE(judge(roadmap, query, still).legal);
}

// FAULT: a partial route that ends in the goal's place, but on another waypoint, was taken to end on the goal.
TEST(RoadmapRepair, APartialRouteMayEndInTheGoalsPlace) {
    PlainRoadmap plain;
    plain.node(0, 2, 1);
    plain.node(1, 0, 1);
    plain.node(2, 0, 1);
    plain.edge(0, 1, 7);
    Roadmap roadmap = plain.make();
    const Spot list[] = {WaypointId{2}};
    for (const Goal& goal : {Goal(WaypointId{2}), Goal::any_of(list)}) {
        const RoadmapQuery query{.start = WaypointId{0}, .goal = goal, .partial = true};
        Route route = route_of(roadmap, query);
        ASSERT_EQ(route.status, PathStatus::partial);
        ASSERT_EQ(route.cost, 7.0);
        EXPECT_EQ(judge(roadmap, query, route), Revalidation{});
        EXPECT_EQ(route.cost, 7.0);
        Scratch scratch;
        Array<RoadmapLeg> names;
        ASSERT_TRUE(name_legs(roadmap, query, scratch, route, names));
        ASSERT_EQ(names.size(), 1U);
        EXPECT_TRUE(names[0].on_net);
        EXPECT_EQ(names[0].from, WaypointId{0});
        EXPECT_EQ(names[0].to, WaypointId{1});
        ASSERT_TRUE(repair(roadmap, route, query, scratch));
        EXPECT_EQ(route.cost, 7.0);
    }
    // A complete one ends on the goal alone: the edge to it goes, and the one beside it does not serve.
    ASSERT_TRUE(roadmap.add_edge({.from = {0}, .to = {2}, .cost = 9}));
    const RoadmapQuery query{.start = WaypointId{0}, .goal = WaypointId{2}, .partial = true};
    Route whole = route_of(roadmap, query);
    ASSERT_EQ(whole.status, PathStatus::complete);
    ASSERT_TRUE(roadmap.remove_edge({.from = {0}, .to = {2}}));
    EXPECT_EQ(judge(roadmap, query, whole), (Revalidation{false, 0, 0}));
}

// FAULT: of the goals of a list that lie in one place the first alone counted as the end.
TEST(RoadmapRepair, SeveralGoalsOfAListMayLieInOnePlace) {
    PlainRoadmap plain;
    plain.node(0, 2, 1);
    plain.node(1, 0, 1);
    plain.node(2, 0, 1);
    plain.edge(0, 2, 5);
    Roadmap roadmap = plain.make();
    const Spot list[] = {WaypointId{1}, WaypointId{2}};
    const RoadmapQuery query{.start = WaypointId{0}, .goal = Goal::any_of(list)};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(judge(roadmap, query, route), Revalidation{});
    EXPECT_EQ(route.cost, 5.0);
    Scratch scratch;
    Array<RoadmapLeg> names;
    ASSERT_TRUE(name_legs(roadmap, query, scratch, route, names));
    ASSERT_EQ(names.size(), 1U);
    EXPECT_EQ(names[0].to, WaypointId{2});
    // A third one there is no goal.
    ASSERT_TRUE(roadmap.add_node({{3}, {0, 1, 0}}));
    ASSERT_TRUE(roadmap.add_edge({.from = {0}, .to = {3}, .cost = 4}));
    ASSERT_TRUE(roadmap.remove_edge({.from = {0}, .to = {2}}));
    EXPECT_EQ(judge(roadmap, query, route), (Revalidation{false, 0, 0}));
}

// FAULT: from a waypoint no walls are asked, also where nothing is nearer to the goal.
TEST(RoadmapRepair, APartialRouteWithoutLegsStandsOnItsWaypoint) {
    PlainRoadmap plain;
    plain.node(0, 0, 0);
    plain.node(1, 5, 0);
    plain.node(2, 9, 0);
    plain.edge(1, 2);
    const Roadmap roadmap = plain.make();
    const auto never = [](Vec3, Vec3, double, void*) { return false; };
    const RoadmapQuery query{
        .start = WaypointId{0}, .goal = WaypointId{2}, .sight = {never, nullptr}, .partial = true};
    Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::partial);
    ASSERT_TRUE(route.legs.empty());
    EXPECT_TRUE(judge(roadmap, query, route).legal);
}

TEST(RoadmapRepair, ErrorsAndRoutesWithoutLegs) {
    const Roadmap roadmap = ladder().make();
    Scratch scratch;
    Route route;
    RoadmapQuery query{.start = WaypointId{99}, .goal = WaypointId{98}};  // unknown by now: no error
    const Result<Revalidation> none = revalidate(roadmap, route, query, scratch);
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->legal);
    query.agent.radius = -1;
    EXPECT_EQ(revalidate(roadmap, route, query, scratch).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(repair(roadmap, route, query, scratch).error().code, ErrorCode::out_of_range);
}

TEST(RoadmapRepair, AWarmCallAllocatesNothingAndAFailureIsAnError) {
    testing::TestAllocator memory;
    const PlainRoadmap plain = ladder();
    {
        Scratch scratch(memory.allocator());
        const RoadmapQuery query{.start = WaypointId{0}, .goal = WaypointId{5}};
        std::int64_t calls = 0;
        for (int round = 0; round < 2; ++round) {
            Roadmap roadmap = plain.make();
            Route route;
            route.legs = Array<Leg>(memory.allocator());
            ASSERT_TRUE(route.legs.reserve(64));
            ASSERT_TRUE(find_route_into(roadmap, query, scratch, route));
            ASSERT_TRUE(roadmap.remove_edge({.from = {2}, .to = {3}}));
            calls = memory.calls;
            ASSERT_TRUE(revalidate(roadmap, route, query, scratch));
            ASSERT_TRUE(repair(roadmap, route, query, scratch));
            if (round == 1) {
                EXPECT_EQ(memory.calls, calls);
            }
        }
        Roadmap roadmap = plain.make();
        const Route whole = route_of(roadmap, query);
        ASSERT_TRUE(roadmap.remove_edge({.from = {2}, .to = {3}}));
        Route route;
        for (const bool once : testing::kOnceAndForEver) {
            const std::int64_t failures = testing::starve(
                memory, once,
                [&] {
                    scratch.free_memory();
                    route.status = whole.status;
                    route.end = whole.end;
                    route.cost = whole.cost;
                    EXPECT_TRUE(route.legs.assign(whole.legs.span()));
                    return repair(roadmap, route, query, scratch);
                },
                [&](const Result<void>& starved) {
                    if (!starved) {
                        ASSERT_EQ(route.legs.size(), whole.legs.size());
                    }
                    ASSERT_TRUE(repair(roadmap, route, query, scratch));
                    ASSERT_EQ(route.cost, 70.0);
                });
            EXPECT_GT(failures, 2);
        }
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

}  // namespace
}  // namespace fairlead
