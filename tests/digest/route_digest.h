// Every number of a route, for the digest scenes.
#pragma once

#include <cstdint>

#include <fairlead/base/digest.h>
#include <fairlead/route/route.h>

namespace fairlead::testing {

inline void add_place(Digest& digest, const Place& place) {
    digest.add(place.position.x);
    digest.add(place.position.y);
    digest.add(place.position.z);
    digest.add(place.heading_rad);
    digest.add(place.layer);
}

inline void add_route(Digest& digest, const Route& route) {
    digest.add(static_cast<std::uint32_t>(route.status));
    digest.add(route.length);
    digest.add(route.cost);
    digest.add(route.bound);
    digest.add(route.revision);
    for (const Leg& leg : route.legs) {
        add_place(digest, leg.start);
        digest.add(leg.length);
        digest.add(leg.rise);
        digest.add(leg.curvature);
        digest.add(leg.turn_rad);
        digest.add(leg.clearance);
        digest.add(leg.speed_max);
        digest.add(leg.link_id);
        digest.add(static_cast<std::uint32_t>(leg.kind));
        digest.add(static_cast<std::uint32_t>(leg.gear));
    }
    add_place(digest, route.end);
    digest.add(route.stats.expanded);
    digest.add(route.stats.generated);
    digest.add(route.stats.open_peak);
    digest.add(route.stats.digest);
}

}  // namespace fairlead::testing
