// The life of a tangle: found where walkers have long come no nearer, gathered, its places looked at, planned, walked, ended.
#include "fleet/tangles.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <fairlead/math/trig.h>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr double kTangledAfter = 0.6;  // of stuck_seconds without coming nearer
constexpr double kTangleNear = 7.0;    // radii between two of them
constexpr double kTangleTouch = 0.4;   // of that: also of one that moves
constexpr double kTangleStands = 0.1;  // speed, of what it can
constexpr double kTangleGather = 4.0;  // seconds
constexpr double kTangleWaits = 1.5;   // for somebody else, who is taken in then
constexpr std::uint32_t kTakenInMax = 8;
constexpr double kTangleRest = 6.0;  // seconds after a broken one
constexpr double kPastSteps = 7.0;   // steps of the lattice beyond where it stands, and more with each try
constexpr std::uint32_t kTangleTries = 6;
constexpr std::uint32_t kLookCost = 2;  // units of work: up to eight sights
constexpr double kSlack = 1e-9;
constexpr std::uint32_t kIndexSize = 4 * kPlanPlacesMax;

bool is_tangled(const FleetData& fleet, const Member& member) {
    return member.used && !member.driver && !member.in_knot &&
           (member.state == FleetState::moving || member.state == FleetState::stuck) &&
           member.best_for > kTangledAfter * fleet.options.stuck_seconds && fleet.now >= member.knot_after;
}

/// Can it be moved by a plan?
bool may_join(const FleetData& fleet, const Member& member) {
    if (!member.used || member.driver || member.in_knot || member.state == FleetState::link) return false;
    if (member.squad != kNoSquad && !member.alone) return false;
    const FleetUnit& unit = fleet.kinds[member.kind.value];
    if (unit.facings != 0 || unit.limits.turn_rate_max < kNoLimit) return false;
    const WalkLattice lattice = fleet.port.lattice(member.kind, fleet.port.user);
    if (!(lattice.step > 0.0) || 2.0 * unit.agent.radius > lattice.step) return false;
    // in a seat of its group
    return !(member.state == FleetState::arrived && member.group.group != 0);
}

double tangle_radius(const FleetData& fleet, const Member& member) {
    return fleet.kinds[member.kind.value].agent.radius;
}

bool same_floor(const FleetData& fleet, const Place& a, const Place& b) {
    return a.layer == b.layer && std::fabs(a.position.z - b.position.z) < fleet.options.crowd.height;
}

bool on_its_way(const Member& member) {
    return member.state == FleetState::moving || member.state == FleetState::stuck ||
           member.state == FleetState::waiting;
}

/// Of two segments, the nearest distance, squared.
double segments_squared(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const auto to_segment = [](Vec2 p, Vec2 u, Vec2 v) {
        const Vec2 off = nearest_on_plan(p, u, v - u) - p;
        return dot(off, off);
    };
    const double ab = cross(b - a, c - a), ab2 = cross(b - a, d - a);
    const double cd = cross(d - c, a - c), cd2 = cross(d - c, b - c);
    if (ab * ab2 < 0.0 && cd * cd2 < 0.0) return 0.0;
    return std::min(std::min(to_segment(a, c, d), to_segment(b, c, d)),
                    std::min(to_segment(c, a, b), to_segment(d, a, b)));
}

// ---- finding

/// How far it is along the stretch of its route that the crowd has, from the place of it nearest to where it is to its end.
double left_of_route(const Member& member) {
    const Array<Leg>& legs = member.route().legs;
    const Vec2 at = ground(member.at.position);
    double behind = 0.0, left = 0.0, nearest = 1e300;
    for (std::size_t i = std::min(member.next_leg, legs.size()); i > member.leg; --i) {
        const Vec2 a = ground(legs[i - 1].start.position);
        const Vec2 b = ground(leg_end(member.route(), i - 1).position);
        const Vec2 on = nearest_on_plan(at, a, b - a);
        if (distance(on, at) < nearest) {
            nearest = distance(on, at);
            left = behind + distance(on, b);
        }
        behind += distance(a, b);
    }
    return left;
}

