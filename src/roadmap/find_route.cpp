#include <fairlead/roadmap/find_route.h>

#include "base/no_memory.h"
#include "roadmap/search_run.h"
#include "search/run_search.h"

namespace fairlead {

using roadmap::SearchRun;

RoadmapSearch::RoadmapSearch(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                             const RoadmapHooks& hooks)
    : run_(scratch.get<SearchRun>()) {
    if (run_ != nullptr) run_->begin(roadmap, query, hooks, false);
}

bool RoadmapSearch::step(std::uint64_t expansions) { return run_ != nullptr && run_->step(expansions); }

bool RoadmapSearch::running() const { return run_ != nullptr && run_->running(); }

Result<void> RoadmapSearch::take(Route& route) {
    if (run_ != nullptr) return run_->take(route);
    route.clear();
    return kNoMemory;
}

Result<void> find_route_into(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                             Route& route, const RoadmapHooks& hooks) {
    return finish_search(RoadmapSearch(roadmap, query, scratch, hooks), route);
}

Result<Route> find_route(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                         const RoadmapHooks& hooks) {
    Route route;
    route.legs = Array<Leg>(scratch.allocator());
    const Result<void> done = find_route_into(roadmap, query, scratch, route, hooks);
    if (!done) return done.error();
    return route;
}

Result<void> find_routes_into(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                              std::span<Route> routes, const RoadmapHooks& hooks) {
    return find_each<SearchRun>(roadmap, query, scratch, routes, hooks);
}

}  // namespace fairlead
