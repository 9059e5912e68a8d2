// Figure 1 as a module for web pages: a few C functions over tools/gallery/stages.h. The page (figure_1.html.in) calls them at every drag.
//
// All numbers are in tiles; y grows up, headings are counter-clockwise from +x. One world, one thread. A call that returns a
// status gives 0 for done, or 1 + the ErrorCode.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fairlead/base/error.h>
#include <fairlead/verify/verify.h>

#include "gallery/stages.h"

namespace fairlead::web {
namespace {

constexpr int kStages = 4;

struct Page {
    std::optional<Grid> grid{};
    Scratch scratch{};
    gallery::Stages stages{};
    std::vector<double> legs[kStages]{};
    std::vector<std::int32_t> clipped[kStages]{};  // x, y of tiles
    bool legal = false;                            // the last stage, by the exact checker
};

Page& page() {
    static Page one;
    return one;
}

int status_of(const Result<void>& done) { return done ? 0 : 1 + static_cast<int>(done.error().code); }

const Route& route_of(int stage) {
    const gallery::Stages& stages = page().stages;
    switch (stage) {
        case 0: return stages.tiles;
        case 1: return stages.smoothed;
        case 2: return stages.curved.route;
        default: return stages.driven;
    }
}

/// Six numbers a leg: x, y, heading, length, curvature, gear (1 forward, -1 in reverse).
void write_legs(const Route& route, std::vector<double>& out) {
    out.clear();
    for (const Leg& leg : route.legs) {
        out.insert(out.end(), {leg.start.position.x, leg.start.position.y, leg.start.heading_rad, leg.length,
                               leg.curvature, leg.gear == Gear::forward ? 1.0 : -1.0});
    }
}

Result<void> write_clipped(int stage, const Agent& agent) {
    std::vector<std::int32_t>& out = page().clipped[stage];
    out.clear();
    Result<std::vector<Cell>> cells = gallery::find_clipped(page().grid->state(), route_of(stage), agent);
    if (!cells) return cells.error();
    for (const Cell& cell : *cells) out.insert(out.end(), {cell.x, cell.y});
    return {};
}

Result<void> solve(const gallery::StagesQuery& query) {
    Page& p = page();
    const GridState& grid = p.grid->state();
    if (Result<void> done = gallery::make_stages_into(grid, query, p.scratch, p.stages); !done) return done;
    for (int stage = 0; stage < kStages; ++stage) {
        write_legs(route_of(stage), p.legs[stage]);
        const Agent body = stage < 2 ? Agent{.radius = inscribed_radius(query.agent)} : query.agent;
        if (Result<void> done = write_clipped(stage, body); !done) return done;
    }
    p.legal = p.stages.driven.status == PathStatus::complete && !verify(p.stages.driven, grid, query.agent);
    return {};
}

bool good_stage(int stage) { return stage >= 0 && stage < kStages; }

}  // namespace
}  // namespace fairlead::web

#define FAIRLEAD_WEB_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

using namespace fairlead;

/// A field of open tiles.
FAIRLEAD_WEB_EXPORT(fl_open_field) int fl_open_field(int width, int height) {
    Result<Grid> made = Grid::make({.width = width, .height = height});
    if (!made) return 1 + static_cast<int>(made.error().code);
    web::page().grid.emplace(std::move(*made));
    return 0;
}

/// All tiles open again.
FAIRLEAD_WEB_EXPORT(fl_clear) int fl_clear() {
    std::optional<Grid>& grid = web::page().grid;
    if (!grid) return 1;
    const GridState& state = grid->state();
    return web::status_of(grid->fill({.high = {state.width(), state.height()}}, 1));
}

/// A block of wall; what of it lies outside the field is left out.
FAIRLEAD_WEB_EXPORT(fl_block) int fl_block(int x, int y, int width, int height) {
    std::optional<Grid>& grid = web::page().grid;
    if (!grid) return 1;
    const GridState& state = grid->state();
    const CellRect rect{.low = {std::max(x, 0), std::max(y, 0)},
                        .high = {std::min(x + width, state.width()), std::min(y + height, state.height())}};
    if (rect.empty()) return 0;
    return web::status_of(grid->fill(rect, 0));
}

/// All four stages. The body is a capsule.
FAIRLEAD_WEB_EXPORT(fl_solve)
int fl_solve(double start_x, double start_y, double start_heading, double goal_x, double goal_y,
             double goal_heading, int any_heading, double radius, double length, double turning_radius,
             int can_reverse) {
    if (!web::page().grid) return 1;
    const Agent ship{.radius = radius,
                     .shape = BodyShape::capsule,
                     .length = length,
                     .turning_radius = turning_radius,
                     .can_reverse = can_reverse != 0};
    return web::status_of(web::solve({.start = {{start_x, start_y}, start_heading},
                                      .goal = {{goal_x, goal_y}, goal_heading},
                                      .any_heading = any_heading != 0,
                                      .agent = ship}));
}

/// "complete", "unreachable", ... of a stage; "" for no such stage.
FAIRLEAD_WEB_EXPORT(fl_status) const char* fl_status(int stage) {
    return web::good_stage(stage) ? status_name(web::route_of(stage).status) : "";
}
FAIRLEAD_WEB_EXPORT(fl_length) double fl_length(int stage) {
    return web::good_stage(stage) ? web::route_of(stage).length : 0.0;
}
FAIRLEAD_WEB_EXPORT(fl_leg_count) int fl_leg_count(int stage) {
    return web::good_stage(stage) ? static_cast<int>(web::route_of(stage).legs.size()) : 0;
}
/// Six numbers a leg: x, y, heading, length, curvature, gear (1 or -1). Valid until the next fl_solve.
FAIRLEAD_WEB_EXPORT(fl_legs) const double* fl_legs(int stage) {
    return web::good_stage(stage) ? web::page().legs[stage].data() : nullptr;
}
FAIRLEAD_WEB_EXPORT(fl_clipped_count) int fl_clipped_count(int stage) {
    return web::good_stage(stage) ? static_cast<int>(web::page().clipped[stage].size() / 2) : 0;
}
/// x, y of each wall tile that the body overlaps. Valid until the next fl_solve.
FAIRLEAD_WEB_EXPORT(fl_clipped) const std::int32_t* fl_clipped(int stage) {
    return web::good_stage(stage) ? web::page().clipped[stage].data() : nullptr;
}
/// Does the exact checker accept the last stage?
FAIRLEAD_WEB_EXPORT(fl_legal) int fl_legal() { return web::page().legal ? 1 : 0; }
/// What a status other than 0 means.
FAIRLEAD_WEB_EXPORT(fl_error_text) const char* fl_error_text(int status) {
    return status > 0 ? error_text(static_cast<ErrorCode>(status - 1)) : "";
}
