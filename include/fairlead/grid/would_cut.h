// would_cut: would this building wall the base in? Asked while the player still holds it over the map.
//
//     const CellRect barracks{{40, 12}, {44, 15}};
//     Result<bool> cut = would_cut(*town, barracks, gate, mine, tank, scratch);
//     if (cut.has_value() && *cut) tint(red);
//
// The answer is that of an edit and two questions: on a copy of the world fill the building's cells with walls, and compare
// GridState::connected before and after. There is no copy and no new revision: what the building changes is worked out beside the
// world, in the scratch, and forgotten. Any thread may ask a snapshot.
//
// Cost: for registered sizes that of an edit of those cells for one size: 5 to 17 us for a building of 4 x 3 on 512 x 512, 12 to 40 us on
// 2048 x 2048, as 8 bytes for each of the world's chunks are copied; less where the places are not joined anyway. It does not grow with
// the distance of the places. For other sizes two searches between the places. A warm scratch allocates nothing for sizes whose
// index has the answer. Not on level meshes: there the edit itself (an obstacle) is the only way to know.
#pragma once

#include <span>

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/route/agent.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Are two of the places, joined now for this unit, parted when the cells of all rectangles are walls? A place that the building
/// covers, or stands too near to, is parted from all. Ways are asked for from each place to those behind it in the list, which tells
/// a difference only where portals lead one way: there all pairs are asked, which takes searches. Errors:
/// out_of_range (rect, places: the one at `index` is not inside the map), those of a malformed
/// unit, scratch_in_use, out_of_memory.
[[nodiscard]] Result<bool> would_cut(const GridState& grid, std::span<const CellRect> building,
                                     std::span<const Cell> places, const Agent& agent, Scratch& scratch);

/// For one rectangle and two places.
[[nodiscard]] inline Result<bool> would_cut(const GridState& grid, const CellRect& building, Cell a, Cell b,
                                            const Agent& agent, Scratch& scratch) {
    const Cell places[] = {a, b};
    return would_cut(grid, {&building, 1}, places, agent, scratch);
}

}  // namespace fairlead
