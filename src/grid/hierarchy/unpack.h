// Unpack: the cells of a way over entrances, found by looking them up: costs of upper levels come about over nodes of the level below
// (upper_cluster.h), those of level 0 over points (taut_table.h). Nothing is searched.
#pragma once

#include <fairlead/base/array.h>

#include "grid/hierarchy/cluster_space.h"

namespace fairlead::grid {

/// One node of a way: its number, and into which of its two clusters the way goes on. A place of portals is one that the way has come to
/// through a portal.
struct ClusterHop {
    std::uint32_t id = 0;
    bool into_owner = false;
};

/// One cell of a way, come to along a straight line or through a portal.
struct WayCell {
    Cell cell{};
    bool by_portal = false;
};

class Unpacker {
  public:
    /// Appends cells to `cells`.
    Unpacker(const ClusterSpace& space, Array<WayCell>& cells, ClusterField& field)
        : space_(&space), cells_(&cells), field_(&field) {}

    /// From the start, over at least one node, to the goal. False: out of memory.
    [[nodiscard]] bool unpack(std::span<const ClusterHop> hops);
    /// The same as far as the second node, or the goal where there is but one.
    [[nodiscard]] bool unpack_first(std::span<const ClusterHop> hops);
    /// The same as far as the cell beyond the last node.
    [[nodiscard]] bool unpack_part(std::span<const ClusterHop> hops);

  private:
    [[nodiscard]] bool leave_start(const ClusterHop& hop);
    [[nodiscard]] bool follow(const ClusterHop& hop, const ClusterHop& to);
    [[nodiscard]] bool arrive(const ClusterHop& hop);
    [[nodiscard]] bool go_through(const ClusterHop& to);
    [[nodiscard]] bool add_cell(std::int32_t cluster_x, std::int32_t cluster_y, Cluster::Point p);
    /// From point p, which is appended, to entrance e, which is the last.
    [[nodiscard]] bool add_row(std::int32_t x, std::int32_t y, std::int32_t p, std::int32_t e);
    /// In a crowded cluster: from one cell to another, both appended.
    [[nodiscard]] bool walk(std::int32_t x, std::int32_t y, Cluster::Point from, Cluster::Point to);
    [[nodiscard]] bool cross(std::int32_t level, std::int32_t x, std::int32_t y, std::int32_t from,
                             std::int32_t to);
    [[nodiscard]] bool cross_part(std::int32_t level, std::int32_t x, std::int32_t y, UpperCluster::Part from,
                                  UpperCluster::Part to);

    const ClusterSpace* space_;
    Array<WayCell>* cells_;
    ClusterField* field_;
    std::int32_t layer_ = 0;  // that the way is on
};

}  // namespace fairlead::grid
