// Records the events of a search, to be drawn or written once the planner is known.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/debug/trace.h>
#include <fairlead/grid/find_route.h>

namespace fairlead::cli {

class Recorder {
  public:
    Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Valid while this object lives.
    [[nodiscard]] TraceHook hook();
    /// The events as places, and the route at the end.
    void fill(debug::Trace& trace, const GridState& grid, const Route& route) const;

  private:
    struct Event {
        std::uint32_t state;
        TraceEventKind kind;
    };
    std::vector<Event> events_;
};

}  // namespace fairlead::cli
