#include "oracle/disc_oracle.h"

#include <algorithm>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "oracle/plain_geometry.h"
#include "oracle/point_graph.h"

namespace fairlead::testing {

namespace {

double segment_segment(const Segment& s, const Segment& t) {
    const Vec2 d = s.b - s.a, e = t.b - t.a;
    const double p = cross(d, t.a - s.a), q = cross(d, t.b - s.a), u = cross(e, s.a - t.a),
                 v = cross(e, s.b - t.a);
    if (((p > 0) != (q > 0)) && ((u > 0) != (v > 0))) return 0.0;
    return std::min({oracle::point_to_segment(s.a, t.a, t.b), oracle::point_to_segment(s.b, t.a, t.b),
                     oracle::point_to_segment(t.a, s.a, s.b), oracle::point_to_segment(t.b, s.a, s.b)});
}

}  // namespace

double DiscOracle::distance_to(const Segment& s) const {
    double least = INFINITY;
    for (const Segment& wall : walls_) least = std::min(least, segment_segment(s, wall));
    return least;
}

bool DiscOracle::clear(const Segment& s, double room) const {
    const double x0 = std::min(s.a.x, s.b.x) - room, x1 = std::max(s.a.x, s.b.x) + room;
    const double y0 = std::min(s.a.y, s.b.y) - room, y1 = std::max(s.a.y, s.b.y) + room;
    return std::all_of(walls_.begin(), walls_.end(), [&](const Segment& wall) {
        if (std::max(wall.a.x, wall.b.x) < x0 || std::min(wall.a.x, wall.b.x) > x1) return true;
        if (std::max(wall.a.y, wall.b.y) < y0 || std::min(wall.a.y, wall.b.y) > y1) return true;
        return segment_segment(s, wall) >= room;
    });
}

std::vector<Vec2> DiscOracle::corners() const {
    std::vector<Vec2> all;
    for (const Segment& wall : walls_) {
        all.push_back(wall.a);
        all.push_back(wall.b);
    }
    std::sort(all.begin(), all.end(),
              [](Vec2 p, Vec2 q) { return p.x < q.x || (p.x == q.x && p.y < q.y); });  // total order
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

double DiscOracle::shortest(Vec2 from, Vec2 to, double radius, int sides, double at_most) const {
    std::vector<Vec2> nodes{from, to}, outward{{}, {}};
    const double room = radius * (1.0 - 1e-9);
    for (const Vec2 corner : corners()) {
        for (int i = 0; i < sides; ++i) {
            const Vec2 away = math::direction(kTwoPi * (i + 0.5) / sides);
            const Vec2 p = corner + away * (radius / math::cos(kPi / sides));
            if (distance(from, p) + distance(p, to) > at_most) continue;
            if (!clear({p, p + Vec2{1e-12, 0}}, room)) continue;
            nodes.push_back(p);
            outward.push_back(away);
        }
    }
    // A taut line leaves a polygon no steeper than its sides turn at a corner. Asked where a way is known: whether there is one
    // at all is told without, where corners of polygons may be missing.
    const double steepest = math::sin(kTwoPi / sides);
    const auto taut = [&](std::size_t at, Vec2 along) {
        return std::isinf(at_most) ||
               std::fabs(dot(outward[at], along)) <= steepest * std::sqrt(dot(along, along));
    };
    const double length = shortest_between(nodes, [&](std::size_t a, std::size_t b) {
        const Vec2 along = nodes[b] - nodes[a];
        return taut(a, along) && taut(b, along) && clear({nodes[a], nodes[b]}, room);
    });
    return length > at_most ? INFINITY : length;
}

}  // namespace fairlead::testing
