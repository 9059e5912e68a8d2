// The peers of level meshes do what the suites say of them, and the timing of small queries asks every query.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <fairlead/formats/detour.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "suites/asked.h"
#include "suites/detour_queries.h"
#include "suites/level_worlds.h"
#include "suites/meshes_parts.h"
#include "suites/recast_bake.h"
#include "suites/tile_cache.h"

namespace fairlead::testing {
namespace {

TEST(Asked, EveryContestantIsAskedEveryPairAlike) {
    std::vector<bench::MeshPair> pairs;
    for (int i = 0; i < 37; ++i) pairs.push_back({{static_cast<double>(i), 0, 0}, {}});
    std::map<double, int> counts[2];
    bench::Asked all[] = {{"a", [&](const bench::MeshPair& pair) { ++counts[0][pair.start.x]; }},
                          {"b", [&](const bench::MeshPair& pair) { ++counts[1][pair.start.x]; }}};
    bench::ask_in_turn(all, pairs, 2);
    EXPECT_EQ(counts[0], counts[1]);
    EXPECT_EQ(counts[0].size(), pairs.size());
    for (const auto& [place, count] : counts[0]) EXPECT_GE(count, 4) << place;
    for (const bench::Asked& asked : all) EXPECT_GT(asked.mean_us, 0.0);
}

TEST(MeshLevels, PairsAreJoinedOrNot) {
    const bench::BenchLevel yard = bench::yard_level(40, 41);
    const Result<NavMesh> mesh = bake::navmesh(yard.soup());
    ASSERT_TRUE(mesh.has_value());
    for (const bool joined : {true, false}) {
        const std::vector<bench::MeshPair> pairs = bench::mesh_pairs(*mesh, 10, joined, 1);
        EXPECT_FALSE(pairs.empty());
        Scratch scratch;
        for (const bench::MeshPair& pair : pairs) {
            const Result<Route> route =
                find_route(*mesh, MeshQuery{.start = pair.start, .goal = pair.goal}, scratch);
            ASSERT_TRUE(route.has_value());
            EXPECT_EQ(route->status == PathStatus::complete, joined);
        }
    }
}

TEST(MeshLevels, CopiesAreSideBySide) {
    const bench::BenchLevel yard = bench::yard_level(40, 41);
    const bench::BenchLevel four = bench::repeated(yard, 2, "four");
    EXPECT_EQ(four.file.triangles.size(), 4 * yard.file.triangles.size());
    const auto high = std::max_element(four.file.vertices.begin(), four.file.vertices.end(),
                                       [](const Vec3& a, const Vec3& b) { return a.x + a.y < b.x + b.y; });
    EXPECT_EQ(*high, (Vec3{80, 80, high->z}));
}

class MeshPeers : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!bench::has_recast()) GTEST_SKIP() << "skipped: built without librecast-dev";
    }
    const bench::BenchLevel yard_ = bench::yard_level(40, 41);
};

TEST_F(MeshPeers, RecastBakesWhatDetourAndWeTake) {
    for (const std::uint32_t tile_cells : {0U, 32U}) {
        bench::RecastBake peer{yard_, tile_cells};
        for (int p = 0; p < static_cast<int>(bench::RecastPartition::count_); ++p) {
            ASSERT_TRUE(peer.bake(static_cast<bench::RecastPartition>(p)));
            const Result<formats::DetourMesh> ours = formats::load_detour(peer.detour_set());
            ASSERT_TRUE(ours.has_value());
            EXPECT_EQ(ours->tiles > 1, tile_cells != 0);
            EXPECT_FLOAT_EQ(static_cast<float>(ours->agent_radius), 0.6F);
            // The walkable ground: about the yard and the storey above, less blocks and margins.
            double area = 0;
            std::size_t first = 0;
            for (const std::uint32_t size : ours->mesh.polygon_sizes) {
                for (std::uint32_t i = 0; i < size; ++i) {
                    const Vec3& a = ours->mesh.vertices[ours->mesh.polygon_corners[first + i]];
                    const Vec3& b = ours->mesh.vertices[ours->mesh.polygon_corners[first + (i + 1) % size]];
                    area += (a.x * b.y - a.y * b.x) / 2;
                }
                first += size;
            }
            EXPECT_GT(area, 1000.0);
            EXPECT_LT(area, 2080.0);
        }
        peer.clear();
        EXPECT_TRUE(peer.detour_set().empty());
        EXPECT_GT(bench::recast_peak_bytes(yard_, tile_cells), 50000U);
    }
}

TEST_F(MeshPeers, DetourFindsWaysAndTellsWhenItCannot) {
    bench::RecastBake peer{yard_, 32};
    ASSERT_TRUE(peer.bake(bench::RecastPartition::watershed));
    bench::DetourQueries detour{peer.detour_set()};
    EXPECT_EQ(detour.nodes(), 2048);
    detour.ask({1, 1, 0}, {1, 39, 0});
    EXPECT_TRUE(detour.arrived());
    EXPECT_FALSE(detour.out_of_nodes());
    EXPECT_GE(detour.length(), 38.0 * 0.999);
    EXPECT_LT(detour.length(), 60.0);
    detour.ask({1, 1, 0}, {500, 500, 0});
    EXPECT_FALSE(detour.arrived());
    bench::DetourQueries few{peer.detour_set(), 4};
    few.ask({1, 1, 0}, {38, 39, 4});
    EXPECT_FALSE(few.arrived());
    EXPECT_TRUE(few.out_of_nodes());
    few.grow_nodes(1024);
    few.ask({1, 1, 0}, {38, 39, 4});
    EXPECT_TRUE(few.arrived());
    EXPECT_FALSE(few.out_of_nodes());
}

TEST_F(MeshPeers, TheTileCacheTakesSixtyFourWishesAtATime) {
    bench::TileCache cache{yard_, bench::kTileCells, 100};
    const auto place = [](int i) { return Vec3{2.0 + i % 10 * 2, 2.0 + i / 10 * 3, 0}; };
    int taken = 0;
    while (taken < 100 && cache.add(place(taken))) ++taken;
    EXPECT_EQ(taken, 64);
    int updates = 1;
    while (!cache.update()) ++updates;
    EXPECT_GT(updates, 1);
    EXPECT_TRUE(cache.add(place(taken)));
    EXPECT_TRUE(cache.remove(0));
    while (!cache.update()) {
    }
}

}  // namespace
}  // namespace fairlead::testing
