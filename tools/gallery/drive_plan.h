// Asking the turning search, for figures.
#pragma once

#include <string>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "gallery/figure.h"

namespace fairlead::gallery {

/// A query of a unit with a turning radius, its answer, and what the exact checker says.
struct DrivePlan {
    DriveQuery query{};
    Route route{};
    Violation violation{};
};

/// Its blockers are the scene's.
[[nodiscard]] DriveQuery drive_query(const formats::SceneQuery& query);
[[nodiscard]] GridDriveSetup drive_setup(const formats::SceneQuery& query);

/// Throws DemoError when it is refused as malformed.
[[nodiscard]] DrivePlan make_drive_plan(const World& world, const formats::SceneQuery& query);
[[nodiscard]] DrivePlan make_drive_plan(const World& world, const std::string& query);

/// "length 24.1, 2 changes of gear"; "unreachable".
[[nodiscard]] std::string drive_text(const DrivePlan& plan);
[[nodiscard]] Row drive_row(std::string label, const DrivePlan& plan);

/// The map and the route with its body; without a route the body at start and goal.
void draw_drive_plan(const World& world, const DrivePlan& plan, const debug::Sink& sink,
                     const debug::DriveDraw& options = {});

/// What the signs of these pictures mean; `reverse`: with those of the reverse gear.
[[nodiscard]] std::vector<LegendItem> drive_legend(bool reverse);

/// One panel a query, titled as given.
void draw_drives(Canvas& canvas, const std::string& scene, const std::vector<std::string>& queries,
                 const std::vector<std::string>& titles, int columns, const debug::DriveDraw& options = {},
                 const std::vector<LegendItem>& more_legend = {});

}  // namespace fairlead::gallery
