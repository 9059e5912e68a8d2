// Why there is no way over a roadmap: named scenes, and random nets against a plain search of the test's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fairlead/explain/explain.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/environment.h"
#include "support/roadmaps.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

Explanation why_not(const RoadmapState& net, const RoadmapQuery& query, const ExplainOptions& options = {}) {
    Scratch scratch;
    Result<Explanation> why = explain(net, query, scratch, options);
    FAIRLEAD_ASSERT(why.has_value());
    EXPECT_EQ(why->world, ExplainWorld::roadmap);
    for (std::size_t i = 0; i < std::size(why->helps); ++i) {
        const Help& help = why->helps[i];
        if (help.proof != Proof::found) continue;
        EXPECT_EQ(help.route.status, PathStatus::complete) << i;
        EdgeFilter filter = query.filter;
        for (std::uint32_t k = 0; k < KindSet::kKindsMax; ++k) {
            if ((help.terrain[k / 64] >> (k % 64) & 1U) != 0) filter.kinds.closed.erase(k);
        }
        filter.kinds.factors = {};
        filter.blocked_flags &= ~help.flags;
        if (help.own_factor) filter.factor = nullptr;
        const Violation bad =
            verify(help.route, net, help.agent, {.filter = filter, .check_edges = query.check_edges});
        EXPECT_FALSE(bad) << help_name(static_cast<HelpKind>(i)) << ": " << bad.text().c_str();
    }
    return std::move(*why);
}

// Two towns and two roads between them: kind 1 is 3 wide, kind 2 2 wide; all other roads are of kind 0, 8 wide.
Roadmap towns() {
    const Waypoint nodes[] = {{{1}, {0, 0}},  {{2}, {10, 0}}, {{3}, {20, 0}},
                              {{4}, {30, 0}}, {{5}, {20, 8}}, {{6}, {50, 50}}};
    const WaypointEdge edges[] = {{.from = {1}, .to = {2}},
                                  {.from = {2}, .to = {3}, .kind = 1, .label = 77},
                                  {.from = {2}, .to = {5}, .kind = 2, .flags = 4},
                                  {.from = {5}, .to = {3}},
                                  {.from = {3}, .to = {4}}};
    const RoadKind roads[] = {{.width = 8.0}, {.width = 3.0}, {.width = 2.0}};
    Result<Roadmap> made = Roadmap::make({.nodes = nodes, .edges = edges, .roads = roads});
    FAIRLEAD_ASSERT(made.has_value());
    return std::move(*made);
}

TEST(ExplainRoadmap, RoadsThatAreTooNarrow) {
    const Roadmap net = towns();
    const RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{4}, .agent = {.radius = 2.25}};
    const Explanation why = why_not(net, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    const Help& help = why.help(HelpKind::smaller_body);
    ASSERT_EQ(help.proof, Proof::found);
    EXPECT_EQ(help.value, 1.5);
    EXPECT_LE(help.failed, 1.50001);
    ASSERT_TRUE(why.has_edge);
    EXPECT_EQ(why.edge.from, WaypointId{2});
    EXPECT_EQ(why.edge.to, WaypointId{3});
    EXPECT_EQ(why.edge.label, 77U);
    EXPECT_EQ(why.width, 3.0);
    EXPECT_EQ(why.place.position, (Vec3{15, 0, 0}));
    EXPECT_STREQ(why.text().c_str(),
                 "blocked at the edge from 2 to 3 at (15, 0, 0): would need radius <= 1.5");
}

TEST(ExplainRoadmap, ClosedKindsFlagsAndFunctions) {
    const Roadmap net = towns();
    RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{4}};
    query.filter.kinds.closed = {1, 9};
    query.filter.blocked_flags = 12;
    Explanation why = why_not(net, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_FALSE(why.goal_side);
    EXPECT_EQ(why.area, 2);
    EXPECT_FALSE(why.one_way);
    const Help& open = why.help(HelpKind::open_terrain);
    ASSERT_EQ(open.proof, Proof::found);
    EXPECT_EQ(open.terrain[0], 0U);  // kinds are spared first
    EXPECT_EQ(open.flags, 4U);
    EXPECT_EQ(why.help(HelpKind::move_goal).place.position, (Vec3{10, 0, 0}));
    EXPECT_EQ(why.help(HelpKind::move_start).place.position, (Vec3{20, 0, 0}));
    EXPECT_STREQ(why.text().c_str(),
                 "no way joins the two: the start is closed in, on 2 waypoints: would need edges with flag 2 "
                 "open, or to start at (20, 0, 0), or to end at (10, 0, 0)");
    // A function of the user's.
    query.filter = {};
    query.filter.factor = [](const RoadmapState&, WaypointSlot, const RoadmapArc& arc, void*) {
        return arc.kind == 0 ? 1.0 : 0.0;
    };
    why = why_not(net, query);
    EXPECT_TRUE(why.help(HelpKind::open_terrain).own_factor);
    EXPECT_NE(std::string(why.text().c_str()).find("edges that the filter's own function closes open"),
              std::string::npos);
    // A factor of 0.
    const double factors[] = {1.0, 0.0, 0.0};
    query.filter = {};
    query.filter.kinds.factors = factors;
    why = why_not(net, query);
    EXPECT_EQ(why.help(HelpKind::open_terrain).terrain[0], 4U);
}

