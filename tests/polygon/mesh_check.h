// Checks of a triangulation that share nothing with how it is made: brute force, and the exact predicates of math.
#pragma once

#include <fairlead/math/predicates.h>
#include <fairlead/polygon/triangulate.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::polygon_test {

inline bool less_xy(Vec2 p, Vec2 q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

inline std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end(), less_xy);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return points;
    std::vector<Vec2> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t start = hull.size();
        for (const Vec2 p : points) {
            while (hull.size() >= start + 2 && math::orient2d(hull[hull.size() - 2], hull.back(), p) <= 0.0) {
                hull.pop_back();
            }
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

inline double twice_area(const std::vector<Vec2>& ring) {
    double sum = 0.0;
    for (std::size_t i = 1; i + 1 < ring.size(); ++i) sum += math::orient2d(ring[0], ring[i], ring[i + 1]);
    return sum;
}

inline bool crosses(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const double s = math::orient2d(a, b, c), t = math::orient2d(a, b, d);
    const double u = math::orient2d(c, d, a), v = math::orient2d(c, d, b);
    return ((s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0)) && ((u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0));
}

/// Is p in the open segment a-b?
inline bool within(Vec2 a, Vec2 b, Vec2 p) {
    return p != a && p != b && math::orient2d(a, b, p) == 0.0 && std::min(a.x, b.x) <= p.x &&
           p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}

inline double distance_to(Vec2 a, Vec2 b, Vec2 p) {
    const Vec2 d = b - a;
    const double t = std::clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0);
    return distance(p, a + d * t);
}

/// Empty: nothing is wrong with the mesh as such. O(n^2) if `brute`.
inline std::string planar_fault(const Triangulation& m, bool brute) {
    const std::uint32_t halves = m.triangles() * 3;
    if (m.corners.size() % 3 != 0 || m.twins.size() != halves || m.labels.size() != halves ||
        m.chains.size() != halves) {
        return "sizes";
    }
    std::vector<Vec2> all(m.vertices.begin(), m.vertices.end());
    std::vector<Vec2> sorted = all;
    std::sort(sorted.begin(), sorted.end(), less_xy);
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return "two vertices of one value";
    double sum = 0.0;
    std::vector<char> used(all.size(), 0);
    for (std::uint32_t h = 0; h < halves; ++h) {
        if (m.corners[h] >= all.size()) return "corner";
        used[m.corners[h]] = 1;
    }
    for (std::uint32_t t = 0; t < m.triangles(); ++t) {
        const double area =
            math::orient2d(all[m.corners[3 * t]], all[m.corners[3 * t + 1]], all[m.corners[3 * t + 2]]);
        if (!(area > 0.0)) return "triangle without area";
        sum += area;
    }
    std::uint32_t border = 0;
    for (std::uint32_t h = 0; h < halves; ++h) {
        const std::uint32_t g = m.twins[h];
        if (g == kNoHalfEdge) {
            ++border;
            continue;
        }
        if (g >= halves || m.twins[g] != h) return "twin of twin";
        if (m.from(h) != m.to(g) || m.to(h) != m.from(g)) return "twin's ends";
        if (m.labels[h] != m.labels[g] || m.constrained(h) != m.constrained(g)) return "twin's label";
    }
    const std::vector<Vec2> hull = convex_hull(all);
    if (hull.size() < 3 || math::orient2d(hull[0], hull[1], hull[2]) == 0.0) {
        return halves == 0 ? "" : "triangles on a line";
    }
    for (const char u : used) {
        if (u == 0) return "vertex in no triangle";
    }
    const double want = twice_area(hull);
    double reach = 0.0;
    for (const Vec2 p : hull) reach = std::max(reach, dot(p - hull[0], p - hull[0]));
    if (std::fabs(sum - want) > 1e-9 * want + 1e-14 * reach) return "area";
    if (m.triangles() != 2 * all.size() - 2 - border) return "Euler";
    if (!brute) return "";
    for (std::uint32_t h = 0; h < halves; ++h) {
        const Vec2 a = all[m.from(h)], b = all[m.to(h)];
        for (std::uint32_t g = h + 1; g < halves; ++g) {
            if (crosses(a, b, all[m.from(g)], all[m.to(g)])) return "edges cross";
        }
        for (const Vec2 p : all) {
            if (within(a, b, p)) return "vertex on an edge";
        }
    }
    return "";
}

