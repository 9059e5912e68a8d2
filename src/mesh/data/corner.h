// Where free space bends: what makes a vertex a corner that a taut path can go round.
#pragma once

#include "mesh/data/plane.h"
#include "mesh/data/state.h"

namespace fairlead::mesh {

/// Is the free space from the wall `first`, round the vertex where it starts, to the next wall more than half a turn?
/// Closed areas are walls. Across tiles; TileBuilder::find_corners asks the same inside one that is being built.
[[nodiscard]] inline bool bends_from(const StateData& state, EdgeRef first, std::uint64_t closed_areas) {
    const Vec2 at = state.edge(first).from;
    const Vec2 out = state.to(first);
    for (EdgeRef e = first;;) {
        const EdgeRef before = state.previous(e);
        const double turn = side_of(at, out, state.edge(before).from);
        if (turn < 0.0) return true;
        if (state.is_shut(before, closed_areas)) return false;
        if (turn == 0.0) return true;  // half a turn, and it goes on
        e = state.edge(before).twin;
    }
}

}  // namespace fairlead::mesh
