// VolumeFleet: a volume for a Fleet (fleet/world_fleet.h): units that fly, swim or drift, spheres of any radius.
//
//     VolumeFleet sea_port(*sea);
//     Result<Fleet> fleet = Fleet::make(sea_port.port());
//     fleet->add_kind({.agent = {.radius = 0.4}, .limits = {.speed_max = 3, .accel_max = 6}});
//
// Routes are those of VolumeQuery. The crowd is one in space (CrowdOptions::space), whatever FleetOptions says. A start that lies in a
// wall by less than a thousandth of a voxel is moved out of it.
//
// Units with a turning circle (planes, sharks, missiles) fly along routes of FlyQuery, within FleetUnit::climb:
//
//     fleet->add_kind({.agent = {.radius = 0.4, .turning_radius = 3}, .limits = {.speed_max = 6, .accel_max = 3, .brake_max = 3},
//                      .climb = {.up_rad = 0.4, .down_rad = 0.5}});
//
// They keep to them exactly, as vehicles do on the ground: they brake for what is in the way, to a stand in the air if they must. As they
// cannot back up they stop so far before it that they can turn away, and after two seconds look for a way around those that stand.
// Headings: a start or goal without one takes the first that a route is found for, along the straight line from start to goal first, then
// across, then against it. FlySearch is not complete: who finds nothing within its search is unreachable, `why` says budget_spent.
// Two that meet in a tunnel in which neither can turn are stuck; they are not planned together.
//
// Errors of Fleet::add_kind: unsupported (agent_shape: bodies are spheres; agent: with a turning circle units go forward only, neither
// can_reverse nor can_pivot), incompatible (agent_footprint).
#pragma once

#include <fairlead/fleet/world_fleet.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

using VolumeFleet = WorldFleet<Volume>;
extern template class WorldFleet<Volume>;

}  // namespace fairlead
