// Records the events of a search.

#include "cli/recorder.h"

#include <fairlead/formats/names.h>

namespace fairlead::cli {

TraceHook Recorder::hook() {
    return {[](TraceEventKind kind, std::uint32_t state, Cost, void* user) {
                static_cast<Recorder*>(user)->events_.push_back({state, kind});
            },
            this};
}

void Recorder::fill(debug::Trace& trace, const GridState& grid, const Route& route) const {
    const GridPlanner planner = formats::planner_from_name(route.planner).value_or(GridPlanner::automatic);
    for (const Event& event : events_) {
        std::int32_t layer = 0;
        const Vec2 at = trace_position(grid, planner, event.state, &layer);
        const bool expanded = event.kind == TraceEventKind::expanded;
        trace.add(expanded ? debug::TraceKind::expand : debug::TraceKind::generate, at, at, layer);
    }
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Place& from = route.legs[i].start;
        const Place& to = leg_end(route, i);
        trace.add(debug::TraceKind::path, {to.position.x, to.position.y}, {from.position.x, from.position.y},
                  to.layer);
    }
}

}  // namespace fairlead::cli
