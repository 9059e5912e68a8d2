// verify for volumes: does a route through space keep off what is solid? Written apart from the planners, like verify.h
// for tile worlds: it reads which voxels are free, and has its own geometry.
//
//     Violation bad = verify(*route, *space, drone);
//     if (bad) puts(bad.text().c_str());   // "leg 3 at 4.25: the body overlaps a wall, voxel (17, 8, 3), by 2e-6, ..."
//
// What is judged: the route as stored in its doubles. A drive leg is the straight line or arc that its start, heading,
// gear, curvature and length say, on the ground, and rises evenly by `rise` on the way (an arc: a helix, as of a Dubins
// airplane). A leg without length is a vertical line. Legal means all of this:
//   * every number is finite and in its documented range; a status other than complete, partial or budget_spent has no
//     legs; layers are 0; there are no link legs;
//   * the body, a sphere of Agent::radius about the position, is at every point of every leg, and at the route's end,
//     disjoint from the open interior of every solid voxel and from the outside of the bounds;
//   * a point (radius 0) goes from free voxel to free voxel over faces that they share. The interior is that of the
//     solid voxels' union: two of them side by side leave no seam to slip through; and where two of them touch at an
//     edge or a corner, no point passes between, though it may touch that place and turn back (volume.h: this is what
//     components mean);
//   * nor does the body overlap a blocker, as long as any is given: each by itself, by more than the slack;
//   * a leg leads to the stored start of the next one, in space; after a turn leg the heading too;
//   * turning circles, gears and headings, as in verify.h. Nothing is asked of the climb; a vertical leg keeps its
//     heading;
//   * a leg's claim of clearance is true, of solid voxels and of the bounds; the route's length is the sum of its legs'
//     lengths; its line_cost is the sum of their lengths in space, sqrt(length^2 + rise^2), or what they cost where the
//     query's prices are given (volume/area.h; all legs are straight then, else: bad_argument);
//   * the route was made for this revision.
// Not judged: whether it is short, `cost`, the query's start and goal, speed limits.
//
// Touching is legal within the contact slack of math/contact.h,
//     slack = 1e-9 x E + 2^-44 x S,
// E the largest side of the bounds, S their largest coordinate, on all three axes, in world units. How deep an overlap
// is: the smallest move that frees the sphere from the one voxel (of the bounds: that brings it inside); of a point
// that is stopped, how far the nearest free voxel is from the middle of its way through the voxel that stops it (0
// where it is stopped between two).
//
// What is proven. Let u = 2^-53, M the largest coordinate (from the low corner), length or radius involved, and t the
// slack less 256uM; too_far where 256uM would be more than a quarter of the slack (thousands of times the size of the
// volume).
//   * A curved leg is cut. A piece of length l and curvature k stays within d = k l^2 / 8 of its chord, moment by
//     moment, as it rises evenly. A piece whose chord keeps d more than is needed is good; others are halved until d is
//     at most t / 8; then the chord decides. So a curve that overlaps by more than t is never passed, and none is
//     refused for less than 0.75 t. Straight legs have d = 0 and are not cut.
//   * A sphere of radius r > 4t. The least distance from the chord to each voxel in reach, in closed form, must be r -
//     t. Its square is a parabola between the planes of the voxel's sides; the rounding is as if each side were moved
//     by less than 20uM.
//   * A point, or r up to 0.75 t. Grow each free voxel by t - r on each axis; the leg is in it for one interval. The
//     walk is in a voxel from the moment it comes in to the end of its interval, and may change to the voxel behind a
//     face while it is in both; it goes on through the gaps between legs. If it comes to the end, there is a way
//     through free voxels, over their faces, that is within t of the leg on each axis at every moment: the nearest
//     points. If not, there is none. So no overlap with a box of solid voxels is larger than t.
//   * Between these, both are asked: the sphere keeps r - 0.75 t, its middle walks.
// So legal overlaps are at most the slack, and all up to slack - 512uM are accepted (on curves, and where r is below 4
// slacks, all up to 0.75 of that). Tests plant overlaps of 1e-6 and compare with long double.
//
// First violation: that of the smallest leg. On one leg: its numbers, what the unit cannot drive, the overlap that
// begins first, the leg's end, its claim. The sums come last. Violation::cell is the voxel, its z in `layer`.
//
// Cost: a leg looks at the bricks of 4 x 4 x 4 voxels near it: 0.5 to 1 us for 10 voxels, 3 us for 100 (radius 1.5: 5);
// a point that comes within the slack of solid voxels, 1 to 3 us for each 4 voxels there. Curves are twice as dear,
// more where they almost touch. No allocation, about 10 kB of stack. Deterministic.
#pragma once

#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>
#include <fairlead/verify/verify.h>
#include <fairlead/volume/area.h>
#include <fairlead/volume/blocker.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

struct VolumeVerifyOptions {
    Borrowed<VolumeBlocker>
        blockers{};  ///< the query's: the body may not overlap them. Violation::index counts in this list
    Borrowed<VolumeArea>
        areas{};  ///< the query's: line_cost is what the legs cost, to the slack in where regions begin
    bool check_revision = true;   ///< off for routes from files, and to ask whether an old route still holds
    bool check_line_cost = true;  ///< off for routes whose line_cost is something else than their length
    std::uint64_t bricks_max = 100000000;  ///< give up with too_far after looking at this many bricks
};

/// The first violation along the route, or none. The agent is a disc, here a sphere, or with a height an upright capsule whose radius is
/// more than 16 slacks; or a box with a turning radius, no side of which is less than 32 slacks, that turns with its heading and stays
/// level (a ball among the blockers is then the upright cylinder around it). Another body: bad_argument. Any
/// argument is safe: hostile numbers give a violation.
[[nodiscard]] Violation verify(const Route& route, const VolumeState& volume, const Agent& agent,
                               const VolumeVerifyOptions& options = {});

}  // namespace fairlead
