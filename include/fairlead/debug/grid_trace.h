// GridTrace: records a search on a tile world into a Trace, ready to be drawn.
//
//     debug::GridTrace recorder{*town};
//     Result<Route> route = find_route(*town, query, scratch, {.trace = recorder.hook()});
//     debug::Trace trace;
//     recorder.fill(trace, *route);
//     debug::draw(trace.events(), svg.sink());
//
// The recorder keeps the search's own state numbers; what they mean depends on the planner, which with
// GridPlanner::automatic is known only from the route.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/debug/trace.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

/// Not movable: the hook points to it. The grid's state outlives it.
class GridTrace {
  public:
    /// Keeps at most `events_max` events.
    explicit GridTrace(const GridState& grid, std::size_t events_max = std::size_t{1} << 24,
                       const Allocator& allocator = {})
        : grid_(grid), events_max_(events_max), events_(allocator) {}
    GridTrace(const GridTrace&) = delete;
    GridTrace& operator=(const GridTrace&) = delete;

    [[nodiscard]] TraceHook hook();

    /// Adds what was recorded so far, and the route's corners as events of kind path. May be called again, for
    /// another trace: films of an anytime search.
    void fill(Trace& trace, const Route& route) const;

    /// False when events were dropped: past the limit, or memory ran out.
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    struct Event {
        std::uint32_t state = 0;
        TraceEventKind kind = TraceEventKind::generated;
    };

    GridState grid_;
    std::size_t events_max_;
    Array<Event> events_;
    bool complete_ = true;
};

/// Adds the route's corners as events of kind path, each reached from the one before.
void add_path(Trace& trace, const Route& route);

}  // namespace fairlead::debug
