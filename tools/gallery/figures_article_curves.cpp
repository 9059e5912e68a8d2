// The article's Figures 5, 6, 9, 10 and 11: curves of bounded radius, and how they are worked out. y grows up the page.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fairlead/curve/relaxed.h>
#include <fairlead/math/trig.h>

#include "gallery/figures.h"
#include "gallery/sketch.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Sink;
using debug::Stroke;
using namespace sketch;

constexpr debug::Color kCurveGreen = palette::route(2);  // the article's paths are green
constexpr debug::Color kSlate = palette::route(5);

void draw_way(const Sink& sink, const CurveWord& word, const Pose& from, double radius, debug::Color color) {
    debug::draw(route_of(word, from, radius), {}, sink,
                {.color = color, .waypoints = false, .headings = true});
}

// ---------------------------------------------------------------- Figures 5 and 6

constexpr double kRadius = 2.0;
const Pose kOrigin{{0.0, 0.0}, 0.55 * kPi};
constexpr Vec2 kDestination{7.0, -2.6};

struct Sides {
    CurveWord left{};
    CurveWord right{};
};

/// The way that begins on the left circle, and the one on the right.
Sides both_sides() {
    CurveWord words[kRelaxedWords];
    const int count = words_to_point(kOrigin, kDestination, kRadius, words);
    Sides sides;
    bool found[2] = {};
    for (int i = 0; i < count; ++i) {
        const std::string letters = letters_of(words[i]);
        if (letters == "LS") sides.left = words[i];
        if (letters == "RS") sides.right = words[i];
        found[0] = found[0] || letters == "LS";
        found[1] = found[1] || letters == "RS";
    }
    if (!found[0] || !found[1]) throw DemoError{"a place that is not reached on both sides"};
    return sides;
}

void draw_both_sides(Canvas& canvas) {
    const Sides sides = both_sides();
    const double left = sides.left.length * kRadius, right = sides.right.length * kRadius;
    if (right >= left) throw DemoError{"the right turn is not the shorter one"};
    canvas.layout(
        {.panels = {{{{-4.6, -3.6}, {8.2, 2.8}}, ""}},
         .legend = {{.text = "turning right: the shorter way", .color = kCurveGreen, .mark = Mark::line},
                    {.text = "turning left", .color = palette::kOther, .mark = Mark::dashed},
                    {.text = "turning circles", .color = palette::kFaint, .mark = Mark::line},
                    legend::start(),
                    legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        for (const double side : {1.0, -1.0})
            debug::draw_circle(sink, at_height(centre_of(kOrigin, side, kRadius)), kRadius, debug::kNoFill,
                               kCircle);
        debug::draw(route_of(sides.left, kOrigin, kRadius), {}, sink,
                    {.color = palette::kOther, .dash = 5.0, .waypoints = false, .ends = false});
        draw_way(sink, sides.right, kOrigin, kRadius, kCurveGreen);
        label(sink, kOrigin.position, "origin", {0, -22});
        label(sink, kDestination, "destination", {0, -24});
    });
    canvas.note(0, "right " + number_text(right, 3) + ", left " + number_text(left, 3));
    canvas.row({.label = "turning right", .planner = "curve", .length = right});
    canvas.row({.label = "turning left", .planner = "curve", .length = left});
}

void draw_triangle(Canvas& canvas) {
    const CurveWord word = both_sides().right;
    const Vec2 p = centre_of(kOrigin, -1.0, kRadius);
    const Vec2 q = pose_on_curve(kOrigin, kRadius, word, word.segments[0].amount * kRadius).position;
    const double h = distance(p, kDestination), d = distance(q, kDestination);
    const double phi = direction_of(kDestination - p);
    const double theta = direction_of(q - p) - phi;
    canvas.layout({.panels = {{{{-1.2, -3.6}, {8.4, 2.6}}, ""}},
                   .legend = {{.text = "arc and line", .color = kCurveGreen, .mark = Mark::line},
                              {.text = "the right triangle", .color = palette::kFaint, .mark = Mark::dashed},
                              {.text = "angles", .color = palette::kPortal, .mark = Mark::line}}});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw_circle(sink, at_height(p), kRadius, debug::kNoFill, kCircle);
        for (const Vec2& end : {q, kDestination, kOrigin.position}) line(sink, p, end, kHelp);
        line(sink, p, p + Vec2{3.4, 0}, {palette::kGridLine, 1.6});
        draw_way(sink, word, kOrigin, kRadius, kCurveGreen);
        angle(sink, p, 0.75, phi, theta, "θ");
        angle(sink, p, 1.25, 0.0, phi, "φ");
        right_angle(sink, q, p, kDestination);
        for (const Vec2& at : {p, q}) dot(sink, at);
        label(sink, kOrigin.position, "origin", {-8, -22});
        label(sink, p, "P", {-12, -16});
        label(sink, q, "Q", {12, 8});
        label(sink, kDestination, "destination", {0, -24});
        label(sink, (p + q) * 0.5, "r", {-8, 6});
        label(sink, (p + kOrigin.position) * 0.5, "r", {0, 7});
        label(sink, p * 0.45 + kDestination * 0.55, "h", {0, -18});
        label(sink, (q + kDestination) * 0.5, "d", {8, 8});
    });
    const double degrees = 180.0 / kPi;
    canvas.note(0, "r = 2, h = " + number_text(h, 3) + ", d = " + number_text(d, 3) + ", θ = " +
                       number_text(theta * degrees, 1) + "°, φ = " + number_text(phi * degrees, 1) +
                       "°, length " + number_text(word.length * kRadius, 3));
    canvas.row({.label = "arc and line", .planner = "curve", .length = word.length * kRadius});
}

