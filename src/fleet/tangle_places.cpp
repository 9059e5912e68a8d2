// The places of a tangle: one for each to begin from, those around that can be walked to, and where each is to stand at the end.
#include <algorithm>
#include <cmath>

#include "fleet/fleet_data.h"
#include "fleet/tangles.h"
#include "math/segment.h"

namespace fairlead::fleet {

namespace {

constexpr double kPastSteps = 7.0;      // steps of the lattice beyond where it stands, and more with each try
constexpr std::uint32_t kLookCost = 2;  // units of work: up to eight sights
constexpr std::uint32_t kIndexSize = 4 * kPlanPlacesMax;
constexpr double kTouchSlack = 1e-9;

struct Look {
    FleetData& fleet;
    Tangle& tangle;
    CrowdWorld world;
    WalkLattice lattice;

    Look(FleetData& of, Tangle& its)
        : fleet(of),
          tangle(its),
          world(of.port.crowd(of.port.user)),
          lattice(of.port.lattice(of.members[its.units[0].member]->kind, of.port.user)) {}

    /// The widest of them: a place is one for all.
    [[nodiscard]] double radius() const {
        double most = 0.0;
        for (const TangleUnit& unit : tangle.units) most = std::max(most, unit.radius);
        return most;
    }
    [[nodiscard]] Vec2 at(std::int32_t x, std::int32_t y) const {
        return lattice.origin + Vec2{x * lattice.step, y * lattice.step};
    }
    [[nodiscard]] std::int32_t nearest(double v) const {
        return static_cast<std::int32_t>(std::floor(v / lattice.step + 0.5));
    }
    [[nodiscard]] Place place(Vec2 p) const {
        Place place;
        place.position = {p.x, p.y, tangle.height};
        place.layer = tangle.layer;
        return fleet.on_ground(place, tangle.height);
    }
    [[nodiscard]] bool clear(Vec2 from, Vec2 to, double r) const {
        if (world.clear == nullptr) return true;
        const Place begin = place(from), end = place(to);
        return world.clear(begin, end.position, r, world.user);
    }
    /// Nobody else stands on the way from one place to the other.
    [[nodiscard]] bool empty(Vec2 from, Vec2 to) const {
        const double r = radius();
        for (const Member* other : fleet.members) {
            if (!other->used || is_in(fleet, tangle, *other)) continue;
            if (other->at.layer != tangle.layer ||
                std::fabs(other->at.position.z - tangle.height) > fleet.options.crowd.height)
                continue;
            if (!other->driver && other->speed > 0.0) continue;  // it walks on
            const double apart = r + fleet.radius_of(*other);
            const Vec2 off =
                math::nearest_along(from, to - from, ground(other->at.position)) - ground(other->at.position);
            if (dot(off, off) < apart * apart) return false;
        }
        return true;
    }
    [[nodiscard]] std::uint32_t find(std::int32_t x, std::int32_t y) const {
        const std::uint32_t slot = slot_of(x, y);
        return slot == kNoPlanPlace ? kNoPlanPlace : tangle.index[slot];
    }
    [[nodiscard]] std::uint32_t add(std::int32_t x, std::int32_t y) {
        if (tangle.index.empty()) {
            if (!tangle.index.resize_uninitialized(kIndexSize)) return kNoPlanPlace;
            std::fill(tangle.index.begin(), tangle.index.end(), kNoPlanPlace);
        }
        const std::uint32_t number = tangle.plan.add_place(at(x, y));
        if (number == kNoPlanPlace || !tangle.cells.push_back(x) || !tangle.cells.push_back(y))
            return kNoPlanPlace;
        tangle.index[slot_of(x, y)] = number;
        return number;
    }

