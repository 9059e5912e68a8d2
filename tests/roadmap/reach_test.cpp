// Connectivity: exact after any edits, against the closure computed by the test.

#include <gtest/gtest.h>

#include <map>

#include "roadmap/reach.h"
#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;

// Warshall's closure by index of the node.
std::vector<std::vector<bool>> closure_of(const PlainRoadmap& plain) {
    const std::size_t n = plain.nodes.size();
    std::map<std::int64_t, std::size_t> index;
    for (std::size_t i = 0; i < n; ++i) index[plain.nodes[i].id.value] = i;
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    for (std::size_t i = 0; i < n; ++i) reach[i][i] = true;
    for (const WaypointEdge& e : plain.edges) {
        reach[index[e.from.value]][index[e.to.value]] = true;
        if (!e.one_way) reach[index[e.to.value]][index[e.from.value]] = true;
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            if (!reach[i][k]) continue;
            for (std::size_t j = 0; j < n; ++j) {
                if (reach[k][j]) reach[i][j] = true;
            }
        }
    }
    return reach;
}

void expect_closure(const RoadmapState& state, const PlainRoadmap& plain) {
    const auto reach = closure_of(plain);
    for (std::size_t i = 0; i < plain.nodes.size(); ++i) {
        for (std::size_t k = 0; k < plain.nodes.size(); ++k) {
            const Result<bool> connected = state.connected(plain.nodes[i].id, plain.nodes[k].id);
            ASSERT_TRUE(connected.has_value());
            ASSERT_EQ(*connected, reach[i][k]);
        }
    }
}

TEST(RoadmapReach, RandomGraphsOfAllDensities) {
    Rng rng(21);
    for (int i = 0; i < 150; ++i) {
        const PlainRoadmap plain = random_roadmap(rng, {.nodes = 1 + rng.below(60),
                                                        .degree = rng.between(0.2, 2.0),
                                                        .one_way = rng.below(2) == 0 ? 1.0 : rng.unit(),
                                                        .local = false});
        expect_closure(plain.make(), plain);
    }
}

// One-way edges only, from lower to higher: no two reach each other, so ranks and the walk have all the work.
TEST(RoadmapReach, AcyclicGraphs) {
    Rng rng(22);
    for (int i = 0; i < 60; ++i) {
        PlainRoadmap plain;
        const std::uint32_t count = 2 + rng.below(80);
        for (std::uint32_t k = 0; k < count; ++k) plain.node(k, rng.unit(), rng.unit());
        for (std::uint32_t k = 0; k < count + count / 2; ++k) {
            const std::uint32_t a = rng.below(count);
            const std::uint32_t b = rng.below(count);
            if (a != b) plain.edge(std::min(a, b), std::max(a, b), 1, true);
        }
        expect_closure(plain.make(), plain);
    }
}

TEST(RoadmapReach, ExactAfterEveryEdit) {
    Rng rng(23);
    std::uint64_t kept = 0;
    std::uint64_t made = 0;
    for (int world = 0; world < 12; ++world) {
        PlainRoadmap plain = random_roadmap(
            rng, {.nodes = 30, .degree = rng.between(0.8, 2.5), .one_way = 0.6, .local = false});
        for (WaypointEdge& e : plain.edges) e.label = 0;
        Roadmap roadmap = plain.make();
        for (int round = 0; round < 60; ++round) {
            const auto nodes = static_cast<std::uint32_t>(plain.nodes.size());
            const auto edges = static_cast<std::uint32_t>(plain.edges.size());
            const roadmap::ReachIndex* before = roadmap.state().data().reach;
            const std::uint32_t kind = rng.below(8);
            if (kind == 0) {
                const Waypoint node{{1000000 + world * 1000 + round}, {rng.unit(), rng.unit(), 0}};
                plain.nodes.push_back(node);
                ASSERT_TRUE(roadmap.add_node(node));
            } else if (kind == 1 && nodes > 5) {
                const std::uint32_t at = rng.below(nodes);
                const WaypointId id = plain.nodes[at].id;
                plain.nodes.erase(plain.nodes.begin() + at);
                std::erase_if(plain.edges, [&](const WaypointEdge& e) { return e.from == id || e.to == id; });
                ASSERT_TRUE(roadmap.remove_node(id));
            } else if (kind < 5 || edges == 0) {
                const WaypointId a = plain.nodes[rng.below(nodes)].id;
                const WaypointId b = plain.nodes[rng.below(nodes)].id;
                if (a == b) continue;
                plain.edges.push_back({.from = a, .to = b, .cost = 1, .one_way = rng.below(3) > 0});
                ASSERT_TRUE(roadmap.add_edge(plain.edges.back()));
            } else {
                // One direction of everything between two waypoints.
                WaypointEdge gone = plain.edges[rng.below(edges)];
                if (!gone.one_way && rng.below(2) == 0) std::swap(gone.from, gone.to);
                gone.one_way = true;
                std::vector<WaypointEdge> rest;
                for (WaypointEdge e : plain.edges) {
                    const bool there = e.from == gone.from && e.to == gone.to;
                    const bool back = e.from == gone.to && e.to == gone.from;
                    if (e.one_way && there) continue;
                    if (!e.one_way && (there || back)) {
                        e.one_way = true;
                        e.from = gone.to;
                        e.to = gone.from;
                    }
                    rest.push_back(e);
                }
                plain.edges = rest;
                ASSERT_TRUE(roadmap.remove_edge(gone));
            }
            (roadmap.state().data().reach == before ? kept : made) += 1;
            expect_closure(roadmap, plain);
        }
    }
    EXPECT_GT(kept, 100U);  // both ways of staying exact have been at work
    EXPECT_GT(made, 100U);
}

TEST(RoadmapReach, PricesDoorsAndMovesKeepTheIndex) {
    Rng rng(24);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 200, .one_way = 0});
    Roadmap roadmap = plain.make();
    const roadmap::ReachIndex* index = roadmap.state().data().reach;
    WaypointEdge edge = plain.edges[0];
    edge.flags = 7;
    ASSERT_TRUE(roadmap.change_edge(edge));
    ASSERT_TRUE(roadmap.move_node({plain.nodes[0].id, {1, 2, 3}}));
    ASSERT_TRUE(roadmap.add_node({{2000000}, {0, 0, 0}}));
    EXPECT_EQ(roadmap.state().revision(), 3U);
    EXPECT_EQ(roadmap.state().data().reach, index);
}

// A long one-way chain and a wide fan: deep walks do not overflow anything.
TEST(RoadmapReach, LongChainsAndWideFans) {
    PlainRoadmap plain;
    const int count = 100000;
    for (int i = 0; i < count; ++i) plain.node(i, i, 0);
    for (int i = 0; i + 1 < count; ++i) plain.edge(i, i + 1, 1, true);
    const Roadmap chain = plain.make();
    EXPECT_TRUE(*chain.state().connected({0}, {count - 1}));
    EXPECT_FALSE(*chain.state().connected({count - 1}, {0}));
    plain.edges.clear();
    for (int i = 1; i + 1 < count; ++i) {
        plain.edge(0, i, 1, true);
        plain.edge(i, count - 1, 1, true);
    }
    const Roadmap fan = plain.make();
    EXPECT_TRUE(*fan.state().connected({0}, {count - 1}));
    EXPECT_FALSE(*fan.state().connected({5}, {6}));
}

}  // namespace
}  // namespace fairlead
