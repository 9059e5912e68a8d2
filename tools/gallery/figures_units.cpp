// Turning units as games use them: a field that a squad shares, limited acceleration, gaps, sprites with few facings.
#include <algorithm>
#include <cmath>

#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify_speed.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Fill;
using debug::Sink;
using debug::Stroke;

// ---------------------------------------------------------------- a pose field

constexpr std::int32_t kHeadings = 8;

struct Best {
    double cost = INFINITY;
    std::int32_t heading = -1;
};

[[nodiscard]] Best best_at(const PoseField& field, Vec2 point) {
    Best best;
    for (std::int32_t h = 0; h < kHeadings; ++h) {
        const double cost = field.cost_at(point, h);
        if (cost < best.cost) best = {cost, h};
    }
    return best;
}

constexpr int kSteps = 12;
constexpr debug::Color kNear = debug::rgb(0xcfe3f5);
constexpr debug::Color kMiddle = debug::rgb(0xf5edb8);
constexpr debug::Color kFar = debug::rgb(0xf2b98c);

[[nodiscard]] debug::Color field_color(double t) {
    return t < 0.5 ? mix(kNear, kMiddle, t * 2) : mix(kMiddle, kFar, t * 2 - 1);
}

struct Shades {
    const PoseField& field;
    double cost_max;
    static std::uint8_t class_of(Cell cell, void* user) {
        const Shades& s = *static_cast<const Shades*>(user);
        const Best best = best_at(s.field, {cell.x + 0.5, cell.y + 0.5});
        if (!std::isfinite(best.cost)) return debug::kNoClass;
        return static_cast<std::uint8_t>(std::min(kSteps - 1.0, best.cost / s.cost_max * kSteps));
    }
};

void draw_field(const PoseField& field, const GridState& grid, double cost_max, const Sink& sink) {
    Fill fills[kSteps];
    for (int i = 0; i < kSteps; ++i) fills[i] = {field_color(static_cast<double>(i) / (kSteps - 1))};
    Shades shades{field, cost_max};
    debug::draw_cells(grid, {}, Shades::class_of, &shades, fills, sink);
    debug::draw(grid, sink, {.paper = false});
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            const Vec2 middle{x + 0.5, y + 0.5};
            const Best best = best_at(field, middle);
            if (best.heading < 0 || !std::isfinite(best.cost)) continue;
            const Vec2 way = math::direction(best.heading * (kTwoPi / kHeadings)) * 0.3;
            debug::draw_arrow(sink, debug::at_height(middle - way), debug::at_height(middle + way),
                              Stroke{palette::kFaint, 0.9, 0.0, 0.7});
        }
    }
}

void draw_squad(Canvas& canvas) {
    const World world = canvas.world("drive_squad");
    const GridState& grid = world.grid.state();
    const DriveQuery query = drive_query(world.scene.queries.at(0));
    const DriveTable table =
        need(DriveTable::make({.agent = query.agent, .headings = kHeadings, .stretch = 1.05}));
    const DriveMap map = need(make_drive_map(grid, table));
    PoseField field = need(PoseField::make(map, query));
    while (field.step(100000)) {
    }
    double cost_max = 0.0;
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            const double cost = best_at(field, {x + 0.5, y + 0.5}).cost;
            if (std::isfinite(cost)) cost_max = std::max(cost_max, cost);
        }
    }
    canvas.layout({.panels = {{debug::world_bounds(grid)}},
                   .legend = {legend::wall(),
                              legend::start(),
                              legend::goal(),
                              legend::route("routes along the field"),
                              legend::body(),
                              {.text = "cost in the best heading, 0 to " + number_text(cost_max, 0),
                               .color = kNear,
                               .mark = Mark::ramp,
                               .middle = kMiddle,
                               .last = kFar}}});
    canvas.panel(0, [&](const Sink& sink) { draw_field(field, grid, cost_max, sink); });
    Scratch scratch;
    for (const formats::SceneQuery& unit : world.scene.queries) {
        Route route;
        need(find_route_into(field, drive_query(unit).start.pose(), scratch, route));
        const Violation bad = verify(route, grid, query.agent);
        canvas.panel(
            0, [&](const Sink& sink) { debug::draw_drive(route, query.agent, sink, {.bodies = false}); });
        Row row = row_of(unit.name, route);
        if (route.status != PathStatus::complete) throw DemoError{"no way for " + unit.name};
        row.legal = !bad;
        canvas.row(std::move(row));
    }
    canvas.note(0, "arrows: the heading that is best in each tile");
}

