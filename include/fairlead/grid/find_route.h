// find_route on a tile world: one call, or in slices.
//
//     Scratch scratch;                                              // one per thread
//     Result<Route> walk = find_route(*town, GridQuery{.start = cell_centre(3, 3), .goal = cell_centre(500, 490)}, scratch);
//     if (walk && walk->status == PathStatus::complete) follow(walk->legs);
//
// What happens: the query is checked; start and goal are looked up (off_world, start_blocked, goal_blocked), and moved where the
// query has a reach; a blocked goal is come near to where it says `partial` (not by a fixed window that may not grow, where no index
// tells of the nearest place); the
// connectivity index tells at once whether a route exists (unreachable); the planner finds the best tile route;
// smoothing pulls it taut, exactly; the legs are written.
//
// The route starts and ends at the exact points asked for. Between them and the tile route's cell centres runs a
// straight leg that the unit's body can sweep without touching a wall: of the cells around a point the nearest one
// for which that holds is taken; if there is none the point counts as blocked.
//
// Discs of any radius. `unreachable` means that no continuous motion of the disc exists, touching allowed, and a place where the disc
// fits is never blocked. But a point (radius 0) passes the corner that two diagonal walls share under CornerRule::always alone, and past
// blockers `unreachable` means that the lattice has no way past them (docs/decisions/0054). Tiles' middles are
// the whole truth for radii up to half a tile; for larger ones they are searched first, as that is fast (but for a radius that
// is not registered, by the automatic planner: half tiles at once are faster), and where they have no way the half-tile lattice
// has the last word: route.planner is then "half_lattice", `bound` is 1 for the shortest way over that lattice (none for
// turn_penalty), and a trace does not see its points. It knows squeezes where the disc has to follow an arc between two corners;
// legs are straight all the same, on tangents. Source: docs/decisions/0021-any-radius.md. Not for maps of more than 2^30 tiles,
// nor for a fixed window that must not grow; footprints stay on tiles. For a registered radius an index of half tiles knows what
// is unreachable, and the search takes as long as one over tiles; other radii take ten times that.
//
// Goal regions. The search looks for tiles' middles (points of the half-tile lattice) in the region. Where it comes to none, but the unit
// can come to a place of the region between them, the route ends there, on a straight leg for radii up to half a tile: `unreachable`
// of Goal::within is the truth, too. Of in_sight only the places nearest the goal along the rim of its range are tried beside the
// middles. A start that is walled in where not even a point of the half-tile lattice fits is a pocket: with `partial` the route leads
// to its place nearest the goal.
//
// Large maps. A grid made with GridOptions::hierarchy keeps, for each registered size, clusters of 64 x 64 cells, of 256 and of 1024 with
// what it costs to cross them. The planner `hierarchy` searches over those and unpacks the way by looking it up: on 4096 x 4096 cells of
// a city 0.14 ms in place of 0.48, smoothing included, and 0.1 % longer in the mean, 3 % at p99 (docs/performance.md). It serves what
// jump_point does, portals and seams; `bound` is infinite; the same routes exist as without. Sliced, has_route() is true once it is found:
// take() then gives the first legs (status partial), 15 us after the start, and later the whole route as far as it is smoothed.
// Not for maps of random walls, where the clusters hold too much: 0.6 bytes a cell, 330 ns a cell to make, routes 5 % longer.
//
// Best so far (`partial`; technique T3). Where expansions_max is spent first, or the call is cancelled, the status is budget_spent and
// the legs lead to the place expanded so far that is nearest the goal, as the crow flies (of a region: its point; a place on the
// goal's floor before one on another; of equals the one of the lowest state): route.end, with bound = infinity and the cost of
// the way there. More budget never ends farther from the goal. No legs where none is nearer than the start. Cancelled: not smoothed.
// Without `partial` there are no legs. Source: Pinter and others' flying opponents went straight on for their goal when a search got
// too large, and asked again later; here the way that is known comes first: walk it, and ask again from route.end, or go
// straight on from there if that is free (a query with goal = in_sight, or revalidate of a route of one leg, tells).
//
// Cost (means on published maps, docs/performance.md): tens of microseconds on a game map of 500 x 500, more for
// terrain costs. A warm call of find_route_into allocates nothing.
//
// Errors of a malformed query (nothing is searched), Error::field names the field, Error::index the element of a list: not_finite and
// out_of_range; size_mismatch for the influence; size_zero and size_limit for lists of goals (1 to 65536) and of blockers (at most
// 65536); unsupported for a waypoint, a turning radius, a body that is no disc, goals of a list on several layers; incompatible and
// unsupported of the planner with detail = a GridRule.
#pragma once

#include <concepts>
#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Why a query is refused as incompatible or unsupported.
enum class GridRule : std::int64_t {
    jump_point_needs_uniform_cost,     ///< terrain costs, influence or a terrain filter with jump_point
    jump_point_needs_eight,            ///< jump_point with four neighbours
    jump_point_needs_plain_map,        ///< jump_point with wrapped axes, portals or blockers
    jump_point_needs_registered_size,  ///< jump_point for a size that is not registered with the grid
    jump_point_needs_no_cutting,       ///< jump_point with a corner rule that lets this unit cut corners
    jump_point_needs_one_goal,         ///< jump_point with a goal region
    fixed_window_needs_plain_query,    ///< fixed_window with anything but walls and one goal
    bidirectional_needs_one_goal,      ///< bidirectional with a goal region
    turn_penalty_needs_smaller_map,    ///< turn_penalty on a map of 2^29 cells or more
    hierarchy_needs_hierarchy,  ///< hierarchy on a grid without one, or a query that it cannot serve (docs/hierarchy.md)
    own_heuristic_needs_astar,  ///< GridHeuristic::own with a planner that reads no heuristic
};

/// One plain English sentence. Never null.
[[nodiscard]] const char* grid_rule_text(GridRule rule);

/// Blocking. The Route is new; use find_route_into to reuse one.
template <std::same_as<GridQuery> Query>
[[nodiscard]] Result<Route> find_route(const GridState& grid, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});

/// Blocking, into a route whose memory is reused. On an Error `route` is cleared.
template <std::same_as<GridQuery> Query>
[[nodiscard]] Result<void> find_route_into(const GridState& grid, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const GridState&, const GridQuery&, Scratch&, const SearchHooks&);
extern template Result<void> find_route_into(const GridState&, const GridQuery&, Scratch&, Route&,
                                             const SearchHooks&);

namespace grid {
class SearchRun;  // src/grid/search_run.h
}

struct GridSearchKind {
    using World = GridSnapshot;
    using Query = GridQuery;
    using Run = grid::SearchRun;
};

/// The same in slices (search/route_search.h). A unit is one expansion, or one line of sight of the smoother. With the anytime
/// planner take() may be called early: the best route so far with its bound; over the hierarchy: the first legs, then the whole.
using GridSearch = RouteSearch<GridSearchKind>;
extern template class RouteSearch<GridSearchKind>;
static_assert(SlicedSearch<GridSearch>);

}  // namespace fairlead
