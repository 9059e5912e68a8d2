// What one asks of the surface of a level mesh besides routes: how far one sees along it, where a step ends, how near
// the next wall is, points at random, what lies within reach. All lengths are on the ground plane; positions are in the
// world. A MeshPoint comes from NavMeshState::nearest and must be of the same revision.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// How a straight walk ended.
struct MeshHit {
    bool hit = false;     ///< at a wall, before the goal
    MeshPoint end{};      ///< there, or the goal
    double length = 0.0;  ///< of the walk
    Vec2 wall_a{};        ///< the wall that was hit, with the surface on the left of ab
    Vec2 wall_b{};
};

/// Walks straight towards a point, up and down with the surface, until a wall or a closed area stops it. Exact:
/// touching walls and corners is allowed. However far the point is; one that is not finite is not walked to: hit, at the start, with
/// both ends of the wall there. Cost: 20 ns a polygon.
[[nodiscard]] MeshHit cast_ray(const NavMeshState& mesh, const MeshPoint& from, Vec2 to,
                               const MeshFilter& filter = {});

/// Moves towards a point and slides along walls: the place nearest to `to` that can be reached without leaving the
/// circle around the middle of the two points that has both on it, and a little room. For one step of a character, a few
/// polygons long. Cost: 30 ns a polygon in the circle. Errors: not_finite (index 2), out_of_memory.
[[nodiscard]] Result<MeshPoint> move_along(const NavMeshState& mesh, const MeshPoint& from, Vec2 to,
                                           Scratch& scratch, const MeshFilter& filter = {});

struct MeshWall {
    bool found = false;     ///< a wall within reach
    double distance = 0.0;  ///< to it; else the reach
    Vec2 point{};           ///< its nearest point
    Vec2 wall_a{};
    Vec2 wall_b{};
};

/// The wall nearest to a point, over the surface within `reach`. Cost: 30 ns a polygon within reach. Errors: not_finite,
/// out_of_range (reach is no number, or below 0; index 2), out_of_memory.
[[nodiscard]] Result<MeshWall> find_wall(const NavMeshState& mesh, const MeshPoint& from, double reach,
                                         Scratch& scratch, const MeshFilter& filter = {});

/// A point of the mesh at random, each as likely as the other (by area on the ground plane). Not valid() if the mesh is
/// empty. O(polygons).
[[nodiscard]] MeshPoint random_point(const NavMeshState& mesh, Rng& rng, const MeshFilter& filter = {});

/// A polygon within reach, and how far its nearest point is on the shortest way.
struct MeshDistance {
    PolygonId polygon{};
    double distance = 0.0;
};

/// All polygons with a point that is at most `reach` away on the shortest way over the surface and its links (their cost
/// counts), ordered by distance. Errors: not_finite, out_of_range (reach, as find_wall), size_limit (factors of links), out_of_memory.
[[nodiscard]] Result<void> find_within_into(const NavMeshState& mesh, const MeshPoint& from, double reach,
                                            Scratch& scratch, Array<MeshDistance>& out,
                                            const MeshFilter& filter = {});

/// Cuts the straight legs of a route where the surface leaves the straight line between their ends by more than `error`
/// in height. Same way, same length, more legs. With a height field the ground is looked at every half cell (65,536 times a
/// leg at most); between two looks the ground that NavMeshState::nearest tells bends by a 32nd of what the four cells there are
/// off a plane, at most. Errors: stale_revision (the route is of another revision),
/// out_of_range (error not above 0), out_of_memory; the route is as it was then.
[[nodiscard]] Result<void> follow_surface(const NavMeshState& mesh, double error, Route& route);

}  // namespace fairlead
