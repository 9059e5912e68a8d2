// The tables of a grid's hierarchy, judged by plain floods of cells and by Dijkstra over what is stored below: which entrances there
// are, what crossing costs, and whether every straight hop is one that the body can go. Reads the tables (grid/hierarchy/clusters.h)
// and shares no code with what makes them.
#pragma once

#include <cstdint>
#include <string>

#include <fairlead/grid/grid.h>

namespace fairlead::testing {

struct ClusterTally {
    std::uint64_t clusters = 0;
    std::uint64_t crowded = 0;
    std::uint64_t thinned = 0;  ///< borders
    std::uint64_t places = 0;   ///< of portals
    std::uint64_t entries = 0;  ///< of the tables of level 0
    std::uint64_t hops = 0;     ///< judged by verify
    std::uint64_t longer = 0;   ///< crossings that cost more than over cells: of discs, whose lines are swept
    std::uint64_t upper = 0;    ///< clusters of higher levels
    std::uint64_t absent = 0;   ///< of those
    std::uint64_t crossings = 0;  ///< of those, each unpacked to level 0
};

/// All tables of one registered size on every layer. Empty: they are as they must be.
[[nodiscard]] std::string cluster_problem(const GridState& grid, const Agent& agent, ClusterTally& tally);

/// Has the grid a hierarchy of this size, and of how many levels?
[[nodiscard]] std::int32_t cluster_levels(const GridState& grid, const Agent& agent);

}  // namespace fairlead::testing
