#include <fairlead/curve/reeds_shepp.h>

#include <fairlead/curve/dubins.h>

#include "curve/frame.h"
#include "curve/reeds_shepp_lanes.h"

namespace fairlead {

namespace {

using namespace curve;

// A word by its formula's amounts, in the form of its lane and gears.
class Builder {
  public:
    FAIRLEAD_INLINE Builder(double slack, int gears, int lane)
        : slack_(slack),
          gear_(gears == 0 ? 1.0 : -1.0),
          left_(lane == 0 ? Steer::left : Steer::right),
          right_(lane == 0 ? Steer::right : Steer::left) {}

    [[nodiscard]] CurveWord word(Formula formula, double t, double u, double v) {
        switch (formula) {
            case Formula::lsl: left(t).line(u).left(v); break;
            case Formula::lsr: left(t).line(u).right(v); break;
            case Formula::lrl: left(t).right(u).left(v); break;
            case Formula::lrlr_out: left(t).right(u).left(-u).right(v); break;
            case Formula::lrlr_back: left(t).right(u).left(u).right(v); break;
            case Formula::lrsl: left(t).right(-kHalfPi).line(u).left(v); break;
            case Formula::lsrl: left(v).line(u).right(-kHalfPi).left(t); break;
            case Formula::lrsr: left(t).right(-kHalfPi).line(u).right(v); break;
            case Formula::rsrl: right(v).line(u).right(-kHalfPi).left(t); break;
            case Formula::lrslr: left(t).right(-kHalfPi).line(u).left(-kHalfPi).right(v); break;
            case Formula::count_: break;
        }
        word_.cost = word_.length;
        return word_;
    }

  private:
    Builder& left(double amount) { return add(amount, left_); }
    Builder& right(double amount) { return add(amount, right_); }
    Builder& line(double amount) { return add(amount, Steer::straight); }
    Builder& add(double amount, Steer steer) {
        if (amount > -slack_ && amount < slack_) amount = 0.0;
        word_.segments[word_.count++] = {amount == 0.0 ? 0.0 : gear_ * amount, steer};
        word_.length += amount < 0.0 ? -amount : amount;
        return *this;
    }

    CurveWord word_;
    double slack_;
    double gear_;
    Steer left_;
    Steer right_;
};

// The shortest of each lane, and which it is.
struct Shortest {
    two::V length = two::fill(kNoWord);
    two::V number = two::fill(0.0);
    two::V amounts[2 * kFormulas][3];

