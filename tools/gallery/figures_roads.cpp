// Roads: the article's ways to corner on them and the constraint that replaces them; lanes at a junction.
#include <algorithm>

#include <fairlead/drive/round_corners.h>
#include <fairlead/formats/file.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify_roads.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Fill;
using debug::Sink;
using debug::Stroke;

constexpr debug::Color kGrass = palette::terrain(2);
constexpr debug::Color kCone = palette::kOther;

void paint(RoadLayer& roads, std::span<const Vec2> line, double width, RoadLanes lanes) {
    if (!roads.paint(line, width, lanes)) throw DemoError{"a road that cannot be painted"};
}

// Grass, and arrows on the lanes.
void draw_roads(const GridState& grid, RoadLayer& roads, bool lanes, const Sink& sink) {
    debug::draw(grid, sink, {.lines = false});
    const Fill grass{kGrass};
    debug::draw_cells(
        grid, {},
        [](Cell cell, void* user) -> std::uint8_t {
            return static_cast<const RoadLayer*>(user)->at(cell.x, cell.y) == 0 ? 0 : debug::kNoClass;
        },
        &roads, std::span{&grass, 1}, sink);
    for (std::int32_t y = 0; lanes && y < roads.height(); ++y) {
        for (std::int32_t x = 0; x < roads.width(); ++x) {
            for (std::int32_t d = 0; d < 8; d += 2) {
                const bool along_x = d % 4 == 0;
                if (roads.at(x, y) != (1U << d) || (along_x ? x : y) % 4 != 1) continue;
                const Vec2 middle{x + 0.5, y + 0.5};
                const Vec2 way = math::direction(d * (kPi / 4.0)) * 0.35;
                debug::draw_arrow(sink, debug::at_height(middle - way), debug::at_height(middle + way),
                                  Stroke{palette::kFaint, 1.0, 0.0, 0.8});
            }
        }
    }
}

[[nodiscard]] std::string road_text(const Route& route, const RoadLayer& roads) {
    if (route.status != PathStatus::complete) return status_name(route.status);
    const RoadUse use = measure_roads(route, roads);
    return "length " + number_text(route.length) + ", off the road " + number_text(use.off_road);
}

// Walls first, then the road. Which lane is driven in does not matter here, nor on which copy of the map it was planned.
[[nodiscard]] Violation judged(const Route& route, const GridState& grid, const Agent& agent,
                               const RoadLayer& roads) {
    const Violation bad = verify(route, grid, agent, {.check_revision = false});
    return bad ? bad : verify_roads(route, roads, {.against = false});
}

// R2, R3: a search over the tiles of the road alone, then curves from waypoint to waypoint.
[[nodiscard]] Route rounded_tiles(const RoadLayer& roads, const DriveQuery& query) {
    Grid only = need(Grid::make({.width = roads.width(), .height = roads.height()}));
    for (std::int32_t y = 0; y < roads.height(); ++y) {
        for (std::int32_t x = 0; x < roads.width(); ++x) {
            if (roads.at(x, y) != 0) continue;
            if (!only.fill({{x, y}, {x + 1, y + 1}}, 0)) throw DemoError{"a tile off the map"};
        }
    }
    Scratch scratch;
    const Route walk = need(find_route(only.state(),
                                       GridQuery{.start = query.start,
                                                 .goal = query.goal.at,
                                                 .agent = {.radius = 1.2},
                                                 .smoothing = Smoothing::none},
                                       scratch));
    std::vector<Vec2> way;
    for (std::size_t i = 0; i < walk.legs.size(); ++i) way.push_back(ground(leg_end(walk, i).position));
    const DriveTable table = need(DriveTable::make({.agent = query.agent}));
    const DriveMap map = need(make_drive_map(only.state(), table));
    return std::move(need(round_corners(map, {.start = query.start.pose(), .waypoints = way},
                                        CornerMethod::ignore_walls, scratch))
                         .route);
}

