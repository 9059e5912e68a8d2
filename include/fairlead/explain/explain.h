// explain: why a query over a tile world, a level mesh, a roadmap or a volume has no route, and what would help.
//
//     Result<Explanation> why = explain(*town, query, scratch);
//     if (why) puts(why->text().c_str());       // "blocked at (17, 8): would need radius <= 3.1"
//
// Asks the query again; if it has no route, looks for the reason and for single changes with which there is one:
//
//   reason           what is the matter                                   helps that are looked for
//   none             nothing: there is a route
//   off_world        start or goal is outside the map
//   start_blocked    the body does not fit there: which tile it meets,    smaller_body, move_start or move_goal
//   goal_blocked     how much room there is, the nearest place where it fits
//   sealed           no ground joins the two: the smaller side, its area  open_terrain, no_blockers
//   too_wide         ground joins them, but not wide enough for the body  smaller_body, open_terrain, no_blockers
//   turning          wide enough, but the unit cannot turn into it        reverse_gear, pivot, goal_heading, start_heading,
//                                                                         smaller_circle, smaller_body, open_terrain,
//                                                                         no_blockers
//   window           the fixed window alone; other planners find a way
//   budget_spent     the query did not end within the budget: nothing is known
//
// Every help that is `found` comes with the route that proves it and the unit that it is for. `none` is what a search that
// ended says: for walkers it is exact, for turning units it holds on the lattice (find_drive.h; no further query leaves it).
// `not_looked` means that the budget or the trials ended first.
//
// How exact. Walkers that are discs: the largest radius is exact, by a widest-path search over the middles of the tiles with exact
// clearances; discs are then tried between tiles' middles as well, at every radius that two tiles can allow. Footprints:
// every smaller side is tried, from the largest. Turning units: turning radius and size of the body by bisection over tables, to
// `accuracy`, between a value with a route and one without; ways on a lattice need not get ever more as a value falls, so a
// larger value may do as well. Their tightest place is that of the largest disc around the axle, at every half tile.
//
// Volumes. Reasons are none, off_world, start_blocked, goal_blocked, sealed, too_wide, budget_spent. The largest radius lies between two
// searches, `value` with a route and `failed` without, at most `accuracy` of a voxel's shortest side apart; radii at which two voxels
// let a sphere just pass are then tried in between: where such a pair is what is tight, `failed` is 1/1024 above `value`. What find_route
// says of spheres holds for them (volume/find_route.h: unreachable). The tightest place lies on the route of `value`, where a sphere of
// `failed` gets no farther; it may be missing where the budget ended. Sealed: the pocket of free voxels on the smaller side, the solid
// voxels that close it in (walls), and the nearest places with a way for the other end: move_goal, move_start. An upright capsule is
// made smaller as a whole; width is then that of a capsule of the height that failed.
//
// Level meshes. Reasons are none, off_world (no surface, closed areas included, is within MeshQuery::reach of an end), start_blocked and
// goal_blocked (`closed_area`: it is on an area that the filter closes; else there is no room: `width`), sealed, too_wide, budget_spent.
// too_wide: the ends are joined for a point. The widest way over the mesh is the one whose narrowest gate, or link, is widest; its
// half is tried, and a radius 1e-6 above it. Where that is what is tight, `value` is exact; else (an end of a link near a wall, corners
// of closed areas) it lies between two searches, at most `accuracy` of the unit's radius apart. place and width are those of that gate
// or link. A unit without room at an end is put near it, within reach; a smaller one is then asked for as if it came fresh, and may
// be put elsewhere. sealed: all polygons and links that are not closed are flooded for a point; `area` counts polygons, which depends
// on how the surface is cut, `ground_area` does not. one_way: there is a way against a one-way link. move_start and move_goal are the
// nearest places from or to which the unit gets, as the body is pushed clear of the walls from the nearest point of each polygon; where
// the other end is blocked too, the nearest where it stands. open_terrain: areas and kinds of links; areas are spared first. Obstacles
// belong to the mesh, so no_blockers is not asked. smaller_body: never below 0; of two radii below NavMeshOptions::agent_radius one goes
// where the other does, but for links.
//
// Turning units on meshes. The ground is that of the largest disc around the axle within the body, without links: where that has no
// route, reason, place and width are its (sealed, too_wide); else the unit cannot turn into it, or is too long (turning). Helps are as on
// tiles, between lattices of one cell size; open_terrain: areas. Blocked ends: `width` is what a disc has there; closed_area as above.
//
// Units with a turning circle in volumes. What fits within the body, a sphere or an upright capsule about the axle that turns on the
// spot, is asked first: where it has no way, reason, place, width, pocket and voxel are its (sealed, too_wide), proven. Else turning: the
// search of such units gives up, so it is no proof that there is no way. Helps: the nearest of 7 other headings at either end,
// smaller_circle, smaller_body, no_blockers (all of them; they do not count as ground); a query that gave up counts as one without a
// route. Blocked ends: another heading there, smaller_body, no_blockers.
//
// Roadmaps. Reasons are none, off_world (no waypoint or open edge is within attach_range of an end), start_blocked and goal_blocked (none
// of them is in sight for this unit), sealed, too_wide, budget_spent. too_wide: for a point there is a way. The widths of the kinds of
// road are tried by halving, exactly; what walls leave (check_edges, attaching) lies between two searches, at most `accuracy` of the radius
// apart. `edge` is the narrowest road of the way of `value`; else place is where that way is too near a wall for `failed`. sealed: `area`
// counts the waypoints of the closed side, of those that the filter leaves; one_way: there is a way against one-way edges. open_terrain:
// kinds, then bits of blocked_flags, then the filter's own function; they are spared in that order. move_start and move_goal are the
// nearest places of the net, waypoints or places on edges, from or to which the unit gets. Units that the user alone stops
// (SightQuery) are explained as by walls.
//
// Cost: bounded by ExplainOptions. For walkers up to two looks at the whole map: 0.25 s for 512 x 512 with 900 small buildings. For
// turning units a trial is a table and a map, two of each where poses at half cells are looked at too: 10 ms for a small circle on
// a small map, 0.2 s for one of 12 cells, and up to 25 trials; on that large map 2.7 s in all. In volumes some 20 searches. On
// meshes 2 to 10 searches, and up to three looks at all polygons.
// Allocates: it is not for every frame.
// Deterministic.
//
// Errors: those of find_route for the query; out_of_range or not_finite with index -2 for a bad accuracy.
//
// Source: widest paths, Pollack 1960.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/fly/query.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