// ---------------------------------------------------------------- speed

constexpr debug::Color kSlow = palette::kOther;
constexpr debug::Color kHalf = palette::kPortal;
constexpr debug::Color kFast = palette::kRoute;
constexpr double kSpeedMax = 8.0;

[[nodiscard]] debug::Color speed_color(double speed) {
    const double t = speed / kSpeedMax;
    return t < 0.5 ? mix(kSlow, kHalf, t * 2) : mix(kHalf, kFast, t * 2 - 1);
}

void draw_timed(const Route& way, const Sink& sink) {
    constexpr double kUnitStep = 0.25;
    for (double at = 0.0; at < way.length; at += kUnitStep) {
        const double to = std::min(at + kUnitStep, way.length);
        const double speed = speed_at(way.speeds.span(), time_at(way.speeds.span(), 0.5 * (at + to)));
        debug::draw_line(sink, place_on_route(way, at).position, place_on_route(way, to).position,
                         Stroke{speed_color(speed), 3.0});
    }
}

void draw_speed(Canvas& canvas) {
    const World world = canvas.world("drive_two_ways");
    const GridState& grid = world.grid.state();
    const DriveQuery query = drive_query(world.query("shortest"));
    const DriveTable table = need(DriveTable::make({.agent = query.agent, .headings = 8, .stretch = 1.05}));
    const DriveMap map = need(make_drive_map(grid, table));
    const double accels[] = {1.0, 1000.0};
    const char* titles[] = {"Gathers speed slowly: two turns", "Gathers speed at once: eight turns"};
    const Aabb bounds = debug::world_bounds(grid);
    canvas.layout(
        {.columns = 2,
         .panels = {{bounds, titles[0]}, {bounds, titles[1]}},
         .legend = {
             legend::wall(),
             legend::start(),
             legend::goal(),
             legend::body(),
             {.text = "speed, 0 to 8", .color = kSlow, .mark = Mark::ramp, .middle = kHalf, .last = kFast}}});
    Scratch scratch;
    for (std::size_t i = 0; i < 2; ++i) {
        const SpeedLimits limits{
            .speed_max = kSpeedMax, .accel_max = accels[i], .brake_max = 1000.0, .lateral_accel_max = 4.0};
        const SpeedTable times = need(SpeedTable::make(table, limits));
        const TimedQuery quickest{
            .start = query.start, .goal = query.goal, .planner = TimedPlanner::lattice, .times = &times};
        const Route way = need(find_route(map, quickest, scratch));
        if (way.status != PathStatus::complete) throw DemoError{"no way at these speeds"};
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            debug::draw_drive(way, query.agent, sink, {.width = 0.0, .bodies = false, .ends = false});
            draw_timed(way, sink);
            debug::draw_drive(way, query.agent, sink, {.width = 0.0, .swept = false, .bodies = false});
        });
        canvas.note(i, "length " + number_text(way.length, 1) + ", " + number_text(way.cost, 1) + " seconds");
        Row row = row_of(titles[i], way);
        const SpeedRules rules{.speed_max = kSpeedMax,
                               .reverse_speed_max = times.limits().reverse_speed_max,
                               .accel_max = accels[i],
                               .brake_max = 1000.0,
                               .lateral_accel_max = 4.0,
                               .cusp_seconds = times.limits().cusp_seconds};
        row.legal = !verify(way, grid, query.agent) && !verify_speed(way, way.speeds.span(), rules);
        canvas.row(std::move(row));
    }
}

