#include "drive/free_curve.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>

#include "drive/curve_check.h"

namespace fairlead::drive {

namespace {

Gear gear_of(const CurveSegment& segment) { return segment.amount < 0.0 ? Gear::reverse : Gear::forward; }

}  // namespace

double turning_of(const CurveWord& word) {
    double sum = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.steer != Steer::straight) sum += std::abs(segment.amount);
    }
    return sum;
}

CurveWord driven_back(const CurveWord& word) {
    CurveWord back = word;
    for (std::int32_t i = 0; i < word.count; ++i) {
        const CurveSegment& segment = word.segments[word.count - 1 - i];
        back.segments[i] = {-segment.amount, segment.steer};
    }
    return back;
}

bool CurveWorld::accept(const CurveWord& word, const Pose& from, Gear gear, double limit,
                        FreeCurve& out) const {
    double cost = word.cost * radius;
    Gear first = gear;
    Gear last = gear;
    bool moved = false;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        last = gear_of(segment);
        if (!moved) first = last;
        moved = true;
    }
    if (first != gear) cost += cusp_penalty;
    if (cost >= limit || turning_of(word) > kTwoPi || !curve_is_free(free, body, from, radius, word))
        return false;
    out = {word, cost, first, last};
    return true;
}

bool CurveWorld::find_forward(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                              FreeCurve& out) const {
    const CurveWord shortest = shortest_dubins(from, to, radius);
    if (shortest.cost * radius >= limit) return false;
    if (accept(shortest, from, gear, limit, out)) return true;
    if (tries == 1) return false;
    CurveWord words[kDubinsWords];
    const int count = std::min(dubins_words(from, to, radius, words), tries);
    for (int i = 1; i < count; ++i) {
        if (accept(words[i], from, gear, limit, out)) return true;
    }
    return false;
}

bool CurveWorld::find_either(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                             FreeCurve& out) const {
    const ReedsSheppCost costs{.reverse_factor = reverse_penalty, .cusp_cost = cusp_penalty / radius};
    const CurveWord cheapest = shortest_reeds_shepp(from, to, radius, costs);
    if (cheapest.cost * radius >= limit) return false;
    if (accept(cheapest, from, gear, limit, out)) return true;
    if (tries == 1) return false;
    CurveWord words[kReedsSheppWords];
    const int count = std::min(reeds_shepp_words(from, to, radius, costs, words), tries);
    // A change of gear before the first segment counts too, so a later word may be cheaper than the first free one.
    bool found = false;
    for (int i = 1; i < count && words[i].cost * radius < limit; ++i) {
        if (!accept(words[i], from, gear, limit, out)) continue;
        found = true;
        limit = out.cost;
    }
    return found;
}

}  // namespace fairlead::drive
