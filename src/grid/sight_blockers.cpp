// Blockers: discs and boxes that are in the way for one query only, in every lap of a wrapped axis.

#include <cmath>

#include "grid/sight_blockers.h"
#include "grid/sight_lines.h"

namespace fairlead::grid {

namespace {

using namespace sight_detail;

bool meets_disc(Vec2 a, Vec2 b, double radius, const Aabb& at, double slack) {
    const double reach = radius - slack;
    return reach > 0.0 && math::distance_segment_box(a, b, at) < reach;
}

/// What is thinner than the slack is a point: a disc's depth in a box is measured by its radius, a point's by the box. For a
/// square body the obstacle is grown by half its side instead, corners and all; the centre is a point
/// then.
bool meets(const SightWorld& world, double reach, Vec2 a, Vec2 b, const Blocker& blocker, Vec2 shift) {
    const bool square = world.footprint > 0;
    const double slack = world.slack;
    if (!blocker.box.empty()) {
        const Aabb box{blocker.box.low + shift, blocker.box.high + shift};
        return square ? math::square_sweep_overlaps_box(a, b, reach, box, slack)
                      : math::disc_sweep_overlaps_box(a, b, reach > slack ? reach : 0.0, box, slack);
    }
    const Vec2 centre = blocker.centre + shift;
    if (!square) return meets_disc(a, b, reach + blocker.radius, {centre, centre}, slack);
    const Vec2 half{reach, reach};
    const Aabb grown{centre - half, centre + half};
    return blocker.radius <= slack ? math::disc_sweep_overlaps_box(a, b, 0.0, grown, slack)
                                   : meets_disc(a, b, blocker.radius, grown, slack);
}

}  // namespace

bool Sight::blockers_allow(Vec2 a, Vec2 b) const {
    return visit_blockers_along(world_, a, b, reach_, [&](const Blocker& blocker, Vec2 shift) {
        return !meets(world_, reach_, a, b, blocker, shift);
    });
}

double Sight::blockers_clearance(Vec2 a, Vec2 b, double limit) const {
    double best = limit;
    visit_blockers_along(world_, a, b, limit, [&](const Blocker& blocker, Vec2 shift) {
        const bool disc = blocker.box.empty();
        const Aabb at = disc ? Aabb{blocker.centre + shift, blocker.centre + shift}
                             : Aabb{blocker.box.low + shift, blocker.box.high + shift};
        const double gap = math::distance_segment_box(a, b, at) - (disc ? blocker.radius : 0.0);
        best = smaller_of(best, larger_of(gap, 0.0));
        return best > 0.0;
    });
    return best;
}

}  // namespace fairlead::grid
