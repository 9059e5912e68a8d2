// Legal turns by post-processing: the article's four ways to give a polyline a turning circle (techniques L1 to L4).
//
//     CornerQuery query{.start = {{2.5, 2.5}, 0.0}, .waypoints = corners};
//     Result<RoundedCorners> way = round_corners(*map, query, CornerMethod::tighter, scratch);
//     if (way->legal) follow(way->route);            // only then is it free of walls
//
// A way of waypoints, from a grid search say, is driven one stretch after another: a stretch leads from where the last one
// ended, in the heading in which it ended, to the next waypoint. The methods differ in what they do about walls:
//   ignore_walls  (L1) nothing: the shortest curve to each waypoint. What it clips is measured and told, stretch by stretch.
//   search_again  (L2) a stretch that clips is banned and the way searched again, until all are free, or there is no way left.
//                      The search is the caller's, or one over the map's free cells: 8 neighbours, straight stretches as long
//                      as the body passes; then the query's waypoints but the last are not used.
//   tighter       (L3) a stretch that clips is driven with a smaller turning radius, down to radius_min. The radius used is
//                      told, stretch by stretch: the unit has to go slower there.
//   back_up       (L4) three-point turns: Reeds-Shepp words from waypoint to waypoint, of the free ones those that make the whole
//                      shortest. Headings at the waypoints: 16 equal ones, the direction in and the direction out.
// Waypoints pulled to the corners of walls are no good for any of them: the article smooths greedily, and so does find_waypoints
// (bridge/grid_drive.h).
// These are the classic methods, quick and easy to explain; none is complete. What they cannot do, find_drive.h does.
//
// Legal. Every stretch is tested with the exact swept test for the map's unit. `legal` says that all are free: then verify accepts
// the route for the map's agent (tighter: with turning_radius = radius_least). Where it is false the route's status does not
// mean that it may be driven: ignore_walls gives its route all the same, as complete; the others give none.
//
// Statuses of the route: complete (it leads to the last waypoint; see `legal`); unreachable (this method found no legal
// one: no proof that there is none; blocked_stretch tells where); start_blocked, goal_blocked (not of ignore_walls); off_world;
// budget_spent (search_again: searches_max).
//
// Errors: size_zero (no waypoints); size_limit (more than 65536); not_finite (start, waypoints with index = which, goal_heading,
// radius_min); out_of_range (radius_min, searches_max; waypoints: coordinates over 1e9);
// incompatible: back_up for a unit that cannot reverse; unsupported: a map with roads, whose rules these methods do not
// know (detail 0), with several floors or links (1); out_of_memory.
//
// Cost, on random maps of 60 x 50 cells with three waypoints 25 cells apart: ignore_walls 6 us a cell of length, nearly all of it the
// measuring of what it clips; search_again 0.2 ms, 3 searches; tighter 0.1 ms, at most 54 tests a stretch; back_up 2.6 ms,
// some 300 pairs of headings a waypoint. No allocation when warm. Deterministic.
//
// Source: M. Pinter, Toward More Realistic Pathfinding, 2001, "basic methods" of legal turns. L2 and L4 are known by
// name and figure alone; what is said of them here is ours.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

enum class CornerMethod : std::uint8_t { ignore_walls, search_again, tighter, back_up };

/// "ignore_walls", ... Never null.
[[nodiscard]] const char* corner_method_name(CornerMethod method);

/// A stretch between two places that may not be driven straight after the other.
struct BannedStretch {
    Vec2 from{};
    Vec2 to{};

    friend bool operator==(const BannedStretch&, const BannedStretch&) = default;
};

/// A caller's own search for search_again: replaces `way` (waypoints after the start, the goal last) by one without the banned
/// stretches. False: there is none. It is called with all bans of the query so far.
struct WaySearch {
    bool (*find)(void* user, std::span<const BannedStretch> banned, Array<Vec2>& way) = nullptr;
    void* user = nullptr;
};

struct CornerQuery {
    Pose start{};                   ///< world units
    Borrowed<Vec2> waypoints{};     ///< after the start; the last is the goal; must outlive the call
    bool fix_goal_heading = false;  ///< false: any heading at the goal
    double goal_heading_rad = 0.0;
    double radius_min = 0.0;  ///< tighter: world units, at most the unit's turning radius; 0: half of that
    std::int32_t searches_max = 200;  ///< search_again: 1 to 10000
    WaySearch search{};               ///< search_again: null: over the map's free cells
};

/// From one waypoint to the next.
struct CornerStretch {
    Vec2 to{};
    std::uint32_t first = 0;  ///< legs first to first + count - 1 of the route
    std::uint32_t count = 0;
    double radius = 0.0;  ///< the turning radius used
    bool free = true;     ///< no wall is touched
    std::int32_t clipped =
        0;  ///< cells that the body reaches into and may not, those outside the map included
    double overlap_length = 0.0;  ///< along so much of the stretch, to 1/16 cell at each end of an overlap
    Pose first_clip{};            ///< where the first overlap begins, to 1e-6 cells

    friend bool operator==(const CornerStretch&, const CornerStretch&) = default;
};

struct RoundedCorners {
    bool legal = false;  ///< complete, and all stretches are free
    Route route;         ///< planner: the method's name
    Array<CornerStretch> stretches;
    std::int64_t blocked_stretch = -1;  ///< unreachable: the stretch that no curve was found for
    double radius_least = 0.0;          ///< of all stretches
    std::int64_t clipped = 0;           ///< sums over the stretches
    double overlap_length = 0.0;
    std::int32_t searches = 0;  ///< search_again: searches made
};

[[nodiscard]] Result<RoundedCorners> round_corners(const DriveMapState& map, const CornerQuery& query,
                                                   CornerMethod method, Scratch& scratch);
/// `out` keeps its memory.
[[nodiscard]] Result<void> round_corners_into(const DriveMapState& map, const CornerQuery& query,
                                              CornerMethod method, Scratch& scratch, RoundedCorners& out);

}  // namespace fairlead
