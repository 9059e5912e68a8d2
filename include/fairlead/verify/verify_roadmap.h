// verify for roadmaps: is a route over a net of waypoints legal? Written apart from the roadmap's planner, with its own
// geometry, like verify.h for tile worlds.
//
//     Violation bad = verify(*route, *harbour, guard, {.filter = query.filter});
//     if (bad) puts(bad.text().c_str());   // "leg 3 at 0: no open edge goes there, and the net may not be left here, ..."
//
// What is judged: the route as stored in its doubles. Legal means all of this:
//   * every number is finite and in its documented range; drive legs are straight; a status other than complete,
//     partial or budget_spent has no legs; layers are 0;
//   * a leg leads to the stored start of the next one: position and height; after a turn leg the heading too;
//   * a drive leg runs along an edge that is there, is open to `filter`, is wide enough (RoadKind) and goes that way, from where
//     the leg before it
//     has arrived. Several waypoints and edges may lie in one place; a leg starts on those of them only that the route
//     can have come to. Crossing edges do not join;
//   * a link leg passes a link with its label, from a waypoint to another, in a direction that it has;
//   * the first drive leg may come from off the net, the last one of a complete route may leave it, and one leg may be
//     all of a route from off the net to off the net if anything is known about walls. Such a leg keeps the body, a disc,
//     clear of the roadmap's walls and of `tiles`. Edges are the user's word; with `check_edges` the legs on them
//     must be clear as well. A route without legs, off the net: the body may stand there;
//   * a leg's claim of clearance is true; the route's length is the sum of its legs' lengths;
//   * the route was made for this revision.
// Not judged: cost, attach_range, which of the places in sight a route was attached to, the query's start and goal,
// walls behind a SightQuery (give a tile map as `tiles`). Heights do not matter to walls.
//
// Walls, each by itself. The inside of a polygon, by the even-odd rule, is solid, and so is its outline to a body with a
// radius; where polygons overlap, what is in any of them is solid. A point may slide along a wall, and between two walls
// that touch. A line is thin: a point may touch it with both ends of a leg, but no leg may pass it; at a joint between
// two legs that both end on the line, that is not seen.
//
// Touching is legal within the contact slack of math/contact.h,
//     slack = 1e-9 x E + 2^-44 x S,
// E the larger side of the box around waypoints and walls, S the largest coordinate, length or radius of world and leg.
// So an overlap of 1e-6 of the world's size is always found, on legs that are no longer and lie no further out than
// 10,000,000 times that size. A place is on the net within the same slack.
//
// How deep an overlap is, for a wall and a body of radius r: r less the distance from the leg to the wall; where the
// centre goes inside a polygon, r plus the largest distance from the outline at which it is. A point against a line: how
// far the leg would have to be shortened or moved sideways not to pass it.
//
// What is proven. "Legal" proves that no overlap exceeds the slack. Let t be the slack less 128uS, u = 2^-53.
//   * r > t. The points of a leg that are nearer to a side than r - t lie in one interval, as a disc swept along the
//     side is convex: the hull of its intervals with a disc at either end and with the strip between, each in closed form.
//     No such interval for any side and a start outside of all polygons: legal. Inside is decided by exact orientation.
//   * r <= t, a polygon. Parts of the leg in none of the intervals of radius t - r are further than that from the
//     outline, so each of these parts is inside or outside as a whole, and one exact test in its middle tells which.
//   * r <= t, a line. Within the leg shortened by t - r at both ends, the line must not come from further than t - r on
//     one side of the leg to as far on the other.
// Rounding: 4uS for a point of the leg, 12uS for an offset across it, 40uS for an offset from a side. An interval's end
// may be far off where it meets a disc at a grazing angle, but the point there is at that distance from the wall within
// the same 40uS. All is below 64uS; so legal overlaps are at most the slack, and all up to slack - 192uS are
// accepted. Against `tiles` the slack and the proof are those of verify.h.
//
// First violation: that of the smallest leg. On one leg: its numbers, its end, edge or link, the overlap that begins
// first, its claim. The route's length comes last.
//
// Cost: two passes over waypoints and edges for the start of the route, 10 to 20 ns each; for every leg the edges of the
// waypoint that it starts from, and if it must be clear, one pass over the walls, 3 to 5 ns a side (a point unit near a
// polygon: a few passes over that polygon). The report of an overlap costs up to some 200 passes over that wall. No
// allocation, about 15 kB of stack. Deterministic. Where more than 256 waypoints and edges lie in one place of the
// route: too_far.
#pragma once

#include <cstdint>

#include <fairlead/grid/grid.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>
#include <fairlead/verify/verify.h>

namespace fairlead {

/// What the query knew beyond the roadmap: give the same here.
struct RoadmapVerifyOptions {
    EdgeFilter filter{};               ///< edges that it closes are not there
    bool check_edges = false;          ///< legs on the net must be clear of walls as well
    const GridState* tiles = nullptr;  ///< a tile map to stay clear of (bridge/tile_sight.h); null: none
    std::int32_t tiles_layer = 0;
    bool check_revision = true;  ///< off for routes from files, and to ask whether an old route still holds
    std::uint64_t cells_max =
        100000000;  ///< give up with too_far after looking at this many cells of `tiles`
};

/// The first violation along the route, or none. The agent is a disc that turns on the spot (another body, or a
/// turning radius: bad_argument). Any argument is safe: hostile numbers give a violation.
[[nodiscard]] Violation verify(const Route& route, const RoadmapState& roadmap, const Agent& agent,
                               const RoadmapVerifyOptions& options = {});

}  // namespace fairlead
