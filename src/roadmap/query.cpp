#include <fairlead/roadmap/query.h>

#include <cmath>

#include "roadmap/search_run.h"
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

Result<void> check_place(const RoadmapState& state, const RoadmapPlace& place, Field field,
                         std::int64_t which) {
    if (place.waypoint.valid()) {
        if (state.find(place.waypoint).valid()) return {};
        return Error{ErrorCode::unknown_id, field, which, place.waypoint.value};
    }
    const double coordinates[] = {place.point.x, place.point.y, place.point.z};
    for (const double value : coordinates) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, which, 0};
        if (absolute(value) > kRoadmapSpan) {
            const double shown = value < -9e18 ? -9e18 : (value > 9e18 ? 9e18 : value);
            return Error{ErrorCode::out_of_range, field, which, static_cast<std::int64_t>(shown)};
        }
    }
    return {};
}

Result<void> check_number(double value, double low, double high, Field field) {
    if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, 0};
    if (value >= low && value <= high) return {};
    const double shown = value < -9e18 ? -9e18 : (value > 9e18 ? 9e18 : value);
    return Error{ErrorCode::out_of_range, field, static_cast<std::int64_t>(shown)};
}

Result<void> check_filter(const EdgeFilter& filter) {
    if (!filter.factors.empty() && filter.factors.size() != 256)
        return Error{ErrorCode::size_mismatch, Field::edges, 256};
    for (const double factor : filter.factors) {
        if (factor == 0.0) continue;
        const Result<void> checked =
            check_number(factor, EdgeFilter::kFactorMin, EdgeFilter::kFactorMax, Field::edges);
        if (!checked) return checked;
    }
    return check_number(filter.factor_min, EdgeFilter::kFactorMin, EdgeFilter::kFactorMax, Field::factor_min);
}

Result<void> check_count(std::uint32_t value, std::uint32_t high, Field field) {
    if (value >= 1 && value <= high) return {};
    return Error{ErrorCode::out_of_range, field, value};
}

}  // namespace

Result<void> check_query(const RoadmapState& state, const RoadmapQuery& query) {
    Result<void> checked = check_place(state, query.start, Field::start, -1);
    if (!checked) return checked;
    if (query.goal.any_of.size() > kGoalsMax) return Error{ErrorCode::size_limit, Field::goal_list, kGoalsMax};
    if (query.goal.any_of.empty()) checked = check_place(state, query.goal.place, Field::goal, -1);
    for (std::size_t i = 0; checked && i < query.goal.any_of.size(); ++i) {
        checked = check_place(state, query.goal.any_of[i], Field::goal_list, static_cast<std::int64_t>(i));
    }
    if (!checked) return checked;
    if (query.agent.footprint != 0) {
        return Error{ErrorCode::incompatible, Field::agent_footprint, static_cast<std::int64_t>(RoadmapRule::footprint)};
    }
    checked = check_number(query.agent.radius, 0.0, kRoadmapSpan, Field::agent_radius);
    if (checked) checked = check_walks(query.agent);
    if (!checked) return checked;
    if (query.planner >= RoadmapPlanner::count_) {
        return Error{ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(query.planner)};
    }
    checked = check_filter(query.filter);
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
