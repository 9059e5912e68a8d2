// Inherited priority: who stands in the way of a unit that matters more takes its priority over and steps aside. One hop an update,
// so that it
// runs along a chain of units until there is room.
//
// Source: Okumura, Machida, Defago and Tamura 2022 (PIBT), here in continuous space.
#include <cmath>

#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"
#include "crowd/sight.h"

namespace fairlead::crowd {

namespace {

constexpr double kPushReach = 1.3;    // of both radii: nearer than that it is pushed
constexpr double kPushCosine = 0.75;  // of the pushing one's intent with the way to the pushed one
constexpr double kComesOut =
    55.0;  // the priority of who comes out of a narrow place, or of whom such a one pushes
constexpr double kHeldUp = 0.2;  // of the speed: then it pushes to its sides too
constexpr double kHeldUpCosine = 0.4;
constexpr double kAskedReach = 1.8;  // of both radii: nearer than that it steps aside,
constexpr double kAskedWidth = 1.3;  // if it stands on a way of that width
constexpr double kComesCosine = -0.3;
constexpr double kClosedCosine = 0.5;
constexpr double kSameWay = 0.3;  // above this cosine a queue is not pushed
constexpr double kSideways = 0.8;
constexpr double kAlong = 0.3;
constexpr double kLess = 0.001;
constexpr double kTowards = 0.2;     // cosine
constexpr double kInTheWay = 0.5;    // of both radii
constexpr double kRoomBeside = 0.6;  // of the radius

bool wall_beside(const CrowdData& crowd, const Unit& unit, Vec2 side, double room) {
    if (crowd.world->ray == nullptr) return false;
    const double reach = unit.body.radius + room;
    return ray_to_wall(crowd, unit, side, reach) < reach;
}

/// To the side where it stands, if there is room enough for the other one to pass, or some at least; to the other one if it stands in the
/// middle of the way; else along.
Vec2 aside(const CrowdData& crowd, const Unit& unit, const Unit& by, Vec2 along) {
    const double off = cross(along, unit.p() - by.p());
    const double both = unit.body.radius + by.body.radius;
    const double beside = off < 0.0 ? -off : off;
    Vec2 side{-along.y, along.x};
    if (off < 0.0) side = -side;
    double room = kRoomBeside * unit.body.radius;
    if (both - beside < room) room = both - beside;
    if (wall_beside(crowd, unit, side, room)) {
        if (beside > kInTheWay * both) return along;
        side = -side;
        if (wall_beside(crowd, unit, side, kRoomBeside * unit.body.radius)) return along;
    }
    return side * kSideways + along * kAlong;
}

bool in_lane(const CrowdData& crowd, const Unit& unit) {
    const Passage* passage = passage_of(crowd, unit);
    return passage != nullptr && passage->lanes && unit.turn == Turn::inside;
}

/// Straight back; where a wall, or who pushes, is in that way, as in the open.
Vec2 back_in_lane(const CrowdData& crowd, const Unit& unit, const Unit& by, Vec2 along) {
    const Vec2 back = -unit.axis_along;
    const Vec2 to = by.p() - unit.p();
    const bool closed = dot(back, to) > kTowards * length(to) ||
                        wall_beside(crowd, unit, back, kRoomBeside * unit.body.radius);
    return closed ? aside(crowd, unit, by, along) : back;
}

/// Into its own half if there is room, else back.
Vec2 aside_in_lane(const CrowdData& crowd, std::uint32_t i, const Unit& by, Vec2 along) {
    const Unit& unit = crowd.units[i];
    const Vec2 right{unit.axis_along.y, -unit.axis_along.x};
    if (in_own_half(unit)) return back_in_lane(crowd, unit, by, along);
    const double shift = unit.beside + 0.25 * passage_of(crowd, unit)->width;
    const Vec2 there = unit.p() + right * shift;
    const Neighbours& near = crowd.near[i];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        if (distance(other.p(), there) < unit.body.radius + other.body.radius)
            return back_in_lane(crowd, unit, by, along);
    }
    return right * kSideways + unit.axis_along * kAlong;
}

/// In a place one unit wide that the other one goes through nobody steps aside: out of there, before it. But where it is wider inside.
bool goes_before(const CrowdData& crowd, const Unit& unit, const Unit& by) {
    const Passage* theirs = passage_of(crowd, by);
    if (theirs == nullptr || theirs->lanes || by.turn == Turn::waiting) return false;
    if (!crowd.places.holds(theirs->place, unit.p(), unit.body.radius)) return false;
    const Vec2 left{-by.axis_along.y, by.axis_along.x};
    const double room = 2.0 * by.body.radius;
    return wall_beside(crowd, unit, left, room) && wall_beside(crowd, unit, -left, room);
}

Vec2 way_aside(const CrowdData& crowd, std::uint32_t i, const Unit& by, Vec2 along) {
    const Unit& unit = crowd.units[i];
    if (goes_before(crowd, unit, by)) return by.axis_along;
    return in_lane(crowd, unit) ? aside_in_lane(crowd, i, by, along) : aside(crowd, unit, by, along);
}

/// Is there a wall, or somebody who is driven, close by in a direction?
bool is_closed(const CrowdData& crowd, std::uint32_t i, Vec2 to) {
    const Unit& unit = crowd.units[i];
    if (wall_beside(crowd, unit, to, kRoomBeside * unit.body.radius)) return true;
    const Neighbours& near = crowd.near[i];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        if (!other.body.driven) continue;
        const Vec2 between = other.p() - unit.p();
        const double apart = length(between);
        const double reach = unit.body.radius + other.body.radius + kRoomBeside * unit.body.radius;
        if (apart < reach && dot(between, to) > kClosedCosine * apart) return true;
    }
    return false;
}

