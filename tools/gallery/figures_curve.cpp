// Curves of bounded turning radius: every word between two poses, and the way to a place.
#include <algorithm>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/curve/relaxed.h>

#include "gallery/figures.h"
#include "gallery/sketch.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

[[nodiscard]] Aabb joined(const Aabb& a, const Aabb& b) {
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)}};
}

/// One frame for all, so that the words can be compared.
[[nodiscard]] Aabb frame_of(std::span<const CurveWord> words, const Pose& from, double radius) {
    Aabb frame = bounds_of_curve(from, radius, words[0]);
    for (const CurveWord& word : words) frame = joined(frame, bounds_of_curve(from, radius, word));
    return {frame.low - Vec2{0.5, 0.5}, frame.high + Vec2{0.5, 0.5}};
}

void draw_words(Canvas& canvas, std::span<const CurveWord> words, const Pose& from, double radius,
                int columns) {
    Layout layout{.columns = columns, .legend = {legend::start(), legend::goal(), legend::route("forward")}};
    const auto reverses = [](const CurveWord& word) {
        const auto used = word.used();
        return std::any_of(used.begin(), used.end(),
                           [](const CurveSegment& segment) { return segment.amount < 0; });
    };
    if (std::any_of(words.begin(), words.end(), reverses)) {
        layout.legend.push_back({.text = "reverse", .color = palette::kOther, .mark = Mark::dashed});
    }
    for (const CurveWord& word : words)
        layout.panels.push_back({frame_of(words, from, radius), name(word).text});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Route route = sketch::route_of(words[i], from, radius);
        canvas.panel(i, [&](const Sink& sink) { debug::draw(route, {}, sink, {.headings = true}); });
        const int changes = cusps(words[i]);
        canvas.note(
            i,
            "length " + number_text(route.length, 3) +
                (changes == 0 ? "" : ", " + std::to_string(changes) + (changes == 1 ? " cusp" : " cusps")));
        canvas.row({.label = name(words[i]).text, .planner = "curve", .length = route.length});
    }
}

void draw_dubins(Canvas& canvas) {
    const Pose from{{0, 0}, 0};
    const Pose to{{-2.0, 0.3}, kPi * 0.97};
    CurveWord words[kDubinsWords];
    const int count = dubins_words(from, to, 1.0, words);
    draw_words(canvas, {words, static_cast<std::size_t>(count)}, from, 1.0, 3);
}

void draw_reeds_shepp(Canvas& canvas) {
    const Pose from{{0, 0}, 0};
    const Pose to{{0.3, 1.6}, 0.2};
    CurveWord words[kReedsSheppWords];
    const int count = reeds_shepp_words(from, to, 1.0, {}, words);
    draw_words(canvas, {words, static_cast<std::size_t>(count)}, from, 1.0, 3);
}

void draw_inside(Canvas& canvas) {
    const Pose from{{0, 0}, 0};
    CurveWord words[kRelaxedWords];
    const int count = words_to_point(from, {0.2, 0.9}, 1.0, words);
    draw_words(canvas, {words, static_cast<std::size_t>(count)}, from, 1.0, 3);
}

constexpr Figure kCurveFigures[] = {
    {"curve_dubins", "Dubins: every word from one pose to another",
     "The ways of a unit that turns no tighter than its radius and cannot reverse, the shortest first. Where "
     "walls block the shortest, another word may be free.",
     "K1 K4 C10", draw_dubins},
    {"curve_reeds_shepp", "Reeds-Shepp: every word for a shift to the side",
     "The same with reverse gear, dashed: what parking beside the road takes.", "K1 D13 C10",
     draw_reeds_shepp},
    {"curve_inside", "A place inside the turning circle",
     "The heading at the end is free. The place is not out of reach: two arcs, away from it first, are "
     "shortest; the way by the other circle is longer.",
     "K2 K3 E6", draw_inside},
};

}  // namespace

std::span<const Figure> curve_figures() { return kCurveFigures; }

}  // namespace fairlead::gallery
