#include "drive/curves/free_curve.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/math/trig.h>

#include "drive/body/curve_check.h"
#include "drive/map/blocker_sweep.h"

namespace fairlead::drive {

namespace {

constexpr double kHere = 1e-10;    // cells: places so near to each other are one
constexpr double kNoTurn = 1e-12;  // radians

Gear gear_of(const CurveSegment& segment) { return segment.amount < 0.0 ? Gear::reverse : Gear::forward; }

void add_turn(CurveWord& word, double turn) {
    if (turn != 0.0) word.segments[word.count++] = {turn, Steer::spin};
}

}  // namespace

double turned_on_spot(const CurveWord& word) {
    double sum = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.steer == Steer::spin) sum += std::abs(segment.amount);
    }
    return sum;
}

bool only_turns(const CurveWord& word) {
    const auto used = word.used();
    return !used.empty() && std::all_of(used.begin(), used.end(),
                                        [](const CurveSegment& s) { return s.steer == Steer::spin; });
}

double turning_of(const CurveWord& word) {
    double sum = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.steer != Steer::straight) sum += std::abs(segment.amount);
    }
    return sum;
}

FreeCurve with_gears(const CurveWord& word, Gear before) {
    FreeCurve out{.word = word, .first = before, .last = before};
    bool moved = false;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        out.last = gear_of(segment);
        if (!moved) out.first = out.last;
        moved = true;
    }
    return out;
}

CurveWord driven_back(const CurveWord& word) {
    CurveWord back = word;
    for (std::int32_t i = 0; i < word.count; ++i) {
        const CurveSegment& segment = word.segments[word.count - 1 - i];
        back.segments[i] = {-segment.amount, segment.steer};
    }
    return back;
}

double CurveWorld::driven_cost(const CurveWord& word, const SheetPose& from) const {
    return surface.cost != nullptr ? surface.cost(from, radius, word, reverse_penalty, surface.user)
                                   : terrain.cost_of(word, from, radius, reverse_penalty);
}

double CurveWorld::cost_of(const CurveWord& word, const SheetPose& from) const {
    const double extra = cusps(word) * cusp_penalty + turned_on_spot(word) * pivot_penalty;
    return driven_cost(word, from) + extra;
}

bool CurveWorld::passes(const SheetPose& from, const CurveWord& word, std::uint32_t to,
                        std::uint32_t& sheet) const {
    // Walls first: they are asked by bits.
    const bool free_of_walls =
        surface.is_free == nullptr
            ? curve_is_free(free, body, from, radius, word)
            : surface.is_free(from, radius, word, sheet, surface.user) && (to == kAnySheet || sheet == to);
    return free_of_walls && is_clear_of(blockers, body, from, radius, word);
}

bool CurveWorld::accept(const CurveWord& word, const SheetPose& from, const SheetPose& to, Gear gear,
                        double limit, FreeCurve& out) const {
    if (word.cost * radius * terrain.cheapest >= limit || turning_of(word) > kTwoPi) return false;
    FreeCurve curve = with_gears(word, gear);
    const double before = curve.first != gear ? cusp_penalty : 0.0;
    double plain = word.cost * radius;
    if (plain + before >= limit || !passes(from, word, to.sheet, curve.sheet)) return false;
    if (!uniform()) {
        plain = cost_of(word, from);
        if (plain + before >= limit) return false;
    }
    curve.plain = plain;
    curve.cost = plain + before;
    out = curve;
    return true;
}

bool CurveWorld::find_any(const SheetPose& from, Gear gear, std::span<const SheetPose> to, int tries,
                          FreeCurve& out, int& which) const {
    out.cost = 1e300;
    which = -1;
    for (std::size_t i = 0; i < to.size(); ++i) {
        FreeCurve other;
        if (!find(from, gear, to[i], out.cost, tries, other)) continue;
        out = other;
        which = static_cast<int>(i);
    }
    return which >= 0;
}

bool CurveWorld::find_word_forward(const SheetPose& from, const SheetPose& to, Gear gear, double limit,
                                   int tries, FreeCurve& out) const {
    const CurveWord shortest = shortest_dubins(from, to, radius);
    if (shortest.cost * radius * terrain.cheapest >= limit) return false;
    if (accept(shortest, from, to, gear, limit, out)) return true;
    if (tries == 1) return false;
    CurveWord words[kDubinsWords];
    const int count = std::min(dubins_words(from, to, radius, words), tries);
    for (int i = 1; i < count; ++i) {
        if (accept(words[i], from, to, gear, limit, out)) return true;
    }
    return false;
}

