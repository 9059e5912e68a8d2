// Which planner answers a query: what jump points and the hierarchy can serve, and whether the one asked for by name can.
#include "grid/choose_planner.h"

namespace fairlead::grid {

namespace {

Error rule(GridRule which, ErrorCode code) {
    return {code, Field::planner, static_cast<std::int64_t>(which)};
}

bool plain_map(const CellQuery& cells, bool blockers) {
    return !cells.state->wrap_x && !cells.state->wrap_y && cells.state->portal_count == 0 && !blockers;
}

bool cuts_no_corners(const CellQuery& cells) {
    return cells.corner == CornerRule::never || cells.key < 0 || cells.key == kCellBody;
}

// Why jump points cannot serve this query, or count -1 if they can.
std::int64_t jump_point_obstacle(const CellQuery& cells, bool blockers) {
    if (!cells.uniform || cells.filtered)
        return static_cast<std::int64_t>(GridRule::jump_point_needs_uniform_cost);
    if (!cells.eight) return static_cast<std::int64_t>(GridRule::jump_point_needs_eight);
    if (!plain_map(cells, blockers)) return static_cast<std::int64_t>(GridRule::jump_point_needs_plain_map);
    if (cells.body == nullptr) return static_cast<std::int64_t>(GridRule::jump_point_needs_registered_size);
    if (!cuts_no_corners(cells)) return static_cast<std::int64_t>(GridRule::jump_point_needs_no_cutting);
    if (cells.goal.kind != Goal::Kind::point)
        return static_cast<std::int64_t>(GridRule::jump_point_needs_one_goal);
    return -1;
}

// The same for the hierarchy, which serves round seams and through portals too. Its ways are straight lines at any angle: those of a
// point, whose cells a unit of one cell shares (lines_body), cut corners that the unit cannot.
bool clusters_may_serve(const CellQuery& cells, bool blockers) {
    return cells.uniform && !cells.filtered && cells.eight && !blockers && cells.body != nullptr &&
           cells.body->key == cells.key && cells.body->cluster_levels > 0 && cuts_no_corners(cells) &&
           cells.goal.kind == Goal::Kind::point;
}

bool reads_heuristics(GridPlanner planner) {
    return planner == GridPlanner::automatic || planner == GridPlanner::astar ||
           planner == GridPlanner::weighted_astar || planner == GridPlanner::anytime ||
           planner == GridPlanner::greedy_best_first;
}

}  // namespace

Result<void> choose_planner(const GridQuery& query, PreparedQuery& out) {
    const CellQuery& cells = out.cells;
    out.planner = query.planner;
    const bool blockers = !query.blockers.empty();
    const std::int64_t obstacle = jump_point_obstacle(cells, blockers);
    out.flat_planner = obstacle < 0 ? GridPlanner::jump_point : GridPlanner::bucket_astar;
    out.clusters_may_serve = clusters_may_serve(cells, blockers);
    if (query.heuristic == GridHeuristic::own) {
        out.clusters_may_serve = false;
        out.flat_planner = GridPlanner::astar;
        if (!reads_heuristics(query.planner))
            return rule(GridRule::own_heuristic_needs_astar, ErrorCode::incompatible);
    }
    switch (query.planner) {
        case GridPlanner::jump_point:
            if (obstacle >= 0) return rule(static_cast<GridRule>(obstacle), ErrorCode::unsupported);
            break;
        case GridPlanner::automatic: out.planner = out.flat_planner; break;
        case GridPlanner::fixed_window: {
            const bool plain = cells.uniform && !cells.filtered && plain_map(cells, blockers) &&
                               cells.goal.kind == Goal::Kind::point;
            if (!plain) return rule(GridRule::fixed_window_needs_plain_query, ErrorCode::unsupported);
            break;
        }
        case GridPlanner::turn_penalty:
            if (cells.code.count(cells.state->layers) >= (std::uint64_t{1} << 29)) {
                return rule(GridRule::turn_penalty_needs_smaller_map, ErrorCode::unsupported);
            }
            break;
        case GridPlanner::hierarchy:
            if (!out.clusters_may_serve)
                return rule(GridRule::hierarchy_needs_hierarchy, ErrorCode::unsupported);
            break;
        case GridPlanner::bidirectional:
            if (cells.goal.kind != Goal::Kind::point && cells.goal.kind != Goal::Kind::any_of) {
                return rule(GridRule::bidirectional_needs_one_goal, ErrorCode::unsupported);
            }
            break;
        default: break;
    }
    return {};
}

void choose_for_ends_between(PreparedQuery& out) {
    const auto one_cell = [](GridPlanner planner) {
        return planner == GridPlanner::jump_point || planner == GridPlanner::fixed_window ||
               planner == GridPlanner::hierarchy;
    };
    out.clusters_may_serve = false;
    for (GridPlanner* planner : {&out.planner, &out.flat_planner}) {
        if (one_cell(*planner)) *planner = GridPlanner::bucket_astar;
    }
}

}  // namespace fairlead::grid
