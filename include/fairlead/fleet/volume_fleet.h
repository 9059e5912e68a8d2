// VolumeFleet: a volume for a Fleet (fleet/world_fleet.h): units that fly, swim or drift, spheres of any radius.
//
//     VolumeFleet sea_port(*sea);
//     Result<Fleet> fleet = Fleet::make(sea_port.port());
//     fleet->add_kind({.agent = {.radius = 0.4}, .limits = {.speed_max = 3, .accel_max = 6}});
//
// Routes are those of VolumeQuery. The crowd is one in space (CrowdOptions::space), whatever FleetOptions says. A start that lies in a
// wall by less than a thousandth of a voxel is moved out of it.
// Not yet: units with a turning circle (Fleet::add_kind says unsupported, agent_turning_radius).
#pragma once

#include <fairlead/fleet/world_fleet.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

using VolumeFleet = WorldFleet<Volume>;
extern template class WorldFleet<Volume>;

}  // namespace fairlead
