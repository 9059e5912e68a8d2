#include <fairlead/curve/dubins.h>

#include "curve/frame.h"
#include "curve/lanes.h"

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

// The same in lanes: lane 0 begins to the left, lane 1 to the right, where it is the mirror image of lane 0.
struct LaneLengths {
    D2 t;
    D2 p;
    D2 q;
    [[nodiscard]] D2 sum() const { return t + p + q; }
    [[nodiscard]] Lengths lane(int i) const { return {t[i], p[i], q[i]}; }
};

FAIRLEAD_INLINE D2 turn(D2 a) {
    a = select(less(a, both(0.0)), a + both(kTwoPi), a);
    a = select(less(a, both(kTwoPi)), a, a - both(kTwoPi));
    return select(either(less(a, both(kNoArc)), less(both(kTwoPi - kNoArc), a)), both(0.0), a);
}

// All six words: three shapes (CSC with both arcs the same way, CSC with opposite ones, CCC), each with its mirror image.
struct Words {
    D2 start;  // headings
    D2 goal;
    D2 same_x, same_y, same_square;           // from the centre of the first circle to that of the last, arcs alike
    D2 opposite_x, opposite_y, opposite_square;  // the same for opposite arcs

    explicit FAIRLEAD_INLINE Words(const Ends& e) {
        const D2 side = pair(1.0, -1.0);
        start = side * both(e.start);
        goal = side * both(e.goal);
        const D2 x = both(e.to.x);
        const D2 y = side * both(e.to.y);
        const D2 sin_a = side * both(e.start_way.y);
        const D2 sin_b = side * both(e.goal_way.y);
        const D2 cos_a = both(e.start_way.x);
        const D2 cos_b = both(e.goal_way.x);
        same_x = x + sin_a - sin_b;
        same_y = y - cos_a + cos_b;
        opposite_x = x + sin_a + sin_b;
        opposite_y = y - cos_a - cos_b;
        same_square = same_x * same_x + same_y * same_y;
        opposite_square = opposite_x * opposite_x + opposite_y * opposite_y;
    }

    // The line is parallel to the line of centres and as long.
    [[nodiscard]] FAIRLEAD_INLINE LaneLengths same_sense() const {
        const D2 p = root(same_square);
        const D2 line = select(less(p, both(kNoArc)), start, angle(same_y, same_x));
        return {turn(line - start), p, turn(goal - line)};
    }

    // v = u (p - 2 i) with u the direction of the line, so u = v (p + 2 i) / |v|^2. Needs |v| >= 2.
    [[nodiscard]] FAIRLEAD_INLINE LaneLengths opposite_sense() const {
        const D2 rest = opposite_square - both(4.0);
        const D2 p = root(select(less(rest, both(0.0)), both(0.0), rest));
        const D2 line = angle(opposite_x * both(2.0) + opposite_y * p, opposite_x * p - opposite_y * both(2.0));
        return {turn(line - start), p, turn(line - goal)};
    }

    // Three arcs: the middle circle touches both others; of the two places for it the one that makes its arc longer than
    // half a turn. a = v / |v| (|v|/4 + i sqrt(1 - |v|^2/16)) points from the first centre to the middle one; the unit
    // heads in the direction i a as it leaves the first circle. Needs |v| <= 4.
    [[nodiscard]] FAIRLEAD_INLINE LaneLengths three_arcs() const {
        const D2 quarter = root(same_square) * both(0.25);
        const D2 rest_square = both(1.0) - same_square * both(0.0625);
        const D2 rest = root(select(less(rest_square, both(0.0)), both(0.0), rest_square));
        const D2 leave = angle(same_x * quarter - same_y * rest, both(0.0) - (same_x * rest + same_y * quarter));
        const D2 middle = both(kTwoPi) - both(2.0) * angle(quarter, rest);
        return {turn(leave - start), middle, turn(goal - leave + middle)};
    }

    [[nodiscard]] bool has_opposite_sense(int lane) const { return opposite_square[lane] >= 4.0; }
    [[nodiscard]] bool has_three_arcs(int lane) const {
        return same_square[lane] < 16.0 && same_square[lane] > kNoArc * kNoArc;
    }
};

CurveWord make_word(Word word, const Lengths& lengths) {
    CurveWord out;
    const double amounts[3] = {lengths.t, lengths.p, lengths.q};
    for (int i = 0; i < 3; ++i) out.segments[i] = {amounts[i], kSteer[word][i]};
    out.count = 3;
    out.length = lengths.sum();
    out.cost = out.length;
    return out;
}

// Calls use(word, lengths) for each that exists, in the order of Word.
template <class Use>
FAIRLEAD_INLINE void visit_words(const Ends& e, Use use) {
    const Words words(e);
    const LaneLengths same = words.same_sense();
    use(kLsl, same.lane(0));
    use(kRsr, same.lane(1));
    const LaneLengths opposite = words.opposite_sense();
    if (words.has_opposite_sense(0)) use(kLsr, opposite.lane(0));
    if (words.has_opposite_sense(1)) use(kRsl, opposite.lane(1));
    if (!words.has_three_arcs(0) && !words.has_three_arcs(1)) return;
    const LaneLengths arcs = words.three_arcs();
    if (words.has_three_arcs(1)) use(kRlr, arcs.lane(1));
    if (words.has_three_arcs(0)) use(kLrl, arcs.lane(0));
}

}  // namespace

CurveWord shortest_dubins(const Pose& from, const Pose& to, double radius) {
    Word best = kLsl;
    Lengths lengths;
    double length = 1e300;
    visit_words(Ends(from, to, radius), [&](Word word, const Lengths& l) {
        const bool shorter = l.sum() < length;
        best = shorter ? word : best;
        lengths = shorter ? l : lengths;
        length = shorter ? l.sum() : length;
    });
    return make_word(best, lengths);
}

double dubins_distance(const Pose& from, const Pose& to, double radius) {
    double length = 1e300;
    visit_words(Ends(from, to, radius), [&](Word, const Lengths& l) { length = l.sum() < length ? l.sum() : length; });
    return length * radius;
}

int dubins_words(const Pose& from, const Pose& to, double radius, std::span<CurveWord, kDubinsWords> words) {
    int count = 0;
    visit_words(Ends(from, to, radius), [&](Word kind, const Lengths& lengths) {
        const CurveWord word = make_word(kind, lengths);
        auto at = static_cast<std::size_t>(count++);
        for (; at > 0 && words[at - 1].length > word.length; --at) words[at] = words[at - 1];
        words[at] = word;
    });
    return count;
}

}  // namespace fairlead
