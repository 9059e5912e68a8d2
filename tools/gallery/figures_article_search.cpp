// The article's Figures 7, 8, 12 and 13: legal turns, and the search over directions.
#include <algorithm>
#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/math/trig.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/sketch.h"
#include "gallery/stages.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Sink;

const LegendItem kHit{.text = "wall tiles that the body hits", .color = palette::kWarning, .opacity = 0.75};

void draw_hits(std::span<const Cell> tiles, const Sink& sink) {
    for (const Cell& tile : tiles) {
        const Aabb box{{static_cast<double>(tile.x), static_cast<double>(tile.y)},
                       {tile.x + 1.0, tile.y + 1.0}};
        debug::draw_boxes(sink, {&box, 1}, 0.0, {palette::kWarning, 0.75});
    }
}

// ---------------------------------------------------------------- Figure 7

[[nodiscard]] bool backs_up(const Route& route) {
    const auto legs = route.legs.span();
    return std::any_of(legs.begin(), legs.end(), [](const Leg& leg) { return leg.gear == Gear::reverse; });
}

void draw_corner(Canvas& canvas) {
    const World world = canvas.world("article_7_corner");
    const GridState& grid = world.grid.state();
    const DriveQuery drive = drive_query(world.query("drive"));
    const CornerMethod methods[] = {CornerMethod::tighter, CornerMethod::back_up};
    const char* titles[] = {"7a  Decreasing the turning radius", "7b  Making a three-point turn"};
    const Aabb bounds = debug::world_bounds(grid);
    Layout layout{.columns = 2, .legend = drive_legend(true)};
    for (const char* title : titles) layout.panels.push_back({bounds, title});
    canvas.layout(std::move(layout));
    const DriveTable table = need(DriveTable::make({.agent = drive.agent}));
    const DriveMap map = need(make_drive_map(grid, table));
    Scratch scratch;
    Array<Vec2> waypoints;
    (void)need(
        find_waypoints(grid, drive.start.ground(), drive.goal.at.ground(), drive.agent, scratch, waypoints));
    const CornerQuery query{.start = drive.start.pose(), .waypoints = waypoints.span(), .radius_min = 0.5};
    if (need(round_corners(map, query, CornerMethod::ignore_walls, scratch)).legal)
        throw DemoError{"its turning circle passes"};
    for (std::size_t i = 0; i < 2; ++i) {
        const RoundedCorners way = need(round_corners(map, query, methods[i], scratch));
        if (!way.legal || backs_up(way.route) != (i == 1))
            throw DemoError{std::string{titles[i]} + ": it does not"};
        Agent agent = drive.agent;
        agent.turning_radius = way.radius_least;
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            debug::draw_drive(way.route, agent, sink, {.bodies = false});
        });
        canvas.note(i, "length " + number_text(way.route.length) + ", turning radius " +
                           number_text(drive.agent.turning_radius) +
                           (i == 0 ? ", down to " + number_text(way.radius_least) : ""));
        Row row = row_of(titles[i], way.route);
        row.legal = !verify(way.route, grid, agent, {.check_revision = false});
        canvas.row(std::move(row));
    }
}

// ---------------------------------------------------------------- Figure 8

void draw_detour(Canvas& canvas) {
    const World world = canvas.world("article_8_detour");
    const GridState& grid = world.grid.state();
    const DriveQuery drive = drive_query(world.query("drive"));
    Scratch scratch;
    Stages stages;
    need(make_stages_into(grid,
                          {.start = drive.start.pose(), .goal = drive.goal.at.pose(), .agent = drive.agent},
                          scratch, stages));
    const std::vector<Cell> hits = need(find_clipped(grid, stages.curved.route, drive.agent));
    if (hits.empty() || stages.driven.status != PathStatus::complete) throw DemoError{"not what it shows"};
    const Aabb bounds = debug::world_bounds(grid);
    Layout layout{.columns = 2,
                  .panels = {{bounds, "8a  A*, then curves: the gap is too crooked"},
                             {bounds, "8b  The turning circle in the search: the long way"}},
                  .legend = drive_legend(false)};
    layout.legend.push_back(kHit);
    layout.legend.push_back(
        {.text = "way of tiles, smoothed", .color = palette::kFaint, .mark = Mark::dashed});
    canvas.layout(std::move(layout));
    const Route* routes[] = {&stages.curved.route, &stages.driven};
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            if (i == 0) draw_hits(hits, sink);
            debug::draw(stages.smoothed, Agent{}, sink,
                        {.color = palette::kFaint, .width = 1.6, .dash = 4.0, .body = false, .ends = false});
            debug::draw_drive(*routes[i], drive.agent, sink, {.bodies = false});
        });
    }
    canvas.note(0, "length " + number_text(routes[0]->length) + ", hits " + std::to_string(hits.size()) +
                       " wall tiles");
    canvas.note(1, "length " + number_text(routes[1]->length) + ", legal");
    canvas.row({.label = "A*, then curves",
                .planner = "curve",
                .length = routes[0]->length,
                .note = std::to_string(hits.size()) + " wall tiles hit"});
    Row row = row_of("the turning search", *routes[1]);
    row.legal = !verify(*routes[1], grid, drive.agent);
    canvas.row(std::move(row));
}