TEST(ExplainRoadmap, AgainstOneWayEdges) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 20, 0);
    plain.node(4, 30, 0);
    plain.edge(1, 2);
    plain.edge(3, 2, kStraightCost, true);
    plain.edge(3, 4);
    const Roadmap net = plain.make();
    const Explanation why = why_not(net, {.start = WaypointId{1}, .goal = WaypointId{4}});
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.one_way);
    EXPECT_EQ(why.area, 2);
    EXPECT_NE(std::string(why.text().c_str()).find("; one-way edges lead the other way alone"),
              std::string::npos);
    EXPECT_EQ(why_not(net, {.start = WaypointId{4}, .goal = WaypointId{1}}).reason, ExplainReason::none);
}

TEST(ExplainRoadmap, EndsOffTheNet) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.edge(1, 2);
    plain.wall({{-2, 2}, {12, 2}, {12, 2.5}, {-2, 2.5}}, true);
    const Roadmap net = plain.make();
    RoadmapQuery query{.start = Vec2{4, 5}, .goal = WaypointId{2}, .direct = false, .attach_range = 8.0};
    Explanation why = why_not(net, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_EQ(why.help(HelpKind::move_start).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::move_start).place.position, (Vec3{4, 0, 0}));
    EXPECT_EQ(why.help(HelpKind::move_start).value, 5.0);
    EXPECT_STREQ(
        why.text().c_str(),
        "the unit does not come to the net from the start (4, 5, 0): would need to start at (4, 0, 0)");
    query.start = Vec2{4, -20};
    why = why_not(net, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_EQ(why.status, PathStatus::start_blocked);
    EXPECT_STREQ(
        why.text().c_str(),
        "no waypoint or edge is within range of the start (4, -20, 0): would need to start at (4, 0, 0)");
    std::swap(query.start, query.goal.at);
    why = why_not(net, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.help(HelpKind::move_goal).proof, Proof::found);
}

// A gap of 2 between two walls, beside the net and on it.
TEST(ExplainRoadmap, WallsThatAreTooNear) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 20, 0);
    plain.edge(1, 2);
    plain.wall({{9, 1}, {11, 1}, {11, 30}, {9, 30}}, true);
    plain.wall({{9, -1}, {11, -1}, {11, -30}, {9, -30}}, true);
    const Roadmap net = plain.make();
    const RoadmapQuery query{.start = WaypointId{1},
                             .goal = WaypointId{2},
                             .agent = {.radius = 1.5},
                             .check_edges = true,
                             .direct = false};
    const Explanation why = why_not(net, query, {.accuracy = 0.001});
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    const Help& help = why.help(HelpKind::smaller_body);
    ASSERT_EQ(help.proof, Proof::found);
    EXPECT_NEAR(help.value, 1.0, 0.0016);
    EXPECT_GT(help.failed, 1.0);
    ASSERT_TRUE(why.has_place);
    EXPECT_FALSE(why.has_edge);
    EXPECT_NEAR(why.place.position.x, 9.0, 0.1);
    EXPECT_NEAR(why.width, 2.0, 0.0032);
}

