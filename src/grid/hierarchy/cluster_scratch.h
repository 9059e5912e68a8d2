// Buffers that the builders of clusters reuse.
#pragma once

#include <fairlead/base/array.h>

#include "base/least_heap.h"
#include "grid/hierarchy/cluster_field.h"

namespace fairlead::grid {

/// Points on an open list: the cost, and in the lowest 8 bits which. Equal ones are one and the same.
[[nodiscard]] inline bool cheaper_point(const std::uint32_t& a, const std::uint32_t& b) { return a < b; }

/// Buffers of the builders.
struct ClusterScratch {
    explicit ClusterScratch(const Allocator& a)
        : points(a),
          corners(a),
          first_edge(a),
          edges(a),
          queue(a),
          costs(a),
          next(a),
          words(a),
          places(a),
          matrix(a),
          links(a),
          parts(a),
          labels(a),
          other_labels(a),
          order(a),
          nodes(a),
          todo(a),
          above(a),
          field(a),
          open(a) {}

    struct Edge {
        std::uint16_t cost = 0;
        std::uint8_t to = 0;
        std::uint8_t from = 0;
    };
    ClusterCells cells;
    Array<Cluster::Point> points;
    Array<std::uint8_t> corners;
    Array<std::uint32_t> first_edge;
    Array<Edge> edges;
    Array<std::uint32_t> queue;
    Array<std::uint16_t> costs;
    Array<std::uint8_t> next;
    Array<std::uint64_t> words;
    Array<std::uint32_t> places;  ///< of portals, in the order of the points
    // of the upper levels
    Array<float> matrix;
    Array<std::int32_t> links;
    Array<UpperCluster::Part> parts;
    Array<std::uint16_t> labels;
    Array<std::uint16_t> other_labels;
    Array<std::uint16_t> order;
    Array<ClusterNode> nodes;
    Array<std::uint32_t> todo;
    Array<std::uint32_t> above;
    ClusterField field;
    LeastHeap<std::uint32_t, cheaper_point> open;
};

}  // namespace fairlead::grid
