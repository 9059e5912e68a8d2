// SearchHooks: what a caller may hang on any search of any world: a trace, a flag that cancels, progress.
//
//     std::atomic<bool> stop = false;
//     Result<Route> route = find_route(*town, query, scratch, {.trace = trace.hook(), .cancel = &stop});
//
// They change neither the route nor the digest of a search that runs to its end.
#pragma once

#include <atomic>
#include <cstdint>

#include <fairlead/base/jobs.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/route.h>
#include <fairlead/search/cost.h>
#include <fairlead/search/trace.h>

namespace fairlead {

/// A state that a search has met. The one generated last may be the goal's own.
struct SearchEvent {
    TraceEventKind kind = TraceEventKind::generated;
    std::uint32_t state =
        0;       ///< the search's own number. Level meshes: PolygonId::value of the polygon ahead
    Cost g = 0;  ///< the cost so far, in the search's own unit
    /// In the world. Tiles: the cell's middle, with its layer. Roadmaps: the waypoint. Units that turn: the pose. Level meshes:
    /// the place (the start, or a corner that the way bends round) from which a side of a polygon is seen.
    Place at{};
    Gear gear = Gear::forward;
    bool has_heading = false;  ///< `at` is a pose of a unit that turns
    /// Level meshes: the part of the side that is seen from `at`, about to be crossed. Elsewhere both are at.position.
    Vec3 left{};
    Vec3 right{};
    /// Volumes: the corners of the box that the node lies in: a voxel, what is free of a brick, an open part, a cell of the search that
    /// guides. Elsewhere both are 0.
    Vec3 low{};
    Vec3 high{};
};

/// A user's function, called for every event in the order in which they happen. `expanded` is told as often as
/// SearchStats::expanded counts, `generated` as SearchStats::generated; where a search looks again at another scale or with
/// another weight, a state is told once a round.
struct SearchTrace {
    void (*event)(const SearchEvent& event, void* user) = nullptr;
    void* user = nullptr;
};

struct SearchHooks {
    SearchTrace trace{};
    /// Read every 64 units of work; true ends the search with budget_spent: an anytime planner with its best route so far, with
    /// `partial` the way to the best place so far; both as they are, unsmoothed.
    const std::atomic<bool>* cancel = nullptr;
    /// Told every 4096 units of work: units done, of the query's expansions_max. False cancels.
    Progress progress{};
};

}  // namespace fairlead
