// check_heuristic for units with a turning circle: is a heuristic admissible (never too high) and consistent (never falls by more than a
// move costs)?
//
//     const DriveQuery query{.goal = dock, .heuristic = DriveHeuristic::own, .own = by_table};
//     const Result<HeuristicReport> told = check_heuristic(*map, query, scratch, {.starts = 200});
//
// By samples: from poses of the lattice where the body stands, drawn from a seed, the estimate is compared with the cost of the cheapest
// way on the lattice, which a search without a heuristic finds; and every step that a search with the heuristic took is looked at. The
// query's start does not matter; its penalties, goal and `expansions_max` do: a search that ends for it says nothing. Free curves to the
// goal and smoothing are no part of what a heuristic bounds, and are left out.
//
// What exceeds by no more than 1e-9 of itself is rounding. The library's own `bounds` fall by up to 1/512 of a cell too much, the step of
// its table of curves: searches that open each pose once scale it down by as much.
//
// Errors: those of find_route; out_of_range (places) for more than 1e6 starts.
// Cost: two searches a start, one of them through all that can be reached for less than the goal. For tools and tests.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/route/heuristic.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

struct HeuristicSamples {
    std::uint32_t starts = 50;
    std::uint64_t seed = 1;
};

[[nodiscard]] Result<HeuristicReport> check_heuristic(const DriveMapState& map, const DriveQuery& query,
                                                      Scratch& scratch, const HeuristicSamples& samples = {});

}  // namespace fairlead
