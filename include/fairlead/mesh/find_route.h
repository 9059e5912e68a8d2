// find_route on a level mesh: one call, or in slices.
//
//     Scratch scratch;                                              // one per thread
//     Result<Route> way = find_route(*level, MeshQuery{.start = {2, 3, 0}, .goal = Vec3{40, 8, 0}}, scratch);
//     if (way && way->status == PathStatus::complete) follow(way->legs);
//
// The route: legs of kind drive, straight on the ground plane from corner to corner; heights are those of the surface at
// the corners, `rise` what lies between them. It starts and ends where start and goal are on the surface. Off-mesh links
// (mesh/link.h) are legs of kind link between them: the start is where the unit enters and what it faces, link_id the link's
// id, length and rise are 0; the next leg starts, or the route ends, where it comes out. Route::cost has their costs in it,
// Route::length has not.
//
// Promises. any_angle finds the shortest way on the ground plane, over the whole surface and its links: bound = 1 (with
// links it is `cost` that is least). Length and shape do
// not depend on how the surface is cut into polygons. For a unit of more radius than the mesh was made for it is the
// shortest way of its body past the same corners on the same sides as the shortest way of a point that fits through the
// same gaps: no bound is claimed. The other planners, and all of them where the factors of areas differ, state the bound that they can
// show: cost / (the straight line's length, or what the landmarks say if it is more, x the least cost; with links that are
// shorter, the least that ways with them cost).
// That parts of the mesh do not hang together is known without a search, also over links that are not closed. Every search
// ends. Of wide links at most 32 are passed in one straight line between their ends.
//
// Radius. Arcs round corners are legs of curvature 1 / radius. A start or goal too near a wall is moved clear of it, by at
// most reach.across or the radius; else it is blocked.
//
// Status. complete; partial (asked for): the way to the reachable place nearest the goal on the ground plane (and
// nearest in height among those), over what is not closed and wide enough, a place where the unit has room;
// unreachable; start_blocked, goal_blocked: nothing of the surface is within reach, or
// only closed areas (also with `partial`: how far off the surface a goal may be is what MeshQuery::reach says, and from there on
// `partial` leads); off_world: nor is it within reach of the box around the mesh; budget_spent.
//
// Best so far (`partial`; technique T3). Where expansions_max is spent first, or the call is cancelled, the status is budget_spent,
// bound = infinity, and the legs lead to the place nearest a goal, on the ground plane, on a side of a polygon that the search
// has looked through; for a unit with a radius only places where it has room, on the way there too. More budget never ends
// farther from the goals. No legs where none is nearer than the start. From route.end one may go straight on, or ask again.
//
// Special cases. start == goal: complete without legs.
//
// Errors of a malformed query (nothing is searched), Error::field names the field: not_finite and out_of_range (a radius above
// NavMeshOptions::radius_max too); size_zero and size_limit (goal.list: 1 to 65536; factors); incompatible (a footprint in tiles);
// unsupported (a goal that is neither point nor any_of; a turning radius, a body that is no disc; a radius with another planner than
// any_angle or with factors of areas that differ, find_routes_into with one: the field is then the planner or the areas). Also
// out_of_memory.
//
// Cost: mean 1 to 50 us on levels of 100 to 4000 polygons (docs/performance.md). An expansion is at most 16 polygons,
// about 1 us. A warm call of find_route_into allocates nothing. Memory of a search: 80 bytes an interval.
#pragma once

#include <concepts>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Blocking. The Route is new; use find_route_into to reuse one.
template <std::same_as<MeshQuery> Query>
[[nodiscard]] Result<Route> find_route(const NavMeshState& mesh, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});

/// Blocking, into a route whose memory is reused. On an Error `route` is cleared.
template <std::same_as<MeshQuery> Query>
[[nodiscard]] Result<void> find_route_into(const NavMeshState& mesh, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const NavMeshState&, const MeshQuery&, Scratch&, const SearchHooks&);
extern template Result<void> find_route_into(const NavMeshState&, const MeshQuery&, Scratch&, Route&,
                                             const SearchHooks&);

/// Routes to each of query.goal.any_of by one search, each the shortest and with its own status; `routes` has an entry
/// for each goal. All routes report the stats of the one search. Errors as above; size_mismatch with index -1 if
/// `routes` has another length; then, and on any error, the routes are cleared.
[[nodiscard]] Result<void> find_routes_into(const NavMeshState& mesh, const MeshQuery& query,
                                            Scratch& scratch, std::span<Route> routes,
                                            const SearchHooks& hooks = {});

namespace mesh {
class SearchRun;  // src/mesh/query/search_run.h
}

struct MeshSearchKind {
    using World = NavMeshSnapshot;
    using Query = MeshQuery;
    using Run = mesh::SearchRun;
};

/// The same in slices (search/route_search.h).
using MeshSearch = RouteSearch<MeshSearchKind>;
extern template class RouteSearch<MeshSearchKind>;
static_assert(SlicedSearch<MeshSearch>);

}  // namespace fairlead
