// Queries over the surface of a mesh: places near, rays, moves along walls, walls, what is within a distance. None of them leaves the mesh
// or what it was asked for.
#pragma once

#include <string>

#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/search/scratch.h>

#include "simulate/driver.h"

namespace fairlead::simulate {

[[nodiscard]] std::string judge_surface(const Step& step, const NavMeshState& state, Scratch& scratch);

}  // namespace fairlead::simulate
