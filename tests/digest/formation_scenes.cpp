// Formations on tiles, on a level mesh and in space: through a gap, in files, around a bend, to their last slots.
#include <fairlead/base/rng.h>
#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/crowd/formation.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/volume/find_route.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

/// Three halls: a gap that one fits through, then one for two, then a bend.
Result<Grid> march_ground() {
    Result<Grid> grid = Grid::make({.width = 120, .height = 60, .cell_size = 0.5});
    if (!grid) return grid;
    const CellRect walls[] = {
        {{40, 0}, {42, 28}}, {{40, 31}, {42, 60}}, {{80, 0}, {82, 26}}, {{80, 36}, {82, 60}}};
    for (const CellRect& wall : walls) {
        if (!grid->fill(wall, 0)) return Error{ErrorCode::out_of_memory};
    }
    return grid;
}

void march(Digest& digest, const CrowdWorld& world, const Route& route, FormationShape shape, bool space) {
    CrowdOptions options;
    options.space = space;
    Result<Crowd> crowd = Crowd::make(options);
    Result<Formation> formation = Formation::make({.shape = shape});
    if (!crowd || !formation) return digest.add(std::uint64_t{1});
    Rng rng(31);
    for (int i = 0; i < 18; ++i) {
        Place at;
        const double x = 2.0 + 2.0 * (i % 6) + rng.between(-0.3, 0.3);
        const double y = 9.0 + 2.0 * (i / 6) + rng.between(-0.3, 0.3);
        at.position = {x, y, space ? 9.0 : 0.0};
        CrowdUnit body;
        body.radius = i % 4 == 0 ? 0.45 : 0.35;
        body.limits = SpeedLimits::only(i % 5 == 0 ? 1.4 : 1.8);
        body.limits.accel_max = body.limits.brake_max = body.limits.lateral_accel_max = 4.0;
        const Result<UnitId> id = crowd->add(body, at);
        if (!id || !formation->add(*id)) return digest.add(std::uint64_t{2});
    }
    if (!formation->send(*crowd, world, route, {.has_heading = !space, .heading_rad = 2.0}))
        return digest.add(std::uint64_t{3});
    for (int tick = 0; tick < 1500; ++tick) {
        if (!formation->update(1.0 / 30.0, *crowd, world) || !crowd->update(1.0 / 30.0, world))
            return digest.add(std::uint64_t{4});
        if (tick % 100 != 0) continue;
        digest.add(crowd->digest());
        digest.add(static_cast<std::uint32_t>(formation->state()));
    }
    digest.add(crowd->digest());
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(formation_marches) {
    const Result<Grid> grid = march_ground();
    if (!grid) return digest.add(std::uint64_t{1});
    const Result<NavMesh> mesh = make_grid_mesh(grid->state(), {.radius_max = 0.5});
    if (!mesh) return digest.add(std::uint64_t{5});
    Scratch scratch;
    GridQuery tiles;
    tiles.start = Vec2{8.0, 12.0};
    tiles.goal = Vec2{54.0, 24.0};
    tiles.agent.radius = 0.45;
    MeshQuery level;
    level.start = Vec2{8.0, 12.0};
    level.goal = Vec2{54.0, 24.0};
    level.agent.radius = 0.45;
    const Result<Route> on_tiles = find_route(*grid, tiles, scratch);
    const Result<Route> on_mesh = find_route(*mesh, level, scratch);
    if (!on_tiles || !on_mesh) return digest.add(std::uint64_t{6});
    const TileCrowd over_tiles(grid->state());
    const MeshCrowd over_mesh(mesh->state());
    march(digest, over_tiles.world(), *on_tiles, FormationShape::box, false);
    march(digest, over_tiles.world(), *on_tiles, FormationShape::ring, false);
    march(digest, over_mesh.world(), *on_mesh, FormationShape::wedge, false);
}

FAIRLEAD_DIGEST_SCENE(formation_in_space) {
    VolumeOptions options;
    options.size = {60, 24, 18};
    Result<Volume> volume = Volume::make(options);
    if (!volume) return digest.add(std::uint64_t{1});
    const VolumeEdit edits[] = {VolumeEdit::fill({{24, 0, 0}, {26, 24, 18}}),
                                VolumeEdit::clear({{24, 11, 8}, {26, 13, 10}})};
    if (!volume->apply(edits)) return digest.add(std::uint64_t{5});
    Scratch scratch;
    VolumeQuery query;
    query.start = Vec3{8.0, 11.0, 9.0};
    query.goal = Vec3{52.0, 12.0, 6.0};
    query.agent.radius = 0.45;
    const Result<Route> route = find_route(*volume, query, scratch);
    if (!route) return digest.add(std::uint64_t{6});
    const VolumeCrowd over(volume->state());
    march(digest, over.world(), *route, FormationShape::box, true);
}
