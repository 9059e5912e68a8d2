// find_route on a roadmap: one call, or in slices.
//
//     Scratch scratch;                                              // one per thread
//     Result<Route> way = find_route(*harbour, RoadmapQuery{.start = WaypointId{1}, .goal = WaypointId{8}},
//     scratch); if (way && way->status == PathStatus::complete) follow(way->legs);
//
// The route: a leg of kind drive for every edge walked, straight from waypoint to waypoint, `rise` the change
// of height; a leg of kind link (link_id = the edge's label, length 0) for every link; before and after them
// the legs that attach the start and the goal. Route::cost is the sum of the edges' costs times their factors
// and of off_net_cost times the length (in space) of what is off the net. A leg that climbs straight up has
// length 0 and the heading of the one before.
//
// Promises. astar and dijkstra find the least cost over all ways through the attached places: bound = 1. Costs
// are compared in fixed point; in a roadmap of more than some 10,000 waypoints whose costs differ by 1e9 and
// more, a route may be chosen that is more than 1e-9 too dear (and 1e-12 of the world's size), and then the bound
// says so. Backward finds the same cost. Each waypoint is expanded at most once; where the way costs over 256 times the cheapest straight
// line across everything, the search may start again with coarser numbers, at most 8 times. So there are at most
// 8 x waypoints expansions, and nearly always at most as many as waypoints. Attaching does at most attach_tests
// tests of sight for each point. That no way exists is known without a search.
//
// Status. complete; partial (asked for); unreachable: no open way from what the start is attached to;
// start_blocked, goal_blocked: the point is off the net, nothing of the net is in sight of it within range,
// and the straight line from start to goal is not clear either (goal: for all the goals; also with `partial`: how far off the net
// a goal may be is what attach_range says); budget_spent.
// off_world is never returned.
//
// Best so far (`partial`; technique T3). Where expansions_max is spent first, or the call is cancelled, the status is budget_spent,
// bound = infinity, and the legs lead to the waypoint expanded so far that is nearest to a goal in a straight line (of more than 4
// goals, to the box around them). More budget never ends farther from the goals. No legs where none is nearer than the start.
//
// Special cases. start == goal: complete without legs, if the unit can stand there. An empty roadmap: only
// the straight line is left, so start_blocked unless walls are known and it is clear.
//
// Errors of a malformed query (nothing is searched), Error::field names the field, Error::index the element of a list: not_finite and
// out_of_range; unknown_id (a waypoint of start or goal); size_zero and size_limit (1 to 65536 goals; factors); incompatible
// (footprint); unsupported (a goal that is neither point nor any_of, a cell, a turning radius, a body that is no disc). Also
// out_of_memory.
//
// Cost: about 0.1 us an expansion. A warm call of find_route_into allocates nothing.
#pragma once

#include <concepts>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Blocking. The Route is new; use find_route_into to reuse one.
template <std::same_as<RoadmapQuery> Query>
[[nodiscard]] Result<Route> find_route(const RoadmapState& roadmap, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});

/// Blocking, into a route whose memory is reused. On an Error `route` is cleared.
template <std::same_as<RoadmapQuery> Query>
[[nodiscard]] Result<void> find_route_into(const RoadmapState& roadmap, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const RoadmapState&, const RoadmapQuery&, Scratch&,
                                         const SearchHooks&);
extern template Result<void> find_route_into(const RoadmapState&, const RoadmapQuery&, Scratch&, Route&,
                                             const SearchHooks&);

/// Routes to each of query.goal.any_of by one search (Dijkstra's, whatever the planner asked for), each
/// optimal and with its own status; `routes` has an entry for each goal. All routes report the stats of the
/// one search. Errors as above; size_mismatch with index -1 if `routes` has another length; then, and on any
/// error, the routes are cleared.
[[nodiscard]] Result<void> find_routes_into(const RoadmapState& roadmap, const RoadmapQuery& query,
                                            Scratch& scratch, std::span<Route> routes,
                                            const SearchHooks& hooks = {});

namespace roadmap {
class SearchRun;  // src/roadmap/search_run.h
}

struct RoadmapSearchKind {
    using World = RoadmapSnapshot;
    using Query = RoadmapQuery;
    using Run = roadmap::SearchRun;
};

/// The same in slices (search/route_search.h).
using RoadmapSearch = RouteSearch<RoadmapSearchKind>;
extern template class RouteSearch<RoadmapSearchKind>;
static_assert(SlicedSearch<RoadmapSearch>);

}  // namespace fairlead
