// One query.

#include "cli/solve.h"

#include <vector>

#include <fairlead/math/trig.h>

namespace fairlead::cli {

namespace {

Leg turn_leg(const Place& at, double from_rad, double to_rad) {
    Leg leg;
    leg.kind = LegKind::turn;
    leg.start = at;
    leg.start.heading_rad = from_rad;
    leg.turn_rad = math::wrap_pi(to_rad - from_rad);
    return leg;
}

}  // namespace

void turn_to(Route& route, const Headings& headings) {
    if (route.status != PathStatus::complete && route.status != PathStatus::partial && route.legs.empty())
        return;
    const Place first = route.legs.empty() ? route.end : route.legs[0].start;
    std::vector<Leg> legs(route.legs.begin(), route.legs.end());
    double facing = first.heading_rad;
    if (headings.start_rad) {
        if (legs.empty()) {
            facing = *headings.start_rad;
        } else if (*headings.start_rad != facing) {
            legs.insert(legs.begin(), turn_leg(first, *headings.start_rad, facing));
        }
    }
    if (!legs.empty()) facing = route.end.heading_rad;
    if (headings.goal_rad) {
        if (*headings.goal_rad != facing) legs.push_back(turn_leg(route.end, facing, *headings.goal_rad));
        facing = *headings.goal_rad;
    }
    route.end.heading_rad = facing;
    route.legs.clear();
    for (const Leg& leg : legs) (void)route.legs.push_back(leg);
}

}  // namespace fairlead::cli
