// What part of a route of a turning unit costs by itself.
#pragma once

#include <span>

#include <fairlead/drive/find_drive.h>
#include <fairlead/route/route.h>

#include "drive/map/map_data.h"

namespace fairlead::drive {

/// Route::cost of legs one after the other, in world units: the ground's cost (cost/line_cost.h), and reverse, cusp and pivot
/// penalties of `query`. The first leg is in the gear that the unit starts in.
[[nodiscard]] double driven_cost(const MapData& map, const DriveQuery& query, std::span<const Leg> legs);

}  // namespace fairlead::drive
