#include <fairlead/debug/drive_trace.h>

#include <fairlead/debug/grid_trace.h>

namespace fairlead::debug {

DriveTraceHook DriveTrace::hook() {
    return {[](TraceEventKind kind, const Pose& pose, Gear, Cost, void* user) {
                const DriveTrace& self = *static_cast<const DriveTrace*>(user);
                const TraceKind told =
                    kind == TraceEventKind::expanded ? TraceKind::expand : TraceKind::generate;
                self.trace_.add_pose(told, pose, pose.position, self.layer_);
            },
            this};
}

void add_path(Trace& trace, const Route& route, const Agent& agent) {
    if (!(agent.turning_radius > 0.0)) return add_path(trace, route);
    if (route.legs.empty()) return;
    Vec2 last = ground(route.legs[0].start.position);
    const auto add = [&](const Place& place) {
        const Pose pose{ground(place.position), place.heading_rad};
        trace.add_pose(TraceKind::path, pose, last, place.layer);
        last = pose.position;
    };
    for (const Leg& leg : route.legs) add(leg.start);
    add(route.end);
}

}  // namespace fairlead::debug
