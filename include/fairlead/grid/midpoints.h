// find_midpoints: a long way halved into short ones (technique H2 of the articles), each midpoint where the unit can be.
//
//     Array<Vec2> stops;
//     find_midpoints(*land, {.start = home, .goal = far, .agent = tank, .piece = 40.0}, scratch, stops);
//     // find_route from home to stops[0], on arrival from there to stops[1], ..., at last to far
//
// The line from start to goal is halved until no piece is longer than `piece`. A midpoint may lie in a wall, or on an island: it is
// snapped to the nearest place where the unit can be and that has a way to the start (nearest_free.h), if there is one within `reach`,
// else it is dropped; so is one that is snapped to the place of the one before. From each stop there is a way to the next, and from
// the last to the goal if there is one at all.
//
// Why not: the stops know nothing of the walls between them, so whoever walks from one to the next may walk into dead ends and out again.
// A grid with a hierarchy (GridPlanner::hierarchy) gives the first legs of a nearly best
// way as soon, at once.
//
// Errors: those of nearest_free; out_of_range (distance: piece, range: reach), not_finite; unsupported (goal) on another floor than the
// start. Cost: a nearest_free each.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

struct MidpointQuery {
    Spot start{};
    Spot goal{};
    Agent agent{};
    double piece = 40.0;  ///< world units, > 0: the longest piece; at most 1024 pieces are made
    double reach = 20.0;  ///< world units, >= 0, infinite is anywhere
};

/// `stops`: in order, start and goal left out; cleared first.
[[nodiscard]] Result<void> find_midpoints(const GridState& grid, const MidpointQuery& query, Scratch& scratch,
                                          Array<Vec2>& stops);

}  // namespace fairlead
