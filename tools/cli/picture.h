// A query as a picture: the map, what the search looked at, the width of the unit, the route.
#pragma once

#include <string>

#include <fairlead/debug/trace.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

namespace fairlead::cli {

struct Picture {
    const GridState& grid;
    const GridQuery& query;
    const Route& route;
    const debug::Trace& trace;
    bool y_up = false;
};

[[nodiscard]] std::string make_svg(const Picture& picture);
/// Fails for the name of a file of pixels.
void check_svg_name(const std::string& path);
[[nodiscard]] std::string make_trace_json(const debug::Trace& trace);

}  // namespace fairlead::cli
