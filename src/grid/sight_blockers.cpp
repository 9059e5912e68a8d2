// Blockers: discs and boxes that are in the way for one query only, in every lap of a wrapped axis.

#include <cmath>

#include "grid/sight.h"
#include "grid/sight_lines.h"

namespace fairlead::grid {

namespace {

using namespace sight_detail;

/// The laps of a wrapped axis in which something at [low, high] may come within reach of [from, to].
struct Laps {
    double first = 0.0;
    double last = 0.0;
    double period = 1.0;
    Laps(bool wrap, std::int32_t size, double low, double high, double reach, double from, double to) {
        if (!wrap) return;
        period = static_cast<double>(size);
        reach = smaller_of(reach, period);
        // Of something that is much longer than all that, the images around its middle cover everything.
        const double middle = 0.5 * (low + high);
        const double enough = 0.5 * (to - from) + 2.0 * period;
        low = larger_of(low, middle - enough);
        high = smaller_of(high, middle + enough);
        first = std::ceil((from - reach - high) / period - 1e-6) * period;
        last = std::floor((to + reach - low) / period + 1e-6) * period;
    }
};

/// visit(blocker, shift) for all images of all blockers of the layer whose box comes within reach of that of
/// the segment, until it returns false; returns that.
template <class Visit>
bool visit_blockers(const SightWorld& world, Vec2 a, Vec2 b, double reach, Visit visit) {
    const StateData& state = *world.state;
    const Vec2 low{smaller_of(a.x, b.x), smaller_of(a.y, b.y)};
    const Vec2 high{larger_of(a.x, b.x), larger_of(a.y, b.y)};
    for (const Blocker& blocker : world.blockers) {
        if (blocker.layer != world.layer) continue;
        const Vec2 size{blocker.radius, blocker.radius};
        const Aabb at =
            blocker.box.empty() ? Aabb{blocker.centre - size, blocker.centre + size} : blocker.box;
        const Laps across(state.wrap_x, state.width, at.low.x, at.high.x, reach, low.x, high.x);
        const Laps along(state.wrap_y, state.height, at.low.y, at.high.y, reach, low.y, high.y);
        for (double y = along.first; y <= along.last; y += along.period) {
            if (at.low.y + y >= high.y + reach || at.high.y + y <= low.y - reach) continue;
            for (double x = across.first; x <= across.last; x += across.period) {
                if (at.low.x + x >= high.x + reach || at.high.x + x <= low.x - reach) continue;
                if (!visit(blocker, Vec2{x, y})) return false;
            }
        }
    }
    return true;
}

bool meets_disc(Vec2 a, Vec2 b, double radius, const Aabb& at) {
    const double reach = radius - kSlack;
    return reach > 0.0 && math::distance_segment_box(a, b, at) < reach;
}

/// For a square body the obstacle is grown by half its side instead, corners and all; the centre is a point
/// then.
bool meets(const SightWorld& world, double reach, Vec2 a, Vec2 b, const Blocker& blocker, Vec2 shift) {
    const bool square = world.footprint > 0;
    if (!blocker.box.empty()) {
        const Aabb box{blocker.box.low + shift, blocker.box.high + shift};
        return square ? math::square_sweep_overlaps_box(a, b, reach, box, kSlack)
                      : math::disc_sweep_overlaps_box(a, b, reach, box, kSlack);
    }
    const Vec2 centre = blocker.centre + shift;
    if (!square) return meets_disc(a, b, reach + blocker.radius, {centre, centre});
    const Vec2 half{reach, reach};
    const Aabb grown{centre - half, centre + half};
    return blocker.radius <= kSlack ? math::disc_sweep_overlaps_box(a, b, 0.0, grown, kSlack)
                                    : meets_disc(a, b, blocker.radius, grown);
}

}  // namespace

bool Sight::blockers_allow(Vec2 a, Vec2 b) const {
    return visit_blockers(world_, a, b, reach_, [&](const Blocker& blocker, Vec2 shift) {
        return !meets(world_, reach_, a, b, blocker, shift);
    });
}

double Sight::blockers_clearance(Vec2 a, Vec2 b, double limit) const {
    double best = limit;
    visit_blockers(world_, a, b, limit, [&](const Blocker& blocker, Vec2 shift) {
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
