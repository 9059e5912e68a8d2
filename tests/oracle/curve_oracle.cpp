#include "oracle/curve_oracle.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fairlead::oracle {

namespace {

using Real = long double;

constexpr Real kTurn = 6.283185307179586476925286766559L;

struct State {
    Real x = 0, y = 0, heading = 0;
};

/// A part of the middle: +1 left, 0 straight, -1 right; it is fixed + factor * unknown long, negative in reverse.
struct Part {
    int steer;
    Real fixed;
    Real factor;
};

struct Word {
    int first;
    std::vector<Part> middle;
    int last;
    Real low, high;  // of the unknown
};

State drive(State s, int steer, Real amount) {
    if (steer == 0)
        return {s.x + amount * std::cos(s.heading), s.y + amount * std::sin(s.heading), s.heading};
    const Real turned = s.heading + static_cast<Real>(steer) * amount;
    const auto k = static_cast<Real>(steer);
    return {s.x + k * (std::sin(turned) - std::sin(s.heading)),
            s.y - k * (std::cos(turned) - std::cos(s.heading)), turned};
}

State centre(const State& s, int steer) {
    const auto k = static_cast<Real>(steer);
    return {s.x - k * std::sin(s.heading), s.y + k * std::cos(s.heading), s.heading};
}

State after_middle(const Word& word, Real unknown) {
    State s;
    for (const Part& part : word.middle) s = drive(s, part.steer, part.fixed + part.factor * unknown);
    return s;
}

Real length_of_middle(const Word& word, Real unknown) {
    Real sum = 0;
    for (const Part& part : word.middle) sum += std::fabs(part.fixed + part.factor * unknown);
    return sum;
}

/// How far apart the outer centres are, less what the problem says.
Real mismatch(const Word& word, Real unknown, const State& goal) {
    const State a = centre({}, word.first);
    const State b = centre(after_middle(word, unknown), word.last);
    const State c = centre(goal, word.last);
    return std::hypot(b.x - a.x, b.y - a.y) - std::hypot(c.x - a.x, c.y - a.y);
}

Real in_turn(Real angle) { return angle - kTurn * std::floor(angle / kTurn); }

/// The amount of an outer arc that turns by `angle` to the left.
Real outer(int steer, Real angle, bool reverse_too) {
    const Real amount = in_turn(static_cast<Real>(steer) * angle);
    const Real back = kTurn - amount;
    if (reverse_too) return std::min(amount, back);
    return back < 1e-12L ? 0 : amount;
}

Real length_with(const Word& word, Real unknown, const State& goal, bool reverse_too) {
    const State a = centre({}, word.first);
    const State end = after_middle(word, unknown);
    const State b = centre(end, word.last);
    const State c = centre(goal, word.last);
    const Real turned = std::atan2(c.y - a.y, c.x - a.x) - std::atan2(b.y - a.y, b.x - a.x);
    return outer(word.first, turned, reverse_too) + length_of_middle(word, unknown) +
           outer(word.last, goal.heading - end.heading - turned, reverse_too);
}

Real root_between(const Word& word, const State& goal, Real low, Real high) {
    const bool rising = mismatch(word, low, goal) < 0;
    for (int i = 0; i < 90; ++i) {
        const Real middle = (low + high) / 2;
        ((mismatch(word, middle, goal) < 0) == rising ? low : high) = middle;
    }
    return (low + high) / 2;
}

Real shortest(const Word& word, const State& goal, bool reverse_too) {
    constexpr int kSteps = 700;
    Real best = 1e30L;
    Real last = word.low;
    Real last_value = mismatch(word, last, goal);
    for (int i = 1; i <= kSteps; ++i) {
        const Real at = word.low + (word.high - word.low) * static_cast<Real>(i) / kSteps;
        const Real value = mismatch(word, at, goal);
        if ((value < 0) != (last_value < 0)) {
            best = std::min(best, length_with(word, root_between(word, goal, last, at), goal, reverse_too));
        }
        last = at;
        last_value = value;
    }
    return best;
}

State seen_from(const Pose& from, const Pose& to) {
    const Real dx = static_cast<Real>(to.position.x) - from.position.x;
    const Real dy = static_cast<Real>(to.position.y) - from.position.y;
    const Real h = from.heading_rad;
    return {dx * std::cos(h) + dy * std::sin(h), dy * std::cos(h) - dx * std::sin(h),
            static_cast<Real>(to.heading_rad) - h};
}

Real shortest_of(const std::vector<Word>& words, const State& goal, bool reverse_too) {
    Real best = 1e30L;
    for (const Word& word : words) best = std::min(best, shortest(word, goal, reverse_too));
    return best;
}

}  // namespace

double dubins_length(const Pose& from, const Pose& to) {
    const State goal = seen_from(from, to);
    const Real far = std::hypot(goal.x, goal.y) + 5;
    std::vector<Word> words;
    for (const int side : {1, -1}) {
        words.push_back({side, {{0, 0, 1}}, side, 0, far});
        words.push_back({side, {{0, 0, 1}}, -side, 0, far});
        words.push_back({side, {{-side, 0, 1}}, side, 0, kTurn});
    }
    return static_cast<double>(shortest_of(words, goal, false));
}

double reeds_shepp_length(const Pose& from, const Pose& to) {
    const State goal = seen_from(from, to);
    const Real far = std::hypot(goal.x, goal.y) + 9;
    const Real quarter = kTurn / 4;
    std::vector<Word> words;
    for (const int side : {1, -1}) {
        const int other = -side;
        for (const int last : {side, other}) words.push_back({side, {{0, 0, 1}}, last, -far, far});
        words.push_back({side, {{other, 0, 1}}, side, -kTurn / 2, kTurn / 2});
        for (const Real gear : {1.0L, -1.0L}) {
            words.push_back({side, {{other, 0, 1}, {side, 0, gear}}, other, -kTurn / 4, kTurn / 4});
            const Part turn{other, gear * quarter, 0};
            for (const int last : {side, other}) {
                words.push_back({side, {turn, {0, 0, 1}}, last, -far, far});
                words.push_back({last, {{0, 0, 1}, turn}, side, -far, far});
            }
            words.push_back({side, {turn, {0, 0, 1}, {side, gear * quarter, 0}}, other, -far, far});
        }
    }
    return static_cast<double>(shortest_of(words, goal, true));
}

}  // namespace fairlead::oracle
