// Making and reading a roadmap; what is refused.

#include <fairlead/roadmap/roadmap.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

PlainRoadmap square() {
    PlainRoadmap plain;
    plain.node(10, 0, 0);
    plain.node(7, 4, 0);
    plain.node(900000000000, 4, 3, 12);
    plain.node(0, 0, 3);
    plain.edge(10, 7);
    plain.edge(7, 900000000000);
    plain.edge(0, 10, 2.5, true);
    return plain;
}

TEST(Roadmap, ReadsBackWhatWasPutIn) {
    const PlainRoadmap plain = square();
    const Roadmap roadmap = plain.make();
    const RoadmapState& state = roadmap;
    EXPECT_EQ(state.nodes(), 4U);
    EXPECT_EQ(state.arcs(), 5U);
    EXPECT_EQ(state.revision(), 0U);
    EXPECT_EQ(state.bounds(), (Aabb{{0, 0}, {4, 3}}));
    EXPECT_FALSE(state.has_walls());
    for (const Waypoint& node : plain.nodes) {
        ASSERT_TRUE(state.find(node.id).valid());
        EXPECT_EQ(state.node(state.find(node.id)), node);
    }
    EXPECT_FALSE(state.find({5}).valid());
    EXPECT_FALSE(state.find({-1}).valid());
    const auto arcs = state.arcs(state.find({7}));
    ASSERT_EQ(arcs.size(), 2U);
    EXPECT_EQ(arcs[0].to, state.find({10}));
    EXPECT_EQ(arcs[0].cost, 4.0);
    EXPECT_EQ(arcs[1].to, state.find({900000000000}));
    EXPECT_EQ(arcs[1].cost, std::sqrt(9.0 + 144.0));
    ASSERT_EQ(state.arrivals(state.find({10})).size(), 2U);
    EXPECT_EQ(state.arrivals(state.find({10}))[0], state.find({0}));
    EXPECT_TRUE(state.arrivals(state.find({0})).empty());
    EXPECT_TRUE(*state.connected({0}, {7}));
    EXPECT_FALSE(*state.connected({7}, {0}));
    EXPECT_EQ(state.connected({7}, {1}).error(), (Error{ErrorCode::unknown_id, Field::to, 1}));
    EXPECT_EQ(state.connected({2}, {1}).error(), (Error{ErrorCode::unknown_id, Field::from, 2}));
    EXPECT_GT(state.memory().total(), 0U);
}

TEST(Roadmap, AnEmptyOneIsARoadmap) {
    const Roadmap roadmap = PlainRoadmap{}.make();
    EXPECT_EQ(roadmap.state().nodes(), 0U);
    EXPECT_EQ(roadmap.state().slots(), 0U);
    EXPECT_TRUE(roadmap.state().bounds().empty());
    EXPECT_FALSE(roadmap.state().find({0}).valid());
    EXPECT_TRUE(roadmap.state().walls_clear({0, 0}, {1, 1}, 3));
}

TEST(Roadmap, ParallelEdgesAreKeptAndOrderedByCost) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 1, 0);
    plain.edge(1, 2, 5);
    plain.edge(2, 1, 3);
    plain.edge(1, 2);
    const Roadmap roadmap = plain.make();
    const auto arcs = roadmap.state().arcs(roadmap.state().find({1}));
    ASSERT_EQ(arcs.size(), 3U);
    EXPECT_EQ(arcs[0].cost, 1.0);
    EXPECT_EQ(arcs[1].cost, 3.0);
    EXPECT_EQ(arcs[2].cost, 5.0);
    EXPECT_EQ(roadmap.state().arrivals(roadmap.state().find({1})).size(), 1U);
}

struct Refused {
    const char* what;
    void (*spoil)(PlainRoadmap&);
    Error error;
};

