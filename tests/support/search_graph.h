// Random directed graphs that the engine searches, and what Bellman and Ford say of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/search/engine.h>

namespace fairlead::testing::search_graph {

struct Edge {
    std::uint32_t to;
    Cost cost;
};

struct Start {
    std::uint32_t state;
    Cost cost;
};

/// A directed graph with a heuristic; also the Space that the engine searches.
struct Graph {
    std::vector<std::vector<Edge>> edges;
    std::vector<Cost> lower_bound;
    std::vector<Start> starts;
    std::vector<char> goals;

    explicit Graph(std::size_t states) : edges(states), lower_bound(states), goals(states) {}

    template <class Sink>
    void start(Sink& sink) {
        for (const Start& s : starts) sink.add(s.state, s.cost, 255);
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        for (const Edge& e : edges[state]) sink.add(e.to, e.cost, e.to & 7U);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const { return lower_bound[state]; }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return goals[state] != 0; }
};

/// Least cost from the starts to each state, kCostMax where there is no way.
inline std::vector<Cost> costs_from_starts(const Graph& graph) {
    std::vector<Cost> best(graph.edges.size(), kCostMax);
    for (const Start& s : graph.starts) best[s.state] = std::min(best[s.state], s.cost);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            for (const Edge& e : graph.edges[i]) {
                if (best[i] == kCostMax || best[i] + e.cost >= best[e.to]) continue;
                best[e.to] = best[i] + e.cost;
                changed = true;
            }
        }
    }
    return best;
}

/// Least cost from each state to a goal.
inline std::vector<Cost> costs_to_goals(const Graph& graph) {
    std::vector<Cost> best(graph.edges.size(), kCostMax);
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = graph.goals[i] != 0 ? 0 : kCostMax;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            for (const Edge& e : graph.edges[i]) {
                if (best[e.to] == kCostMax || best[e.to] + e.cost >= best[i]) continue;
                best[i] = best[e.to] + e.cost;
                changed = true;
            }
        }
    }
    return best;
}

inline Cost optimum(const Graph& graph) {
    const std::vector<Cost> costs = costs_from_starts(graph);
    Cost best = kCostMax;
    for (std::size_t i = 0; i < costs.size(); ++i)
        best = graph.goals[i] != 0 ? std::min(best, costs[i]) : best;
    return best;
}

enum class Bound { zero, consistent, inconsistent };

inline constexpr Cost kUnit = Cost{1} << 29;  // a bucket of the default width holds four of them

inline Graph random_graph(Rng& rng, Bound kind) {
    Graph graph(2 + rng.below(60));
    const auto states = static_cast<std::uint32_t>(graph.edges.size());
    const std::uint32_t count = rng.below(states * 4);
    const std::uint32_t largest = rng.below(3) == 0 ? 3 : 200;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Cost fraction = rng.below(2) == 0 ? 0 : rng.below(1000);
        graph.edges[rng.below(states)].push_back(
            {rng.below(states), (1 + rng.below(largest)) * kUnit + fraction});
    }
    for (std::uint32_t i = 0; i <= rng.below(3); ++i) {
        graph.starts.push_back({rng.below(states), rng.below(4) == 0 ? rng.below(50) * kUnit : 0});
    }
    for (std::uint32_t i = 0; i <= rng.below(3); ++i) graph.goals[rng.below(states)] = 1;
    if (kind == Bound::zero) return graph;
    const std::vector<Cost> truth = costs_to_goals(graph);
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Cost known = truth[i] == kCostMax ? 300 * kUnit : truth[i];
        // A share of the true cost is consistent; a share drawn for each state is not.
        graph.lower_bound[i] = kind == Bound::consistent ? (truth[i] == kCostMax ? known : known / 4 * 3)
                                                         : known / 64 * rng.below(65);
    }
    return graph;
}

}  // namespace fairlead::testing::search_graph
