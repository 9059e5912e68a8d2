// Kinds of roads: widths close edges to who is too wide, limits of speed come with the legs; what is refused.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/repair.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/environment.h"
#include "support/roadmaps.h"

namespace fairlead {
namespace {

constexpr double kNanWidth = std::numeric_limits<double>::quiet_NaN();

WaypointEdge edge(std::int64_t from, std::int64_t to, std::uint8_t kind) {
    WaypointEdge made{.from = {from}, .to = {to}};
    made.kind = kind;
    return made;
}

const Waypoint kPlaces[] = {{{1}, {0, 0}}, {{2}, {10, 0}}, {{3}, {20, 0}}, {{4}, {10, 9}}, {{5}, {30, 0}}};
const WaypointEdge kWays[] = {edge(1, 2, 0), edge(2, 3, 1), edge(1, 4, 2), edge(4, 3, 2), edge(3, 5, 0)};
const RoadKind kKinds[] = {{6.0, 3.0}, {1.5, 5.0}, {4.0, kNoLimit}};

Roadmap town() { return *Roadmap::make({.nodes = kPlaces, .edges = kWays, .roads = kKinds}); }

TEST(Roads, AreReadBack) {
    const Roadmap roads = town();
    EXPECT_TRUE(roads.state().has_widths());
    EXPECT_TRUE(roads.state().has_speed_limits());
    EXPECT_EQ(roads.state().road(1), kKinds[1]);
    EXPECT_EQ(roads.state().road(3), RoadKind{});
    const Roadmap plain = *Roadmap::make({.nodes = kPlaces, .edges = kWays});
    EXPECT_FALSE(plain.state().has_widths() || plain.state().has_speed_limits());
    EXPECT_EQ(plain.state().road(0), RoadKind{});
}

TEST(Roads, NarrowOnesAreClosedToWideUnits) {
    const Roadmap roads = town();
    Scratch scratch;
    for (const double radius : {0.0, 0.75, 0.76, 2.0, 2.01}) {
        RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{5}};
        query.agent.radius = radius;
        Result<Route> route = find_route(roads, query, scratch);
        ASSERT_TRUE(route);
        if (radius > 2.0) {
            EXPECT_EQ(route->status, PathStatus::unreachable);
            continue;
        }
        EXPECT_EQ(route->status, PathStatus::complete);
        EXPECT_EQ(route->length == 30.0, radius <= 0.75) << radius;
        EXPECT_FALSE(verify(*route, roads.state(), query.agent)) << radius;
        if (radius > 0.75) continue;
        Agent wide;
        wide.radius = 0.76;
        EXPECT_TRUE(
            verify(*route, roads.state(), wide));  // its last leg could leave the net, this one cannot
        query.agent = wide;
        Route& old = *route;
        const Result<Revalidation> still = revalidate(roads, old, query, scratch);
        ASSERT_TRUE(still);
        EXPECT_FALSE(still->legal);
        EXPECT_EQ(still->first_bad, 1);
        ASSERT_TRUE(repair(roads, old, query, scratch));
        EXPECT_FALSE(verify(old, roads.state(), wide));
    }
}

TEST(Roads, LegsHaveTheLimitOfTheirRoad) {
    const Roadmap roads = town();
    Scratch scratch;
    const Result<Route> route =
        find_route(roads, RoadmapQuery{.start = Vec2{3, 1}, .goal = Vec2{18, -0.5}}, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->legs.size(), 4U);
    EXPECT_EQ(route->legs[0].speed_max, 3.0);  // to the edge
    EXPECT_EQ(route->legs[1].speed_max, 3.0);
    EXPECT_EQ(route->legs[2].speed_max, 5.0);
    EXPECT_EQ(route->legs[3].speed_max, 5.0);
    RoadmapQuery round{.start = WaypointId{1}, .goal = WaypointId{3}};
    round.agent.radius = 1.0;
    const Result<Route> other = find_route(roads, round, scratch);
    ASSERT_TRUE(other);
    for (const Leg& leg : other->legs) EXPECT_EQ(leg.speed_max, kUnknown);
}

TEST(Roads, WhatIsRefused) {
    const auto error = [](const RoadKind& kind) {
        return Roadmap::make({.nodes = kPlaces, .edges = kWays, .roads = Borrowed<RoadKind>(&kind, 1)})
            .error();
    };
    EXPECT_EQ(error({kNanWidth, 1.0}), (Error{ErrorCode::not_finite, 10, 0}));
    EXPECT_EQ(error({1.0, kNanWidth}), (Error{ErrorCode::not_finite, 10, 0}));
    EXPECT_EQ(error({-1.0, 1.0}), (Error{ErrorCode::out_of_range, 10, -1}));
    EXPECT_EQ(error({kNoLimit, 1.0}), (Error{ErrorCode::not_finite, 10, 0}));
    EXPECT_EQ(error({1.0, 0.0}), (Error{ErrorCode::out_of_range, 10, 0}));
    // kind 0 has a width, kind 1 has none
    EXPECT_EQ(error({6.0, 1.0}),
              (Error{ErrorCode::incompatible, 6, static_cast<std::int64_t>(RoadmapRule::no_width)}));
    const std::vector<RoadKind> many(257);
    EXPECT_EQ(Roadmap::make({.roads = many}).error(), (Error{ErrorCode::size_limit, 256, 256}));
}

TEST(Roads, EditsKeepTheRule) {
    Roadmap roads = town();
    const Error no_width{ErrorCode::incompatible, 0, static_cast<std::int64_t>(RoadmapRule::no_width)};
    EXPECT_EQ(roads.add_edge(edge(1, 3, 7)).error(), no_width);
    EXPECT_EQ(roads.change_edge(edge(1, 2, 7)).error(), no_width);
    EXPECT_EQ(roads.state().revision(), 0U);
    WaypointEdge ferry = edge(1, 3, 7);
    ferry.link = true;  // of links nothing counts
    EXPECT_TRUE(roads.add_edge(ferry));
    EXPECT_TRUE(roads.change_edge(edge(2, 3, 0)));  // the road is made wider
    Scratch scratch;
    RoadmapQuery query{.start = WaypointId{2}, .goal = WaypointId{3}};
    query.agent.radius = 2.5;
    const Result<Route> route = find_route(roads, query, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_EQ(route->length, 10.0);
}

/// Widths are a filter: routes cost what they do on the net without the narrow edges.
TEST(Roads, AsIfNarrowEdgesWereNotThere) {
    Scratch scratch;
    for (int seed = 0; seed < testing::trials(200); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed));
        testing::PlainRoadmap plain;
        const std::uint32_t count = 4 + rng.below(8);
        for (std::uint32_t i = 0; i < count; ++i)
            plain.node(i, rng.between(0.0, 20.0), rng.between(0.0, 20.0));
        std::vector<WaypointEdge> wide;
        for (std::uint32_t i = 0; i < 2 * count; ++i) {
            const std::uint32_t from = rng.below(count);
            const std::uint32_t to = rng.below(count);
            const auto kind = static_cast<std::uint8_t>(rng.below(2));
            const bool one_way = rng.below(2) == 0;
            if (from == to) continue;
            WaypointEdge made = edge(from, to, kind);
            made.one_way = one_way;
            plain.edges.push_back(made);
            if (kind == 1) wide.push_back(made);
        }
        const RoadKind kinds[] = {{1.0, kNoLimit}, {3.0, kNoLimit}};
        const Roadmap all = *Roadmap::make({.nodes = plain.nodes, .edges = plain.edges, .roads = kinds});
        const Roadmap some = *Roadmap::make({.nodes = plain.nodes, .edges = wide});
        RoadmapQuery query{.start = WaypointId{0}, .goal = WaypointId{1}};
        query.agent.radius = 1.0;
        const Result<Route> one = find_route(all, query, scratch);
        const Result<Route> other = find_route(some, query, scratch);
        ASSERT_TRUE(one && other);
        EXPECT_EQ(one->status, other->status) << seed;
        EXPECT_NEAR(one->cost, other->cost, 1e-9) << seed;
    }
}

}  // namespace
}  // namespace fairlead