TEST(Roadmap, BadInputIsRefusedWithItsPlace) {
    // square() has 4 nodes and 3 edges: edges count from 4, walls behind them.
    const Refused table[] = {
        {"NaN x", [](PlainRoadmap& p) { p.nodes[2].position.x = kNan; }, {ErrorCode::not_finite, 2, 0}},
        {"infinite y", [](PlainRoadmap& p) { p.nodes[0].position.y = -kInf; }, {ErrorCode::not_finite, 0, 0}},
        {"NaN z", [](PlainRoadmap& p) { p.nodes[3].position.z = kNan; }, {ErrorCode::not_finite, 3, 0}},
        {"far away",
         [](PlainRoadmap& p) { p.nodes[1].position.x = -2e12; },
         {ErrorCode::out_of_range, 1, -2000000000000}},
        {"very far away",
         [](PlainRoadmap& p) { p.nodes[1].position.x = 1e300; },
         {ErrorCode::out_of_range, 1, INT64_MAX}},
        {"negative id", [](PlainRoadmap& p) { p.nodes[1].id = {-5}; }, {ErrorCode::out_of_range, 1, -5}},
        {"no id", [](PlainRoadmap& p) { p.nodes[1].id = {}; }, {ErrorCode::out_of_range, 1, -1}},
        {"id twice",
         [](PlainRoadmap& p) { p.nodes[3].id = p.nodes[0].id; },
         {ErrorCode::duplicate_id, 3, 10}},
        {"unknown from", [](PlainRoadmap& p) { p.edges[1].from = {11}; }, {ErrorCode::unknown_id, 5, 11}},
        {"unknown to", [](PlainRoadmap& p) { p.edges[2].to = {-7}; }, {ErrorCode::unknown_id, 6, -7}},
        {"to itself",
         [](PlainRoadmap& p) { p.edges[0].to = p.edges[0].from; },
         {ErrorCode::incompatible, 4, static_cast<std::int64_t>(RoadmapRule::edge_to_itself)}},
        {"NaN cost", [](PlainRoadmap& p) { p.edges[0].cost = kNan; }, {ErrorCode::not_finite, 4, 0}},
        {"infinite cost", [](PlainRoadmap& p) { p.edges[0].cost = kInf; }, {ErrorCode::not_finite, 4, 0}},
        {"negative cost", [](PlainRoadmap& p) { p.edges[0].cost = -3; }, {ErrorCode::out_of_range, 4, -3}},
        {"cost 0", [](PlainRoadmap& p) { p.edges[0].cost = 0; }, {ErrorCode::out_of_range, 4, 0}},
        {"tiny cost", [](PlainRoadmap& p) { p.edges[0].cost = 1e-10; }, {ErrorCode::out_of_range, 4, 0}},
        {"huge cost",
         [](PlainRoadmap& p) { p.edges[0].cost = 1e14; },
         {ErrorCode::out_of_range, 4, 100000000000000}},
        {"straight cost 0",
         [](PlainRoadmap& p) { p.nodes[1].position = p.nodes[0].position; },
         {ErrorCode::out_of_range, 4, 0}},
        {"polygon of two",
         [](PlainRoadmap& p) {
             p.wall({{0, 0}, {1, 1}}, true);
         },
         {ErrorCode::incompatible, 7, static_cast<std::int64_t>(RoadmapRule::too_few_points)}},
        {"line of one",
         [](PlainRoadmap& p) {
             p.wall({{0, 0}, {1, 1}}, false);
             p.wall({{5, 5}}, false);
         },
         {ErrorCode::incompatible, 8, static_cast<std::int64_t>(RoadmapRule::too_few_points)}},
        {"missing wall points",
         [](PlainRoadmap& p) {
             p.wall({{0, 0}, {1, 1}}, false);
             p.wall_points.pop_back();
         },
         {ErrorCode::size_mismatch, 7, 2}},
        {"wrapping wall points",
         [](PlainRoadmap& p) {
             p.walls.push_back({UINT32_MAX, UINT32_MAX, false});
         },
         {ErrorCode::size_mismatch, 7, 2LL * UINT32_MAX}},
        {"NaN wall",
         [](PlainRoadmap& p) {
             p.wall({{0, 0}, {1, kNan}}, false);
         },
         {ErrorCode::not_finite, 9, 0}},
        {"far wall",
         [](PlainRoadmap& p) {
             p.wall({{0, 0}, {1, 3e12}}, false);
         },
         {ErrorCode::out_of_range, 9, 3000000000000}},
    };
    for (const Refused& row : table) {
        PlainRoadmap plain = square();
        row.spoil(plain);
        const Result<Roadmap> made = plain.try_make();
        ASSERT_FALSE(made.has_value()) << row.what;
        EXPECT_EQ(made.error(), row.error) << row.what << ": " << error_name(made.error().code) << ' '
                                           << made.error().index << ' ' << made.error().detail;
    }
}

TEST(Roadmap, TooManyIsRefusedBeforeItCosts) {
    const std::vector<Waypoint> nodes(kWaypointsMax + 1);
    EXPECT_EQ(Roadmap::make({.nodes = nodes}).error().code, ErrorCode::size_limit);
}

TEST(Roadmap, EveryRuleHasAText) {
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(RoadmapRule::count_); ++i) {
        EXPECT_STRNE(roadmap_rule_text(static_cast<RoadmapRule>(i)), "unknown rule");
    }
    EXPECT_STREQ(roadmap_rule_text(RoadmapRule::count_), "unknown rule");
    for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(RoadmapPlanner::count_); ++i) {
        EXPECT_STRNE(planner_name(static_cast<RoadmapPlanner>(i)), "unknown");
    }
}

TEST(Roadmap, MovesKeepTheWorld) {
    Roadmap first = square().make();
    Roadmap second = std::move(first);
    EXPECT_EQ(second.state().nodes(), 4U);
    first = PlainRoadmap{}.make();
    first = std::move(second);
    EXPECT_EQ(first.state().nodes(), 4U);
    RoadmapSnapshot held = first.acquire();
    RoadmapSnapshot other = std::move(held);
    EXPECT_FALSE(held.held());
    EXPECT_EQ(other->nodes(), 4U);
    held = std::move(other);
    EXPECT_EQ((*held).nodes(), 4U);
    held.release();
    held.release();
    EXPECT_FALSE(held.held());
}

TEST(Roadmap, MemoryIsAsStated) {
    Rng rng(1);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 20000, .degree = 2, .local = false});
    const Roadmap roadmap = plain.make();
    const RoadmapMemory memory = roadmap.state().memory();
    const double nodes = roadmap.state().nodes();
    const double arcs = roadmap.state().arcs();
    EXPECT_LT(static_cast<double>(memory.nodes), 55 * nodes + 28.5 * arcs);
    EXPECT_LT(static_cast<double>(memory.ids), 24 * nodes);
    EXPECT_LT(static_cast<double>(memory.boxes), 1 * nodes);
    EXPECT_LT(static_cast<double>(memory.connectivity), 24 * nodes + 4 * arcs);
}

}  // namespace
}  // namespace fairlead
