// What every question about a turning unit in a volume refuses of it.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/fly/query.h>
#include <fairlead/volume/volume.h>

#include "volume/sight/walk.h"

namespace fairlead::fly {

/// Of a query's unit and blockers alone.
[[nodiscard]] Result<void> check_flier(const VolumeState& volume, const FlyQuery& query);
/// Of the body: a sphere, an upright capsule, or a level box that holds its axle.
[[nodiscard]] Result<void> check_flying_body(const volume::StateData& state, const Agent& agent);
/// Where the body fits in some heading, this fits as well: a sphere or an upright capsule about the axle, that turns on the spot.
[[nodiscard]] Agent body_within(const volume::StateData& state, const Agent& agent);

/// What the way through the voxels is looked for with, that leads the search. Of a box, which goes the way it faces, an upright
/// cylinder as wide and as high as it, less half a voxel: so it fits at some voxel's middle wherever the box does.
[[nodiscard]] volume::Body guide_of(const volume::StateData& state, const Agent& agent);

}  // namespace fairlead::fly
