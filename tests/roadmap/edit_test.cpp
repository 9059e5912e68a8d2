// Edits: equal to a fresh build, all or nothing, never seen by a snapshot.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/roadmaps.h"
#include "support/starve.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::TestAllocator;

struct ArcView {
    std::int64_t to;
    double cost;
    std::uint32_t label, flags;
    int kind;
    bool link;
    friend auto operator<=>(const ArcView&, const ArcView&) = default;
};

struct View {
    std::map<std::int64_t, Waypoint> nodes;
    std::map<std::int64_t, std::vector<ArcView>> arcs;
    std::map<std::int64_t, std::vector<std::int64_t>> arrivals;
    Aabb bounds;
    std::uint32_t arc_count = 0;
    friend bool operator==(const View&, const View&) = default;
};

// All that can be read of a state, by id.
View view_of(const RoadmapState& state) {
    View view;
    view.bounds = state.bounds();
    view.arc_count = state.arcs();
    std::uint32_t nodes = 0;
    for (std::uint32_t slot = 0; slot < state.slots(); ++slot) {
        const Waypoint node = state.node({slot});
        if (!node.id.valid()) {
            EXPECT_TRUE(state.arcs({slot}).empty());
            EXPECT_TRUE(state.arrivals({slot}).empty());
            continue;
        }
        ++nodes;
        EXPECT_EQ(state.find(node.id).value, slot);
        view.nodes[node.id.value] = node;
        for (const RoadmapArc& arc : state.arcs({slot})) {
            view.arcs[node.id.value].push_back(
                {state.node(arc.to).id.value, arc.cost, arc.label, arc.flags, arc.kind, arc.link});
        }
        for (const WaypointSlot in : state.arrivals({slot})) {
            view.arrivals[node.id.value].push_back(state.node(in).id.value);
        }
    }
    EXPECT_EQ(nodes, state.nodes());
    return view;
}

std::vector<Route> routes_of(const RoadmapState& state, const PlainRoadmap& plain, std::uint64_t seed) {
    std::vector<Route> routes;
    Rng rng(seed);
    Scratch scratch;
    for (int i = 0; i < 6 && !plain.nodes.empty(); ++i) {
        const auto count = static_cast<std::uint32_t>(plain.nodes.size());
        RoadmapQuery query{.start = plain.nodes[rng.below(count)].id,
                           .goal = plain.nodes[rng.below(count)].id};
        if (i % 2 == 0) query.goal = Vec2{rng.between(0.0, 20.0), rng.between(0.0, 20.0)};
        query.backward = i % 3 == 0;
        query.sight = {
            [](Vec3 a, Vec3 b, double, void*) { return std::abs(a.x - b.x) + std::abs(a.y - b.y) < 9; },
            nullptr};
        Result<Route> route = find_route(state, query, scratch);
        EXPECT_TRUE(route.has_value());
        if (route) routes.push_back(std::move(*route));
    }
    return routes;
}

void expect_same_routes(const std::vector<Route>& a, const std::vector<Route>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].status, b[i].status);
        ASSERT_EQ(a[i].cost, b[i].cost);
        ASSERT_EQ(a[i].stats, b[i].stats);
        ASSERT_EQ(a[i].legs.size(), b[i].legs.size());
        for (std::size_t k = 0; k < a[i].legs.size(); ++k) ASSERT_EQ(a[i].legs[k], b[i].legs[k]);
    }
}

