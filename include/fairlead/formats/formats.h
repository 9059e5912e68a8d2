// Umbrella of the formats module.
#pragma once

#include <fairlead/formats/assets.h>
#include <fairlead/formats/detour.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/floor_plan.h>
#include <fairlead/formats/limits.h>
#include <fairlead/formats/link_file.h>
#include <fairlead/formats/mesh_file.h>
#include <fairlead/formats/mesh_repair.h>
#include <fairlead/formats/names.h>
#include <fairlead/formats/number.h>
#include <fairlead/formats/queries.h>
#include <fairlead/formats/roadmap_file.h>
#include <fairlead/formats/roadmap_world.h>
#include <fairlead/formats/routes.h>
#include <fairlead/formats/scenario.h>
#include <fairlead/formats/scene.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/formats/triangles.h>
#include <fairlead/formats/units.h>
#include <fairlead/formats/voxel_map.h>
