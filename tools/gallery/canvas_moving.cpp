// Moving pictures: SVG animates shapes itself (SMIL), without scripts.

#include <cmath>

#include <fairlead/debug/view.h>
#include <fairlead/math/trig.h>

#include "gallery/figure.h"

namespace fairlead::gallery {
namespace {

/// Where places of a panel are on the page.
struct Page {
    Aabb world;
    Aabb frame;
    bool up;

    [[nodiscard]] double scale() const { return (frame.high.x - frame.low.x) / (world.high.x - world.low.x); }
    [[nodiscard]] std::string point(const Place& place) const { return point(ground(place.position)); }
    [[nodiscard]] std::string point(Vec2 at) const {
        const double x = frame.low.x + (at.x - world.low.x) * scale();
        const double y = up ? world.high.y - at.y : at.y - world.low.y;
        return number_text(x, 1) + " " + number_text(frame.low.y + y * scale(), 1);
    }
    [[nodiscard]] std::string turn(double heading_rad) const {
        return number_text((up ? -heading_rad : heading_rad) * 180.0 / kPi, 1);
    }
};

std::string animation(const char* type, const std::string& values, double seconds) {
    return std::string{"<animateTransform attributeName=\"transform\" type=\""} + type + "\" dur=\"" +
           number_text(seconds, 2) + "s\" repeatCount=\"indefinite\" values=\"" + values + "\"/>";
}

std::string hex(debug::Color color) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out = "#";
    for (const int c : {int{color.r}, int{color.g}, int{color.b}}) {
        out += kDigits[c / 16];
        out += kDigits[c % 16];
    }
    return out;
}

std::string disc(const Mover& mover, const Page& page) {
    return "<circle r=\"" + number_text(mover.radius * page.scale(), 2) + "\" fill=\"" + hex(mover.color) +
           "\"/>";
}

/// Headings are told without jumps from one turn to the next: a box turns the short way.
std::string box(const Mover& mover, const Page& page, std::size_t still, double seconds) {
    std::string turns;
    double before = mover.places.front().heading_rad;
    for (const Place& place : mover.places) {
        before += std::remainder(place.heading_rad - before, 2.0 * kPi);
        turns += (turns.empty() ? "" : ";") + page.turn(before);
    }
    const double length = mover.length * page.scale(), width = mover.width * page.scale();
    const double back = mover.ahead * page.scale() - length / 2;
    const auto rect = [&](double x, double l, double w, const std::string& fill) {
        return "<rect x=\"" + number_text(x, 1) + "\" y=\"" + number_text(-w / 2, 1) + "\" width=\"" +
               number_text(l, 1) + "\" height=\"" + number_text(w, 1) + "\" fill=\"" + fill + "\"/>";
    };
    return "<g transform=\"rotate(" + page.turn(mover.places[still].heading_rad) + ")\">" +
           rect(back, length, width, hex(mover.color)) +
           rect(back + length * 0.8, length * 0.1, width * 0.8, "#ffffff") +
           animation("rotate", turns, seconds) + "</g>";
}

void draw_still(const Mover& mover, const Place& at, const debug::Sink& sink) {
    const Vec3 p = at.position;
    if (mover.radius > 0.0) {
        debug::draw_circle(sink, p, mover.radius, debug::Fill{mover.color}, debug::Stroke{.opacity = 0.0});
        return;
    }
    const double c = math::cos(at.heading_rad), s = math::sin(at.heading_rad);
    const auto corner = [&](double x, double y) {
        return Vec3{p.x + x * c - y * s, p.y + x * s + y * c, p.z};
    };
    const double back = mover.ahead - mover.length / 2, front = mover.ahead + mover.length / 2;
    const double half = mover.width / 2;
    const Vec3 body[] = {corner(back, -half), corner(front, -half), corner(front, half), corner(back, half)};
    debug::draw_polygon(sink, body, debug::Fill{mover.color});
    const double a = back + mover.length * 0.8, b = back + mover.length * 0.9, w = half * 0.8;
    const Vec3 glass[] = {corner(a, -w), corner(b, -w), corner(b, w), corner(a, w)};
    debug::draw_polygon(sink, glass, debug::Fill{debug::palette::kPaper});
}

/// Opacity over the time: 1 from `from` until `until`.
std::string shown_while(const Passing& one, std::size_t samples, double seconds) {
    const auto steps = static_cast<double>(samples - 1);
    std::string values = one.from == 0 ? "1" : "0;1", times = "0";
    if (one.from > 0) times += ";" + number_text(static_cast<double>(one.from) / steps, 4);
    if (one.until < samples) {
        values += ";0";
        times += ";" + number_text(static_cast<double>(one.until) / steps, 4);
    }
    return "<animate attributeName=\"opacity\" calcMode=\"discrete\" dur=\"" +
           number_text(seconds * steps, 2) + "s\" repeatCount=\"indefinite\" values=\"" + values +
           "\" keyTimes=\"" + times + "\"/>";
}

std::string outline(const Passing& one, const Page& page) {
    std::string d;
    for (const Aabb& box : one.boxes) {
        const double w = (box.high.x - box.low.x) * page.scale(), h = (box.high.y - box.low.y) * page.scale();
        d += "M" + page.point(page.up ? Vec2{box.low.x, box.high.y} : box.low) + "h" + number_text(w, 2) +
             "v" + number_text(h, 2) + "h" + number_text(-w, 2) + "z";
    }
    for (std::size_t i = 0; i < one.line.size(); ++i) d += (i == 0 ? "M" : "L") + page.point(one.line[i]);
    return d;
}

std::string passing_shape(const Passing& one, const Page& page, bool stands) {
    const bool filled = !one.boxes.empty();
    std::string text =
        "<g opacity=\"" + std::string{stands ? "1" : "0"} + "\"><path d=\"" + outline(one, page) + "\" ";
    if (filled)
        return text + "fill=\"" + hex(one.color) + "\" fill-opacity=\"" + number_text(one.opacity, 2) +
               "\"/>";
    return text + "fill=\"none\" stroke=\"" + hex(one.color) + "\" stroke-opacity=\"" +
           number_text(one.opacity, 2) + "\" stroke-width=\"" + number_text(one.width, 1) + "\"/>";
}

void draw_passing(const Passing& one, const debug::Sink& sink) {
    for (const Aabb& box : one.boxes) {
        const Vec3 corners[] = {{box.low.x, box.low.y, 0},
                                {box.high.x, box.low.y, 0},
                                {box.high.x, box.high.y, 0},
                                {box.low.x, box.high.y, 0}};
        debug::draw_polygon(sink, corners, debug::Fill{one.color, one.opacity});
    }
    for (std::size_t i = 1; i < one.line.size(); ++i) {
        const Vec3 ends[] = {{one.line[i - 1].x, one.line[i - 1].y, 0}, {one.line[i].x, one.line[i].y, 0}};
        debug::draw_polyline(sink, ends,
                             debug::Stroke{.color = one.color, .width = one.width, .opacity = one.opacity});
    }
}

}  // namespace

