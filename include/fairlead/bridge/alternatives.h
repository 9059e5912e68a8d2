// Several ways instead of one: routes that differ, none much dearer than the best. So that guards, wild animals and raiders do not walk
// in one line, and a player cannot tell where they will come from.
//
//     Route ways[3];
//     Result<std::size_t> found = find_alternatives(*town, query, {.stretch = 1.2, .seed = 7}, scratch, ways);
//     if (found && *found > 0) follow(ways[unit_number % *found]);
//
// ways[0] is what find_route gives. Each other one costs at most `stretch` times that (Route::line_cost: length by terrain and areas),
// and of its length a share of at least `apart` runs farther than `width` from each way before it. As many as the list holds are looked
// for; fewer where `trials` tries find no more, as in a corridor, where there is one way. Same seed and world: same ways everywhere;
// another seed gives others. Every way is legal as those of find_route are; the way through an open field bends a little where nothing
// is in the way, which is what sets it apart.
//
// How. A way over a random place beside the best one, then drawn tight about that place: from the middle of its first half to the middle of
// the second by a search of its own, so that no way turns back or goes round for nothing near the place (the via-node method of Abraham
// et al. 2013, with seeded places). On roadmaps the place is a waypoint, nothing is drawn tight, and a way that comes
// to a waypoint twice is none.
//
// Worlds: tiles (GridQuery: walkers), level meshes (MeshQuery), roadmaps (RoadmapQuery). A goal may be any that the query can have.
// Cost: five searches a try; on a town of 255 x 255 tiles 0.8 ms for four ways, 1.7 ms for 40 tries in vain. Ask when an order is given;
// keep the ways, and let the units of a group share them. No allocation when warm (routes of the same list, same scratch).
// Where the query has no route, or start and goal are one place: 1, and ways[0] says why.
// Errors: those of find_route; size_zero, size_limit (places: `routes`, 1 to 64); out_of_range or not_finite: stretch, gap (apart),
// width, searches_max (trials).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

inline constexpr std::size_t kAlternativesMax = 64;

struct AlternativeOptions {
    double stretch = 1.25;  ///< 1 to 10: what a way may cost, times the best one
    double apart = 0.3;     ///< 0.01 to 1: the share of a way that no other one runs along
    double width = 0.0;     ///< world units: nearer than this is along. 0: 2 % of the best way's length
    std::uint64_t seed = 1;
    std::int32_t trials = 40;  ///< 1 to 10000
};

/// How many of `routes` are ways, the best first. The others are cleared.
template <class World, class Query>
[[nodiscard]] Result<std::size_t> find_alternatives(const World& world, const Query& query,
                                                    const AlternativeOptions& options, Scratch& scratch,
                                                    std::span<Route> routes);
extern template Result<std::size_t> find_alternatives(const GridState&, const GridQuery&,
                                                      const AlternativeOptions&, Scratch&, std::span<Route>);
extern template Result<std::size_t> find_alternatives(const NavMeshState&, const MeshQuery&,
                                                      const AlternativeOptions&, Scratch&, std::span<Route>);
extern template Result<std::size_t> find_alternatives(const RoadmapState&, const RoadmapQuery&,
                                                      const AlternativeOptions&, Scratch&, std::span<Route>);
/// The owners of worlds.
[[nodiscard]] inline Result<std::size_t> find_alternatives(const Grid& grid, const GridQuery& query,
                                                           const AlternativeOptions& options,
                                                           Scratch& scratch, std::span<Route> routes) {
    return find_alternatives(grid.state(), query, options, scratch, routes);
}
[[nodiscard]] inline Result<std::size_t> find_alternatives(const NavMesh& mesh, const MeshQuery& query,
                                                           const AlternativeOptions& options,
                                                           Scratch& scratch, std::span<Route> routes) {
    return find_alternatives(mesh.state(), query, options, scratch, routes);
}
[[nodiscard]] inline Result<std::size_t> find_alternatives(const Roadmap& roads, const RoadmapQuery& query,
                                                           const AlternativeOptions& options,
                                                           Scratch& scratch, std::span<Route> routes) {
    return find_alternatives(roads.state(), query, options, scratch, routes);
}

/// The share of a route's length that runs farther than `width` from every drive leg of another one, by 256 samples; legs on another
/// layer are far. 0 for a route without length.
[[nodiscard]] double share_apart(const Route& route, const Route& other, double width);

}  // namespace fairlead
