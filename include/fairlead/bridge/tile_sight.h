// A roadmap over a tile world: the tiles as the walls that a roadmap asks about (route/sight.h).
//
//     const TileSight over_town(*town);
//     find_route(*roads, RoadmapQuery{.start = Vec2{2.5, 3.5}, .goal = WaypointId{7}, .agent = {.radius = 0.4},
//                                     .sight = over_town.sight()}, scratch);
//     find_coverage(*roads, {.sight = over_town.sight()}, over_town.area(), scratch, cover);
//
// Exact: a disc swept along a segment against the blocked tiles, as line of sight in the grid; touching is allowed,
// and what is outside the map is a wall. Terrain costs do not matter, heights are ignored. Of a Grid it sees the edits as
// they come; give it the state of a snapshot for a search that runs over several frames.
//
// Cost: about 60 ns a test and 6 ns a row crossed.
#pragma once

#include <fairlead/grid/grid.h>
#include <fairlead/roadmap/coverage.h>
#include <fairlead/route/sight.h>

namespace fairlead {

class TileSight {
  public:
    /// The grid (or the snapshot) must outlive it. `corner`: may a point unit pass the corner where two walls meet?
    explicit TileSight(const GridState& grid, std::int32_t layer = 0, CornerRule corner = CornerRule::never);

    /// Valid while this object stays where it is.
    [[nodiscard]] SightQuery sight() const;
    /// All cells of the layer.
    [[nodiscard]] CoverageArea area() const;
    /// May a disc of this radius (world units, finite, >= 0) move straight from a to b?
    [[nodiscard]] bool clear(Vec2 a, Vec2 b, double radius) const;

  private:
    const GridState* grid_;
    std::int32_t layer_ = 0;
    CornerRule corner_ = CornerRule::never;
};

}  // namespace fairlead