// One random edit, made on the lists as well.
RoadmapEdit random_edit(Rng& rng, PlainRoadmap& plain) {
    const auto nodes = static_cast<std::uint32_t>(plain.nodes.size());
    const auto edges = static_cast<std::uint32_t>(plain.edges.size());
    const std::uint32_t kind = nodes < 3 ? 0 : (edges < 3 ? 3 : rng.below(10));
    const auto position = [&rng] {
        return Vec3{static_cast<double>(rng.below(20)), static_cast<double>(rng.below(20)), rng.unit() * 0.5};
    };
    if (kind == 0) {
        Waypoint node{{}, position()};
        do {
            node.id = {static_cast<std::int64_t>(rng.below(5000))};
        } while (std::any_of(plain.nodes.begin(), plain.nodes.end(),
                             [&](const Waypoint& n) { return n.id == node.id; }));
        plain.nodes.push_back(node);
        return RoadmapEdit::add_node(node);
    }
    if (kind == 1) {
        const std::uint32_t at = rng.below(nodes);
        const WaypointId id = plain.nodes[at].id;
        plain.nodes.erase(plain.nodes.begin() + at);
        std::erase_if(plain.edges, [&](const WaypointEdge& e) { return e.from == id || e.to == id; });
        return RoadmapEdit::remove_node(id);
    }
    if (kind == 2) {
        Waypoint& node = plain.nodes[rng.below(nodes)];
        node.position = position();
        return RoadmapEdit::move_node(node);
    }
    if (kind <= 6) {
        WaypointEdge edge{.from = plain.nodes[rng.below(nodes)].id, .to = plain.nodes[rng.below(nodes)].id};
        while (edge.to == edge.from) edge.to = plain.nodes[rng.below(nodes)].id;
        edge.one_way = rng.below(2) == 0;
        edge.link = rng.below(8) == 0;
        edge.kind = static_cast<std::uint8_t>(rng.below(3));
        edge.label = rng.below(2);
        if (rng.below(2) == 0) edge.cost = rng.between(0.5, 30.0);
        plain.edges.push_back(edge);
        return RoadmapEdit::add_edge(edge);
    }
    // An edge as (from, to, label): all that match change together, so rewrite the lists by direction.
    std::vector<WaypointEdge> directions;
    for (const WaypointEdge& e : plain.edges) {
        WaypointEdge one = e;
        one.one_way = true;
        directions.push_back(one);
        if (e.one_way) continue;
        std::swap(one.from, one.to);
        directions.push_back(one);
    }
    WaypointEdge meant = directions[rng.below(static_cast<std::uint32_t>(directions.size()))];
    meant.one_way = rng.below(2) == 0;
    const auto matches = [&meant](const WaypointEdge& e) {
        const bool there = e.from == meant.from && e.to == meant.to;
        const bool back = !meant.one_way && e.from == meant.to && e.to == meant.from;
        return (there || back) && e.label == meant.label;
    };
    if (kind <= 8) {
        std::erase_if(directions, matches);
        plain.edges = directions;
        return RoadmapEdit::remove_edge(meant);
    }
    meant.cost = rng.below(3) == 0 ? kStraightCost : rng.between(0.5, 30.0);
    meant.flags = rng.below(4);
    meant.link = rng.below(8) == 0;
    for (WaypointEdge& e : directions) {
        if (!matches(e)) continue;
        e.cost = meant.cost;
        e.kind = meant.kind;
        e.flags = meant.flags;
        e.link = meant.link;
    }
    plain.edges = directions;
    return RoadmapEdit::change_edge(meant);
}

// Straight edges must not join waypoints on one spot.
bool has_flat_edge(const PlainRoadmap& plain) {
    return std::any_of(plain.edges.begin(), plain.edges.end(), [&](const WaypointEdge& e) {
        return e.cost == kStraightCost && plain.position(e.from) == plain.position(e.to);
    });
}

TEST(RoadmapEdits, AnyEditsEqualAFreshBuild) {
    Rng rng(11);
    for (int world = 0; world < 40; ++world) {
        PlainRoadmap plain = random_roadmap(
            rng, {.nodes = 1 + rng.below(150), .degree = 1.5, .size = 20, .grid_points = true});
        Roadmap edited = plain.make();
        std::uint64_t revisions = 0;
        for (int round = 0; round < 60; ++round) {
            const PlainRoadmap before = plain;
            std::vector<RoadmapEdit> edits;
            for (std::uint32_t k = 0; k <= rng.below(5); ++k) edits.push_back(random_edit(rng, plain));
            const View old = view_of(edited);
            const Result<void> done = edited.apply(edits);
            if (!done) {
                // Only a straight edge of length 0, which may be gone again at the end of the batch.
                ASSERT_EQ(done.error().code, ErrorCode::out_of_range);
                ASSERT_EQ(view_of(edited), old);
                plain = before;
                continue;
            }
            ASSERT_FALSE(has_flat_edge(plain));
            const Roadmap fresh = plain.make();
            ASSERT_EQ(view_of(edited), view_of(fresh)) << world << ' ' << round;
            if (edited.state().revision() != revisions) {
                ASSERT_EQ(edited.state().revision(), ++revisions);
            }
            expect_same_routes(routes_of(edited, plain, 77), routes_of(fresh, plain, 77));
        }
    }
}

