// verify: is a route legal? The other half of every planner: it is written apart from them, with its own
// geometry, and is the witness that the tests, the command line and a user's own doubts call on.
//
//     Violation bad = verify(*route, *town, truck);
//     if (bad) puts(bad.text().c_str());   // "leg 3 at 4.25: the body overlaps a wall, tile (17, 8), by ..."
//
// This header is about tile worlds; for roadmaps see verify_roadmap.h, for level meshes verify_mesh.h, for volumes
// verify_volume.h.
//
// What is judged. The route *as stored in its doubles*: each drive leg is the straight line or arc that its
// start, heading, gear, curvature and length say, whatever the planner meant. Legal means all of this:
//   * every number is finite and in its documented range; a status other than complete, partial or
//     budget_spent (with `partial` asked for) has no legs;
//   * the body, at every point of every leg and at the route's end, is disjoint from the open interior of
//     what it must not enter: walls (tile 0), the outside of the map on an axis that does not wrap, kinds of
//     terrain that the query forbids, the query's blockers. The interior is that of the walls' union: two
//     walls side by side leave no seam for a point unit to slip through, while two walls that meet only at a
//     corner leave that corner open to it;
//   * a leg leads to the stored start of the next one: position, height, layer; after a turn leg the heading
//     too;
//   * a link leg is a portal of the grid, used from the place where a unit stands in one end's cell (the
//     cell's centre; its low corner for an even footprint) to that of the other end, in a direction that it
//     has;
//   * a leg's claim of clearance is true; the route's length is the sum of its legs' lengths;
//   * a unit with a turning radius r > 0 drives no curve tighter than 1 / r (1e-9 relative beyond is rounding),
//     turns on the spot only if it can pivot, and reverses only if it can;
//   * for a unit with a turning radius, and for a box or capsule: a leg's heading at its end is that of the
//     next leg's start, and of the route's end, within 1e-9 rad. The gear may change there (a cusp); behind a
//     link the heading is free. For discs and footprints that turn on the spot, headings are free;
//   * with VerifyOptions::facings n > 0: a drive leg keeps one heading all along, a multiple of 2 pi / n within
//     1e-9 rad;
//   * the route was made for this revision of the grid.
// Not judged: whether the route is short, its cost, the corner rule (a planner's habit, not geometry), speed
// limits.
//
// Axes that wrap. A route's coordinates are continuous: a leg that crosses the seam of a wrapped axis runs on
// beyond the edge of the map, the next leg starts there, and Route::end may lie whole laps from the goal.
// What is there is what lies there modulo the map's width or height. Only a link may come out in another lap.
//
// Touching is legal within the contact slack of math/contact.h, which planners and worlds use as well:
//     slack = 1e-9 x max(width, height) x cell_size + 2^-44 x largest |coordinate of the map|.
// The second term is 512 roundings of a coordinate, for maps far from the origin; Grid::make refuses those for which the slack
// would be more than 1e-3 cells. A penetration of 1e-6 tiles is found on maps up to 900 tiles wide and 1e6 tiles from the origin. How
// deep an overlap is: the smallest move that frees the body from the one tile (for a point: from the pair or block of tiles)
// that it is in.
//
// What is proven. "Legal" is a proof that no overlap, gap or false claim exceeds the slack. Coordinates are
// taken relative to the map's origin in units of a cell (two roundings, relative to the distance from the
// origin). Legs are cut where they turn through a multiple of 90 degrees, so that each piece is monotone on
// both axes, and each piece is compared with each tile in its reach in closed form. A square body grows the
// tile by half its side, a disc rounds it by its radius; what moves is then a point.
//   * A piece towards +x and +y meets an open box if and only if it does not end before it, start behind it,
//     or pass its upper left or lower right corner on the far side. In the rectangle that such a piece spans,
//     the side is the sign of
//         f(q) = (k |v|^2 - 2 v.n) / (1 + |k v - n|),   v = q - start, n the left normal, k the curvature,
//     the distance of q from the circle (or line, for k = 0), which loses no digits as k goes to 0.
//   * If it does not meet the box, its distance to the box is reached at an end of the piece or opposite a
//     corner, where it is |f(corner)|; elsewhere the piece would run parallel to a side, which an arc does
//     only where it was cut, and a line all along, its ends or a corner's opposite included.
// With u = 2^-53 and S the largest coordinate, length or reach involved (in cells), the error of all this is
// at most: 4uS for the start, 2uS for the direction (trig.h: 1 unit in the last place), 16uS for a point of
// an arc, 4uS for the corners of a grown box, 30u|v| <= 78uS for f: below 128uS. (The tests compare with long
// double and find 2uS.) The test uses slack - 256uS; so legal overlaps are at most the slack, and all up to
// slack - 512uS are accepted. Where 256uS would pass a quarter of the slack (thousands of laps round a small
// map), verify does not guess: too_far.
//
// Bodies that turn. A box or capsule is its core (agent.h: a rectangle or a line) grown by a radius. It faces its
// heading: the direction of travel in forward gear, the opposite one in reverse. A straight leg moves it without
// turning it, an arc turns it rigidly about the arc's centre, a turn leg about its axle. Clearance is measured
// from the axle. How deep it is in a tile is again the smallest move that frees it: the least overlap on the axes
// of the tile and of the core, plus the radius; or the radius less the distance from the tile to the core.
//   * Two convex shapes that move continuously, and are at least R > 0 apart at first, come nearer than R if and
//     only if at some moment a corner of one of them is nearer than R to the other: the distance of shapes that are
//     apart is reached at a corner. A corner of the core runs on a line or arc in the world, a corner of the tile on
//     one in the body's frame; each is compared with a box along the axes, as above. So a step is legal if it does
//     not begin with an overlap on all four axes, and none of the eight corners comes nearer than R.
//   * Let t = slack - 256uS. With a radius of more than 9t/8, R is the radius less t: the same standard as for discs.
//     With a smaller radius r (a box: 0), R = t/8, and the tile first loses m = (t - r) / sqrt(2) on all sides (a
//     blocker too small for that: the core does). That takes m from the overlap on the axes of the one and
//     m (|cos a| + |sin a|) <= t - r on those of the other, a the angle between them. So nothing deeper than t is
//     missed, and what is found is at least t / sqrt(2) - t/8 deep: legal overlaps are at most the slack, and all up
//     to 0.4 slack (0.58 where 256uS is nothing beside it) are accepted. Only between a body and a blocker that are
//     both thinner than twice the slack, shallower ones may be refused.
//   * Errors. Legs are looked at in steps of at most 32 cells or the reach B of the body, in coordinates relative to
//     a cell's corner near the start of the step. The axle there is within 20uS, the facing within 8u, the start of
//     a corner's path within 20u(B + 34), its direction and curvature within 8u; with the 128u of the comparison all
//     is below 20uS + 200u(4B + 68), where S is taken as at least 4B + 68. Bodies are judged up to B = F / 64, F the
//     size for which 256uF is a quarter of the slack; then all is below 0.04 slack, less than R, and below 256uS.
//     (The tests compare with long double.)
//   * The union of walls: bodies thinner than four times the slack are compared with pairs and blocks of tiles, as
//     points are. Others cannot slip along a seam: half their width is in one of the two tiles.
//
// First violation: that of the smallest leg. On that leg: what the unit cannot drive, then the overlap that begins
// at the smallest distance, the leg's end, its claim of clearance. The length of the route is judged last.
//
// Cost: linear in the cells within reach of the body (or of the claimed clearance) along the route: 0.1 to
// 0.3 ms for 1000 cells of lines or arcs. A body that turns: for each closed cell that comes within its reach another
// 0.1 us on lines, 2 us on arcs. No allocation. Deterministic.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/borrowed.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

