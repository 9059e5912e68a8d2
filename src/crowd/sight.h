// What a unit sees of its way, on the ground and in space.
#pragma once

#include "crowd/crowd_data.h"

namespace fairlead::crowd {

constexpr double kWhole = 0.999;
constexpr double kAtAim = 1.5;      // radii
constexpr double kHiddenFor = 1.5;  // radii
constexpr double kFound = 0.5;      // a second in sight makes up for so many out of sight
constexpr double kSeesWith = 0.75;  // of the radius

inline bool sees(const CrowdData& crowd, const Unit& unit, Vec3 to, double part) {
    return crowd.world->clear == nullptr ||
           crowd.world->clear(unit.at, to, part * unit.body.radius, crowd.world->user);
}

/// How far the wall in a direction is, up to `reach`: the world's pieces lie before it.
inline double ray_to_wall(const CrowdData& crowd, const Unit& unit, Vec2 way, double reach) {
    const double margin = crowd.world->margin;
    if (!(reach > margin)) return reach;
    return crowd.world->ray(unit.at, {way.x, way.y, 0.0}, reach - margin, crowd.world->user) + margin;
}

/// On to the next point as soon as the way to it is free for the whole body: a gap that is too narrow must not draw it away from its route.
/// At the point itself a little slimmer: a route touches the corners that it bends round, and from beside it they would be in the way.
inline bool goes_to_next(const CrowdData& crowd, const Unit& unit, double to_aim, Vec3 next) {
    if (sees(crowd, unit, next, kWhole)) return true;
    return to_aim < kAtAim * unit.speed_max() * pace_of(unit, crowd.step) &&
           sees(crowd, unit, next, kSeesWith);
}

/// What is hidden for a moment only is not lost: a corner that it touches.
inline bool goes_on(const Unit& unit, double step) {
    return unit.in_sight || unit.unseen < kHiddenFor * pace_of(unit, step);
}

/// In sight by turns is lost as well: it would go to and fro for ever.
inline void count_astray(Unit& unit, bool hidden, double step) {
    const double astray = unit.astray + (hidden ? step : -kFound * step);
    unit.astray = astray > 0.0 ? astray : 0.0;
}

}  // namespace fairlead::crowd
