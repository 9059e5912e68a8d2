// Legs of a route, one behind the other.
#pragma once

#include <fairlead/math/trig.h>
#include <fairlead/route/route.h>

#include "mesh/data/links.h"

namespace fairlead::mesh {

struct LegWriter {
    Route& route;
    Vec3 at{};
    double heading = 0.0;

    /// A straight leg; nothing if it leads nowhere.
    [[nodiscard]] bool walk(Vec3 to) {
        const Vec2 along = ground(to) - ground(at);
        const double far = length(along);
        if (!(far > 0.0)) return true;
        heading = math::atan2(along.y, along.x);
        Leg leg;
        leg.start = {at, heading, 0};
        leg.length = far;
        leg.rise = to.z - at.z;
        route.length += far;
        at = to;
        return route.legs.push_back(leg);
    }

    /// Through a link. It has no length on the ground; its cost counts.
    [[nodiscard]] bool take(Vec3 to, const LinkRecord& record, bool back, double cost) {
        heading = back ? math::wrap_pi(record.heading + kPi) : math::wrap_pi(record.heading);
        Leg leg;
        leg.kind = LegKind::link;
        leg.start = {at, heading, 0};
        leg.link_id = record.link.id;
        route.cost += cost;
        at = to;
        return route.legs.push_back(leg);
    }
};

}  // namespace fairlead::mesh
