// What there is to say of a path of a tile query, whatever search found it.
#pragma once

#include "grid/work.h"

namespace fairlead::grid {

/// Length of the path as it lies on the map, in cells: for searches whose own costs are coarse.
[[nodiscard]] double path_length(const GridWork& work);
/// The same of a path whose steps are straight lines.
[[nodiscard]] double straight_length(const GridWork& work);

/// Does the query go over the hierarchy? work.query.planner says so then, and work.clusters is ready; where it does not serve, jump
/// points do. Only for queries that they can serve. False: out of memory.
[[nodiscard]] bool choose_clusters(GridWork& work, const GridQuery& query);

/// Keeps the way over clusters to a node. False: out of memory.
[[nodiscard]] bool take_hops(GridWork& work, const HashedNodes& nodes, std::uint32_t last);

/// How far the path is filled from it: to the goal, to the second node, to the cell beyond the last one.
enum class Unpacked : std::uint8_t { all, first_legs, to_last_node };
/// Cell by cell where it bends. False: out of memory.
[[nodiscard]] bool unpack_path(GridWork& work, Unpacked how_far);

/// The start, as a place to be nearer to the goal than.
[[nodiscard]] NearestPlace start_of(const GridWork& work, const GridQuery& query);

/// Does the path of a partial route end nearer the goal than the start is?
[[nodiscard]] bool ends_nearer(const GridWork& work, const GridQuery& query);

}  // namespace fairlead::grid