bool join_tangle(FleetData& fleet, Tangle& tangle, std::uint32_t m) {
    Member& member = *fleet.members[m];
    TangleUnit unit;
    unit.member = m;
    unit.radius = tangle_radius(fleet, member);
    unit.goes = on_its_way(member);
    if (!tangle.units.push_back(unit)) return false;
    member.in_knot = true;
    if (member.request.valid()) (void)fleet.scheduler.cancel(member.request);
    member.request = {};
    (void)fleet.crowd.stop(member.body);
    return true;
}

// Whoever stands near those that are in already, nearest to the first one first: members are in the order of their
// numbers, and that is as good.
Result<void> gather_more(FleetData& fleet, Tangle& tangle) {
    for (std::size_t i = 0; i < tangle.units.size(); ++i) {
        const Member& one = *fleet.members[tangle.units[i].member];
        for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
            if (tangle.units.size() == kPlanWalkersMax) return {};
            Member& other = *fleet.members[m];
            if (!may_join(fleet, other) || !same_floor(fleet, one.at, other.at)) continue;
            const double radius = tangle_radius(fleet, other);
            const double near = kTangleNear * std::max(radius, tangle.units[i].radius);
            const FleetUnit& unit = fleet.kinds[other.kind.value];
            const double apart = length(ground(other.at.position - one.at.position));
            if (apart > near) continue;
            if (apart > kTangleTouch * near && other.speed > kTangleStands * unit.limits.speed_max) continue;
            if (!join_tangle(fleet, tangle, m)) return Error{ErrorCode::out_of_memory};
        }
    }
    return {};
}

void drop_tangle(FleetData& fleet, Tangle* tangle) {
    const Allocator& allocator = fleet.options.allocator;
    tangle->~Tangle();
    allocator.release(tangle, sizeof(Tangle), alignof(Tangle), allocator.user);
}

Result<void> found_tangle(FleetData& fleet, std::uint32_t first) {
    const Allocator& allocator = fleet.options.allocator;
    void* memory = allocator.allocate(sizeof(Tangle), alignof(Tangle), allocator.user);
    if (memory == nullptr) return Error{ErrorCode::out_of_memory};
    auto* tangle = ::new (memory) Tangle(allocator);
    Member& member = *fleet.members[first];
    tangle->layer = member.at.layer;
    tangle->tries = member.knot_tries;
    if (!fleet.tangles.push_back(tangle)) {
        drop_tangle(fleet, tangle);
        return Error{ErrorCode::out_of_memory};
    }
    if (!join_tangle(fleet, *tangle, first)) return Error{ErrorCode::out_of_memory};
    if (const Result<void> more = gather_more(fleet, *tangle); !more) return more;
    ++fleet.knot_report.begun;
    ++fleet.knot_report.tangles;
    return {};
}

Result<void> find_tangles(FleetData& fleet) {
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        if (!is_tangled(fleet, *fleet.members[m]) || !may_join(fleet, *fleet.members[m])) continue;
        if (const Result<void> found = found_tangle(fleet, m); !found) return found;
        break;  // one a frame
    }
    return {};
}