// ---------------------------------------------------------------- Figure 9

void draw_four_ways(Canvas& canvas) {
    const Pose from{{0.0, 0.0}, 0.42 * kPi};
    const Pose to{{5.6, 0.6}, 0.30 * kPi};
    const char* names[] = {"RSR", "LSL", "RSL", "LSR"};
    const char* titles[] = {"Right, straight on, right", "Left, straight on, left",
                            "Right, straight on, left", "Left, straight on, right"};
    Layout layout{.columns = 2,
                  .legend = {legend::start(),
                             legend::goal(),
                             {.text = "the shortest", .color = kCurveGreen, .mark = Mark::line},
                             {.text = "longer", .color = palette::kOther, .mark = Mark::line},
                             {.text = "turning circles", .color = palette::kFaint, .mark = Mark::line}}};
    double least = INFINITY;
    for (std::size_t i = 0; i < 4; ++i) {
        layout.panels.push_back({{{-2.6, -2.0}, {7.6, 3.4}}, titles[i]});
        least = std::min(least, word_of(names[i], from, to, 1.0).length);
    }
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 4; ++i) {
        const CurveWord word = word_of(names[i], from, to, 1.0);
        canvas.panel(i, [&](const Sink& sink) {
            for (const Pose& pose : {from, to}) {
                for (const double side : {-1.0, 1.0})
                    debug::draw_circle(sink, at_height(centre_of(pose, side, 1.0)), 1.0, debug::kNoFill,
                                       kCircle);
            }
            draw_way(sink, word, from, 1.0, word.length == least ? kCurveGreen : palette::kOther);
        });
        canvas.note(i, std::string{names[i]} + ", length " + number_text(word.length, 3));
        canvas.row({.label = names[i], .planner = "curve", .length = word.length});
    }
}

// ---------------------------------------------------------------- Figures 10 and 11

struct Circles {
    Vec2 p1, p2;         // the centres
    Vec2 leaves, meets;  // where the line begins and ends
};

Circles circles_of(const CurveWord& word, const Pose& from, const Pose& to, double first, double last) {
    return {
        .p1 = centre_of(from, first, 1.0),
        .p2 = centre_of(to, last, 1.0),
        .leaves = pose_on_curve(from, 1.0, word, word.segments[0].amount).position,
        .meets = pose_on_curve(from, 1.0, word, word.segments[0].amount + word.segments[1].amount).position};
}

void draw_circles(const Sink& sink, const Circles& c) {
    for (const Vec2& p : {c.p1, c.p2}) debug::draw_circle(sink, at_height(p), 1.0, debug::kNoFill, kCircle);
}

void finish(Canvas& canvas, const char* letters, const CurveWord& word, const std::string& text) {
    canvas.note(0, std::string{letters} + ", length " + number_text(word.length, 3) + "; " + text);
    canvas.row({.label = letters, .planner = "curve", .length = word.length});
}

