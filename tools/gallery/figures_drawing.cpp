// How things look in pictures: the map itself, and every kind of leg.
#include <algorithm>

#include <fairlead/math/pose.h>

#include "gallery/figures.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

/// Strings legs together, each starting where the last one ended.
class Drive {
  public:
    explicit Drive(Vec2 start, double heading_deg) {
        route_.status = PathStatus::complete;
        route_.planner = "by hand";
        route_.end.position = {start.x, start.y, 0};
        route_.end.heading_rad = heading_deg * kPi / 180;
    }
    Drive& straight(double length) { return leg(length, 0, Gear::forward); }
    Drive& back(double length) { return leg(length, 0, Gear::reverse); }
    /// `degrees` > 0 is counter-clockwise.
    Drive& arc(double radius, double degrees, Gear gear = Gear::forward) {
        const double angle = degrees * kPi / 180;
        const double curvature = (angle > 0 ? 1 : -1) / radius * (gear == Gear::forward ? 1 : -1);
        return leg(radius * (angle > 0 ? angle : -angle), gear == Gear::forward ? curvature : -curvature,
                   gear);
    }
    Drive& turn(double degrees) {
        Leg leg;
        leg.kind = LegKind::turn;
        leg.start = route_.end;
        leg.turn_rad = degrees * kPi / 180;
        route_.end.heading_rad += leg.turn_rad;
        add(leg);
        return *this;
    }
    Drive& link(Vec2 to) {
        Leg leg;
        leg.kind = LegKind::link;
        leg.start = route_.end;
        route_.end.position = {to.x, to.y, 0};
        add(leg);
        return *this;
    }
    [[nodiscard]] const Route& route() const { return route_; }

  private:
    Drive& leg(double length, double curvature, Gear gear) {
        Leg leg;
        leg.start = route_.end;
        leg.length = length;
        leg.curvature = curvature;
        leg.gear = gear;
        route_.end = place_on_leg(leg, length);
        route_.length += length;
        add(leg);
        return *this;
    }
    void add(const Leg& leg) {
        if (!route_.legs.push_back(leg)) throw DemoError{"out of memory"};
    }

    Route route_;
};

/// A frame of 12 x 6 around the middle of a route.
[[nodiscard]] Aabb frame_around(const Route& route) {
    Aabb box{{1e9, 1e9}, {-1e9, -1e9}};
    for (double at = 0; at <= route.length + 0.1; at += 0.1) {
        const Vec3 p = place_on_route(route, at).position;
        box = {{std::min(box.low.x, p.x), std::min(box.low.y, p.y)},
               {std::max(box.high.x, p.x), std::max(box.high.y, p.y)}};
    }
    const Vec2 middle = (box.low + box.high) * 0.5;
    return {middle - Vec2{6, 3}, middle + Vec2{6, 3}};
}

void draw_frame(const Aabb& box, const Sink& sink) {
    const Vec3 corners[] = {{box.low.x, box.low.y, 0},
                            {box.high.x, box.low.y, 0},
                            {box.high.x, box.high.y, 0},
                            {box.low.x, box.high.y, 0}};
    debug::draw_outline(sink, corners, {.color = palette::kGridLine, .width = 1.0});
}

void draw_drawing_sheet(Canvas& canvas) {
    struct Example {
        const char* title;
        Agent agent;
        Drive drive;
    };
    Example examples[] = {
        {"Straight legs sweep stadiums", {.radius = 0.5}, Drive{{0, 0}, 35}},
        {"Arcs sweep ring sectors", {.radius = 0.55}, Drive{{0, 0}, -40}},
        {"A body wider than its turn", {.radius = 0.9}, Drive{{0, 0}, 0}},
        {"Reverse gear and cusps", {.radius = 0.45}, Drive{{0, 0}, 0}},
        {"A square footprint", {.footprint = 2}, Drive{{0, 0}, 0}},
        {"A turn on the spot, and a link", {.radius = 0.5}, Drive{{0, 0}, 0}},
    };
    examples[0].drive.straight(4).turn(-60).straight(4.5).turn(70).straight(2);
    examples[1].drive.straight(1).arc(2.1, 130).arc(1.7, -170).straight(1.2);
    examples[2].drive.straight(3.5).arc(0.5, 120).straight(1.4).arc(0.6, -150).straight(4);
    examples[3].drive.straight(4.5).arc(2, 60).arc(2, 40, Gear::reverse).back(1).arc(2.5, 50).straight(2.2);
    examples[4].drive.straight(2.5).turn(45).straight(3.5).turn(-45).straight(3);
    examples[5].drive.straight(2.5).turn(90).straight(2.6).link({6.5, 2.6}).turn(-90).straight(2.4);

    Layout layout{.columns = 2,
                  .legend = {legend::start(),
                             legend::goal(),
                             legend::route("forward"),
                             {.text = "reverse", .color = palette::kOther, .mark = Mark::dashed},
                             {.text = "link", .color = palette::kPortal, .mark = Mark::dashed},
                             legend::body()}};
    for (const Example& example : examples) {
        layout.panels.push_back({frame_around(example.drive.route()), example.title});
    }
    const std::vector<Panel> panels = layout.panels;
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const Route& route = examples[i].drive.route();
        canvas.panel(i, [&](const Sink& sink) {
            draw_frame(panels[i].world, sink);
            debug::draw(route, examples[i].agent, sink, {.headings = true});
        });
        canvas.note(i, std::to_string(route.legs.size()) + " legs, length " + number_text(route.length));
        canvas.row({.label = examples[i].title, .planner = route.planner, .length = route.length});
    }
}

constexpr Figure kDrawingFigures[] = {
    {"drawing_sheet", "How routes are drawn",
     "The centre line, the ground that the body sweeps, and the signs for start, goal, headings, reverse "
     "gear and links. "
     "Drawn from routes written by hand.",
     "K4 G1", draw_drawing_sheet},
};

}  // namespace

std::span<const Figure> drawing_figures() { return kDrawingFigures; }

}  // namespace fairlead::gallery