// ---------------------------------------------------------------- Figure 12

[[nodiscard]] bool at_middle(Vec2 p) {
    const Vec2 rest{p.x - std::floor(p.x), p.y - std::floor(p.y)};
    return std::abs(rest.x - 0.5) < 1e-6 && std::abs(rest.y - 0.5) < 1e-6;
}

struct Jump {
    Place a{};
    Vec2 d{};
};

/// The moves of the route that lead two tiles on and are no straight lines.
[[nodiscard]] std::vector<Jump> find_jumps(const Route& route) {
    std::vector<Jump> jumps;
    Place from = route.legs[0].start;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Place& to = leg_end(route, i);
        if (!at_middle(ground(to.position))) continue;
        const Vec2 step = ground(to.position) - ground(from.position);
        const double tiles = std::max(std::abs(step.x), std::abs(step.y));
        const bool turns = std::abs(std::remainder(to.heading_rad - from.heading_rad, kTwoPi)) > 1e-6;
        const bool slants = std::abs(step.x) > 1e-6 && std::abs(step.y) > 1e-6 &&
                            std::abs(std::abs(step.x) - std::abs(step.y)) > 1e-6;
        if (tiles > 1.5 && (turns || slants)) jumps.push_back({from, ground(to.position)});
        from = to;
    }
    return jumps;
}

/// Middles of the tiles from a to d, d included.
[[nodiscard]] std::vector<Vec2> tiles_between(const GridState& grid, Vec2 a, Vec2 d) {
    Scratch scratch;
    const Route walk = need(find_route(
        grid, GridQuery{.start = a, .goal = d, .agent = {.radius = 0.4}, .smoothing = Smoothing::none},
        scratch));
    std::vector<Vec2> way;
    Vec2 at = a;
    for (std::size_t i = 0; i < walk.legs.size(); ++i) {
        const Vec2 to = ground(leg_end(walk, i).position);
        const int steps =
            static_cast<int>(std::lround(std::max(std::abs(to.x - at.x), std::abs(to.y - at.y))));
        for (int k = 1; k <= steps; ++k) way.push_back(at + (to - at) * (static_cast<double>(k) / steps));
        at = to;
    }
    return way;
}

void draw_letters(const Sink& sink, Vec2 a, std::span<const Vec2> way) {
    sketch::dot(sink, a);
    sketch::label(sink, a, "a", {-11, -13});
    for (std::size_t i = 0; i < way.size(); ++i) {
        sketch::dot(sink, way[i]);
        sketch::label(sink, way[i], std::string(1, static_cast<char>('b' + static_cast<char>(i))),
                      {-11, -13});
    }
}

void draw_missed(Canvas& canvas) {
    const World world = canvas.world("article_12_curve");
    const GridState& grid = world.grid.state();
    DriveQuery query = drive_query(world.query("Directional-24"));
    query.smooth = false;
    Scratch scratch;
    const GridDriveSetup one = drive_setup(world.query("Directional-8"));
    const GridDriveSetup two = drive_setup(world.query("Directional-24"));
    const Route none = need(find_route(grid, query, scratch, one));
    const Route found = need(find_route(grid, query, scratch, two));
    if (none.status != PathStatus::unreachable || found.status != PathStatus::complete)
        throw DemoError{"not what it shows"};
    const DriveMap* map = need(drive_map_in(scratch, grid, query.agent, two));
    Vec2 a{};
    std::vector<Vec2> way;
    RoundedCorners steps;
    std::vector<Cell> hits;
    for (const Jump& jump : find_jumps(found)) {
        a = ground(jump.a.position);
        way = tiles_between(grid, a, jump.d);
        Scratch own;
        steps = need(round_corners(*map,
                                   {.start = {a, jump.a.heading_rad}, .waypoints = {way.data(), way.size()}},
                                   CornerMethod::ignore_walls, own));
        hits = need(find_clipped(grid, steps.route, query.agent));
        if (!hits.empty()) break;
    }
    if (hits.empty()) throw DemoError{"the tiles can be driven one by one"};
    const Aabb bounds = debug::world_bounds(grid);
    Layout layout{
        .columns = 2,
        .panels = {{bounds, "Directional-8: tile by tile, and no way"},
                   {bounds, "Directional-24: a curve from a to " +
                                std::string(1, static_cast<char>('a' + static_cast<char>(way.size())))}},
        .legend = drive_legend(false)};
    layout.legend.push_back(kHit);
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw(grid, sink);
        draw_hits(hits, sink);
        debug::draw_drive(steps.route, query.agent, sink, {.bodies = false, .ends = false});
        draw_letters(sink, a, way);
    });
    canvas.panel(1, [&](const Sink& sink) {
        debug::draw(grid, sink);
        debug::draw_drive(found, query.agent, sink, {.bodies = false});
        draw_letters(sink, a, way);
    });
    canvas.note(0, std::string{status_name(none.status)} + "; curves from tile to tile hit " +
                       std::to_string(hits.size()) + (hits.size() == 1 ? " wall tile" : " wall tiles"));
    canvas.note(1, "length " + number_text(found.length));
    canvas.row(row_of("Directional-8", none));
    Row row = row_of("Directional-24", found);
    row.legal = !verify(found, grid, query.agent);
    canvas.row(std::move(row));
}

