#include <fairlead/mesh/find_route.h>

#include "base/no_memory.h"
#include "mesh/query/search_run.h"
#include "search/run_search.h"

namespace fairlead {

using mesh::SearchRun;

MeshSearch::MeshSearch(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch,
                       const MeshHooks& hooks)
    : run_(scratch.get<SearchRun>()) {
    if (run_ != nullptr) run_->begin(mesh, query, hooks, false);
}

bool MeshSearch::step(std::uint64_t expansions) { return run_ != nullptr && run_->step(expansions); }

bool MeshSearch::running() const { return run_ != nullptr && run_->running(); }

Result<void> MeshSearch::take(Route& route) {
    if (run_ != nullptr) return run_->take(route);
    route.clear();
    return kNoMemory;
}

Result<void> find_route_into(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch, Route& route,
                             const MeshHooks& hooks) {
    return finish_search(MeshSearch(mesh, query, scratch, hooks), route);
}

Result<Route> find_route(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch,
                         const MeshHooks& hooks) {
    Route route;
    route.legs = Array<Leg>(scratch.allocator());
    const Result<void> done = find_route_into(mesh, query, scratch, route, hooks);
    if (!done) return done.error();
    return route;
}

Result<void> find_routes_into(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch,
                              std::span<Route> routes, const MeshHooks& hooks) {
    return find_each<SearchRun>(mesh, query, scratch, routes, hooks);
}

}  // namespace fairlead
