// From tiles back into space: a route on the grid of a cylinder (cylinder.h) as a route through the tube.
//
//     Route in_space;                                    // its memory is used again
//     Result<void> done = lift_route(tube->shape, *way, {.start_radius = r0, .goal_radius = r1}, in_space);
//
// Legs are straight lines in space, chords of the arcs that the unit flies, as many as `deviation` asks for; moves of
// depth are legs along the radius. Between two changes of depth the radius runs evenly from the one to the other: from
// start_radius, through the middles of slices, to goal_radius. Leg::layer is the slice; length and rise are as on
// volumes (the ground is x / y, whatever the axis). Chords lie towards the axis from their arcs, where there is only
// ever more room, and within `deviation` of them.
//
// Route::cost and bound stay those of the tiles; line_cost is the length in space, length that on the ground.
// Clearances are left out, and so are turns on the spot.
//
// Errors: not_finite and out_of_range (accuracy: the deviation; radius_max: a start or goal radius), those of check_cylinder(),
// out_of_memory.
// Cost: linear in chords; an angle of a takes a / sqrt(8 deviation / radius) of them.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/cylinder/cylinder.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct LiftOptions {
    double start_radius = 0.0;  ///< where the unit is within its slice; 0: in the middle
    double goal_radius = 0.0;
    double deviation = 0.0;  ///< of a chord from its arc, world units; 0: a hundredth of a tile
};

/// `route` is one of the cylinder's grid; `out` another. On an error `out` is cleared.
[[nodiscard]] Result<void> lift_route(const Cylinder& shape, const Route& route, const LiftOptions& options,
                                      Route& out);

}  // namespace fairlead
