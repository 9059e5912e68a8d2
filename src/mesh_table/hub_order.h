// In which order the nodes of a graph become hubs: those first that lie on most shortest paths that have no hub yet. The paths are
// those of trees from a sample of the nodes; taking a node removes what hangs on it in every tree.
//
// After Daniel Delling, Andrew V. Goldberg, Thomas Pajor & Renato F. Werneck (2014), "Robust distance queries on massive
// networks". Cost: one search for each of at most 2^21 / nodes trees (all nodes, if there are less than 1449), 16 bytes
// for each node of them.
#pragma once

#include "mesh_table/make_labels.h"

namespace fairlead::mesh {

[[nodiscard]] WorkOutcome find_hub_order(const LineGraph& graph, const Jobs& jobs, const Progress& progress,
                                         Array<std::uint32_t>& order);

}  // namespace fairlead::mesh
