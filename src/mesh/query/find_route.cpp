// find_route on a level mesh: the harness of all searches (search/run_search.h) over mesh::SearchRun.
#include <fairlead/mesh/find_route.h>

#include "mesh/query/search_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<MeshSearchKind>;

template <std::same_as<MeshQuery> Query>
Result<void> find_route_into(const NavMeshState& mesh, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<mesh::SearchRun>(mesh, query, scratch, route, hooks);
}

template <std::same_as<MeshQuery> Query>
Result<Route> find_route(const NavMeshState& mesh, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(scratch, [&](Route& route) {
        return find_into<mesh::SearchRun>(mesh, query, scratch, route, hooks);
    });
}

Result<void> find_routes_into(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch,
                              std::span<Route> routes, const SearchHooks& hooks) {
    return find_each<mesh::SearchRun>(mesh, query, scratch, routes, hooks);
}

template Result<Route> find_route(const NavMeshState&, const MeshQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const NavMeshState&, const MeshQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
