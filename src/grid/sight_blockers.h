// The blockers near a place, in every lap of wrapped axes.
#pragma once

#include <cmath>
#include <limits>

#include "grid/sight.h"
#include "grid/sight_lines.h"
#include "route/blocker_index.h"

namespace fairlead::grid::sight_detail {

/// The laps of a wrapped axis in which something at [low, high] may come within reach of [from, to].
struct Laps {
    double first = 0.0;
    double period = 1.0;
    std::int32_t count = 1;
    Laps(bool wrap, std::int32_t size, double low, double high, double reach, double from, double to) {
        if (!wrap) return;
        period = static_cast<double>(size);
        reach = smaller_of(reach, period);
        // Of something that is much longer than all that, the images around its middle cover everything.
        // A quarter of the largest number is far enough, and its sums are still numbers.
        low = larger_of(low, -0.25 * std::numeric_limits<double>::max());
        high = smaller_of(high, 0.25 * std::numeric_limits<double>::max());
        const double middle = 0.5 * (low + high);
        const double enough = 0.5 * (to - from) + 2.0 * period;
        low = larger_of(low, middle - enough);
        high = smaller_of(high, middle + enough);
        first = std::ceil((from - reach - high) / period - 1e-6) * period;
        const double last = std::floor((to + reach - low) / period + 1e-6) * period;
        // Counted, not added up: so far away that a lap is less than a rounding, adding one would never end. Nothing is
        // said there about where on the map the blocker is; what is past all numbers is not on it.
        const double laps = (last - first) / period + 1.5;
        count = laps >= 1.0 ? static_cast<std::int32_t>(smaller_of(laps, 1e9)) : 0;
    }
    [[nodiscard]] double shift(std::int32_t lap) const { return first + lap * period; }
};

/// visit(blocker, shift) for all images of the blocker whose box comes within reach of `near`, until it returns false; returns
/// that.
template <class Visit>
bool visit_images(const StateData& state, const Blocker& blocker, const Aabb& near, double reach,
                  Visit& visit) {
    const Vec2 low = near.low;
    const Vec2 high = near.high;
    const Vec2 size{blocker.radius, blocker.radius};
    const Aabb at = blocker.box.empty() ? Aabb{blocker.centre - size, blocker.centre + size} : blocker.box;
    const Laps across(state.wrap_x, state.width, at.low.x, at.high.x, reach, low.x, high.x);
    const Laps along(state.wrap_y, state.height, at.low.y, at.high.y, reach, low.y, high.y);
    for (std::int32_t j = 0; j < along.count; ++j) {
        const double y = along.shift(j);
        if (at.low.y + y >= high.y + reach || at.high.y + y <= low.y - reach) continue;
        for (std::int32_t i = 0; i < across.count; ++i) {
            const double x = across.shift(i);
            if (at.low.x + x >= high.x + reach || at.high.x + x <= low.x - reach) continue;
            if (!visit(blocker, Vec2{x, y})) return false;
        }
    }
    return true;
}

/// visit(blocker, shift) for all images of all blockers of the layer whose box comes within reach of `near`, until it returns
/// false; returns that.
template <class Visit>
bool visit_blockers(const SightWorld& world, const Aabb& near, double reach, Visit visit) {
    const StateData& state = *world.state;
    if (world.blocker_index != nullptr) {
        const Vec2 by{reach, reach};
        return world.blocker_index->near(world.layer, near.low - by, near.high + by, [&](std::uint32_t i) {
            return visit_images(state, world.blockers[i], near, reach, visit);
        });
    }
    for (const Blocker& blocker : world.blockers) {
        if (blocker.layer == world.layer && !visit_images(state, blocker, near, reach, visit)) return false;
    }
    return true;
}

/// The same for blockers within reach of a triangle.
template <class Visit>
bool visit_blockers_within(const SightWorld& world, const Vec2 (&corners)[3], double reach, Visit visit) {
    const Vec2 p = corners[0], v = corners[1], q = corners[2];
    const Aabb all{{smaller_of(smaller_of(p.x, v.x), q.x), smaller_of(smaller_of(p.y, v.y), q.y)},
                   {larger_of(larger_of(p.x, v.x), q.x), larger_of(larger_of(p.y, v.y), q.y)}};
    if (world.blocker_index == nullptr) return visit_blockers(world, all, reach, visit);
    return world.blocker_index->within(world.layer, corners, reach, [&](std::uint32_t i) {
        return visit_images(*world.state, world.blockers[i], all, reach, visit);
    });
}

/// The same for blockers within reach of the way from a to b, of which on wrapped axes some may be visited twice.
template <class Visit>
bool visit_blockers_along(const SightWorld& world, Vec2 a, Vec2 b, double reach, Visit visit) {
    const Aabb all{{smaller_of(a.x, b.x), smaller_of(a.y, b.y)}, {larger_of(a.x, b.x), larger_of(a.y, b.y)}};
    if (world.blocker_index == nullptr) return visit_blockers(world, all, reach, visit);
    return world.blocker_index->along(world.layer, a, b, reach, [&](std::uint32_t i) {
        return visit_images(*world.state, world.blockers[i], all, reach, visit);
    });
}

}  // namespace fairlead::grid::sight_detail
