// The article's Figures 14 and 15: sprites that were drawn for a few facings, and the geometry of their way.
#include <algorithm>
#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "gallery/figures.h"
#include "gallery/need.h"
#include "gallery/sketch.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Sink;
using namespace sketch;

// ---------------------------------------------------------------- Figure 14

constexpr std::int32_t kFacings = 16;

/// The sprite as it is drawn every 1.5 along the way: in the facing nearest to its heading.
void draw_sprites(const Route& route, const Agent& body, const Sink& sink) {
    for (double at = 0.0; at <= route.length; at += 1.5) {
        Place place = place_on_route(route, at);
        place.heading_rad = facing_rad(kFacings, nearest_facing(kFacings, place.heading_rad));
        debug::draw_body(place, body, sink, {mix(palette::kPaper, palette::kRoute, 0.25)},
                         {.color = palette::kInk, .width = 1.2});
        const Vec2 nose = ground(place.position) + math::direction(place.heading_rad) * (body.length * 0.36);
        debug::draw_circle(sink, at_height(nose), 2.2 * sink.point, {palette::kInk}, debug::kNoStroke);
    }
}

void draw_sprite_ways(Canvas& canvas) {
    const Grid open = need(Grid::make({.width = 24, .height = 9}));
    const Agent sprite{.radius = 0.3, .shape = BodyShape::capsule, .length = 1.2, .turning_radius = 2.5};
    const DriveQuery query{
        .start = {{2.0, 6.6}, -0.25 * kPi}, .goal = {{22.0, 2.4}, -0.30 * kPi}, .agent = sprite};
    Scratch scratch;
    const Route smooth = need(find_route(open.state(), query, scratch));
    const DriveTable table = need(DriveTable::make({.agent = sprite}));
    const DriveMap map = need(make_drive_map(open.state(), table));
    const FixedAngles drawn = need(make_fixed_angles(smooth, map, {.facings = kFacings}));
    if (drawn.status != FixedAnglesStatus::styled) throw DemoError{"no such way is free"};
    const Aabb frame{{0.5, 0.4}, {23.5, 8.4}};
    canvas.layout({.panels = {{frame, "The way for a sprite with 16 facings: lines along them"},
                              {frame, "The continuous way, the sprite in the nearest facing"}},
                   .legend = {legend::start(),
                              legend::goal(),
                              legend::route("the way"),
                              {.text = "the sprite", .color = mix(palette::kPaper, palette::kRoute, 0.25)}},
                   .height_max = 300.0});
    const Route* routes[] = {&drawn.route, &smooth};
    for (std::size_t i = 0; i < 2; ++i) {
        canvas.panel(i, [&](const Sink& sink) {
            draw_sprites(*routes[i], sprite, sink);
            debug::draw(*routes[i], Agent{}, sink, {.body = false, .waypoints = i == 0});
        });
        const double error = drawn_error_rad(*routes[i], kFacings) * 180.0 / kPi;
        canvas.note(i, "length " + number_text(routes[i]->length) + ", it slides by up to " +
                           number_text(error, 2) + "°");
    }
    Row row = row_of("16 facings", drawn.route);
    Agent snaps = sprite;
    snaps.turning_radius = 0.0;
    row.legal = !verify(drawn.route, open.state(), snaps, {.facings = kFacings});
    canvas.row(std::move(row));
    Row before = row_of("continuous", smooth);
    before.legal = !verify(smooth, open.state(), sprite);
    canvas.row(std::move(before));
}

// ---------------------------------------------------------------- Figure 15

constexpr double kFacingRadius = 2.0;
constexpr std::int32_t kEight = 8;

void fill_triangle(const Sink& sink, Vec2 a, Vec2 b, Vec2 c, const debug::Fill& fill) {
    const Vec3 corners[] = {at_height(a), at_height(b), at_height(c)};
    debug::draw_polygon(sink, corners, fill);
}

/// The polygon around a whole circle, as arc_outside gives it, and its sixteen triangles: centre, corner, place of touch.
double draw_triangles(const Sink& sink) {
    const Pose start{{kFacingRadius, 0.0}, kHalfPi};  // counter-clockwise about the origin
    FacingPath path;
    arc_outside(start, 1.0 / kFacingRadius, kTwoPi * kFacingRadius, kEight, path);
    Vec2 from = start.position;
    double base = 0.0;
    int triangles = 0;
    std::vector<Vec2> corners;
    for (int i = 0; i < path.count; ++i) {
        const FacingLeg& leg = path.legs[i];
        const Vec2 ahead = math::direction(facing_rad(kEight, leg.facing));
        const Vec2 touch = {ahead.y * kFacingRadius,
                            -ahead.x * kFacingRadius};  // where the leg meets the circle
        for (const Vec2 end : {from, leg.end}) {
            if (distance(end, touch) < 1e-6) continue;
            fill_triangle(sink, {}, touch, end, {palette::tint(triangles++ % 2 == 0 ? 0 : 4), 0.9});
            base = distance(end, touch);
        }
        from = leg.end;
    }
    if (triangles != 16) throw DemoError{"not sixteen triangles but " + std::to_string(triangles)};
    debug::draw_circle(sink, at_height({}), kFacingRadius, debug::kNoFill, {palette::kOther, 2.0, 5.0});
    from = start.position;
    for (int i = 0; i < path.count; ++i) {
        line(sink, {}, path.legs[i].end, kCircle);
        const Vec2 ahead = math::direction(facing_rad(kEight, path.legs[i].facing));
        line(sink, {}, {ahead.y * kFacingRadius, -ahead.x * kFacingRadius}, kCircle);
        line(sink, from, path.legs[i].end, {palette::kRoute, 2.6});
        from = path.legs[i].end;
    }
    return base;
}

