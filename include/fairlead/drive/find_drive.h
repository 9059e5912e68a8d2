// find_route for units with a turning circle, over a DriveMap.
//
//     Result<Route> way = find_route(*map, DriveQuery{.start = {{10, 10}, 0.0}, .goal = {{80, 42}, kHalfPi}}, scratch);
//
// The route starts at the exact start pose and ends at the exact goal pose; its legs are lines and arcs of at most the
// turning radius' curvature, forward and, for units that can, in reverse; and for units that can pivot also turns on the
// spot, by any angle, swept as exactly. Its body touches no blocked cell, exactly.
// Leg::clearance is the least distance from the axle's path to a blocked cell or the map's outside, to 1e-6 cells and never
// more than the truth, up to the body's circumscribed radius + 4 cells. kUnknown where an axle that does not lie inside its body
// passes over walls.
//
// How. A best-first search over the lattice of the map's DriveTable. An exact start off the lattice is joined by shortest
// curves to lattice poses around it; from every lattice pose near the goal the shortest curve to the exact goal pose
// is tried as well. Where the map's core (drive_map.h) knows that there is no way, there is no search.
//
// Large maps. Where all lengths cost the same, the weighted planner finds a way on the ground first, of the cells in which this unit
// drives, and looks for poses within some 10 cells of it; everywhere, if there is no way so near. Route::bound is measured: what the route
// costs against the least that the ground between its ends lets any way cost. So it is 1.02 to 1.1 in the mean, and `epsilon` at most.
//
// Planners:
//   lattice   the cheapest way on the lattice: bound 1 (of the lattice, ends included)
//   weighted  at most `epsilon` times that, and many times as fast; each pose is opened once. Route::bound says how much at
//             most for this route. The default
//   anytime   weighted with `epsilon`, then with ever smaller weights down to 1 while the budget lasts; only ways cheaper than
//             the best route so far are looked at. DriveSearch::take may be called at any time, Route::bound is always true
//
// Floors and links (drive_map.h). A route takes a link by a leg of kind link: it starts and ends in the middle of the link's cells,
// in the same heading. A goal region (within) lies on the goal's floor. The heuristic `article` knows the goal's floor alone. Off
// the lattice no links are taken. PoseField, TimedSearch, the hybrid, rounded corners and fixed angles are for maps of one floor
// without links: else unsupported.
//
// Best so far. With `partial` a search whose budget is spent before it has a way to the goal gives one to walk meanwhile: to the pose
// of the lattice, of those that it opened, from which the goal is estimated nearest (the lower bound of the rest; the first of
// several). The status stays budget_spent, there is no bound; cost, length and end are those of that way, which is smoothed as others
// are, but not after a cancel. Without legs: no pose opened is nearer than the start. With more budget, over one map, the end is never
// farther.
//
// The nearest place. With `partial` a goal that is blocked or unreachable, also off the lattice where that is asked, gives the way to
// the place of the lattice nearest to it, as the crow flies, that the unit reaches in any heading; on the goal's floor; of a region:
// nearest its point; of equals that of the lowest row, then column. The status is partial, Route::bound that of the way there; the
// heuristic `own` is not asked. No legs: no such place is nearer than the start. Where the unit comes nowhere on the goal's floor it is
// unreachable or goal_blocked all the same. To find it costs no expansions: 1 ms for what 256 x 256 cells let be reached, less where
// the map's cores know; a budget spent on the way there is told as budget_spent. Nearer places off the lattice are not looked for.
//
// Blockers (route/blocker.h) are discs and boxes in the way of one query: other units that stand, a reservation. The map is not made
// anew and stays as it is. The body keeps clear of them exactly, as of walls; start_blocked, goal_blocked and unreachable count them,
// and so does Leg::clearance. Each is on its layer; one of a layer that is not the map's is not looked at. They are known where the
// search comes near them, not to its lower bounds: where they close a way the search finds out by looking. With many that stay,
// put them into the map instead (GridDriveOptions::blockers, or edits of the grid). A warm query with them allocates nothing. To take
// them costs 0.1 us each; a pose near some of them costs 2 to 5 us once, where it is opened first.
//
// Statuses: complete; partial (asked for); start_blocked, goal_blocked (the body touches a wall there); off_world; unreachable (proven
// on the lattice, its ends joined by short curves: known from the parts of the ground in 3 to 4 us, from the map's cores in 10 to 50 us,
// or by looking through the smaller side);
// budget_spent.
//
// Errors, Error::field names the field: not_finite (NaN, infinities) and out_of_range (finite, outside the range stated beside it);
// unsupported: a goal that is neither point nor within, a start or goal that is no position; incompatible: an agent that is not the
// map's unit. out_of_range (heuristic): `own` without a function. Positions of any size are no error: off_world. Nor are headings:
// one beyond 64 rad counts as math::wrap_pi of it, and
// the route's are written so. blockers, with the index: not_finite, out_of_range (a radius below 0 or above contact_reach);
// size_limit: more than 65,536. Else out_of_memory. Over a grid, units that are none are refused as DriveTable::make says.
//
// Cost: on the queries of `fairlead bench turning` 0.9 to 1.3 ms in the mean weighted, 7 to 18 ms optimal. No allocation when warm.
// Deterministic; sliced = unsliced.
//
// Source: techniques D1-D15 (Pinter 2001); lattice planners: Pivtoraiko, Knepper and Kelly 2009.
#pragma once

