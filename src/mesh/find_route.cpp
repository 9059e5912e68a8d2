#include <fairlead/mesh/find_route.h>

#include "base/no_memory.h"
#include "mesh/search_run.h"

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
    MeshSearch search(mesh, query, scratch, hooks);
    while (search.step(UINT64_MAX)) {
    }
    return search.take(route);
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
    for (Route& route : routes) route.clear();
    if (routes.size() != query.goal.any_of.size()) {
        return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(query.goal.any_of.size())};
    }
    if (routes.empty()) return {};
    auto* run = scratch.get<SearchRun>();
    if (run == nullptr) return kNoMemory;
    run->begin(mesh, query, hooks, true);
    while (run->step(UINT64_MAX)) {
    }
    for (std::uint32_t point = 0; point < routes.size(); ++point) {
        const Result<void> done = run->take(routes[point], point);
        if (done) continue;
        for (Route& route : routes) route.clear();
        return done;
    }
    return {};
}

}  // namespace fairlead
