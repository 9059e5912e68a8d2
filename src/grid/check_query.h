// The arguments of a tile query, looked at once, at the door.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>

namespace fairlead::grid {

/// Places of the fields in GridQuery, for Error::index.
namespace query_field {
enum Field : std::int64_t {
    kStart,
    kStartLayer,
    kGoal,
    kAgent,
    kPlanner,
    kSmoothing,
    kCorner,
    kNeighbours,
    kHeuristic,
    kEpsilon,
    kTurnPenalty,
    kWindowGrows,
    kCertify,
    kPartial,
    kTerrain,
    kBlockers,
    kInfluence,
    kExpansionsMax,
    kTurnPenaltyEach,
    kReach
};
}  // namespace query_field

/// not_finite or out_of_range, with the place of the list in its options as index, and as detail which blocker.
[[nodiscard]] Result<void> check_blockers(const GridState& grid, std::span<const Blocker> blockers,
                                          std::int64_t field);
[[nodiscard]] Result<void> check_blocker(const StateData& map, const Blocker& blocker, std::size_t place,
                                         std::int64_t field);
/// One of Goal::points.
[[nodiscard]] Result<void> check_goal_point(Vec2 point, std::size_t place);

/// The errors of a malformed query, as find_route documents them, but for what its blockers and goal points hold. What the
/// planners cannot do is found later.
[[nodiscard]] Result<void> check_query(const GridState& grid, const GridQuery& query);

}  // namespace fairlead::grid
