// Obstacles in baked meshes, sections OBST and OPNT of FORMAT.md: records to obstacles and back.
#pragma once

#include <cstdint>

#include <fairlead/base/baked.h>
#include <fairlead/base/bytes.h>
#include <fairlead/mesh/obstacle.h>

#include "base/section_loader.h"
#include "mesh/edit/editor.h"

namespace fairlead::mesh {

inline constexpr SectionKind kObstacleSection{four_letters("OBST"), 32};  ///< only with obstacles
inline constexpr SectionKind kOutlineSection{four_letters("OPNT"), 16};   ///< points of all outlines in turn

void put_obstacle(ByteWriter& out, const ObstacleEntry& entry, const MeshObstacle& obstacle);
void put_outline(ByteWriter& out, const MeshObstacle& obstacle);

/// By id, each once, with as many points as there are.
[[nodiscard]] bool read_obstacles(SectionLoader& loader, Array<MeshEdit>& out);

}  // namespace fairlead::mesh
