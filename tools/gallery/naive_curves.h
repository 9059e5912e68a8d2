// The article's basic method L1: curves from waypoint to waypoint that ask nothing about walls.
#pragma once

#include <vector>

#include "gallery/drive_plan.h"

namespace fairlead::gallery {

struct NaiveCurves {
    Route straight{};           ///< the taut tile route whose waypoints are driven to
    Route curved{};             ///< the shortest curve to each, from the heading of the last one's arrival
    std::vector<Aabb> clipped;  ///< wall tiles that the disc overlaps on its way
};

[[nodiscard]] NaiveCurves make_naive_curves(const World& world, const formats::SceneQuery& query);
/// Wall tiles that a disc overlaps on a route, by sampling: for pictures.
[[nodiscard]] std::vector<Aabb> clipped_tiles(const World& world, const Route& route, double radius);
void draw_naive_curves(const World& world, const NaiveCurves& curves, const Agent& agent,
                       const debug::Sink& sink);

}  // namespace fairlead::gallery
