// verify for level meshes: does a route stay on the surface? Written apart from the planners, like verify.h for tile
// worlds: it reads polygons, their corners and neighbours, and has its own geometry.
//
//     Violation bad = verify(*route, *level, soldier, {.filter = query.filter});
//     if (bad) puts(bad.text().c_str());   // "leg 3 at 4.25: the body overlaps a wall, number 17, by 2e-6, ..."
//
// What is judged: the route as stored in its doubles; each drive leg is the straight line or arc that its start, heading,
// gear, curvature and length say. Legal means all of this:
//   * every number is finite and in its documented range; a status other than complete, partial or
//     budget_spent has no legs; layers are 0;
//   * a link leg is a link of the mesh that is awake, of a kind that is not closed, open to the unit's radius, in a direction that
//     it has: it starts at a place of the entry side (within the slack), ends at the same place of the exit side, and faces the
//     link's heading. With `links` it is taken at its word: the route goes on wherever it ends. Either way both its ends are on
//     the surface, where the body has room;
//   * a leg leads to the stored start of the next one: position and height; after a turn leg the heading too;
//   * the centre, at every point of every leg and at the route's end, is on the surface: not on any floor above or
//     below it, but on polygons that one comes to from the start over shared sides, where the leg crosses them. Closed
//     areas are not there. The walk starts on whatever floors are within `height_slack` of the first leg's start;
//   * the body, as far as it is larger than what the mesh keeps from walls (below), overlaps no wall of the surface that
//     hangs together with its centre within the body: a floor above or below, or what lies behind a wall, does not count;
//   * a leg starts, and the route ends, at a height within `height_slack` of the surface there. A polygon's heights are
//     linear on the triangles that its first corner makes with the others. With `surface_error` >= 0 a straight leg
//     stays that near to the surface all along. Where a tile has a height field the surface is as high as that says
//     (NavMeshState::ground_height, whose steps may lie 4 slacks aside), and a leg is compared with it where it comes into polygons
//     and their triangles and where it leaves them;
//   * a leg's claim of clearance is true; the route's length is the sum of its legs' lengths;
//   * turning circles, gears and headings, as in verify.h: a unit with a turning radius r drives no curve tighter than
//     1 / r, turns on the spot only if it can pivot, reverses only if it can, and its heading does not jump;
//   * the route was made for this revision.
// Not judged: whether it is short, its cost, the query's start and goal, speed limits.
//
// Touching is legal within the contact slack of math/contact.h,
//     slack = 1e-9 x E + 2^-44 x S,
// E the larger side of the box around the mesh, S its largest ground coordinate. So an overlap of 1e-6 is always found on
// meshes up to 700 in size that are no further than 5e6 from the origin of the world. How deep an overlap
// is: the radius less the distance of the centre from the wall; for a point, how far it is from the surface that it can have come to.
//
// A mesh made for units of NavMeshOptions::agent_radius ends that far from the walls of its level: of the body only what is
// beyond that is compared with the mesh's own sides (body_beyond in route/agent.h).
//
// What is proven. Everything is computed relative to the start of the leg; let M be the largest of E, the length that
// the leg has up to here, and the radius, u = 2^-53, and t the slack less 128uM (too_far where that is less than half of
// the slack). A leg is cut where it has turned through 90 degrees.
//   * The centre. For each polygon P that is met, the set T(P) of all distances along the leg at which the leg is
//     within t of P: on a line one interval, on an arc several. The walk is in P from the moment at which it comes in to
//     the end of the interval, and may change to a neighbour while it is within t of the side that they share. If the
//     end of the leg is reached like this, then there is a path on the surface, without a jump, that is within t of the leg
//     at every moment: the nearest points of the polygons. No such way: the leg leaves the surface by more than t; a leg
//     on the surface has one.
//   * The body, if its radius r is above t. To each moment of the walk belong the polygons that it is in, and those that
//     hang together with them over shared sides nearer than r - t / 2; no wall of them may be nearer than r - t. Then a
//     disc of radius r - t lies on the surface: a straight line from its centre crosses only such sides, and would have to
//     meet a wall of such a polygon to end. And in a legal place nothing is found: all that hangs together within the
//     body lies in the body.
//   * Distances from a line: see verify_roadmap.h. From an arc of at most 90 degrees: the distance from a point, or from
//     a line, rises and falls at most once between the places where the arc faces it or runs along it; between these the
//     moment where it passes a bound is found by halving. What a moment is off by is the distance's own rounding there,
//     below 64uM.
//   * Boxes and capsules. How far the body's rectangle is from a side (overlapping: less than 0, by the smallest move that parts them)
//     changes by no more than its fastest point moves. An interval of a leg is left out when its middle is further off than half of it
//     moves the body, else halved, until that is a quarter of t; so an overlap of more than 1.25 t is found, and none is
//     claimed that is not there. On lines the rectangle becomes longer and is looked at once. What hangs together is what
//     the rectangle touches, to 1e-5 of the leg.
// So legal overlaps are at most the slack (of boxes and capsules 1.25 times that), and all up to slack - 256uM are accepted.
//
// First violation: that of the smallest leg. On one leg: its numbers, what the unit cannot drive, its height, the overlap
// that begins first, the leg's end, its claim. The route's length comes last. A place that is not on the surface at all,
// or at another height: surface.
//
// Cost: 0.2 to 0.5 us for each polygon that a line passes or that hangs together with it within the body, 5 us on arcs, 10 to 100 us
// on arcs for boxes and capsules;
// the start of the route looks up the polygons around it. Memory: about 200 bytes for each of these polygons, from
// `allocator`; when there is none, too_far. Deterministic.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/math/contact.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>
#include <fairlead/verify/verify.h>

namespace fairlead {

/// What the query knew beyond the mesh: give the same here.
struct MeshVerifyOptions {
    MeshFilter filter{};                 ///< closed areas are walls
    double height_slack = kHeightSlack;  ///< >= 0; of the heights of legs' ends
    double surface_error =
        -1.0;            ///< >= 0: straight legs stay that near to the surface in height; see follow_surface
    bool links = false;  ///< link legs are taken at their word; false: they must be links of the mesh
    bool check_revision = true;  ///< off for routes from files, and to ask whether an old route still holds
    std::uint64_t sides_max =
        100000000;  ///< give up with too_far after looking at this many sides of polygons
    Allocator allocator{};
};

/// The first violation along the route, or none. The agent is a disc, a point, a box or a capsule (a footprint: bad_argument). Any argument
/// is safe: hostile numbers give a violation.
[[nodiscard]] Violation verify(const Route& route, const NavMeshState& mesh, const Agent& agent,
                               const MeshVerifyOptions& options = {});

}  // namespace fairlead
