// What ways through a volume cost among dangers and currents: of a straight line by halving it until each piece lies in or out of every
// region, of the cheapest way from voxel to voxel by Dijkstra's algorithm over the plain array. Shares no code with the library.
#pragma once

#include <span>
#include <vector>

#include <fairlead/volume/area.h>

#include "oracle/volume_graph.h"

namespace fairlead::oracle {

/// World units. Regions whose surface the line runs along are not for it.
[[nodiscard]] long double price_of_line(std::span<const VolumeArea> prices, Vec3 from, Vec3 to);

/// Costs from the middle of a voxel to those of all others; below 0: there is no way.
[[nodiscard]] std::vector<long double> priced_costs_from(const VolumeDense& world, const VolumeGraph& graph,
                                                         std::span<const VolumeArea> prices, Voxel from);

}  // namespace fairlead::oracle
