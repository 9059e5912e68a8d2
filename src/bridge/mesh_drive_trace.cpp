// A state as a pose in the world, for a user's hook.
#include "bridge/mesh_drive_trace.h"

#include "bridge/mesh_lattice.h"
#include "drive/lattice/lattice_trace.h"

namespace fairlead::bridge {

void MeshDriveTrace::tell(TraceEventKind kind, std::uint32_t state, Cost g) const {
    if (state == MeshLattice::kGoalState)
        return drive::tell_pose(hook, {kind, state, g}, end, Gear::forward, 0);
    const drive::SheetPose cells = lattice->sheet_pose(state);
    const Vec2 world = origin + lattice->sweep.frame().to_mesh(cells.position);
    drive::tell_pose(hook, {kind, state, g}, {world, cells.heading_rad}, lattice->pose_of(state).gear, 0);
}

}  // namespace fairlead::bridge
