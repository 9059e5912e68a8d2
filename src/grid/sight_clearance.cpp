// The distance from a segment to the nearest thing in the way.

#include <cmath>

#include "grid/clearance.h"
#include "grid/sight.h"
#include "grid/sight_lines.h"

namespace fairlead::grid {

namespace {

using namespace sight_detail;

/// Something that the clearance is not above: cells along the segment know how far their centre is from a
/// wall.
double bound_by_classes(const StateData& state, std::int32_t layer, Vec2 a, Vec2 b, double limit) {
    const Lines planes = state.clearance_lines(layer);
    const auto steps = static_cast<std::int32_t>(smaller_of(distance(a, b), 4096.0)) + 1;
    for (std::int32_t i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(steps);
        const Vec2 p = a + (b - a) * t;
        const auto x = static_cast<std::int32_t>(std::floor(p.x));
        const auto y = static_cast<std::int32_t>(std::floor(p.y));
        if (!state.inside(x, y)) continue;  // on the edge, or another lap
        const std::int32_t kind = clearance_class(planes, x, y);
        if (kind == kClearanceClasses - 1) continue;
        if (kind == 0) return 0.0;  // on the side of a wall
        const double gap = 0.5 * std::sqrt(static_cast<double>(kClearanceSums[kind - 1]));
        const double from_centre = distance(p, {static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5});
        limit = smaller_of(limit, gap + from_centre);
    }
    return limit;
}

}  // namespace

double Sight::clearance(Vec2 a, Vec2 b, double limit) const {
    const StateData& state = *world_.state;
    const Vec2 low{smaller_of(a.x, b.x), smaller_of(a.y, b.y)};
    const Vec2 high{larger_of(a.x, b.x), larger_of(a.y, b.y)};
    double best = limit;
    if (!state.wrap_x) {
        best = smaller_of(best, smaller_of(low.x, static_cast<double>(state.width) - high.x));
    }
    if (!state.wrap_y) {
        best = smaller_of(best, smaller_of(low.y, static_cast<double>(state.height) - high.y));
    }
    best = bound_by_classes(state, world_.layer, a, b, best);
    if (best > 0.0 && !world_.blockers.empty()) best = blockers_clearance(a, b, best);
    if (!(best > 0.0)) return 0.0;
    // Where both axes wrap, of every wall an image is nearer than a lap of each: what is not found there is nowhere.
    const bool torus = state.wrap_x && state.wrap_y;
    const double reach = torus ? smaller_of(best, static_cast<double>(state.width + state.height)) : best;
    with_lines(a, b, reach, [&](const auto& source, const Crossing& s) {
        return visit_walls(source, s, reach, [&](const Aabb& box) {
            best = smaller_of(best, math::distance_segment_box(s.a, s.b, box));
            return best > 0.0;
        });
    });
    return best;
}

}  // namespace fairlead::grid
