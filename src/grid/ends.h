// Ends: start and goal of a query, looked up, and moved where the query has a reach (settle.h).
#pragma once

#include "grid/prepare.h"

namespace fairlead::grid {

/// Finds the start's cell, or the status that says why there is none. False: the budget is spent.
[[nodiscard]] bool settle_start(GridQuery& query, PreparedQuery& out, std::uint64_t& budget);

/// The same for a goal that is one point. False: the budget is spent.
[[nodiscard]] Result<bool> find_goal_point(GridQuery& query, PreparedQuery& out, std::uint64_t& budget);

/// The query wants the place nearest to a goal where the unit cannot be.
void note_goal_blocked(PreparedQuery& out);

/// Where none of the points of any_of has room: those on the map, to come near to. False: out of memory.
[[nodiscard]] bool aim_at_points(const Goal& goals, PreparedQuery& out);

}  // namespace fairlead::grid
