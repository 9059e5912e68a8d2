#include "mesh/clear_spot.h"

#include "mesh/walk.h"

namespace fairlead::mesh {

namespace {

constexpr int kStepsMax = 32;

}  // namespace

bool find_clear_spot(const StateData& state, const SurfacePoint& wanted, const SpotRules& rules,
                     FloodWork& work, SurfacePoint& out) {
    SurfacePoint at = wanted;
    for (int step = 0; step < kStepsMax; ++step) {
        Vec2 from{}, away{};
        double nearest = rules.radius - (step == 0 ? rules.slack : 0.0);
        bool found = false;
        const auto wall = [&](EdgeRef, Vec2 a, Vec2 b) {
            const Vec2 near = nearest_on(a, b, at.position);
            const double far = distance(near, at.position);
            if (far >= nearest) return;
            nearest = far;
            found = true;
            from = near;
            away = far > 0.0 ? at.position - near : Vec2{a.y - b.y, b.x - a.x};
        };
        if (!flood(state, at.polygon, at.position, rules.radius, rules.closed_areas, work, wall))
            return false;
        if (!found) {
            out = at;
            out.z = ground_at(state, at.polygon, at.position);
            return true;
        }
        // A little more than needed, so that two walls that meet do not pass it to and fro for ever.
        const Vec2 target = from + away * (rules.radius * (1.0 + 0x1p-20) / length(away));
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

}  // namespace fairlead::mesh
