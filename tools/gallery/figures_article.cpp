// The article's Figures 1 to 4, redrawn from scenes of our own (3 is in figures_map.cpp).
#include "gallery/figures.h"
#include "gallery/plan.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

void draw_zigzag(Canvas& canvas) {
    const World world = canvas.world("article_1_zigzag");
    draw_queries(canvas, world, {"tiles", "smoothed"}, 2, {.search = false},
                 {"1a  The tile route zigzags", "1b  Pulled taut"});
}

void draw_greedy(Canvas& canvas) {
    const World world = canvas.world("article_2_greedy");
    const Plan tiles = make_plan(world, "tiles");
    const Plan greedy = make_plan(world, "greedy");
    canvas.layout({.panels = {{debug::world_bounds(world.grid.state())}},
                   .legend = {legend::wall(),
                              legend::start(),
                              legend::goal(),
                              {.text = "tile route", .color = palette::kOther, .mark = Mark::dashed},
                              legend::route("after greedy smoothing")}});
    canvas.panel(0, [&](const Sink& sink) {
        draw_plan(world, tiles, sink, {.search = false, .color = palette::kOther, .dash = 4.0});
        draw_plan(world, greedy, sink, {.map = false, .search = false});
    });
    canvas.note(0, std::to_string(tiles.route.legs.size() - greedy.route.legs.size()) +
                       " waypoints removed; length " + number_text(tiles.route.length) + " becomes " +
                       number_text(greedy.route.length));
    canvas.row(plan_row("tile route", tiles));
    canvas.row(plan_row("greedy smoothing", greedy));
}

void draw_squeeze(Canvas& canvas) {
    const World world = canvas.world("article_4_squeeze");
    draw_queries(canvas, world, {"point", "radius 0.45"}, 2, {.search = false},
                 {"A point passes the corner", "A body of radius 0.45 goes round"});
}

constexpr Figure kFigures[] = {
    {"article_1_zigzag", "The article's Figure 1: zigzag and straight",
     "A tile route may only head in eight directions, so on open ground it zigzags. Pulled taut it has a few "
     "straight legs.",
     "S1 P1 P6", draw_zigzag},
    {"article_2_greedy", "The article's Figure 2: greedy smoothing",
     "A waypoint is dropped when the line past it is free. One pass along the route, in the order of the "
     "route.",
     "P3", draw_greedy},
    {"article_4_squeeze", "The article's Figure 4: between two corners",
     "Two walls meet at a corner. A point may pass through it; a unit with a body must not, and goes round.",
     "P5 C13", draw_squeeze},
};

}  // namespace

std::span<const Figure> article_figures() { return kFigures; }

}  // namespace fairlead::gallery
