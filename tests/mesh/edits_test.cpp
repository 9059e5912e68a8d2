// Edits of meshes: obstacles and tiles that come and go leave no trace, and errors change nothing.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/mesh_obstacles.h"
#include "support/starve.h"

namespace fairlead {
namespace {

using testing::middle_of;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_obstacle;
using testing::shape_of;
using testing::TestAllocator;
using testing::trials;

TEST(MeshEdits, HistoryDoesNotMatter) {
    Rng rng(503);
    constexpr double kSize = 40.0;
    for (int world = 0; world < trials(20); ++world) {
        PlainMesh plain = random_mesh(
            rng, {.width = 10, .height = 10, .blocked_percent = 10, .split_percent = 20, .join_percent = 0});
        const double tile = 4.0 * (1.0 + rng.below(4));
        const double radius_max = rng.below(2) == 0 ? 0.0 : rng.between(0.0, tile / 2);
        NavMesh mesh = plain.make_tiled(tile, kLandmarksMax, {}, radius_max);
        const std::vector<double> bare = shape_of(mesh);
        std::vector<std::pair<std::int64_t, MeshObstacle>> there;
        for (int step = 0; step < 12; ++step) {
            std::vector<MeshEdit> edits;
            for (std::uint32_t i = 0; i <= rng.below(4); ++i) {
                const auto id = static_cast<std::int64_t>(rng.below(20));
                const auto at = std::find_if(there.begin(), there.end(),
                                             [&](const auto& entry) { return entry.first == id; });
                if (at == there.end()) {
                    there.emplace_back(id, random_obstacle(rng, kSize));
                    edits.push_back(MeshEdit::add(id, there.back().second));
                } else if (rng.below(2) == 0) {
                    at->second = random_obstacle(rng, kSize);
                    edits.push_back(MeshEdit::move(id, at->second));
                } else {
                    edits.push_back(MeshEdit::remove(id));
                    there.erase(at);
                }
            }
            ASSERT_TRUE(mesh.apply(edits));
            ASSERT_EQ(mesh.obstacles(), there.size());
            NavMesh fresh = plain.make_tiled(tile, kLandmarksMax, {}, radius_max);
            std::vector<MeshEdit> all;
            for (const auto& [id, obstacle] : there) all.push_back(MeshEdit::add(id, obstacle));
            ASSERT_TRUE(fresh.apply(all));
            ASSERT_EQ(shape_of(mesh), shape_of(fresh)) << "world " << world << " step " << step;
        }
        std::vector<MeshEdit> out;
        for (const auto& [id, obstacle] : there) out.push_back(MeshEdit::remove(id));
        ASSERT_TRUE(mesh.apply(out));
        EXPECT_EQ(shape_of(mesh), bare);
    }
}

// A tile whose polygons are all under an obstacle, at the edge of the world: the obstacle going must still touch it.
TEST(MeshEdits, ATileUnderAnObstacleComesBack) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {10, 0, 0}, {10, 8, 0}};
    plain.polygons = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    for (const double radius_max : {0.0, 2.0}) {
        NavMesh mesh = plain.make_tiled(8.0, 0, {}, radius_max);
        const std::vector<double> before = shape_of(mesh);
        const MeshEdit add[] = {MeshEdit::add(1, MeshObstacle::box({10.5, 4}, {2.75, 5}, 0.0, -1.0, 1.0))};
        ASSERT_TRUE(mesh.apply(add));
        EXPECT_EQ(mesh.state().bounds().high.x, 7.75);
        const MeshEdit gone[] = {MeshEdit::remove(1)};
        ASSERT_TRUE(mesh.apply(gone));
        EXPECT_EQ(shape_of(mesh), before);
    }
}

TEST(MeshEdits, BadEditsChangeNothing) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    NavMesh mesh = plain.make_tiled(20.0);
    const MeshObstacle good = MeshObstacle::box({10, 5}, {1, 3}, 0.0, 0.0, 1.0);
    const MeshEdit first[] = {MeshEdit::add(7, good)};
    ASSERT_TRUE(mesh.apply(first));
    const std::vector<double> before = shape_of(mesh);
    const auto refused = [&](const MeshEdit& edit, ErrorCode code) {
        const MeshEdit edits[] = {MeshEdit::add(8, MeshObstacle::pillar({3, 3}, 1, 0, 1)), edit};
        const Result<void> done = mesh.apply(edits);
        EXPECT_FALSE(done);
        if (done) return;
        EXPECT_EQ(done.error().code, code);
        EXPECT_EQ(done.error().index, 1);
        EXPECT_EQ(shape_of(mesh), before);
        EXPECT_EQ(mesh.state().revision(), 1U);
        EXPECT_EQ(mesh.obstacles(), 1U);
    };
    refused(MeshEdit::add(7, good), ErrorCode::duplicate_id);
    refused(MeshEdit::remove(9), ErrorCode::unknown_id);
    refused(MeshEdit::move(9, good), ErrorCode::unknown_id);
    MeshObstacle bad = good;
    bad.points[0].x = NAN;
    refused(MeshEdit::move(7, bad), ErrorCode::not_finite);
    bad = good;
    bad.points[2] = bad.points[0];
    refused(MeshEdit::move(7, bad), ErrorCode::incompatible);
    bad = good;
    bad.count = 2;
    refused(MeshEdit::move(7, bad), ErrorCode::size_limit);
    bad = good;
    bad.low = 2.0;
    refused(MeshEdit::move(7, bad), ErrorCode::out_of_range);
    std::swap(bad.points[1], bad.points[2]);
    bad.low = 0.0;
    refused(MeshEdit::move(7, bad), ErrorCode::incompatible);
}

