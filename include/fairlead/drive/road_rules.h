// What roads mean to a unit on its way over a DriveMap.
//
//     DriveMapOptions options{.roads = {.off_road = kRoadForbidden, .against = 20.0}};
//
// A map has roads if its ground says so (DriveGround::read_roads); over a tile world they come from a RoadLayer
// (grid/road_layer.h). What counts is the way of the axle: in which cell it is, and the direction of travel, which in reverse is
// the opposite of the heading.
//   * In a cell off the road a length costs `off_road` times as much.
//   * In a cell of the road where the direction of travel makes more than 90 degrees with every direction that the cell
//     allows, it costs `against` times as much. Crossing a lane at a right angle is not against it.
// kRoadForbidden in place of a factor means that it does not happen at all, anywhere on a route; what cannot be reached without
// it is unreachable. Between two cells, or along a border of them, the better one counts: what is stepped over by 1e-7 cells
// is not seen.
//
// This is how units corner on roads: with off_road = kRoadForbidden the axle never leaves the road, so a shortest curve that cuts
// across is no curve at all, and the search finds one that does not. The body may overhang; where it must not, off-road
// cells have to be walls.
// Cost. A town of 256 x 256 cells with a street four cells wide, keep right, every 32 cells; 200 queries, 146 to 194 cells in the
// mean; on a loaded machine: without roads 1.8 ms a query and 400 poses opened; with factors 21 ms and 4000; off-road forbidden 12 ms and
// 2800; lanes forbidden as well 10 ms and 1600. The lower bound knows no roads, so the more they lead round about, the more is
// opened. The map takes 29 to 39 ms to make instead of 20 where something is forbidden, and 2 bytes more a cell.
#pragma once

#include <limits>

namespace fairlead {

inline constexpr double kRoadForbidden = std::numeric_limits<double>::infinity();

struct RoadRules {
    double off_road = 4.0;  ///< 1 (does not matter) to 1000, or kRoadForbidden
    double against = 10.0;  ///< 1 to 1000, or kRoadForbidden

    friend bool operator==(const RoadRules&, const RoadRules&) = default;
};

}  // namespace fairlead
