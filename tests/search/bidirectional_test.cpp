// The search from both ends against Bellman and Ford on random directed graphs: cost, path, slices, use again, failures.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/search/bidirectional.h>

#include "support/test_allocator.h"

namespace fairlead {
namespace {

struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    Cost cost;
};

constexpr Cost kUnit = Cost{1} << 30;

/// One way through a graph: forward from the start, or backward from the goals.
struct Side {
    std::vector<std::vector<Edge>> edges;  ///< by the state that they leave, in this direction
    std::vector<Cost> lower_bound;
    std::vector<char> first;
    std::vector<char> last;

    template <class Sink>
    void start(Sink& sink) {
        for (std::uint32_t i = 0; i < first.size(); ++i) {
            if (first[i] != 0) sink.add(i, 0, 0);
        }
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        for (const Edge& e : edges[state]) sink.add(e.to, e.cost, 0);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const { return lower_bound[state]; }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return last[state] != 0; }
};

struct Graph {
    Side forward;
    Side backward;
    [[nodiscard]] std::size_t states() const { return forward.edges.size(); }
};

/// Least cost from the side's first states to every state.
std::vector<Cost> costs(const Side& side) {
    std::vector<Cost> best(side.edges.size(), kCostMax);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = side.first[i] != 0 ? 0 : kCostMax;
    for (bool changed = true; changed;) {
        changed = false;
        for (const std::vector<Edge>& from : side.edges) {
            for (const Edge& e : from) {
                if (best[e.from] == kCostMax || best[e.from] + e.cost >= best[e.to]) continue;
                best[e.to] = best[e.from] + e.cost;
                changed = true;
            }
        }
    }
    return best;
}

/// `informed`: heuristics of three quarters of the true cost, which is consistent; otherwise none.
Graph random_graph(Rng& rng, bool informed) {
    Graph graph;
    const std::uint32_t states = 1 + rng.below(60);
    for (Side* side : {&graph.forward, &graph.backward}) {
        side->edges.resize(states);
        side->lower_bound.resize(states);
        side->first.resize(states);
        side->last.resize(states);
    }
    const std::uint32_t largest = rng.below(3) == 0 ? 3 : 200;
    for (std::uint32_t i = rng.below(states * 4 + 1); i > 0; --i) {
        const Cost fraction = rng.below(2) == 0 ? 0 : rng.below(1000);
        const Edge e{rng.below(states), rng.below(states), (1 + rng.below(largest)) * kUnit + fraction};
        graph.forward.edges[e.from].push_back(e);
        graph.backward.edges[e.to].push_back({e.to, e.from, e.cost});
    }
    const std::uint32_t start = rng.below(states);
    graph.forward.first[start] = graph.backward.last[start] = 1;
    for (std::uint32_t i = 0; i <= rng.below(3); ++i) {
        const std::uint32_t goal = rng.below(states);
        graph.backward.first[goal] = graph.forward.last[goal] = 1;
    }
    if (!informed) return graph;
    const std::vector<Cost> from_start = costs(graph.forward);
    const std::vector<Cost> to_goal = costs(graph.backward);
    for (std::size_t i = 0; i < states; ++i) {
        graph.forward.lower_bound[i] = to_goal[i] == kCostMax ? 300 * kUnit : to_goal[i] / 4 * 3;
        graph.backward.lower_bound[i] = from_start[i] == kCostMax ? 300 * kUnit : from_start[i] / 4 * 3;
    }
    return graph;
}

Cost optimum(const Graph& graph) {
    const std::vector<Cost> from_start = costs(graph.forward);
    Cost best = kCostMax;
    for (std::size_t i = 0; i < from_start.size(); ++i) {
        if (graph.forward.last[i] != 0) best = std::min(best, from_start[i]);
    }
    return best;
}

/// The lists of both sides and the search on them.
struct Both {
    using Search = BestFirst<Side, AStarKey, HeapOpen, PagedNodes>;
    HeapOpen open[2];
    PagedNodes nodes[2];

