#include <fairlead/debug/grid_trace.h>

#include <cstring>

namespace fairlead::debug {
namespace {

[[nodiscard]] TraceKind kind_of(TraceEventKind kind) {
    return kind == TraceEventKind::expanded ? TraceKind::expand : TraceKind::generate;
}

/// The planner that made the route; automatic if it is none of a grid's.
[[nodiscard]] GridPlanner planner_of(const Route& route) {
    for (int i = 0; i < static_cast<int>(GridPlanner::count_); ++i) {
        const auto planner = static_cast<GridPlanner>(i);
        if (std::strcmp(planner_name(planner), route.planner) == 0) return planner;
    }
    return GridPlanner::automatic;
}

}  // namespace

TraceHook GridTrace::hook() {
    return {[](TraceEventKind kind, std::uint32_t state, Cost, void* user) {
                GridTrace& self = *static_cast<GridTrace*>(user);
                if (self.events_.size() >= self.events_max_ || !self.events_.push_back({state, kind})) {
                    self.complete_ = false;
                }
            },
            this};
}

void GridTrace::fill(Trace& trace, const Route& route) const {
    const GridPlanner planner = planner_of(route);
    for (const Event& event : events_) {
        std::int32_t layer = 0;
        const Vec2 at = trace_position(grid_, planner, event.state, &layer);
        trace.add(kind_of(event.kind), at, at, layer);
    }
    add_path(trace, route);
}

void add_path(Trace& trace, const Route& route) {
    const Place* last = nullptr;
    const auto add = [&](const Place& place) {
        const Vec2 at = ground(place.position);
        trace.add(TraceKind::path, at, last == nullptr ? at : ground(last->position), place.layer);
        last = &place;
    };
    for (const Leg& leg : route.legs) add(leg.start);
    if (!route.legs.empty()) add(route.end);
}

}  // namespace fairlead::debug
