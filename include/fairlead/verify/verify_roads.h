// Does a route keep to the roads? The exact witness for road rules, written apart from the planner.
//
//     Violation bad = verify_roads(*route, roads);
//     RoadUse use = measure_roads(*route, roads);       // how much of it lies off the road, or is driven against a lane
//
// Judged is the way of Leg::start along the drive legs, as stored: at each point of it the cell and the direction of
// travel (in reverse the opposite of the heading). A point is good if within kRoadSlack cells of it there is a cell of the road,
// and, for lanes, one that allows a direction no more than 90 degrees + kRoadSlack radians away. Walls, bends and all else are
// the matter of verify.h.
//
// How. Legs are cut where they travel in a multiple of 45 degrees, which is where a lane's answer may change; a piece is
// halved until the cells that its bounding box overlaps all give one answer, or it is shorter than the slack. So what is called
// good is good to the slack all along, and what is called bad has a bad point in every kRoadSlack of length; lengths are
// exact to 2 kRoadSlack cells a change from good to bad.
//
// Violations: off_road; against_lane (distance: where on the leg it begins; depth: how long it goes on from there on this leg);
// as in verify.h not_finite, bad_number, bad_layer; bad_argument (origin or cell size not finite, cell size not above 0);
// too_far (a leg of more than 1e6 cells or radians).
//
// Cost: 0.1 us a cell of length on lines, 5 us where it passes from good to bad. No allocation. Deterministic.
#pragma once

#include <fairlead/grid/road_layer.h>
#include <fairlead/verify/verify.h>

namespace fairlead {

inline constexpr double kRoadSlack = 1e-6;  // cells, and radians

struct RoadVerifyOptions {
    Vec2 origin{};           ///< of cell (0, 0)'s low corner, world units
    double cell_size = 1.0;  ///< world units
    bool off_road = true;    ///< off the road is a violation
    bool against = true;     ///< so is travel against every direction of a cell of the road
};

/// World units.
struct RoadUse {
    double length = 0.0;  ///< of the drive legs
    double off_road = 0.0;
    double against = 0.0;
};

/// The first violation along the route, or none.
[[nodiscard]] Violation verify_roads(const Route& route, const RoadLayer& roads,
                                     const RoadVerifyOptions& options = {});

/// How the route uses the roads. All 0 for a route that is not well formed (verify_roads says how).
[[nodiscard]] RoadUse measure_roads(const Route& route, const RoadLayer& roads, Vec2 origin = {},
                                    double cell_size = 1.0);

}  // namespace fairlead