TEST(RoadmapEdits, AFailedBatchChangesNothing) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 5, 0);
    plain.edge(1, 2);
    Roadmap roadmap = plain.make();
    const View before = view_of(roadmap);
    struct Row {
        RoadmapEdit edit;
        Error error;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Row table[] = {
        {RoadmapEdit::add_node({{1}, {}}), {ErrorCode::duplicate_id, 2, 1}},
        {RoadmapEdit::add_node({{3}, {}}), {ErrorCode::duplicate_id, 2, 3}},  // added by the batch itself
        {RoadmapEdit::add_node({{-2}, {}}), {ErrorCode::out_of_range, 2, -2}},
        {RoadmapEdit::add_node({{4}, {nan, 0, 0}}), {ErrorCode::not_finite, 2, 0}},
        {RoadmapEdit::move_node({{4}, {}}), {ErrorCode::unknown_id, 2, 4}},
        {RoadmapEdit::move_node({{1}, {0, 2e12, 0}}), {ErrorCode::out_of_range, 2, 2000000000000}},
        {RoadmapEdit::move_node({{1}, {5, 0, 0}}),
         {ErrorCode::out_of_range, 2, 0}},  // the straight edge would cost 0
        {RoadmapEdit::remove_node({4}), {ErrorCode::unknown_id, 2, 4}},
        {RoadmapEdit::add_edge({.from = {1}, .to = {4}}), {ErrorCode::unknown_id, 2, 4}},
        {RoadmapEdit::add_edge({.from = {4}, .to = {1}}), {ErrorCode::unknown_id, 2, 4}},
        {RoadmapEdit::add_edge({.from = {1}, .to = {1}}),
         {ErrorCode::incompatible, 2, static_cast<std::int64_t>(RoadmapRule::edge_to_itself)}},
        {RoadmapEdit::add_edge({.from = {1}, .to = {2}, .cost = 0}), {ErrorCode::out_of_range, 2, 0}},
        {RoadmapEdit::add_edge({.from = {1}, .to = {2}, .cost = nan}), {ErrorCode::not_finite, 2, 0}},
        {RoadmapEdit::change_edge({.from = {1}, .to = {2}, .cost = -2}), {ErrorCode::out_of_range, 2, -2}},
        {RoadmapEdit::change_edge({.from = {1}, .to = {2}, .label = 9}), {ErrorCode::unknown_id, 2, 2}},
        {RoadmapEdit::remove_edge({.from = {1}, .to = {3}}), {ErrorCode::unknown_id, 2, 3}},
        {RoadmapEdit::remove_edge({.from = {1}, .to = {1}}), {ErrorCode::unknown_id, 2, 1}},
    };
    for (const Row& row : table) {
        const RoadmapEdit batch[] = {RoadmapEdit::add_node({{3}, {9, 9, 0}}),
                                     RoadmapEdit::add_edge({.from = {3}, .to = {2}}), row.edit};
        const Result<void> done = roadmap.apply(batch);
        ASSERT_FALSE(done.has_value());
        EXPECT_EQ(done.error(), row.error) << error_name(done.error().code) << ' ' << done.error().detail;
        EXPECT_EQ(view_of(roadmap), before);
        EXPECT_EQ(roadmap.state().revision(), 0U);
    }
    EXPECT_TRUE(roadmap.apply({}));
    EXPECT_TRUE(roadmap.move_node({{1}, {0, 0, 0}}));            // is there already
    EXPECT_TRUE(roadmap.change_edge({.from = {1}, .to = {2}}));  // costs that already
    EXPECT_EQ(roadmap.state().revision(), 0U);
    EXPECT_TRUE(roadmap.change_edge({.from = {1}, .to = {2}, .flags = 1}));
    EXPECT_EQ(roadmap.state().revision(), 1U);
}

TEST(RoadmapEdits, ASnapshotNeverChanges) {
    Rng rng(12);
    for (int world = 0; world < 20; ++world) {
        PlainRoadmap plain = random_roadmap(rng, {.nodes = 100, .size = 20, .grid_points = true});
        TestAllocator counted;
        {
            Roadmap roadmap = plain.make(counted.allocator());
            struct Held {
                RoadmapSnapshot snapshot;
                View view;
                PlainRoadmap plain;
                std::vector<Route> routes;
            };
            std::vector<Held> held;
            for (int round = 0; round < 80; ++round) {
                if (rng.below(3) == 0) {
                    held.push_back(
                        {roadmap.acquire(), view_of(roadmap), plain, routes_of(roadmap, plain, 5)});
                }
                if (!held.empty() && rng.below(4) == 0)
                    held.erase(held.begin() + rng.below(static_cast<std::uint32_t>(held.size())));
                const PlainRoadmap before = plain;
                const RoadmapEdit edit = random_edit(rng, plain);
                if (!roadmap.apply({&edit, 1})) plain = before;
                for (const Held& h : held) {
                    ASSERT_EQ(view_of(*h.snapshot), h.view);
                    if (round % 16 == 0) expect_same_routes(routes_of(*h.snapshot, h.plain, 5), h.routes);
                }
            }
        }
        ASSERT_EQ(counted.live_blocks, 0);
        ASSERT_EQ(counted.live_bytes, 0);
    }
}