TEST(MeshTiles, ComeAndGo) {
    // Tiles taken out and put in again, with obstacles and gates: as if they had never been away.
    Rng rng(507);
    for (int world = 0; world < trials(20); ++world) {
        PlainMesh plain = random_mesh(
            rng, {.width = 9, .height = 9, .blocked_percent = 15, .split_percent = 20, .join_percent = 0});
        const double size = 12.0, radius_max = rng.below(2) == 0 ? 0.0 : 3.0;
        NavMesh mesh = plain.make_tiled(size, 0, {}, radius_max);
        std::vector<MeshEdit> edits;
        for (int i = 0; i < 6; ++i) edits.push_back(MeshEdit::add(i, random_obstacle(rng, 36.0)));
        ASSERT_TRUE(mesh.apply(edits));
        const std::vector<double> before = shape_of(mesh);
        const auto x = static_cast<std::int32_t>(rng.below(3)), y = static_cast<std::int32_t>(rng.below(3));
        // The tile as it was baked, from the plain mesh.
        PlainMesh part;
        part.vertices = plain.vertices;
        for (std::size_t i = 0; i < plain.polygons.size(); ++i) {
            const Vec2 middle = middle_of(plain, i);
            if (std::floor(middle.x / size) == x && std::floor(middle.y / size) == y)
                part.polygons.push_back(plain.polygons[i]);
        }
        if (part.polygons.empty()) continue;
        PlainMesh own;
        std::vector<std::uint32_t> numbers(part.vertices.size(), UINT32_MAX);
        for (const auto& ring : part.polygons) {
            std::vector<std::uint32_t>& out = own.polygons.emplace_back();
            for (const std::uint32_t v : ring) {
                if (numbers[v] == UINT32_MAX) {
                    numbers[v] = static_cast<std::uint32_t>(own.vertices.size());
                    own.vertices.push_back(part.vertices[v]);
                }
                out.push_back(numbers[v]);
            }
        }
        own.flatten();
        NavMeshTile tile = own.tile();
        tile.x = x;
        tile.y = y;
        ASSERT_TRUE(mesh.remove_tile(x, y));
        EXPECT_FALSE(mesh.remove_tile(x, y));
        EXPECT_NE(shape_of(mesh), before);
        ASSERT_TRUE(mesh.set_tile(tile));
        ASSERT_EQ(shape_of(mesh), before) << "world " << world;
        ASSERT_TRUE(mesh.set_tile(tile));
        ASSERT_EQ(shape_of(mesh), before) << "world " << world;
        ASSERT_TRUE(mesh.measure_landmarks());
        ASSERT_EQ(shape_of(mesh), before) << "world " << world;
    }
}

TEST(MeshEdits, FailingMemoryLeavesNoTrace) {
    Rng rng(505);
    PlainMesh plain = random_mesh(
        rng, {.width = 6, .height = 6, .blocked_percent = 10, .split_percent = 20, .join_percent = 0});
    TestAllocator memory;
    for (const bool once : testing::kOnceAndForEver) {
        NavMesh mesh = plain.make_tiled(8.0, 3, memory.allocator(), 2.0);
        const MeshEdit first[] = {MeshEdit::add(1, random_obstacle(rng, 24.0)),
                                  MeshEdit::add(2, random_obstacle(rng, 24.0))};
        ASSERT_TRUE(mesh.apply(first));
        const std::vector<double> before = shape_of(mesh);
        const MeshEdit second[] = {MeshEdit::move(1, random_obstacle(rng, 24.0)), MeshEdit::remove(2),
                                   MeshEdit::add(3, random_obstacle(rng, 24.0))};
        NavMesh twin = plain.make_tiled(8.0, 3, {}, 2.0);
        ASSERT_TRUE(twin.apply(first));
        ASSERT_TRUE(twin.apply(second));
        bool done = false;
        const auto edit = [&] {
            const Result<void> made = done ? Result<void>() : mesh.apply(second);
            done = made.has_value();
            return made;
        };
        const auto all_or_nothing = [&](const Result<void>& made) {
            ASSERT_EQ(shape_of(mesh), made ? shape_of(twin) : before);
        };
        EXPECT_GT(testing::starve(memory, once, edit, all_or_nothing), 10);
        EXPECT_EQ(shape_of(mesh), shape_of(twin));
        EXPECT_EQ(mesh.obstacles(), 2U);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

}  // namespace
}  // namespace fairlead
