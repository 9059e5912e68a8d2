#include "gallery/yard.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include <fairlead/polygon/outline.h>

#include "gallery/need.h"

namespace fairlead::gallery {

namespace {

/// > 0: c lies to the left of the line from a to b.
double side_of(Vec2 a, Vec2 b, Vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

PolygonId polygon_at(const NavMeshState& mesh, Vec2 p) {
    const MeshPoint at = mesh.nearest({p.x, p.y, 0.0});
    if (!at.polygon.valid()) throw DemoError{"a place off the mesh"};
    return at.polygon;
}

struct Entry {
    double length = 0.0;
    Vec2 at{};
    PolygonId from{};
    YardPortal portal{};
    bool done = false;
};

}  // namespace

NavMesh outline_mesh(const std::vector<std::vector<Vec2>>& rings, double radius_max) {
    std::vector<Vec2> points;
    std::vector<std::uint32_t> sizes;
    for (const std::vector<Vec2>& ring : rings) {
        points.insert(points.end(), ring.begin(), ring.end());
        sizes.push_back(static_cast<std::uint32_t>(ring.size()));
    }
    const OutlineMesh outline = need(outline_to_convex({.points = points, .sizes = sizes}));
    std::vector<Vec3> vertices;
    for (const Vec2 p : outline.vertices) vertices.push_back({p.x, p.y, 0.0});
    const NavMeshTile tile{.vertices = vertices,
                           .polygon_sizes = outline.sizes.span(),
                           .polygon_corners = outline.corners.span()};
    return need(NavMesh::make({.radius_max = radius_max, .tiles = {&tile, 1}}));
}

std::vector<std::vector<Vec2>> yard_rings() {
    return {{{0, 0}, {26, 0}, {26, 15}, {0, 15}},
            {{4, 3}, {10, 3}, {10, 6}, {7, 6}, {7, 9.5}, {4, 9.5}},
            {{13, 2}, {17, 1.5}, {18.5, 5}, {14, 6.5}},
            {{11, 9.4}, {12.2, 8.4}, {19.5, 11.2}, {18.6, 12.4}},
            {{20.5, 4}, {23.5, 5.2}, {22.5, 9.4}, {19.8, 8.4}},
            {{8.2, 11.2}, {9.6, 10.8}, {10.4, 13}, {8.6, 13.4}}};
}

YardCorridor find_corridor(const NavMeshState& mesh, Vec2 from, Vec2 to) {
    const PolygonId first = polygon_at(mesh, from), last = polygon_at(mesh, to);
    std::map<PolygonId, Entry> known;
    known[first] = {.at = from};
    for (;;) {
        PolygonId at{};
        for (const auto& [id, entry] : known) {
            if (!entry.done && (!at.valid() || entry.length < known[at].length)) at = id;
        }
        if (!at.valid()) throw DemoError{"no corridor"};
        known[at].done = true;
        if (at == last) break;
        const Entry here = known[at];
        for (std::uint32_t i = 0; i < mesh.corners(at); ++i) {
            const PolygonId next = mesh.neighbour(at, i);
            if (!next.valid()) continue;
            // Counter-clockwise: who goes out over a side has its first end on the right.
            const YardPortal portal{ground(mesh.corner(at, (i + 1) % mesh.corners(at))),
                                    ground(mesh.corner(at, i))};
            const double length = here.length + distance(here.at, portal.middle());
            const auto found = known.find(next);
            if (found != known.end() && found->second.length <= length) continue;
            known[next] = {.length = length, .at = portal.middle(), .from = at, .portal = portal};
        }
    }
    YardCorridor corridor;
    for (PolygonId at = last; at != first; at = known[at].from) {
        corridor.polygons.push_back(at);
        corridor.portals.push_back(known[at].portal);
    }
    corridor.polygons.push_back(first);
    std::reverse(corridor.polygons.begin(), corridor.polygons.end());
    std::reverse(corridor.portals.begin(), corridor.portals.end());
    return corridor;
}

std::vector<FunnelStep> funnel_steps(std::span<const YardPortal> portals, Vec2 from, Vec2 to) {
    std::vector<FunnelStep> steps;
    std::vector<Vec2> line{from};
    Vec2 apex = from, left = from, right = from;
    std::size_t left_at = 0, right_at = 0;
    bool open = false;  // the funnel has two sides
    for (std::size_t i = 0; i <= portals.size(); ++i) {
        const YardPortal portal = i < portals.size() ? portals[i] : YardPortal{to, to};
        const auto corner = [&](Vec2 at, std::size_t portal_at) {
            line.push_back(at);
            steps.push_back({i, apex, left, right, line, true});
            apex = at;
            open = false;
            i = portal_at;
        };
        if (!open) {
            left = portal.left;
            right = portal.right;
            left_at = right_at = i;
            open = left != apex && right != apex;
            steps.push_back({i, apex, left, right, line, false});
            continue;
        }
        // Each side moves only inwards; past the other side, that one's end is a corner.
        if (side_of(apex, right, portal.right) >= 0) {
            if (side_of(apex, left, portal.right) > 0) {
                corner(left, left_at);
                continue;
            }
            right = portal.right;
            right_at = i;
        }
        if (side_of(apex, left, portal.left) <= 0) {
            if (side_of(apex, right, portal.left) < 0) {
                corner(right, right_at);
                continue;
            }
            left = portal.left;
            left_at = i;
        }
        steps.push_back({i, apex, left, right, line, false});
    }
    return steps;
}

double length_of(std::span<const Vec2> line) {
    double length = 0.0;
    for (std::size_t i = 1; i < line.size(); ++i) length += distance(line[i - 1], line[i]);
    return length;
}

}  // namespace fairlead::gallery