struct ExplainOptions {
    std::uint64_t expansions = 4000000;  ///< of all searches together, the first one included
    std::int32_t trials_max = 40;        ///< further queries; each makes a table and a map for turning units
    /// Of a turning radius: in cells, or as a share of it; of a body: as a share; of a sphere in a volume: in voxels; on a mesh: as a
    /// share of the radius asked for. 0.001 to 1.
    double accuracy = 0.05;
};

enum class ExplainReason : std::uint8_t {
    none,
    off_world,
    start_blocked,
    goal_blocked,
    sealed,
    too_wide,
    turning,
    window,
    budget_spent,
    count_,
};
/// "sealed", ... for logs and JSON. Never null.
[[nodiscard]] const char* reason_name(ExplainReason reason);

enum class HelpKind : std::uint8_t {
    smaller_circle,  ///< value: turning radius
    reverse_gear,
    pivot,          ///< turning on the spot
    goal_heading,   ///< another heading at the goal; value: which, radians
    start_heading,  ///< another heading at the start; value: which, radians
    smaller_body,  ///< value: radius of a disc or sphere, side of a footprint in tiles, else the factor on all sizes of the body
    open_terrain,  ///< terrain that the filter closes: `terrain`
    no_blockers,   ///< value: the one that is in the way, by index; -1: all of them together
    move_start,  ///< place: the nearest one where the body fits (sealed: that can be reached); value: how far
    move_goal,
    count_,
};
[[nodiscard]] const char* help_name(HelpKind kind);

enum class Proof : std::uint8_t {
    not_asked,   ///< makes no sense here
    not_looked,  ///< budget or trials ended first
    none,        ///< looked for: it would not do
    found,       ///< it would: see route
};
[[nodiscard]] const char* proof_name(Proof proof);

struct Help {
    Proof proof = Proof::not_asked;
    double value = 0.0;   ///< as the kind says, world units; found: with it there is a route
    double failed = 0.0;  ///< smaller_body, smaller_circle: with this value there is none
    Place place{};        ///< move_start, move_goal; set even where there is no route from there
    bool has_place = false;
    /// open_terrain: bit k % 64 of word k / 64 for kind k of terrain, area k of a mesh, kind k of a roadmap's edges. Of these and of
    /// what follows none can be spared.
    std::uint64_t terrain[4]{};
    std::uint64_t links = 0;  ///< open_terrain on a mesh: bit k for kind k of link
    std::uint32_t flags = 0;  ///< open_terrain on a roadmap: bits of EdgeFilter::blocked_flags
    bool own_factor = false;  ///< open_terrain on a roadmap: without EdgeFilter::factor
    Agent agent{};            ///< the unit of the route
    Route route;              ///< found: the proof
};