  private:
    /// Where a cell is, or would be; kNoPlanPlace: there is no table yet.
    [[nodiscard]] std::uint32_t slot_of(std::int32_t x, std::int32_t y) const {
        if (tangle.index.empty()) return kNoPlanPlace;
        std::uint32_t slot =
            (static_cast<std::uint32_t>(x) * 73856093U ^ static_cast<std::uint32_t>(y) * 19349663U) %
            kIndexSize;
        for (;; slot = (slot + 1) % kIndexSize) {
            const std::uint32_t number = tangle.index[slot];
            if (number == kNoPlanPlace) return slot;
            if (tangle.cells[2 * number] == x && tangle.cells[2 * number + 1] == y) return slot;
        }
    }
};

/// Of who can get to its place first, one after the other, while all others stand: false if that cannot be.
bool order_steps(Look& look) {
    Tangle& tangle = look.tangle;
    Vec2 now[kPlanWalkersMax];
    bool there[kPlanWalkersMax] = {};
    const std::size_t count = tangle.units.size();
    for (std::size_t i = 0; i < count; ++i)
        now[i] = ground(look.fleet.members[tangle.units[i].member]->at.position);
    for (std::size_t left = count; left > 0; --left) {
        bool went = false;
        for (std::uint32_t i = 0; i < count && !went; ++i) {
            if (there[i]) continue;
            const Vec2 to = tangle.plan.place(tangle.units[i].start);
            bool free = look.clear(now[i], to, tangle.units[i].radius);
            for (std::size_t k = 0; free && k < count; ++k) {
                if (k == i) continue;
                const double apart =
                    std::min(tangle.units[i].radius + tangle.units[k].radius, distance(now[i], now[k]));
                const Vec2 off = math::nearest_along(now[i], to - now[i], now[k]) - now[k];
                free = dot(off, off) >= apart * apart * (1.0 - kTouchSlack);
            }
            if (!free) continue;
            there[i] = went = true;
            now[i] = to;
            if (!tangle.steps.push_back({i, to})) return false;
        }
        if (!went) return false;
    }
    return true;
}

/// Looks around from the next place: its neighbours that can be walked to. False: all have been looked at, or there are enough.
bool look_around_one(Look& look) {
    Tangle& tangle = look.tangle;
    if (tangle.looked >= tangle.plan.place_count()) return false;
    const std::uint32_t from = tangle.looked++;
    const std::int32_t x = tangle.cells[2 * from], y = tangle.cells[2 * from + 1];
    const std::uint32_t most = std::min(kPlanPlacesMax, 200U + 120U * tangle.tries);
    constexpr std::int32_t kDx[] = {1, 0, -1, 0, 1, -1, -1, 1}, kDy[] = {0, 1, 0, -1, 1, 1, -1, -1};
    for (int k = 0; k < 8; ++k) {
        const std::int32_t to_x = x + kDx[k], to_y = y + kDy[k];
        std::uint32_t to = look.find(to_x, to_y);
        if (to != kNoPlanPlace && to < tangle.looked) continue;  // joined from there
        if (to == kNoPlanPlace && tangle.plan.place_count() >= most) continue;
        const Vec2 a = look.at(x, y), b = look.at(to_x, to_y);
        if (!look.clear(a, b, look.radius()) || !look.empty(a, b)) continue;
        if (to == kNoPlanPlace) to = look.add(to_x, to_y);
        if (to == kNoPlanPlace || !tangle.plan.join(from, to)) continue;
    }
    return true;
}

/// On the stretch of its route that the crowd had: the place so far before its end.
Vec2 on_route(const Member& member, double before_end) {
    const Array<Leg>& legs = member.route().legs;
    for (std::size_t i = std::min(member.next_leg, legs.size()); i > member.leg; --i) {
        const Leg& leg = legs[i - 1];
        const Vec2 a = ground(leg.start.position), b = ground(leg_end(member.route(), i - 1).position);
        const double long_ = distance(a, b);
        if (before_end <= long_ && long_ > 0.0) return b + (a - b) * (before_end / long_);
        before_end -= long_;
    }
    return legs.empty() ? ground(member.at.position) : ground(legs[member.leg].start.position);
}

/// The place past the others where it is to stand at the end: on its route, as far as it was asked for, farther if somebody has that.
std::uint32_t choose_goal(const Look& look, std::size_t i, const std::uint32_t* taken) {
    const Tangle& tangle = look.tangle;
    const TangleUnit& unit = tangle.units[i];
    const Member& member = *look.fleet.members[unit.member];
    const auto is_free = [&](std::uint32_t place) {
        for (std::size_t k = 0; k < tangle.units.size(); ++k) {
            if (taken[k] == place) return false;
        }
        return true;
    };
    if (!unit.goes || member.route().legs.empty()) return is_free(unit.start) ? unit.start : kNoPlanPlace;
    const double half = 0.5 * look.lattice.step;
    const double asked = (kPastSteps + 4.0 * tangle.tries) * look.lattice.step;
    std::uint32_t best = kNoPlanPlace;
    double best_off = 1e300;
    for (double far = 0.0; far <= 2.0 * asked && far <= unit.left + half; far += half) {
        const Vec2 off = on_route(member, std::max(unit.left - far, 0.0)) - look.lattice.origin;
        const std::uint32_t place = look.find(look.nearest(off.x), look.nearest(off.y));
        if (place == kNoPlanPlace || !is_free(place)) continue;
        const double wrong = std::fabs(far - asked);
        if (wrong >= best_off) continue;
        best = place;
        best_off = wrong;
    }
    return best != kNoPlanPlace ? best : is_free(unit.start) ? unit.start : kNoPlanPlace;
}

/// How far it is along the stretch of its route that the crowd has, from the place of it nearest to where it is to its end.
double left_of_route(const Member& member) {
    const Array<Leg>& legs = member.route().legs;
    const Vec2 at = ground(member.at.position);
    double behind = 0.0, left = 0.0, nearest = 1e300;
    for (std::size_t i = std::min(member.next_leg, legs.size()); i > member.leg; --i) {
        const Vec2 a = ground(legs[i - 1].start.position);
        const Vec2 b = ground(leg_end(member.route(), i - 1).position);
        const Vec2 on = math::nearest_along(a, b - a, at);
        if (distance(on, at) < nearest) {
            nearest = distance(on, at);
            left = behind + distance(on, b);
        }
        behind += distance(a, b);
    }
    return left;
}

}  // namespace

/// A place for each, the nearest that it can go straight to and nobody has; who stands nearest to one has the first choice.
bool choose_starts(FleetData& fleet, Tangle& tangle) {
    Look look(fleet, tangle);
    const std::size_t count = tangle.units.size();
    bool has[kPlanWalkersMax] = {};
    for (std::size_t left = count; left > 0; --left) {
        std::size_t best = count;
        std::int32_t best_x = 0, best_y = 0;
        double nearest = 1e300;
        for (std::size_t i = 0; i < count; ++i) {
            if (has[i]) continue;
            const Vec2 at = ground(look.fleet.members[tangle.units[i].member]->at.position);
            const Vec2 off = at - look.lattice.origin;
            const std::int32_t cx = look.nearest(off.x), cy = look.nearest(off.y);
            for (std::int32_t k = 0; k < 25; ++k) {
                const std::int32_t x = cx + k % 5 - 2, y = cy + k / 5 - 2;
                const double far = distance(look.at(x, y), at);
                if (far >= nearest || look.find(x, y) != kNoPlanPlace) continue;
                if (!look.clear(at, look.at(x, y), look.radius()) ||
                    !look.empty(look.at(x, y), look.at(x, y)))
                    continue;
                nearest = far;
                best = i;
                best_x = x;
                best_y = y;
            }
        }
        if (best == count) return false;
        has[best] = true;
        tangle.units[best].start = look.add(best_x, best_y);
        if (tangle.units[best].start == kNoPlanPlace) return false;
    }
    return order_steps(look);
}

bool look_around(FleetData& fleet, Tangle& tangle, std::uint64_t& units) {
    Look look(fleet, tangle);
    bool more = true;
    for (; more && units >= kLookCost; units -= kLookCost) more = look_around_one(look);
    return more;
}

/// All places are known: who is to go where. False: that cannot be.
Result<bool> begin_plan(FleetData& fleet, Tangle& tangle) {
    const Look look(fleet, tangle);
    for (TangleUnit& unit : tangle.units) unit.left = left_of_route(*look.fleet.members[unit.member]);
    std::uint32_t goals[kPlanWalkersMax];
    std::fill(goals, goals + kPlanWalkersMax, kNoPlanPlace);
    for (int round = 0; round < 2; ++round) {  // those that only come back have the first choice
        for (std::size_t i = 0; i < tangle.units.size(); ++i) {
            if (tangle.units[i].goes != (round == 1)) continue;
            goals[i] = choose_goal(look, i, goals);
            if (goals[i] == kNoPlanPlace) return false;
        }
    }
    for (std::size_t i = 0; i < tangle.units.size(); ++i) {
        if (!tangle.plan.add_walker(tangle.units[i].start, goals[i], tangle.units[i].radius)) return false;
    }
    if (const Result<void> begun = tangle.plan.begin(); !begun) return begun.error();
    return tangle.plan.running();
}

}  // namespace fairlead::fleet
