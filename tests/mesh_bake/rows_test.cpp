// Worlds of many rows of tiles, whose columns are kept for a few rows only.

#include <gtest/gtest.h>

#include <fairlead/mesh_bake/bake.h>

#include "support/levels.h"
#include "support/threads.h"

namespace fairlead {
namespace {

using testing::Level;

bake::BakeOptions plain(double radius) {
    bake::BakeOptions options;
    options.cell_size = 0.25;
    options.agent_radius = radius;
    options.tile_cells = 16;
    return options;
}

TEST(BakeRows, ManyRowsOnManyThreads) {
    Rng rng(32);
    Level level;
    level.floor(0, 0, 12, 170, 0);
    for (int i = 0; i < 400; ++i) {
        const Vec3 low{rng.between(0.0, 11.0), rng.between(0.0, 168.0), 0.0};
        level.box(low, {low.x + rng.between(0.2, 1.5), low.y + rng.between(0.2, 4.0), rng.between(0.1, 3.0)});
    }
    bake::BakeOptions options = plain(0.3);
    const Result<bake::BakedMesh> alone = bake::bake_mesh(level.soup(), options);
    ASSERT_TRUE(alone);
    ASSERT_GT(alone->tiles.back().y, 40);
    for (const std::size_t count : {2U, 5U, 16U}) {
        testing::Threads threads{count};
        options.jobs = {&testing::Threads::run, &threads};
        EXPECT_EQ(bake::digest(*bake::bake_mesh(level.soup(), options)), bake::digest(*alone)) << count;
    }
}

TEST(BakeRows, TheRadiusMayReachOverATile) {
    Level level;
    level.floor(0, 0, 14, 60, 0);
    for (int i = 0; i < 6; ++i) level.box({1, 10.0 * i + 2, 0}, {2, 10.0 * i + 2.5, 3});
    bake::BakeOptions options = plain(3.75);  // 15 cells, and one more beside them
    options.give_origin = true;
    testing::Threads threads{3};
    for (const bool many : {false, true}) {
        if (many) options.jobs = {&testing::Threads::run, &threads};
        const Result<bake::BakedMesh> world = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(world);
        ASSERT_GT(world->tiles.size(), 10U);
        for (const bake::BakedTile& tile : world->tiles) {
            const Result<bake::BakedMesh> alone = bake::bake_tile(level.soup(), options, tile.x, tile.y);
            ASSERT_EQ(alone->vertices.size(), tile.vertex_count);
            for (std::size_t i = 0; i < tile.vertex_count; ++i)
                ASSERT_EQ(alone->vertices[i], world->vertices[tile.first_vertex + i]);
        }
    }
}

}  // namespace
}  // namespace fairlead