TEST(ExplainRoadmap, BudgetsAndErrors) {
    const Roadmap net = towns();
    const RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{4}, .agent = {.radius = 2.25}};
    EXPECT_EQ(why_not(net, query, {.expansions = 0}).reason, ExplainReason::budget_spent);
    const Explanation whole = why_not(net, query);
    bool helped = false;
    for (std::uint64_t n = 0; n <= whole.expanded; ++n) {
        const Explanation why = why_not(net, query, {.expansions = n});
        EXPECT_TRUE(why.reason == ExplainReason::budget_spent || why.reason == ExplainReason::too_wide) << n;
        const Proof proof = why.help(HelpKind::smaller_body).proof;
        EXPECT_TRUE(proof == Proof::found || proof == Proof::not_looked || proof == Proof::not_asked) << n;
        helped = helped || proof == Proof::found;
    }
    EXPECT_TRUE(helped);
    const Explanation few = why_not(net, query, {.trials_max = 0});
    EXPECT_EQ(few.help(HelpKind::smaller_body).proof, Proof::not_looked);
    Scratch scratch;
    EXPECT_EQ(explain(net, query, scratch, {.accuracy = 2.0}).error(),
              (Error{ErrorCode::out_of_range, Field::accuracy}));
    RoadmapQuery bad = query;
    bad.start = WaypointId{99};
    EXPECT_EQ(explain(net, bad, scratch).error().field, Field::start);
    int failures = 0;
    for (int n = 0;; n += 1 + n / 2) {
        TestAllocator memory;
        Scratch starved(memory.allocator());
        memory.fail_after(n, false);
        const Result<Explanation> why = explain(net, query, starved);
        const bool failed = memory.feed();
        EXPECT_EQ(failed, !why);
        if (!failed) break;
        EXPECT_EQ(why.error().code, ErrorCode::out_of_memory);
        EXPECT_TRUE(explain(net, query, starved));
        ++failures;
    }
    EXPECT_GT(failures, 5);
}

struct NetTally {
    int none = 0, too_wide = 0, sealed = 0, one_way = 0, opened = 0, moved = 0, blocked = 0;
};

