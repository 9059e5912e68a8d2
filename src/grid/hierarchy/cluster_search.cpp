// Two cells joined to the entrances of their clusters: the ends of a search over the hierarchy.
#include "grid/hierarchy/cluster_search.h"

namespace fairlead::grid {

bool ClusterSearch::begin(const StateData& state, const Body& body, const Cell& start, const Cell& goal) {
    if (body.cluster_levels == 0) return false;
    const std::int32_t dx = start.x < goal.x ? goal.x - start.x : start.x - goal.x;
    const std::int32_t dy = start.y < goal.y ? goal.y - start.y : start.y - goal.y;
    if (dx < kNearCells && dy < kNearCells) return false;
    sight = ClusterSight(state, body, start.layer);
    from.fill(state, body, start.layer, start.x, start.y, sight, around);
    if (!from.joined) return false;
    to.fill(state, body, goal.layer, goal.x, goal.y, sight, around);
    if (!to.joined) return false;
    space = ClusterSpace(state, body, start.layer, from, to);
    return true;
}

}  // namespace fairlead::grid
