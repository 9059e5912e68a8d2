// One random world, some queries on it, every planner: the step that the tests and the campaign repeat.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <fairlead/grid/query.h>

#include "support/random_worlds.h"

namespace fairlead::testing {

inline constexpr std::size_t kPlanners = static_cast<std::size_t>(GridPlanner::count_);

struct RandomTally {
    std::array<std::uint64_t, kPlanners> answered{};  ///< queries that the planner did not refuse
    std::array<std::uint64_t, kPlanners> refused{};
    std::uint64_t queries = 0;   ///< start and goal pairs
    std::uint64_t complete = 0;  ///< of them with a route
};

/// Draws case number `seed` of a topic and asks every planner `queries` questions about it. Empty: all answers are
/// right; otherwise the first wrong one.
[[nodiscard]] std::string check_random_case(Topic topic, std::uint64_t seed, std::int32_t side_max,
                                            int queries, RandomTally& tally);

}  // namespace fairlead::testing
