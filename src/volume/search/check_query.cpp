// What a query may ask of a volume: each field that is out of range, or that its planner does not serve, is an error with its name.
#include "volume/search/search_run.h"

#include <cmath>

#include "volume/sight/check_unit.h"

namespace fairlead::volume {

namespace {

constexpr std::size_t kGoalsMax = 65536;

}  // namespace

Result<void> SearchRun::check_goal() const {
    const Goal& goal = query_.goal;
    switch (goal.kind) {
        case Goal::Kind::point: return check_place(goal.at, Field::goal);
        case Goal::Kind::within:
            if (std::isnan(goal.range)) return Error{ErrorCode::not_finite, Field::goal_range};
            if (!(goal.range >= 0.0)) return Error{ErrorCode::out_of_range, Field::goal_range};
            return check_place(goal.at, Field::goal);
        case Goal::Kind::any_of: break;
        default: return Error{ErrorCode::unsupported, Field::goal};
    }
    if (goal.list.empty()) return Error{ErrorCode::size_zero, Field::goal_list};
    if (goal.list.size() > kGoalsMax) return Error{ErrorCode::size_limit, Field::goal_list, kGoalsMax};
    for (std::size_t i = 0; i < goal.list.size(); ++i) {
        const Result<void> good = check_place(goal.list[i], Field::goal_list);
        if (!good) return Error{good.error().code, Field::goal_list, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

Result<void> SearchRun::check() const {
    if (query_.planner >= VolumePlanner::count_)
        return Error{ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(query_.planner)};
    if (query_.neighbours >= VoxelNeighbours::count_)
        return Error{ErrorCode::out_of_range, Field::neighbours,
                     static_cast<std::int64_t>(query_.neighbours)};
    if (query_.heuristic >= VolumeHeuristic::count_)
        return Error{ErrorCode::out_of_range, Field::heuristic, static_cast<std::int64_t>(query_.heuristic)};
    if (query_.planner != VolumePlanner::any_angle && !VoxelSpace::serves(state_.data()))
        return Error{ErrorCode::unsupported, Field::planner, static_cast<std::int64_t>(query_.planner)};
    if (const Result<void> good = check_place(query_.start, Field::start); !good) return good;
    if (query_.goal.kind > Goal::Kind::any_of)
        return Error{ErrorCode::out_of_range, Field::goal, static_cast<std::int64_t>(query_.goal.kind)};
    if (const Result<void> good = check_goal(); !good) return good;
    if (const Result<void> good = check_upright(state_.data(), query_.agent); !good) return good;
    const bool narrow = Body(state_.data(), query_.agent).is_narrow(state_.data());
    if (query_.planner != VolumePlanner::any_angle && !narrow) {
        const bool tall = Body(state_.data(), query_.agent.radius).is_narrow(state_.data());
        return Error{ErrorCode::unsupported, tall ? Field::agent_height : Field::agent_radius};
    }
    if (query_.planner != VolumePlanner::any_angle && !query_.blockers.empty())
        return Error{ErrorCode::unsupported, Field::blockers};
    if (const Result<void> good = check_blockers(state_.data(), query_.blockers.span()); !good) return good;
    if (const Result<void> good = check_prices(state_.data(), query_.areas.span()); !good) return good;
    if (std::isnan(query_.reach)) return Error{ErrorCode::not_finite, Field::reach};
    if (query_.reach < 0.0) return Error{ErrorCode::out_of_range, Field::reach};
    return {};
}

}  // namespace fairlead::volume