/// Two sentences at most. A value that owns its characters; nothing is allocated.
struct ExplainText {
    char characters[512] = "";
    [[nodiscard]] const char* c_str() const { return characters; }
};

/// Which sort of world was asked.
enum class ExplainWorld : std::uint8_t { tiles, volume, mesh, roadmap };

/// Move only.
struct Explanation {
    ExplainWorld world = ExplainWorld::tiles;
    ExplainReason reason = ExplainReason::none;
    PathStatus status = PathStatus::complete;  ///< of the query
    Agent agent{};                             ///< of the query
    /// The tightest place on the widest way (too_wide), the blocked end (start_blocked, goal_blocked, off_world).
    bool has_place = false;
    Place place{};
    double width = kUnknown;  ///< diameter of the largest disc that may be there, as far as the unit's own
    Cell cell{-1, -1,
              -1};  ///< start_blocked, goal_blocked: the tile that the body meets; of several the nearest
    bool has_voxel = false;  ///< start_blocked, goal_blocked in a volume:
    Voxel voxel{};         ///< the nearest one that the body meets; outside the bounds where those are nearer
    int closed_area = -1;  ///< start_blocked, goal_blocked on a mesh: the area there, which the filter closes
    std::int64_t link = -1;  ///< too_wide on a mesh: the id of the link, where it is one that is too narrow
    bool has_edge = false;   ///< too_wide on a roadmap, at an edge: it is this one
    WaypointEdge edge{};
    bool goal_side =
        false;  ///< sealed: the closed side is the goal's; on meshes and roadmaps always: which end is meant
    std::int64_t area = 0;     ///< sealed: how many tiles, voxels, polygons or waypoints that side has
    double ground_area = 0.0;  ///< sealed on a mesh: its area on the ground plane, in square world units
    /// sealed on a mesh or a roadmap: one-way links or edges lead there, the other way round; were they open both ways, there would
    /// be a way.
    bool one_way = false;
    std::int64_t walls =
        0;  ///< sealed in a volume: solid voxels that share a face with that side; bounds do not count
    VoxelBox pocket{};  ///< sealed in a volume: the box around that side
    Help helps[static_cast<std::size_t>(HelpKind::count_)];
    std::uint64_t expanded = 0;  ///< spent
    std::int32_t trials = 0;

    [[nodiscard]] const Help& help(HelpKind kind) const { return helps[static_cast<std::size_t>(kind)]; }
    /// Do places have a height?
    [[nodiscard]] bool in_space() const { return world != ExplainWorld::tiles; }
    /// Without a full stop.
    [[nodiscard]] ExplainText text() const;
};

/// Walkers: discs, footprints, points.
[[nodiscard]] Result<Explanation> explain(const GridState& grid, const GridQuery& query, Scratch& scratch,
                                          const ExplainOptions& options = {});

/// Turning units. `setup` as in find_route over a grid. The map that the scratch keeps for the unit stays there.
[[nodiscard]] Result<Explanation> explain(const GridState& grid, const DriveQuery& query, Scratch& scratch,
                                          const ExplainOptions& options = {},
                                          const GridDriveSetup& setup = {});

/// Points, spheres and upright capsules in a volume.
[[nodiscard]] Result<Explanation> explain(const VolumeState& volume, const VolumeQuery& query,
                                          Scratch& scratch, const ExplainOptions& options = {});

/// Units with a turning circle in a volume. `expansions_max` of the query is that of each further query as well.
[[nodiscard]] Result<Explanation> explain(const VolumeState& volume, const FlyQuery& query, Scratch& scratch,
                                          const ExplainOptions& options = {});

/// Points and discs on a level mesh.
[[nodiscard]] Result<Explanation> explain(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch,
                                          const ExplainOptions& options = {});

/// Turning units on a level mesh. A table that the query gives is asked first; further queries make tables of their own, with its cells.
[[nodiscard]] Result<Explanation> explain(const NavMeshState& mesh, const MeshDriveQuery& query,
                                          Scratch& scratch, const ExplainOptions& options = {});

/// Over a roadmap.
[[nodiscard]] Result<Explanation> explain(const RoadmapState& net, const RoadmapQuery& query,
                                          Scratch& scratch, const ExplainOptions& options = {});

}  // namespace fairlead