// A net, asked about from waypoint to waypoint; and what can be come to in it.
class RandomNets {
  public:
    RandomNets(Rng& rng, NetTally& tally) : rng_(rng), tally_(tally) {
        const int count = 4 + static_cast<int>(rng.below(20));
        for (int i = 0; i < count; ++i)
            nodes_.push_back({{i}, {rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0.0}});
        for (int i = 0; i < count * 3 / 2; ++i) {
            WaypointEdge edge{
                .from = {static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(count)))},
                .to = {static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(count)))}};
            if (edge.from == edge.to) continue;
            edge.one_way = rng.below(3) == 0;
            edge.kind = static_cast<std::uint8_t>(rng.below(4));
            edge.flags = rng.below(4) == 0 ? 1U << rng.below(3) : 0U;
            edge.label = static_cast<std::uint32_t>(i);
            edges_.push_back(edge);
        }
        for (RoadKind& road : roads_) road.width = 0.5 * (1 + rng.below(12));
        Result<Roadmap> made = Roadmap::make({.nodes = nodes_, .edges = edges_, .roads = roads_});
        FAIRLEAD_ASSERT(made.has_value());
        net_.emplace(std::move(*made));
    }

    void look(const std::string& trace) {
        const auto any = [&] {
            return WaypointId{
                static_cast<std::int64_t>(rng_.below(static_cast<std::uint32_t>(nodes_.size())))};
        };
        const WaypointId from = any(), to = any();
        RoadmapQuery query{.start = from, .goal = to, .agent = {.radius = 0.25 * rng_.below(14)}};
        query.filter.kinds.closed = KindSet::of_mask(rng_.below(2) * rng_.below(16));
        query.filter.blocked_flags = rng_.below(2) * rng_.below(8);
        const Explanation why = why_not(*net_, query);
        const bool found = reach(query, query.agent.radius, from, false, false)[index(to)];
        EXPECT_EQ(why.reason == ExplainReason::none, found) << trace;
        if (found) {
            ++tally_.none;
            return;
        }
        const std::vector<bool> point = reach(query, 0.0, from, false, false);
        EXPECT_EQ(why.reason, point[index(to)] ? ExplainReason::too_wide : ExplainReason::sealed) << trace;
        judge_open(query, why, trace);
        if (why.reason == ExplainReason::too_wide) {
            ++tally_.too_wide;
            judge_width(query, why, trace);
            return;
        }
        ++tally_.sealed;
        const std::vector<bool> side = why.goal_side ? reach(query, 0.0, to, true, false) : point;
        EXPECT_EQ(why.area, std::count(side.begin(), side.end(), true)) << trace;
        EXPECT_EQ(why.one_way, bool{reach(query, 0.0, from, false, true)[index(to)]}) << trace;
        tally_.one_way += why.one_way ? 1 : 0;
        for (const HelpKind kind : {HelpKind::move_start, HelpKind::move_goal}) {
            const Help& moved = why.help(kind);
            EXPECT_EQ(moved.proof, Proof::found) << trace;  // at the least to where the other end is
            tally_.moved += moved.proof == Proof::found ? 1 : 0;
        }
    }

  private:
    [[nodiscard]] std::size_t index(WaypointId id) const { return static_cast<std::size_t>(id.value); }
    [[nodiscard]] std::vector<bool> reach(const RoadmapQuery& query, double radius, WaypointId from,
                                          bool back, bool against) const {
        std::vector<bool> seen(nodes_.size());
        seen[index(from)] = true;
        for (bool more = true; more;) {
            more = false;
            for (const WaypointEdge& edge : edges_) {
                if (!query.filter.kinds.open(edge.kind) || (edge.flags & query.filter.blocked_flags) != 0 ||
                    roads_[edge.kind].width < 2.0 * radius)
                    continue;
                const auto pass = [&](WaypointId a, WaypointId b) {
                    if (!seen[index(a)] || seen[index(b)]) return;
                    seen[index(b)] = more = true;
                };
                if (!back || !edge.one_way || against) pass(edge.from, edge.to);
                if (back || !edge.one_way || against) pass(edge.to, edge.from);
            }
        }
        return seen;
    }
    void judge_width(const RoadmapQuery& query, const Explanation& why, const std::string& trace) const {
        const WaypointId from = query.start.waypoint, to = query.goal.at.waypoint;
        double best = 0.0;
        for (const RoadKind& road : roads_) {
            if (reach(query, 0.5 * road.width, from, false, false)[index(to)])
                best = std::max(best, 0.5 * road.width);
        }
        const Help& help = why.help(HelpKind::smaller_body);
        EXPECT_EQ(help.proof, Proof::found) << trace;
        EXPECT_EQ(help.value, best) << trace;
        EXPECT_LE(help.failed, best + 1e-4) << trace;
        ASSERT_TRUE(why.has_edge) << trace;
        EXPECT_EQ(why.width, 2.0 * best) << trace;
        EXPECT_EQ(roads_[why.edge.kind].width, why.width) << trace;
    }
    void judge_open(const RoadmapQuery& query, const Explanation& why, const std::string& trace) {
        const Help& open = why.help(HelpKind::open_terrain);
        const auto opens = [&](std::uint64_t kinds, std::uint32_t flags) {
            RoadmapQuery other = query;
            other.filter.kinds.closed = KindSet::of_mask(query.filter.kinds.closed.mask() & ~kinds);
            other.filter.blocked_flags &= ~flags;
            return bool{reach(other, query.agent.radius, query.start.waypoint, false,
                              false)[index(query.goal.at.waypoint)]};
        };
        if (open.proof != Proof::found) {
            EXPECT_FALSE(opens(15, 7)) << trace;
            return;
        }
        ++tally_.opened;
        EXPECT_TRUE(opens(open.terrain[0], open.flags)) << trace;
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t bit = 1U << k;
            if ((open.terrain[0] & bit) != 0) {
                EXPECT_FALSE(opens(open.terrain[0] & ~std::uint64_t{bit}, open.flags)) << trace;
            }
            if ((open.flags & bit) != 0) {
                EXPECT_FALSE(opens(open.terrain[0], open.flags & ~bit)) << trace;
            }
        }
    }

    Rng& rng_;
    NetTally& tally_;
    std::vector<Waypoint> nodes_;
    std::vector<WaypointEdge> edges_;
    RoadKind roads_[4] = {};
    std::optional<Roadmap> net_;
};

TEST(ExplainRoadmap, RandomNetsAgainstAPlainSearch) {
    NetTally tally;
    for (int w = 0; w < trials(400); ++w) {
        Rng rng(77100 + static_cast<std::uint64_t>(w));
        RandomNets net(rng, tally);
        for (int i = 0; i < 10; ++i) net.look("net " + std::to_string(w) + ", query " + std::to_string(i));
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.none, 200);
    EXPECT_GT(tally.too_wide, 100);
    EXPECT_GT(tally.sealed, 200);
    EXPECT_GT(tally.one_way, 50);
    EXPECT_GT(tally.opened, 100);
}

}  // namespace
}  // namespace fairlead::testing