bool CurveWorld::find_either(const SheetPose& from, const SheetPose& to, Gear gear, double limit, int tries,
                             FreeCurve& out) const {
    const ReedsSheppCost costs{.reverse_factor = reverse_penalty, .cusp_cost = cusp_penalty / radius};
    const CurveWord cheapest = shortest_reeds_shepp(from, to, radius, costs);
    if (cheapest.cost * radius * terrain.cheapest >= limit) return false;
    if (accept(cheapest, from, to, gear, limit, out)) return true;
    if (tries == 1) return false;
    CurveWord words[kReedsSheppWords];
    const int count = std::min(reeds_shepp_words(from, to, radius, costs, words), tries);
    // A change of gear before the first segment counts too, so a later word may be cheaper than the first free one.
    bool found = false;
    for (int i = 1; i < count && words[i].cost * radius * terrain.cheapest < limit; ++i) {
        if (!accept(words[i], from, to, gear, limit, out)) continue;
        found = true;
        limit = out.cost;
    }
    return found;
}

// The shorter way round if it is free, else the longer one.
bool CurveWorld::free_turn(const SheetPose& at, double& turn) const {
    if (std::abs(turn) < kNoTurn) {
        turn = 0.0;
        return true;
    }
    const auto free_by = [&](double angle) {
        CurveWord word;
        add_turn(word, angle);
        std::uint32_t sheet = 0;
        return passes(at, word, at.sheet, sheet);
    };
    if (free_by(turn)) return true;
    turn += turn < 0.0 ? kTwoPi : -kTwoPi;
    return free_by(turn);
}

bool CurveWorld::accept_turning(const SheetPose& from, Gear gear, const SheetPose& to, Gear way, double limit,
                                FreeCurve& out) const {
    const Vec2 gap = to.position - from.position;
    const double far = std::sqrt(dot(gap, gap));
    const bool here = far <= kHere;
    const double back = way == Gear::reverse ? kPi : 0.0;
    const double along = here ? to.heading_rad : math::atan2(gap.y, gap.x) + back;
    double first = math::wrap_pi(along - from.heading_rad);
    double last = here ? 0.0 : math::wrap_pi(to.heading_rad - along);
    const double before = !here && way != gear ? cusp_penalty : 0.0;
    const double line_least =
        here ? 0.0 : far * terrain.cheapest * (way == Gear::reverse ? reverse_penalty : 1.0);
    const auto turns = [&]() { return (std::abs(first) + std::abs(last)) * pivot_penalty; };
    if (line_least + before + turns() >= limit) return false;

    CurveWord line;
    line.segments[0] = {(way == Gear::reverse ? -far : far) / radius, Steer::straight};
    line.count = 1;
    const SheetPose there(Pose{from.position, along}, from.sheet);
    std::uint32_t sheet = from.sheet;
    if (!here && !passes(there, line, to.sheet, sheet)) return false;
    if (!free_turn(from, first) || !free_turn({Pose{to.position, along}, sheet}, last)) return false;
    const double driven = here ? 0.0 : driven_cost(line, there);
    const double plain = driven + turns();
    if (!(plain + before < limit)) return false;

    CurveWord word;
    add_turn(word, first);
    if (!here) {
        word.segments[word.count++] = line.segments[0];
        word.length = far / radius;
    }
    add_turn(word, last);
    word.cost = plain / radius;
    const Gear driven_in = here ? gear : way;
    out = {word, plain, plain + before, driven_in, driven_in, sheet};
    return true;
}

bool CurveWorld::find_turning(const SheetPose& from, Gear gear, const SheetPose& to, double limit,
                              bool either_gear, FreeCurve& out) const {
    const bool ahead = accept_turning(from, gear, to, Gear::forward, limit, out);
    if (ahead) limit = out.cost;
    return (either_gear && accept_turning(from, gear, to, Gear::reverse, limit, out)) || ahead;
}

}  // namespace fairlead::drive
