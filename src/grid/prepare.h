// Prepare: from a GridQuery to what the searches work on, or the reason why there is nothing to search.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/grid/find_route.h>

#include "grid/general_space.h"

namespace fairlead::grid {

/// Buffers behind the spans of a CellQuery, and the query itself.
struct PreparedQuery {
    explicit PreparedQuery(const Allocator& a)
        : goals(a), goal_points(a), portal_steps(a), portal_backs(a), far_portals(a), blockers(a) {}

    CellQuery cells;
    GridPlanner planner = GridPlanner::automatic;  ///< never automatic once prepared
    PathStatus status = PathStatus::complete;      ///< anything else: known without a search
    bool index_finds_nearest = false;              ///< one goal, and what the index joins the query joins
    bool no_such_floor =
        false;  ///< nothing leads to the goal's floor: no place on it is the nearest one either
    Array<std::uint32_t> goals;
    Array<Vec2> goal_points;
    Array<PortalStep> portal_steps;
    Array<PortalStep> portal_backs;
    Array<std::uint32_t> far_portals;
    Array<Blocker> blockers;
};

/// Checks the query, finds the cells of start and goal, asks the connectivity index, chooses the planner. The errors
/// are those of find_route.
[[nodiscard]] Result<void> prepare_query(const GridState& grid, const GridQuery& query, PreparedQuery& out);

}  // namespace fairlead::grid
