// The surface of a volume's solid voxels as triangles, to be looked at in a modelling program.
#pragma once

#include <fairlead/formats/triangles.h>
#include <fairlead/volume/volume.h>

namespace fairlead::cli {

/// Two triangles a face of a solid voxel that has a free one behind it, or the bounds; counter-clockwise seen from outside. World units.
[[nodiscard]] formats::TriangleFile volume_faces(const VolumeState& volume);

}  // namespace fairlead::cli
