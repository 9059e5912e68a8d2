// find_route on a roadmap: the harness of all searches (search/run_search.h) over roadmap::SearchRun.
#include <fairlead/roadmap/find_route.h>

#include "roadmap/search_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<RoadmapSearchKind>;

template <std::same_as<RoadmapQuery> Query>
Result<void> find_route_into(const RoadmapState& roadmap, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<roadmap::SearchRun>(roadmap, query, scratch, route, hooks);
}

template <std::same_as<RoadmapQuery> Query>
Result<Route> find_route(const RoadmapState& roadmap, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(scratch, [&](Route& route) {
        return find_into<roadmap::SearchRun>(roadmap, query, scratch, route, hooks);
    });
}

Result<void> find_routes_into(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                              std::span<Route> routes, const SearchHooks& hooks) {
    return find_each<roadmap::SearchRun>(roadmap, query, scratch, routes, hooks);
}

template Result<Route> find_route(const RoadmapState&, const RoadmapQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const RoadmapState&, const RoadmapQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
