// find_route on a tile world: the harness of all searches (search/run_search.h) over grid::SearchRun.
#include <fairlead/grid/find_route.h>

#include <iterator>

#include "grid/search_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<GridSearchKind>;

namespace {

constexpr const char* kPlannerNames[] = {
    "auto",           "jump_point", "bucket_astar",      "astar",        "dijkstra",     "bidirectional",
    "weighted_astar", "anytime",    "greedy_best_first", "turn_penalty", "fixed_window", "hierarchy"};
static_assert(std::size(kPlannerNames) == static_cast<std::size_t>(GridPlanner::count_));

constexpr const char* kRuleTexts[] = {
    "jump_point needs uniform cost: no terrain costs, filter or influence",
    "jump_point needs eight neighbours",
    "jump_point needs a map without seams and portals, and no blockers",
    "jump_point needs a size that is registered with the grid",
    "jump_point needs the corner rule never (or a unit that cuts no corners)",
    "jump_point needs one goal point",
    "fixed_window needs a query with walls and one goal point only",
    "bidirectional needs goal points, not a region",
    "turn_penalty needs a map of fewer than 2^29 cells",
    "hierarchy needs a grid made with one, a registered size and a query that it can serve",
    "an own heuristic needs astar, weighted_astar, anytime or greedy_best_first",
};

}  // namespace

const char* planner_name(GridPlanner planner) {
    const auto i = static_cast<std::size_t>(planner);
    return i < std::size(kPlannerNames) ? kPlannerNames[i] : "unknown";
}

const char* grid_rule_text(GridRule rule) {
    const auto i = static_cast<std::size_t>(rule);
    return i < std::size(kRuleTexts) ? kRuleTexts[i] : "unknown rule";
}

template <std::same_as<GridQuery> Query>
Result<void> find_route_into(const GridState& grid, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<grid::SearchRun>(grid, query, scratch, route, hooks);
}

template <std::same_as<GridQuery> Query>
Result<Route> find_route(const GridState& grid, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(scratch, [&](Route& route) {
        return find_into<grid::SearchRun>(grid, query, scratch, route, hooks);
    });
}

template Result<Route> find_route(const GridState&, const GridQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const GridState&, const GridQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
