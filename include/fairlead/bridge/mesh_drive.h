// Turning units on a level mesh: from pose to pose, over every floor, exact against the walls.
//
//     const Agent car{.radius = 0.6, .turning_radius = 1.8, .can_reverse = true};
//     Result<Route> way = find_route(*level, MeshDriveQuery{.start = {{2, 3, 0}, 0.0}, .goal = {{40, 8, 0}, kHalfPi},
//                                                           .agent = car}, scratch);
//
// The route starts and ends in the exact poses; its legs are lines and arcs of at most the turning radius' curvature, forward
// and, for units that can, in reverse, and for units that pivot turns on the spot. Heights are those of the surface where legs
// begin. Leg::clearance is kUnknown.
//
// Body and walls. A mesh ends NavMeshState::agent_radius() before the walls of its level, so of the body only what is beyond
// that is compared with the mesh's own sides (body_beyond in route/agent.h): of a disc radius - agent_radius; a disc no larger
// than that is a point. The rest of the body and the axle keep to the surface all along, exactly: where they go they touch sides
// without a neighbour by at most 1e-9 of a cell. A box or capsule is as much smaller at every side as its margin needs; so every
// point of the whole body is within agent_radius of the surface, which is to say out of the walls.
//
// Floors. A state of the search is a pose and the polygon that it is in. The surface is followed from side to side, so floors
// above each other are as far apart as the way between them is long.
//
// How. A best-first search over a lattice of poses (drive_table.h), each move tested by sweeping the body over the mesh. Far
// from walls one look at the nearest wall is enough for all moves of a place. Lower bounds: the shortest curve on open ground,
// and the exact distance to the goal over the surface for a point, found backward from the goal as far as it is asked for. Exact
// poses off the lattice are joined by shortest curves. The way found is pulled taut by exact curves (smooth). Where the search
// comes no nearer to the goal, it tries curves round the next corners of a point's way, through gaps that no pose of the lattice
// lies in; from the 500th pose on it is searched from the goal as well. It ends when it has a way within `epsilon` and has found
// no better one for 128 poses. Nothing is prepared for a mesh, so a mesh that has changed costs nothing; only what the search
// comes to is looked at.
//
// Areas (technique W7). With factors of areas in the filter a route costs its length times the cost of the area that the axle is in, cut
// exactly at the borders of polygons; on a border it is in the cheaper area. Penalties for gears and turns on the spot are the
// same in all areas. The lower bound is the length times the cheapest open area's cost: give areas that the level does not have
// no smaller one. Smoothing knows the costs and never makes a way dearer.
//
// Links are not taken, whatever their kind: a jump is none for a wheeled unit, and a place that only links lead to is
// unreachable. For a ferry or a lift, drive to its end (MeshLinkState: from, to, heading_rad) and from its other end: two
// queries. What the filter says of links changes nothing.
//
// Headings. Without one, or with a tolerance, any of the lattice's headings that fits will do, at the start and at the goal; the
// cheapest route is looked for over all of them.
//
// A goal within a range. Any pose of the lattice will do from which a way over the surface, as wide as the unit, leads to the goal and is
// no longer than the range: a place on the floor above is as far as the stairs to it are long. In the goal's heading, if it has one: the
// lattice's nearest. Whether the body fits anywhere in there is not looked at first: where it does not, there is no way.
//
// Planners: as find_drive.h says. Route::bound is what is known: `epsilon` at most, and no more than the route costs against the lower
// bound from its start.
//
// What a DriveQuery has and this has not: off_lattice_max, a search over all poses. A gap that neither the lattice's poses nor the
// curves round the corners of a point's way lead through is found by MeshLatticeOptions::refine or not at all.
//
// The nearest place. With `partial` a goal that is unreachable, or on the surface where the body does not stand, gives the way to the
// place of the lattice nearest to it on the ground plane (of equals nearest in height, then the one met first) that the unit reaches
// in any heading: status partial, no bound. No legs: none is nearer than the start. The search goes on until no place nearer is left
// that the body stands at, which beside a wall is soon; for a goal in a part of the level that the unit cannot come to, where many
// stand, through all that it reaches.
//
// Statuses: complete; partial (asked for); start_blocked, goal_blocked (no surface there within `reach` above and below, or the body
// does not stand on it); off_world (outside the mesh's box); unreachable: parts of the mesh that do not hang together (about 1 us), or
// proven on the lattice by a search that ends (curves through gaps between its poses are not part of the proof); budget_spent.
//
// Errors, Error::field names the field: not_finite and out_of_range (areas, detail 1: the factors of open areas are more than 1e6 times
// apart); size_limit (areas); unsupported: a goal that is neither point nor within, a start or goal that is no position. Of the one call
// also those of DriveTable::make (incompatible: a footprint in tiles) and out_of_memory.
//
// Cost: docs/meshes.md has the figures. With factors of areas a pose opened costs up to 1.7
// times as much, and as the lower bound knows the cheapest area only, ways over much dear ground open many more poses. A warm
// call allocates nothing. Memory: 32 bytes a place met, 16 bytes a pose of the places met, 64 bytes an interval of the distance
// flood. Deterministic; sliced = unsliced.
//
// Source: as find_drive.h; state = pose and polygon, so that the lattice lies on the surface like a sheet.
#pragma once

