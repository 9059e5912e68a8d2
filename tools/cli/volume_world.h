// A volume as WORLD: a .3dmap file, or a baked .fl file.
#pragma once

#include <string>

#include <fairlead/formats/voxel_map.h>
#include <fairlead/volume/find_route.h>

#include "cli/planner.h"
#include "cli/world.h"

namespace fairlead::cli {

/// The voxels of either. Fails with the file's name and the reason.
[[nodiscard]] formats::VoxelMap load_voxels(const std::string& path);
[[nodiscard]] Volume load_volume_file(const std::string& path);
[[nodiscard]] Volume load_baked_volume(const std::string& path, const std::string& text);
/// The same; fails for flags that other worlds have.
[[nodiscard]] Volume load_volume_world(const WorldFlags& world);

/// What the flags of unit and planner mean in a volume; fails for those that have no meaning there.
[[nodiscard]] VolumeQuery volume_query(const Agent& agent, const PlannerFlags& planner);
[[nodiscard]] std::string volume_error_text(const Error& error);

/// How many parts of free space there are between which nothing moves.
[[nodiscard]] std::size_t count_components(const VolumeState& volume);

}  // namespace fairlead::cli
