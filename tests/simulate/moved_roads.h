// A map of tiles as roads: a waypoint in the middle of each free tile, roads as wide as a tile between neighbours. So what stands
// on the roads stands clear of the walls, and plain geometry says where the roads are.
#pragma once

#include <vector>

#include <fairlead/roadmap/roadmap.h>

#include "simulate/moved_map.h"

namespace fairlead::simulate {

/// `portal`: x, y, u, v of the tiles that a link joins; or empty.
[[nodiscard]] Result<Roadmap> make_moved_roads(const MovedMap& map, const std::vector<double>& portal);

/// After the map has changed. False: an edit was refused.
[[nodiscard]] bool change_moved_roads(Roadmap& roads, const MovedMap& before, const MovedMap& after,
                                      const std::vector<double>& portal);

/// Does a disc lie on the roads? A few points of its rim are looked at.
[[nodiscard]] bool on_moved_roads(const MovedMap& map, Vec2 p, double radius);

}  // namespace fairlead::simulate
