// Cylinders as WORLD.

#include "cli/cylinder_world.h"

#include <utility>

#include <fairlead/cylinder/lift.h>
#include <fairlead/cylinder/save_cylinder.h>
#include <fairlead/grid/find_route.h>

#include "cli/baked.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/solve.h"

namespace fairlead::cli {

CylinderWorld load_baked_cylinder(const std::string& path, const std::string& text) {
    Result<CylinderWorld> world = load_cylinder(bytes_of(text));
    if (!world) fail_at(path, baked_error_text(world.error()));
    return std::move(*world);
}

CylinderTiles load_cylinder_world(const WorldFlags& world, const Agent& agent, CornerRule corner) {
    if (!world.heights().empty()) fail("--heights: for .mesh files only");
    if (world.has_terrain()) fail("--terrain: for tile maps only");
    world.refuse_closed_parts();
    if (agent.turning_radius > 0.0)
        fail("--turning-radius: not in this version: units in cylinders turn on the spot");
    if (agent.footprint > 0) fail("--footprint: in cylinders units are discs");
    CylinderWorld tube = load_baked_cylinder(world.path(), read_file(world.path()));
    const Agent body = unrolled(tube.shape, agent);
    Grid grid = expect(world.path(), {}, make_cylinder_grid(tube, {.corner = corner, .sizes = {&body, 1}}));
    return {std::move(tube), std::move(grid)};
}

Result<std::uint64_t> CylinderTiles::solve(const GridQuery& plain, Vec3 start, Vec3 goal, Scratch& scratch,
                                           Route& route) const {
    GridQuery query = plain;
    query.agent = unrolled(world.shape, plain.agent);
    query.start = unroll(world.shape, start);
    query.goal = unroll(world.shape, goal);
    Route on_tiles;
    Result<std::uint64_t> ns = timed_search(grid, query, scratch, on_tiles);
    if (!ns) return ns;
    // A route that ends elsewhere than it was asked to ends in the middle of its slice.
    const bool there = on_tiles.status == PathStatus::complete && query.reach == 0.0;
    const LiftOptions lift{.start_radius = there ? cylinder_place(world.shape, start).radius : 0.0,
                           .goal_radius = there ? cylinder_place(world.shape, goal).radius : 0.0};
    if (const Result<void> done = lift_route(world.shape, on_tiles, lift, route); !done) return done.error();
    return ns;
}

}  // namespace fairlead::cli
