// Random input for the tests of this module: small lattices, so that most of it is degenerate.
#pragma once

#include <fairlead/base/rng.h>
#include <fairlead/polygon/triangulate.h>

#include <cmath>
#include <vector>

namespace fairlead::polygon_test {

struct World {
    std::vector<Vec2> points;
    std::vector<ConstraintSegment> segments;
    double quantum = 0.0;
};

inline World random_world(Rng& rng, int points_max, int segments_max) {
    World world;
    const int side = rng.between(1, rng.below(4) == 0 ? 100 : 10);
    const int points = rng.between(0, points_max), segments = rng.between(0, segments_max);
    const bool slanted = rng.below(6) == 0;
    for (int i = 0; i < points; ++i) {
        Vec2 p;
        p.x = rng.between(0, side);
        p.y = rng.between(0, side);
        if (slanted) {
            p.x += rng.unit();
            p.y += rng.unit() * 0.01;
        }
        world.points.push_back(p);
    }
    for (int i = 0; i < segments && points > 0; ++i) {
        ConstraintSegment segment;
        segment.from = rng.below(static_cast<std::uint32_t>(points));
        segment.to = rng.below(static_cast<std::uint32_t>(points));
        segment.label = 1U << rng.below(5);
        world.segments.push_back(segment);
    }
    const double quanta[] = {0.0, 1.0, 0.25, 2.0, 0x1p-20};
    world.quantum = quanta[rng.below(5)];
    return world;
}

/// Closed rings of random lattice points: they cross, touch and overlap themselves and each other.
struct Rings {
    std::vector<Vec2> points;
    std::vector<std::uint32_t> sizes;
    std::vector<ConstraintSegment> segments;
    std::vector<std::uint32_t> ring;  ///< of each segment
};

inline Rings random_rings(Rng& rng, int rings_max, int size_max, int side) {
    Rings out;
    const int rings = rng.between(1, rings_max);
    for (int r = 0; r < rings; ++r) {
        const auto first = static_cast<std::uint32_t>(out.points.size());
        const int size = rng.between(1, size_max);
        const bool box = rng.below(3) == 0;
        const int x = rng.between(0, side), y = rng.between(0, side);
        const int w = rng.between(0, side / 2), h = rng.between(0, side / 2);
        if (box) {
            const bool forth = rng.below(2) == 0;
            const double x2 = x + w, y2 = y + h;
            const Vec2 a{double(x), double(y)}, b{x2, double(y)}, c{x2, y2}, d{double(x), y2};
            for (const Vec2 p : {a, forth ? b : d, c, forth ? d : b}) out.points.push_back(p);
        } else {
            for (int i = 0; i < size; ++i) {
                Vec2 p;
                p.x = rng.between(0, side);
                p.y = rng.between(0, side);
                out.points.push_back(p);
            }
        }
        const auto count = static_cast<std::uint32_t>(out.points.size()) - first;
        out.sizes.push_back(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            out.segments.push_back({first + i, first + (i + 1) % count, 1U << (r % 3)});
            out.ring.push_back(static_cast<std::uint32_t>(r));
        }
    }
    return out;
}

/// How often the segments with a bit of `mask` run around p, counter-clockwise; p is on none of them. A ray to +x.
inline int winding_at(std::span<const Vec2> points, std::span<const ConstraintSegment> segments,
                      std::uint32_t mask, Vec2 p) {
    int turns = 0;
    for (const ConstraintSegment& s : segments) {
        if ((s.label & mask) == 0) continue;
        const Vec2 a = points[s.from], b = points[s.to];
        if ((a.y <= p.y) == (b.y <= p.y)) continue;
        const double x = a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y));
        if (x > p.x) turns += b.y > a.y ? 1 : -1;
    }
    return turns;
}

}  // namespace fairlead::polygon_test
