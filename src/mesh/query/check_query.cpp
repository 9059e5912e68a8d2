#include <cmath>

#include "mesh/query/check_costs.h"
#include "mesh/query/search_run.h"

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

Result<void> check_point(Vec3 p, std::int64_t field, std::int64_t which) {
    for (const double value : {p.x, p.y, p.z}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, which};
        if (std::fabs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, field, which};
    }
    return {};
}

Result<void> check_agent(const StateData& state, const Agent& agent) {
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, query_field::kAgent, 0};
    if (!std::isfinite(agent.radius) || !std::isfinite(agent.turning_radius))
        return Error{ErrorCode::not_finite, query_field::kAgent, 0};
    if (!good_body(agent)) return Error{ErrorCode::out_of_range, query_field::kAgent, 0};
    if (agent.turning_radius > 0.0 || agent.shape != BodyShape::disc)
        return Error{ErrorCode::unsupported, query_field::kAgent, 0};
    if (2.0 * (agent.radius - state.agent_radius) > state.gap_max && agent.radius > state.agent_radius) {
        return Error{ErrorCode::out_of_range, query_field::kAgent, 0};
    }
    return {};
}

}  // namespace

Result<void> check_costs(std::span<const double> costs, std::size_t count, std::int64_t field) {
    if (!costs.empty() && costs.size() != count)
        return Error{ErrorCode::size_mismatch, field, static_cast<std::int64_t>(count)};
    for (const double cost : costs) {
        if (std::isnan(cost)) return Error{ErrorCode::not_finite, field, 0};
        if (cost != 0.0 && !(cost >= MeshFilter::kCostMin && cost <= MeshFilter::kCostMax))
            return Error{ErrorCode::out_of_range, field, 0};
    }
    return {};
}

Result<void> check_query(const StateData& state, const MeshQuery& query) {
    Result<void> checked = check_point(query.start, query_field::kStart, 0);
    if (!checked) return checked;
    if (query.goal.any_of.size() > kGoalsMax)
        return Error{ErrorCode::size_limit, query_field::kGoal, kGoalsMax};
    checked = check_point(query.goal.point, query_field::kGoal, 0);
    for (std::size_t i = 0; i < query.goal.any_of.size() && checked; ++i) {
        checked = check_point(query.goal.any_of[i], query_field::kGoal, static_cast<std::int64_t>(i));
    }
    if (checked) checked = check_agent(state, query.agent);
    if (!checked) return checked;
    for (const double value : {query.reach.across, query.reach.above, query.reach.below}) {
        if (std::isnan(value)) return Error{ErrorCode::not_finite, query_field::kReach, 0};
        if (!(value >= 0.0) || value > 4.0 * kMeshSpan)
            return Error{ErrorCode::out_of_range, query_field::kReach, 0};
    }
    checked = check_costs(query.filter.area_costs, kAreasMax, query_field::kFilter);
    if (checked) checked = check_costs(query.filter.link_costs, kLinkKindsMax, query_field::kFilter);
    if (!checked) return checked;
    if (query.planner >= MeshPlanner::count_) return Error{ErrorCode::out_of_range, query_field::kPlanner, 0};
    return {};
}

}  // namespace mesh

}  // namespace fairlead
