// The quickest way for a unit with a turning circle and limited acceleration, over a DriveMap: speed is part of the state.
//
//     Result<SpeedTable> times = SpeedTable::make(*moves, {.speed_max = 12, .accel_max = 1.5});      // speed_table.h
//     Result<Route> route = find_route(*map, TimedQuery{.start = {{10, 10}, 0.0}, .goal = {{80, 42}, kHalfPi}, .times = &*times},
//                                      scratch);
//     const Place unit = place_at(*route, route->speeds.span(), 1.25);                          // route/speed_profile.h
//
// A unit that gathers speed slowly loses much time in each turn, so it takes a longer way with fewer turns; one that gathers it
// quickly takes the shorter way.
//
// How. A best-first search for the least time over (place, heading, gear, level of speed). Its edges are the steps of the
// SpeedTable where the map's moves are free. An exact start or goal off the lattice is joined to it as in find_drive.h, by the
// shortest free curves, driven in the least time that speeds at their ends and their turns allow. The way found is then driven as
// fast as its arcs, the unit's accelerations and both ends allow, no longer only at levels: never slower than the search said.
//
// Speeds. The start speed is that of the unit as it is, forward; one between two levels counts as the higher one in the search,
// since the unit must be able to brake from it. The goal speed is one of the levels, forward, or kAnySpeed. The gear changes only
// at speed 0. Leg::speed_max is the most that the unit's limits allow on the leg; what it really drives is in Route::speeds.
//
// Terrain. A cell of cost c takes c times as long: see route/speed_profile.h.
//
// Planners:
//   lattice   the quickest way of the lattice, ends included: bound 1
//   weighted  at most `epsilon` times that; each state is opened once. The default
// Route::bound is kNoBound if the start speed is not a level. Route::cost is seconds.
//
// Best so far. With `partial` a search whose budget is spent before it has a way to the goal gives one to drive meanwhile: to the pose of
// the lattice, of those that it opened, from which the goal is estimated nearest in time. The unit comes to stand there; where it
// is too fast at the start to do so, there is no such way. The rest is as in find_drive.h: the status stays budget_spent, there is
// no bound, and it is not smoothed after a cancel; with more budget, over one map, its end is never farther by that estimate.
//
// The nearest place. With `partial` a goal that is blocked or unreachable, whatever the speeds, gives the way to the place nearest to it
// that find_drive.h says; the unit comes to stand there, and the status is partial. Where it is too fast at the start for that it is
// goal_blocked or unreachable all the same, and Route::too_fast is set.
//
// Statuses: those of find_drive.h, proven on the lattice. Where the poses are joined but the speeds in the way (a wall nearer
// than the unit can brake, no room to reach the goal speed) the status is unreachable and Route::too_fast is set. A start
// speed between two levels may be told too fast although the unit could just brake from it.
//
// Errors: what find_drive.h says of start, goal, range and epsilon; not_finite and out_of_range of the speeds (start_speed: 0 to
// speed_max; goal_speed: a level); incompatible (times): there is no SpeedTable, or it is not of the map's DriveTable; unsupported: a map
// with several floors or links (drive_map.h); size_limit: more than 2^32 states; out_of_memory.
//
// Cost, on Berlin_0_256 (256 x 256; 40 queries of data/poses, turning radius 3, 8 headings, 8 levels, speed_max 8, accel_max 2, one
// core of a shared machine): weighted 17 ms in the mean and 10 ms in the median for 2,700 states opened; with epsilon 1.4 350 and
// 58 ms for 52,000, ways 0.6 % quicker. `lattice`: 1.8 s for 330,000 (the first 8). Most of it is waiting for memory: about 30 bytes a
// state met, 20 MB in scratch after those queries, 40 MB with epsilon 1.4.
// No allocation when warm. Deterministic; sliced = unsliced.
//
// Source: technique X2 (Pinter 2001); state lattices with speed: Likhachev and Ferguson 2009.
#pragma once

#include <concepts>
#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/speed_table.h>
#include <fairlead/route/blocker.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/route.h>
#include <fairlead/route/speed_profile.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

enum class TimedPlanner : std::uint8_t { weighted, lattice };

struct TimedQuery {
    Spot start{};  ///< as a DriveQuery's
    Goal goal{};
    double start_speed = 0.0;  ///< world units a second
    double goal_speed = 0.0;   ///< a level of the table, or kAnySpeed
    double epsilon = 2.0;      ///< weighted: 1 to 100
    std::uint64_t expansions_max = UINT64_MAX;
    TimedPlanner planner = TimedPlanner::weighted;
    bool smooth = true;    ///< pull the path taut where that makes it quicker
    bool partial = false;  ///< as a DriveQuery's: the best pose so far, or the place nearest the goal
    const SpeedTable* times = nullptr;  ///< the unit's speeds; must outlive the search
    Borrowed<Blocker> blockers{};       ///< as a DriveQuery's
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(TimedQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.blockers);
}

template <std::same_as<TimedQuery> Query>
[[nodiscard]] Result<Route> find_route(const DriveMapState& map, const Query& query, Scratch& scratch,
                                       const SearchHooks& hooks = {});
template <std::same_as<TimedQuery> Query>
[[nodiscard]] Result<void> find_route_into(const DriveMapState& map, const Query& query, Scratch& scratch,
                                           Route& route, const SearchHooks& hooks = {});
extern template Result<Route> find_route(const DriveMapState&, const TimedQuery&, Scratch&,
                                         const SearchHooks&);
extern template Result<void> find_route_into(const DriveMapState&, const TimedQuery&, Scratch&, Route&,
                                             const SearchHooks&);

/// "weighted_timed", "timed_lattice". Never null.
[[nodiscard]] const char* planner_name(TimedPlanner planner);

namespace drive {
class TimedRun;  // src/drive/timed/timed_run.h
}

struct TimedSearchKind {
    using World = DriveMapSnapshot;
    using Query = TimedQuery;
    using Run = drive::TimedRun;
};

/// The same in slices (search/route_search.h). A unit is an expansion, or a curve tried.
using TimedSearch = RouteSearch<TimedSearchKind>;
extern template class RouteSearch<TimedSearchKind>;
static_assert(SlicedSearch<TimedSearch>);

}  // namespace fairlead
