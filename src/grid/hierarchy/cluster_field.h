// ClusterField: what it costs to come to one cell from every cell of a cluster, over straight and diagonal steps that cut no corner.
// Where a cluster is crowded its ways are not kept in a table: they are found by this field, from cell to cell.
//
// Steps cost 24 and 34 (24 sqrt 2 = 33.94). Buckets of equal cost, a ring of 64 (Dial 1969).
#pragma once

#include <fairlead/base/array.h>

#include "grid/hierarchy/cluster_cells.h"

namespace fairlead::grid {

class ClusterField {
  public:
    explicit ClusterField(const Allocator& a) : entries_(a) {}

    /// False: out of memory.
    [[nodiscard]] bool fill(const ClusterCells& cells, Cluster::Point to);
    /// Cluster::kNone where no way leads.
    [[nodiscard]] std::uint16_t cost(Cluster::Point p) const { return costs_[p.y * kClusterSide + p.x]; }
    /// The cell that a way from p, which has one, goes to next.
    [[nodiscard]] Cluster::Point next(const ClusterCells& cells, Cluster::Point p) const;

  private:
    struct Entry {
        std::uint16_t cell = 0;
        std::uint16_t next = 0;
    };
    [[nodiscard]] bool push(std::int32_t cell, std::uint32_t cost);

    Array<Entry> entries_;
    std::uint16_t costs_[kClusterSide * kClusterSide] = {};
    std::uint16_t heads_[64] = {};
};

}  // namespace fairlead::grid
