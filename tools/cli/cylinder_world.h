// A baked cylinder as WORLD: asked in space, answered in space.
#pragma once

#include <cstdint>
#include <string>

#include <fairlead/base/result.h>
#include <fairlead/cylinder/cylinder.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

#include "cli/planner.h"
#include "cli/world.h"

namespace fairlead::cli {

struct CylinderTiles {
    CylinderWorld world;
    Grid grid;

    /// The route on the tiles, lifted into space; processor time of the search.
    [[nodiscard]] Result<std::uint64_t> solve(const GridQuery& plain, Vec3 start, Vec3 goal, Scratch& scratch,
                                              Route& route) const;
};

[[nodiscard]] CylinderWorld load_baked_cylinder(const std::string& path, const std::string& text);
/// Fails for flags that other worlds have. The unit's size is registered.
[[nodiscard]] CylinderTiles load_cylinder_world(const WorldFlags& world, const Agent& agent,
                                                CornerRule corner);

}  // namespace fairlead::cli
