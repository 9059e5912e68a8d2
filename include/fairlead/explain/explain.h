// explain: why a query over a tile world or a volume has no route, and what would help.
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
// voxels that close it in (walls), and the nearest places with a way for the other end: move_goal, move_start.
//
// Cost: bounded by ExplainOptions. For walkers up to two looks at the whole map: 0.25 s for 512 x 512 with 900 small buildings. For
// turning units a trial is a table and a map, two of each where poses at half cells are looked at too: 10 ms for a small circle on
// a small map, 0.2 s for one of 12 cells, and up to 25 trials; on that large map 2.7 s in all. In volumes some 20 searches.
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
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

struct ExplainOptions {
    std::uint64_t expansions = 4000000;  ///< of all searches together, the first one included
    std::int32_t trials_max = 40;        ///< further queries; each makes a table and a map for turning units
    /// Of a turning radius: in cells, or as a share of it; of a body: as a share; of a sphere in a volume: in voxels. 0.001 to 1.
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
    smaller_body,  ///< value: radius of a disc, side of a footprint in tiles, else the factor on all sizes of the body
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
    std::uint64_t
        terrain[4]{};  ///< open_terrain: bit k % 64 of word k / 64 for kind k; none of them can be spared
    Agent agent{};     ///< the unit of the route
    Route route;       ///< found: the proof
};

/// Two sentences at most. A value that owns its characters; nothing is allocated.
struct ExplainText {
    char characters[512] = "";
    [[nodiscard]] const char* c_str() const { return characters; }
};

/// Move only.
struct Explanation {
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
    Voxel voxel{};  ///< the nearest one that the body meets; outside the bounds where those are nearer
    bool goal_side = false;  ///< sealed: the closed side is the goal's
    std::int64_t area = 0;   ///< sealed: how many tiles or voxels that side has
    std::int64_t walls =
        0;  ///< sealed in a volume: solid voxels that share a face with that side; bounds do not count
    VoxelBox pocket{};      ///< sealed in a volume: the box around that side
    bool in_space = false;  ///< of a volume: places have a height
    Help helps[static_cast<std::size_t>(HelpKind::count_)];
    std::uint64_t expanded = 0;  ///< spent
    std::int32_t trials = 0;

    [[nodiscard]] const Help& help(HelpKind kind) const { return helps[static_cast<std::size_t>(kind)]; }
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

/// Points and spheres in a volume.
[[nodiscard]] Result<Explanation> explain(const VolumeState& volume, const VolumeQuery& query,
                                          Scratch& scratch, const ExplainOptions& options = {});

}  // namespace fairlead
