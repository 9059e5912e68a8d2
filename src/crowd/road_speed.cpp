// Limits of speed by road. A unit keeps the limit of where it is, and is slow enough before a slower road on its way that braking brings it
// down to that road's limit where the road's ground begins. The distance to that ground shrinks by no more than the unit moves, so
// a unit that keeps to it can keep to it again, however it is pushed about.
#include <cmath>

#include "crowd/avoid/nearest.h"
#include "crowd/crowd_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kBesideRoad = 6.0;  // radii: roads without a width reach so far
constexpr double kBends = 2.0;       // a way may be so much longer than the straight line

/// The fastest from which a unit can brake to a speed within some way, a step at this speed included.
double before(double slower, double way, double brake, double step) {
    const double drop = brake * step;
    const double most = std::sqrt(drop * drop + 2.0 * brake * way + slower * slower) - drop;
    return most > slower ? most : slower;
}

/// The leg that leads to a point of its way: how far the unit is from it.
double to_leg(const Unit& unit, std::span<const WayPoint> way, std::uint32_t i) {
    const Vec2 to = ground(way[i].at);
    const NearestPoints pair = nearest_points(unit.p(), unit.p(), i > 0 ? ground(way[i - 1].at) : to, to);
    return distance(pair.on_way, pair.on_other);
}

}  // namespace

/// How far beside each leg its limit holds.
void find_widths(const CrowdWorld& world, Unit& unit, std::span<WayPoint> way) {
    unit.widest_road = kBesideRoad * unit.body.radius;
    for (std::size_t i = 0; i < way.size(); ++i) {
        const bool known = world.half_width != nullptr && i > 0;
        const double half = known ? world.half_width(way[i - 1].at, way[i].at, world.user) : kUnknown;
        way[i].half_width = half >= 0.0 ? half : kBesideRoad * unit.body.radius;
        if (way[i].half_width > unit.widest_road) unit.widest_road = way[i].half_width;
    }
}

double speed_here(CrowdData& crowd, Unit& unit) {
    double speed = unit.speed_max();
    if (crowd.world->speed_max != nullptr) {
        const double here = crowd.world->speed_max(unit.at, crowd.world->user);
        if (here < speed) speed = here;
    }
    if (unit.way.count == 0 || !unit.way_has_limits) return speed;
    const std::span<WayPoint> way = crowd.ways.points(unit.way);
    if (unit.widest_road < 0.0) find_widths(*crowd.world, unit, way);
    // where it goes straight to a later point it still passes the roads before it
    while (unit.on_leg < unit.aim && to_leg(unit, way, unit.on_leg + 1) <= to_leg(unit, way, unit.on_leg))
        ++unit.on_leg;
    const double brake = unit.body.limits.brake_max;
    const bool stops_at_once = !(brake < 1e300);
    const double reach = speed * crowd.step + (stops_at_once ? 0.0 : speed * speed / (2.0 * brake));
    double along = 0.0;
    Vec2 from = unit.p();
    for (std::uint32_t i = unit.on_leg; i < way.size(); ++i) {
        const WayPoint& point = way[i];
        if (along > kBends * (reach + unit.widest_road)) break;
        if (point.speed_max > 0.0 && point.speed_max < speed) {
            const double away = i == 0 ? 0.0 : to_leg(unit, way, i) - point.half_width;
            if (!stops_at_once) {
                const double most = before(point.speed_max, away > 0.0 ? away : 0.0, brake, crowd.step);
                if (most < speed) speed = most;
            } else if (!(away > speed * crowd.step)) {
                speed = point.speed_max;
            }
        }
        along += distance(from, ground(point.at));
        from = ground(point.at);
    }
    return speed;
}

}  // namespace fairlead::crowd
