#include <fairlead/curve/dubins.h>

#include <cmath>

#include "curve/frame.h"

namespace fairlead {

namespace {

using namespace curve;

enum Word : int { kLsl, kRsr, kLsr, kRsl, kRlr, kLrl };

constexpr Steer kSteer[kDubinsWords][3] = {
    {Steer::left, Steer::straight, Steer::left},   {Steer::right, Steer::straight, Steer::right},
    {Steer::left, Steer::straight, Steer::right},  {Steer::right, Steer::straight, Steer::left},
    {Steer::right, Steer::left, Steer::right},     {Steer::left, Steer::right, Steer::left},
};

struct Lengths {
    double t = 0.0;
    double p = 0.0;
    double q = 0.0;
    [[nodiscard]] double sum() const { return t + p + q; }
};

// From the centre of the first circle to that of the last. The centre of a left circle lies to the left of the pose, at
// the heading's unit vector turned by a quarter: w -> i w.
Vec2 between_centres(const Ends& e, int first, int last) {
    const Vec2 a{-e.start_way.y, e.start_way.x};
    const Vec2 b{-e.goal_way.y, e.goal_way.x};
    return e.to + b * static_cast<double>(last) - a * static_cast<double>(first);
}

Vec2 times(Vec2 a, Vec2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
double angle(Vec2 v) { return math::atan2(v.y, v.x); }

// Same sense: the line is parallel to the line of centres and as long.
Lengths same_sense(const Ends& e, int side, Vec2 v, double p) {
    const double s = static_cast<double>(side);
    const double line = p < kNoArc ? e.start : angle(v);
    return {turn(s * (line - e.start)), p, turn(s * (e.goal - line))};
}

// Opposite sense: v = u (p -+ 2 i) with u the direction of the line, so u = v (p +- 2 i) / (p^2 + 4).
Lengths opposite_sense(const Ends& e, int first, Vec2 v, double p) {
    const double s = static_cast<double>(first);
    const double line = angle(times(v, {p, 2.0 * s}));
    return {turn(s * (line - e.start)), p, turn(s * (line - e.goal))};
}

// Three arcs: the middle circle touches both others; of the two places for it the one that makes its arc longer than
// half a turn. a = v / |v| (|v|/4 +- i sqrt(1 - |v|^2/16)) points from the first centre to the middle one.
Lengths three_arcs(const Ends& e, int first, Vec2 v, double square) {
    const double s = static_cast<double>(first);
    const double quarter = std::sqrt(square) * 0.25;
    const double rest = std::sqrt(1.0 - square * 0.0625 > 0.0 ? 1.0 - square * 0.0625 : 0.0);
    const Vec2 way = times(times(v, {quarter, s * rest}), {0.0, s});  // where the unit heads as it leaves the first circle
    const double middle = kTwoPi - 2.0 * math::asin(quarter);
    const double leave = angle(way);
    return {turn(s * (leave - e.start)), middle, turn(s * (e.goal - (leave - s * middle)))};
}

CurveWord make_word(Word word, const Lengths& lengths) {
    CurveWord out;
    const double amounts[3] = {lengths.t, lengths.p, lengths.q};
    for (int i = 0; i < 3; ++i) out.segments[i] = {amounts[i], kSteer[word][i]};
    out.count = 3;
    out.length = lengths.sum();
    out.cost = out.length;
    return out;
}

bool solve(const Ends& e, Word word, Lengths& out) {
    const int first = static_cast<int>(kSteer[word][0]);
    const int last = static_cast<int>(kSteer[word][2]);
    const Vec2 v = between_centres(e, first, last);
    const double square = dot(v, v);
    if (word <= kRsr) {
        out = same_sense(e, first, v, std::sqrt(square));
    } else if (word <= kRsl) {
        if (square < 4.0) return false;
        out = opposite_sense(e, first, v, std::sqrt(square - 4.0));
    } else {
        if (square >= 16.0 || square < kNoArc * kNoArc) return false;
        out = three_arcs(e, first, v, square);
    }
    return true;
}

// Does the direction v lie on the way from a to b, turning to the left by m (the angle between them)?
bool between(Vec2 a, Vec2 v, Vec2 b, double m) {
    if (m <= kPi) return cross(a, v) >= 0.0 && cross(v, b) >= 0.0 && (m > 0.0 || dot(a, v) >= 0.0);
    return !(cross(b, v) > 0.0 && cross(v, a) > 0.0);
}

// The arcs of LSL add up to m, or to m and a full turn; of RSR to -m. So their lengths need no angle.
double same_sense_length(const Ends& e, int side, Vec2 v, double p, double m) {
    const bool direct = side > 0 ? between(e.start_way, v, e.goal_way, m) : between(e.goal_way, v, e.start_way, m);
    return p + (direct || p < kNoArc ? m : m + kTwoPi);
}

// What turning from one unit vector to another costs at least, to the left (side 1) or to the right: 1 - cos x <= x.
double turn_at_least(Vec2 from, Vec2 to, double side) {
    const double c = dot(from, to);
    // Just short of a full turn counts as none (frame.h).
    return side * cross(from, to) >= -2.0 * kNoArc ? 1.0 - c : kPi + 1.0 + c;
}

struct Best {
    Word word = kLsl;
    double length = 0.0;
    Lengths lengths{};
    bool solved = false;

    void offer(Word w, const Lengths& l) {
        const double sum = l.sum();
        if (sum >= length) return;
        *this = {w, sum, l, true};
    }
};

void try_opposite_sense(const Ends& e, Word word, Best& best) {
    const int first = static_cast<int>(kSteer[word][0]);
    const double s = static_cast<double>(first);
    const Vec2 v = between_centres(e, first, -first);
    const double square = dot(v, v);
    if (square < 4.0) return;
    const double p = std::sqrt(square - 4.0);
    if (p >= best.length) return;
    const Vec2 line = times(v, {p, 2.0 * s});  // its length is square
    const Vec2 way = line * (1.0 / square);
    if (p + turn_at_least(e.start_way, way, s) + turn_at_least(way, e.goal_way, -s) >= best.length) return;
    const double heading = angle(line);
    best.offer(word, {turn(s * (heading - e.start)), p, turn(s * (heading - e.goal))});
}

void try_three_arcs(const Ends& e, Word word, Vec2 v, double square, Best& best) {
    if (square >= 16.0 || square < kNoArc * kNoArc) return;
    // asin x <= x pi / 2
    const double size = std::sqrt(square);
    if (kTwoPi - 0.25 * kPi * size >= best.length) return;
    best.offer(word, three_arcs(e, static_cast<int>(kSteer[word][0]), v, square));
}

// The words whose length or a bound of it follows without an angle come first; angles are worked out only for what may
// still be the shortest.
Best find_best(const Ends& e) {
    const double left = turn(e.goal - e.start);
    const double right = left == 0.0 ? 0.0 : kTwoPi - left;
    const Vec2 ll = between_centres(e, 1, 1);
    const Vec2 rr = between_centres(e, -1, -1);
    const double ll_square = dot(ll, ll);
    const double rr_square = dot(rr, rr);
    const double lsl = same_sense_length(e, 1, ll, std::sqrt(ll_square), left);
    const double rsr = same_sense_length(e, -1, rr, std::sqrt(rr_square), right);
    Best best;
    best.word = lsl <= rsr ? kLsl : kRsr;
    best.length = lsl <= rsr ? lsl : rsr;
    try_opposite_sense(e, kLsr, best);
    try_opposite_sense(e, kRsl, best);
    try_three_arcs(e, kRlr, rr, rr_square, best);
    try_three_arcs(e, kLrl, ll, ll_square, best);
    return best;
}

CurveWord shortest_of_all(const Ends& e) {
    Best best;
    best.length = 1e300;
    for (int w = 0; w < kDubinsWords; ++w) {
        Lengths lengths;
        if (solve(e, static_cast<Word>(w), lengths)) best.offer(static_cast<Word>(w), lengths);
    }
    return make_word(best.word, best.lengths);
}

}  // namespace

CurveWord shortest_dubins(const Pose& from, const Pose& to, double radius) {
    const Ends e(from, to, radius);
    Best best = find_best(e);
    if (!best.solved) {
        if (!solve(e, best.word, best.lengths)) return shortest_of_all(e);
        // At the edge between no arc and a full turn the two ways to decide may differ: then all words are worked out.
        const double off = best.lengths.sum() - best.length;
        if (off > 1e-9 || off < -1e-9) return shortest_of_all(e);
    }
    return make_word(best.word, best.lengths);
}

double dubins_distance(const Pose& from, const Pose& to, double radius) {
    return shortest_dubins(from, to, radius).length * radius;
}

int dubins_words(const Pose& from, const Pose& to, double radius, std::span<CurveWord, kDubinsWords> words) {
    const Ends e(from, to, radius);
    int count = 0;
    for (int w = 0; w < kDubinsWords; ++w) {
        Lengths lengths;
        if (!solve(e, static_cast<Word>(w), lengths)) continue;
        const CurveWord word = make_word(static_cast<Word>(w), lengths);
        int at = count++;
        for (; at > 0 && words[static_cast<std::size_t>(at) - 1].length > word.length; --at) {
            words[static_cast<std::size_t>(at)] = words[static_cast<std::size_t>(at) - 1];
        }
        words[static_cast<std::size_t>(at)] = word;
    }
    return count;
}

}  // namespace fairlead
