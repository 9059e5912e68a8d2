// The article's greedy smoothing with curves (technique P3 as its turns use it), beside what replaces it.
#pragma once

#include <vector>

#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/round_corners.h>

#include "gallery/drive_plan.h"

namespace fairlead::gallery {

/// One way of tiles, made into a drive in three ways.
struct GreedyCurves {
    Route tiles{};  ///< the way of tiles
    /// P3: each stretch leads to the last tile in a row that a free curve reaches from where the last one ended, in the heading
    /// in which it ended; where even the next tile is out of reach, to it all the same.
    RoundedCorners greedy{};
    std::vector<Aabb> clipped;  ///< wall tiles that its body hits
    TileDrive along{};          ///< B2 on the same tiles
    DrivePlan search{};         ///< find_route
    Violation greedy_violation{};
    Violation along_violation{};
};

/// Of a disc. Throws DemoError.
[[nodiscard]] GreedyCurves make_greedy_curves(const World& world, const formats::SceneQuery& query);

}  // namespace fairlead::gallery
