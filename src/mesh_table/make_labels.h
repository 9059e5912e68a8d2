// Makes the hub labels (mesh/table/hub_labels.h) of the lines between corners, in the order of hub_order.h.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/jobs.h>

#include "mesh/table/hub_labels.h"

namespace fairlead::mesh {

/// Undirected: each line is listed at both its ends.
struct LineGraph {
    explicit LineGraph(const Allocator& allocator) : first(allocator), to(allocator), length(allocator) {}
    Array<std::uint32_t> first;  ///< by node, and the end
    Array<std::uint32_t> to;
    Array<double> length;

    [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

enum class WorkOutcome : std::uint8_t { done, no_memory, cancelled, too_large };

/// Labels distances along the lines. `order` has all nodes, the most important one first.
[[nodiscard]] WorkOutcome make_labels(const LineGraph& graph, std::span<const std::uint32_t> order,
                                      const Progress& progress, HubLabels& out);

}  // namespace fairlead::mesh
