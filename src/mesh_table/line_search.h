// Dijkstra's search over a graph of lines: nodes from near to far, equals by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/least_heap.h"
#include "mesh/data/tile.h"
#include "mesh_table/make_labels.h"

namespace fairlead::mesh {

class LineSearch {
  public:
    explicit LineSearch(const Allocator& allocator)
        : distance_(allocator), parent_(allocator), heap_(allocator), touched_(allocator) {}

    /// False: out of memory.
    [[nodiscard]] bool prepare(std::uint32_t nodes) {
        const std::size_t old = distance_.size();
        if (!distance_.resize_uninitialized(nodes) || !parent_.resize_uninitialized(nodes)) return false;
        std::fill(distance_.begin() + std::min<std::size_t>(old, nodes), distance_.end(), kFarAway);
        return true;
    }

    /// settle(node, distance, parent) tells whether to go on from there; the root is its own parent. False: out of memory.
    template <class Settle>
    [[nodiscard]] bool run(const LineGraph& graph, std::uint32_t root, Settle settle) {
        for (const std::uint32_t node : touched_) distance_[node] = kFarAway;
        touched_.clear();
        heap_.clear();
        if (!reach(root, 0.0, root)) return false;
        while (!heap_.empty()) {
            const Item at = heap_.least();
            heap_.pop();
            if (at.far > distance_[at.node]) continue;
            if (!settle(at.node, at.far, parent_[at.node])) continue;
            for (std::uint32_t i = graph.first[at.node]; i < graph.first[at.node + 1]; ++i) {
                if (!reach(graph.to[i], at.far + graph.length[i], at.node)) return false;
            }
        }
        return true;
    }

  private:
    static constexpr double kFarAway = std::numeric_limits<double>::infinity();
    struct Item {
        double far = 0.0;
        std::uint32_t node = 0;
    };
    static bool is_nearer(const Item& a, const Item& b) {
        return a.far != b.far ? a.far < b.far : a.node < b.node;
    }

    [[nodiscard]] bool reach(std::uint32_t node, double far, std::uint32_t parent) {
        if (far >= distance_[node]) return true;
        if (distance_[node] == kFarAway && !touched_.push_back(node)) return false;
        distance_[node] = far;
        parent_[node] = parent;
        return heap_.push({far, node});
    }

    Array<double> distance_;
    Array<std::uint32_t> parent_;
    LeastHeap<Item, is_nearer> heap_;
    Array<std::uint32_t> touched_;
};

}  // namespace fairlead::mesh
