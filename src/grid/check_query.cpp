#include "grid/check_query.h"

#include <cmath>

#include <fairlead/math/contact.h>

#include "grid/body.h"
#include "grid/state.h"
#include "route/check_blocker.h"
#include "route/check_filter.h"
#include "route/check_walker.h"

namespace fairlead::grid {

namespace {

constexpr std::size_t kGoalPointsMax = 65536;

// Enumerators from outside may be any number.
template <class Enum>
Result<void> check_enumerator(Enum value, Enum last, Field field) {
    if (value <= last) return {};
    return Error{ErrorCode::out_of_range, field, static_cast<std::int64_t>(value)};
}

Result<void> check_enumerators(const GridQuery& q) {
    const auto last_planner = static_cast<GridPlanner>(static_cast<int>(GridPlanner::count_) - 1);
    const Result<void> checks[] = {
        check_enumerator(q.goal.kind, Goal::Kind::any_of, Field::goal),
        check_enumerator(q.planner, last_planner, Field::planner),
        check_enumerator(q.smoothing, Smoothing::farthest_visible, Field::smoothing),
        check_enumerator(q.corner, CornerRule::always, Field::corner),
        check_enumerator(q.neighbours, Neighbourhood::eight, Field::neighbours),
        check_enumerator(q.heuristic, GridHeuristic::own, Field::heuristic),
    };
    for (const Result<void>& good : checks) {
        if (!good) return good.error();
    }
    if (q.heuristic == GridHeuristic::own && q.own.estimate == nullptr)
        return Error{ErrorCode::out_of_range, Field::heuristic, static_cast<std::int64_t>(q.heuristic)};
    return {};
}

Result<void> check_spot(const Spot& spot, Field field) {
    if (spot.kind == Spot::Kind::waypoint) return Error{ErrorCode::unsupported, field};
    if (!is_finite(spot.ground())) return Error{ErrorCode::not_finite, field};
    return {};
}

Result<void> check_goal(const Goal& goal) {
    if (goal.kind == Goal::Kind::any_of) {
        if (goal.list.empty()) return Error{ErrorCode::size_zero, Field::goal_list};
        if (goal.list.size() > kGoalPointsMax)
            return Error{ErrorCode::size_limit, Field::goal_list, kGoalPointsMax};
        return {};
    }
    if (const Result<void> good = check_spot(goal.at, Field::goal); !good) return good;
    if (std::isnan(goal.range)) return Error{ErrorCode::not_finite, Field::goal_range};
    const bool ranged = goal.kind == Goal::Kind::within || goal.kind == Goal::Kind::in_sight;
    if (ranged && goal.range < 0.0)
        return Error{ErrorCode::out_of_range, Field::goal_range, truncated(goal.range)};
    if (goal.kind == Goal::Kind::within && !std::isfinite(goal.range))
        return Error{ErrorCode::not_finite, Field::goal_range};
    return {};
}

Result<void> check_costs(const GridState& grid, const GridQuery& query) {
    if (const Result<void> good = check_filter(query.terrain, KindSet::kKindsMax, Field::terrain); !good)
        return good;
    const Influence& influence = query.influence;
    if (influence.cells.empty()) return {};
    const std::int64_t cells = std::int64_t{grid.width()} * grid.height() * grid.layers();
    if (influence.cells.size() != static_cast<std::size_t>(cells)) {
        return Error{ErrorCode::size_mismatch, Field::influence, cells};
    }
    if (influence.weight < 0 || influence.weight > kTerrainCostMax) {
        return Error{ErrorCode::out_of_range, Field::influence, influence.weight};
    }
    return {};
}

}  // namespace

Result<void> check_blocker(const StateData& map, const Blocker& blocker, std::size_t place, Field field) {
    const auto which = static_cast<std::int64_t>(place);
    // What verify can judge, it and we take: of sizes, and of places where laps are counted.
    const double cell = map.cell_size;
    const double most = contact_reach(tile_contact_slack(map.origin, cell, map.width, map.height));
    if (const Result<void> good = check_blocker(blocker, most * cell, which, field); !good) return good;
    const auto in_laps = [&](Vec2 p) {
        const Vec2 at{(p.x - map.origin.x) / cell, (p.y - map.origin.y) / cell};
        return (!map.wrap_x || std::fabs(at.x) <= most) && (!map.wrap_y || std::fabs(at.y) <= most);
    };
    const bool fits =
        blocker.box.empty() ? in_laps(blocker.centre) : in_laps(blocker.box.low) && in_laps(blocker.box.high);
    if (!fits) return Error{ErrorCode::out_of_range, field, which, 0};
    return {};
}

Result<void> check_blockers(const GridState& grid, std::span<const Blocker> blockers, Field field) {
    for (std::size_t i = 0; i < blockers.size(); ++i) {
        if (const Result<void> good = check_blocker(grid.data(), blockers[i], i, field); !good)
            return good.error();
    }
    return {};
}

Result<void> check_goal_spot(const Goal& goal, std::size_t place) {
    const Spot spot = goal.list[place];
    const auto which = static_cast<std::int64_t>(place);
    if (spot.kind == Spot::Kind::waypoint) return Error{ErrorCode::unsupported, Field::goal_list, which, 0};
    if (!is_finite(spot.ground())) return Error{ErrorCode::not_finite, Field::goal_list, which, 0};
    if (spot.has_layer && spot.layer != goal.at.layer)
        return Error{ErrorCode::unsupported, Field::goal_list, which, spot.layer};
    return {};
}

Result<void> check_query(const GridState& grid, const GridQuery& query) {
    if (const Result<void> good = check_enumerators(query); !good) return good.error();
    if (const Result<void> good = check_spot(query.start, Field::start); !good) return good.error();
    if (const Result<void> good = check_goal(query.goal); !good) return good.error();
    if (const Result<void> good = check_agent(query.agent); !good) return good;
    if (const Result<void> good = check_walks(query.agent); !good) return good;
    if (!std::isfinite(query.epsilon)) return Error{ErrorCode::not_finite, Field::epsilon, 0};
    if (query.epsilon < 1.0 || query.epsilon > 100.0)
        return Error{ErrorCode::out_of_range, Field::epsilon, truncated(query.epsilon)};
    if (!std::isfinite(query.turn_penalty)) return Error{ErrorCode::not_finite, Field::turn_penalty, 0};
    if (query.turn_penalty < 0.0)
        return Error{ErrorCode::out_of_range, Field::turn_penalty, truncated(query.turn_penalty)};
    if (!std::isfinite(query.turn_penalty_each))
        return Error{ErrorCode::not_finite, Field::turn_penalty_each, 0};
    if (query.turn_penalty_each < 0.0)
        return Error{ErrorCode::out_of_range, Field::turn_penalty_each, truncated(query.turn_penalty_each)};
    if (std::isnan(query.reach)) return Error{ErrorCode::not_finite, Field::reach, 0};
    if (query.reach < 0.0) return Error{ErrorCode::out_of_range, Field::reach, truncated(query.reach)};
    if (const Result<void> good = check_costs(grid, query); !good) return good.error();
    if (query.blockers.size() > kBlockersMax)
        return Error{ErrorCode::size_limit, Field::blockers, kBlockersMax};
    return {};
}

}  // namespace fairlead::grid
