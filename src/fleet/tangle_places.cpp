// The places of a tangle: one for each to begin from, those around that can be walked to, and where each is to stand at the end.
#include <algorithm>
#include <cmath>

#include "crowd/assignment.h"
#include "fleet/fleet_data.h"
#include "fleet/tangles.h"
#include "math/segment.h"

namespace fairlead::fleet {

namespace {

constexpr double kPastSteps = 7.0;      // steps of the lattice beyond where it stands, and more with each try
constexpr std::uint32_t kLookCost = 2;  // units of work: up to eight sights
constexpr std::uint32_t kIndexSize = 4 * kPlanPlacesMax;
constexpr double kTouchSlack = 1e-9;
constexpr std::int32_t kStartsWide = 7;  // places to begin from are looked for so many steps across
constexpr double kNoStart = 1e9;         // cost of one that cannot be reached

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

/// Bends that are tried on a way to a place: none, at a place beside it, or close to where one stands, in 32 directions.
struct Bends {
    Vec2 from{};
    Vec2 to{};
    double step = 1.0;
    static constexpr int kCount = 1 + 8 + 2 * 32;

    [[nodiscard]] Vec2 at(int i) const {
        constexpr std::int32_t kDx[] = {1, 0, -1, 0, 1, -1, -1, 1}, kDy[] = {0, 1, 0, -1, 1, 1, -1, -1};
        constexpr Vec2 kWays[] = {{1.0, 0.0},     {0.981, 0.195}, {0.924, 0.383}, {0.831, 0.556},
                                  {0.707, 0.707}, {0.556, 0.831}, {0.383, 0.924}, {0.195, 0.981}};
        constexpr double kPart[] = {0.125, 0.35};
        if (i == 0) return to;
        if (i <= 8) return to + Vec2{kDx[i - 1] * step, kDy[i - 1] * step};
        Vec2 way = kWays[(i - 9) % 8];
        for (int turn = 0; turn < (i - 9) / 8 % 4; ++turn) way = {-way.y, way.x};
        return from + way * (step * kPart[(i - 9) / 32]);
    }
};

/// Is there a way past the walls?
bool can_go(const Look& look, Vec2 from, Vec2 to, double r) {
    const Bends bends{from, to, look.lattice.step};
    for (int i = 0; i < Bends::kCount; ++i) {
        if (look.clear(from, bends.at(i), r) && look.clear(bends.at(i), to, r)) return true;
    }
    return false;
}

/// Those in a tangle, each of whom stands or has gone to its place.
struct TangleStand {
    const Look& look;
    Vec2 at[kPlanWalkersMax];

