// What a unit wants by itself: along its route to the last point of it that it sees, kept to one side where the way is wide, and slower
// before the goal. And its priority: who is late comes first.
#include <fairlead/math/vec.h>

#include "crowd/arrival_speed.h"
#include "crowd/crowd_data.h"
#include "crowd/sight.h"

namespace fairlead::crowd {

namespace {

constexpr double kDrivenPriority = 1000.0;
constexpr double kOpenClass = 2.5;
constexpr double kSettledClass = 0.0;
constexpr double kWaitTokenClass = 1.0;
constexpr double kWaitLaneClass = 1.5;
constexpr double kAdmittedClass = 4.0;
constexpr double kWrongLaneClass = 3.0;
constexpr double kRightLaneClass = 5.0;
constexpr double kOutClass = 5.9;
constexpr double kInsideClass = 6.0;
constexpr double kAheadMost = 8.0;    // of who is inside
constexpr double kNearerBy = 0.5;     // radii
constexpr double kBeforeMouth = 3.0;  // radii before it
constexpr double kCirclingIn = 0.4;
constexpr double kLateMax = 9.0;
constexpr double kLateWeight = 3.0;
constexpr double kTieWeight = 0.4;

constexpr double kSees = 8.0;          // radii, of gap to a neighbour
constexpr double kSideReach = 18.0;    // radii: between walls nearer than that, keep to one side
constexpr double kNarrowReach = 12.1;  // in the middle of one's half
constexpr double kNearGoal = 8.0;
constexpr double kSideGain = 2.0;
constexpr double kSideMax = 0.7;  // of forward
constexpr std::uint32_t kSideEvery = 8;

constexpr double kCrossing = 20.0;  // radii: the way over a crossing and out of it
constexpr double kCrossClass = 3.5;
constexpr double kCrossGain = 20.0;
constexpr double kUrgentFrom = 2.2;
constexpr double kUrgentGain = 40.0;
constexpr double kBacksOff = 0.3;
constexpr double kSettleNear = 0.3;   // radii
constexpr double kSettleAfter = 3.0;  // seconds

double keep_aside(CrowdData& crowd, Unit& unit, Vec2 along) {
    if (crowd.world->ray == nullptr || crowd.options.keep == KeepSide::none) return 0.0;
    const double r = unit.body.radius;
    if (unit.remaining < kNearGoal * r || unit.straight > 0.0) return 0.0;
    const double reach = kSideReach * r;
    if (unit.looks % kSideEvery == 0) {
        unit.left_gap = ray_to_wall(crowd, unit, {-along.y, along.x}, reach);
        unit.right_gap = ray_to_wall(crowd, unit, {along.y, -along.x}, reach);
        const bool street = unit.left_gap + unit.right_gap < reach;
        if (unit.in_street && !street && unit.entered < 0.0) unit.entered = unit.remaining;
        unit.in_street = street;
    }
    if (unit.entered >= 0.0 && unit.entered - unit.remaining > kCrossing * r) unit.entered = -1.0;
    const bool right = crowd.options.keep == KeepSide::right;
    const double mine = right ? unit.right_gap : unit.left_gap;
    const double width = unit.left_gap + unit.right_gap;
    if (!(width < reach)) return 0.0;
    double off = 0.0;  // to the side that is kept
    if (width < kNarrowReach * r) {
        off = mine - 0.25 * width;
    } else if (mine > 0.5 * width) {
        off = mine - 0.5 * width;
    }
    double part = off / (kSideGain * r);
    part = part < -kSideMax ? -kSideMax : part > kSideMax ? kSideMax : part;
    return right ? -part : part;
}

bool in_token_place(const CrowdData& crowd, const Unit& unit) {
    const Passage* passage = passage_of(crowd, unit);
    return passage != nullptr && !passage->lanes && unit.turn != Turn::waiting;
}

double priority_of(const CrowdData& crowd, const Unit& unit) {
    if (unit.packing) return 0.0;
    if (unit.yields_for > 0.0) return kTieWeight * unit.tie - 1.0;
    if (unit.guided) {
        return unit.guide.yields ? 10.0 * kSettledClass + kTieWeight * unit.tie
                                 : 10.0 * kOpenClass + kTieWeight * unit.guide.order;
    }
    // who was let in behind it would push it back
    if (unit.clears && !in_token_place(crowd, unit)) return 10.0 * kOutClass + kTieWeight * unit.tie;
    const Passage* passage = passage_of(crowd, unit);
    if (passage != nullptr) {
        const double tie = kTieWeight * unit.tie;
        if (unit.turn == Turn::waiting)
            return 10.0 * (passage->lanes ? kWaitLaneClass : kWaitTokenClass) + tie;
        const double part = passage->length > 0.0 ? -unit.to_mouth / passage->length : 0.0;
        const double ahead = kAheadMost * (part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
        if (unit.turn == Turn::inside) {
            if (!passage->lanes) return 10.0 * kInsideClass + ahead + tie;
            return 10.0 * (in_own_half(unit) ? kRightLaneClass : kWrongLaneClass) + tie;
        }
        return 10.0 * kAdmittedClass +
               9.0 * (unit.to_mouth < 20.0 * unit.body.radius
                          ? 1.0 - unit.to_mouth / (20.0 * unit.body.radius)
                          : 0.0) +
               tie;
    }
    if (unit.settled || unit.state == UnitState::idle) return 10.0 * kSettledClass + kTieWeight * unit.tie;
    const double late =
        unit.alone > 0.0 ? (unit.since + unit.remaining / unit.speed_max()) / unit.alone : 1.0;
    const double urgent = late > kUrgentFrom ? kUrgentGain * (late - kUrgentFrom) : 0.0;
    if (unit.entered >= 0.0) {
        const double part = (unit.entered - unit.remaining) / (kCrossing * unit.body.radius);
        return 10.0 * kCrossClass +
               kCrossGain * (part < 0.0   ? 0.0
                             : part > 1.0 ? 1.0
                                          : part) +
               kTieWeight * unit.tie + urgent;
    }
    const double more = kLateWeight * (late > 1.0 ? late - 1.0 : 0.0);
    return 10.0 * kOpenClass + (more < kLateMax ? more : kLateMax) + kTieWeight * unit.tie + urgent;
}

void count_nearer(CrowdData& crowd, Unit& unit) {
    const bool goes = unit.state == UnitState::moving && unit.turn != Turn::waiting && unit.group == 0;
    if (!goes || unit.remaining < unit.nearest_left - kNearerBy * unit.body.radius) {
        unit.nearest_left = unit.remaining;
        unit.no_nearer_for = 0.0;
    } else {
        unit.no_nearer_for += crowd.step;
    }
}

}  // namespace

void want(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    if (unit.body.driven) {
        crowd.near[i].count = 0;
        crowd.own[i] = {unit.velocity, kDrivenPriority};
        return;
    }
    Neighbours& near = crowd.near[i];
    near.count = 0;
    if (crowd.options.avoid) {
        const double both = way_of(unit, crowd.step) + crowd.way_max;
        const double reach = kSees * unit.body.radius;
        near.known = crowd.grid.find(crowd.units.span(), i, both > reach ? both : reach, crowd.options.height,
                                     near.ids, near.count);
    }
    ++unit.looks;
    Wish wish;
    const bool sits = unit.settled && unit.seat != kNone;
    const bool to_seat = !sits && look_for_seat(crowd, unit);
    if (sits) {
        unit.remaining = distance(unit.p(), ground(crowd.seats.list[unit.seat].at));
    } else if (to_seat) {
        unit.remaining = unit.seat_left;
        unit.packing = true;
    } else if (unit.way.count != 0) {
        advance(crowd, unit);
        count_nearer(crowd, unit);
    }
    unit.speed_here = speed_here(crowd, unit);
    if (unit.guided) wish.velocity = ground(unit.guide.velocity);
    if (unit.way.count != 0) {
        const bool onward = to_seat || sits || goes_on(unit, crowd.step);
        const Vec2 aim = sits      ? ground(crowd.seats.list[unit.seat].at)
                         : to_seat ? ground(crowd.seats.list[unit.seat_aim].at)
                         : onward  ? next_on_way(crowd, unit)
                                   : unit.seen_from;
        const Vec2 to = aim - unit.p();
        const Vec2 along = normalized(to);
        const bool last =
            sits || to_seat ? unit.seat_aim == unit.seat : unit.in_sight && unit.aim + 1 == unit.way.count;
        double speed = unit.speed_here;
        if (last || !onward || unit.by_leg) {
            const Vec2 stop = onward && unit.by_leg ? ground(crowd.ways.points(unit.way)[unit.aim].at) : aim;
            const double arrives = arrival_speed(unit, distance(unit.p(), stop), crowd.step);
            const double turning = turning_speed(unit, to);
            if (arrives < speed) speed = arrives;
            if (turning < speed) speed = turning;
        }
        wish.velocity = along * speed;
        // by facings it would not come to the very place, and dance about it
        const bool there = unit.settled && last && length(to) < kSettleNear * unit.body.radius;
        if (there && unit.body.facings != 0) wish.velocity = {};
        if (unit.packing && unit.settled) {
            if (!sits) wish.velocity = {};  // who has a seat goes to its middle where there is room
        } else if (unit.circling != 0) {
            const Vec2 left = Vec2{-along.y, along.x} * static_cast<double>(unit.circling);
            wish.velocity = (along * kCirclingIn + left) * (speed / (1.0 + kCirclingIn));
        } else if (unit.yields_for > 0.0) {
            wish.velocity = along * (-kBacksOff * unit.speed_max());
        } else if (want_in_order(crowd, unit, wish.velocity)) {
            unit.settled = unit.off_axis = false;
        } else if (!unit.settled) {
            unit.off_axis = unit.turn == Turn::admitted || unit.turn == Turn::inside;
            const bool at_mouth =
                in_token_place(crowd, unit) && unit.to_mouth < kBeforeMouth * unit.body.radius;
            const double side = at_mouth ? 0.0 : keep_aside(crowd, unit, along);
            if (side != 0.0) {
                wish.velocity = normalized(along + Vec2{-along.y, along.x} * side) * speed;
            }
        }
        const double left = unit.remaining;
        if (unit.group == 0)
            unit.settled = unit.state == UnitState::arrived &&
                           (left < kSettleNear * unit.body.radius || unit.arrived_for >= kSettleAfter);
    }
    wish.priority = priority_of(crowd, unit);
    crowd.own[i] = wish;
}

}  // namespace fairlead::crowd