void Canvas::pass(std::size_t index, std::span<const Passing> all, std::size_t samples, double seconds,
                  std::size_t still) {
    const Panel& panel = layout_.panels.at(index);
    const Page page{panel.world, frames_.at(index), y_up_ || panel.upright};
    debug::View view{raster_->sink(), {.world = page.world, .frame = page.frame, .y_up = page.up}};
    for (const Passing& one : all) {
        const bool stands = one.from <= still && still < one.until;
        moving_ += passing_shape(one, page, stands) + shown_while(one, samples, seconds) + "</g>\n";
        if (stands) draw_passing(one, view.sink());
    }
    if (view.failed()) throw DemoError{"out of memory in a picture"};
}

void Canvas::move(std::size_t index, std::span<const Mover> movers, double seconds, std::size_t still) {
    const Panel& panel = layout_.panels.at(index);
    const Page page{panel.world, frames_.at(index), y_up_ || panel.upright};
    debug::View view{raster_->sink(), {.world = page.world, .frame = page.frame, .y_up = page.up}};
    for (const Mover& mover : movers) {
        const double whole = seconds * static_cast<double>(mover.places.size() - 1);
        std::string values;
        for (const Place& place : mover.places) values += (values.empty() ? "" : ";") + page.point(place);
        moving_ += "<g transform=\"translate(" + page.point(mover.places[still]) + ")\">" +
                   (mover.radius > 0.0 ? disc(mover, page) : box(mover, page, still, whole)) +
                   animation("translate", values, whole) + "</g>\n";
        draw_still(mover, mover.places[still], view.sink());
    }
    if (view.failed()) throw DemoError{"out of memory in a picture"};
}

}  // namespace fairlead::gallery
