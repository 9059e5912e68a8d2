// What the searches of all worlds have around them: slices, one call, and one search for many goals.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/search/scratch.h>

#include "base/no_memory.h"
#include "search/slices.h"

namespace fairlead {

/// To the end of a sliced search.
template <class Search, class Route>
[[nodiscard]] Result<void> finish_search(Search search, Route& route) {
    while (search.step(UINT64_MAX)) {
    }
    return search.take(route);
}

/// A route for each of query.goal.any_of by one Run, in the scratch; cleared on an error.
template <class Run, class State, class Query, class Hooks, class Route>
[[nodiscard]] Result<void> find_each(const State& state, const Query& query, Scratch& scratch,
                                     std::span<Route> routes, const Hooks& hooks) {
    for (Route& route : routes) route.clear();
    if (routes.size() != query.goal.any_of.size()) {
        return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(query.goal.any_of.size())};
    }
    if (routes.empty()) return {};
    auto* run = scratch.get<Run>();
    if (run == nullptr) return kNoMemory;
    run->begin(state, query, hooks, true);
    while (run->step(UINT64_MAX)) {
    }
    for (std::uint32_t point = 0; point < routes.size(); ++point) {
        const Result<void> done = run->take(routes[point], point);
        if (done) continue;
        for (Route& route : routes) route.clear();
        return done;
    }
    return {};
}

}  // namespace fairlead
