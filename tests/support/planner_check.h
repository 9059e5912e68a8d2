// Judges what a tile planner returns by the oracle and by verify. Answers are sentences, empty when all is well, so
// that tests and campaigns can both use them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fairlead/grid/find_route.h>

#include "oracle/grid_oracle.h"
#include "support/follow_tiles.h"

namespace fairlead::testing {

/// What the oracle says that a query must give. For turn_penalty the length includes the turns.
struct Expected {
    PathStatus status = PathStatus::complete;
    std::int32_t start = -1;  ///< cell that the start point is joined to
    std::int32_t other = -1;  ///< the one on the other side of a corner between two walls, if it lies there
    std::vector<std::int32_t> goals;  ///< cells of the goal
    std::optional<oracle::Length> length;
};

[[nodiscard]] Expected expect_of(const oracle::GridOracle& oracle, const GridQuery& query);

/// Status, ends, legality, cost, bound, revision, name.
[[nodiscard]] std::string check_route(const GridState& grid, const oracle::GridOracle& oracle,
                                      const GridQuery& query, const Expected& expected, const Route& route);

/// May the planner refuse this query, by the documented rules? `registered`: its size is.
[[nodiscard]] bool may_refuse(const oracle::World& world, const GridQuery& query, bool registered,
                              std::int64_t rule);

/// One line that tells a failing query apart.
[[nodiscard]] std::string describe(const GridQuery& query);

/// Ratio that the planner promises: 1 for the optimal ones, infinite for greedy_best_first.
[[nodiscard]] double promised_bound(const GridQuery& query);

/// How far apart, relative, two lengths may be that fixed-point costs do not tell apart: 0 on uniform cost. The planners
/// that multiply the heuristic keep room for it and have fewer bits.
[[nodiscard]] double blur_of(const oracle::World& world, const GridQuery& query);

/// Are the two lengths the same, or nearer than the blur?
[[nodiscard]] bool lengths_agree(const oracle::Length& a, const oracle::Length& b, double blur);

}  // namespace fairlead::testing