namespace fairlead {

enum class ViolationKind : std::uint8_t {
    none,          ///< legal
    bad_argument,  ///< the agent or an option is out of its documented range, or too large to be judged
    revision,      ///< made for another revision of the world
    bad_status,    ///< no such status, or legs under a status that has none
    not_finite,    ///< a NaN or infinite number in the route
    bad_number,    ///< a number or enumerator out of its documented range
    bad_layer,     ///< a layer that the world does not have
    too_far,       ///< past the lengths or coordinates that can be judged, or past VerifyOptions::cells_max
    off_world,     ///< the body reaches beyond the edge of the map; depth = how far
    wall,          ///< the body overlaps a wall, or terrain that is forbidden to it; depth = how deep
    blocker,       ///< the body overlaps a blocker of the query; depth = how deep
    leg_end,       ///< the leg does not lead to the start of the next leg; depth = how far apart they are
    link,          ///< no such portal, not in this direction, or its ends are elsewhere; depth = how far away
    edge,       ///< roadmaps: no open edge goes there, and the leg may not leave the net (verify_roadmap.h)
    curvature,  ///< a drive leg bends tighter than the unit can; depth = by how much its radius is too small
    heading,    ///< the unit's heading jumps behind the leg; depth = by how many radians
    gear,       ///< the leg is in reverse, and the unit cannot
    turn,       ///< a turn on the spot of a unit with a turning radius that cannot pivot
    facing,     ///< a drive leg's heading is not one of VerifyOptions::facings; depth = radians to one
    clearance,  ///< the leg claims more clearance than there is; depth = by how much
    off_road,   ///< the axle's way leaves the road (verify_roads.h); depth = for how long
    against_lane,  ///< it goes against every lane there (verify_roads.h); depth = for how long
    surface,  ///< not on the surface of the mesh, or at another height (verify_mesh.h); depth = the difference
    length_sum,  ///< the route's length is not the sum of its legs' lengths; depth = the difference
    line_cost,   ///< volumes: nor its line_cost that of their lengths in space; depth = the difference
    count_,      ///< not a kind: the number of them
};

/// "wall", "leg_end", ... for logs and JSON. Never null.
[[nodiscard]] const char* violation_name(ViolationKind kind);

/// One line for people. A value that owns its characters; nothing is allocated.
struct ViolationText {
    char characters[256] = "";
    [[nodiscard]] const char* c_str() const { return characters; }
};

/// Where and why a route is not legal, or none. Lengths in world units.
struct Violation {
    ViolationKind kind = ViolationKind::none;
    std::int64_t leg = -1;    ///< index of the leg; -1: the route as a whole, or its end where it has no legs
    double distance = 0.0;    ///< along the leg, where the violation begins; 0 on a turn leg
    Place place{};            ///< of the unit at the worst moment; leg_end, heading: the next leg's start
    double depth = 0.0;       ///< how bad it is there, as the kind says; 0 where it has no meaning
    Cell cell{-1, -1, -1};    ///< wall, clearance: the tile that is met, inside the map
    std::int64_t index = -1;  ///< blocker, clearance: which blocker of the query; link: the link's id; of a
                              ///< roadmap's own walls: which wall; of a mesh's: the polygon's PolygonId
    bool in_space = false;    ///< volumes: `cell` is a voxel, with its z as the layer

    /// True when something is wrong.
    [[nodiscard]] explicit operator bool() const { return kind != ViolationKind::none; }
    /// One line of English without a full stop, "legal" for none.
    [[nodiscard]] ViolationText text() const;

    friend bool operator==(const Violation&, const Violation&) = default;
};

/// What the query knew beyond the world: give the same here.
struct VerifyOptions {
    KindFilter terrain{};          ///< kinds with cost 0 are walls
    Borrowed<Blocker> blockers{};  ///< the index in Violation counts in this list
    bool check_revision = true;    ///< off for routes from files, and to ask whether an old route still holds
    std::int32_t facings = 0;      ///< 0: any heading; n: drive legs face multiples of 2 pi / n
    std::uint64_t cells_max = 100000000;  ///< give up with too_far after looking at this many cells
};

/// The first violation along the route, or none. Any argument is safe: hostile numbers give a violation, and
/// quickly.
[[nodiscard]] Violation verify(const Route& route, const GridState& grid, const Agent& agent,
                               const VerifyOptions& options = {});

}  // namespace fairlead
