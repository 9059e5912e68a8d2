// In space: what a unit wants by itself, who steps aside for whom, and the move. As on the ground (want.cpp, make_way.cpp), but for the
// side that is kept and for lanes.
#include <algorithm>

#include <fairlead/math/vec.h>

#include "crowd/arrival_speed.h"
#include "crowd/sight.h"
#include "crowd/space/frame.h"
#include "crowd/space/space_phases.h"

namespace fairlead::crowd {

namespace {

constexpr double kDrivenFirst = 1000.0;
constexpr double kSpaceReach = 8.0;    // radii: neighbours that are looked at
constexpr double kSettles = 0.3;       // radii
constexpr double kSettlesAfter = 3.0;  // seconds

constexpr double kPush = 1.3;           // of both radii: nearer than that it is pushed
constexpr double kPushAngle = 0.75;     // cosine of the pushing one's wish with the way to the pushed one
constexpr double kSameDirection = 0.3;  // above this cosine it is not pushed
constexpr double kAside = 0.8;
constexpr double kOnward = 0.3;
constexpr double kBelow = 0.001;
constexpr double kBesideInSpace = 0.6;  // radii of room

/// One look an update, by turns: is the point that it goes to still in sight? Is the one behind it already?
void advance_in_space(CrowdData& crowd, Unit& unit, SpaceUnit& mine) {
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    const Vec3 p = unit.at.position;
    if (unit.aim + 1 < way.size() && unit.in_sight && unit.looks % 2 == 0) {
        const Vec3 next = way[unit.aim + 1].at;
        if (goes_to_next(crowd, unit, distance(p, way[unit.aim].at), next)) {
            unit.after_aim -= distance(way[unit.aim].at, next);
            ++unit.aim;
            mine.seen_from = p;
        }
    } else {
        unit.in_sight = sees(crowd, unit, way[unit.aim].at, kSeesWith);
        if (unit.in_sight) mine.seen_from = p;
    }
    const bool hidden = !unit.in_sight && mine.ahead.turn != Turn::waiting;
    unit.unseen = hidden ? unit.unseen + crowd.step : 0.0;
    count_astray(unit, hidden, crowd.step);
    unit.remaining = distance(p, way[unit.aim].at) + (unit.after_aim > 0.0 ? unit.after_aim : 0.0);
}

double priority_in_space(const Unit& unit, const TunnelAhead& ahead) {
    const double tie = 0.4 * unit.tie;
    if (unit.packing) return 0.0;
    if (unit.guided) return unit.guide.yields ? tie : 25.0 + 0.4 * unit.guide.order;
    if (unit.settled || unit.state == UnitState::idle) return tie;
    if (ahead.turn == Turn::waiting) return 10.0 + tie;
    if (ahead.turn == Turn::admitted) return 40.0 + tie;
    if (ahead.turn == Turn::inside) {
        const double part = ahead.length > 0.0 ? ahead.at / ahead.length : 1.0;
        return 60.0 + 8.0 * (part < 1.0 ? part : 1.0) + tie;
    }
    double late = unit.alone > 0.0 ? (unit.since + unit.remaining / unit.speed_max()) / unit.alone : 1.0;
    late = 3.0 * (late > 1.0 ? late - 1.0 : 0.0);
    return 25.0 + (late < 9.0 ? late : 9.0) + tie;
}

void keep_nearest(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    Neighbours& near = crowd.near[i];
    double apart_of[kNeighboursMax];
    near.count = 0;
    const double reach = kSpaceReach * unit.body.radius;
    const Vec3 p = unit.at.position;
    const auto look = [&](const SpaceGrid::Member& other) {
        if (other.unit == i) return;
        const double apart = distance(p, other.p) - unit.body.radius - other.radius;
        if (!(apart < reach)) return;
        std::uint32_t at = near.count;
        if (near.count == kNeighboursMax) {
            at = kNeighboursMax - 1;
            if (apart > apart_of[at] || (apart == apart_of[at] && other.unit > near.ids[at])) return;
        } else {
            ++near.count;
        }
        for (; at > 0 &&
               (apart < apart_of[at - 1] || (apart == apart_of[at - 1] && other.unit < near.ids[at - 1]));
             --at) {
            apart_of[at] = apart_of[at - 1];
            near.ids[at] = near.ids[at - 1];
        }
        apart_of[at] = apart;
        near.ids[at] = other.unit;
    };
    crowd.space.grid.each(p, reach + unit.body.radius + crowd.space.grid.radius_max(), look);
}

/// Around the group, each unit about an axis of its own, so that they come to all sides of it.
Vec3 around(const Unit& unit, Vec3 along) {
    const double turn = 8.0 * unit.tie;
    const Vec3 axis{turn < 4.0 ? 1.0 : -1.0, turn < 4.0 ? turn - 2.0 : turn - 6.0, 1.0};
    const Vec3 beside = normalized(cross(axis, along));
    return normalized(along * 0.4 + beside);
}

bool blocked_beside(const CrowdData& crowd, const Unit& unit, Vec3 side) {
    if (crowd.world->ray == nullptr) return false;
    const double reach = unit.body.radius * (1.0 + kBesideInSpace);
    return crowd.world->ray(unit.at, side, reach, crowd.world->user) < reach;
}

/// To the side where it already is; else across, to either hand, or to the other side; else along.
Vec3 aside_in_space(const CrowdData& crowd, const Unit& unit, Vec3 from, Vec3 along) {
    const Vec3 to = unit.at.position - from;
    const Vec3 off = to - along * dot(to, along);
    const double size = length(off);
    const Vec3 side = size > 1e-6 * unit.body.radius ? off / size : frame_across(along).side;
    const Vec3 across = cross(along, side);
    const Vec3 sides[4] = {side, unit.tie < 0.5 ? across : -across, unit.tie < 0.5 ? -across : across, -side};
    for (const Vec3& one : sides) {
        if (!blocked_beside(crowd, unit, one)) return one * kAside + along * kOnward;
    }
    return along;
}

}  // namespace

void want_in_space(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    SpaceUnit& mine = crowd.space.units[i];
    crowd.near[i].count = 0;
    if (unit.body.driven) {
        crowd.space.own[i] = {mine.velocity, kDrivenFirst};
        return;
    }
    if (crowd.options.avoid) keep_nearest(crowd, i);
    ++unit.looks;
    SpaceWish wish;
    if (unit.guided) wish.velocity = unit.guide.velocity;
    if (unit.way.count != 0) {
        advance_in_space(crowd, unit, mine);
        if (crowd.options.avoid) look_for_tunnel(crowd, i);
        const bool on = goes_on(unit, crowd.step);
        const Vec3 aim = on ? crowd.ways.points(unit.way)[unit.aim].at : mine.seen_from;
        const Vec3 to = aim - unit.at.position;
        const Vec3 along = normalized(to);
        const bool last = on && unit.aim + 1 == unit.way.count;
        // not past a point from which it does not see on yet
        const double onward = std::min(unit.speed_max(), length(to) / crowd.step);
        const double speed = last ? arrival_speed(unit, length(to), crowd.step) : onward;
        wish.velocity = along * speed;
        if (unit.packing && unit.settled) {
            wish.velocity = {};
        } else if (unit.circling != 0) {
            wish.velocity = around(unit, along) * speed;
        } else if (want_at_tunnel(crowd, i, wish.velocity)) {
            unit.settled = false;
        }
        if (unit.group == 0) {
            unit.settled =
                unit.state == UnitState::arrived &&
                (unit.remaining < kSettles * unit.body.radius || unit.arrived_for >= kSettlesAfter);
        }
    }
    wish.priority = priority_in_space(unit, mine.ahead);
    crowd.space.own[i] = wish;
}

void make_way_in_space(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    SpaceWish wish = crowd.space.own[i];
    std::uint32_t by = kNone;
    double strongest = wish.priority;
    const Neighbours& near = crowd.near[i];
    for (std::uint32_t k = 0; k < near.count && !unit.packing && !unit.body.driven; ++k) {
        const std::uint32_t j = near.ids[k];
        const Unit& other = crowd.units[j];
        const SpaceWish& pushing = crowd.space.heard[j];
        if (!(pushing.priority > strongest)) continue;
        const Vec3 between = unit.at.position - other.at.position;
        const double apart = length(between);
        if (!(apart < kPush * (unit.body.radius + other.body.radius))) continue;
        const double speed = length(pushing.velocity);
        if (!(dot(pushing.velocity, between) > kPushAngle * speed * apart)) continue;
        strongest = pushing.priority;
        by = j;
    }
    if (by != kNone) {
        const Vec3 along = normalized(crowd.space.heard[by].velocity);
        wish.priority = strongest - kBelow;
        const double wanted = length(wish.velocity);
        if (!(wanted > 0.0) || !(dot(wish.velocity, along) > kSameDirection * wanted)) {
            wish.velocity =
                aside_in_space(crowd, unit, crowd.units[by].at.position, along) * unit.speed_max();
        }
    }
    crowd.space.wish[i] = wish;
}

void move_in_space(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    if (unit.body.driven) return;
    SpaceUnit& mine = crowd.space.units[i];
    mine.velocity = crowd.space.next[i];
    unit.at.position += mine.velocity * crowd.step;
    if (unit.way.count == 0) return;
    if (unit.state == UnitState::arrived) {
        unit.arrived_for += crowd.step;
        return;
    }
    unit.since += crowd.step;
    if (unit.group != 0) {
        settle_in_group(crowd, i);
        return;
    }
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    if (distance(unit.at.position, way[way.size() - 1].at) <= unit.body.radius)
        unit.state = UnitState::arrived;
}

}  // namespace fairlead::crowd
