// The hierarchy of a registered size, kept exact by every edit. What is stored: clusters.h; how a cluster is made: entrances.h,
// taut_table.h, upper_cluster.h.
//
// Every chunk is a function of things nearby: the entrances of a border of the cells on both sides (and of the two leaves of the
// connectivity index where they are thinned); a cluster of its cells and its entrances; an upper cluster of the clusters inside and, for
// its entrances, of those of its four neighbours. So an edit makes the clusters anew that hold cells that changed, those beside them
// whose entrances are others now, and goes up only where an entrance or a cost of one has changed. The bytes are those of a fresh build.
#pragma once

#include <span>

#include <fairlead/base/jobs.h>

#include "grid/editor.h"
#include "grid/hierarchy/upper_cluster.h"

namespace fairlead::grid {

/// Levels that a map of this size is worth: 1 to kClusterLevels.
[[nodiscard]] std::int32_t hierarchy_levels(const StateData& state);

/// Can this size have one on this map? Only where diagonal steps cut no corners; not where an axis that wraps is less than 128 cells
/// round, nor with more than kClusterPlacesMax places of portals in a cluster.
[[nodiscard]] bool keeps_hierarchy(const StateData& state, const Body& body);

/// Fills the tables of a body of a new grid, whose chunks are null. False: out of memory.
[[nodiscard]] bool build_hierarchy(EditorData& editor, const Body& body, const Jobs& jobs);

/// The same out of a file, whose clusters are read in this order. False: out of memory, or stored.wrong().
[[nodiscard]] bool load_hierarchy(EditorData& editor, const Body& body, StoredClusters& stored);

/// Brings them up to date after the body's free cells changed inside `cells`, and the connectivity index with them. False: out of memory.
[[nodiscard]] bool update_hierarchy(EditorData& editor, const Body& body, std::int32_t layer,
                                    std::span<const CellRect> cells);

}  // namespace fairlead::grid
