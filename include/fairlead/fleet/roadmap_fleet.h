// RoadmapFleet: a roadmap for a Fleet (fleet/world_fleet.h): units that go along roads.
//
//     RoadmapFleet town_port(*town);
//     Result<Fleet> fleet = Fleet::make(town_port.port());
//     fleet->add_kind({.agent = {.radius = 0.5}, .limits = {.speed_max = 3}});
//
// Roads with widths (RoadKind) are corridors: no unit leaves them. Units keep to the right (CrowdOptions::keep), queue, pass each
// other where there is room and take turns where there is none (narrow places are known for the first kind of unit, of roads at one
// height). Roads that are narrower than a unit are closed to it. A unit that begins beside the roads walks straight to the nearest
// one; a goal beside them is goal_blocked.
// Roads without widths: the ground beside the edges is open; units step off them to pass each other and come back.
// Limits of speed (RoadKind::speed_max) are kept, by braking before slower roads. Nobody's way leads against a one-way edge; to
// let somebody pass a unit may step back a little there.
//
// Routes are those of RoadmapQuery from and to the nearest place of the net. Edges must be clear of the roadmap's own walls, where it has
// some. Links take FleetOptions::link_seconds.
// Not yet: units with a turning circle (Fleet::add_kind says unsupported, agent_turning_radius).
#pragma once

#include <fairlead/fleet/world_fleet.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead {

using RoadmapFleet = WorldFleet<Roadmap>;
extern template class WorldFleet<Roadmap>;

}  // namespace fairlead
