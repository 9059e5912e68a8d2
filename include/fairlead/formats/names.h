// The words for enumerators, as they stand in files and on the command line, read back. Empty for unknown
// words.
#pragma once

#include <optional>
#include <string_view>

#include <fairlead/grid/query.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/route.h>
#include <fairlead/volume/query.h>

namespace fairlead::formats {

[[nodiscard]] std::optional<PathStatus> status_from_name(std::string_view name);
[[nodiscard]] std::optional<LegKind> leg_kind_from_name(std::string_view name);
[[nodiscard]] std::optional<Gear> gear_from_name(std::string_view name);

/// "auto" or "automatic", "jump_point", "bucket_astar", ...: what planner_name says.
[[nodiscard]] std::optional<GridPlanner> planner_from_name(std::string_view name);
/// "auto" or "automatic": any_angle; else what planner_name says.
[[nodiscard]] std::optional<MeshPlanner> mesh_planner_from_name(std::string_view name);
/// "auto" or "automatic": any_angle; else what planner_name says.
[[nodiscard]] std::optional<VolumePlanner> volume_planner_from_name(std::string_view name);
/// "octile", "manhattan", "euclidean", "zero".
[[nodiscard]] std::optional<GridHeuristic> heuristic_from_name(std::string_view name);
/// "none", "best", "greedy_shortcut", "farthest_visible".
[[nodiscard]] std::optional<Smoothing> smoothing_from_name(std::string_view name);
/// "never", "one_free", "always".
[[nodiscard]] std::optional<CornerRule> corner_from_name(std::string_view name);

}  // namespace fairlead::formats
