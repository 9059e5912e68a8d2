// find_route of a turning unit in a volume: the harness of all searches (search/run_search.h) over fly::FlyRun.
#include <fairlead/fly/find_fly.h>

#include "fly/fly_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<FlySearchKind>;

template <std::same_as<FlyQuery> Query>
Result<void> find_route_into(const VolumeState& volume, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<fly::FlyRun>(volume, query, scratch, route, hooks);
}

template <std::same_as<FlyQuery> Query>
Result<Route> find_route(const VolumeState& volume, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(
        scratch, [&](Route& route) { return find_into<fly::FlyRun>(volume, query, scratch, route, hooks); });
}

template Result<Route> find_route(const VolumeState&, const FlyQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const VolumeState&, const FlyQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
