#include "mesh/surface/clear_spot.h"

#include "mesh/surface/nearest_wall.h"
#include "mesh/surface/walk.h"

namespace fairlead::mesh {

namespace {

constexpr int kStepsMax = 32;

}  // namespace

bool find_clear_spot(const StateData& state, const SurfacePoint& wanted, const SpotRules& rules,
                     FloodWork& work, SurfacePoint& out) {
    SurfacePoint at = wanted;
    for (int step = 0; step < kStepsMax; ++step) {
        const double nearest = rules.radius - (step == 0 ? rules.slack : 0.0);
        NearestWall near;
        if (!find_nearest_wall(state, at.polygon, at.position, nearest, rules.closed_areas, work, near))
            return false;
        if (near.wall == kNone) {
            out = at;
            out.z = ground_at(state, at.polygon, at.position);
            return true;
        }
        // A little more than needed, so that two walls that meet do not pass it to and fro for ever.
        const Vec2 a = state.edge(near.wall).from, b = state.to(near.wall);
        const Vec2 off = at.position - near.point;
        // On the wall, as far as rounding can tell: `off` says nothing of where the free side is.
        const bool on_wall = dot(off, off) <= rules.slack * rules.slack;
        const Vec2 away = on_wall ? Vec2{a.y - b.y, b.x - a.x} : off;
        const Vec2 target = near.point + away * (rules.radius * (1.0 + 0x1p-20) / length(away));
        if (distance(target, wanted.position) > rules.across) break;
        Walk walk{.from = at.position, .to = target, .polygon = at.polygon};
        walk.end = walk.from;
        walk.closed_areas = rules.closed_areas;
        finish_walk(state, walk);
        if (walk.wall != kNone) break;
        at.polygon = walk.polygon;
        at.position = target;
    }
    out = {};
    return true;
}

bool find_place(const StateData& state, Vec3 position, const MeshReach& reach, const SpotRules& rules,
                FloodWork& work, SurfacePoint& nearest, SurfacePoint& out) {
    nearest = out = nearest_point(state, position, reach, rules.closed_areas);
    if (nearest.polygon == kNone || rules.radius == 0.0) return true;
    return find_clear_spot(state, nearest, rules, work, out);
}

}  // namespace fairlead::mesh
