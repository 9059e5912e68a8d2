// Random nets and queries: verify passes what the planner of roadmaps finds, and finds what is then broken in it.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/tile_sight.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/repair.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/roadmaps.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::RandomRoadmap;

struct RoadScene {
    PlainRoadmap plain;
    RoadmapQuery query{};
    RoadmapVerifyOptions options{};
};

void add_walls(PlainRoadmap& plain, Rng& rng, double size, bool whole) {
    const auto number = [&](double low, double high) {
        const double v = rng.between(low, high);
        return whole ? std::floor(v) : v;
    };
    const std::uint32_t count = rng.below(12);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec2 at{number(0.0, size), number(0.0, size)};
        std::vector<Vec2> points;
        const bool closed = rng.below(2) == 0;
        const std::uint32_t corners = (closed ? 3 : 2) + rng.below(4);
        for (std::uint32_t k = 0; k < corners; ++k)
            points.push_back(at + Vec2{number(-8.0, 8.0), number(-8.0, 8.0)});
        plain.wall(points, closed);
    }
}

Spot random_place(Rng& rng, const PlainRoadmap& plain, double size, bool whole) {
    const auto count = static_cast<std::uint32_t>(plain.nodes.size());
    if (rng.below(4) == 0) return plain.nodes[rng.below(count)].id;
    if (rng.below(5) == 0) return plain.nodes[rng.below(count)].position;
    Vec2 at{rng.between(-5.0, size + 5.0), rng.between(-5.0, size + 5.0)};
    if (whole) at = {std::floor(at.x), std::floor(at.y)};
    return at;
}

RoadScene random_road_scene(Rng& rng) {
    RoadScene scene;
    const bool whole = rng.below(3) == 0;
    const double size = whole ? 12.0 : 60.0;
    scene.plain = random_roadmap(rng, {.nodes = 5 + rng.below(60),
                                       .degree = rng.between(1.0, 4.0),
                                       .one_way = 0.4,
                                       .size = size,
                                       .heights = rng.below(3) == 0,
                                       .grid_points = whole});
    for (WaypointEdge& edge : scene.plain.edges) {
        edge.link = rng.below(6) == 0;
        edge.flags = 1U << rng.below(8);
    }
    if (rng.below(4) != 0) add_walls(scene.plain, rng, size, whole);
    RoadmapQuery& query = scene.query;
    query.start = random_place(rng, scene.plain, size, whole);
    query.goal = Goal(random_place(rng, scene.plain, size, whole));
    query.agent.radius = rng.below(3) == 0 ? 0.0 : (whole ? 0.5 : rng.between(0.0, 1.5));
    query.backward = rng.below(4) == 0;
    query.partial = rng.below(4) == 0;
    query.check_edges = rng.below(3) == 0;
    query.off_net_cost = rng.between(0.5, 4.0);
    if (rng.below(3) == 0) query.filter.blocked_flags = rng.below(8);
    scene.options = {.filter = query.filter, .check_edges = query.check_edges};
    return scene;
}

TEST(RoadmapRandom, WhatThePlannerFindsIsLegal) {
    Rng rng(20260302);
    Scratch scratch;
    std::uint64_t legs = 0;
    int found = 0;
    for (int i = 0; i < testing::trials(12000); ++i) {
        const RoadScene scene = random_road_scene(rng);
        const Roadmap roadmap = scene.plain.make();
        const Result<Route> route = find_route(roadmap, scene.query, scratch);
        ASSERT_TRUE(route);
        const std::uint64_t before = testing::heap_calls();
        const Violation bad = verify(*route, roadmap, scene.query.agent, scene.options);
        ASSERT_EQ(testing::heap_calls(), before);
        ASSERT_FALSE(bad) << "scene " << i << ": " << bad.text().c_str();
        legs += route->legs.size();
        found += route->status == PathStatus::complete ? 1 : 0;
    }
    if (testing::all_trials()) {
        EXPECT_GT(found, 4000);
        EXPECT_GT(legs, 15000U);
    }
}