void draw_angle_of_arc(const Sink& sink, double base) {
    const Vec2 corner{kFacingRadius, base};
    right_angle(sink, {kFacingRadius, 0.0}, {0.0, 0.0}, corner);
    angle(sink, {}, 0.9, 0.0, kPi / kEight, "π/8");
    label(sink, {0.62 * kFacingRadius, 0.0}, "r", {0, -18});
    label(sink, {kFacingRadius, 0.5 * base}, "base", {24, -5});
    // A point of the arc, and where it is on the polygon.
    const double at = 51.2 * kPi / 180.0;
    const Vec2 on_arc = math::direction(at) * kFacingRadius;
    const Vec2 outward = math::direction(at) * (kFacingRadius / math::cos(at - 0.25 * kPi));
    line(sink, {}, outward, {palette::kWarning, 1.4});
    debug::draw_circle(sink, at_height(on_arc), 3.4 * sink.point, {palette::kOther}, debug::kNoStroke);
    debug::draw_circle(sink, at_height(outward), 3.4 * sink.point, {palette::kRoute}, debug::kNoStroke);
    label(sink, outward, "51.2°", {22, 2});
}

double draw_both_orders(const Sink& sink, Vec2 from, Vec2 to) {
    double length = 0.0;
    for (const FacingOrder order : {FacingOrder::left_first, FacingOrder::right_first}) {
        FacingPath path;
        line_on_facings(from, to, kEight, order, path);
        const bool first = order == FacingOrder::left_first;
        Vec2 at = from;
        length = 0.0;
        for (int i = 0; i < path.count; ++i) {
            line(sink, at, path.legs[i].end, {first ? palette::kRoute : palette::route(2), 2.6});
            length += path.legs[i].length;
            at = path.legs[i].end;
        }
        const Vec2 corner = path.legs[0].end;
        dot(sink, corner);
        label(sink, corner, first ? "0° and 45°, the one order" : "the other",
              {first ? -20.0 : 10.0, first ? 10.0 : -22.0});
    }
    line(sink, from, to, {palette::kOther, 2.0, 5.0});
    return length;
}

void draw_geometry(Canvas& canvas) {
    const Vec2 from{0.3, -1.3}, to{5.4, 1.2};
    canvas.layout({.columns = 2,
                   .panels = {{{{-2.6, -2.5}, {2.9, 2.5}}, "An arc: along sixteen triangles"},
                              {{{-0.4, -2.5}, {6.1, 3.41}}, "A line: two lines of legal angles"}},
                   .legend = {{.text = "the route", .color = palette::kOther, .mark = Mark::dashed},
                              legend::route("along 8 facings"),
                              {.text = "the second order", .color = palette::route(2), .mark = Mark::line},
                              {.text = "triangles", .color = palette::tint(0)}}});
    double base = 0.0;
    canvas.panel(0, [&](const Sink& sink) {
        base = draw_triangles(sink);
        draw_angle_of_arc(sink, base);
    });
    canvas.note(0, "r = 2, base = r tan 22.5° = " + number_text(base, 4));
    double length = 0.0;
    canvas.panel(1, [&](const Sink& sink) { length = draw_both_orders(sink, from, to); });
    canvas.note(
        1, "the line " + number_text(distance(from, to), 3) + ", either order " + number_text(length, 3));
    canvas.row({.label = "base of a triangle", .length = base});
    canvas.row({.label = "line on facings", .length = length});
}

constexpr Figure kArticleFacingsFigures[] = {
    {"article_14_sprites", "The article's Figure 14: turning with fixed-angle art",
     "Below, the route of a unit that may face anywhere: drawn in the nearest of 16 facings its picture "
     "slides. "
     "Above, the same route made of lines along the facings: it moves the way it is drawn.",
     "A1 A2", draw_sprite_ways},
    {"article_15_geometry", "The article's Figure 15: the geometry of fixed-angle turning",
     "For 8 facings. An arc becomes a part of the polygon around it, whose sides are the bases of two "
     "triangles "
     "each; a point of the arc is carried outward. A line becomes two, in either order.",
     "A2 A3", draw_geometry},
};

}  // namespace

std::span<const Figure> article_facing_figures() { return kArticleFacingsFigures; }

}  // namespace fairlead::gallery
