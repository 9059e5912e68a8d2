#include <cmath>

#include "mesh/query/check_costs.h"
#include "mesh/query/search_run.h"
#include "route/check_walker.h"

namespace fairlead {

const char* planner_name(MeshPlanner planner) {
    switch (planner) {
        case MeshPlanner::any_angle: return "any_angle";
        case MeshPlanner::corridor: return "corridor";
        case MeshPlanner::portal_midpoints: return "portal_midpoints";
        case MeshPlanner::count_: break;
    }
    return "unknown";
}

namespace mesh {

namespace {

constexpr std::size_t kGoalsMax = 65536;

Result<void> check_point(Vec3 p, Field field, std::int64_t which) {
    for (const double value : {p.x, p.y, p.z}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, which, 0};
        if (std::fabs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, field, which, 0};
    }
    return {};
}

Result<void> check_agent(const StateData& state, const Agent& agent) {
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, Field::agent_footprint};
    if (const Result<void> good = check_body(agent); !good) return good;
    if (const Result<void> walks = check_walks(agent); !walks) return walks;
    if (2.0 * (agent.radius - state.agent_radius) > state.gap_max && agent.radius > state.agent_radius) {
        return Error{ErrorCode::out_of_range, Field::agent_radius};
    }
    return {};
}

}  // namespace

Result<void> check_costs(std::span<const double> costs, std::size_t count, Field field) {
    if (!costs.empty() && costs.size() != count)
        return Error{ErrorCode::size_mismatch, field, static_cast<std::int64_t>(count)};
    for (std::int64_t i = 0; i < std::ssize(costs); ++i) {
        const double cost = costs[static_cast<std::size_t>(i)];
        if (std::isnan(cost)) return Error{ErrorCode::not_finite, field, i, 0};
        if (cost != 0.0 && !(cost >= MeshFilter::kCostMin && cost <= MeshFilter::kCostMax))
            return Error{ErrorCode::out_of_range, field, i, 0};
    }
    return {};
}

Result<void> check_query(const StateData& state, const MeshQuery& query) {
    Result<void> checked = check_point(query.start, Field::start, -1);
    if (!checked) return checked;
    if (query.goal.any_of.size() > kGoalsMax)
        return Error{ErrorCode::size_limit, Field::goal_list, kGoalsMax};
    checked = check_point(query.goal.point, Field::goal, -1);
    for (std::size_t i = 0; i < query.goal.any_of.size() && checked; ++i) {
        checked = check_point(query.goal.any_of[i], Field::goal_list, static_cast<std::int64_t>(i));
    }
    if (checked) checked = check_agent(state, query.agent);
    if (!checked) return checked;
    for (const double value : {query.reach.across, query.reach.above, query.reach.below}) {
        if (std::isnan(value)) return Error{ErrorCode::not_finite, Field::reach, 0};
        if (!(value >= 0.0) || value > 4.0 * kMeshSpan)
            return Error{ErrorCode::out_of_range, Field::reach, 0};
    }
    checked = check_costs(query.filter.area_costs, kAreasMax, Field::areas);
    if (checked) checked = check_costs(query.filter.link_costs, kLinkKindsMax, Field::links);
    if (!checked) return checked;
    if (query.planner >= MeshPlanner::count_) return Error{ErrorCode::out_of_range, Field::planner, 0};
    return {};
}

}  // namespace mesh

}  // namespace fairlead
