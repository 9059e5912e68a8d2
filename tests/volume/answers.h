// What a query comes to, and what the checker says of a route.
#pragma once

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

namespace fairlead::testing {

/// count_: an error.
inline PathStatus status_of(const Volume& volume, const VolumeQuery& query, Scratch& scratch) {
    const Result<Route> route = find_route(volume, query, scratch);
    return route ? route->status : PathStatus::count_;
}

inline Violation judged(const Route& route, const Volume& volume, const VolumeQuery& query) {
    return verify(route, volume, query.agent, {.blockers = query.blockers, .areas = query.areas});
}

}  // namespace fairlead::testing
