// Units with a turning circle in volumes: what the flags of unit and planner mean for them.
#pragma once

#include <optional>
#include <string>

#include <fairlead/fly/find_fly.h>

#include "cli/planner.h"
#include "cli/unit.h"

namespace fairlead::cli {

/// Without its ends. Fails for flags that have no meaning there.
[[nodiscard]] FlyQuery fly_query(const Flyer& unit, const PlannerFlags& planner);
/// A place with the heading that it needs; `where` for messages.
[[nodiscard]] Spot fly_spot(const std::string& where, Vec3 position, std::optional<double> heading_rad);
[[nodiscard]] std::string fly_error_text(const Error& error);

}  // namespace fairlead::cli
