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
    [[nodiscard]] std::string point(const Place& place) const {
        const Vec2 at = ground(place.position);
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

}  // namespace

void Canvas::move(std::size_t index, std::span<const Mover> movers, double seconds, std::size_t still) {
    const Panel& panel = layout_.panels.at(index);
    const Page page{panel.world, frames_.at(index), grows_up(index)};
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
