// What drawings of turning units are put together from.
#pragma once

#include <fairlead/curve/word.h>
#include <fairlead/debug/sink.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

#include "debug/body_outline.h"

namespace fairlead::debug {

/// Fills the ground that the body sweeps along one leg. `reach`: of the body from its axle.
void sweep_leg(const BodyCore& body, double reach, const Leg& leg, const Sink& sink, const Fill& fill);

/// A short line from the place to where it faces.
void draw_tick(const Place& place, double size, const Sink& sink, const Stroke& stroke);

void draw_outline_of(const BodyOutline& outline, double z, const Sink& sink, const Fill& fill,
                     const Stroke& stroke);

/// The line of the axle along one leg.
void draw_leg_line(const Leg& leg, const Sink& sink, const Stroke& stroke);

/// Calls visit(leg) for each segment of a word, and returns the end.
template <class Visit>
Place each_leg(const CurveWord& word, const Pose& start, double radius, const Visit& visit) {
    Place at{{start.position.x, start.position.y, 0.0}, start.heading_rad, 0};
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        const double way = segment.amount < 0.0 ? -1.0 : 1.0;
        Leg leg;
        leg.start = at;
        leg.length = segment.amount * way * radius;
        leg.curvature = way * static_cast<double>(segment.steer) / radius;
        leg.gear = way < 0.0 ? Gear::reverse : Gear::forward;
        visit(leg);
        at = place_on_leg(leg, leg.length);
    }
    return at;
}

}  // namespace fairlead::debug
