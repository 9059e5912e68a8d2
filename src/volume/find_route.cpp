// find_route in a volume: the harness of all searches (search/run_search.h) over volume::SearchRun.
#include <fairlead/volume/find_route.h>

#include "search/run_search.h"
#include "volume/search/search_run.h"

namespace fairlead {

template class RouteSearch<VolumeSearchKind>;

const char* planner_name(VolumePlanner planner) {
    switch (planner) {
        case VolumePlanner::any_angle: return "any_angle";
        case VolumePlanner::astar: return "astar";
        case VolumePlanner::dijkstra: return "dijkstra";
        case VolumePlanner::greedy_best_first: return "greedy_best_first";
        case VolumePlanner::count_: break;
    }
    return "unknown";
}

template <std::same_as<VolumeQuery> Query>
Result<void> find_route_into(const VolumeState& volume, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<volume::SearchRun>(volume, query, scratch, route, hooks);
}

template <std::same_as<VolumeQuery> Query>
Result<Route> find_route(const VolumeState& volume, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(scratch, [&](Route& route) {
        return find_into<volume::SearchRun>(volume, query, scratch, route, hooks);
    });
}

template Result<Route> find_route(const VolumeState&, const VolumeQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const VolumeState&, const VolumeQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
