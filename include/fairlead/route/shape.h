// The shape of a route: how often it turns, by how much, and how straight it is (technique P1: the zigzag of tile routes in numbers).
//
//     const RouteShape shape = route_shape(*route);   // shape.turns, shape.straightness
//
// Of the direction of travel, in every world and for every unit. A turn is a corner between two legs (more than 1e-6 rad), or a run of
// arcs to the same side, the corners at its ends included. Turns on the spot are no turns of their own: the corner that they make is one.
// A change of gear is a cusp and no turn. Behind a link (stairs, a portal) the direction begins anew.
// Distances and angles are those in space: a leg that rises is longer than its ground length. Coordinates on wrapped axes are
// continuous, so a way over the seam is as straight as it is.
//
// Cost: 40 ns a leg. No errors: numbers that are not finite give numbers that are not. Source: Pinter 2001.
#pragma once

#include <cstdint>

#include <fairlead/route/route.h>

namespace fairlead {

struct RouteShape {
    std::int64_t turns = 0;
    std::int64_t cusps = 0;   ///< changes of gear
    double turned_rad = 0.0;  ///< by how much in all, either way, cusps aside
    double straightness =
        1.0;  ///< straight distance from start to end over the length; of the parts between links. 0 to 1
};

[[nodiscard]] RouteShape route_shape(const Route& route);

}  // namespace fairlead
