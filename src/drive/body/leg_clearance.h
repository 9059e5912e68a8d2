// How far the axle stays from obstacles along a leg: Leg::clearance.
//
// The distance of a line or arc to the blocked cells, the outside of the map and a query's blockers, in closed form. Only cells with a
// free neighbour are looked at, row by row from the middle of the leg outward, in a box that shrinks as nearer ones are found.
//
// Cost: 0.2 to 1 us a leg.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/route/route.h>
#include "drive/map/map_data.h"

#include "drive/body/sweep.h"
#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

class BlockerSweep;

/// Coordinates in cells. The least distance of the segment to a blocked cell or the map's outside, or `cap` if that is
/// less. Wrong by less than 1e-10 on coordinates up to 10,000.
[[nodiscard]] double distance_to_walls(const GroundBits& free, const SweptSegment& segment, double cap);

/// Of a line or arc to a box.
[[nodiscard]] double distance_to_box(const SweptSegment& segment, const Aabb& box);

/// Claims are below the truth by this, in cells, so that any checker confirms them.
inline constexpr double kClearanceMargin = 1e-9;
/// They end at the body's farthest point from the axle and this many cells.
inline constexpr double kClearanceBeyond = 4.0;

/// Writes Leg::clearance of drive and turn legs as they are stored, from what their own numbers say. kUnknown where an axle that
/// does not lie inside the body passes over a wall.
/// `blockers`: of the query, ready; null: none.
void write_clearances(const MapData& map, const BlockerSweep* blockers, Array<Leg>& legs);
/// Of one leg.
void write_clearance(const MapData& map, const BlockerSweep* blockers, Leg& leg);

}  // namespace fairlead::drive
