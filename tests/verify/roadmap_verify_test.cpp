// verify over a roadmap: every kind of violation planted, found on the right leg.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/grid/grid.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/roadmaps.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/extremes.h"

namespace fairlead {
namespace {

using testing::kNan;
using testing::PlainRoadmap;
using testing::polyline;
using testing::RouteMaker;

constexpr RoadmapVerifyOptions kAnyRoadRevision{.check_revision = false};

/// A square of edges, the last side one way; a ladder from 3 up to 5; a wall that cuts the edge from 1 to 2.
///     4 --- 3 ~~> 5
///     |     ^
///     1 -#- 2
PlainRoadmap square() {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 10, 10);
    plain.node(4, 0, 10);
    plain.node(5, 14, 10, 3);
    plain.edge(1, 2);
    plain.edge(2, 3, kStraightCost, true);
    plain.edge(3, 4);
    plain.edge(4, 1);
    plain.edges[2].flags = 4;
    plain.edges[2].kind = 7;
    plain.edges.push_back({.from = {3}, .to = {5}, .cost = 1, .one_way = true, .link = true, .label = 9});
    plain.wall({{5, -0.5}, {5, 0.5}}, false);
    return plain;
}

Violation judge_roads(const Route& route, const RoadmapVerifyOptions& options = kAnyRoadRevision,
                      double radius = 0.25) {
    const Roadmap roadmap = square().make();
    return verify(route, roadmap, {.radius = radius}, options);
}

void expect_bad(const Violation& bad, ViolationKind kind, std::int64_t leg) {
    EXPECT_EQ(bad.kind, kind) << bad.text().c_str();
    EXPECT_EQ(bad.leg, leg) << bad.text().c_str();
}

Route by_ladder() {
    Route route = RouteMaker({10, 0}).line_to({10, 10}).link(9, {14, 10}, 0).take();
    route.end.position.z = 3;
    return route;
}

TEST(RoadmapVerify, LegalRoutes) {
    EXPECT_LEGAL(judge_roads(polyline({{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}})));
    EXPECT_LEGAL(judge_roads(polyline({{2, 0}, {0, 0}, {0, 4}})));  // from an edge to an edge
    EXPECT_LEGAL(judge_roads(polyline({{2, 0}, {6, 0}, {9, 0}})));  // on along the same one
    EXPECT_LEGAL(judge_roads(polyline({{12, 4}, {10, 4}, {10, 10}, {7, 10}, {7, 8}})));  // on and off again
    EXPECT_LEGAL(judge_roads(polyline({{3, 5}, {7, 6}})));  // straight past the net
    EXPECT_LEGAL(judge_roads(polyline({{3, 5}, {3, 5}})));
    EXPECT_LEGAL(judge_roads(by_ladder()));
    EXPECT_LEGAL(judge_roads(RouteMaker({0, 0}, -1.0)
                                 .turn(1.0)
                                 .line_to({10, 0})
                                 .turn(kHalfPi)
                                 .line_to({10, 10})
                                 .turn(3.0)
                                 .take()));
    Route none;
    EXPECT_LEGAL(judge_roads(none));
    none.status = PathStatus::complete;
    none.end.position = {5, 5, 0};
    EXPECT_LEGAL(judge_roads(none));
    none.end.position = {5, 0, 0};  // on the net, in the wall
    EXPECT_LEGAL(judge_roads(none));
}

TEST(RoadmapVerify, TheRouteAsAWhole) {
    Route route = polyline({{0, 0}, {10, 0}});
    route.revision = 77;
    expect_bad(judge_roads(route, {}), ViolationKind::revision, -1);
    EXPECT_LEGAL(judge_roads(route));
    expect_bad(judge_roads(route, kAnyRoadRevision, -1.0), ViolationKind::bad_argument, -1);
    expect_bad(judge_roads(route, kAnyRoadRevision, kNan), ViolationKind::bad_argument, -1);
    const Roadmap roadmap = square().make();
    expect_bad(verify(route, roadmap, {.radius = 0.0, .footprint = 2}, kAnyRoadRevision),
               ViolationKind::bad_argument, -1);
    const std::vector<double> few(257, 1.0);  // more than there are kinds
    expect_bad(judge_roads(route, {.filter = {.kinds = {.factors = few}}}), ViolationKind::bad_argument, -1);
    route.status = PathStatus::budget_spent;  // its legs are judged
    EXPECT_FALSE(judge_roads(route));
    route.end.position.x += 0.1;
    EXPECT_TRUE(judge_roads(route));
    route.end.position.x -= 0.1;
    route.length = 10.001;
    expect_bad(judge_roads(route), ViolationKind::length_sum, -1);
    EXPECT_NEAR(judge_roads(route).depth, 0.001, 1e-9);
    route.status = PathStatus::unreachable;
    expect_bad(judge_roads(route), ViolationKind::bad_status, -1);
}

TEST(RoadmapVerify, Numbers) {
    const auto with = [](auto&& change, std::size_t leg = 1) {
        Route route = polyline({{0, 0}, {10, 0}, {10, 10}});
        change(route.legs[leg]);
        return judge_roads(route);
    };
    expect_bad(with([](Leg& leg) { leg.start.position.x = kNan; }), ViolationKind::not_finite, 1);
    expect_bad(with([](Leg& leg) { leg.rise = kNan; }), ViolationKind::not_finite, 1);
    expect_bad(with([](Leg& leg) { leg.curvature = 0.01; }), ViolationKind::bad_number, 1);
    expect_bad(with([](Leg& leg) { leg.start.position.y = 1e13; }), ViolationKind::bad_number, 1);
    expect_bad(with([](Leg& leg) { leg.length = 1e300; }), ViolationKind::bad_number, 1);
    expect_bad(with([](Leg& leg) { leg.start.layer = 1; }), ViolationKind::bad_layer, 1);
    expect_bad(with([](Leg& leg) { leg.length = -1; }, 0), ViolationKind::bad_number, 0);
    Route route = polyline({{0, 0}, {10, 0}});
    route.end.position.z = kNan;
    expect_bad(judge_roads(route), ViolationKind::not_finite, 0);
}

TEST(RoadmapVerify, LegsMeet) {
    const auto moved = [](double by) {
        Route route = polyline({{0, 0}, {10, 0}, {10, 10}, {0, 10}});
        route.legs[2].start.position.y += by;
        return judge_roads(route);
    };
    EXPECT_LEGAL(moved(1e-9));
    expect_bad(moved(1e-6), ViolationKind::leg_end, 1);
    EXPECT_NEAR(moved(1e-6).depth, 1e-6, 1e-12);
    Route climbs = polyline({{0, 0}, {10, 0}, {10, 10}});
    climbs.legs[0].rise = 1e-3;
    expect_bad(judge_roads(climbs), ViolationKind::leg_end, 0);
    expect_bad(judge_roads(RouteMaker({0, 0}).turn(1.0).turn(1.0).take()), ViolationKind::none, -1);
    Route turns = RouteMaker({0, 0}).turn(1.0).turn(1.0).take();
    turns.end.heading_rad += 1e-6;
    expect_bad(judge_roads(turns), ViolationKind::leg_end, 1);
}

TEST(RoadmapVerify, EdgesAndTheirDirections) {
    expect_bad(judge_roads(polyline({{0, 0}, {10, 0}, {0, 10}, {0, 0}})), ViolationKind::edge, 1);  // across
    expect_bad(judge_roads(polyline({{0, 10}, {10, 10}, {10, 0}, {0, 0}})), ViolationKind::edge,
               1);  // against
    expect_bad(judge_roads(polyline({{12, 4}, {10, 4}, {10, 0}, {0, 0}})), ViolationKind::edge,
               1);  // from within it
    expect_bad(judge_roads(polyline({{0, 0}, {10, 0}, {11, 0}, {10, 0}, {0, 0}})), ViolationKind::edge,
               1);  // off in between
    expect_bad(judge_roads(polyline({{1, 5}, {2, 5}, {0, 10}})), ViolationKind::edge,
               0);  // comes from nowhere
    Route part = polyline({{0, 0}, {10, 0}, {8, 5}});
    EXPECT_LEGAL(judge_roads(part));
    part.status = PathStatus::partial;  // ends on the net
    expect_bad(judge_roads(part), ViolationKind::edge, 1);
    EXPECT_LEGAL(judge_roads(polyline({{0, 0}, {0, 10}, {10, 10}})));
    const Route closed = polyline({{0, 0}, {0, 10}, {10, 10}, {10, 9.9}});
    EXPECT_LEGAL(judge_roads(closed));
    expect_bad(judge_roads(closed, {.filter = {.blocked_flags = 4}, .check_revision = false}),
               ViolationKind::edge, 1);
    std::vector<double> factors(256, 1.0);
    factors[7] = 0.0;
    expect_bad(judge_roads(closed, {.filter = {.kinds = {.factors = factors}}, .check_revision = false}),
               ViolationKind::edge, 1);
    const EdgeFilter ask{
        .factor = [](const RoadmapState& state, WaypointSlot from, const RoadmapArc& arc, void*) {
            return state.node(from).id == WaypointId{4} && arc.kind == 7 ? 0.0 : 1.0;
        }};
    expect_bad(judge_roads(closed, {.filter = ask, .check_revision = false}), ViolationKind::edge, 1);
}

TEST(RoadmapVerify, Links) {
    Route route = by_ladder();
    route.legs[1].link_id = 8;
    expect_bad(judge_roads(route), ViolationKind::link, 1);
    EXPECT_EQ(judge_roads(route).index, 8);
    route = by_ladder();
    route.end.position.z = 0;
    expect_bad(judge_roads(route), ViolationKind::link, 1);
    expect_bad(judge_roads(RouteMaker({0, 0}).link(0, {10, 0}, 0).take()), ViolationKind::link,
               0);  // an edge is no link
    Route walked = polyline({{10, 0}, {10, 10}, {14, 10}});
    walked.legs[1].rise = 3;
    walked.end.position.z = 3;
    EXPECT_LEGAL(judge_roads(walked));  // leaves the net for a place that happens to be a waypoint
    walked.status = PathStatus::partial;
    expect_bad(judge_roads(walked), ViolationKind::edge, 1);
    // Down again, against its direction.
    Route down = RouteMaker({14, 10}).link(9, {10, 10}, 0).take();
    down.legs[0].start.position.z = 3;
    expect_bad(judge_roads(down), ViolationKind::link, 0);
}

TEST(RoadmapVerify, OffTheNetWallsCount) {
    const Violation on =
        judge_roads(polyline({{5.2, 3}, {5.2, 0}, {10, 0}}));  // onto the edge, too near the wall's end
    expect_bad(on, ViolationKind::wall, 0);
    EXPECT_EQ(on.index, 0);
    EXPECT_NEAR(on.depth, 0.05, 1e-9);
    EXPECT_LEGAL(judge_roads(polyline({{5.2, 3}, {5.2, 0}, {10, 0}}), kAnyRoadRevision, 0.2));
    const Violation off = judge_roads(polyline({{0, 10}, {0, 0}, {6, 0.25}}));
    expect_bad(off, ViolationKind::wall, 1);
    const Violation past = judge_roads(polyline({{4, 0.25}, {6, 0.25}}));
    expect_bad(past, ViolationKind::wall, 0);
    EXPECT_NEAR(past.distance, 0.75, 1e-6);
    EXPECT_NEAR(past.place.position.x, 5.0, 0.25);
    // The edge from 1 to 2 runs through the wall: the user's word, unless asked.
    const Route through = polyline({{0, 10}, {0, 0}, {10, 0}});
    EXPECT_LEGAL(judge_roads(through));
    expect_bad(judge_roads(through, {.check_edges = true, .check_revision = false}), ViolationKind::wall, 1);
    // A place on the net is on it whatever the walls say.
    EXPECT_LEGAL(judge_roads(polyline({{5.1, 1e-9}, {10, 0}})));
    Route stands;
    stands.status = PathStatus::complete;
    stands.end.position = {5, 0.4, 0};
    expect_bad(judge_roads(stands), ViolationKind::wall, -1);
}

TEST(RoadmapVerify, ClaimsOfClearance) {
    Route route = polyline({{0, 10}, {0, 0}});
    route.legs[0].clearance = 5.0;
    EXPECT_LEGAL(judge_roads(route));
    route.legs[0].clearance = 5.0 + 1e-6;
    expect_bad(judge_roads(route), ViolationKind::clearance, 0);
    EXPECT_NEAR(judge_roads(route).depth, 1e-6, 1e-9);
    route.legs[0].clearance = 1e300;
    expect_bad(judge_roads(route), ViolationKind::clearance, 0);
}

TEST(RoadmapVerify, WithoutWallsTheNetMustBeTouched) {
    PlainRoadmap plain = square();
    plain.walls.clear();
    plain.wall_points.clear();
    const Roadmap roadmap = plain.make();
    const auto bare = [&](const Route& route) { return verify(route, roadmap, {}, kAnyRoadRevision); };
    expect_bad(bare(polyline({{3, 5}, {7, 6}})), ViolationKind::edge, 0);
    EXPECT_LEGAL(bare(polyline({{3, 5}, {0, 5}})));
    EXPECT_LEGAL(bare(polyline({{3, 5}, {0, 5}, {0, 0}, {1, 1}})));
}

TEST(RoadmapVerify, TilesAreWallsToo) {
    std::vector<std::uint8_t> tiles(16 * 16, 1);
    tiles[5 * 16 + 12] = 0;
    const auto grid = Grid::make({.width = 16, .height = 16}, tiles);
    ASSERT_TRUE(grid);
    PlainRoadmap plain = square();
    plain.nodes.pop_back();
    plain.edges.pop_back();
    const Roadmap roadmap = plain.make();
    const RoadmapVerifyOptions options{.tiles = &grid->state(), .check_revision = false};
    const auto over = [&](const Route& route, const RoadmapVerifyOptions& with) {
        return verify(route, roadmap, {.radius = 0.25}, with);
    };
    const Route hit = polyline({{14, 5.5}, {10, 5.5}, {10, 10}});
    EXPECT_LEGAL(over(hit, kAnyRoadRevision));
    const Violation bad = over(hit, options);
    expect_bad(bad, ViolationKind::wall, 0);
    EXPECT_EQ(bad.cell, (Cell{12, 5, 0}));
    EXPECT_EQ(bad.index, -1);
    EXPECT_NEAR(bad.distance, 0.75, 1e-6);
    for (const double plant : {0.0, 1e-6}) {
        const double y = 6.25 - plant;
        const Violation near = over(polyline({{14, y}, {10, y}, {10, 10}}), options);
        EXPECT_EQ(near.kind, plant > 0.0 ? ViolationKind::wall : ViolationKind::none);
    }
    expect_bad(over(polyline({{13, 0.2}, {10, 2}, {10, 10}}), options), ViolationKind::off_world, 0);
    expect_bad(over(hit, {.tiles = &grid->state(), .tiles_layer = 1}), ViolationKind::bad_argument, -1);
    expect_bad(over(hit, {.tiles = &grid->state(), .check_revision = false, .cells_max = 1}),
               ViolationKind::too_far, 0);
}

TEST(RoadmapVerify, WaypointsInOnePlace) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 5, 0);  // 2, 3 and 4 in one place
    plain.node(3, 5, 0);
    plain.node(4, 5, 0);
    plain.node(5, 9, 0);
    plain.node(6, 12, 0);
    plain.edge(1, 2);
    plain.edge(2, 3, 1.0, true);
    plain.edge(3, 5);
    plain.edge(5, 6);
    plain.edge(4, 5, 2.0);
    const Roadmap roadmap = plain.make();
    const auto bare = [&](const Route& route) { return verify(route, roadmap, {}, kAnyRoadRevision); };
    EXPECT_LEGAL(bare(polyline({{0, 0}, {5, 0}, {9, 0}})));
    // 2 to 3 is one way. Only the first leg may come to any of them, as if from off the net.
    expect_bad(bare(polyline({{12, 0}, {9, 0}, {5, 0}, {0, 0}, {5, 0}})), ViolationKind::edge, 2);
    EXPECT_LEGAL(bare(polyline({{9, 0}, {5, 0}, {0, 0}, {5, 0}})));
}

TEST(RoadmapVerify, TooManyEdgesInOnePlace) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 9, 0);
    for (int i = 0; i < 300; ++i) plain.edge(1, 2, 1.0 + i, true);
    const Roadmap roadmap = plain.make();
    EXPECT_LEGAL(verify(polyline({{0, 0}, {9, 0}}), roadmap, {}, kAnyRoadRevision));
    expect_bad(verify(polyline({{1, 0}, {9, 0}}), roadmap, {}, kAnyRoadRevision), ViolationKind::too_far, 0);
}

TEST(RoadmapVerify, AnEmptyRoadmap) {
    const Roadmap roadmap = PlainRoadmap{}.make();
    expect_bad(verify(polyline({{0, 0}, {9, 0}}), roadmap, {}, kAnyRoadRevision), ViolationKind::edge, 0);
    EXPECT_LEGAL(verify(Route{}, roadmap, {}));
}

}  // namespace
}  // namespace fairlead