#include <concepts>
#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/blocker.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/heuristic.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// The lattice's headings that lie within `tolerance_rad` of a heading.
[[nodiscard]] std::uint32_t headings_near(std::int32_t count, double heading_rad, double tolerance_rad);

enum class DrivePlanner : std::uint8_t { weighted, lattice, anytime };

/// What a search expects of the rest of the way.
enum class DriveHeuristic : std::uint8_t {
    bounds,  ///< lower bounds: the shortest curve on open ground, and the ground round the walls
    article,  ///< the article's table of turns and lines (techniques D9, D10), which knows no walls and is too high by
    ///< up to 0.2 cells at turning radius 1, 1.8 at 3, 5.2 at 5: no route has a bound. For comparison
    straight,  ///< the straight line: a lower bound that knows neither curves nor walls. For comparison (technique S11)
    zero,  ///< Dijkstra's algorithm
    own,   ///< DriveQuery::own, asked of poses of the lattice
};

struct DriveQuery {
    Spot start{};          ///< a pose; without a heading any of the lattice will do
    Goal goal{};           ///< point or within; the same of its heading
    Agent agent{};         ///< over a grid: the unit (bridge/grid_drive.h); over a DriveMap none, or its unit
    double epsilon = 1.4;  ///< weighted, anytime (the first weight): 1 to 100
    double reverse_penalty = 1.5;  ///< a length in reverse counts this many times; 1 to 1000
    double cusp_penalty = 1.0;     ///< each change of gear costs this length, >= 0; above 1000 cells as 1000
    /// Agent::can_pivot: what a turn on the spot by one radian costs, as a length, whatever the terrain; >= 0, counted as 0.05 to
    /// 1000 cells. For a unit of top speed v that turns by w radians a second, v / w is the length that it drives in that time.
    double pivot_penalty = 2.0;
    std::uint64_t expansions_max = UINT64_MAX;
    DrivePlanner planner = DrivePlanner::weighted;
    DriveHeuristic heuristic = DriveHeuristic::bounds;
    OwnHeuristic own{};  ///< for DriveHeuristic::own; penalties count too
    /// Try free curves to the goal from all poses near it, not only from where the lattice leads. An exact goal off the
    /// lattice is always reached by one.
    bool goal_curves = true;
    bool smooth = true;  ///< pull the way found taut: legal arcs, never dearer
    /// Where the lattice has no way, look for one over all poses, so many of them at most (src/drive/lattice/bin_search.h): for gaps
    /// that the lattice's poses do not lie in. 1 to 3 us each. Such a way has no bound. 0: do not.
    std::uint64_t off_lattice_max = 0;
    /// budget_spent, cancelled included: give the way to the best pose so far (technique T3).
    bool partial = false;
    /// In the way of this query only, at most 65,536, each on its layer. For queries over a grid beside those of the setup's map.
    Borrowed<Blocker> blockers{};
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(DriveQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.blockers);
}

template <std::same_as<DriveQuery> Query>
[[nodiscard]] Result<Route> find_route(const DriveMapState& map, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});
template <std::same_as<DriveQuery> Query>
[[nodiscard]] Result<void> find_route_into(const DriveMapState& map, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const DriveMapState&, const DriveQuery&, Scratch&,
                                         const SearchHooks&);
extern template Result<void> find_route_into(const DriveMapState&, const DriveQuery&, Scratch&, Route&,
                                             const SearchHooks&);

/// "weighted_lattice", ... as in Route::planner and on the command line. Never null.
[[nodiscard]] const char* planner_name(DrivePlanner planner);

namespace drive {
class DriveRun;  // src/drive/lattice/drive_run.h
}

struct DriveSearchKind {
    using World = DriveMapSnapshot;
    using Query = DriveQuery;
    using Run = drive::DriveRun;
};

/// The same in slices (search/route_search.h). A unit is an expansion, or a curve tried. With the anytime planner take() may be
/// called early: the best route so far with its bound.
using DriveSearch = RouteSearch<DriveSearchKind>;
extern template class RouteSearch<DriveSearchKind>;
static_assert(SlicedSearch<DriveSearch>);

}  // namespace fairlead