void draw_corner_ways(Canvas& canvas) {
    const Grid ground_only = need(Grid::make({.width = 24, .height = 17}));
    const GridState& grid = ground_only.state();
    RoadLayer roads = need(RoadLayer::make(24, 17));
    const Vec2 line[] = {{0, 3.5}, {15.5, 3.5}, {15.5, 17}};
    paint(roads, line, 3.0, RoadLanes::keep_right);
    const DriveQuery query{.start = {{2.5, 3.5}, 0.0},
                           .goal = {{15.5, 15.5}, kHalfPi},
                           .agent = {.radius = 0.45, .turning_radius = 3.0}};
    const RoadCones few = need(RoadCones::make(roads, 4));
    const RoadCones many = need(RoadCones::make(roads, 1));
    Scratch scratch;
    Route routes[5];
    routes[0] = need(find_route(grid, query, scratch));
    routes[1] = rounded_tiles(roads, query);
    routes[2] = need(find_route(grid, query, scratch, {.map = {.cones = &many}}));
    routes[3] = need(find_route(grid, query, scratch, {.map = {.cones = &few}}));
    routes[4] = need(
        find_route(grid, query, scratch,
                   {.map = {.roads = &roads, .road_rules = {.off_road = kRoadForbidden, .against = 1.0}}}));
    const char* titles[] = {"The shortest curve", "Tiles of the road, corners rounded",
                            "Cones, but for 1 tile around the bend", "Cones, but for 4 tiles around it",
                            "Off-road forbidden to the search"};
    Layout layout{.columns = 2,
                  .legend = {legend::start(),
                             legend::goal(),
                             legend::route(),
                             legend::body(),
                             {.text = "grass", .color = kGrass},
                             {.text = "cone", .color = kCone, .mark = Mark::dot}}};
    const Aabb bounds = debug::world_bounds(grid);
    for (const char* title : titles) layout.panels.push_back({bounds, title});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 5; ++i) {
        const RoadCones& cones = i == 2 ? many : few;
        const bool coned = i == 2 || i == 3;
        canvas.panel(i, [&](const Sink& sink) {
            draw_roads(grid, roads, false, sink);
            for (std::int32_t y = 0; coned && y < cones.height(); ++y) {
                for (std::int32_t x = 0; x < cones.width(); ++x) {
                    if (!cones.at(x, y)) continue;
                    debug::draw_circle(sink, debug::at_height({x + 0.5, y + 0.5}), 0.25, {kCone},
                                       debug::kNoStroke);
                }
            }
            debug::draw_drive(routes[i], query.agent, sink, {.bodies = false});
        });
        const Violation bad = judged(routes[i], grid, query.agent, roads);
        const std::string text =
            road_text(routes[i], roads) + "; verify: " + (bad ? violation_name(bad.kind) : "legal");
        canvas.note(i, text);
        Row row = row_of(titles[i], routes[i]);
        row.legal = !bad;
        row.note = text;
        canvas.row(std::move(row));
    }
}

void draw_junction(Canvas& canvas) {
    const Grid ground_only = need(Grid::make({.width = 40, .height = 26}));
    const GridState& grid = ground_only.state();
    RoadLayer roads = need(RoadLayer::make(40, 26));
    const Vec2 street[] = {{0, 13}, {40, 13}};
    const Vec2 across[] = {{20, 0}, {20, 26}};
    paint(roads, street, 6.0, RoadLanes::keep_right);
    paint(roads, across, 6.0, RoadLanes::keep_right);
    const Agent car{
        .shape = BodyShape::box, .length = 3.0, .width = 1.5, .axle_offset = 0.9, .turning_radius = 2.5};
    const DriveQuery queries[] = {
        {.start = {{2.5, 11.5}, 0.0}, .goal = {{21.5, 23.0}, kHalfPi}, .agent = car},
        {.start = {{18.5, 23.0}, -kHalfPi}, .goal = {{2.5, 14.5}, kPi}, .agent = car},
        {.start = {{21.5, 3.0}, kHalfPi}, .goal = {{36.5, 11.5}, 0.0}, .agent = car}};
    const char* names[] = {"turning left, from the west", "turning right, from the north",
                           "turning right, from the south"};
    const GridDriveSetup lanes{
        .map = {.roads = &roads, .road_rules = {.off_road = kRoadForbidden, .against = kRoadForbidden}}};
    Layout layout{
        .panels = {{debug::world_bounds(grid)}},
        .legend = {legend::start(), legend::goal(), legend::body(), {.text = "grass", .color = kGrass}}};
    for (int i = 0; i < 3; ++i)
        layout.legend.push_back({.text = names[i], .color = palette::route(i), .mark = Mark::line});
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const Sink& sink) { draw_roads(grid, roads, true, sink); });
    Scratch scratch;
    double against = 0.0;
    for (int i = 0; i < 3; ++i) {
        const DriveQuery& query = queries[i];
        const Route route = need(find_route(grid, query, scratch, lanes));
        if (route.status != PathStatus::complete) throw DemoError{"no way over the junction"};
        canvas.panel(
            0, [&](const Sink& sink) { debug::draw_drive(route, car, sink, {.color = palette::route(i)}); });
        const RoadUse use = measure_roads(route, roads);
        against += use.against + use.off_road;
        Row row = row_of(names[i], route);
        row.legal = !verify(route, grid, car) && !verify_roads(route, roads);
        canvas.row(std::move(row));
    }
    canvas.note(0, "off the road or against a lane: " + number_text(against));
}

constexpr Figure kRoadsFigures[] = {
    {"drive_road_corner", "Cornering on the road, four ways",
     "A unit that turns at 3, on a road three tiles wide. The shortest curve cuts across the grass; a way "
     "over the "
     "road's tiles has a corner too tight for it. Cones hold it to the road where the turn is given few "
     "tiles without "
     "them; where it is given many, it cuts the corner there. With the grass forbidden to the search its "
     "axle never leaves "
     "the road, whatever the unit.",
     "R1 R2 R3 R5", draw_corner_ways},
    {"drive_junction", "A junction of two-way roads",
     "Each road has two lanes, and the lanes allow one direction. Where the roads meet, a tile allows what "
     "either of them does. Driving off the road or against a lane is forbidden: to "
     "the axle, the body may overhang.",
     "R3", draw_junction},
};

}  // namespace

std::span<const Figure> road_figures() { return kRoadsFigures; }

}  // namespace fairlead::gallery
