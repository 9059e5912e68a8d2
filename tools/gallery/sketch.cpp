#include "gallery/sketch.h"

#include <cmath>
#include <vector>

#include <fairlead/math/trig.h>

namespace fairlead::gallery::sketch {

namespace palette = debug::palette;
using debug::at_height;
using debug::Sink;
using debug::Stroke;

void label(const Sink& sink, Vec2 at, const std::string& text, Vec2 shift) {
    debug::draw_text(
        sink, at_height(at + shift * sink.point), text.c_str(),
        {.color = palette::kInk, .size = 14.0, .anchor = debug::Anchor::middle, .bold = true, .halo = true});
}

void dot(const Sink& sink, Vec2 at) {
    debug::draw_circle(sink, at_height(at), 3.2 * sink.point, {palette::kInk}, {palette::kPaper, 1.0});
}

void line(const Sink& sink, Vec2 a, Vec2 b, const Stroke& stroke) {
    debug::draw_line(sink, at_height(a), at_height(b), stroke);
}

void arc(const Sink& sink, Vec2 centre, double radius, double from_rad, double turn_rad,
         const Stroke& stroke) {
    constexpr int kChords = 48;
    std::vector<Vec3> points;
    for (int i = 0; i <= kChords; ++i)
        points.push_back(at_height(centre + math::direction(from_rad + turn_rad * i / kChords) * radius));
    debug::draw_polyline(sink, points, stroke);
}

void angle(const Sink& sink, Vec2 corner, double radius, double from_rad, double turn_rad,
           const std::string& letter) {
    arc(sink, corner, radius, from_rad, turn_rad, {palette::kPortal, 1.8});
    const Vec2 middle = math::direction(from_rad + 0.5 * turn_rad);
    label(sink, corner + middle * (radius + 11.0 * sink.point), letter, {0, -5});
}

void right_angle(const Sink& sink, Vec2 corner, Vec2 a, Vec2 b) {
    const double size = 9.0 * sink.point;
    const Vec2 to_a = (a - corner) * (size / distance(a, corner));
    const Vec2 to_b = (b - corner) * (size / distance(b, corner));
    const Stroke stroke{palette::kPortal, 1.4};
    line(sink, corner + to_a, corner + to_a + to_b, stroke);
    line(sink, corner + to_b, corner + to_a + to_b, stroke);
}

Vec2 centre_of(const Pose& pose, double side, double radius) {
    const Vec2 ahead = math::direction(pose.heading_rad);
    return pose.position + Vec2{-ahead.y, ahead.x} * (side * radius);
}

double direction_of(Vec2 v) { return math::atan2(v.y, v.x); }

Route route_of(const CurveWord& word, const Pose& from, double radius) {
    Route route;
    route.status = PathStatus::complete;
    route.planner = "curve";
    Pose end;
    if (!append_legs(word, from, radius, 0, route.legs, end)) throw DemoError{"out of memory"};
    route.length = word.length * radius;
    route.end = {at_height(end.position), end.heading_rad, 0};
    return route;
}

std::string letters_of(const CurveWord& word) {
    std::string letters;
    for (const char c : std::string{name(word).text}) {
        if (c == 'L' || c == 'R' || c == 'S') letters += c;
    }
    return letters;
}

CurveWord word_of(const std::string& letters, const Pose& from, const Pose& to, double radius) {
    CurveWord words[kDubinsWords];
    const int count = dubins_words(from, to, radius, words);
    for (int i = 0; i < count; ++i) {
        if (letters_of(words[i]) == letters) return words[i];
    }
    throw DemoError{"no word " + letters};
}

}  // namespace fairlead::gallery::sketch