    /// Does it keep clear of all others on a line, and of those that it touches as far as now?
    [[nodiscard]] bool may_walk(std::size_t i, Vec2 from, Vec2 to) const {
        const Array<TangleUnit>& units = look.tangle.units;
        for (std::size_t k = 0; k < units.size(); ++k) {
            if (k == i) continue;
            const double apart = std::min(units[i].radius + units[k].radius, distance(at[i], at[k]));
            const Vec2 off = math::nearest_along(from, to - from, at[k]) - at[k];
            if (dot(off, off) < apart * apart * (1.0 - kTouchSlack)) return false;
        }
        return look.clear(from, to, units[i].radius) && look.empty(from, to);
    }
    [[nodiscard]] bool find_bend(std::size_t i, Vec2 to, Vec2& bend) const {
        const Bends bends{at[i], to, look.lattice.step};
        for (int k = 0; k < Bends::kCount; ++k) {
            bend = bends.at(k);
            if (may_walk(i, at[i], bend) && may_walk(i, bend, to)) return true;
        }
        return false;
    }
};

/// Of who can get to its place first, one after the other, while all others stand: false if that cannot be.
bool order_steps(Look& look) {
    Tangle& tangle = look.tangle;
    TangleStand all{look, {}};
    bool there[kPlanWalkersMax] = {};
    const std::size_t count = tangle.units.size();
    for (std::size_t i = 0; i < count; ++i)
        all.at[i] = ground(look.fleet.members[tangle.units[i].member]->at.position);
    for (std::size_t left = count; left > 0; --left) {
        bool went = false;
        for (std::uint32_t i = 0; i < count && !went; ++i) {
            const Vec2 to = tangle.plan.place(tangle.units[i].start);
            Vec2 bend{};
            if (there[i] || !all.find_bend(i, to, bend)) continue;
            if (bend != to && !tangle.steps.push_back({i, bend})) return false;
            if (!tangle.steps.push_back({i, to})) return false;
            there[i] = went = true;
            all.at[i] = to;
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

/// Where one stands that goes nowhere: at its goal, if it has only been pushed off it, or where it is.
std::uint32_t home_of(const Look& look, const TangleUnit& unit) {
    const Member& member = *look.fleet.members[unit.member];
    if (member.state != FleetState::arrived || member.goal.kind != Spot::Kind::position) return unit.start;
    const Vec2 off = ground(member.goal.position) - look.lattice.origin;
    const std::uint32_t place = look.find(look.nearest(off.x), look.nearest(off.y));
    return place != kNoPlanPlace ? place : unit.start;
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
    if (!unit.goes || member.route().legs.empty()) {
        const std::uint32_t home = home_of(look, unit);
        if (is_free(home)) return home;
        return is_free(unit.start) ? unit.start : kNoPlanPlace;
    }
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

namespace {

/// The places around all of them, and who can go to which.
struct Starts {
    Look& look;
    Array<std::int32_t> cells;
    crowd::Assignment seats;

    explicit Starts(Look& its)
        : look(its),
          cells(its.fleet.options.allocator),
          seats(its.fleet.options.allocator),
          goes_(its.fleet.options.allocator) {}

    [[nodiscard]] std::size_t count() const { return cells.size() / 2; }
    [[nodiscard]] Vec2 at(std::size_t c) const { return look.at(cells[2 * c], cells[2 * c + 1]); }
    [[nodiscard]] Vec2 unit_at(std::size_t i) const {
        return ground(look.fleet.members[look.tangle.units[i].member]->at.position);
    }
    [[nodiscard]] bool gather() {
        for (std::size_t i = 0; i < look.tangle.units.size(); ++i) {
            const Vec2 off = unit_at(i) - look.lattice.origin;
            const std::int32_t cx = look.nearest(off.x), cy = look.nearest(off.y);
            for (std::int32_t k = 0; k < kStartsWide * kStartsWide; ++k) {
                if (!add(cx + k % kStartsWide - kStartsWide / 2, cy + k / kStartsWide - kStartsWide / 2))
                    return false;
            }
        }
        return count() >= look.tangle.units.size() && find_ways();
    }
    /// As if all stood so far aside, or false: somebody has no place, or they cannot go there one after the other.
    [[nodiscard]] bool choose(Vec2 aside) {
        Tangle& tangle = look.tangle;
        if (!seats.begin(tangle.units.size(), count())) return false;
        const double reach = (kStartsWide / 2 + 1) * look.lattice.step;
        for (std::size_t i = 0; i < tangle.units.size(); ++i) {
            for (std::size_t c = 0; c < count(); ++c) {
                const Vec2 way = at(c) - unit_at(i) - aside;
                seats.cost(i, c) = kNoStart;
                if (length(way) < reach && goes_[i * count() + c] != 0) seats.cost(i, c) = dot(way, way);
            }
        }
        seats.solve();
        tangle.clear_plan();
        for (std::size_t c = 0; c < count(); ++c) {
            const std::uint32_t i = seats.row_of(c);
            if (i == crowd::Assignment::kNoRow) continue;
            if (seats.cost(i, c) == kNoStart) return false;
            tangle.units[i].start = look.add(cells[2 * c], cells[2 * c + 1]);
            if (tangle.units[i].start == kNoPlanPlace) return false;
        }
        return order_steps(look);
    }

  private:
    [[nodiscard]] bool find_ways() {
        const std::size_t units = look.tangle.units.size();
        if (!goes_.resize(units * count())) return false;
        const double reach = kStartsWide * look.lattice.step;
        for (std::size_t i = 0; i < units; ++i) {
            for (std::size_t c = 0; c < count(); ++c) {
                const bool near = distance(unit_at(i), at(c)) < reach;
                goes_[i * count() + c] = near && can_go(look, unit_at(i), at(c), look.radius()) ? 1 : 0;
            }
        }
        return true;
    }
    [[nodiscard]] bool add(std::int32_t x, std::int32_t y) {
        for (std::size_t c = 0; c < cells.size(); c += 2) {
            if (cells[c] == x && cells[c + 1] == y) return true;
        }
        const Vec2 place = look.at(x, y);  // in a wall no way leads there: one sight here for a hundred later
        if (!look.clear(place, place, look.radius()) || !look.empty(place, place)) return true;
        return cells.push_back(x) && cells.push_back(y);
    }

    Array<std::uint8_t> goes_;  ///< for each unit and place: there is a way
};

}  // namespace

/// A place for each that it can go to, so that the sum of squares of their ways is the least: where they stand closer in a lane than
/// its places are, all move up, and nobody has to pass anybody. Which way all move up is tried: a lane has room at one end, perhaps.
bool choose_starts(FleetData& fleet, Tangle& tangle) {
    Look look(fleet, tangle);
    Starts starts(look);
    if (!starts.gather()) return false;
    for (const double far : {0.0, 0.5, 1.0}) {
        const double aside = far * look.lattice.step;
        for (const Vec2 way : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
            if (starts.choose(way * aside)) return true;
            if (far == 0.0) break;
        }
    }
    return false;
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
