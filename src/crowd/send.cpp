// A unit is sent: its route becomes a list of points, arcs several each, and how far and how long it is is counted once.
#include <fairlead/crowd/crowd.h>

#include <fairlead/base/field.h>

#include <cmath>

#include "crowd/crowd_data.h"
#include "crowd/space/space_phases.h"

namespace fairlead {

namespace {

using crowd::CrowdData;
using crowd::Unit;

/// An arc becomes so many lines, so that each is near it.
std::size_t parts_of(const Leg& leg) {
    constexpr double kArcMost = 0.8;  // radians
    const double turn = leg.length * (leg.curvature < 0.0 ? -leg.curvature : leg.curvature);
    return turn > kArcMost ? static_cast<std::size_t>(turn < 64.0 ? turn / kArcMost : 80.0) + 1 : 1;
}

bool write_way(CrowdData& d, Unit& unit, std::span<const Leg> legs, const Place& end) {
    std::size_t count = 1;
    for (const Leg& leg : legs) count += parts_of(leg);
    if (!d.ways.take(count, unit.way)) return false;
    const std::span<crowd::WayPoint> way = d.ways.points(unit.way);
    std::size_t at = 0;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const std::size_t parts = parts_of(legs[i]);
        for (std::size_t k = 1; k < parts; ++k) {
            const double part = static_cast<double>(k) / static_cast<double>(parts);
            const Place place = place_on_leg(legs[i], legs[i].length * part);
            way[at++] = {place.position, place.layer, legs[i].speed_max};
        }
        const Place& last = i + 1 < legs.size() ? legs[i + 1].start : end;
        way[at++] = {last.position, last.layer, legs[i].speed_max};
    }
    way[at] = {end.position, end.layer};
    return true;
}

Result<void> give_route(CrowdData& d, Unit* unit, std::span<const Leg> legs, const Place& end) {
    if (unit == nullptr) return Error{ErrorCode::unknown_id, Field::unit};
    if (unit->body.driven) return Error{ErrorCode::unsupported, Field::unit};
    for (std::size_t i = 0; i < legs.size(); ++i) {
        if (!is_finite(legs[i].start.position) || !std::isfinite(legs[i].length * legs[i].curvature)) {
            return Error{ErrorCode::not_finite, Field::route, static_cast<std::int64_t>(i), 0};
        }
    }
    if (!is_finite(end.position)) return Error{ErrorCode::not_finite, Field::route};
    if (!write_way(d, *unit, legs, end)) return Error{ErrorCode::out_of_memory};
    const std::span<const crowd::WayPoint> way = d.ways.points(unit->way);
    unit->aim = unit->on_leg = 0;
    unit->way_has_limits = false;
    unit->widest_road = -1.0;
    for (const crowd::WayPoint& point : way)
        unit->way_has_limits = unit->way_has_limits || point.speed_max > 0.0;
    unit->after_aim = 0.0;
    for (std::size_t i = 1; i < way.size(); ++i) {
        unit->after_aim += d.apart(way[i - 1].at, way[i].at);
    }
    unit->remaining = d.apart(unit->at.position, way[0].at) + unit->after_aim;
    if (d.options.space) {
        const std::uint32_t slot = slot_of(d, *unit);
        crowd::forget_tunnel(d, slot);
        d.space.units[slot].seen_from = unit->at.position;
    } else if (!find_passages(d, *unit)) {
        return Error{ErrorCode::out_of_memory};
    }
    unit->guided = false;
    unit->in_sight = true;
    unit->by_leg = false;
    unit->way_from = legs.empty() ? unit->at.position : legs[0].start.position;
    unit->seen_from = unit->p();
    unit->unseen = unit->astray = 0.0;
    unit->nearest_left = unit->remaining;
    unit->arrived_for = 0.0;
    unit->settled = false;
    unit->state = UnitState::moving;
    return {};
}

/// The seconds that roads with lower limits take longer.
double slower_on_roads(CrowdData& d, const Unit& unit) {
    double more = 0.0;
    Vec3 from = unit.at.position;
    for (const crowd::WayPoint& point : d.ways.points(unit.way)) {
        if (point.speed_max > 0.0 && point.speed_max < unit.speed_max())
            more += d.apart(from, point.at) * (1.0 / point.speed_max - 1.0 / unit.speed_max());
        from = point.at;
    }
    return more;
}

}  // namespace

Result<void> Crowd::send(UnitId id, const Route& route, const CrowdGoal& goal) {
    return send(id, route.legs.span(), route.end, goal);
}

Result<void> Crowd::send(UnitId id, std::span<const Leg> legs, const Place& end, const CrowdGoal& goal) {
    Unit* unit = find_unit(*data_, id);
    const Result<void> given = give_route(*data_, unit, legs, end);
    if (!given) return given;
    unit->alone = unit->remaining / unit->speed_max() + slower_on_roads(*data_, *unit);
    unit->since = unit->no_nearer_for = 0.0;
    unit->group = goal.group;
    unit->stood_for = 0.0;
    unit->seat = unit->seat_aim = unit->seat_look = crowd::kNone;
    unit->vain = 0;
    return given;
}

Result<void> Crowd::reroute(UnitId id, const Route& route) {
    return give_route(*data_, find_unit(*data_, id), route.legs.span(), route.end);
}

}  // namespace fairlead
