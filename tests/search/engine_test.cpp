// The engine against Bellman and Ford on random graphs: consistent heuristics and others, every open list and node
// store, slices, limits, failures.

#include <gtest/gtest.h>

#include <vector>

#include <fairlead/base/digest.h>
#include <fairlead/base/rng.h>
#include <fairlead/search/engine.h>

#include "support/search_graph.h"
#include "support/test_allocator.h"

namespace fairlead {
namespace {

using namespace testing::search_graph;

template <class Nodes>
Nodes make_nodes(const Graph& graph, const Allocator& allocator = {});
template <>
PagedNodes make_nodes<PagedNodes>(const Graph& graph, const Allocator& allocator) {
    PagedNodes nodes(allocator);
    (void)nodes.resize(graph.edges.size());
    return nodes;
}
template <>
HashedNodes make_nodes<HashedNodes>(const Graph&, const Allocator& allocator) {
    return HashedNodes(allocator);
}

struct Outcome {
    SearchProgress progress = SearchProgress::running;
    Cost cost = kCostMax;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t open_peak = 0;
    std::uint64_t digest = 0;
    std::vector<std::uint32_t> path;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class Search>
Outcome outcome_of(const Search& search, SearchProgress progress) {
    Outcome out;
    out.progress = progress;
    out.expanded = search.expanded();
    out.generated = search.generated();
    out.open_peak = search.open_peak();
    out.digest = search.digest();
    if (progress != SearchProgress::found) return out;
    out.cost = search.goal_cost();
    for (std::uint32_t n = search.goal_node(); n != kNoNode && out.path.size() < 1000;
         n = search.nodes()[n].parent) {
        out.path.push_back(search.nodes().state_of(n));
    }
    return out;
}

template <class Key, class Open, class Nodes>
Outcome run(Graph& graph, Key key, Open& open, Nodes& nodes, Cost limit = kCostMax) {
    BestFirst<Graph, Key, Open, Nodes> search(graph, open, nodes, key);
    search.begin();
    search.set_cost_limit(limit);
    return outcome_of(search, search.step(UINT64_MAX));
}

/// The path's states follow edges from a start to a goal and its cost is what the engine says.
void expect_path(const Graph& graph, const Outcome& out) {
    ASSERT_FALSE(out.path.empty());
    Cost cost = kCostMax;
    for (const Start& s : graph.starts) {
        if (s.state == out.path.back()) cost = std::min(cost, s.cost);
    }
    ASSERT_NE(cost, kCostMax);
    EXPECT_NE(graph.goals[out.path.front()], 0);
    for (std::size_t i = out.path.size() - 1; i > 0; --i) {
        Cost step = kCostMax;
        for (const Edge& e : graph.edges[out.path[i]]) {
            if (e.to == out.path[i - 1]) step = std::min(step, e.cost);
        }
        ASSERT_NE(step, kCostMax);
        cost += step;
    }
    EXPECT_EQ(cost, out.cost);
}

template <class Open, class Nodes>
void optimal_on_random_graphs(Bound kind) {
    Open open;
    Rng rng(static_cast<std::uint64_t>(kind) + 10);
    HashedNodes shared;
    for (int i = 0; i < 3000; ++i) {
        Graph graph = random_graph(rng, kind);
        Nodes nodes = make_nodes<Nodes>(graph);
        const Cost best = optimum(graph);
        const Outcome out = run(graph, AStarKey{}, open, nodes);
        ASSERT_EQ(out.progress, best == kCostMax ? SearchProgress::exhausted : SearchProgress::found) << i;
        ASSERT_EQ(out.cost, best) << i;
        if (best != kCostMax) expect_path(graph, out);
        // Each state is opened once.
        ASSERT_TRUE(kind != Bound::consistent || !Open::kExact || out.expanded <= graph.edges.size());
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(Engine, OptimalWithoutAHeuristic) {
    optimal_on_random_graphs<HeapOpen, PagedNodes>(Bound::zero);
    optimal_on_random_graphs<BucketOpen, PagedNodes>(Bound::zero);
}

TEST(Engine, OptimalWithAConsistentHeuristic) {
    optimal_on_random_graphs<HeapOpen, HashedNodes>(Bound::consistent);
    optimal_on_random_graphs<HeapOpen, PagedNodes>(Bound::consistent);
    optimal_on_random_graphs<BucketOpen, PagedNodes>(Bound::consistent);
    optimal_on_random_graphs<BucketOpen, HashedNodes>(Bound::consistent);
}

// Needs states to be opened again.
TEST(Engine, OptimalWithAnInconsistentHeuristic) {
    optimal_on_random_graphs<HeapOpen, HashedNodes>(Bound::inconsistent);
    optimal_on_random_graphs<BucketOpen, PagedNodes>(Bound::inconsistent);
}

// Erratum E1: S -> A 1, S -> B 5, A -> B 1, B -> G 1. Without relaxation 6, with it 3.
TEST(Engine, RelaxesWhatIsAlreadyOpen) {
    Graph graph(4);
    graph.edges[0] = {{1, 1 * kUnit}, {2, 5 * kUnit}};
    graph.edges[1] = {{2, 1 * kUnit}};
    graph.edges[2] = {{3, 1 * kUnit}};
    graph.starts = {{0, 0}};
    graph.goals[3] = 1;
    HeapOpen heap;
    BucketOpen buckets;
    HashedNodes nodes;
    EXPECT_EQ(run(graph, AStarKey{}, heap, nodes).cost, 3 * kUnit);
    EXPECT_EQ(run(graph, DijkstraKey{}, heap, nodes).cost, 3 * kUnit);
    EXPECT_EQ(run(graph, AStarKey{}, buckets, nodes).cost, 3 * kUnit);
    EXPECT_EQ(run(graph, AStarKey{}, heap, nodes).path, (std::vector<std::uint32_t>{3, 2, 1, 0}));
}

TEST(Engine, WeightedIsWithinItsWeight) {
    HeapOpen open;
    HashedNodes nodes;
    Rng rng(20);
    int dearer = 0;
    for (int i = 0; i < 3000; ++i) {
        Graph graph = random_graph(rng, i % 2 == 0 ? Bound::consistent : Bound::inconsistent);
        const Cost best = optimum(graph);
        const std::uint32_t weight = 256 + rng.below(1024);
        const Outcome out = run(graph, WeightedKey{weight}, open, nodes);
        ASSERT_EQ(out.progress == SearchProgress::found, best != kCostMax);
        if (best == kCostMax) continue;
        expect_path(graph, out);
        ASSERT_LE(static_cast<unsigned __int128>(out.cost) * 256,
                  static_cast<unsigned __int128>(best) * weight);
        dearer += out.cost > best ? 1 : 0;
        ASSERT_EQ(run(graph, WeightedKey{256}, open, nodes).cost, best);
    }
    EXPECT_GT(dearer, 100);
}

TEST(Engine, GreedyFindsARouteIfThereIsOne) {
    HeapOpen open;
    HashedNodes nodes;
    Rng rng(21);
    for (int i = 0; i < 2000; ++i) {
        Graph graph = random_graph(rng, Bound::consistent);
        const Cost best = optimum(graph);
        const Outcome out = run(graph, GreedyKey{}, open, nodes);
        ASSERT_EQ(out.progress == SearchProgress::found, best != kCostMax);
        if (best != kCostMax) expect_path(graph, out);
    }
}

template <class Open>
void slices_change_nothing(std::uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < 1500; ++i) {
        Graph graph = random_graph(rng, static_cast<Bound>(i % 3));
        Open open;
        HashedNodes nodes;
        const Outcome whole = run(graph, AStarKey{}, open, nodes);
        BestFirst<Graph, AStarKey, Open, HashedNodes> search(graph, open, nodes);
        search.begin();
        SearchProgress progress = SearchProgress::running;
        std::uint64_t slices = 0;
        while (progress == SearchProgress::running) {
            const std::uint64_t before = search.expanded();
            const std::uint64_t budget = rng.below(6);
            progress = search.step(budget);
            ASSERT_LE(search.expanded() - before, budget);
            ASSERT_LT(++slices, 100000U);
        }
        ASSERT_EQ(outcome_of(search, progress), whole);
        ASSERT_EQ(run(graph, AStarKey{}, open, nodes), whole);  // and once more with the same lists
    }
}

TEST(Engine, SlicedIsUnsliced) {
    slices_change_nothing<HeapOpen>(30);
    slices_change_nothing<BucketOpen>(31);
}

template <class Open>
void begins_again() {
    Rng rng(40);
    for (int i = 0; i < 500; ++i) {
        Graph graph = random_graph(rng, Bound::consistent);
        Open open;
        HashedNodes nodes;
        BestFirst<Graph, AStarKey, Open, HashedNodes> search(graph, open, nodes);
        search.begin();
        const Outcome first = outcome_of(search, search.step(UINT64_MAX));
        search.begin();
        const Outcome second = outcome_of(search, search.step(UINT64_MAX));
        ASSERT_EQ(first, second) << i;
    }
}

TEST(Engine, BeginForgetsTheEarlierSearch) {
    begins_again<HeapOpen>();
    begins_again<BucketOpen>();
}

template <class Open>
void limits() {
    Rng rng(50);
    Open open;
    HashedNodes nodes;
    for (int i = 0; i < 2000; ++i) {
        Graph graph = random_graph(rng, static_cast<Bound>(i % 3));
        const Cost best = optimum(graph);
        if (best == kCostMax || best == 0) continue;
        // Starts are on the list before a limit is set; with a start on a goal the limit has nothing to cut.
        bool start_is_goal = false;
        for (const Start& s : graph.starts) start_is_goal = start_is_goal || graph.goals[s.state] != 0;
        if (start_is_goal) continue;
        ASSERT_EQ(run(graph, AStarKey{}, open, nodes, best).progress, SearchProgress::exhausted) << i;
        const Outcome above = run(graph, AStarKey{}, open, nodes, best + 1);
        ASSERT_EQ(above.progress, SearchProgress::found) << i;
        ASSERT_EQ(above.cost, best);
    }
}

TEST(Engine, OnlyRoutesBelowTheLimitCount) {
    limits<HeapOpen>();
    limits<BucketOpen>();
}

// On an exact list the search goes on to further goals; each is told once, whatever the list, and then nothing more.
template <class Open>
void tells_each_goal_once() {
    Rng rng(30);
    int several = 0;
    for (int i = 0; i < 300; ++i) {
        Graph graph = random_graph(rng, Bound::zero);
        Open open;
        HashedNodes nodes;
        BestFirst<Graph, DijkstraKey, Open, HashedNodes> search(graph, open, nodes);
        search.begin();
        std::vector<std::uint32_t> told;
        SearchProgress progress = SearchProgress::found;
        while (progress == SearchProgress::found && told.size() <= graph.edges.size()) {
            progress = search.step(UINT64_MAX);
            if (progress == SearchProgress::found) told.push_back(nodes.state_of(search.goal_node()));
        }
        ASSERT_EQ(progress, SearchProgress::exhausted) << i;
        ASSERT_EQ(search.step(UINT64_MAX), SearchProgress::exhausted) << i;
        std::sort(told.begin(), told.end());
        ASSERT_EQ(std::adjacent_find(told.begin(), told.end()), told.end()) << i;
        ASSERT_EQ(!told.empty(), optimum(graph) != kCostMax) << i;
        several += told.size() > 1 ? 1 : 0;
    }
    EXPECT_EQ(several > 0, Open::kExact);
}

TEST(Engine, TellsEachGoalOnce) {
    tells_each_goal_once<HeapOpen>();
    tells_each_goal_once<BucketOpen>();
}

struct Recorder {
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::vector<std::uint32_t> order;
    static void event(TraceEventKind kind, std::uint32_t state, Cost, void* user) {
        auto* self = static_cast<Recorder*>(user);
        (kind == TraceEventKind::expanded ? self->expanded : self->generated) += 1;
        if (kind == TraceEventKind::expanded) self->order.push_back(state);
    }
};

TEST(Engine, TheTraceSeesEveryState) {
    Rng rng(60);
    for (int i = 0; i < 200; ++i) {
        Graph graph = random_graph(rng, Bound::inconsistent);
        HeapOpen open;
        HashedNodes nodes;
        const Outcome plain = run(graph, AStarKey{}, open, nodes);
        Recorder recorder;
        BestFirst<Graph, AStarKey, HeapOpen, HashedNodes, HookTrace> search(graph, open, nodes, {},
                                                                            {{&Recorder::event, &recorder}});
        search.begin();
        const Outcome traced = outcome_of(search, search.step(UINT64_MAX));
        ASSERT_EQ(traced, plain);
        ASSERT_EQ(recorder.expanded, traced.expanded);
        ASSERT_EQ(recorder.generated, traced.generated);
        ASSERT_EQ(recorder.order.size(), traced.expanded);
    }
}

template <class Open, class Nodes>
void under_failures() {
    Rng rng(70);
    for (int i = 0; i < 40; ++i) {
        Graph graph = random_graph(rng, Bound::zero);
        Open good_open;
        Nodes good_nodes = make_nodes<Nodes>(graph);
        const Outcome whole = run(graph, AStarKey{}, good_open, good_nodes);
        int failed = 0;
        for (std::int64_t allowed = 1;; ++allowed) {
            testing::TestAllocator memory;
            Outcome out;
            Outcome next;
            {
                Open open{memory.allocator()};
                Nodes nodes = make_nodes<Nodes>(graph, memory.allocator());
                memory.fail_from_call = allowed;
                out = run(graph, AStarKey{}, open, nodes);
                memory.fail_from_call = -1;
                next = run(graph, AStarKey{}, open, nodes);
            }
            ASSERT_EQ(memory.live_blocks, 0);
            ASSERT_EQ(next, whole);
            if (out.progress != SearchProgress::no_memory) {
                ASSERT_EQ(out, whole);
                break;
            }
            ++failed;
        }
        ASSERT_LT(failed, 50);
    }
}

TEST(Engine, NoMemoryIsToldAndTheNextSearchIsFine) {
    under_failures<HeapOpen, HashedNodes>();
    under_failures<BucketOpen, PagedNodes>();
}

// The numbers themselves: they must not change unnoticed, and be the same on every platform.
/// A graph that knows a state's heuristic only after some units of work; it looks for one at a time.
struct SlowGraph : Graph {
    std::vector<int> unknown;  // units that are still needed
    std::uint32_t wanted = 0;
    bool waiting = false;

    SlowGraph(const Graph& graph, Rng& rng) : Graph(graph), unknown(graph.edges.size()) {
        for (int& units : unknown) units = static_cast<int>(rng.below(4));
        for (const Start& s : starts) unknown[s.state] = 0;
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) {
        if (unknown[state] == 0) return lower_bound[state];
        if (!waiting) wanted = state;
        waiting = true;
        return kCostMax;
    }
    [[nodiscard]] bool waits() const { return waiting; }
    [[nodiscard]] bool go_on() {
        waiting = --unknown[wanted] > 0;
        return !waiting;
    }
};

template <class Open, class Nodes>
void waiting_changes_nothing() {
    Rng rng(77);
    std::uint64_t waited = 0;
    for (int i = 0; i < 2000; ++i) {
        Graph graph = random_graph(rng, static_cast<Bound>(rng.below(3)));
        Open open;
        Nodes nodes = make_nodes<Nodes>(graph);
        const Outcome wanted = run(graph, AStarKey{}, open, nodes);
        SlowGraph slow(graph, rng);
        BestFirst<SlowGraph, AStarKey, Open, Nodes> search(slow, open, nodes);
        search.begin();
        const std::uint64_t slice = 1 + rng.below(5);
        SearchProgress progress = SearchProgress::running;
        while (progress == SearchProgress::running) {
            const std::uint64_t before = search.expanded() + search.waited();
            progress = search.step(slice);
            ASSERT_LE(search.expanded() + search.waited() - before, slice);
        }
        ASSERT_EQ(outcome_of(search, progress), wanted) << i;
        waited += search.waited();
    }
    EXPECT_GT(waited, 1000U);
}

TEST(Engine, WaitingForHeuristicsChangesNothing) {
    waiting_changes_nothing<HeapOpen, HashedNodes>();
    waiting_changes_nothing<BucketOpen, PagedNodes>();
}

TEST(Engine, DigestsStayWhatTheyAre) {
    Rng rng(80);
    Digest heap_digest;
    Digest bucket_digest;
    for (int i = 0; i < 300; ++i) {
        Graph graph = random_graph(rng, static_cast<Bound>(i % 3));
        HeapOpen heap;
        BucketOpen buckets;
        HashedNodes nodes;
        heap_digest.add(run(graph, AStarKey{}, heap, nodes).digest);
        bucket_digest.add(run(graph, AStarKey{}, buckets, nodes).digest);
    }
    EXPECT_EQ(heap_digest.value(), 2321755288140404766U);
    EXPECT_EQ(bucket_digest.value(), 10944965105287786449U);
}

}  // namespace
}  // namespace fairlead
