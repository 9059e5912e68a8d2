// Two cells joined to the entrances of their clusters: the ends of a search over the hierarchy.
#include "grid/hierarchy/cluster_search.h"

#include <algorithm>

namespace fairlead::grid {

std::int32_t cells_apart(const StateData& state, const Cell& a, const Cell& b) {
    std::int32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
    std::int32_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
    if (state.wrap_x) dx = std::min(dx, state.width - dx);
    if (state.wrap_y) dy = std::min(dy, state.height - dy);
    return std::max(dx, dy);
}

bool ClusterSearch::begin(const CellQuery& query, const Cell& start, const Cell& goal, bool& serves) {
    serves = false;
    const StateData& state = *query.state;
    const Body& body = *query.body;
    if (body.cluster_levels == 0) return true;
    if (start.x >> kClusterShift == goal.x >> kClusterShift &&
        start.y >> kClusterShift == goal.y >> kClusterShift && start.layer == goal.layer)
        return true;
    sight = ClusterSight(state, body, start.layer);
    if (!from.fill(state, body, start.layer, start.x, start.y, sight, around, field)) return false;
    if (!from.joined) return true;
    if (goal.layer != start.layer) sight = ClusterSight(state, body, goal.layer);
    if (!to.fill(state, body, goal.layer, goal.x, goal.y, sight, around, field)) return false;
    serves = to.joined;
    if (serves) space = ClusterSpace(query, from, to);
    return true;
}

}  // namespace fairlead::grid
