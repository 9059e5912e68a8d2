#include "gallery/walkable.h"

#include <algorithm>

#include <fairlead/math/swept.h>

namespace fairlead::gallery {

namespace {

constexpr double kSampleStep = 0.2;

}  // namespace

std::vector<Vec2> sample_points(Vec2 a, Vec2 b, double radius) {
    std::vector<Vec2> points;
    const double size = distance(a, b);
    for (int k = 0; k * kSampleStep < size; ++k) {
        const Vec2 at = a + (b - a) * (k * kSampleStep / size);
        points.insert(points.end(), {at + Vec2{radius, 0}, at + Vec2{0, radius}, at - Vec2{radius, 0},
                                     at - Vec2{0, radius}});
    }
    return points;
}

Walkable test_move(const GridState& grid, Vec2 a, Vec2 b, double radius) {
    Walkable result;
    for (const Vec2 p : sample_points(a, b, radius)) {
        if (grid.blocked(grid.cell_at(p))) result.sampled_free = false;
    }
    const Cell low = grid.cell_at({std::min(a.x, b.x) - radius, std::min(a.y, b.y) - radius});
    const Cell high = grid.cell_at({std::max(a.x, b.x) + radius, std::max(a.y, b.y) + radius});
    for (std::int32_t y = low.y; y <= high.y; ++y) {
        for (std::int32_t x = low.x; x <= high.x; ++x) {
            const Aabb box{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
            if (grid.blocked({x, y}) && math::penetration_disc_box(a, b, radius, box) > 1e-9)
                result.overlapped.push_back({x, y});
        }
    }
    return result;
}

Misses count_misses(const GridState& grid, double radius, int wanted, std::uint64_t seed) {
    Rng rng{seed};
    Misses misses;
    const Agent agent{.radius = radius};
    while (misses.illegal < wanted) {
        const Cell from{rng.between(0, grid.width() - 1), rng.between(0, grid.height() - 1)};
        const Cell to{from.x + rng.between(-12, 12), from.y + rng.between(-12, 12)};
        if (from == to || !grid.inside(to) || !grid.can_stand(from, agent) || !grid.can_stand(to, agent))
            continue;
        const Move move{grid.cell_centre(from), grid.cell_centre(to)};
        const Walkable result = test_move(grid, move.from, move.to, radius);
        if (result.overlapped.empty()) continue;
        ++misses.illegal;
        if (result.sampled_free) misses.accepted.push_back(move);
    }
    return misses;
}

}  // namespace fairlead::gallery
