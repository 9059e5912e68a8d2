// A second witness for the walls of roadmaps, slow and simple: it looks at a disc in many places along a straight line, at
// one wall after the other, in long double. It shares no geometry with the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fairlead/math/vec.h>

#include "support/roadmaps.h"

namespace fairlead::testing::dense_walls {

using Wide = long double;

struct WidePoint {
    Wide x = 0;
    Wide y = 0;
};

[[nodiscard]] inline Wide turn(WidePoint a, WidePoint b, WidePoint c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

[[nodiscard]] inline Wide distance_to_side(WidePoint p, WidePoint a, WidePoint b) {
    const Wide dx = b.x - a.x;
    const Wide dy = b.y - a.y;
    const Wide square = dx * dx + dy * dy;
    Wide t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    t = std::min<Wide>(1, std::max<Wide>(0, t));
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// The points of one wall.
[[nodiscard]] inline std::vector<WidePoint> outline(const PlainRoadmap& world, const RoadmapWall& wall) {
    std::vector<WidePoint> points;
    for (std::size_t i = 0; i < wall.points; ++i) {
        const Vec2 p = world.wall_points[wall.first_point + i];
        points.push_back({p.x, p.y});
    }
    if (wall.closed) points.push_back(points.front());
    return points;
}

/// How deep a disc at p is in one wall; negative: the gap.
[[nodiscard]] inline Wide depth_at(const PlainRoadmap& world, const RoadmapWall& wall, WidePoint p,
                                   Wide radius) {
    const std::vector<WidePoint> points = outline(world, wall);
    Wide away = 1e30L;
    bool odd = false;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const WidePoint a = points[i];
        const WidePoint b = points[i + 1];
        away = std::min(away, distance_to_side(p, a, b));
        if (!wall.closed || (a.x > p.x) == (b.x > p.x)) continue;
        // Does the vertical ray upwards pass this side?
        if (a.y + (b.y - a.y) * (p.x - a.x) / (b.x - a.x) > p.y) odd = !odd;
    }
    return odd ? radius + away : radius - away;
}

struct Deepest {
    Wide depth = -1e30L;
    Wide distance = 0;  ///< along the line
    std::size_t wall = 0;
};

[[nodiscard]] inline Deepest along(const PlainRoadmap& world, std::size_t wall, Vec2 start, Vec2 end,
                                   double radius, int steps) {
    Deepest found;
    const Wide whole = std::hypot(Wide{end.x} - start.x, Wide{end.y} - start.y);
    for (int i = 0; i <= steps; ++i) {
        const Wide t = static_cast<Wide>(i) / steps;
        const WidePoint p{start.x + t * (Wide{end.x} - start.x), start.y + t * (Wide{end.y} - start.y)};
        const Wide depth = depth_at(world, world.walls[wall], p, radius);
        if (depth > found.depth) found = {depth, t * whole, wall};
    }
    return found;
}

/// Does the line cross a side of an open wall, from one side of it to the other?
[[nodiscard]] inline bool crosses(const PlainRoadmap& world, const RoadmapWall& wall, Vec2 start, Vec2 end) {
    const std::vector<WidePoint> points = outline(world, wall);
    const WidePoint a{start.x, start.y};
    const WidePoint b{end.x, end.y};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const WidePoint c = points[i];
        const WidePoint d = points[i + 1];
        if (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) return true;
    }
    return false;
}

}  // namespace fairlead::testing::dense_walls
