// From a chain of curves in cells to the legs of a route in the world.
#pragma once

#include <fairlead/route/route.h>
#include "drive/lattice/lattice_query.h"

#include "drive/curves/smooth_curves.h"

namespace fairlead::drive {

/// Straight legs that go on as they were become one, as do turns to the same side.
void merge_legs(Array<Leg>& legs);
/// The same, and each leg gets its clearance.
void finish_legs(const MapData& map, const BlockerSweep* blockers, Array<Leg>& legs);

/// Writes legs with their clearance, end, length and both costs. Ends that the query asks for exactly are written as they are
/// there. False: out of memory.
[[nodiscard]] bool write_route(const MapData& map, const LatticeQuery& query, const Array<ChainPose>& chain,
                               Route& route, bool to_goal = true);

}  // namespace fairlead::drive