/// Out of the way of a vehicle, to the side where it stands if that is open; else along the way, before it.
Vec2 leave_way(const CrowdData& crowd, std::uint32_t i, const Unit& vehicle) {
    const Unit& unit = crowd.units[i];
    const Vec2 along = vehicle.asks_way;
    Vec2 side{-along.y, along.x};
    if (cross(along, unit.p() - vehicle.p()) < 0.0) side = -side;
    const Vec2 ways[] = {side * kSideways + along * kAlong, side * kSideways - along * kAlong,
                         along * kSideways - side * kAlong, along * kAlong - side * kSideways};
    for (const Vec2 way : ways) {
        if (!is_closed(crowd, i, normalized(way))) return way;
    }
    return along;
}

/// Before somebody who is driven, stands, and asks for its way.
bool is_asked(const Unit& unit, const Unit& other) {
    if (!other.body.driven || other.asks_way == Vec2{}) return false;
    const double both = unit.body.radius + other.body.radius;
    const Vec2 between = unit.p() - other.p();
    return length(between) < kAskedReach * both && dot(between, other.asks_way) > 0.0 &&
           std::abs(cross(other.asks_way, between)) < kAskedWidth * both;
}

/// Who goes somewhere goes on, unless it comes towards the other one.
bool step_aside(const CrowdData& crowd, std::uint32_t i, Wish& wish) {
    const Unit& unit = crowd.units[i];
    if (unit.turn == Turn::inside) return false;
    const Neighbours& near = crowd.near[i];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        if (!is_asked(unit, other)) continue;
        wish.priority = crowd.heard[near.ids[k]].priority - kLess;
        const double wanted = length(wish.velocity);
        const bool comes = dot(wish.velocity, other.asks_way) < kComesCosine * wanted;
        if (!(wanted > 0.0) || comes) wish.velocity = leave_way(crowd, i, other) * unit.speed_max();
        return true;
    }
    return false;
}

}  // namespace

void make_way(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    if (unit.body.driven) {
        crowd.wish[i] = crowd.own[i];
        return;
    }
    Wish wish = crowd.own[i];
    if (step_aside(crowd, i, wish)) {
        crowd.wish[i] = wish;
        return;
    }
    std::uint32_t by = kNone;
    double strongest = wish.priority;
    const Neighbours& near = crowd.near[i];
    for (std::uint32_t k = 0; k < near.count && !unit.packing; ++k) {
        const std::uint32_t j = near.ids[k];
        const Unit& other = crowd.units[j];
        const Wish& pushing = crowd.heard[j];
        if (same_lane(crowd, unit, other)) {
            if (!(other.to_mouth < unit.to_mouth)) continue;
        } else if (!(pushing.priority > strongest)) {
            continue;
        }
        const Vec2 between = unit.p() - other.p();
        const double apart = length(between);
        if (!(apart < kPushReach * (unit.body.radius + other.body.radius))) continue;
        const double speed = length(pushing.velocity);
        const bool comes_out = pushing.priority > kComesOut && unit.turn != Turn::inside &&
                               length(other.velocity) < kHeldUp * other.speed_max();
        const bool held_up = comes_out || is_held_up(other, crowd.step);
        const double cosine = held_up ? kHeldUpCosine : kPushCosine;
        if (!(dot(pushing.velocity, between) > cosine * speed * apart)) continue;
        if (pushing.priority > strongest) strongest = pushing.priority;
        by = j;
    }
    if (by != kNone) {
        const Vec2 along = normalized(crowd.heard[by].velocity);
        wish.priority = strongest - kLess;
        const double wanted = length(wish.velocity);
        if (!(wanted > 0.0) || !(dot(wish.velocity, along) > kSameWay * wanted)) {
            wish.velocity = way_aside(crowd, i, crowd.units[by], along) * unit.speed_max();
        }
    }
    crowd.wish[i] = wish;
}

}  // namespace fairlead::crowd