// ---------------------------------------------------------------- off the lattice

void draw_gap(Canvas& canvas) {
    const World world = canvas.world("drive_gap");
    const formats::SceneQuery& scene = world.query("drive");
    GridDriveSetup setup{.nodes = DriveNodes::centres, .refine = false, .off_lattice_max = 0};
    const char* titles[] = {"Poses in the middle of tiles: no way", "Over all poses"};
    const Aabb bounds = debug::world_bounds(world.grid.state());
    canvas.layout(
        {.columns = 2, .panels = {{bounds, titles[0]}, {bounds, titles[1]}}, .legend = drive_legend(false)});
    Scratch scratch;
    for (std::size_t i = 0; i < 2; ++i) {
        DrivePlan plan;
        plan.query = drive_query(scene);
        setup.off_lattice_max = i == 0 ? 0 : 100000;
        need(find_route_into(world.grid.state(), plan.query, scratch, plan.route, setup));
        plan.violation = verify(plan.route, world.grid.state(), plan.query.agent);
        canvas.panel(i, [&](const Sink& sink) { draw_drive_plan(world, plan, sink, {.bodies = false}); });
        canvas.note(i, drive_text(plan));
        canvas.row(drive_row(titles[i], plan));
    }
}

// ---------------------------------------------------------------- turns on the spot

void draw_pivots(Canvas& canvas) {
    Grid court = need(Grid::make({.width = 24, .height = 16}));
    for (const CellRect& block :
         {CellRect{{0, 0}, {24, 1}}, CellRect{{0, 1}, {1, 16}}, CellRect{{1, 5}, {16, 16}},
          CellRect{{20, 1}, {24, 16}}, CellRect{{16, 15}, {20, 16}}}) {
        if (!court.fill(block, 0)) throw DemoError{"a tile off the map"};
    }
    const GridState& grid = court.state();
    DriveQuery query{.start = {{3.5, 3.0}, 0.0},
                     .goal = {{18.0, 12.5}, -kHalfPi},
                     .agent = {.shape = BodyShape::box, .length = 2.4, .width = 1.6, .turning_radius = 2.5}};
    const char* titles[] = {"A turning circle only: no way", "The same, and turns on the spot"};
    const Aabb bounds = debug::world_bounds(grid);
    canvas.layout(
        {.columns = 2, .panels = {{bounds, titles[0]}, {bounds, titles[1]}}, .legend = drive_legend(false)});
    Scratch scratch;
    for (std::size_t i = 0; i < 2; ++i) {
        query.agent.can_pivot = i == 1;
        const Route route = need(find_route(grid, query, scratch));
        const PathStatus expected = i == 0 ? PathStatus::unreachable : PathStatus::complete;
        if (route.status != expected) throw DemoError{"not what the title says"};
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            if (i == 1) debug::draw_drive(route, query.agent, sink);
            for (const Pose& pose : {query.start.pose(), query.goal.at.pose()}) {
                if (i == 1) continue;
                Route here;
                here.status = PathStatus::complete;
                here.end = {{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, 0};
                debug::draw_drive(here, query.agent, sink);
            }
            if (i == 0) {
                debug::draw_circle(sink, debug::at_height(query.start.ground()), 5.5 * sink.point,
                                   {palette::kInk}, {palette::kPaper, 1.2});
            }
        });
        std::size_t turns = 0;
        for (const Leg& leg : route.legs) turns += leg.kind == LegKind::turn ? 1 : 0;
        canvas.note(i, i == 0 ? std::string{status_name(route.status)}
                              : "length " + number_text(route.length) + ", cost " + number_text(route.cost) +
                                    ", turns on the spot: " + std::to_string(turns));
        Row row = row_of(titles[i], route);
        if (i == 1) row.legal = !verify(route, grid, query.agent);
        canvas.row(std::move(row));
    }
}

