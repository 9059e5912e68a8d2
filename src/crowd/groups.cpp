// Many units, one goal. Near it nobody has priority and nobody is pushed. Each has a seat (seat_plan.cpp) and settles there; or,
// after a while, where it stands.
//
// Before it has one, in space, and where no seat can be reached: a unit that touches one that has settled nearer to the goal, and
// has stood a moment, settles too. So the crowd grows from the middle outward, and no pile presses on it. All of that within the
// disc that they would fill; who comes to its rim looks for a way in along it. Where there is none, to neither side, those who
// come late stand behind the others.
#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kPackingReach = 1.25;  // of the disc that they fill
constexpr double kStood = 0.9;          // radii / speed
constexpr double kStoodLong = 3.0;
constexpr double kStoodCircling = 6.0;
constexpr double kStoodBehind = 60.0;  // outside of that disc, behind those who have settled
constexpr int kVainMost = 8;           // times that it turns round before it stands where it is
constexpr double kSlow = 0.15;         // of the speed
constexpr double kTouch = 0.5;         // radii
constexpr double kAtGoal = 0.3;
constexpr double kNearSeat = 1.2;
constexpr double kStoodLongest = 40.0;
constexpr double kStoodInVain = 120.0;

std::size_t find_group(const CrowdData& crowd, std::uint32_t id) {
    std::size_t low = 0;
    std::size_t high = crowd.groups.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (crowd.groups[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

}  // namespace

bool gather_groups(CrowdData& crowd) {
    for (Group& group : crowd.groups) {
        group.square = group.cube = group.widest = 0.0;
        group.units = 0;
    }
    for (Unit& unit : crowd.units) {
        unit.packing = false;
        if (!unit.used || unit.group == 0 || unit.way.count == 0) continue;
        const std::size_t at = find_group(crowd, unit.group);
        if (at == crowd.groups.size() || crowd.groups[at].id != unit.group) {
            if (!crowd.groups.push_back({})) return false;
            for (std::size_t i = crowd.groups.size() - 1; i > at; --i) crowd.groups[i] = crowd.groups[i - 1];
            crowd.groups[at] = {};
            crowd.groups[at].id = unit.group;
        }
        Group& group = crowd.groups[at];
        group.square += unit.body.radius * unit.body.radius;
        group.cube += unit.body.radius * unit.body.radius * unit.body.radius;
        if (unit.body.radius > group.widest) group.widest = unit.body.radius;
        if (group.units++ == 0) {
            const WayPoint& end = crowd.ways.points(unit.way)[unit.way.count - 1];
            group.goal.position = end.at;
            group.goal.layer = end.layer;
        }
    }
    std::size_t kept = 0;
    for (Group& group : crowd.groups) {
        const bool seated = group.seats.pitch > 0.0;
        const bool moved = group.seats.radius != group.widest ||
                           distance(group.seats.goal, group.goal.position) > group.widest;
        if (seated && (group.units == 0 || moved)) drop_seats(crowd, group);
        if (group.units != 0) crowd.groups[kept++] = group;
    }
    while (crowd.groups.size() > kept) crowd.groups.pop_back();
    for (Unit& unit : crowd.units) {
        unit.group_at = kNone;
        if (!unit.used || unit.group == 0 || unit.way.count == 0) continue;
        unit.group_at = static_cast<std::uint32_t>(find_group(crowd, unit.group));
        unit.packing =
            unit.settled || unit.seat_aim != kNone ||
            unit.remaining < kPackingReach * crowd.groups[unit.group_at].radius(crowd.options.space);
    }
    return true;
}

namespace {

/// Does it touch one of its group that has settled nearer to the goal?
bool touches_settled(const CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    const Neighbours& near = crowd.near[i];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        const double touch = unit.body.radius * (1.0 + kTouch) + other.body.radius;
        if (other.was_settled && other.group == unit.group && other.remaining < unit.remaining &&
            crowd.apart(unit.at.position, other.at.position) < touch)
            return true;
    }
    return false;
}

/// Along the rim to where there is a way in, or the other way round.
void go_round(Unit& unit, bool inside, double stood) {
    if (inside) {
        unit.circling = 0;
        unit.vain = 0;
    } else if (stood >= (unit.circling == 0 ? kStood : kStoodCircling)) {
        unit.circling = unit.circling > 0 ? -1 : 1;
        unit.stood_for = 0.0;
        ++unit.vain;
    }
}

}  // namespace

namespace {

/// Who has a seat: there, or as near to it as it could come.
void settle_on_seat(CrowdData& crowd, Unit& unit, double stood) {
    const double r = unit.body.radius;
    double apart = distance(unit.p(), ground(crowd.seats.list[unit.seat].at));
    if (unit.settled) {
        if (apart > (unit.settled_at > r ? unit.settled_at : r) + r) unit.settled = false;  // pushed off
        return;
    }
    const bool aims = unit.seat_aim == unit.seat;
    if (!(aims && (apart < kAtGoal * r || (apart < kNearSeat * r && stood >= kStood)))) {
        // it stands on another one: that will do, at last also one that nobody wants
        const std::uint32_t here =
            stood >= kStoodLongest ? seat_at(crowd, crowd.groups[unit.group_at], unit.p()) : kNone;
        if (here == kNone || (stood < kStoodInVain && !crowd.seats.list[here].wanted)) return;
        if (stood >= kStoodInVain) unit.vain = 1;
        unit.seat = unit.seat_aim = here;
        apart = distance(unit.p(), ground(crowd.seats.list[here].at));
    }
    unit.settled = true;
    unit.settled_at = apart;
    unit.state = UnitState::arrived;
}

}  // namespace

void settle_in_group(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    const double r = unit.body.radius;
    unit.stood_for = crowd.speed(i) < kSlow * unit.speed_max() ? unit.stood_for + crowd.step : 0.0;
    if (unit.seat != kNone) {
        settle_on_seat(crowd, unit, unit.stood_for * unit.speed_max() / r);
        return;
    }
    const double radius = crowd.groups[unit.group_at].radius(crowd.options.space);
    if (unit.settled && unit.remaining > (unit.settled_at > radius ? unit.settled_at : radius) + r)
        unit.settled = false;  // pushed out
    if (unit.settled) return;
    const double stood = unit.stood_for * unit.speed_max() / r;
    const bool touches = stood >= kStood && touches_settled(crowd, i);
    bool settles = unit.remaining < kAtGoal * r;
    if (unit.packing) {
        const bool inside = unit.remaining <= radius;
        go_round(unit, inside, stood);
        settles =
            settles || (inside && stood >= kStoodLong) || (touches && (inside || unit.vain > kVainMost));
    } else {
        unit.circling = 0;
        unit.vain = 0;
        settles = settles || (touches && stood >= kStoodBehind);
    }
    if (!settles) return;
    unit.settled = true;
    unit.settled_at = unit.remaining;
    unit.state = UnitState::arrived;
}

}  // namespace fairlead::crowd
