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
        if (square > 16.0 || square < kNoArc * kNoArc) return false;
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

    // The arcs of LSR differ by the difference of the headings, so together they are no less than that.
    const double least = left < right ? left : right;
    for (const Word word : {kLsr, kRsl}) {
        const int first = static_cast<int>(kSteer[word][0]);
        const Vec2 v = between_centres(e, first, -first);
        const double square = dot(v, v);
        if (square < 4.0) continue;
        const double p = std::sqrt(square - 4.0);
        if (p + least >= best.length) continue;
        best.offer(word, opposite_sense(e, first, v, p));
    }
    for (const Word word : {kRlr, kLrl}) {
        const Vec2 v = word == kRlr ? rr : ll;
        const double square = word == kRlr ? rr_square : ll_square;
        if (square > 16.0 || square < kNoArc * kNoArc || best.length <= kPi) continue;
        best.offer(word, three_arcs(e, static_cast<int>(kSteer[word][0]), v, square));
    }
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
