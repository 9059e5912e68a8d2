#include <fairlead/curve/dubins.h>

#include "curve/frame.h"

namespace fairlead {

namespace curve::two {
#include "curve/dubins_inc.h"
}  // namespace curve::two

namespace {

using namespace curve;
using namespace curve::two;

constexpr double kNone = 1e300;

enum Word : int { kLsl, kRsr, kLsr, kRsl, kRlr, kLrl };

constexpr Steer kSteer[kDubinsWords][3] = {
    {Steer::left, Steer::straight, Steer::left},  {Steer::right, Steer::straight, Steer::right},
    {Steer::left, Steer::straight, Steer::right}, {Steer::right, Steer::straight, Steer::left},
    {Steer::right, Steer::left, Steer::right},    {Steer::left, Steer::right, Steer::left},
};

// Lane 0 is the problem itself, lane 1 its mirror image.
FAIRLEAD_INLINE Left both_sides(const Goal& g) {
    return {fill(g.x), pair(g.y, -g.y), in_full_turn(pair(g.phi, -g.phi)), fill(g.cos), pair(g.sin, -g.sin)};
}

struct Shortest {
    double length;
    Word word;

    FAIRLEAD_INLINE void offer(double other, Word other_word) {
        word = other < length ? other_word : word;
        length = other < length ? other : length;
    }
};

// The arcs of all words by number, so that the best is looked up without a branch.
struct Amounts {
    double t[kDubinsWords], p[kDubinsWords], q[kDubinsWords];

    FAIRLEAD_INLINE void set(const Arcs& arcs, Word first, Word second) {
        t[first] = arcs.t[0], p[first] = arcs.p[0], q[first] = arcs.q[0];
        t[second] = arcs.t[1], p[second] = arcs.p[1], q[second] = arcs.q[1];
    }
    [[nodiscard]] FAIRLEAD_INLINE CurveWord word(Word w) const {
        const double least = kNear / (1.0 + p[w]) + kAngleRounding;
        const double first = t[w] < least ? 0.0 : t[w];
        const double last = q[w] < least ? 0.0 : q[w];
        CurveWord out;
        out.segments[0] = {first, kSteer[w][0]};
        out.segments[1] = {p[w], kSteer[w][1]};
        out.segments[2] = {last, kSteer[w][2]};
        out.count = 3;
        out.length = first + p[w] + last;
        out.cost = out.length;
        return out;
    }
};

// Words that cannot win are not worked out: a line alone longer than the best so far, three arcs if a line is shorter
// than half a turn. Left out or not, the result is the same to the last bit, which is what the batch relies on.
FAIRLEAD_INLINE Shortest solve(const Goal& goal, Amounts* amounts) {
    const Left p = both_sides(goal);
    const Middle lsl = line_of_lsl(p);
    const V same = lsl.size + outer_arcs(lsl);
    if (amounts != nullptr) amounts->set(split(lsl, lsl.size), kLsl, kRsr);
    Shortest best{same[0], kLsl};
    best.offer(same[1], kRsr);
    const Opposite opposite = line_of_lsr(p);
    const M worth = opposite.exists() & (opposite.line < best.length);
    if (any(worth)) {
        const Arcs arcs = arcs_of_lsr(p, opposite);
        if (amounts != nullptr) amounts->set(arcs, kLsr, kRsl);
        const V sum = select(worth, arcs.sum(), fill(kNone));
        best.offer(sum[0], kLsr);
        best.offer(sum[1], kRsl);
    }
    const M near = has_three_arcs(lsl);
    if (any(near) && best.length > 3.14) {
        const Three lrl = middle_of_lrl(p, lsl);
        if (amounts != nullptr) amounts->set(split(lrl.m, lrl.arc), kLrl, kRlr);
        const V sum = select(near, lrl.arc + outer_arcs(lrl.m), fill(kNone));
        best.offer(sum[1], kRlr);
        best.offer(sum[0], kLrl);
    }
    return best;
}

FAIRLEAD_INLINE double distance(const Pose& from, const Pose& to, double radius) {
    return solve(Goal(from, to, radius), nullptr).length * radius;
}

FAIRLEAD_INLINE CurveWord path(const Pose& from, const Pose& to, double radius) {
    Amounts amounts;
    return amounts.word(solve(Goal(from, to, radius), &amounts).word);
}

#if defined(FAIRLEAD_AVX2)
FAIRLEAD_AVX2_BEGIN
double distance_avx2(const Pose& from, const Pose& to, double radius) { return distance(from, to, radius); }
CurveWord path_avx2(const Pose& from, const Pose& to, double radius) { return path(from, to, radius); }
FAIRLEAD_AVX2_END
#endif

}  // namespace

CurveWord shortest_dubins(const Pose& from, const Pose& to, double radius) {
#if defined(FAIRLEAD_AVX2)
    if (detail::has_avx2()) return path_avx2(from, to, radius);
#endif
    return path(from, to, radius);
}

double dubins_distance(const Pose& from, const Pose& to, double radius) {
#if defined(FAIRLEAD_AVX2)
    if (detail::has_avx2()) return distance_avx2(from, to, radius);
#endif
    return distance(from, to, radius);
}

int dubins_words(const Pose& from, const Pose& to, double radius, std::span<CurveWord, kDubinsWords> words) {
    const Left p = both_sides(Goal(from, to, radius));
    const Middle lsl = line_of_lsl(p);
    const Opposite opposite = line_of_lsr(p);
    const Three lrl = middle_of_lrl(p, lsl);
    Amounts amounts;
    amounts.set(split(lsl, lsl.size), kLsl, kRsr);
    amounts.set(arcs_of_lsr(p, opposite), kLsr, kRsl);
    amounts.set(split(lrl.m, lrl.arc), kLrl, kRlr);
    const M line = opposite.exists();
    const M arcs = has_three_arcs(lsl);
    int count = 0;
    insert_by_cost(amounts.word(kLsl), words, count);
    insert_by_cost(amounts.word(kRsr), words, count);
    if (line[0]) insert_by_cost(amounts.word(kLsr), words, count);
    if (line[1]) insert_by_cost(amounts.word(kRsl), words, count);
    if (arcs[1]) insert_by_cost(amounts.word(kRlr), words, count);
    if (arcs[0]) insert_by_cost(amounts.word(kLrl), words, count);
    return count;
}

}  // namespace fairlead
