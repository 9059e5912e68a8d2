// Entrances: through which cells two neighbouring clusters of 64 x 64 cells are joined.
//
// The cells of A's last column that are free and beside a free cell of B's first column form runs; each run is one entrance, in its
// middle. A border with more than four runs is *thinned*: of all runs that join the same component inside A with the same one inside B,
// in the same half of the border, the one nearest to the middle of that half is kept (of two, the lower). So whatever is joined across
// the border stays joined.
#pragma once

#include "grid/hierarchy/clusters.h"

namespace fairlead::grid {

struct BorderNodes {
    std::int32_t count = 0;
    std::uint8_t at[kBorderNodesMax] = {};  ///< positions along the border, rising
};

/// Of the border on the east or north side of a cluster. None where nothing lies beyond.
[[nodiscard]] BorderNodes border_nodes(const StateData& state, const Body& body, std::int32_t layer,
                                       std::int32_t x, std::int32_t y, std::int32_t side);

/// The cluster beyond a side. False: there is none.
[[nodiscard]] bool cluster_beyond(const StateData& state, const ClusterGrid& grid, std::int32_t side,
                                  std::int32_t& x, std::int32_t& y);

}  // namespace fairlead::grid
