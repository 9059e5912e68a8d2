// One unit's way in four stages, one call each: the article's Figure 1. The gallery draws it, and the page of web/ asks for it again at
// every drag.
#pragma once

#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/round_corners.h>
#include <fairlead/grid/find_route.h>

namespace fairlead::gallery {

struct StagesQuery {
    Pose start{};
    Pose goal{};
    bool any_heading = false;  ///< at the goal: then only its position is read
    Agent agent{};             ///< has a turning radius
};

struct Stages {
    Route tiles{};            ///< 1a: A* over the tiles for the largest disc within the body
    Route smoothed{};         ///< 1b: the same, smoothed greedily
    RoundedCorners curved{};  ///< 1c: curves from waypoint to waypoint of 1b; walls are not asked about
    Route driven{};           ///< 1d: the turning search
};

/// The setup of stage 1d.
[[nodiscard]] GridDriveSetup stages_setup();

/// Errors: those of the four calls. `out` keeps its memory. A stage whose start, goal or way is missing says so in its status;
/// without a way of tiles 1c is unreachable.
[[nodiscard]] Result<void> make_stages_into(const GridState& grid, const StagesQuery& query, Scratch& scratch,
                                            Stages& out);

/// The wall tiles that the body overlaps on the route, one by one by the exact checker: each is asked as the only wall of an
/// open field.
[[nodiscard]] Result<std::vector<Cell>> find_clipped(const GridState& grid, const Route& route,
                                                     const Agent& agent);

}  // namespace fairlead::gallery
