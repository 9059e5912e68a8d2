// Connectivity: which cells can reach which, for one registered body, exact after every edit.
//
// A tree of blocks. A *leaf* is 64 x 64 cells; its components are found by joining the runs of free cells of
// consecutive rows (one 64-bit word a row). A *block* of level 1 joins 8 x 8 leaves, one of level 2 joins 8 x 8
// blocks of level 1, and so on until one block covers the layer. Each keeps only what its parent needs: the
// components that touch its border ("exported"), and to which of its own each exported component of a child
// belongs. A component that is not exported is closed: nothing above can join it. On top, one small table joins
// the layers' components through portals and across wrapped seams.
//
// Two cells are connected iff the climb from both ends in the same place: a few table reads. An edit recomputes
// the leaves that it touches, then the blocks above them as long as something that a parent can see has
// changed. An edit inside an open field changes nothing that its leaf exports and stops there. Cost: about 1 us a
// leaf; a block costs the number of its children's shared borders, at most about 10 us at level 1 and growing
// with the side of the map, not its area. Building is linear.
//
// This is a hierarchical form of the run-based labelling of Rosenfeld & Pfaltz (1966); keeping only border
// components makes joining and cutting equally local.
#pragma once

#include <cstdint>
#include <span>

#include "grid/editor.h"
#include "grid/state.h"

namespace fairlead::grid {

inline constexpr std::int32_t kLeafShift = 6;
inline constexpr std::int32_t kLeafSide = 1 << kLeafShift;
inline constexpr std::int32_t kFanShift = 3;  ///< a block has 8 x 8 children
inline constexpr std::int32_t kFan = 1 << kFanShift;

/// Levels above the leaves that a layer of this size needs, at least 1.
[[nodiscard]] std::int32_t block_levels(std::int32_t width, std::int32_t height);

/// Number of leaves (level 0) or blocks (level >= 1) across a side of `cells` cells.
[[nodiscard]] inline std::int32_t blocks_across(std::int32_t cells, std::int32_t level) {
    const std::int32_t shift = kLeafShift + level * kFanShift;
    return (cells + (1 << shift) - 1) >> shift;
}

/// Chunks that the blocks of all levels of all layers need, per body.
[[nodiscard]] std::uint32_t block_chunks(std::int32_t width, std::int32_t height, std::int32_t layers);
[[nodiscard]] std::uint32_t leaf_chunks(std::int32_t width, std::int32_t height, std::int32_t layers);

/// Most rectangles that one change of a body's free cells falls into: more than one where it crosses a seam.
inline constexpr std::size_t kChangedRects = 9;

/// Brings the index of one body of the editor's state up to date after its free cells (of a half body: points, bridges too)
/// changed inside `cells` (x and y on `layer`), which must
/// be all that changed since the last call.
/// False: out of memory; the index is then unusable until a call succeeds for the same cells.
[[nodiscard]] bool update_connectivity(EditorData& editor, const Body& body, std::int32_t layer,
                                       std::span<const CellRect> cells);

/// The name of a cell's component: two free cells are connected iff their names are equal. The cell must be free
/// for the body. Valid for one revision.
[[nodiscard]] std::uint64_t component_of(const StateData& state, const Body& body, std::int32_t x,
                                         std::int32_t y, std::int32_t layer);

/// Are diagonal steps part of this body's graph under the grid's corner rule? On the half lattice always; under `never` and `one_free` a
/// diagonal step joins nothing that straight steps do not join as well.
[[nodiscard]] inline bool joins_diagonally(const StateData& state, const Body& body) {
    if (body.half) return true;
    return state.corner == CornerRule::always && body.key != kCellBody && body.key >= 0;
}

}  // namespace fairlead::grid