/// Every edge that no segment covers is locally Delaunay, with the documented choice among cocircular points.
inline std::string delaunay_fault(const Triangulation& m) {
    for (std::uint32_t h = 0; h < m.corners.size(); ++h) {
        const std::uint32_t g = m.twins[h];
        if (g == kNoHalfEdge || m.constrained(h)) continue;
        const Vec2 a = m.vertices[m.from(h)], b = m.vertices[m.to(h)];
        const Vec2 c = m.vertices[m.corners[Triangulation::previous(h)]];
        const Vec2 d = m.vertices[m.corners[Triangulation::previous(g)]];
        const double side = math::in_circle(a, b, c, d);
        if (side > 0.0) return "not Delaunay";
        if (side == 0.0 && less_xy(std::min(c, d, less_xy), std::min(a, b, less_xy))) return "tie";
    }
    return "";
}

/// Every segment is a chain of edges from its start to its end, none of them far from it.
inline std::string cover_fault(const Triangulation& m, std::span<const Vec2> points,
                               std::span<const ConstraintSegment> segments) {
    if (m.vertex_of_point.size() != points.size()) return "vertex_of_point";
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (m.vertices[m.vertex_of_point[i]] != points[i]) return "vertex_of_point";
    }
    if (m.triangles() == 0) return "";
    struct Step {
        std::uint32_t from, to;
    };
    std::vector<std::vector<Step>> steps(segments.size());
    double slack = 0.0;
    for (const Vec2 p : points) slack = std::max({slack, std::fabs(p.x) * 1e-14, std::fabs(p.y) * 1e-14});
    for (std::uint32_t h = 0; h < m.corners.size(); ++h) {
        if (m.twins[h] != kNoHalfEdge && m.twins[h] < h) continue;
        std::uint32_t label = 0;
        bool near = true;
        m.sources(h, [&](ConstraintSource s) {
            label |= segments[s.segment].label;
            const Step step{m.from(h), m.to(h)};
            steps[s.segment].push_back(s.reversed ? Step{step.to, step.from} : step);
            const Vec2 a = points[segments[s.segment].from], b = points[segments[s.segment].to];
            for (const std::uint32_t v : {step.from, step.to}) {
                const Vec2 p = m.vertices[v];
                near = near && distance_to(a, b, p) <= m.deviation + slack;
                if (m.deviation == 0.0) near = near && (p == a || p == b || within(a, b, p));
            }
        });
        if (label != m.labels[h]) return "label";
        if (!near) return "edge far from its segment";
    }
    for (std::size_t s = 0; s < segments.size(); ++s) {
        const std::uint32_t from = m.vertex_of_point[segments[s].from],
                            to = m.vertex_of_point[segments[s].to];
        // A walk that uses every step exists when in and out balance; it is one piece when it reaches the end.
        std::vector<std::pair<std::uint32_t, int>> balance{{from, -1}, {to, 1}};
        for (const Step step : steps[s]) {
            balance.push_back({step.from, 1});
            balance.push_back({step.to, -1});
        }
        std::sort(balance.begin(), balance.end());
        for (std::size_t i = 0; i < balance.size();) {
            int sum = 0;
            const std::uint32_t vertex = balance[i].first;
            for (; i < balance.size() && balance[i].first == vertex; ++i) sum += balance[i].second;
            if (sum != 0) return "chain is not closed up";
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!within(points[segments[s].from], points[segments[s].to], points[i])) continue;
            bool met = false;
            for (const Step step : steps[s]) met = met || step.from == m.vertex_of_point[i];
            if (!met) return "a point on the segment is not in its chain";
        }
        std::vector<std::uint32_t> reached{from};
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (const Step step : steps[s]) {
                if (step.from != reached[i]) continue;
                if (std::find(reached.begin(), reached.end(), step.to) == reached.end())
                    reached.push_back(step.to);
            }
        }
        if (std::find(reached.begin(), reached.end(), to) == reached.end()) return "chain does not arrive";
        for (const Step step : steps[s]) {
            if (std::find(reached.begin(), reached.end(), step.from) == reached.end())
                return "chain in two pieces";
        }
    }
    return "";
}

inline std::string any_fault(const Triangulation& m, std::span<const Vec2> points,
                             std::span<const ConstraintSegment> segments, bool brute) {
    std::string fault = planar_fault(m, brute);
    if (fault.empty()) fault = delaunay_fault(m);
    if (fault.empty()) fault = cover_fault(m, points, segments);
    return fault;
}

}  // namespace fairlead::polygon_test
