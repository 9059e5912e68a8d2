// smooth_route: a route over a roadmap pulled taut across the ground off the net, where the unit sees that it is clear.
//
//     Result<Route> way = find_route(*roads, query, scratch);
//     if (way && smooth_route(*roads, query, scratch, *way)) walk(*way);
//
// A route over a net goes from waypoint to waypoint, as if on rails. Where the net is only a help to find the way, and the ground between
// is free, this takes the straight lines: of all pairs of the route's points (no more than `span` apart) those that are in sight of each
// other for the unit's disc, and of these lines the choice that makes the way shortest. Where edges are roads that a unit should
// keep to, do not call it. Nothing is smoothed on a roadmap whose roads have widths, nor where nothing is known about walls (neither
// walls in the roadmap nor a `sight`): there the net is all that is known to be free.
//
// Promises. Links and turns on the spot stay; no line passes over them. Each new leg is clear of the roadmap's walls and of
// `query.sight` for `query.agent`, and is shorter, times off_net_cost, than the legs that it stands for; so no route gets longer, and a
// second call changes nothing on routes of at most `span` legs. Without a `sight` lines join points of one height alone. Start, end,
// status and `bound` stay; `cost` and `line_cost` stay those of the way over the net. Where edges cost less than their length
// (motorways), off_net_cost says how much dearer the ground is.
//
// The result is no route over the net any more: `verify` of the tile map judges it where that is the ground; verify of the roadmap,
// name_legs, revalidate and repair want the route as it was found.
//
// Errors: those of find_route; scratch_in_use, out_of_memory (the route is as it was).
// Cost: at most `span` tests of sight for each leg. No allocation when warm.
// Source: techniques P4, W5 and W11 of the articles.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

inline constexpr std::uint32_t kRoadmapSmoothSpan = 64;

[[nodiscard]] Result<void> smooth_route(const RoadmapState& roads, const RoadmapQuery& query,
                                        Scratch& scratch, Route& route,
                                        std::uint32_t span = kRoadmapSmoothSpan);

}  // namespace fairlead