    explicit Both(const Allocator& allocator = {})
        : open{HeapOpen(allocator), HeapOpen(allocator)},
          nodes{PagedNodes(allocator), PagedNodes(allocator)} {}
    [[nodiscard]] bool resize(std::size_t states) {
        return nodes[0].resize(states) && nodes[1].resize(states);
    }
    [[nodiscard]] Bidirectional<Search> on(Graph& graph) {
        return {Search(graph.forward, open[0], nodes[0]), Search(graph.backward, open[1], nodes[1])};
    }
};

struct Outcome {
    SearchProgress progress = SearchProgress::running;
    Cost cost = kCostMax;
    std::uint64_t expanded = 0;
    std::uint64_t digest = 0;
    std::vector<std::uint32_t> path;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class Search>
Outcome run(Search& search, std::uint64_t slice) {
    Outcome out;
    do {
        out.progress = search.step(slice);
    } while (out.progress == SearchProgress::running);
    out.expanded = search.expanded();
    out.digest = search.digest();
    if (out.progress != SearchProgress::found) return out;
    out.cost = search.goal_cost();
    const PagedNodes& there = search.forward().nodes();
    const PagedNodes& back = search.backward().nodes();
    for (std::uint32_t n = search.meeting_forward(); n != kNoNode && out.path.size() < 200;
         n = there[n].parent)
        out.path.push_back(there.state_of(n));
    std::reverse(out.path.begin(), out.path.end());
    for (std::uint32_t n = back[search.meeting_backward()].parent; n != kNoNode && out.path.size() < 400;
         n = back[n].parent)
        out.path.push_back(back.state_of(n));
    return out;
}

void expect_path(const Graph& graph, const Outcome& out) {
    ASSERT_FALSE(out.path.empty());
    EXPECT_NE(graph.forward.first[out.path.front()], 0);
    EXPECT_NE(graph.forward.last[out.path.back()], 0);
    Cost cost = 0;
    for (std::size_t i = 1; i < out.path.size(); ++i) {
        Cost step = kCostMax;
        for (const Edge& e : graph.forward.edges[out.path[i - 1]]) {
            if (e.to == out.path[i]) step = std::min(step, e.cost);
        }
        ASSERT_NE(step, kCostMax);
        cost += step;
    }
    EXPECT_EQ(cost, out.cost);
}

TEST(Bidirectional, OptimalOnRandomGraphsInAnySlices) {
    Rng rng(31);
    Both both;
    int found = 0;
    for (int i = 0; i < 6000; ++i) {
        Graph graph = random_graph(rng, i % 2 == 0);
        ASSERT_TRUE(both.resize(graph.states()));
        const Cost best = optimum(graph);
        auto search = both.on(graph);
        search.begin();
        const Outcome out = run(search, UINT64_MAX);
        ASSERT_EQ(out.progress, best == kCostMax ? SearchProgress::exhausted : SearchProgress::found) << i;
        ASSERT_EQ(out.cost, best) << i;
        // Each side opens a state at most once.
        ASSERT_LE(out.expanded, 2 * graph.states());
        if (best != kCostMax) {
            ++found;
            expect_path(graph, out);
        }
        for (const std::uint64_t slice : {1, 2, 7}) {
            auto sliced = both.on(graph);
            sliced.begin();
            ASSERT_EQ(run(sliced, slice), out) << i << " slice " << slice;
        }
        // The same search once more: what the first run found does not count.
        search.begin();
        ASSERT_EQ(run(search, UINT64_MAX), out) << i;
        ASSERT_FALSE(HasFailure()) << i;
    }
    EXPECT_GT(found, 1500);
}

TEST(Bidirectional, StartIsGoal) {
    Graph graph;
    for (Side* side : {&graph.forward, &graph.backward}) {
        side->edges.resize(1);
        side->lower_bound.resize(1);
        side->first.assign(1, 1);
        side->last.assign(1, 1);
    }
    Both both;
    ASSERT_TRUE(both.resize(1));
    auto search = both.on(graph);
    search.begin();
    const Outcome out = run(search, 1);
    EXPECT_EQ(out.progress, SearchProgress::found);
    EXPECT_EQ(out.cost, 0U);
    EXPECT_EQ(out.path, std::vector<std::uint32_t>{0});
}

TEST(Bidirectional, NoBudgetNoWork) {
    Rng rng(32);
    Graph graph = random_graph(rng, false);
    Both both;
    ASSERT_TRUE(both.resize(graph.states()));
    auto search = both.on(graph);
    search.begin();
    EXPECT_EQ(search.step(0), SearchProgress::running);
    EXPECT_EQ(search.expanded(), 0U);
}

TEST(Bidirectional, EveryFailedAllocationIsTold) {
    Rng rng(33);
    int failures = 0;
    for (int i = 0; i < 200; ++i) {
        Graph graph = random_graph(rng, true);
        const Cost best = optimum(graph);
        for (std::int64_t n = 0;; ++n) {
            testing::TestAllocator memory;
            memory.fail_from_call = n;
            {
                Both both(memory.allocator());
                if (!both.resize(graph.states())) continue;
                auto search = both.on(graph);
                search.begin();
                const Outcome out = run(search, UINT64_MAX);
                if (out.progress != SearchProgress::no_memory) {
                    EXPECT_EQ(out.cost, best);
                    break;
                }
                ++failures;
            }
            ASSERT_EQ(memory.live_blocks, 0);
        }
    }
    EXPECT_GT(failures, 200);
}

}  // namespace
}  // namespace fairlead
