// Prepared things are read by any number of threads at once: a map of a turning unit, a mesh's table; and jobs on threads
// make the same bytes. Run under ThreadSanitizer by `./run test all` (stage tsan).
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh_bake/bake.h>

#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/levels.h"
#include "support/mesh_tables.h"
#include "support/plain_mesh.h"
#include "support/route_compare.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

/// Each of four threads asks all questions, each in another order; all must get what one thread got.
template <class Ask>
std::vector<std::string> ask_on_four_threads(std::size_t count, const std::vector<Route>& expected,
                                             const Ask& ask) {
    std::vector<std::string> wrong[4];
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            Scratch scratch;
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t which = (i * (2 * t + 1) + t) % count;
                const std::string difference = route_difference(ask(which, scratch), expected[which]);
                if (!difference.empty()) wrong[t].push_back(difference);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<std::string> all;
    for (const auto& mine : wrong) all.insert(all.end(), mine.begin(), mine.end());
    return all;
}

TEST(SharedAssets, OneDriveMapForFourThreads) {
    Rng rng(51);
    const DrivenWorld world(random_tiles(rng, 12), {.radius = 0.4, .turning_radius = 2.0});
    ASSERT_TRUE(world.map);
    std::vector<DriveQuery> queries(static_cast<std::size_t>(trials(300)));
    for (DriveQuery& query : queries) {
        query.start = random_pose(rng, world.tiles, true);
        query.goal = random_pose(rng, world.tiles, true);
    }
    const auto ask = [&](std::size_t i, Scratch& scratch) {
        Route route;
        EXPECT_TRUE(find_route_into(*world.map, queries[i], scratch, route));
        return route;
    };
    Scratch scratch;
    std::vector<Route> expected;
    for (std::size_t i = 0; i < queries.size(); ++i) expected.push_back(ask(i, scratch));
    const auto wrong = ask_on_four_threads(queries.size(), expected, ask);
    EXPECT_TRUE(wrong.empty()) << wrong.size() << ", the first: " << wrong.front();
}

TEST(SharedAssets, OneMeshTableForFourThreads) {
    Rng rng(52);
    PlainMesh plain = random_mesh(rng, {.width = 20, .height = 20, .blocked_percent = 25});
    const NavMesh mesh = plain.make(0);
    const MeshTable table = make_table(mesh);
    std::vector<MeshQuery> queries(static_cast<std::size_t>(trials(1000)));
    for (MeshQuery& query : queries) {
        query.start = {rng.between(0.0, 20.0), rng.between(0.0, 20.0), 0.0};
        query.goal = Vec3{rng.between(0.0, 20.0), rng.between(0.0, 20.0), 0.0};
    }
    const auto ask = [&](std::size_t i, Scratch& scratch) {
        Route route;
        EXPECT_TRUE(find_route_into(mesh, looked_up_in(table, queries[i]), scratch, route));
        return route;
    };
    Scratch scratch;
    std::vector<Route> expected;
    for (std::size_t i = 0; i < queries.size(); ++i) expected.push_back(ask(i, scratch));
    const auto wrong = ask_on_four_threads(queries.size(), expected, ask);
    EXPECT_TRUE(wrong.empty()) << wrong.size() << ", the first: " << wrong.front();
}

TEST(SharedAssets, JobsOnThreadsMakeTheSameBytes) {
    Rng rng(53);
    const Level level = random_blocks(rng, 20, 40);
    bake::BakeOptions options;
    options.cell_size = 0.25;
    options.tile_cells = 20;
    const Result<bake::BakedMesh> alone = bake::bake_mesh(level.soup(), options);
    ASSERT_TRUE(alone);
    Threads threads{4};
    options.jobs = {&Threads::run, &threads};
    const Result<bake::BakedMesh> together = bake::bake_mesh(level.soup(), options);
    ASSERT_TRUE(together);
    EXPECT_EQ(bake::digest(*together), bake::digest(*alone));

    PlainMesh plain = random_mesh(rng, {.width = 16, .height = 16, .blocked_percent = 25});
    const NavMesh mesh = plain.make(0);
    EXPECT_EQ(make_table(mesh, {.jobs = {&Threads::run, &threads}}).digest(), make_table(mesh).digest());
}

}  // namespace
}  // namespace fairlead::testing
