#include <fairlead/roadmap/query.h>

#include <cmath>

#include "roadmap/search_run.h"
#include "route/check_filter.h"
#include "route/check_walker.h"

namespace fairlead {

const char* planner_name(RoadmapPlanner planner) {
    switch (planner) {
        case RoadmapPlanner::astar: return "astar";
        case RoadmapPlanner::dijkstra: return "dijkstra";
        case RoadmapPlanner::greedy_best_first: return "greedy_best_first";
        case RoadmapPlanner::count_: break;
    }
    return "unknown";
}

namespace roadmap {

namespace {

constexpr std::size_t kGoalsMax = 65536;

Result<void> check_place(const RoadmapState& state, const Spot& place, Field field, std::int64_t which) {
    if (place.kind == Spot::Kind::cell) return Error{ErrorCode::unsupported, field, which, 0};
    if (place.kind == Spot::Kind::waypoint) {
        if (state.find(place.waypoint).valid()) return {};
        return Error{ErrorCode::unknown_id, field, which, place.waypoint.value};
    }
    const double coordinates[] = {place.position.x, place.position.y, place.position.z};
    for (const double value : coordinates) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, which, 0};
        if (absolute(value) > kRoadmapSpan) {
            const double shown = value < -9e18 ? -9e18 : (value > 9e18 ? 9e18 : value);
            return Error{ErrorCode::out_of_range, field, which, static_cast<std::int64_t>(shown)};
        }
    }
    return {};
}

Result<void> check_goal(const RoadmapState& state, const Goal& goal) {
    if (goal.kind == Goal::Kind::point) return check_place(state, goal.at, Field::goal, -1);
    if (goal.kind != Goal::Kind::any_of) return Error{ErrorCode::unsupported, Field::goal};
    if (goal.list.empty()) return Error{ErrorCode::size_zero, Field::goal_list};
    if (goal.list.size() > kGoalsMax) return Error{ErrorCode::size_limit, Field::goal_list, kGoalsMax};
    Result<void> checked;
    for (std::size_t i = 0; checked && i < goal.list.size(); ++i)
        checked = check_place(state, goal.list[i], Field::goal_list, static_cast<std::int64_t>(i));
    return checked;
}

Result<void> check_number(double value, double low, double high, Field field) {
    if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, 0};
    if (value >= low && value <= high) return {};
    const double shown = value < -9e18 ? -9e18 : (value > 9e18 ? 9e18 : value);
    return Error{ErrorCode::out_of_range, field, static_cast<std::int64_t>(shown)};
}

Result<void> check_count(std::uint32_t value, std::uint32_t high, Field field) {
    if (value >= 1 && value <= high) return {};
    return Error{ErrorCode::out_of_range, field, value};
}

}  // namespace

Result<void> check_query(const RoadmapState& state, const RoadmapQuery& query) {
    Result<void> checked = check_place(state, query.start, Field::start, -1);
    if (!checked) return checked;
    checked = check_goal(state, query.goal);
    if (!checked) return checked;
    if (query.agent.footprint != 0) {
        return Error{ErrorCode::incompatible, Field::agent_footprint,
                     static_cast<std::int64_t>(RoadmapRule::footprint)};
    }
    checked = check_number(query.agent.radius, 0.0, kRoadmapSpan, Field::agent_radius);
    if (checked) checked = check_walks(query.agent);
    if (!checked) return checked;
    if (query.planner >= RoadmapPlanner::count_) {
        return Error{ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(query.planner)};
    }
    if (query.own.estimate != nullptr && (query.backward || query.planner == RoadmapPlanner::dijkstra)) {
        return Error{ErrorCode::incompatible, Field::heuristic,
                     static_cast<std::int64_t>(RoadmapRule::own_heuristic)};
    }
    const EdgeFilter& filter = query.filter;
    checked = check_filter(filter.kinds, KindSet::kKindsMax, Field::edges);
    if (checked)
        checked = check_number(filter.factor_min, EdgeFilter::kFactorMin, EdgeFilter::kFactorMax,
                               Field::factor_min);
    if (!checked) return checked;
    checked = check_number(query.off_net_cost, 1e-6, 1e6, Field::off_net_cost);
    if (!checked) return checked;
    if (std::isnan(query.attach_range)) return Error{ErrorCode::not_finite, Field::attach_range, 0};
    if (query.attach_range < 0.0) return Error{ErrorCode::out_of_range, Field::attach_range, -1};
    checked = check_count(query.attach_max, 64, Field::attach_max);
    if (!checked) return checked;
    return check_count(query.attach_tests, 1U << 20, Field::attach_tests);
}

}  // namespace roadmap
}  // namespace fairlead
