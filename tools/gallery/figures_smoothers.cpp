// Why greedy smoothing is poor for turning units, and what does better: the article's Figures 17 and 18.
#include "gallery/figures.h"
#include "gallery/greedy_curves.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

void draw_tiles(const Route& tiles, const Sink& sink) {
    debug::draw(tiles, Agent{}, sink,
                {.color = palette::kFaint,
                 .width = 1.6,
                 .dash = 4.0,
                 .body = false,
                 .waypoints = false,
                 .ends = false});
}

[[nodiscard]] std::string greedy_text(const GreedyCurves& curves) {
    std::string text = "length " + number_text(curves.greedy.route.length);
    if (!curves.clipped.empty()) text += ", hits " + std::to_string(curves.clipped.size()) + " wall tiles";
    return text;
}

void draw_smoothers(Canvas& canvas, const std::string& scene) {
    const World world = canvas.world(scene);
    const GreedyCurves curves = make_greedy_curves(world, world.query("drive"));
    const Agent& agent = curves.search.query.agent;
    const Aabb bounds = debug::world_bounds(world.grid.state());
    Layout layout{.columns = 2,
                  .panels = {{bounds, "The article's greedy smoothing"},
                             {bounds, "Its Linear Directional-48, along the tiles"},
                             {bounds, "The turning search"}},
                  .legend = drive_legend(false)};
    layout.legend.push_back({.text = "way of tiles", .color = palette::kFaint, .mark = Mark::dashed});
    if (!curves.clipped.empty())
        layout.legend.push_back(
            {.text = "wall tiles that the body hits", .color = palette::kWarning, .opacity = 0.75});
    canvas.layout(std::move(layout));
    const Route* const routes[] = {&curves.greedy.route, &curves.along.route, &curves.search.route};
    for (std::size_t i = 0; i < 3; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(world.grid.state(), sink);
            if (i == 0) debug::draw_boxes(sink, curves.clipped, 0.0, {palette::kWarning, 0.75});
            if (i < 2) draw_tiles(curves.tiles, sink);
            debug::draw_drive(*routes[i], agent, sink, {.bodies = false});
        });
    }
    canvas.note(0, greedy_text(curves));
    canvas.note(1, "length " + number_text(curves.along.route.length));
    canvas.note(2, drive_text(curves.search));
    canvas.row({.label = "greedy smoothing",
                .planner = "curve",
                .length = curves.greedy.route.length,
                .note = greedy_text(curves)});
    Row along = row_of("along the tiles", curves.along.route);
    along.legal = !curves.along_violation;
    canvas.row(std::move(along));
    canvas.row(drive_row("turning search", curves.search));
}

void draw_anchor(Canvas& canvas) { draw_smoothers(canvas, "article_17_anchor"); }
void draw_heading(Canvas& canvas) { draw_smoothers(canvas, "article_18_heading"); }

constexpr Figure kSmoothersFigures[] = {
    {"article_17_anchor", "The article's Figure 17: the greedy smoother turns off too late",
     "It holds on to its anchor while the next tile can be reached, and so drives past the place to turn "
     "off. "
     "A search over the same tiles, and one over the map, do not.",
     "B1 P3 B2", draw_anchor},
    {"article_18_heading", "The article's Figure 18: a fixed heading on arrival",
     "Each curve begins in the heading in which the last one ended. That makes the next turn look "
     "impossible, "
     "and the smoother drives through the wall. The two searches choose the heading as well.",
     "B1 P3 B2", draw_heading},
};

}  // namespace

std::span<const Figure> smoother_figures() { return kSmoothersFigures; }

}  // namespace fairlead::gallery
