// GridTrace: records a search on a tile world into a Trace, ready to be drawn.
//
//     debug::Trace trace;
//     debug::GridTrace recorder{*town, query.planner, trace};
//     Result<Route> route = find_route(*town, query, scratch, {.trace = recorder.hook()});
//     debug::add_path(*route, trace);
//     debug::draw(trace.events(), svg.sink());
#pragma once

#include <fairlead/debug/trace.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

/// Not movable: the hook points to it. Grid and trace outlive it.
class GridTrace {
  public:
    /// `planner` is the query's: it says how the search numbers its states.
    GridTrace(const GridState& grid, GridPlanner planner, Trace& trace) : grid_(grid), trace_(trace), planner_(planner) {}
    GridTrace(const GridTrace&) = delete;
    GridTrace& operator=(const GridTrace&) = delete;

    [[nodiscard]] TraceHook hook();

  private:
    GridState grid_;
    Trace& trace_;
    GridPlanner planner_;
};

/// Adds the route's corners as events of kind path, each reached from the one before.
void add_path(const Route& route, Trace& trace);

}  // namespace fairlead::debug
