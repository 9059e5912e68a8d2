// A query as a picture.

#include "cli/picture.h"

#include <algorithm>

#include <fmt/format.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/svg.h>
#include <fairlead/debug/trace.h>

#include "cli/failure.h"

namespace fairlead::cli {

std::string make_svg(const Picture& picture) {
    const Route& route = picture.route;
    const double cell_size = picture.grid.cell_size();
    const std::string title =
        fmt::format("{}, {}: length {:.2f}", status_name(route.status), route.planner, route.length);
    debug::SvgOptions options{.bounds = debug::world_bounds(picture.grid), .y_up = picture.y_up};
    options.width = std::clamp(16.0 + 8.0 * picture.grid.width(), 400.0, 1200.0);
    options.title = title.c_str();
    debug::SvgWriter svg{options};
    const debug::Sink sink = svg.sink();

    // Of several floors the start's.
    const std::int32_t floor = picture.query.start.layer;
    const std::int32_t only = picture.grid.layers() > 1 ? floor : -1;
    debug::draw(picture.grid, sink, {.region = {.layer = floor}});
    debug::draw(picture.trace.events(), sink, {.cell_size = cell_size, .layer = only});
    debug::draw(picture.query.blockers, sink, only);
    if (only < 0 || picture.query.goal.at.layer == only) debug::draw(picture.query.goal, sink, cell_size);
    debug::draw(route, picture.query.agent, sink, {.layer = only, .cell_size = cell_size});

    const Result<std::span<const char>> text = svg.finish();
    if (!text) fail_at("--svg", error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

void check_svg_name(const std::string& path) {
    for (const char* pixels : {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp"}) {
        if (path.ends_with(pixels))
            fail(fmt::format("--svg: {}: a picture of lines, not of pixels; volumes have --png", path));
    }
}

std::string make_trace_json(const debug::Trace& trace) {
    Array<char> text;
    const Result<void> written = debug::write_trace_json(trace.events(), text);
    if (!written) fail_at("--trace", error_text(written.error()).c_str());
    return {text.begin(), text.size()};
}

}  // namespace fairlead::cli
