// A* of the Boost Graph Library: compressed_sparse_row_graph of the free cells, octile heuristic, ended by an exception
// of the visitor when the goal is reached (the library's own way to stop early).

#include "suites/boost_astar.h"

#ifdef FAIRLEAD_HAVE_BOOST

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

namespace fairlead::bench {

namespace {

struct Weight {
    float length;
};
using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight>;
using Vertex = boost::graph_traits<Csr>::vertex_descriptor;

struct Reached {};

class StopAt : public boost::default_astar_visitor {
  public:
    explicit StopAt(Vertex goal) : goal_(goal) {}
    template <class G>
    void examine_vertex(Vertex vertex, const G&) const {
        if (vertex == goal_) throw Reached{};
    }

  private:
    Vertex goal_;
};

class Octile : public boost::astar_heuristic<Csr, float> {
  public:
    Octile(const std::vector<Cell>& cells, Cell goal) : cells_(&cells), goal_(goal) {}
    float operator()(Vertex vertex) const {
        const Cell cell = (*cells_)[vertex];
        const auto dx = static_cast<float>(std::abs(cell.x - goal_.x));
        const auto dy = static_cast<float>(std::abs(cell.y - goal_.y));
        return std::max(dx, dy) + 0.41421356f * std::min(dx, dy);
    }

  private:
    const std::vector<Cell>* cells_;
    Cell goal_;
};

}  // namespace

struct BoostAstar::Graph {
    std::int32_t width = 0;
    std::vector<std::int32_t> vertex_of;  // -1: a wall
    std::vector<Cell> cells;
    Csr csr;
    std::vector<Vertex> parent;
    std::vector<float> rank;
    std::vector<float> distance;
    std::vector<boost::default_color_type> color;
    std::vector<Vertex> path;

    [[nodiscard]] std::int32_t vertex(const BenchWorld& world, std::int32_t x, std::int32_t y) const {
        if (x < 0 || y < 0 || x >= world.width || y >= world.height) return -1;
        return vertex_of[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(x)];
    }
};

bool has_boost() { return true; }

BoostAstar::BoostAstar(const BenchWorld& world) : graph_(std::make_unique<Graph>()) {
    Graph& g = *graph_;
    g.width = world.width;
    for (std::size_t i = 0; i < world.tiles.size(); ++i) {
        const auto x = static_cast<std::int32_t>(i % static_cast<std::size_t>(world.width));
        const auto y = static_cast<std::int32_t>(i / static_cast<std::size_t>(world.width));
        g.vertex_of.push_back(world.tiles[i] == 0 ? -1 : static_cast<std::int32_t>(g.cells.size()));
        if (world.tiles[i] != 0) g.cells.push_back({x, y});
    }
    std::vector<std::pair<Vertex, Vertex>> edges;
    std::vector<Weight> weights;
    for (std::size_t v = 0; v < g.cells.size(); ++v) {
        const Cell c = g.cells[v];
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const std::int32_t to = g.vertex(world, c.x + dx, c.y + dy);
                if ((dx == 0 && dy == 0) || to < 0) continue;
                const bool diagonal = dx != 0 && dy != 0;
                if (diagonal && (g.vertex(world, c.x + dx, c.y) < 0 || g.vertex(world, c.x, c.y + dy) < 0))
                    continue;
                edges.emplace_back(v, static_cast<Vertex>(to));
                weights.push_back({diagonal ? 1.41421356f : 1.0f});
            }
        }
    }
    g.csr = Csr(boost::edges_are_sorted, edges.begin(), edges.end(), weights.begin(), g.cells.size());
    g.parent.resize(g.cells.size());
    g.rank.resize(g.cells.size());
    g.distance.resize(g.cells.size());
    g.color.resize(g.cells.size());
}

BoostAstar::~BoostAstar() = default;

double BoostAstar::length(Cell start, Cell goal) {
    Graph& g = *graph_;
    const auto index = boost::get(boost::vertex_index, g.csr);
    const auto at = [&](Cell c) {
        return g.vertex_of[static_cast<std::size_t>(c.y) * static_cast<std::size_t>(g.width) +
                           static_cast<std::size_t>(c.x)];
    };
    if (at(start) < 0 || at(goal) < 0) return -1.0;
    const auto from = static_cast<Vertex>(at(start));
    const auto to = static_cast<Vertex>(at(goal));
    try {
        boost::astar_search(g.csr, from, Octile(g.cells, goal),
                            boost::visitor(StopAt(to))
                                .weight_map(boost::get(&Weight::length, g.csr))
                                .predecessor_map(boost::make_iterator_property_map(g.parent.begin(), index))
                                .rank_map(boost::make_iterator_property_map(g.rank.begin(), index))
                                .distance_map(boost::make_iterator_property_map(g.distance.begin(), index))
                                .color_map(boost::make_iterator_property_map(g.color.begin(), index)));
    } catch (const Reached&) {
        g.path.clear();
        double sum = 0;
        for (Vertex v = to; v != from; v = g.parent[v]) {
            g.path.push_back(v);
            const Cell a = g.cells[v];
            const Cell b = g.cells[g.parent[v]];
            sum += a.x != b.x && a.y != b.y ? std::sqrt(2.0) : 1.0;
        }
        return sum;
    }
    return -1.0;
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

struct BoostAstar::Graph {};
bool has_boost() { return false; }
BoostAstar::BoostAstar(const BenchWorld&) {}
BoostAstar::~BoostAstar() = default;
double BoostAstar::length(Cell, Cell) { return -1.0; }

}  // namespace fairlead::bench

#endif
