// What a waypoint or an edge must be before it enters a roadmap.

#include "roadmap/editor.h"

namespace fairlead::roadmap {

namespace {

// For Error::detail: the value, truncated, within the range of the integer.
std::int64_t truncated(double value) {
    if (value >= 9e18) return INT64_MAX;
    if (value <= -9e18) return INT64_MIN;
    return static_cast<std::int64_t>(value);
}

Error bad(ErrorCode code, std::int64_t detail) { return {code, -1, detail}; }

Result<void> check_cost(double cost) {
    if (!std::isfinite(cost)) return bad(ErrorCode::not_finite, 0);
    if (!(cost >= kEdgeCostMin && cost <= kEdgeCostMax)) return bad(ErrorCode::out_of_range, truncated(cost));
    return {};
}

}  // namespace

Result<void> check_node(const Waypoint& node) {
    if (node.id.value < 0) return bad(ErrorCode::out_of_range, node.id.value);
    const double coordinates[] = {node.position.x, node.position.y, node.position.z};
    for (const double value : coordinates) {
        if (!std::isfinite(value)) return bad(ErrorCode::not_finite, 0);
        if (absolute(value) > kRoadmapSpan) return bad(ErrorCode::out_of_range, truncated(value));
    }
    return {};
}

Result<void> check_edge(const WaypointEdge& edge, const RoadSet* roads) {
    if (edge.from == edge.to) {
        return bad(ErrorCode::incompatible, static_cast<std::int64_t>(RoadmapRule::edge_to_itself));
    }
    if (roads != nullptr && roads->widths && !edge.link && !(roads->kinds[edge.kind].width > 0.0)) {
        return bad(ErrorCode::incompatible, static_cast<std::int64_t>(RoadmapRule::no_width));
    }
    return edge.cost == kStraightCost ? Result<void>{} : check_cost(edge.cost);
}

Result<void> check_road(const RoadKind& road) {
    if (!std::isfinite(road.width) || std::isnan(road.speed_max)) return bad(ErrorCode::not_finite, 0);
    if (!(road.width >= 0.0 && road.width <= kRoadmapSpan))
        return bad(ErrorCode::out_of_range, truncated(road.width));
    if (!(road.speed_max > 0.0)) return bad(ErrorCode::out_of_range, truncated(road.speed_max));
    return {};
}

Result<double> edge_cost(const WaypointEdge& edge, Vec3 a, Vec3 b) {
    const double cost = edge.cost == kStraightCost ? distance(a, b) : edge.cost;
    const Result<void> checked = check_cost(cost);
    if (!checked) return checked.error();
    return cost;
}

}  // namespace fairlead::roadmap
