#include "grid/check_query.h"

#include <cmath>

#include <fairlead/math/contact.h>

#include "grid/body.h"
#include "grid/state.h"

namespace fairlead::grid {

namespace {

using namespace query_field;

constexpr std::size_t kGoalPointsMax = 65536;
constexpr std::size_t kBlockersMax = 65536;

// Enumerators from outside may be any number.
template <class Enum>
Result<void> check_enumerator(Enum value, Enum last, Field field) {
    if (value <= last) return {};
    return Error{ErrorCode::out_of_range, field, static_cast<std::int64_t>(value)};
}

Result<void> check_enumerators(const GridQuery& q) {
    const auto last_planner = static_cast<GridPlanner>(static_cast<int>(GridPlanner::count_) - 1);
    const Result<void> checks[] = {
        check_enumerator(q.goal.kind, Goal::Kind::any_of, kGoal),
        check_enumerator(q.planner, last_planner, kPlanner),
        check_enumerator(q.smoothing, Smoothing::farthest_visible, kSmoothing),
        check_enumerator(q.corner, CornerRule::always, kCorner),
        check_enumerator(q.neighbours, Neighbourhood::eight, kNeighbours),
        check_enumerator(q.heuristic, GridHeuristic::zero, kHeuristic),
    };
    for (const Result<void>& good : checks) {
        if (!good) return good.error();
    }
    return {};
}

Result<void> check_goal(const Goal& goal) {
    if (goal.kind == Goal::Kind::any_of) {
        if (goal.points.empty()) return Error{ErrorCode::size_zero, kGoal, 0};
        if (goal.points.size() > kGoalPointsMax) return Error{ErrorCode::size_limit, kGoal, kGoalPointsMax};
        return {};
    }
    if (!is_finite(goal.point) || std::isnan(goal.range)) return Error{ErrorCode::not_finite, kGoal, 0};
    const bool ranged = goal.kind == Goal::Kind::within || goal.kind == Goal::Kind::in_sight;
    if (ranged && goal.range < 0.0) return Error{ErrorCode::out_of_range, kGoal, truncated(goal.range)};
    if (goal.kind == Goal::Kind::within && !std::isfinite(goal.range))
        return Error{ErrorCode::not_finite, kGoal, 0};
    return {};
}

Result<void> check_costs(const GridState& grid, const GridQuery& query) {
    if (!query.terrain.costs.empty()) {
        if (query.terrain.costs.size() != 256) return Error{ErrorCode::size_mismatch, kTerrain, 256};
        for (std::size_t i = 1; i < 256; ++i) {
            if (query.terrain.costs[i] > kTerrainCostMax) {
                return Error{ErrorCode::out_of_range, kTerrain, query.terrain.costs[i]};
            }
        }
    }
    const Influence& influence = query.influence;
    if (influence.cells.empty()) return {};
    const std::int64_t cells = std::int64_t{grid.width()} * grid.height() * grid.layers();
    if (influence.cells.size() != static_cast<std::size_t>(cells)) {
        return Error{ErrorCode::size_mismatch, kInfluence, cells};
    }
    if (influence.weight < 0 || influence.weight > kTerrainCostMax) {
        return Error{ErrorCode::out_of_range, kInfluence, influence.weight};
    }
    return {};
}

}  // namespace

Result<void> check_blocker(const StateData& map, const Blocker& blocker, std::size_t place,
                           std::int64_t field) {
    const auto index = static_cast<std::int64_t>(place);
    const bool box = !blocker.box.empty();
    // Of a box that is none because it holds a NaN too.
    if (!is_finite(blocker.box.low) || !is_finite(blocker.box.high) ||
        (!box && !(is_finite(blocker.centre) && std::isfinite(blocker.radius)))) {
        return Error{ErrorCode::not_finite, field, index};
    }
    // What verify can judge, it and we take: of sizes, and of places where laps are counted.
    const double cell = map.cell_size;
    const double most = contact_reach(tile_contact_slack(map.origin, cell, map.width, map.height));
    const auto in_laps = [&](Vec2 p) {
        const Vec2 at{(p.x - map.origin.x) / cell, (p.y - map.origin.y) / cell};
        return (!map.wrap_x || std::fabs(at.x) <= most) && (!map.wrap_y || std::fabs(at.y) <= most);
    };
    const bool fits = box ? in_laps(blocker.box.low) && in_laps(blocker.box.high)
                          : blocker.radius >= 0.0 && blocker.radius / cell <= most && in_laps(blocker.centre);
    if (!fits) return Error{ErrorCode::out_of_range, field, index};
    return {};
}

Result<void> check_blockers(const GridState& grid, std::span<const Blocker> blockers, std::int64_t field) {
    for (std::size_t i = 0; i < blockers.size(); ++i) {
        if (const Result<void> good = check_blocker(grid.data(), blockers[i], i, field); !good)
            return good.error();
    }
    return {};
}

Result<void> check_goal_point(Vec2 point, std::size_t place) {
    if (is_finite(point)) return {};
    return Error{ErrorCode::not_finite, kGoal, static_cast<std::int64_t>(place)};
}

Result<void> check_query(const GridState& grid, const GridQuery& query) {
    if (const Result<void> good = check_enumerators(query); !good) return good.error();
    if (!is_finite(query.start)) return Error{ErrorCode::not_finite, kStart, 0};
    if (const Result<void> good = check_goal(query.goal); !good) return good.error();
    if (const Result<void> good = check_agent(query.agent); !good) {
        return Error{good.error().code, kAgent, good.error().detail};
    }
    if (!std::isfinite(query.epsilon)) return Error{ErrorCode::not_finite, kEpsilon, 0};
    if (query.epsilon < 1.0 || query.epsilon > 100.0)
        return Error{ErrorCode::out_of_range, kEpsilon, truncated(query.epsilon)};
    if (!std::isfinite(query.turn_penalty)) return Error{ErrorCode::not_finite, kTurnPenalty, 0};
    if (query.turn_penalty < 0.0 || query.turn_penalty > 1e6)
        return Error{ErrorCode::out_of_range, kTurnPenalty, truncated(query.turn_penalty)};
    if (!std::isfinite(query.turn_penalty_each)) return Error{ErrorCode::not_finite, kTurnPenaltyEach, 0};
    if (query.turn_penalty_each < 0.0 || query.turn_penalty_each > 1e6)
        return Error{ErrorCode::out_of_range, kTurnPenaltyEach, truncated(query.turn_penalty_each)};
    if (std::isnan(query.reach)) return Error{ErrorCode::not_finite, kReach, 0};
    if (query.reach < 0.0) return Error{ErrorCode::out_of_range, kReach, truncated(query.reach)};
    if (const Result<void> good = check_costs(grid, query); !good) return good.error();
    if (query.blockers.size() > kBlockersMax) return Error{ErrorCode::size_limit, kBlockers, kBlockersMax};
    return {};
}

}  // namespace fairlead::grid