void draw_same_sense(Canvas& canvas) {
    const Pose from{{0, 0}, 0.5 * kPi}, to{{6.3, -0.9}, -0.45 * kPi};
    const CurveWord word = word_of("RSR", from, to, 1.0);
    const Circles c = circles_of(word, from, to, -1.0, -1.0);
    canvas.layout({.panels = {{{{-0.9, -2.4}, {7.2, 1.4}}, ""}},
                   .legend = {{.text = "the way", .color = kCurveGreen, .mark = Mark::line},
                              {.text = "equal and parallel", .color = palette::kPortal, .mark = Mark::dashed},
                              {.text = "radius r", .color = palette::kFaint, .mark = Mark::dashed},
                              legend::start(),
                              legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        draw_circles(sink, c);
        line(sink, c.p1, c.p2, {palette::kPortal, 1.6, 5.0});
        line(sink, c.p1, c.leaves, kHelp);
        line(sink, c.p2, c.meets, kHelp);
        draw_way(sink, word, from, 1.0, kCurveGreen);
        right_angle(sink, c.leaves, c.p1, c.meets);
        right_angle(sink, c.meets, c.p2, c.leaves);
        for (const Vec2& p : {c.p1, c.p2, c.leaves, c.meets}) dot(sink, p);
        label(sink, c.p1, "P1", {0, -20});
        label(sink, c.p2, "P2", {0, -20});
        label(sink, (c.p1 + c.leaves) * 0.5, "r", {-9, 0});
        label(sink, (c.p2 + c.meets) * 0.5, "r", {10, 0});
    });
    finish(canvas, "RSR", word,
           "P1 to P2 " + number_text(distance(c.p1, c.p2), 3) + ", the line " +
               number_text(distance(c.leaves, c.meets), 3));
}

void draw_opposite_sense(Canvas& canvas) {
    const Pose from{{0, 0}, 0.5 * kPi}, to{{6.2, -0.6}, 0.4 * kPi};
    const CurveWord word = word_of("RSL", from, to, 1.0);
    const Circles c = circles_of(word, from, to, -1.0, 1.0);
    const Vec2 p3 = c.p2 + (c.meets - c.p2) * 2.0;
    const double between = direction_of(c.p1 - c.p2);
    const double corner = std::remainder(direction_of(p3 - c.p2) - between, kTwoPi);
    canvas.layout(
        {.panels = {{{{-0.9, -3.3}, {7.6, 1.3}}, ""}},
         .legend = {{.text = "the way", .color = kCurveGreen, .mark = Mark::line},
                    {.text = "the right triangle P1 P2 P3", .color = palette::kPortal, .mark = Mark::dashed},
                    legend::start(),
                    legend::goal()}});
    canvas.panel(0, [&](const Sink& sink) {
        draw_circles(sink, c);
        debug::draw_circle(sink, at_height(p3), 1.0, debug::kNoFill, {palette::kFaint, 1.0, 3.0});
        const Stroke side{palette::kPortal, 1.6, 5.0};
        line(sink, c.p1, c.p2, side);
        line(sink, c.p2, p3, side);
        line(sink, p3, c.p1, side);
        line(sink, c.p1, c.leaves, kHelp);
        draw_way(sink, word, from, 1.0, kCurveGreen);
        right_angle(sink, p3, c.p1, c.p2);
        angle(sink, c.p2, 0.55, between, corner, "θ");
        for (const Vec2& p : {c.p1, c.p2, p3, c.leaves, c.meets}) dot(sink, p);
        label(sink, c.p1, "P1", {-4, -20});
        label(sink, c.p2, "P2", {14, -12});
        label(sink, p3, "P3", {-16, -14});
        label(sink, (c.p2 + p3) * 0.5, "2r", {14, 0});
    });
    finish(canvas, "RSL", word,
           "P1 to P2 " + number_text(distance(c.p1, c.p2), 3) +
               ", θ = arccos(2 r / that) = " + number_text(std::abs(corner) * 180.0 / kPi, 1) + "°");
}

constexpr Figure kArticleCurvesFigures[] = {
    {"article_5_sides", "The article's Figure 5: turning left or turning right",
     "From a place and a heading to another place: on the circle at one side until the place lies straight "
     "ahead, then on. Of the two ways the shorter one is taken, green.",
     "K2", draw_both_sides},
    {"article_6_triangle", "The article's Figure 6: the length of such a way",
     "P is the centre of the circle, at a right angle to the heading. With h from P to the destination, d² = "
     "h² "
     "- r² and θ = arccos(r / h); the arc ends at Q, in the direction φ + θ from P.",
     "K2 K3", draw_triangle},
    {"article_9_words", "The article's Figure 9: four ways to a place and a heading",
     "Two circles at each end, and a line between them. The shortest of the four is green. (The two ways of "
     "three "
     "arcs, which the article leaves out, are among the Dubins words below.)",
     "D2", draw_four_ways},
    {"article_10_same", "The article's Figure 10: round both circles in the same sense",
     "The line of the way is as long as that from P1 to P2 and runs beside it, so its ends lie at a right "
     "angle "
     "to it, on both circles at the same angle.",
     "D3", draw_same_sense},
    {"article_11_opposite", "The article's Figure 11: round the circles in opposite senses",
     "A third circle touches the second where the way does; P1, P2 and P3 make a right triangle with a side "
     "of "
     "2 r. That gives the direction of the way, and where it leaves and meets the circles.",
     "D4", draw_opposite_sense},
};

}  // namespace

std::span<const Figure> article_curve_figures() { return kArticleCurvesFigures; }

}  // namespace fairlead::gallery
