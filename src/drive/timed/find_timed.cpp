// find_route with speeds: the harness of all searches (search/run_search.h) over drive::TimedRun.
#include <fairlead/drive/find_timed.h>

#include "drive/timed/timed_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<TimedSearchKind>;

const char* planner_name(TimedPlanner planner) {
    return planner == TimedPlanner::lattice ? "timed_lattice" : "weighted_timed";
}

template <std::same_as<TimedQuery> Query>
Result<void> find_route_into(const DriveMapState& map, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<drive::TimedRun>(map, query, scratch, route, hooks);
}

template <std::same_as<TimedQuery> Query>
Result<Route> find_route(const DriveMapState& map, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(scratch,
                     [&](Route& route) { return find_route_into(map, query, scratch, route, hooks); });
}

template Result<Route> find_route(const DriveMapState&, const TimedQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const DriveMapState&, const TimedQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
