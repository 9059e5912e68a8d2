// MeshTrace: records the intervals of a search on a level mesh, ready to be drawn.
//
//     debug::MeshTrace trace;
//     Result<Route> route = find_route(*level, query, scratch, {.intervals = trace.hook()});
//     debug::draw(*level, svg.sink());
//     debug::draw(trace.events(), svg.sink());
//     debug::draw(*route, agent, svg.sink());
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/debug/sink.h>
#include <fairlead/mesh/trace.h>

namespace fairlead::debug {

struct MeshTraceEvent {
    MeshInterval interval{};
    TraceEventKind kind = TraceEventKind::expanded;
};

/// Not movable: the hook points to it.
class MeshTrace {
  public:
    /// Keeps at most `events_max` events.
    explicit MeshTrace(std::size_t events_max = std::size_t{1} << 24, const Allocator& allocator = {})
        : events_max_(events_max), events_(allocator) {}
    MeshTrace(const MeshTrace&) = delete;
    MeshTrace& operator=(const MeshTrace&) = delete;

    [[nodiscard]] MeshIntervalHook hook();
    [[nodiscard]] std::span<const MeshTraceEvent> events() const { return events_.span(); }
    /// False when events were dropped: past the limit, or memory ran out.
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    std::size_t events_max_;
    Array<MeshTraceEvent> events_;
    bool complete_ = true;
};

struct MeshTraceDraw {
    bool fans = true;                   ///< the triangles between roots and opened intervals
    bool open = true;                   ///< the intervals that were put on the open list
    std::size_t events_end = SIZE_MAX;  ///< only the events before this one: a frame of a film
    double z = 0.0;                     ///< added to heights
};

/// Opened intervals and their fans, light to dark in order, and below them what was put on the open list; as the group
/// "intervals" (with "open", "fans", "expanded", "roots"). Nothing is allocated; reads the events a few dozen times.
void draw(std::span<const MeshTraceEvent> events, const Sink& sink, const MeshTraceDraw& options = {});

}  // namespace fairlead::debug
