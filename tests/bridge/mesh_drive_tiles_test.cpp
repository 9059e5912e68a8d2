// The same world as a tile map and as a mesh: the planner on the mesh solves what the one on the map solves, by ways about as
// long; and each judge of the other world accepts them.
#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>

#include "bridge/tile_mesh.h"
#include "oracle/pose_sampler.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using oracle::PoseMap;
using testing::all_trials;
using testing::MapStyle;
using testing::trials;

struct Tally {
    int both = 0;
    int only_mesh = 0;
    int only_grid = 0;
    double mesh_cost = 0.0;
    double grid_cost = 0.0;
};

Agent random_turner(Rng& rng) {
    Agent agent = testing::random_unit(rng);
    agent.can_pivot = false;
    return agent;
}

void compare(Rng& rng, Tally& tally, Scratch& scratch) {
    const PoseMap map = testing::random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 24, 24);
    const Agent agent = random_turner(rng);
    Pose start, goal;
    if (!testing::random_free_pose(rng, map, agent, false, start) ||
        !testing::random_free_pose(rng, map, agent, false, goal))
        return;
    const Grid grid = testing::grid_of(map);
    const NavMesh mesh = testing::mesh_of_tiles(map).make();
    const Result<Route> on_grid = find_route(grid, DriveQuery{.start = start, .goal = goal, .agent = agent},
                                             scratch, {.off_lattice_max = 0});
    const Place from{{start.position.x, start.position.y, 0.0}, start.heading_rad, 0};
    const Place to{{goal.position.x, goal.position.y, 0.0}, goal.heading_rad, 0};
    const Result<Route> on_mesh = find_route(
        mesh, MeshDriveQuery{.start = from, .goal = to, .agent = agent, .lattice = {.cell_size = 0.5}},
        scratch);  // on small maps the other has poses at half cells too
    ASSERT_TRUE(on_grid && on_mesh);
    if (on_mesh->status == PathStatus::complete) {
        EXPECT_LEGAL(verify(*on_mesh, mesh, agent));
        EXPECT_LEGAL(verify(*on_mesh, grid, agent, {.check_revision = false}));
        EXPECT_FALSE(
            oracle::sample_route(*on_mesh, map, agent, {.step = 0.01, .start = start, .goal = goal}));
    }
    if (on_grid->status == PathStatus::complete) {
        EXPECT_LEGAL(verify(*on_grid, mesh, agent, {.check_revision = false}));
    }
    const bool grid_found = on_grid->status == PathStatus::complete;
    const bool mesh_found = on_mesh->status == PathStatus::complete;
    tally.only_grid += grid_found && !mesh_found ? 1 : 0;
    tally.only_mesh += mesh_found && !grid_found ? 1 : 0;
    if (!grid_found || !mesh_found) return;
    ++tally.both;
    tally.grid_cost += on_grid->cost;
    tally.mesh_cost += on_mesh->cost;
}

TEST(MeshDriveTilesSlow, AsOnTheTileMap) {
    Rng rng(5);
    Scratch scratch;
    Tally tally;
    for (int i = 0; i < trials(16); ++i) compare(rng, tally, scratch);
    RecordProperty("both", tally.both);
    RecordProperty("only_mesh", tally.only_mesh);
    RecordProperty("only_grid", tally.only_grid);
    EXPECT_LE(tally.only_grid, tally.only_mesh + tally.both / 200 + 1);
    if (!all_trials()) return;  // two trials may have no route that both find
    EXPECT_GE(tally.both, trials(16) / 4);
    EXPECT_LT(tally.mesh_cost, 1.03 * tally.grid_cost);
}

}  // namespace
}  // namespace fairlead
