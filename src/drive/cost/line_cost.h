// Route::line_cost of turning units: what the ground costs along the legs, without reverse, cusp and pivot penalties.
#pragma once

#include <span>

#include <fairlead/route/route.h>
#include "drive/map/map_data.h"

namespace fairlead::drive {

/// In world units. Legs that are no drives cost nothing. Infinite where the road rules forbid a leg.
[[nodiscard]] double line_cost(const MapData& map, std::span<const Leg> legs);

/// The map's link that a leg of kind link takes, by its id and the place that it starts from; null: there is none.
[[nodiscard]] const LatticeLink* link_of(const MapData& map, const Leg& leg);

}  // namespace fairlead::drive