TEST(RoadmapRandom, OverTiles) {
    Rng rng(8);
    Scratch scratch;
    int found = 0;
    for (int i = 0; i < testing::trials(1500); ++i) {
        RoadScene scene = random_road_scene(rng);
        std::vector<std::uint8_t> tiles(64 * 64);
        for (std::uint8_t& tile : tiles) tile = rng.below(12) == 0 ? 0 : 1;
        const auto grid = Grid::make({.width = 64, .height = 64}, tiles);
        ASSERT_TRUE(grid);
        const TileSight over(*grid);
        scene.query.sight = over.sight();
        scene.options.tiles = &grid->state();
        const Roadmap roadmap = scene.plain.make();
        const Result<Route> route = find_route(roadmap, scene.query, scratch);
        ASSERT_TRUE(route);
        const Violation bad = verify(*route, roadmap, scene.query.agent, scene.options);
        ASSERT_FALSE(bad) << "scene " << i << ": " << bad.text().c_str();
        found += route->status == PathStatus::complete && !route->legs.empty() ? 1 : 0;
    }
    if (testing::all_trials()) {
        EXPECT_GT(found, 300);
    }
}

/// Takes away the edges under one leg: verify names the leg, revalidate agrees, and what repair makes of it is legal.
TEST(RoadmapRandom, AnEdgeTakenAwayIsMissed) {
    Rng rng(44);
    Scratch scratch;
    int checked = 0;
    for (int i = 0; i < testing::trials(4000); ++i) {
        RoadScene scene = random_road_scene(rng);
        if (scene.query.check_edges ||
            scene.plain.nodes[0].position.x == std::floor(scene.plain.nodes[0].position.x))
            continue;
        const Roadmap roadmap = scene.plain.make();
        Result<Route> route = find_route(roadmap, scene.query, scratch);
        if (!route || route->legs.size() < 4) continue;
        const std::size_t leg = 1 + rng.below(static_cast<std::uint32_t>(route->legs.size()) - 2);
        const auto waypoint_at = [&](Vec3 at) {
            for (const Waypoint& n : scene.plain.nodes) {
                if (testing::distance3(n.position, at) < 1e-9) return n.id;
            }
            return WaypointId{};
        };
        const WaypointId from = waypoint_at(route->legs[leg].start.position);
        const WaypointId to = waypoint_at(leg_end(*route, leg).position);
        if (!from.valid() || !to.valid()) continue;
        PlainRoadmap less = scene.plain;
        std::erase_if(less.edges, [&](const WaypointEdge& e) {
            return (e.from == from && e.to == to) || (!e.one_way && e.to == from && e.from == to);
        });
        const Roadmap cut = less.make();
        const Violation bad = verify(*route, cut, scene.query.agent, scene.options);
        const bool link = route->legs[leg].kind == LegKind::link;
        ASSERT_EQ(bad.kind, link ? ViolationKind::link : ViolationKind::edge)
            << i << ' ' << bad.text().c_str();
        ASSERT_EQ(bad.leg, static_cast<std::int64_t>(leg)) << i;
        const Result<Revalidation> still = revalidate(cut, *route, scene.query, scratch);
        ASSERT_TRUE(still && !still->legal && still->first_bad == bad.leg) << i;
        ASSERT_TRUE(repair(cut, *route, scene.query, scratch));
        const Violation mended = verify(*route, cut, scene.query.agent, scene.options);
        ASSERT_FALSE(mended) << i << ' ' << mended.text().c_str();
        ++checked;
    }
    if (testing::all_trials()) {
        EXPECT_GT(checked, 200);
    }
}

/// Any number of a route replaced by a strange one: never a crash, and rarely legal.
TEST(RoadmapRandom, HostileNumbers) {
    Rng rng(3);
    Scratch scratch;
    const double strange[] = {0.0,
                              -0.0,
                              1e-310,
                              1e300,
                              -1e300,
                              1e12,
                              -1e12,
                              3.7,
                              1e-9,
                              1e9,
                              std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()};
    int illegal = 0;
    int tried = 0;
    for (int i = 0; i < testing::trials(3000); ++i) {
        const RoadScene scene = random_road_scene(rng);
        const Roadmap roadmap = scene.plain.make();
        Result<Route> route = find_route(roadmap, scene.query, scratch);
        if (!route || route->legs.empty()) continue;
        Leg& leg = route->legs[rng.below(static_cast<std::uint32_t>(route->legs.size()))];
        double* const fields[] = {&leg.start.position.x,  &leg.start.position.y, &leg.start.position.z,
                                  &leg.start.heading_rad, &leg.length,           &leg.rise,
                                  &leg.curvature,         &leg.clearance};
        *fields[rng.below(8)] = strange[rng.below(12)];
        illegal += verify(*route, roadmap, scene.query.agent, scene.options) ? 1 : 0;
        ++tried;
    }
    EXPECT_GT(illegal, tried / 2);
    if (testing::all_trials()) {
        EXPECT_GT(tried, 1000);
    }
}

}  // namespace
}  // namespace fairlead
