// GridQuery: what is asked of a tile world. Every field has a default; fill in by name.
#pragma once

#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/blocker.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/heuristic.h>
#include <fairlead/route/kind_filter.h>

namespace fairlead {

/// A cost per cell on top of the terrain's, for this query only: a threat map. Entering a cell costs the
/// terrain's cost plus cells[i] x weight; i = (layer x height + y) x width + x.
struct Influence {
    Borrowed<std::uint8_t> cells{};  ///< empty, or one byte for every cell of the grid
    std::int32_t weight = 1;         ///< 0 to 1023
};

enum class GridPlanner : std::uint8_t {
    /// jump_point where it can serve (uniform cost, one goal, no blockers), else bucket_astar; on grids with a hierarchy `hierarchy`,
    /// where start and goal are 512 cells apart or more; 64 where portals or seams keep jump_point from serving
    automatic,
    jump_point,     ///< optimal, uniform cost only; the fastest on open maps (Harabor & Grastien 2011, 2014)
    bucket_astar,   ///< optimal; the fastest for terrain costs, filters, goal regions
    astar,          ///< optimal; the textbook form, with a choice of heuristic (Hart, Nilsson & Raphael 1968)
    dijkstra,       ///< optimal, without a heuristic (Dijkstra 1959)
    bidirectional,  ///< optimal, from both ends
    weighted_astar,     ///< at most `epsilon` times the optimum (Pohl 1970)
    anytime,            ///< a first route at once, better ones while the budget lasts (Likhachev et al. 2003)
    greedy_best_first,  ///< no bound: follows the distance to the goal alone. For demonstration
    turn_penalty,       ///< optimal with a price on every change of heading, on (cell, heading)
    fixed_window,       ///< the 60 x 60 window engine of the articles; grows unless told not to
    hierarchy,  ///< over clusters, for grids made with one (find_route.h): no bound, 0.1 to 2 % longer in the mean
    count_,
};

/// "jump_point", ... as on the command line. Never null.
[[nodiscard]] const char* planner_name(GridPlanner planner);

enum class GridHeuristic : std::uint8_t {
    octile,     ///< exact in the open with eight neighbours; the default
    manhattan,  ///< exact in the open with four; up to sqrt 2 too high with eight, and so is the bound then
    euclidean,  ///< the straight line
    zero,
    own,  ///< GridQuery::own; `automatic` is astar then, and other planners than those that read heuristics refuse it
};

enum class Smoothing : std::uint8_t {
    none,  ///< the tile route itself
    best,  ///< pulled tight over corners, best over all pairs; exact sweep, never dearer; the default
    greedy_shortcut,   ///< drop the next point while the line to the one after it is free (technique P3)
    farthest_visible,  ///< jump to the last visible point (technique P4)
};

struct GridQuery {
    Spot start{};  ///< heights and headings are not read: tiles are flat, and the unit turns on the spot
    Goal goal{};   ///< all kinds; the places of a list are all on the goal's layer
    /// A disc or a footprint of tiles; one with a turning radius asks with a DriveQuery (bridge/grid_drive.h).
    Agent agent{};

    GridPlanner planner = GridPlanner::automatic;
    Smoothing smoothing = Smoothing::best;
    CornerRule corner = CornerRule::never;
    Neighbourhood neighbours = Neighbourhood::eight;
    GridHeuristic heuristic =
        GridHeuristic::octile;  ///< read by astar, weighted_astar, anytime, greedy_best_first
    double epsilon = 1.5;       ///< weighted_astar: 1 to 100; anytime: the first weight
    double turn_penalty = 0.5;  ///< turn_penalty: world units per 45 degrees, >= 0; above 1e6 cells as 1e6
    bool window_grows = true;   ///< fixed_window: try a larger window before "unreachable"
    bool certify = false;       ///< write every leg's clearance, up to the radius + 4 cells
    /// unreachable, goal_blocked: return the route to the reachable place nearest the goal instead. budget_spent: that to the best
    /// place so far (find_route.h).
    bool partial = false;

    /// By terrain, 1 to 255. A tile's cost is the grid's, times the factor, to the nearest whole number from 1 to 1023.
    KindFilter terrain{};
    Borrowed<Blocker> blockers{};
    Influence influence{};

    std::uint64_t expansions_max = UINT64_MAX;  ///< give up with budget_spent after this many

    /// turn_penalty: world units for each change of heading, whatever its angle, >= 0, above 1e6 cells as 1e6; beside
    /// `turn_penalty`. The article's (technique S7) is this alone, with turn_penalty = 0.
    double turn_penalty_each = 0.0;

    OwnHeuristic own{};  ///< for GridHeuristic::own

    /// World units, >= 0, infinite is anywhere: a start, a goal point or a point of any_of where the unit cannot be is moved to the
    /// nearest place where it can (nearest_free.h), if that is no farther away; the route begins and ends there. Points off the map
    /// are moved onto it. 0: nothing is moved. Regions are not: their centre need not be free.
    double reach = 0.0;
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(GridQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.terrain.factors);
    visit(query.blockers);
    visit(query.influence.cells);
}

}  // namespace fairlead
