// One query of a tile world: find the route, measure it, turn to the headings asked for.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/grid/find_route.h>

namespace fairlead::cli {

/// Headings asked for, in radians. A unit of this version turns on the spot, so they cost nothing.
struct Headings {
    std::optional<double> start_rad;
    std::optional<double> goal_rad;
};

/// The search alone; processor time in nanoseconds.
[[nodiscard]] Result<std::uint64_t> timed_search(const GridState& grid, const GridQuery& query,
                                                 Scratch& scratch, Route& route,
                                                 const SearchHooks& hooks = {});

/// Adds the turns on the spot that the headings need. Routes without an end (unreachable, ...) stay as they are.
void turn_to(Route& route, const Headings& headings);

}  // namespace fairlead::cli
