// The arguments of a tile query, looked at once, at the door.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>

namespace fairlead::grid {

/// not_finite or out_of_range of the field, index: which blocker.
[[nodiscard]] Result<void> check_blockers(const GridState& grid, std::span<const Blocker> blockers,
                                          Field field);
[[nodiscard]] Result<void> check_blocker(const StateData& map, const Blocker& blocker, std::size_t place,
                                         Field field);
/// One of Goal::list.
[[nodiscard]] Result<void> check_goal_spot(const Goal& goal, std::size_t place);

/// The errors of a malformed query, as find_route documents them, but for what its blockers and goal points hold. What the
/// planners cannot do is found later.
[[nodiscard]] Result<void> check_query(const GridState& grid, const GridQuery& query);

}  // namespace fairlead::grid
