// Units with a turning circle on level meshes: what the flags of unit and planner mean for them.
#pragma once

#include <string>

#include <fairlead/base/result.h>
#include <fairlead/bridge/mesh_drive.h>

#include "cli/ends.h"
#include "cli/query_flags.h"

namespace fairlead::cli {

/// Without its ends. Fails for flags that have no meaning there. Penalties are in world units: a mesh has no tiles.
/// What the flags say of such a unit.
struct MeshDriveFlags {
    const WorldFlags& world;
    const UnitFlags& unit;
    const DriveFlags& drive;
    const PlannerFlags& planner;
};
[[nodiscard]] MeshDriveQuery mesh_drive_query(const MeshDriveFlags& flags, const Agent& agent);
/// Places without a height are looked for on all floors.
void fill(MeshDriveQuery& query, const AskedEnds& ends);
[[nodiscard]] std::string mesh_drive_error_text(const Error& error, const MeshDriveQuery& query);

}  // namespace fairlead::cli
