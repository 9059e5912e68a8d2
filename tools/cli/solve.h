// One query: find the route, measure it, turn to the headings asked for.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/base/result.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/scratch.h>

#include "measure/clock.h"

namespace fairlead::cli {

/// Headings asked for, in radians. A unit of this version turns on the spot, so they cost nothing.
struct Headings {
    std::optional<double> start_rad;
    std::optional<double> goal_rad;
};

/// The search alone, in any world; processor time in nanoseconds.
template <class World, class Query>
[[nodiscard]] Result<std::uint64_t> timed_search(const World& world, const Query& query, Scratch& scratch,
                                                 Route& route, const SearchHooks& hooks = {}) {
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_route_into(world, query, scratch, route, hooks);
    const std::uint64_t after = measure::thread_ns();
    if (!done) return done.error();
    return after - before;
}

/// Adds the turns on the spot that the headings need. Routes without an end (unreachable, ...) stay as they are.
void turn_to(Route& route, const Headings& headings);

}  // namespace fairlead::cli
