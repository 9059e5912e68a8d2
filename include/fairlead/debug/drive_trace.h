// DriveTrace: records a search of a turning unit into a Trace, ready to be drawn.
//
//     debug::DriveTrace recorder{trace};
//     Result<Route> route = find_route(*map, query, scratch, {.trace = recorder.hook()});
//     debug::add_path(trace, *route, agent);
//     debug::draw(trace.events(), svg.sink());              // a short stroke for each pose, in its heading
//
// Trace::count(expand) and count(generate) are the route's stats.
#pragma once

#include <cstdint>

#include <fairlead/debug/trace.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

/// Not movable: the hook points to it. The trace outlives it.
class DriveTrace {
  public:
    explicit DriveTrace(Trace& trace, std::int32_t layer = 0) : trace_(trace), layer_(layer) {}
    DriveTrace(const DriveTrace&) = delete;
    DriveTrace& operator=(const DriveTrace&) = delete;

    [[nodiscard]] DriveTraceHook hook();

  private:
    Trace& trace_;
    std::int32_t layer_;
};

}  // namespace fairlead::debug
