// Turning units over a tile world.
//
//     const Agent truck{.radius = 1.2, .turning_radius = 6.0, .can_reverse = true};
//     Result<Route> way = find_route(*town, DriveQuery{.start = {{10, 10}, 0.0}, .goal = {{80, 42}, kHalfPi},
//                                                      .agent = truck}, scratch);
//
// That one call makes the unit's table and prepares the map, and keeps both in the scratch: the next query for the same
// unit finds them there. It compares the map with the grid at every call, so edits are seen. Games with many
// threads or kinds of units make both themselves, once, and share them:
//
//     Result<DriveTable> moves = DriveTable::make({.agent = truck, .cell_size = town->state().cell_size()});
//     Result<DriveMap> map = make_drive_map(*town, *moves);
//     Result<Route> way = find_route(*map, DriveQuery{...}, scratch);
//     update_drive_map(*map, *town);                                 // after edits
//
// Tiles that a unit may not enter are walls to it: tile 0, and terrain whose cost in `terrain` is 0. Driving through
// terrain costs its length times the terrain's cost, exactly, cut at the borders of the cells.
//
// Floors. Units take portals as walkers do: from the middle of one tile to the middle of the other, where their body stands there
// in the heading that they come in; they keep it, and pay the portal's cost (drive_map.h says all of it). A ramp or a wide stair is
// one portal for each tile of its edge. To plan on one floor alone set GridDriveOptions::layer.
//
// Roads. A RoadLayer of the grid's size in the options makes lanes count (drive/road_rules.h):
//
//     find_route(*town, query, scratch, {.map = {.roads = &roads, .road_rules = {.off_road = kRoadForbidden}}});
//
// Blockers. Other units that stand still: DriveQuery::blockers, exact, for one query. What else is made over a map (fields, fixed
// angles, rounded corners, the hybrid) knows those of GridDriveOptions alone: every tile that one of them reaches into is a wall to
// the map that is made or updated with them, and a unit that stands in such a tile is start_blocked. The next call without them has
// them gone.
//
// Errors: those of DriveTable::make, DriveMap::make and find_route; out_of_range (layer, terrain, road_rules, blockers: index which),
// not_finite (blockers, terrain); size_limit (terrain), size_mismatch (roads, cones); unsupported for a map that wraps, and of roads or
// cones with several layers at once; size_limit: the layers together have more than 16384 rows of poses; incompatible (floors): a table
// with poses in the corners of tiles (DriveNodes::corners, fitting) where there are portals, a unit whose axle lies outside its body
// with several layers: plan for one `layer`.
// Cost of the one call beyond find_route: 1 us for 1000 cells of the map; 10 to 60 ms where the table is made.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

#include <fairlead/base/borrowed.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/grid/road_cones.h>
#include <fairlead/grid/road_layer.h>

namespace fairlead {

/// All layers of a grid, and its portals.
inline constexpr std::int32_t kAllLayers = -1;

struct GridDriveOptions {
    /// One layer without portals, or all of them with the portals as links: the layers of start and goal say where.
    std::int32_t layer = kAllLayers;
    KindFilter terrain{};  ///< by value; its span must live until the call returns
    /// The grid's roads, in its cells; read during the call. Null: there are none. With it `road_rules` count.
    const RoadLayer* roads = nullptr;
    RoadRules road_rules{};
    const RoadCones* cones = nullptr;  ///< cells that are walls for this map; read during the call
    /// Each on its layer; read during the call. A disc or a box, as for walkers (route/blocker.h).
    Borrowed<Blocker> blockers{};
    Allocator allocator{};
};

/// The table must be for the grid's cell size (incompatible).
[[nodiscard]] Result<DriveMap> make_drive_map(const GridState& grid, const DriveTable& table,
                                              const GridDriveOptions& options = {});

/// After edits of the grid: compares and remakes what has changed. `options` as when it was made. No search may be under
/// way over the map. Errors: out_of_memory, the map as it was.
[[nodiscard]] Result<void> update_drive_map(DriveMap& map, const GridState& grid,
                                            const GridDriveOptions& options = {});

/// What the one call needs to know beside the query.
struct GridDriveSetup {
    GridDriveOptions map{};
    std::int32_t headings = 8;  ///< as in DriveTableOptions
    /// As there. With rings 1 to 4 the one call makes the article's search and no other: poses in whole tiles on maps of every
    /// size; `refine` and `off_lattice_max` below are not read.
    std::int32_t rings = 0;
    bool every_word = false;  ///< as in DriveTableOptions
    double stretch = 1.05;
    /// Instead of `fitting`, maps of up to 64 x 64 cells have poses at every half cell (drive_nodes_for); it costs little there. Where
    /// there are portals, larger ones have `centres`.
    DriveNodes nodes = DriveNodes::fitting;
    /// Where there is no way, look again with poses at every half cell (turning radii up to 16 cells). That table and map are
    /// made when they are first needed: 0.1 to 0.3 s for 512 x 512, four times the memory.
    bool refine = true;
    /// Where that has no way either: DriveQuery::off_lattice_max, unless the query sets its own.
    std::uint64_t off_lattice_max = 30000;
};

/// Where the one call puts the poses at first.
[[nodiscard]] DriveNodes drive_nodes_for(const GridState& grid, const Agent& agent,
                                         const GridDriveSetup& setup = {});
/// Are poses at every half cell another lattice than those, and can they be had?
[[nodiscard]] bool may_refine(const GridState& grid, const Agent& agent, DriveNodes nodes);

template <std::same_as<DriveQuery> Query>
[[nodiscard]] Result<Route> find_route(const GridState& grid, const Query& query, Scratch& scratch,
                                       const GridDriveSetup& setup = {}, const SearchHooks& hooks = {});
template <std::same_as<DriveQuery> Query>
[[nodiscard]] Result<void> find_route_into(const GridState& grid, const Query& query, Scratch& scratch,
                                           Route& route, const GridDriveSetup& setup = {},
                                           const SearchHooks& hooks = {});
extern template Result<Route> find_route(const GridState&, const DriveQuery&, Scratch&, const GridDriveSetup&,
                                         const SearchHooks&);
extern template Result<void> find_route_into(const GridState&, const DriveQuery&, Scratch&, Route&,
                                             const GridDriveSetup&, const SearchHooks&);

/// What round_corners (drive/round_corners.h) makes curves of: the corners of the smoothed tile route of a disc that fits into the
/// unit's body, and the goal. By default those that the article's greedy smoothing leaves. Smoothing::best pulls them to the
/// corners of walls, where nobody could turn: curves from there hit walls and go round in loops. The status of the tile
/// route; without one `waypoints` is empty. Errors: those of find_route for walkers.
[[nodiscard]] Result<PathStatus> find_waypoints(const GridState& grid, Vec2 start, Vec2 goal,
                                                const Agent& agent, Scratch& scratch, Array<Vec2>& waypoints,
                                                Smoothing smoothing = Smoothing::greedy_shortcut);

/// The prepared map that the one call uses first, made or brought up to date. Valid until the scratch is used for a grid again.
[[nodiscard]] Result<const DriveMap*> drive_map_in(Scratch& scratch, const GridState& grid,
                                                   const Agent& agent, const GridDriveSetup& setup = {});

}  // namespace fairlead
