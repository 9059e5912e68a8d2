#include <cmath>

#include "mesh/query/search_run.h"
#include "route/check_filter.h"
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

Result<void> check_spot(const Spot& spot, Field field, std::int64_t which) {
    if (spot.kind != Spot::Kind::position) return Error{ErrorCode::unsupported, field, which, 0};
    const Vec3 p = spot.position;
    for (const double value : {p.x, p.y, p.z}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, field, which, 0};
        if (std::fabs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, field, which, 0};
    }
    return {};
}

Result<void> check_goal(const Goal& goal) {
    if (goal.kind == Goal::Kind::point) return check_spot(goal.at, Field::goal, -1);
    if (goal.kind != Goal::Kind::any_of) return Error{ErrorCode::unsupported, Field::goal};
    if (goal.list.empty()) return Error{ErrorCode::size_zero, Field::goal_list};
    if (goal.list.size() > kGoalsMax) return Error{ErrorCode::size_limit, Field::goal_list, kGoalsMax};
    Result<void> checked;
    for (std::size_t i = 0; i < goal.list.size() && checked; ++i)
        checked = check_spot(goal.list[i], Field::goal_list, static_cast<std::int64_t>(i));
    return checked;
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

Result<void> check_reach(const MeshReach& reach) {
    for (const double value : {reach.across, reach.above, reach.below}) {
        if (std::isnan(value)) return Error{ErrorCode::not_finite, Field::reach, 0};
        if (!(value >= 0.0) || value > 4.0 * kMeshSpan)
            return Error{ErrorCode::out_of_range, Field::reach, 0};
    }
    return {};
}

Result<void> check_filters(const MeshFilter& filter) {
    const Result<void> checked = check_filter(filter.areas, kAreasMax, Field::areas);
    return checked ? check_filter(filter.links, kLinkKindsMax, Field::links) : checked;
}

}  // namespace

Result<void> check_unit(const StateData& state, const MeshQuery& query) {
    const Result<void> checked = check_agent(state, query.agent);
    return checked ? check_filters(query.filter) : checked;
}

Result<void> check_query(const StateData& state, const MeshQuery& query) {
    Result<void> checked = check_spot(query.start, Field::start, -1);
    if (!checked) return checked;
    checked = check_goal(query.goal);
    if (checked) checked = check_agent(state, query.agent);
    if (!checked) return checked;
    checked = check_reach(query.reach);
    if (checked) checked = check_filters(query.filter);
    if (!checked) return checked;
    if (query.planner >= MeshPlanner::count_) return Error{ErrorCode::out_of_range, Field::planner, 0};
    return {};
}

}  // namespace mesh

}  // namespace fairlead
