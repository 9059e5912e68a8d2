#include "oracle/volume_prices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace fairlead::oracle {

namespace {

using Real = long double;

struct Point {
    Real x, y, z;
};

// How far inside the region's surface; outside below 0 (of a box: along the axis that matters most, so no farther than it is).
Real depth_in(const VolumeBlocker& b, Point p) {
    if (!b.is_box()) {
        const Real x = p.x - b.centre.x, y = p.y - b.centre.y, z = p.z - b.centre.z;
        return b.radius - std::sqrt(x * x + y * y + z * z);
    }
    return std::min(
        {p.x - b.low.x, b.high.x - p.x, p.y - b.low.y, b.high.y - p.y, p.z - b.low.z, b.high.z - p.z});
}

// The speed over ground along `u` by bisection: how far along it the unit can be after a second.
Real speed_along(Vec3 drift, Point u) {
    Real low = 0, high = 2;
    for (int i = 0; i < 80; ++i) {
        const Real v = (low + high) / 2;
        const Real x = u.x * v - drift.x, y = u.y * v - drift.y, z = u.z * v - drift.z;
        (x * x + y * y + z * z <= 1 ? low : high) = v;
    }
    return low;
}

struct Line {
    std::span<const VolumeArea> prices;
    Point a, b;
    Real length;

    [[nodiscard]] Point at(Real t) const {
        return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
    }
    [[nodiscard]] Real rate(Real t) const {
        Real danger = 1;
        const VolumeArea* current = nullptr;
        for (const VolumeArea& p : prices) {
            if (depth_in(p.region, at(t)) < 0) continue;
            danger += p.factor - Real{1};
            if (p.drift.x != 0 || p.drift.y != 0 || p.drift.z != 0) current = &p;
        }
        danger = std::min(danger, Real{kDangerMost});
        if (current == nullptr) return danger;
        const Point u{(b.x - a.x) / length, (b.y - a.y) / length, (b.z - a.z) / length};
        return danger / speed_along(current->drift, u);
    }
    [[nodiscard]] Real cost(Real from, Real to, int depth) const {
        const Real middle = (from + to) / 2, half = (to - from) / 2 * length;
        const bool settled = std::all_of(prices.begin(), prices.end(), [&](const VolumeArea& p) {
            return std::fabs(depth_in(p.region, at(middle))) >= half;
        });
        if (settled || depth == 0) return rate(middle) * 2 * half;
        return cost(from, middle, depth - 1) + cost(middle, to, depth - 1);
    }
};

}  // namespace

long double price_of_line(std::span<const VolumeArea> prices, Vec3 from, Vec3 to) {
    Line line{prices, {from.x, from.y, from.z}, {to.x, to.y, to.z}, 0};
    const Real x = line.b.x - line.a.x, y = line.b.y - line.a.y, z = line.b.z - line.a.z;
    line.length = std::sqrt(x * x + y * y + z * z);
    return line.length == 0 ? 0 : line.cost(0, 1, 40);
}

std::vector<long double> priced_costs_from(const VolumeDense& world, const VolumeGraph& graph,
                                           std::span<const VolumeArea> prices, Voxel from) {
    using Entry = std::pair<Real, std::size_t>;
    std::vector<Real> best(world.solid.size(), -1);
    std::vector<bool> closed(world.solid.size());
    if (!world.is_free(from)) return best;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
    best[world.index(from)] = 0;
    heap.emplace(0, world.index(from));
    while (!heap.empty()) {
        const auto [cost, here] = heap.top();
        heap.pop();
        if (closed[here]) continue;
        closed[here] = true;
        const Voxel at = world.at(here);
        for (const Voxel& by : graph.steps()) {
            if (!graph.step_free(at, by)) continue;
            const Voxel next{at.x + by.x, at.y + by.y, at.z + by.z};
            const std::size_t there = world.index(next);
            if (closed[there]) continue;
            const Real sum = cost + price_of_line(prices, world.centre(at), world.centre(next));
            if (best[there] >= 0 && best[there] <= sum) continue;
            best[there] = sum;
            heap.emplace(sum, there);
        }
    }
    return best;
}

}  // namespace fairlead::oracle
