// What legs run along: by hand, and on random roadmaps against the lists that the roadmap was made from.

#include <cmath>
#include <vector>

#include <fairlead/roadmap/leg_names.h>
#include <fairlead/roadmap/repair.h>
#include <gtest/gtest.h>

#include "roadmap/queries.h"
#include "support/environment.h"

namespace fairlead {
namespace {

using testing::distance3;
using testing::PlainRoadmap;

Array<RoadmapLeg> names_of(const RoadmapState& state, const RoadmapQuery& query, Scratch& scratch,
                           const Route& route) {
    Array<RoadmapLeg> names;
    EXPECT_TRUE(name_legs(state, query, scratch, route, names));
    EXPECT_EQ(names.size(), route.legs.size());
    return names;
}

TEST(LegNames, WaypointsEdgesLinksAndEndsOffTheNet) {
    PlainRoadmap plain;
    plain.node(10, 0, 0);
    plain.node(20, 10, 0);
    plain.node(30, 20, 0);
    plain.node(40, 20, 5, 3);
    plain.edge(10, 20);
    plain.edges.push_back({.from = {20}, .to = {30}, .cost = 12, .label = 1});
    plain.edges.push_back({.from = {20}, .to = {30}, .cost = 11, .kind = 3, .flags = 6, .label = 2});
    plain.edges.push_back({.from = {30}, .to = {40}, .cost = 2, .link = true, .label = 77});
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    RoadmapQuery query = between(10, 40);
    Route route = route_of(roadmap, query, scratch);
    ASSERT_EQ(route.legs.size(), 3U);
    Array<RoadmapLeg> names = names_of(roadmap, query, scratch, route);
    const std::int64_t ids[] = {10, 20, 30, 40};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(names[i].on_net);
        EXPECT_EQ(names[i].from.value, ids[i]);
        EXPECT_EQ(names[i].to.value, ids[i + 1]);
        EXPECT_EQ(names[i].enters, 0.0);
        EXPECT_EQ(names[i].leaves, 1.0);
    }
    EXPECT_EQ(names[1].edge.label, 2U);  // the cheaper one
    EXPECT_EQ(names[1].edge.flags, 6U);
    EXPECT_EQ(names[1].edge.kind, 3U);
    EXPECT_TRUE(names[2].edge.link);
    EXPECT_EQ(names[2].edge.label, 77U);
    // The cheaper one is closed to this query.
    query.filter.blocked_flags = 2;
    names = names_of(roadmap, query, scratch, route_of(roadmap, query, scratch));
    EXPECT_EQ(names[1].edge.label, 1U);
    // From beside the net to beside it, along parts of edges.
    query = {.start = Vec3{3, 1, 0}, .goal = Vec3{15, -1, 0}};
    route = route_of(roadmap, query, scratch);
    ASSERT_EQ(route.legs.size(), 4U);
    names = names_of(roadmap, query, scratch, route);
    EXPECT_FALSE(names[0].on_net);
    EXPECT_TRUE(names[1].on_net);
    EXPECT_NEAR(names[1].enters, 0.3, 1e-12);
    EXPECT_EQ(names[1].leaves, 1.0);
    EXPECT_EQ(names[2].from.value, 20);
    EXPECT_NEAR(names[2].leaves, 0.5, 1e-12);
    EXPECT_FALSE(names[3].on_net);
    // Backward: the edge's direction is the leg's.
    query = between(20, 10);
    names = names_of(roadmap, query, scratch, route_of(roadmap, query, scratch));
    EXPECT_EQ(names[0].from.value, 20);
    EXPECT_EQ(names[0].to.value, 10);
}

TEST(LegNames, OfAnEdgeThatIsGoneThereAreNone) {
    PlainRoadmap plain;
    for (int i = 0; i < 4; ++i) plain.node(i, 10.0 * i, 0);
    for (int i = 0; i < 3; ++i) plain.edge(i, i + 1);
    Roadmap roadmap = plain.make();
    Scratch scratch;
    const RoadmapQuery query = between(0, 3);
    const Route route = route_of(roadmap, query, scratch);
    ASSERT_TRUE(roadmap.remove_edge({.from = {1}, .to = {2}}));
    const Array<RoadmapLeg> names = names_of(roadmap, query, scratch, route);
    EXPECT_TRUE(names[0].on_net);
    EXPECT_FALSE(names[1].on_net);
    EXPECT_TRUE(names[2].on_net);
    EXPECT_EQ(names[2].from.value, 2);
}

// Each name is an edge of the list whose stretch is where the leg lies; names follow each other; prices add up.
TEST(LegNames, AreTheEdgesOfTheLists) {
    Rng rng(0x1e6);
    Scratch scratch;
    int named = 0;
    int parts = 0;
    for (int trial = 0; trial < testing::trials(300); ++trial) {
        const PlainRoadmap plain = testing::random_roadmap(rng, {.nodes = 2 + rng.below(30)});
        const Roadmap roadmap = plain.make();
        const auto any = [&] {
            return plain.nodes[rng.below(static_cast<std::uint32_t>(plain.nodes.size()))];
        };
        RoadmapQuery query;
        query.start = any().id;
        query.goal = Goal(any().id);
        const bool off = rng.below(2) == 0;
        if (off) {
            query.start = any().position + Vec3{rng.unit(), rng.unit(), 0};
            query.goal = Goal(any().position + Vec3{rng.unit(), rng.unit(), 0});
        }
        const Route route = route_of(roadmap, query, scratch);
        if (route.status != PathStatus::complete) continue;
        const Array<RoadmapLeg> names = names_of(roadmap, query, scratch, route);
        double cost = 0.0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const RoadmapLeg& name = names[i];
            const Vec3 a = route.legs[i].start.position;
            const Vec3 b = leg_end(route, i).position;
            if (!name.on_net) {
                ASSERT_TRUE(off) << trial;
                cost += distance3(a, b);
                continue;
            }
            bool listed = false;
            for (const WaypointEdge& e : plain.edges) {
                const bool there = e.from == name.from && e.to == name.to;
                const bool back = !e.one_way && e.to == name.from && e.from == name.to;
                listed =
                    listed || ((there || back) && e.label == name.edge.label && e.link == name.edge.link &&
                               std::fabs(plain.cost(e) - name.edge.cost) < 1e-9);
            }
            ASSERT_TRUE(listed) << trial;
            const Vec3 from = plain.position(name.from);
            const Vec3 way = plain.position(name.to) - from;
            ASSERT_LT(distance3(from + way * name.enters, a), 1e-6) << trial;
            ASSERT_LT(distance3(from + way * name.leaves, b), 1e-6) << trial;
            cost += (name.leaves - name.enters) * name.edge.cost;
            ++named;
            parts += name.enters > 0.0 || name.leaves < 1.0 ? 1 : 0;
        }
        // Edges between waypoints in one place are passed without a leg.
        ASSERT_LE(cost, route.cost * (1 + 1e-9) + 1e-9) << trial;
    }
    EXPECT_GT(named, 20);
    EXPECT_GT(parts, 0);
}

}  // namespace
}  // namespace fairlead
