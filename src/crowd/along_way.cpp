// Along a route: to the last point of it that the unit sees. And where looking does not tell: a leg of a route is free by itself. So who
// stands at the point that it goes to goes on to the next one, and who stands on the leg to it goes along that, whatever it sees. Ways
// bend round corners and touch others on the way, all to the last bit; a line of sight from a little beside them ends there. On level
// meshes a unit of the mesh's own radius is a point, and no slimmer body can look for it: it stood at such corners for good.
#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"
#include "crowd/sight.h"

namespace fairlead::crowd {

namespace {

constexpr double kStraight = 12.0;    // radii / speed
constexpr double kReached = 0.05;     // radii
constexpr double kOnLeg = 0.1;        // radii beside it
constexpr double kHeldBelow = 0.1;    // of the speed
constexpr double kHeldFor = 1.25;     // radii / speed
constexpr double kTouchedBy = 1.1;    // of both radii
constexpr double kBackIn = 2.0;       // steps, or ways beside it, until it is back on the leg;
constexpr double kHeldBackIn = 0.25;  // of who is held up there: it slides along what it stands before,
constexpr double kHeldAhead = 0.01;   // and goes on at least so many steps

bool same_floor(const CrowdData& crowd, const Unit& unit, double z) {
    const double apart = unit.at.position.z - z;
    return apart <= crowd.options.height && apart >= -crowd.options.height;
}

/// At the point itself it need not see the next one.
bool has_reached(const CrowdData& crowd, const Unit& unit, const WayPoint& aim) {
    return distance(unit.p(), ground(aim.at)) < kReached * unit.body.radius &&
           same_floor(crowd, unit, aim.at.z);
}

/// Where a unit is beside the leg to the point that it goes to.
struct OnLeg {
    Vec3 foot{};
    double beside = 0.0;
};

OnLeg find_on_leg(const CrowdData& crowd, const Unit& unit) {
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    const Vec3 from = unit.aim > 0 ? way[unit.aim - 1].at : unit.way_from;
    const Vec3 to = way[unit.aim].at;
    const Vec2 along = ground(to) - ground(from);
    const double whole = dot(along, along);
    const double at = dot(unit.p() - ground(from), along);
    OnLeg on;
    on.foot = !(at > 0.0) ? from : at < whole ? from + (to - from) * (at / whole) : to;
    on.beside = distance(unit.p(), ground(on.foot));
    return on;
}

bool is_on_leg(const CrowdData& crowd, const Unit& unit) {
    const OnLeg on = find_on_leg(crowd, unit);
    return on.beside <= kOnLeg * unit.body.radius && same_floor(crowd, unit, on.foot.z);
}

bool is_held(const Unit& unit) { return length(unit.velocity) < kHeldBelow * unit.speed_max(); }

/// By a wall, for nobody is near: a corner that stands out into its line of sight by a rounding. Looking does not tell.
bool is_held_by_wall(const CrowdData& crowd, const Unit& unit) {
    if (!is_held(unit) || !(unit.no_nearer_for > kHeldFor * pace_of(unit, crowd.step))) return false;
    const Neighbours& near = crowd.near[static_cast<std::size_t>(&unit - crowd.units.data())];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        if (distance(unit.p(), other.p()) < kTouchedBy * (unit.body.radius + other.body.radius)) return false;
    }
    return true;
}

}  // namespace

/// One look an update, by turns: is the point that it goes to still in sight? Does it see the one behind it already? Where the first is
/// not, it goes along its leg, or back to where it last saw it.
void advance(CrowdData& crowd, Unit& unit) {
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    const bool more = unit.aim + 1 < way.size();
    if (more && unit.in_sight && unit.looks % 2 == 0) {
        const WayPoint& next = way[unit.aim + 1];
        const double to_aim = distance(unit.p(), ground(way[unit.aim].at));
        if (has_reached(crowd, unit, way[unit.aim]) || goes_to_next(crowd, unit, to_aim, next.at)) {
            unit.after_aim -= distance(ground(way[unit.aim].at), ground(next.at));
            ++unit.aim;
            unit.by_leg = false;
            unit.seen_from = unit.p();
        }
    } else {
        const bool seen = sees(crowd, unit, way[unit.aim].at, kSeesWith);
        unit.by_leg = (!seen || is_held_by_wall(crowd, unit)) && is_on_leg(crowd, unit);
        unit.in_sight = seen || unit.by_leg;
        if (unit.in_sight) unit.seen_from = unit.p();
    }
    if (!unit.in_sight || unit.by_leg) {
        unit.straight = kStraight * unit.body.radius / unit.speed_max();
    } else if (unit.straight > 0.0) {
        unit.straight -= crowd.step;
    }
    const bool ordered = unit.turn != Turn::free && !unit.off_axis;
    const bool hidden = !unit.in_sight && !ordered;
    unit.unseen = hidden ? unit.unseen + crowd.step : 0.0;
    // who stands before a wall on its leg is lost too
    const bool held = unit.by_leg && unit.state == UnitState::moving && !ordered && is_held(unit);
    count_astray(unit, hidden || held, crowd.step);
    unit.remaining =
        distance(unit.p(), ground(way[unit.aim].at)) + (unit.after_aim > 0.0 ? unit.after_aim : 0.0);
}

/// The point that it goes to; of who goes by its leg one on that, near enough to bring it back there.
Vec2 next_on_way(const CrowdData& crowd, const Unit& unit) {
    const Vec2 aim = ground(crowd.ways.points(unit.way)[unit.aim].at);
    if (!unit.by_leg) return aim;
    const OnLeg on = find_on_leg(crowd, unit);
    const double step = unit.speed_max() * crowd.step;
    const double more = is_held(unit) ? kHeldBackIn : kBackIn;
    const double least = is_held(unit) ? kHeldAhead * step : step;
    const double ahead = more * (on.beside > least ? on.beside : least);
    const Vec2 foot = ground(on.foot);
    const double left = distance(foot, aim);
    return left > ahead ? foot + (aim - foot) * (ahead / left) : aim;
}

}  // namespace fairlead::crowd