// ---------------------------------------------------------------- Figure 13

constexpr std::int32_t kHalf = 5;  // 11 x 11 tiles

/// From the origin facing east to three tiles on and three up, facing north.
[[nodiscard]] std::size_t pick_move(const DriveTable& table) {
    const PrimitiveSet& set = table.primitives();
    for (std::size_t i = set.first(0); i < set.first(1); ++i) {
        const Primitive& move = set.all()[i];
        if (move.gear == Gear::forward && move.to == 2 && move.dx == 3 && move.dy == 3) return i;
    }
    throw DemoError{"no such move"};
}

void draw_table(Canvas& canvas) {
    const Agent ship{.radius = 0.4, .shape = BodyShape::capsule, .length = 1.8, .turning_radius = 2.0};
    const DriveTable table = need(DriveTable::make({.agent = ship, .headings = 8, .rings = 3}));
    const std::size_t move = pick_move(table);
    const Primitive& way = table.primitives().all()[move];
    const Aabb frame{{-kHalf, -kHalf}, {kHalf + 1.0, kHalf + 1.0}};
    canvas.layout({.panels = {{frame, ""}},
                   .legend = {{.text = "1: touched on the way", .color = palette::tint(4)},
                              {.text = "origin and destination", .color = palette::tint(0)},
                              legend::body(),
                              legend::route("the axle's way")},
                   .width = 560.0});
    std::int32_t ones = 0;
    canvas.panel(0, [&](const Sink& sink) {
        const debug::Group clip{sink, {.name = "clip", .clip = frame}};
        debug::draw_swept_mask(table, move, {0.0, 0.0}, sink);
        bool touched[11][11] = {};
        for (const CellRun& run : table.swept(move)) {
            for (std::int32_t k = 0; k < run.count; ++k) touched[run.dy + kHalf][run.dx + k + kHalf] = true;
        }
        for (std::int32_t y = -kHalf; y <= kHalf; ++y) {
            for (std::int32_t x = -kHalf; x <= kHalf; ++x) {
                const bool end = (x == 0 && y == 0) || (x == way.dx && y == way.dy);
                const Aabb box{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
                if (end) debug::draw_boxes(sink, {&box, 1}, 0.0, {palette::tint(0), 0.75});
                const bool one = touched[y + kHalf][x + kHalf] && !end;
                ones += one ? 1 : 0;
                debug::draw_text(sink, {x + 0.5, y + 0.36, 0.0}, one ? "1" : "0",
                                 {.color = one ? palette::kInk : palette::kGridLine,
                                  .size = 13.0,
                                  .anchor = debug::Anchor::middle,
                                  .bold = one,
                                  .halo = one});
                for (const Vec2 step : {Vec2{1, 0}, Vec2{0, 1}})
                    sketch::line(sink, box.low, box.low + step, {palette::kGridLine, 1.0});
            }
        }
    });
    const std::string text = "121 bits, " + std::to_string(ones) +
                             " of them set; from (0, 0) facing east to (" + std::to_string(way.dx) + ", " +
                             std::to_string(way.dy) + ") facing north";
    canvas.note(0, text);
    canvas.row({.label = "hit-check table", .note = text});
}

constexpr Figure kArticleSearchFigures[] = {
    {"article_7_corner", "The article's Figure 7: a tighter turn, or a three-point turn",
     "A corner that is too narrow for the turning circle. A unit that slows down and turns tighter passes, "
     "and so "
     "does one that backs up.",
     "L3 L4", draw_corner},
    {"article_8_detour", "The article's Figure 8: legal turns need a search of their own",
     "Drawn for the section that Figure 8 stands in; its picture is not known to us. The shortest way of "
     "tiles leads "
     "through a gap that no curve of this radius passes, and nothing done afterwards can mend that. With the "
     "heading "
     "in the state of the search the unit takes the long way round.",
     "L1 D1", draw_detour},
    {"article_12_curve", "The article's Figure 12: a curve that Directional-8 cannot find",
     "Curves that lead to a neighbouring tile and stop in its middle do not pass here; the search over them "
     "proves "
     "that there is no way. A search with curves to the second ring of tiles as well finds one.",
     "D6", draw_missed},
    {"article_13_table", "The article's Figure 13: the hit-check table",
     "For one heading, one destination and one heading there: 11 x 11 bits, 1 where the body touches a tile "
     "on its "
     "way. A move is free where those tiles are.",
     "D11", draw_table},
};

}  // namespace

std::span<const Figure> article_search_figures() { return kArticleSearchFigures; }

}  // namespace fairlead::gallery
