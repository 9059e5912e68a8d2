// find_route of a turning unit in a volume (technique K7): one call, or in slices.
//
//     Scratch scratch;                                     // one per thread
//     const FlyQuery query{.start = {{4, 4, 4}, 0.0}, .goal = {{40, 40, 20}, kHalfPi}, .agent = {.radius = 0.4, .turning_radius = 3}};
//     Result<Route> way = find_route(*space, query, scratch);
//     if (way && way->status == PathStatus::complete) fly(way->legs);
//
// The route: legs of kind drive, arcs and straight lines on the ground that rise evenly: a rising arc is a helix.
// Route::length is the length on the ground, Route::line_cost and Route::cost that in space. It begins and ends at
// the exact poses.
//
// What is legal. The body keeps off what is solid, all along the helices (fly/curve_sight.h); for a box a blocker that is a ball counts
// as the upright cylinder around it; no arc is
// tighter than the turning radius; headings are continuous; no leg climbs or sinks more steeply than `climb` says,
// which may change from leg to leg at once. Blockers are kept clear of as in a VolumeQuery.
//
// Promises. Complete routes are legal. `unreachable` is said only where no motion exists, whatever the headings:
// start and goal lie in parts of the volume that are not joined. Otherwise a search that finds nothing gives up:
// budget_spent. It is not complete, and lengths have no bound; how much it finds of what a finer search finds is
// measured: docs/volumes.md.
//
// How. A Dubins airplane curve (curve/airplane.h) from start to goal, if it is free. Else two searches, from the
// start and from the goal, in turn, over poses in buckets of space and heading, the first to come into one standing
// for it; nine moves each: left, straight, right, at the steepest climb, level and at the steepest descent. Both are
// led by what is left: the larger of the shortest airplane curve and the way from voxel to voxel, whose steps cost
// what the climb needs. Curves join a pose to the other end, and to poses that the other search has met. Where
// buckets of a voxel do not do, it is done again with finer ones. Then what was found is replaced by shorter curves
// between its poses where these are free.
//
// Status. complete; unreachable; start_blocked, goal_blocked; off_world (outside the bounds); budget_spent:
// `expansions_max`, or nothing is left to look at. With `partial` budget_spent has the way to the pose opened that
// has the least left. With `partial` a goal that is blocked or cut off by the volume's parts gives the way to the
// place nearest to it: the middle of a voxel where the unit can be, of those that its own part of the volume holds,
// in that of 16 headings in which the way through the voxels comes there; the status is partial. No legs: none is nearer
// than the start. Where no way there is found it is budget_spent, as above; without any such place unreachable or
// goal_blocked all the same.
//
// Special cases. The same pose at start and goal: complete without legs.
//
// Errors of a malformed query (nothing is searched), Error::field names the field: not_finite and out_of_range;
// unsupported (a goal that is no point, no heading or a tolerance, a cell, a waypoint, a lying capsule, a unit
// that can reverse or pivot); incompatible (footprint); those of VolumeQuery::blockers. Also out_of_memory.
//
// Cost: docs/volumes.md. No allocation when warm.
//
// Sources: Chitsaz and LaValle 2007 (the curves); Barraquand and Latombe 1993 (buckets); Dolgov, Thrun, Montemerlo
// and Diebel 2010 (hybrid A*: continuous poses in buckets, shots to the goal, two heuristics).
#pragma once

#include <concepts>

#include <fairlead/base/result.h>
#include <fairlead/fly/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

/// Blocking. The Route is new; use find_route_into to reuse one.
template <std::same_as<FlyQuery> Query>
[[nodiscard]] Result<Route> find_route(const VolumeState& volume, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});

/// Blocking, into a route whose memory is reused. On an Error `route` is cleared.
template <std::same_as<FlyQuery> Query>
[[nodiscard]] Result<void> find_route_into(const VolumeState& volume, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const VolumeState&, const FlyQuery&, Scratch&, const SearchHooks&);
extern template Result<void> find_route_into(const VolumeState&, const FlyQuery&, Scratch&, Route&,
                                             const SearchHooks&);

namespace fly {
class FlyRun;  // src/fly/fly_run.h
}

struct FlySearchKind {
    using World = VolumeSnapshot;
    using Query = FlyQuery;
    using Run = fly::FlyRun;
};

/// The same in slices (search/route_search.h).
using FlySearch = RouteSearch<FlySearchKind>;
extern template class RouteSearch<FlySearchKind>;
static_assert(SlicedSearch<FlySearch>);

}  // namespace fairlead
