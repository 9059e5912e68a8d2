// A query that loads what it needs: asked, and asked again with the next missing chunks, until there is a way or nothing is missing.
#include <algorithm>
#include <utility>

#include <fairlead/volume/find_route.h>
#include <fairlead/volume/stream.h>

namespace fairlead {

Result<Route> find_route_on_demand(Volume& volume, const VolumeQuery& query, Scratch& scratch,
                                   const VolumeSource& source, const OnDemandOptions& options,
                                   const SearchHooks& hooks) {
    if (options.batch == 0) return Error{ErrorCode::out_of_range, Field::chunks};
    Array<Voxel> missing(scratch.allocator());
    std::size_t left = options.chunks_max;
    for (;;) {
        Result<Route> route = find_route(volume, query, scratch, hooks);
        if (!route || route->status == PathStatus::complete || route->status == PathStatus::budget_spent ||
            left == 0)
            return route;
        const Result<void> told =
            missing_chunks(volume, query, scratch, std::min(options.batch, left), missing);
        if (!told) return told.error();
        if (missing.empty()) return route;
        const Result<std::size_t> loaded = load_chunks(volume, missing.span(), source);
        if (!loaded) return loaded.error();
        left -= *loaded;
    }
}

}  // namespace fairlead
