// find_route in a volume: one call, or in slices.
//
//     Scratch scratch;                                     // one per thread
//     Result<Route> way = find_route(*space, VolumeQuery{.start = drone, .goal = dock}, scratch);
//     if (way && way->status == PathStatus::complete) fly(way->legs);
//
// The route: straight legs from place to place. A leg's `length` is that on the ground and `rise` its change of height, so a leg
// straight up has length 0 and the heading of the one before; Route::length is the sum on the ground, Route::line_cost the length in
// space, and so is Route::cost of any_angle.
//
// What is legal. A sphere keeps `radius` from solid voxels and bounds, touching allowed; a point may touch, and does not pass where
// two solid voxels meet at an edge or a corner. Every leg was tested, or leads from one voxel's middle to the next one's.
//
// Promises. `unreachable` is said only where no motion exists. For a point and for spheres of at most half a voxel it is known without
// a search, by the components of free voxels, exact after every edit. For wider spheres it is found by a search that ends: there is no
// way for a sphere wider by 0.028 voxels, mostly none for this one. A way is found wherever there is one for such a wider sphere. Its
// length has no bound that is proven (Route::bound is infinite). Measured on the six Warframe maps: docs/performance.md.
//
// How. Lazy Theta* over nodes of two sizes (open parts of 8^3 voxels, components of bricks), seeded by sight. A search that gets lost
// is guided by one over the components of cells of 16^3, from the goal. A way much longer than open space would have it is searched
// from the other end as well. Bends slide along what stops them.
//
// The other planners go from voxel to voxel, over faces, edges and corners: astar and dijkstra find the shortest such way (bound
// 1; kNoBound with an inadmissible heuristic). Route::cost is its length, with the straight lines from the ends to the middles of
// their voxels; line_cost that of the legs, which `smooth` has made shorter. They open up to every voxel there is: for reference,
// not for frames.
//
// Goals. A point; `any_of`, at most 65,536 of them: the nearest first, until the next one is farther away than the best way is long;
// `within`: to the point, ended where the way comes into the range; where the point is solid or cut off, to the voxel's middle in range
// that is nearest to it. Spheres wider than half a voxel: where the point cannot be reached, the middles in range where the sphere fits
// are listed (in one step, linear in the range's bricks) and asked one after the other, one of each set that is joined over faces in the
// range, the nearest to the point first; unreachable means that none of them can be reached.
//
// Blockers. Start, goal and the whole route keep off them exactly, as off solid voxels. The search goes over middles of voxels from which
// the unit can move half a voxel each way, and along free lines: where only a narrower gap is left between blockers and it is not seen
// through, `unreachable` is no proof. It is one where it would be said without them. An end that is moved (`reach`) goes to such a middle.
//
// Areas (volume/area.h): dangers and currents. Route::line_cost is then what the legs cost, and Route::cost what the search found: with
// any_angle the same, with the others the price of the way from voxel to voxel, exact on every step and the lines at its ends; astar and
// dijkstra have the cheapest such way (bound 1). Pulling it taut raises the price of no stretch. any_angle finds the way without areas
// first; where that meets one, a second search by price (lazy Theta* that also weighs the way over the node beside) looks for one that
// costs less, and bends are slid to where the way is cheapest. No bound; measured: docs/volumes.md. Which of several goals is the nearest
// is asked by price, at the least rate that there is. Areas close nothing: whether there is a way does not depend on them.
//
// Status. complete; unreachable; start_blocked, goal_blocked (solid, or the sphere does not fit, and nothing is within `reach`);
// off_world (outside the bounds or in a chunk that is not there, and no place within `reach`); budget_spent; partial. With `partial`
// budget_spent has the way to the place opened that is nearest the goal, none where that is the start; and a goal on the map that is solid
// or cut off gives `partial`, with the way to the voxel's middle nearest to it (of a list: to any of it) that can be reached, none where
// the start is as near; for wider spheres, whose goal is found to be cut off, to the nearest place opened.
//
// Special cases. start == goal: complete without legs, if the unit can be there.
//
// Errors of a malformed query (nothing is searched), Error::field names the field: not_finite and out_of_range; unsupported (adjacent,
// in_sight, a cell, a waypoint, a turning radius, a body that is no disc; with a planner other than any_angle a radius of more
// than half a voxel, and blockers); blockers and areas, with the index: not_finite, out_of_range (radius below 0, or what area.h
// says), size_limit; incompatible (footprint). Also out_of_memory.
//
// Cost: about 35 us on the Warframe maps, at most 0.7 ms there; 3 times that for a sphere of half a voxel, 6 times for 1.5 voxels.
// Whether a wide sphere gets through at all may take as long as the smaller side is large (seconds for millions of voxels): use slices.
// Memory grows with the answer: some 100 KB of scratch. No allocation when warm.
//
// Sources: Nash, Koenig and Tovey 2010 (Lazy Theta*); Brewer and Sturtevant 2018 (the maps).
#pragma once

#include <concepts>

#include <fairlead/base/result.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

/// Blocking. The Route is new; use find_route_into to reuse one.
template <std::same_as<VolumeQuery> Query>
[[nodiscard]] Result<Route> find_route(const VolumeState& volume, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});

/// Blocking, into a route whose memory is reused. On an Error `route` is cleared.
template <std::same_as<VolumeQuery> Query>
[[nodiscard]] Result<void> find_route_into(const VolumeState& volume, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const VolumeState&, const VolumeQuery&, Scratch&,
                                         const SearchHooks&);
extern template Result<void> find_route_into(const VolumeState&, const VolumeQuery&, Scratch&, Route&,
                                             const SearchHooks&);

namespace volume {
class SearchRun;  // src/volume/search/search_run.h
}

struct VolumeSearchKind {
    using World = VolumeSnapshot;
    using Query = VolumeQuery;
    using Run = volume::SearchRun;
};

/// The same in slices (search/route_search.h).
using VolumeSearch = RouteSearch<VolumeSearchKind>;
extern template class RouteSearch<VolumeSearchKind>;
static_assert(SlicedSearch<VolumeSearch>);

}  // namespace fairlead
