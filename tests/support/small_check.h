// One map of 4 x 4 cells, its pairs of cells, the optimal planners: the step that the test of all such maps and the
// campaign repeat.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include <fairlead/grid/find_route.h>

namespace fairlead::testing {

/// Planners whose tile routes are the shortest there are. jump_point only where it applies.
[[nodiscard]] std::span<const GridPlanner> optimal_planners(CornerRule rule, Neighbourhood neighbours);

struct SmallTally {
    std::array<std::uint64_t, static_cast<std::size_t>(GridPlanner::count_)> asked{};  ///< queries by planner
    std::uint64_t routes = 0;
    std::uint64_t sealed = 0;   ///< pairs of free cells without a way
    std::uint64_t blocked = 0;  ///< one end is a wall
};

enum class SmallPart : std::uint8_t {
    half,  ///< every pair of free cells by every planner, one way round, which changes from pair to pair
    all,   ///< every pair both ways round, by every planner; walls as start and goal too
};

/// Statuses, lengths as counts of steps, the steps themselves, and that a sealed goal is known without a search.
/// Empty: all right; otherwise the first wrong answer.
[[nodiscard]] std::string check_small_map(std::uint32_t free, CornerRule rule, Neighbourhood neighbours,
                                          SmallPart part, Scratch& scratch, SmallTally& tally);

}  // namespace fairlead::testing
