// OwnHeuristic: the user's own estimate of what is left of a way. Of GridQuery, RoadmapQuery and DriveQuery.
//
//     struct Hint { const Table* table; };                                     // distances that the game knows
//     const OwnHeuristic by_table{[](const Place& from, void* user) {
//         return static_cast<Hint*>(user)->table->at(from.position);
//     }, &hint, true};
//     GridQuery{.start = here, .goal = there, .planner = GridPlanner::astar, .heuristic = GridHeuristic::own, .own = by_table}
//
// `estimate` gives what the way from a place to the goal costs, at least or about, in the measure of Route::cost: world units of
// length times what they cost. It is called for places that the search meets (middles of cells, waypoints, poses of the lattice), once
// or more for each, and must give the same answer every time during one search. Negative numbers and NaN count as 0; more than any way can
// cost, infinity included, counts as that much.
//
// `consistent` is the user's word that it is 0 at goals and never falls by more than a step costs from one place to the next. Then it is
// never too high either, and routes have the bounds that they have with the library's own heuristics. Without it no bound is stated; the
// search is complete all the same. check_heuristic (grid/check_heuristic.h, drive/check_heuristic.h) looks for the place where
// the word is broken.
//
// Cost: a call through a pointer for each place that is put on the open list.
// Source: Hart, Nilsson & Raphael 1968; technique S2 of the articles.
#pragma once

#include <cstdint>

#include <fairlead/route/route.h>

namespace fairlead {

struct OwnHeuristic {
    double (*estimate)(const Place& from, void* user) = nullptr;
    void* user = nullptr;
    bool consistent = false;
};

/// What a check of a heuristic found. Costs as in Route::cost.
struct HeuristicReport {
    /// Where it is worst. Without a fault `excess` is 0 and the places mean nothing.
    struct Fault {
        Place from{};
        Place to{};                ///< too_high: as from
        double estimate = 0.0;     ///< at `from`
        double cost = 0.0;         ///< too_high: of the cheapest way to the goal; falls: of the step to `to`
        double estimate_to = 0.0;  ///< falls: at `to`
        double excess = 0.0;       ///< estimate - cost - estimate_to
    };
    std::uint64_t places = 0;    ///< compared with the truth
    std::uint64_t steps = 0;     ///< looked at
    std::uint64_t too_high = 0;  ///< places where it exceeds the truth: it is not admissible
    std::uint64_t falls = 0;     ///< steps over which it falls by more than they cost: it is not consistent
    Fault worst_high{};
    Fault worst_fall{};
    double ratio_mean =
        0.0;  ///< estimate / truth, in the mean over places whose truth is not 0; 1: it knows the way

    [[nodiscard]] bool admissible() const { return too_high == 0; }
    [[nodiscard]] bool consistent() const { return falls == 0; }
};

}  // namespace fairlead
