#include <fairlead/debug/grid_trace.h>

namespace fairlead::debug {
namespace {

[[nodiscard]] TraceKind kind_of(TraceEventKind kind) {
    return kind == TraceEventKind::expanded ? TraceKind::expand : TraceKind::generate;
}

}  // namespace

TraceHook GridTrace::hook() {
    return {[](TraceEventKind kind, std::uint32_t state, Cost, void* user) {
                const GridTrace& self = *static_cast<GridTrace*>(user);
                std::int32_t layer = 0;
                const Vec2 at = trace_position(self.grid_, self.planner_, state, &layer);
                self.trace_.add(kind_of(kind), at, at, layer);
            },
            this};
}

void add_path(const Route& route, Trace& trace) {
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
