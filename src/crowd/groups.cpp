// Many units, one goal. Near it nobody has priority and nobody is pushed; a unit that touches one that has settled nearer to the
// goal, and has
// stood a moment, settles too. So the crowd grows from the middle outward, and no pile presses on it.
#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kPackingReach = 1.25;  // of the disc that they fill
constexpr double kStood = 0.9;          // radii / speed
constexpr double kStoodLong = 3.0;
constexpr double kStoodCircling = 6.0;
constexpr double kSlow = 0.15;  // of the speed
constexpr double kTouch = 0.5;  // radii
constexpr double kAtGoal = 0.3;

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
    for (Group& group : crowd.groups) group.square = group.cube = group.widest = 0.0;
    for (Unit& unit : crowd.units) {
        unit.packing = false;
        if (!unit.used || unit.group == 0 || unit.way.count == 0) continue;
        const std::size_t at = find_group(crowd, unit.group);
        if (at == crowd.groups.size() || crowd.groups[at].id != unit.group) {
            if (!crowd.groups.push_back({})) return false;
            for (std::size_t i = crowd.groups.size() - 1; i > at; --i) crowd.groups[i] = crowd.groups[i - 1];
            crowd.groups[at] = {unit.group, 0.0, 0.0, 0.0};
        }
        Group& group = crowd.groups[at];
        group.square += unit.body.radius * unit.body.radius;
        group.cube += unit.body.radius * unit.body.radius * unit.body.radius;
        if (unit.body.radius > group.widest) group.widest = unit.body.radius;
    }
    std::size_t kept = 0;
    for (const Group& group : crowd.groups) {
        if (group.square > 0.0) crowd.groups[kept++] = group;
    }
    while (crowd.groups.size() > kept) crowd.groups.pop_back();
    for (Unit& unit : crowd.units) {
        unit.group_at = kNone;
        if (!unit.used || unit.group == 0 || unit.way.count == 0) continue;
        unit.group_at = static_cast<std::uint32_t>(find_group(crowd, unit.group));
        unit.packing =
            unit.remaining < kPackingReach * crowd.groups[unit.group_at].radius(crowd.options.space);
    }
    return true;
}

void settle_in_group(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    const double r = unit.body.radius;
    unit.stood_for = crowd.speed(i) < kSlow * unit.speed_max() ? unit.stood_for + crowd.step : 0.0;
    if (!unit.packing) unit.circling = 0;
    if (unit.settled && unit.remaining > crowd.groups[unit.group_at].radius(crowd.options.space))
        unit.settled = false;  // pushed out
    if (!unit.packing || unit.settled) return;
    bool settles = unit.remaining < kAtGoal * r;
    const double stood = unit.stood_for * unit.speed_max() / r;
    const bool inside = unit.remaining <= crowd.groups[unit.group_at].radius(crowd.options.space);
    // no way in here: along the rim to where there is one
    if (inside) {
        unit.circling = 0;
    } else if (stood >= (unit.circling == 0 ? kStood : kStoodCircling)) {
        unit.circling = unit.circling > 0 ? -1 : 1;  // or the other way round
        unit.stood_for = 0.0;
    }
    settles = settles || (inside && stood >= kStoodLong);
    if (inside && stood >= kStood) {
        const Neighbours& near = crowd.near[i];
        for (std::uint32_t k = 0; k < near.count && !settles; ++k) {
            const Unit& other = crowd.units[near.ids[k]];
            settles = other.was_settled && other.group == unit.group && other.remaining < unit.remaining &&
                      crowd.apart(unit.at.position, other.at.position) < r + other.body.radius + kTouch * r;
        }
    }
    if (!settles) return;
    unit.settled = true;
    unit.state = UnitState::arrived;
}

}  // namespace fairlead::crowd
