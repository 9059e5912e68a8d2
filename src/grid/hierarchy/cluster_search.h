// What a query over the hierarchy keeps in the scratch: both insertions, the space that is searched, the way found.
#pragma once

#include "grid/hierarchy/unpack.h"

namespace fairlead::grid {

/// A cluster's side: from there on the ends are never in one cluster, and the hierarchy can be asked for. Beside single steps (portals,
/// seams) the automatic planner takes it: a tenth to a hundredth of the time, as dear within 0.3 % (decision 45).
inline constexpr std::int32_t kNearCells = kClusterSide;
/// From here on it is 1.4 times as fast on cities and strategy maps, and the automatic planner takes it (docs/performance.md).
inline constexpr std::int32_t kFarCells = 512;

/// Along the longer axis, the short way round where it wraps.
[[nodiscard]] std::int32_t cells_apart(const StateData& state, const Cell& a, const Cell& b);

struct ClusterSearch {
    explicit ClusterSearch(const Allocator& a) : field(a), hops(a), cells(a) {}

    Insertion from;
    Insertion to;
    ClusterSight sight;
    ClusterCells around;
    ClusterField field;
    ClusterSpace space;
    Array<ClusterHop> hops;
    Array<WayCell> cells;

    /// `serves` is false where the ends are in one cluster or one of them is joined to no entrance. False: out of memory.
    [[nodiscard]] bool begin(const CellQuery& query, const Cell& start, const Cell& goal, bool& serves);
};

}  // namespace fairlead::grid