// ---------------------------------------------------------------- fixed angles

void draw_facings(Canvas& canvas) {
    const World world = canvas.world("article_1_turns");
    const GridState& grid = world.grid.state();
    const DrivePlan plan = make_drive_plan(world, "drive");
    const DriveTable table = need(DriveTable::make({.agent = plan.query.agent}));
    const DriveMap map = need(make_drive_map(grid, table));
    const std::int32_t facings[] = {0, 16, 8};
    const char* titles[] = {"The route: arcs and lines", "For 16 facings", "For 8 facings"};
    const Aabb bounds = debug::world_bounds(grid);
    Layout layout{.columns = 2,
                  .legend = {legend::wall(), legend::start(), legend::goal(), legend::route("what is driven"),
                             legend::body()}};
    layout.legend.push_back({.text = "the route before", .color = palette::kOther, .mark = Mark::dashed});
    for (const char* title : titles) layout.panels.push_back({bounds, title});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 3; ++i) {
        FixedAngles drawn;
        if (i > 0) need(make_fixed_angles_into(plan.route, map, {.facings = facings[i]}, drawn));
        const bool styled = drawn.status == FixedAnglesStatus::styled;
        const Route& route = i == 0 ? plan.route : drawn.route;
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw(grid, sink);
            debug::draw_drive(route, plan.query.agent, sink, {.bodies = false});
            if (i > 0) {
                debug::draw(plan.route, Agent{}, sink,
                            {.color = palette::kOther,
                             .width = 1.4,
                             .dash = 4.0,
                             .body = false,
                             .casing = false,
                             .waypoints = false,
                             .ends = false});
            }
        });
        const std::string length = "length " + number_text(route.length);
        const std::string text = i == 0   ? length
                                 : styled ? length + ", " + std::to_string(route.legs.size()) + " legs"
                                          : "no such way is free: drawn in the nearest facing";
        canvas.note(i, text);
        Row row = row_of(titles[i], route);
        Agent sprite = plan.query.agent;
        if (styled && i > 0) sprite.turning_radius = 0.0;
        row.legal = !verify(route, grid, sprite, {.facings = styled && i > 0 ? facings[i] : 0});
        canvas.row(std::move(row));
    }
}

constexpr Figure kUnitsFigures[] = {
    {"drive_facings", "Sprites with 16 and with 8 facings",
     "The same route, redrawn so that the unit always moves the way it is drawn: an arc becomes the polygon "
     "around it, "
     "a line two lines along facings. Every leg is tested against the walls again.",
     "A1 A2 A3 A4", draw_facings},
    {"drive_squad", "A squad that shares a goal",
     "One sweep from the goal gives every pose its cost. Each unit follows it from where it stands, at next "
     "to no cost.",
     "D1 X5", draw_squad},
    {"drive_speed", "Few turns or a short way",
     "Speed is part of the state. A unit that gathers it slowly loses much time in each turn and drives "
     "round the "
     "outside; one that gathers it at once takes the short way with eight turns.",
     "X2", draw_speed},
    {"drive_gap", "A gap that no pose of the lattice lies in",
     "A disc of radius 0.98 and a gap of 2: its middle lies between the poses in the middle of tiles. Where "
     "the lattice "
     "has no way, the search over all poses finds one.",
     "D14", draw_gap},
    {"drive_pivots", "A unit that may also turn on the spot",
     "A dead end that a turning radius of 2.5 cannot turn round in. With turns on the spot the unit drives "
     "in, and faces back there: a radian costs as much as two tiles.",
     "X3 D1", draw_pivots},
};

}  // namespace

std::span<const Figure> unit_figures() { return kUnitsFigures; }

}  // namespace fairlead::gallery