// ---- places

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
            if (!other->used || is_one(*other)) continue;
            if (other->at.layer != tangle.layer ||
                std::fabs(other->at.position.z - tangle.height) > fleet.options.crowd.height)
                continue;
            if (!other->driver && other->speed > 0.0) continue;  // it walks on
            const double apart = r + circumscribed_radius(fleet.kinds[other->kind.value].agent);
            const Vec2 off =
                nearest_on_plan(ground(other->at.position), from, to - from) - ground(other->at.position);
            if (dot(off, off) < apart * apart) return false;
        }
        return true;
    }
    [[nodiscard]] bool is_one(const Member& member) const {
        for (const TangleUnit& unit : tangle.units) {
            if (fleet.members[unit.member] == &member) return true;
        }
        return false;
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

/// The other way of being in the crowd: moved by its own will, or by ours.
Result<void> put_body(FleetData& fleet, Member& member, bool driven) {
    const FleetUnit& unit = fleet.kinds[member.kind.value];
    CrowdUnit body;
    body.radius = circumscribed_radius(unit.agent);
    body.limits = unit.limits;
    body.facings = unit.facings;
    body.driven = driven;
    (void)fleet.crowd.remove(member.body);
    const Result<UnitId> id = fleet.crowd.add(body, member.at);
    if (!id) return id.error();
    member.body = *id;
    return {};
}

/// Whoever is slow enough stands from now on: others do not push it any more. Do all?
Result<bool> hold_all(FleetData& fleet, const Tangle& tangle, double seconds) {
    bool all = true;
    for (const TangleUnit& unit : tangle.units) {
        Member& member = *fleet.members[unit.member];
        if (fleet.crowd.body(member.body).driven) continue;
        const double brake = fleet.kinds[member.kind.value].limits.brake_max;
        all = all && !(member.speed > brake * seconds);
        if (member.speed > brake * seconds) continue;
        member.speed = 0.0;
        member.velocity = member.stops = {};
        if (const Result<void> put = put_body(fleet, member, true); !put) return put.error();
    }
    return all;
}

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
                const Vec2 off = nearest_on_plan(now[k], now[i], to - now[i]) - now[k];
                free = dot(off, off) >= apart * apart * (1.0 - kSlack);
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

/// A place for each, the nearest that it can go straight to and nobody has; who stands nearest to one has the first choice.
bool choose_starts(Look& look) {
    Tangle& tangle = look.tangle;
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

/// All places are known: who is to go where. False: that cannot be.
Result<bool> begin_plan(Look& look) {
    Tangle& tangle = look.tangle;
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

// ---- walking

/// The next stretch: to the places one by one; then as many steps of the plan as everyone goes straight on.
bool next_stretch(FleetData& fleet, Tangle& tangle) {
    for (TangleUnit& unit : tangle.units)
        unit.from = unit.to = ground(fleet.members[unit.member]->at.position);
    tangle.length = tangle.done = tangle.speed = 0.0;
    while (tangle.next_step < tangle.steps.size() && tangle.length == 0.0) {
        const TangleStep& step = tangle.steps[tangle.next_step++];
        tangle.units[step.unit].to = step.to;
        tangle.length = distance(tangle.units[step.unit].from, step.to);
    }
    if (tangle.length > 0.0) return true;
    const auto moves = [&](std::uint32_t state, std::uint32_t i) {
        return tangle.plan.place(tangle.plan.place_of(state + 1, i)) -
               tangle.plan.place(tangle.plan.place_of(state, i));
    };
    while (tangle.length == 0.0 && tangle.state + 1 < tangle.plan.state_count()) {
        const std::uint32_t first = tangle.state;
        for (bool same = true; same && tangle.state + 1 < tangle.plan.state_count();) {
            ++tangle.state;
            same = tangle.state + 1 < tangle.plan.state_count();
            for (std::uint32_t i = 0; same && i < tangle.units.size(); ++i) {
                const Vec2 off = moves(tangle.state, i) - moves(first, i);
                same = dot(off, off) < kSlack;
            }
        }
        for (std::uint32_t i = 0; i < tangle.units.size(); ++i) {
            TangleUnit& unit = tangle.units[i];
            unit.to = tangle.plan.place(tangle.plan.place_of(tangle.state, i));
            tangle.length = std::max(tangle.length, distance(unit.from, unit.to));
        }
    }
    return tangle.length > 0.0;
}

struct Pace {
    double speed_max = kNoLimit;
    double accel = kNoLimit;
    double brake = kNoLimit;
};

Pace pace_of(const FleetData& fleet, const Tangle& tangle) {
    Pace pace;
    const CrowdWorld world = fleet.port.crowd(fleet.port.user);
    for (const TangleUnit& unit : tangle.units) {
        if (unit.from == unit.to) continue;
        const Member& member = *fleet.members[unit.member];
        const SpeedLimits& limits = fleet.kinds[member.kind.value].limits;
        pace.speed_max = std::min(pace.speed_max, limits.speed_max);
        if (world.speed_max != nullptr)
            pace.speed_max = std::min(pace.speed_max, world.speed_max(member.at, world.user));
        pace.accel = std::min(pace.accel, limits.accel_max);
        pace.brake = std::min(pace.brake, limits.brake_max);
    }
    return pace;
}

/// The fastest speed for a frame from which it can still stand at the end of what is left.
double fastest_to_stop(double left, double brake, double seconds) {
    if (!(brake < kNoLimit) || left <= brake * seconds * seconds) return left / seconds;
    const double frame = brake * seconds;
    return -frame + std::sqrt(frame * frame + 2.0 * brake * left);
}

/// With this speed in this frame, and braking after it: does everyone keep clear of all others?
bool is_way_free(const FleetData& fleet, Tangle& tangle, double speed, double brake, double seconds) {
    const double on = tangle.done + speed * seconds;
    const double stop = std::min(on + (brake < kNoLimit ? 0.5 * speed * speed / brake : 0.0), tangle.length);
    for (const TangleUnit& unit : tangle.units) {
        if (unit.from == unit.to) continue;
        const Vec2 a = ground(fleet.members[unit.member]->at.position);
        const Vec2 b = unit.from + (unit.to - unit.from) * (stop / tangle.length);
        for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
            const Member* other = fleet.members[m];
            if (!other->used || !same_floor(fleet, fleet.members[unit.member]->at, other->at)) continue;
            const Vec2 p = ground(other->at.position);
            const double radius = circumscribed_radius(fleet.kinds[other->kind.value].agent);
            const double apart = unit.radius + radius;
            if (distance(a, p) > apart + 4.0 * tangle.length + 8.0) continue;
            bool mine = false;
            for (const TangleUnit& one : tangle.units) mine = mine || fleet.members[one.member] == other;
            if (mine) continue;
            const Vec2 q = p + (other->driver ? Vec2{} : ground(plan_of(fleet, *other)));
            const double asked = std::min(apart, std::sqrt(segments_squared(a, a, p, q))) * (1.0 - kSlack);
            if (segments_squared(a, b, p, q) < asked * asked) {
                tangle.waits_for = m;
                tangle.waits = static_cast<std::uint32_t>(&unit - tangle.units.data());
                return false;
            }
        }
    }
    return true;
}

/// The place on its way where a unit stands once all have braked.
Vec2 stopping_place(const Tangle& tangle, const TangleUnit& unit, double brake) {
    const double way = brake < kNoLimit ? 0.5 * tangle.speed * tangle.speed / brake : 0.0;
    const double on = std::min(tangle.done + way, tangle.length);
    return on == tangle.length ? unit.to : unit.from + (unit.to - unit.from) * (on / tangle.length);
}

void walk(FleetData& fleet, Tangle& tangle, double seconds) {
    const Pace pace = pace_of(fleet, tangle);
    const double gained = pace.accel < kNoLimit ? tangle.speed + pace.accel * seconds : pace.speed_max;
    const double lost = pace.brake < kNoLimit ? std::max(tangle.speed - pace.brake * seconds, 0.0) : 0.0;
    const double most = fastest_to_stop(tangle.length - tangle.done, pace.brake, seconds);
    const double speed = std::min(std::min(gained, pace.speed_max), most);
    const bool free = !tangle.broken && is_way_free(fleet, tangle, speed, pace.brake, seconds);
    tangle.waited = free || tangle.broken ? 0.0 : tangle.waited + seconds;
    tangle.speed = free ? speed : std::min(lost, most);
    tangle.done = std::min(tangle.done + tangle.speed * seconds, tangle.length);
    if (tangle.length - tangle.done < kSlack * tangle.length) tangle.done = tangle.length;
    for (const TangleUnit& unit : tangle.units) {
        Member& member = *fleet.members[unit.member];
        const double part = tangle.done / tangle.length;
        const Vec2 at = part == 1.0 ? unit.to : unit.from + (unit.to - unit.from) * part;
        const Vec2 moved = unit.to - unit.from;
        const double share = tangle.speed / tangle.length;
        member.at.position = {at.x, at.y, member.at.position.z};
        member.at = fleet.on_ground(member.at, member.at.position.z);
        member.velocity = {moved.x * share, moved.y * share, 0.0};
        member.speed = length(member.velocity);
        if (member.speed > 0.0) member.at.heading_rad = math::atan2(moved.y, moved.x);
        // slower than all others it brakes slower too: its way to a stop is not that of its own limits
        const Vec2 stop = stopping_place(tangle, unit, pace.brake);
        member.stops = {stop.x - at.x, stop.y - at.y, 0.0};
        const Vec3 way[] = {{stop.x, stop.y, member.at.position.z}};
        (void)fleet.crowd.drive(member.body, member.at, member.velocity, way, 0.0);
    }
}

/// A frame at rest between two stretches: nobody turns at once.
void stand(FleetData& fleet, Tangle& tangle) {
    tangle.speed = 0.0;
    for (const TangleUnit& unit : tangle.units) {
        Member& member = *fleet.members[unit.member];
        member.velocity = member.stops = {};
        member.speed = 0.0;
        (void)fleet.crowd.drive(member.body, member.at, {});
    }
}

/// Somebody else is in the way: it is asked to step aside, and if it does not, it is planned for too.
void wait_for_others(FleetData& fleet, Tangle& tangle) {
    if (tangle.waited == 0.0 || tangle.speed > 0.0) return;
    const TangleUnit& unit = tangle.units[tangle.waits];
    (void)fleet.crowd.ask_way(fleet.members[unit.member]->body, unit.to - unit.from);
    if (tangle.waited < kTangleWaits) return;
    Member& other = *fleet.members[tangle.waits_for];
    const bool again = tangle.taken_in < kTakenInMax && tangle.units.size() < kPlanWalkersMax &&
                       may_join(fleet, other) && join_tangle(fleet, tangle, tangle.waits_for);
    if (!again) {
        tangle.broken = true;
        return;
    }
    ++tangle.taken_in;
    tangle.stage = TangleStage::gathering;
    tangle.age = tangle.waited = 0.0;
    tangle.plan.clear();
    tangle.steps.clear();
    tangle.cells.clear();
    tangle.index.clear();
    tangle.looked = tangle.next_step = tangle.state = 0;
    tangle.length = tangle.done = 0.0;
}

// ---- the end

Result<void> release_walker(FleetData& fleet, const Tangle& tangle, const TangleUnit& unit) {
    Member& member = *fleet.members[unit.member];
    member.in_knot = false;
    member.speed = 0.0;
    member.velocity = member.stops = {};
    member.knot_after = fleet.now + (tangle.broken ? kTangleRest : 1.0);
    member.knot_tries = tangle.broken ? std::min(member.knot_tries + 1, kTangleTries) : 0;
    if (fleet.crowd.body(member.body).driven) {
        if (const Result<void> put = put_body(fleet, member, false); !put) return put;
    }
    if (!on_its_way(member)) return {};
    member.keeps_best = true;
    if (!tangle.broken) member.best_for = 0.0;
    return ask(fleet, member, false);
}

Result<void> end_tangle(FleetData& fleet, Tangle& tangle) {
    ++(tangle.broken ? fleet.knot_report.broken : fleet.knot_report.untied);
    for (const TangleUnit& unit : tangle.units) {
        if (const Result<void> released = release_walker(fleet, tangle, unit); !released) return released;
    }
    return {};
}

void give_up(Tangle& tangle) {
    tangle.broken = true;
    tangle.stage = TangleStage::over;
}

Result<void> step_tangle(FleetData& fleet, Tangle& tangle, double seconds, std::uint64_t& units) {
    tangle.age += seconds;
    if (tangle.units.empty()) {
        tangle.stage = TangleStage::over;
        return {};
    }
    // whoever moves stands first
    if (tangle.broken && (tangle.stage != TangleStage::running || tangle.speed == 0.0)) give_up(tangle);
    switch (tangle.stage) {
        case TangleStage::gathering: {
            const Result<bool> stand_all = hold_all(fleet, tangle, seconds);
            if (!stand_all.has_value()) return stand_all.error();
            if (!*stand_all) {
                if (tangle.age > kTangleGather) give_up(tangle);
                return {};
            }
            tangle.height = fleet.members[tangle.units[0].member]->at.position.z;
            Look look(fleet, tangle);
            tangle.stage = TangleStage::looking;
            if (!choose_starts(look)) give_up(tangle);
            return {};
        }
        case TangleStage::looking: {
            Look look(fleet, tangle);
            bool more = true;
            while (more && units >= kLookCost) {
                more = look_around_one(look);
                units -= kLookCost;
                fleet.knot_report.units += kLookCost;
            }
            if (more) return {};
            const Result<bool> begun = begin_plan(look);
            if (!begun.has_value()) return begun.error();
            tangle.stage = TangleStage::planning;
            if (!*begun) give_up(tangle);
            return {};
        }
        case TangleStage::planning: {
            const std::uint64_t used = tangle.plan.step(units);
            units -= used;
            fleet.knot_report.units += used;
            if (tangle.plan.running()) return {};
            tangle.stage = TangleStage::running;
            tangle.length = tangle.done = 0.0;
            if (!tangle.plan.found()) give_up(tangle);
            return {};
        }
        case TangleStage::running: {
            if (tangle.done >= tangle.length) {
                if (tangle.speed > 0.0) {
                    stand(fleet, tangle);
                    return {};
                }
                if (!next_stretch(fleet, tangle)) {
                    tangle.stage = TangleStage::over;
                    return {};
                }
            }
            walk(fleet, tangle, seconds);
            wait_for_others(fleet, tangle);
            return {};
        }
        case TangleStage::over: return {};
    }
    return {};
}

}  // namespace

Result<void> drive_tangles(FleetData& fleet, double seconds, std::uint64_t& units) {
    if (!fleet.options.avoid || !fleet.options.knots || fleet.port.lattice == nullptr || fleet.port.space)
        return {};
    std::size_t kept = 0;
    Result<void> result;
    for (std::size_t i = 0; i < fleet.tangles.size(); ++i) {
        Tangle* tangle = fleet.tangles[i];
        if (result) result = step_tangle(fleet, *tangle, seconds, units);
        if (result && tangle->stage == TangleStage::over) {
            result = end_tangle(fleet, *tangle);
            drop_tangle(fleet, tangle);
            continue;
        }
        fleet.tangles[kept++] = tangle;
    }
    while (fleet.tangles.size() > kept) fleet.tangles.pop_back();
    return result ? find_tangles(fleet) : result;
}

void follow_tangled(FleetData& fleet, Member& member) {
    if (fleet.crowd.body(member.body).driven) return;
    const UnitView view = fleet.crowd.unit(member.body);
    member.at.position = view.place.position;
    member.at.layer = view.place.layer;
    member.velocity = view.velocity;
    member.speed = length(view.velocity);
}

void break_tangles(FleetData& fleet) {
    for (Tangle* tangle : fleet.tangles) tangle->broken = true;
}

void break_tangle_of(FleetData& fleet, const Member& member) {
    for (Tangle* tangle : fleet.tangles) {
        for (const TangleUnit& unit : tangle->units) {
            if (fleet.members[unit.member] == &member) tangle->broken = true;
        }
    }
}

void leave_tangle(FleetData& fleet, std::uint32_t member) {
    for (Tangle* tangle : fleet.tangles) {
        std::size_t kept = 0;
        for (const TangleUnit& unit : tangle->units) {
            if (unit.member == member) {
                tangle->broken = true;  // the plan counts with it
            } else {
                tangle->units[kept++] = unit;
            }
        }
        while (tangle->units.size() > kept) tangle->units.pop_back();
    }
    fleet.members[member]->in_knot = false;
}

void drop_tangles(FleetData& fleet) {
    for (Tangle* tangle : fleet.tangles) drop_tangle(fleet, tangle);
    fleet.tangles.clear();
}

}  // namespace fairlead::fleet
