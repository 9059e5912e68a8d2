#include <fairlead/curve/relaxed.h>

#include <cmath>

#include "curve/frame.h"

namespace fairlead {

namespace {

using namespace curve;

// The place as seen from the start, mirrored for a first arc to the right so that it is to the left here: x ahead, y to
// the left, in radii.
struct View {
    Vec2 at{};

    View(const Goal& g, int side) : at{g.x, static_cast<double>(side) * g.y} {}
};

CurveWord make_two(Steer a, double t, Steer b, double p) {
    CurveWord word;
    word.segments[0] = {t, a};
    word.segments[1] = {p, b};
    word.count = 2;
    word.length = t + p;
    word.cost = word.length;
    return word;
}

// In [0, 2 pi), a full turn but for rounding being none.
double turn(double angle) {
    const double full = math::wrap_pi(angle);
    const double t = full < 0.0 ? full + kTwoPi : full;
    return t > kTwoPi - kNear ? 0.0 : t;
}

Steer steer(int side) { return side > 0 ? Steer::left : Steer::right; }
double angle(Vec2 v) { return math::atan2(v.y, v.x); }
Vec2 times(Vec2 a, Vec2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

// An arc round the circle at (0, 1), then the tangent: v = u (p - i), u the direction of the line.
bool arc_and_line(const View& view, int side, CurveWord& out) {
    const Vec2 v = view.at - Vec2{0.0, 1.0};
    const double square = dot(v, v);
    if (square < 1.0) return false;
    const double p = std::sqrt(square - 1.0);
    out = make_two(steer(side), turn(angle(times(v, {p, 1.0}))), Steer::straight, p);
    return true;
}

// An arc round (0, 1), then one the other way about m, which is at 2 from there and at 1 from the place.
bool two_arcs(const View& view, int side, double which, CurveWord& out) {
    const Vec2 v = view.at - Vec2{0.0, 1.0};
    const double square = dot(v, v);
    if (square > 9.0 || square < 1.0) return false;
    // By the law of cosines: the angle at the first centre between v and the way to m.
    const double size = std::sqrt(square);
    const double cosine = (square + 3.0) / (4.0 * size);
    const double sine = std::sqrt(1.0 - cosine * cosine > 0.0 ? 1.0 - cosine * cosine : 0.0);
    const Vec2 way = times(v * (1.0 / size), {cosine, which * sine});  // unit, from the first centre to m
    const Vec2 m = Vec2{0.0, 1.0} + way * 2.0;
    // At the point between the circles, way is to the right of the heading.
    const double leave = angle({-way.y, way.x});
    const Vec2 end = view.at - m;
    const double arrive = angle({end.y, -end.x});  // round m to the right: end turned by a quarter clockwise
    out = make_two(steer(side), turn(leave), steer(-side), turn(leave - arrive));
    return true;
}

}  // namespace

int words_to_point(const Pose& from, Vec2 to, double radius, std::span<CurveWord, kRelaxedWords> words) {
    const Goal goal(from, {to, 0.0}, radius);
    int count = 0;
    const auto add = [&](const CurveWord& word) {
        auto at = static_cast<std::size_t>(count++);
        for (; at > 0 && words[at - 1].length > word.length; --at) words[at] = words[at - 1];
        words[at] = word;
    };
    for (const int side : {1, -1}) {
        const View view(goal, side);
        CurveWord word;
        if (arc_and_line(view, side, word)) add(word);
        if (two_arcs(view, side, 1.0, word)) add(word);
        if (two_arcs(view, side, -1.0, word)) add(word);
    }
    return count;
}

// Outside the circle on its side of the unit, a place is reached soonest by turning to it; inside, by turning away first
// (Bui and Boissonnat 1994).
CurveWord shortest_to_point(const Pose& from, Vec2 to, double radius) {
    const Goal goal(from, {to, 0.0}, radius);
    const int side = goal.y >= 0.0 ? 1 : -1;
    CurveWord best;
    if (arc_and_line(View(goal, side), side, best)) return best;
    const View other(goal, -side);
    CurveWord word;
    const bool reached = arc_and_line(other, -side, best);
    FAIRLEAD_ASSERT(reached);  // the circles touch in the start alone
    for (const double which : {1.0, -1.0}) {
        if (two_arcs(other, -side, which, word) && word.length < best.length) best = word;
    }
    return best;
}

double distance_to_point(const Pose& from, Vec2 to, double radius) {
    return shortest_to_point(from, to, radius).length * radius;
}

}  // namespace fairlead
