// Prepare: from a GridQuery to what the searches work on, or the reason why there is nothing to search.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/grid/find_route.h>

#include "grid/free_place.h"
#include "grid/general_space.h"
#include "route/blocker_index.h"

namespace fairlead::grid {

/// Buffers behind the spans of a CellQuery, and the query itself.
struct PreparedQuery {
    explicit PreparedQuery(const Allocator& a)
        : goals(a), goal_points(a), far_portals(a), blockers(a), blocker_index(a) {}

    CellQuery cells;
    GridPlanner planner = GridPlanner::automatic;          ///< never automatic once prepared
    GridPlanner flat_planner = GridPlanner::bucket_astar;  ///< what automatic is without a hierarchy
    bool clusters_may_serve = false;                       ///< the hierarchy's planner can be asked
    PathStatus status = PathStatus::complete;              ///< anything else: known without a search
    bool index_finds_nearest = false;  ///< one goal, and what the index joins the query joins
    bool no_such_floor =
        false;  ///< nothing leads to the goal's floor: no place on it is the nearest one either
    /// The unit cannot be at the goal, and the query wants the place nearest to it: status is unreachable. `goals` holds the cell of one
    /// point, of more none; `goal_points` all that lie on the map.
    bool goal_blocked = false;
    bool start_settled = false;  ///< it has been looked up, and moved where the query has a reach
    bool goal_moved = false;     ///< to goal_place, in cells: the query's own number is rounded
    Vec2 goal_place{};
    FreePlace walk;  ///< for the end that is being moved
    Array<std::uint32_t> goals;
    Array<Vec2> goal_points;
    Array<std::uint32_t> far_portals;
    Array<Blocker> blockers;
    route::BlockerIndex blocker_index;

    /// How far the preparing is: which list, and how many of it are done.
    enum class Part : std::uint8_t { points, blockers, ends, goals, sort, keep, done } part = Part::done;
    std::size_t at = 0;
    std::size_t kept = 0;                     ///< goals that are not another's equal
    PathStatus none = PathStatus::off_world;  ///< of any_of, where no point can be reached at all
    bool joined = false;  ///< some point of any_of may be reached, for all that the index knows
};

/// A place of a query, which names no waypoint, in world units; in cells.
[[nodiscard]] Vec2 position_of_spot(const Spot& spot, const StateData& state);
[[nodiscard]] Vec2 in_cells(const Spot& spot, const StateData& state);
/// A box that goes past all numbers is cut off far from every map.
[[nodiscard]] Blocker in_cells(const Blocker& blocker, const StateData& state);
/// The goal, the places of a list aside, in cells.
[[nodiscard]] CellGoal goal_in_cells(const Goal& goal, const StateData& state);
/// The query with start and goal as positions.
[[nodiscard]] GridQuery with_positions(const GridQuery& query, const StateData& state);

/// Does the query reach just the cells that the index joins? It has a registered size, no blockers, filters and one-way portals, and
/// cuts corners as the grid does; all other rules and neighbourhoods reach the same cells.
[[nodiscard]] bool reaches_as_index(const CellQuery& cells);

/// Checks the query, but for what its lists hold. The errors are those of find_route.
[[nodiscard]] Result<void> begin_prepare(const GridState& grid, const GridQuery& query, PreparedQuery& out);
/// Goes through the lists, finds the cells of start and goal, asks the connectivity index, chooses the planner. True while
/// there is more to do; the budget is then spent. A query with one goal, no blockers and no end to move spends nothing. Ends that
/// are moved (GridQuery::reach) are written into the query. Errors as above.
[[nodiscard]] Result<bool> step_prepare(GridQuery& query, PreparedQuery& out, std::uint64_t& budget);
/// Both, whatever it costs.
[[nodiscard]] Result<void> prepare_query(const GridState& grid, GridQuery& query, PreparedQuery& out);

}  // namespace fairlead::grid
