// The article's Figures 1, 2 and 4: what becomes of a way of tiles. Its Figure 3 is in figures_map.cpp.
#include <algorithm>

#include <fairlead/bridge/tile_sight.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/plan.h"
#include "gallery/sketch.h"
#include "gallery/stages.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

constexpr debug::Color kGreen = palette::route(2);
constexpr debug::Color kPurple = palette::route(3);

void draw_tiles(std::span<const Cell> tiles, const debug::Fill& fill, const Sink& sink) {
    for (const Cell& tile : tiles) {
        const Aabb box{{static_cast<double>(tile.x), static_cast<double>(tile.y)},
                       {tile.x + 1.0, tile.y + 1.0}};
        debug::draw_boxes(sink, {&box, 1}, 0.0, fill);
    }
}

// ---------------------------------------------------------------- Figure 1

[[nodiscard]] std::string stage_text(const Route& route, std::size_t clipped) {
    if (route.status != PathStatus::complete) throw DemoError{"a stage without a way"};
    return "length " + number_text(route.length) + ", " + std::to_string(route.legs.size()) + " legs, hits " +
           (clipped == 0 ? "no wall" : std::to_string(clipped) + " wall tiles");
}

void draw_stages(Canvas& canvas) {
    const World world = canvas.world("article_1_stages");
    const GridState& grid = world.grid.state();
    const DriveQuery drive = drive_query(world.query("drive"));
    const StagesQuery query{.start = drive.start.pose(), .goal = drive.goal.at.pose(), .agent = drive.agent};
    Scratch scratch;
    Stages stages;
    need(make_stages_into(grid, query, scratch, stages));
    const Aabb bounds = debug::world_bounds(grid);
    const char* titles[] = {"1a  A* over the tiles", "1b  Smoothed", "1c  With its turning circle",
                            "1d  Searched with its turning circle"};
    const Route* routes[] = {&stages.tiles, &stages.smoothed, &stages.curved.route, &stages.driven};
    Layout layout{.columns = 2, .legend = drive_legend(false)};
    for (const char* title : titles) layout.panels.push_back({bounds, title});
    layout.legend.push_back(
        {.text = "wall tiles that the body hits", .color = palette::kWarning, .opacity = 0.75});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 4; ++i) {
        // A walker has no heading on the way: what its disc hits is asked of the disc.
        const Agent body = i < 2 ? Agent{.radius = inscribed_radius(query.agent)} : query.agent;
        const std::vector<Cell> clipped = need(find_clipped(grid, *routes[i], body));
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            draw_tiles(clipped, {palette::kWarning, 0.75}, sink);
            debug::draw_drive(*routes[i], query.agent, sink, {.spacing = 3.0});
        });
        const std::string text = stage_text(*routes[i], clipped.size());
        canvas.note(i, text);
        Row row = row_of(titles[i], *routes[i]);
        row.note = text;
        canvas.row(std::move(row));
    }
}

// ---------------------------------------------------------------- Figure 2

/// Ends of legs that the other route does not have.
[[nodiscard]] std::vector<Vec2> dropped(const Route& before, const Route& after) {
    std::vector<Vec2> gone;
    for (std::size_t i = 0; i + 1 < before.legs.size(); ++i) {
        const Vec2 at = ground(leg_end(before, i).position);
        bool kept = false;
        for (std::size_t k = 0; k + 1 < after.legs.size(); ++k)
            kept = kept || distance(at, ground(leg_end(after, k).position)) < 1e-9;
        if (!kept) gone.push_back(at);
    }
    return gone;
}

void draw_zigzag(Canvas& canvas) {
    const World world = canvas.world("article_2_zigzag");
    const char* names[] = {"zigzag", "turn penalty", "smoothed"};
    const char* titles[] = {"2a  A*: the zigzag", "2b  A price on every turn", "2c  Smoothed"};
    std::vector<Plan> plans;
    Layout layout{
        .columns = 3,
        .legend = {
            legend::wall(),
            legend::start(),
            legend::goal(),
            legend::route(),
            {.text = "waypoints that smoothing drops", .color = palette::kWarning, .mark = Mark::dot}}};
    for (std::size_t i = 0; i < 3; ++i) {
        plans.push_back(make_plan(world, names[i]));
        layout.panels.push_back({debug::world_bounds(world.grid.state()), titles[i]});
    }
    canvas.layout(std::move(layout));
    const std::vector<Vec2> gone = dropped(plans[0].route, plans[2].route);
    for (std::size_t i = 0; i < 3; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            draw_plan(world, plans[i], sink, {.search = false});
            for (const Vec2 at : gone) {
                if (i == 0)
                    debug::draw_circle(sink, debug::at_height(at), 4.5 * sink.point, {palette::kWarning},
                                       {palette::kPaper, 1.2});
            }
        });
        const std::size_t turns = plans[i].route.legs.size() - 1;
        const std::string text = "length " + number_text(plans[i].route.length) + ", " +
                                 std::to_string(turns) + (turns == 1 ? " turn" : " turns");
        canvas.note(i, text);
        canvas.row(plan_row(titles[i], plans[i]));
    }
}

