// A yard between buildings as a level mesh, and the textbook's way through it: the figures of the article on navigation meshes. The steps
// are written out here to be drawn one by one; the library's planners are beside them to compare.
#pragma once

#include <span>
#include <vector>

#include <fairlead/math/vec.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead::gallery {

/// Outlines with holes, triangulated and merged to convex polygons.
[[nodiscard]] NavMesh outline_mesh(const std::vector<std::vector<Vec2>>& rings, double radius_max = 0.0);

/// 26 x 15, with five buildings.
[[nodiscard]] std::vector<std::vector<Vec2>> yard_rings();

/// A side between two polygons, as seen by who goes through.
struct YardPortal {
    Vec2 left;
    Vec2 right;
    [[nodiscard]] Vec2 middle() const { return (left + right) * 0.5; }
};

struct YardCorridor {
    std::vector<PolygonId> polygons;
    std::vector<YardPortal> portals;  ///< one fewer
};

/// The polygons from one place to another, by Dijkstra from portal middle to portal middle.
[[nodiscard]] YardCorridor find_corridor(const NavMeshState& mesh, Vec2 from, Vec2 to);

/// One step of the funnel algorithm (technique P10).
struct FunnelStep {
    std::size_t portal = 0;  ///< that is looked at; portals.size(): the goal
    Vec2 apex;
    Vec2 left;
    Vec2 right;
    std::vector<Vec2> line;  ///< so far, without the goal
    bool corner = false;     ///< this step found the line's last point
};

/// All steps; the last one's line is the whole way but for the goal.
[[nodiscard]] std::vector<FunnelStep> funnel_steps(std::span<const YardPortal> portals, Vec2 from, Vec2 to);

[[nodiscard]] double length_of(std::span<const Vec2> line);

}  // namespace fairlead::gallery
