// What a query over the hierarchy keeps in the scratch: both insertions, the space that is searched, the way found.
#pragma once

#include "grid/hierarchy/unpack.h"

namespace fairlead::grid {

/// Nearer than this, in octile distance, the flat search is as fast and finds the best.
inline constexpr std::int32_t kNearCells = 128;

struct ClusterSearch {
    explicit ClusterSearch(const Allocator& a) : field(a), hops(a), cells(a) {}

    Insertion from;
    Insertion to;
    ClusterSight sight;
    ClusterCells around;
    ClusterField field;
    ClusterSpace space;
    Array<ClusterHop> hops;
    Array<Cell> cells;

    /// `serves` is false where the ends are near each other or one of them is joined to no entrance. False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, const Body& body, const Cell& start, const Cell& goal,
                             bool& serves);
};

}  // namespace fairlead::grid