// ---------------------------------------------------------------- Figure 4

/// The article's Listing 1 for a body: waypoints are dropped while the line past them is free; what is not free stays as it is.
struct Kept {
    std::vector<Vec2> way;           ///< from the start to the goal
    std::vector<std::size_t> stuck;  ///< way[i] to way[i + 1] is not free
};

[[nodiscard]] Kept smooth_what_passes(const GridState& grid, const Route& tiles, double radius) {
    const TileSight sight(grid);
    std::vector<Vec2> at{ground(tiles.legs[0].start.position)};
    for (std::size_t i = 0; i < tiles.legs.size(); ++i) {
        const Vec2 to = ground(leg_end(tiles, i).position);
        const Vec2 from = at.back();
        const int steps = static_cast<int>(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) + 0.5);
        for (int k = 1; k <= steps; ++k) at.push_back(from + (to - from) * (static_cast<double>(k) / steps));
    }
    Kept kept{.way = {at[0]}, .stuck = {}};
    for (std::size_t current = 1; current < at.size(); ++current) {
        if (current + 1 < at.size() && sight.clear(kept.way.back(), at[current + 1], radius)) continue;
        if (!sight.clear(kept.way.back(), at[current], radius)) kept.stuck.push_back(kept.way.size() - 1);
        kept.way.push_back(at[current]);
    }
    return kept;
}

void draw_squeeze(Canvas& canvas) {
    constexpr double kRadius = 0.45;
    const World world = canvas.world("article_4_squeeze");
    const GridState& grid = world.grid.state();
    const Plan tiles = make_plan(world, "point");
    const Plan round = make_plan(world, "radius 0.45");
    const Kept kept = smooth_what_passes(grid, tiles.route, kRadius);
    if (kept.stuck.empty()) throw DemoError{"nothing impossible about it"};
    const Aabb bounds = debug::world_bounds(grid);
    canvas.layout(
        {.columns = 2,
         .panels = {{bounds, "Tiles for a point, smoothed for a body"}, {bounds, "Searched for the body"}},
         .legend = {legend::wall(),
                    legend::start(),
                    legend::goal(),
                    {.text = "way of tiles, for a point", .color = kGreen, .mark = Mark::dashed},
                    {.text = "smoothed", .color = kPurple, .mark = Mark::line},
                    {.text = "left as it is: the body does not pass",
                     .color = palette::kWarning,
                     .mark = Mark::line},
                    legend::body()}});
    double length = 0.0;
    canvas.panel(0, [&](const Sink& sink) {
        draw_plan(world, tiles, sink, {.search = false, .color = kGreen, .dash = 5.0});
        for (std::size_t i = 0; i + 1 < kept.way.size(); ++i) {
            const bool stuck = std::find(kept.stuck.begin(), kept.stuck.end(), i) != kept.stuck.end();
            sketch::line(sink, kept.way[i], kept.way[i + 1], {stuck ? palette::kWarning : kPurple, 3.2});
            length += distance(kept.way[i], kept.way[i + 1]);
        }
        for (const std::size_t i : kept.stuck) {
            for (const Vec2 at : {kept.way[i], kept.way[i + 1]})
                debug::draw_circle(sink, debug::at_height(at), kRadius, debug::kNoFill,
                                   {palette::kWarning, 1.2});
        }
    });
    canvas.panel(1, [&](const Sink& sink) { draw_plan(world, round, sink, {.search = false}); });
    const std::string text = std::to_string(kept.way.size() - 1) + " legs, " +
                             std::to_string(kept.stuck.size()) + " of them impossible; length " +
                             number_text(length);
    canvas.note(0, text);
    canvas.note(1, plan_text(round, false));
    canvas.row({.label = "smoothed where it can be",
                .planner = tiles.route.planner,
                .length = length,
                .note = text});
    canvas.row(plan_row("searched for the body", round));
}

constexpr Figure kArticleFigures[] = {
    {"article_1_stages", "The article's Figure 1: one way in four stages",
     "A ship, its body and its turning circle, on one map; one call for each stage. The tiles zigzag; "
     "smoothing leaves "
     "few straight legs; curves from waypoint to waypoint skim walls, since nothing asked about them; the "
     "search that "
     "has the turning circle in its state hits none. To play with: Figure 1, live (below).",
     "S1 P3 L1 D1", draw_stages},
    {"article_2_zigzag", "The article's Figure 2: from zigzag to straight",
     "A* may choose any of many ways of tiles that are equally long. With a price on turns it takes one of "
     "few turns, "
     "which is no shorter. Smoothing drops waypoints until the way is direct.",
     "P1 S7 P3", draw_zigzag},
    {"article_4_squeeze", "The article's Figure 4: smoothing leaves the impossible alone",
     "Two walls meet at a corner. A search for a point leads between them, and smoothing for a body keeps "
     "that one "
     "step as it is, red. The right answer is to search for the body: it goes round.",
     "P5 C13", draw_squeeze},
};

}  // namespace

std::span<const Figure> article_figures() { return kArticleFigures; }

}  // namespace fairlead::gallery
