// Maps that the hierarchy is tested on, larger than the other tests' worlds.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>

namespace fairlead::testing {

enum class ClusterMap : std::uint8_t {
    open,       ///< some rectangles in the open
    rooms,      ///< rooms of 7 to 30 tiles with doors of 1 to 5
    maze,       ///< a maze with ways 1 to 4 wide
    caves,      ///< scattered walls, smoothed
    scattered,  ///< 10 to 45 % of walls
    town,       ///< blocks of buildings and streets of 2 to 6
    count_,
};

[[nodiscard]] const char* cluster_map_name(ClusterMap kind);

/// One layer, row by row. 1 is free.
[[nodiscard]] std::vector<std::uint8_t> cluster_map(Rng& rng, ClusterMap kind, std::int32_t width,
                                                    std::int32_t height);

/// Portals between places that are mostly free, of all costs: nothing, less than walking, more.
[[nodiscard]] std::vector<Portal> draw_portals(Rng& rng, const GridOptions& options,
                                               const std::vector<std::uint8_t>& tiles, int count);

/// A rectangle of at most so many tiles a side, somewhere on the map.
[[nodiscard]] CellRect draw_rect(Rng& rng, const GridState& grid, std::int32_t side_max);

/// Units of all sizes.
inline const Agent kClusterAgents[] = {{},
                                       {.radius = 0.3},
                                       {.radius = 0.5},
                                       {.radius = 0.8},
                                       {.radius = 1.5},
                                       {.radius = 3.2},
                                       {.footprint = 1},
                                       {.footprint = 2},
                                       {.footprint = 3},
                                       {.footprint = 4}};

}  // namespace fairlead::testing