    FAIRLEAD_INLINE void operator()(Formula formula, int gears, const Slot& slot) {
        const int at = 2 * static_cast<int>(formula) + gears;
        amounts[at][0] = slot.t;
        amounts[at][1] = slot.u;
        amounts[at][2] = slot.v;
        const two::M shorter = slot.length < length;
        length = two::select(shorter, slot.length, length);
        number = two::select(shorter, two::fill(static_cast<double>(at)), number);
    }
};

FAIRLEAD_INLINE CurveWord path(const Pose& from, const Pose& to, double radius) {
    const Circles circles(Goal(from, to, radius));
    Shortest best;
    Formulas<Shortest>(circles, best).all();
    const int lane = best.length[1] < best.length[0] ? 1 : 0;
    const int at = static_cast<int>(best.number[lane]);
    const two::V* amounts = best.amounts[at];
    return Builder(circles.slack, at % 2, lane)
        .word(static_cast<Formula>(at / 2), amounts[0][lane], amounts[1][lane], amounts[2][lane]);
}

struct ShortestLength {
    two::V length = two::fill(kNoWord);
    FAIRLEAD_INLINE void operator()(Formula, int, const Slot& slot) {
        length = two::select(slot.length < length, slot.length, length);
    }
};

FAIRLEAD_INLINE double distance(const Pose& from, const Pose& to, double radius) {
    const Circles circles(Goal(from, to, radius));
    ShortestLength best;
    Formulas<ShortestLength>(circles, best).all();
    return (best.length[1] < best.length[0] ? best.length[1] : best.length[0]) * radius;
}

#if defined(FAIRLEAD_AVX2)
FAIRLEAD_AVX2_BEGIN
double distance_avx2(const Pose& from, const Pose& to, double radius) { return distance(from, to, radius); }
CurveWord path_avx2(const Pose& from, const Pose& to, double radius) { return path(from, to, radius); }
FAIRLEAD_AVX2_END
#endif

double price(const CurveWord& word, const ReedsSheppCost& cost) {
    double sum = cost.cusp_cost == 0.0 ? 0.0 : cost.cusp_cost * static_cast<double>(cusps(word));
    for (const CurveSegment& segment : word.used()) {
        sum += segment.amount < 0.0 ? -segment.amount * cost.reverse_factor : segment.amount;
    }
    return sum;
}

bool is_plain(const ReedsSheppCost& cost) { return cost.reverse_factor == 1.0 && cost.cusp_cost == 0.0; }

// Dubins' words, or in reverse all the way: those to the goal mirrored ahead and behind.
int one_gear_words(const Goal& goal, bool reverse, std::span<CurveWord, kDubinsWords> words) {
    const double side = reverse ? -1.0 : 1.0;
    const int count = dubins_words({}, {{side * goal.x, goal.y}, side * goal.phi}, 1.0, words);
    for (std::size_t i = 0; reverse && i < static_cast<std::size_t>(count); ++i) {
        for (CurveSegment& segment : words[i].segments) segment.amount = 0.0 - segment.amount;
    }
    return count;
}

bool is_among_the_48(const CurveWord& dubins) {
    const auto half_turn_at_most = [](const CurveSegment& s) { return s.amount <= kPi && s.amount >= -kPi; };
    return dubins.segments[1].steer == Steer::straight && half_turn_at_most(dubins.segments[0]) &&
           half_turn_at_most(dubins.segments[2]);
}

template <class Offer>
void visit_all(const Pose& from, const Pose& to, double radius, const ReedsSheppCost& cost, Offer offer) {
    FAIRLEAD_ASSERT(cost.reverse_factor >= 1.0 && cost.cusp_cost >= 0.0);
    const Goal goal(from, to, radius);
    const Circles circles(goal);
    const auto each = [&](Formula formula, int gears, const Slot& slot) {
        for (const int lane : {0, 1}) {
            if (slot.length[lane] >= kNoWord) continue;
            CurveWord word =
                Builder(circles.slack, gears, lane).word(formula, slot.t[lane], slot.u[lane], slot.v[lane]);
            word.cost = price(word, cost);
            offer(word);
        }
    };
    Formulas<decltype(each)>(circles, each).all();
    if (is_plain(cost)) return;
    for (const bool reverse : {false, true}) {
        CurveWord words[kDubinsWords];
        const int count = one_gear_words(goal, reverse, words);
        for (int i = 0; i < count; ++i) {
            if (is_among_the_48(words[i])) continue;
            words[i].cost = price(words[i], cost);
            offer(words[i]);
        }
    }
}

}  // namespace

CurveWord shortest_reeds_shepp(const Pose& from, const Pose& to, double radius, const ReedsSheppCost& cost) {
    if (is_plain(cost)) {
#if defined(FAIRLEAD_AVX2)
        if (detail::has_avx2()) return path_avx2(from, to, radius);
#endif
        return path(from, to, radius);
    }
    CurveWord best;
    best.cost = kNoWord;
    visit_all(from, to, radius, cost, [&](const CurveWord& word) {
        if (word.cost < best.cost) best = word;
    });
    return best;
}

double reeds_shepp_distance(const Pose& from, const Pose& to, double radius) {
#if defined(FAIRLEAD_AVX2)
    if (detail::has_avx2()) return distance_avx2(from, to, radius);
#endif
    return distance(from, to, radius);
}

int reeds_shepp_words(const Pose& from, const Pose& to, double radius, const ReedsSheppCost& cost,
                      std::span<CurveWord, kReedsSheppWords> words) {
    int count = 0;
    visit_all(from, to, radius, cost, [&](const CurveWord& word) { insert_by_cost(word, words, count); });
    return count;
}

}  // namespace fairlead