#include <concepts>
#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// The lattice of poses that a unit is searched on, where the query gives no table.
struct MeshLatticeOptions {
    /// World units. 0: a third of the turning radius, at most the body's width.
    double cell_size = 0.0;
    std::int32_t headings = 8;  ///< as in DriveTableOptions
    double stretch = 1.05;
    /// Where there is no path, look again with poses at every half cell and 16 headings (turning radii up to 16 cells).
    bool refine = true;
    Allocator allocator{};
};

struct MeshDriveQuery {
    Spot start{};   ///< of the axle; z tells the floor; without a heading any of the table's will do
    Goal goal{};    ///< point or within; the same of its heading
    Agent agent{};  ///< turning_radius > 0. With a table of your own: not read, the table knows its unit
    /// How far above and below start and goal the surface may be; `across` is not used: poses stay where they are.
    MeshReach reach{};
    MeshFilter filter{};           ///< closed areas are walls; no links are taken, whatever it says of them
    double epsilon = 1.4;          ///< weighted, anytime (the first weight): 1 to 100
    double reverse_penalty = 1.5;  ///< a length in reverse counts this many times; 1 to 1000
    double cusp_penalty = 1.0;     ///< each change of gear costs this length, as in a DriveQuery
    double pivot_penalty = 2.0;    ///< a radian on the spot costs this length, as there
    std::uint64_t expansions_max = UINT64_MAX;
    DrivePlanner planner = DrivePlanner::weighted;
    bool smooth = true;  ///< pull the way found taut: legal arcs, never dearer
    /// budget_spent, cancelled included: give the way to the best pose so far, as DriveQuery::partial (find_drive.h). unreachable,
    /// goal_blocked on the surface: that to the nearest place that is reached.
    bool partial = false;
    /// The unit's moves (its cell size is up to you); then there is no second look with finer poses. It must outlive the search. Null:
    /// the one call makes one as `lattice` says and keeps it in the scratch for the next query of the same unit; a search in slices
    /// is refused (incompatible).
    const DriveTable* table = nullptr;
    MeshLatticeOptions lattice{};  ///< read where there is no table
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(MeshDriveQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.filter.areas.factors);
    visit(query.filter.links.factors);
}

/// The table that the one call uses first; make it yourself to share it between threads. Errors: those of DriveTable::make.
[[nodiscard]] Result<DriveTable> make_mesh_drive_table(const Agent& agent,
                                                       const MeshLatticeOptions& lattice = {});

/// Blocking. The Route is new; use find_route_into to reuse one.
template <std::same_as<MeshDriveQuery> Query>
[[nodiscard]] Result<Route> find_route(const NavMeshState& mesh, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});
/// Blocking, into a route whose memory is reused. On an Error `route` is cleared.
template <std::same_as<MeshDriveQuery> Query>
[[nodiscard]] Result<void> find_route_into(const NavMeshState& mesh, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const NavMeshState&, const MeshDriveQuery&, Scratch&,
                                         const SearchHooks&);
extern template Result<void> find_route_into(const NavMeshState&, const MeshDriveQuery&, Scratch&, Route&,
                                             const SearchHooks&);

namespace bridge {
class MeshDriveRun;  // src/bridge/mesh_drive_run.h
}

struct MeshDriveSearchKind {
    using World = NavMeshSnapshot;
    using Query = MeshDriveQuery;
    using Run = bridge::MeshDriveRun;
};

/// The same in slices (search/route_search.h), with a table. A unit is an expansion, or a curve tried.
using MeshDriveSearch = RouteSearch<MeshDriveSearchKind>;
extern template class RouteSearch<MeshDriveSearchKind>;
static_assert(SlicedSearch<MeshDriveSearch>);

}  // namespace fairlead
