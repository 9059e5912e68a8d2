// The article's Figure 16: cornering off the road, and held to it by cones.
#include <algorithm>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_roads.h>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/sketch.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Fill;
using debug::Sink;

constexpr debug::Color kGrass = palette::terrain(2);
constexpr debug::Color kCone = palette::kOther;
constexpr std::int32_t kWidth = 15, kHeight = 13;
constexpr std::int32_t kTurnTiles = 1;

/// East, then north.
RoadLayer make_roads() {
    RoadLayer roads = need(RoadLayer::make(kWidth, kHeight));
    const Vec2 line[] = {{0, 2.5}, {9.5, 2.5}, {9.5, kHeight}};
    if (!roads.paint(line, 3.0, RoadLanes::keep_right)) throw DemoError{"a road that cannot be painted"};
    return roads;
}

void draw_ground(const GridState& grid, RoadLayer& roads, const Sink& sink) {
    debug::draw(grid, sink, {.lines = false});
    const Fill grass{kGrass};
    debug::draw_cells(
        grid, {},
        [](Cell cell, void* user) -> std::uint8_t {
            return static_cast<const RoadLayer*>(user)->at(cell.x, cell.y) == 0 ? 0 : debug::kNoClass;
        },
        &roads, std::span{&grass, 1}, sink);
}

void draw_cones(const RoadCones& cones, const Sink& sink) {
    for (std::int32_t y = 0; y < cones.height(); ++y) {
        for (std::int32_t x = 0; x < cones.width(); ++x) {
            if (!cones.at(x, y)) continue;
            const Vec3 triangle[] = {{x + 0.18, y + 0.2, 0}, {x + 0.82, y + 0.2, 0}, {x + 0.5, y + 0.85, 0}};
            debug::draw_polygon(sink, triangle, {kCone});
        }
    }
}

void draw_cornering(Canvas& canvas) {
    const Grid open = need(Grid::make({.width = kWidth, .height = kHeight}));
    const GridState& grid = open.state();
    RoadLayer roads = make_roads();
    const RoadCones cones = need(RoadCones::make(roads, kTurnTiles));
    const DriveQuery query{.start = {{1.5, 2.5}, 0.0},
                           .goal = {{9.5, 11.5}, kHalfPi},
                           .agent = {.radius = 0.45, .turning_radius = 1.5}};
    Scratch scratch;
    const Route routes[] = {need(find_route(grid, query, scratch)),
                            need(find_route(grid, query, scratch, {.map = {.cones = &cones}}))};
    const char* titles[] = {"16a  The shortest curve", "16b  Held to the road by cones"};
    const Aabb bounds = debug::world_bounds(grid);
    canvas.layout({.columns = 2,
                   .panels = {{bounds, titles[0]}, {bounds, titles[1]}},
                   .legend = {legend::start(),
                              legend::goal(),
                              legend::route(),
                              legend::body(),
                              {.text = "grass", .color = kGrass},
                              {.text = "cone", .color = kCone}}});
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            draw_ground(grid, roads, sink);
            if (i == 1) draw_cones(cones, sink);
            debug::draw_drive(routes[i], query.agent, sink, {.bodies = false});
        });
        const double off = measure_roads(routes[i], roads).off_road;
        const std::string text =
            "length " + number_text(routes[i].length) + ", " + number_text(off) + " of it off the road";
        canvas.note(i, text);
        Row row = row_of(titles[i], routes[i]);
        row.legal = !verify(routes[i], grid, query.agent, {.check_revision = false});
        row.note = text;
        canvas.row(std::move(row));
    }
}

constexpr Figure kArticleRoadFigures[] = {
    {"article_16_cones", "The article's Figure 16: cornering on a road",
     "A car that turns at 1.5. The shortest curve cuts the corner over the grass. Cones beside the road, all "
     "but one "
     "tile around the bend, hold it to the road where it has turned.",
     "R1 R5", draw_cornering},
};

}  // namespace

std::span<const Figure> article_road_figures() { return kArticleRoadFigures; }

}  // namespace fairlead::gallery