// A search on a snapshot, a slice at a time, while the roadmap is taken apart.
TEST(RoadmapEdits, ASearchInFlightNeverSeesAnEdit) {
    Rng rng(13);
    PlainRoadmap plain = random_roadmap(rng, {.nodes = 800, .degree = 2.5, .one_way = 0.1, .size = 300});
    Roadmap roadmap = plain.make();
    Scratch scratch;
    RoadmapQuery query{
        .start = plain.nodes[0].id, .goal = plain.nodes[1].id, .planner = RoadmapPlanner::dijkstra};
    Result<Route> whole = find_route(roadmap, query, scratch);
    ASSERT_TRUE(whole);
    ASSERT_EQ(whole->status, PathStatus::complete);

    RoadmapSnapshot snapshot = roadmap.acquire();
    RoadmapSearch search(snapshot, query, scratch);
    while (search.step(3)) {
        const auto count = static_cast<std::uint32_t>(plain.nodes.size());
        if (count < 10) continue;
        const std::uint32_t at = rng.below(count);
        ASSERT_TRUE(roadmap.remove_node(plain.nodes[at].id));
        plain.nodes.erase(plain.nodes.begin() + at);
    }
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.stats, whole->stats);
    EXPECT_EQ(route.cost, whole->cost);
    EXPECT_EQ(route.revision, 0U);
    EXPECT_GT(roadmap.state().revision(), 20U);
}

// The n-th allocation fails, for every n: an error, nothing changed, nothing lost, and the next call works.
TEST(RoadmapEdits, RunningOutOfMemoryLeavesNoTrace) {
    Rng rng(14);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 300, .size = 20, .grid_points = true});
    std::vector<RoadmapEdit> edits;
    PlainRoadmap after = plain;
    while (edits.size() < 12) {
        PlainRoadmap next = after;
        const RoadmapEdit edit = random_edit(rng, next);
        if (has_flat_edge(next)) continue;
        edits.push_back(edit);
        after = next;
    }
    for (std::int64_t id = 10000; id < 10300; ++id) edits.push_back(RoadmapEdit::add_node({{id}, {1, 2, 3}}));
    TestAllocator memory;
    for (const bool once : testing::kOnceAndForEver) {
        Roadmap roadmap = plain.make(memory.allocator());
        RoadmapSnapshot held = roadmap.acquire();
        const View before = view_of(roadmap);
        const std::int64_t blocks = memory.live_blocks;
        const std::int64_t failures = testing::starve(
            memory, once, [&] { return roadmap.apply(edits); },
            [&](const Result<void>& done) {
                ASSERT_FALSE(done);
                ASSERT_EQ(view_of(roadmap), before);
                ASSERT_EQ(roadmap.state().revision(), 0U);
                ASSERT_LE(memory.live_blocks, blocks + 12);  // buffers that have grown
            });
        EXPECT_GT(failures, 50);
        EXPECT_EQ(view_of(*held), before);
        EXPECT_EQ(roadmap.state().nodes(), after.nodes.size() + 300);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

TEST(RoadmapEdits, MakingWithoutMemoryIsAnError) {
    Rng rng(15);
    PlainRoadmap plain = random_roadmap(rng, {.nodes = 200});
    plain.wall({{0, 0}, {1, 0}, {1, 1}}, true);
    for (const bool once : testing::kOnceAndForEver) {
        TestAllocator memory;
        const std::int64_t failures = testing::starve(
            memory, once, [&] { return plain.try_make(memory.allocator()); },
            [&](const Result<Roadmap>& made) {
                ASSERT_FALSE(made);
                ASSERT_EQ(memory.live_blocks, 0);
                ASSERT_EQ(memory.live_bytes, 0);
            });
        EXPECT_GT(failures, 20);
        EXPECT_EQ(memory.live_blocks, 0);
    }
}

TEST(RoadmapEdits, ManyWaypointsOneByOne) {
    Roadmap roadmap = PlainRoadmap{}.make();
    Rng rng(16);
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < 2000; ++i) {
        const std::int64_t id = (i * 7919) % 2003;
        ASSERT_TRUE(roadmap.add_node({{id}, {static_cast<double>(id), 0, 0}}));
        ids.push_back(id);
        if (i > 0) {
            ASSERT_TRUE(
                roadmap.add_edge({.from = {id}, .to = {ids[rng.below(static_cast<std::uint32_t>(i))]}}));
        }
    }
    EXPECT_EQ(roadmap.state().nodes(), 2000U);
    EXPECT_EQ(roadmap.state().slots(), 2048U);
    for (const std::int64_t id : ids)
        ASSERT_EQ(roadmap.state().node(roadmap.state().find({id})).position.x, static_cast<double>(id));
    EXPECT_TRUE(*roadmap.state().connected({ids[3]}, {ids[1999]}));
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_TRUE(roadmap.remove_node({ids[i]}));
    EXPECT_EQ(roadmap.state().nodes(), 0U);
    EXPECT_EQ(roadmap.state().arcs(), 0U);
    EXPECT_TRUE(roadmap.state().bounds().empty());
}

}  // namespace
}  // namespace fairlead
