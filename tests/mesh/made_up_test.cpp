// Meshes that nobody draws, made to be slow or large: work and memory stay in line with their size.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>

#include "support/plain_mesh.h"

namespace fairlead::testing {
namespace {

// Slivers from corner to corner, each over all others: with small buckets each would lie in all of them.
TEST(MadeUpMesh, SliversOverEachOther) {
    constexpr std::uint32_t kCount = 4000;
    PlainMesh plain;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const double z = i;
        plain.vertices.insert(plain.vertices.end(), {{0, 0, z}, {1000, 999, z}, {1000, 1000, z}});
        plain.polygons.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const NavMesh mesh = plain.make(0);
    EXPECT_LT(mesh.state().memory().tiles, kCount * 1024U);
    for (const double z : {0.0, 7.0, 3999.0}) {
        const MeshPoint at = mesh.state().nearest({500, 499.7, z + 0.2});
        ASSERT_TRUE(at.polygon.valid());
        EXPECT_DOUBLE_EQ(at.position.z, z);
    }
}

// Triangles round one vertex, so many that looking at each for each would take hours.
TEST(MadeUpMesh, AHubOfManySides) {
    constexpr std::uint32_t kCount = 200000;
    constexpr double kFar = 1e6;
    PlainMesh plain;
    plain.vertices.push_back({0, 0, 0});
    for (std::uint32_t i = 0; i <= kCount; ++i) {
        const double x = kFar - 2.0 * kFar * i / kCount;
        plain.vertices.push_back({x, kFar - x * x / (4.0 * kFar), 0});
    }
    for (std::uint32_t i = 0; i < kCount; ++i) plain.polygons.push_back({0, i + 1, i + 2});
    const NavMesh mesh = plain.make(0);
    EXPECT_EQ(mesh.state().polygons(), kCount);
    EXPECT_EQ(mesh.state().component(mesh.state().polygon(0)),
              mesh.state().component(mesh.state().polygon(kCount - 1)));
    Scratch scratch;
    const Result<Route> route = find_route(
        mesh, MeshQuery{.start = {0.0, kFar / 2, 0}, .goal = Vec3{kFar * 0.5, kFar * 0.6, 0}}, scratch);
    ASSERT_TRUE(route.has_value());
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_NEAR(route->length, std::hypot(kFar * 0.5, kFar * 0.1), 1.0);
}

// Two tiles with 10^18 empty places between them, and a wish to look at all of these.
TEST(MadeUpMesh, TilesFarApart) {
    constexpr std::int32_t kFar = 1 << 30;
    constexpr double kSize = 1e-3;
    const std::uint32_t sizes[] = {3}, corners[] = {0, 1, 2};
    const double low = kFar * kSize;
    const Vec3 near_corners[] = {{0, 0, 0}, {kSize, 0, 0}, {kSize, kSize, 0}};
    const Vec3 far_corners[] = {
        {low, low, 0}, {low + kSize / 2, low, 0}, {low + kSize / 2, low + kSize / 2, 0}};
    const NavMeshTile tiles[] = {
        {.x = 0, .y = 0, .vertices = near_corners, .polygon_sizes = sizes, .polygon_corners = corners},
        {.x = kFar, .y = kFar, .vertices = far_corners, .polygon_sizes = sizes, .polygon_corners = corners}};
    Result<NavMesh> mesh = NavMesh::make({.tile_size = kSize, .tiles = tiles});
    ASSERT_TRUE(mesh.has_value()) << error_name(mesh.error().code) << " " << mesh.error().index;
    const MeshPoint at = mesh->state().nearest({low / 3, low / 3, 0}, {.across = 2.0 * low});
    ASSERT_TRUE(at.polygon.valid());
    EXPECT_NEAR(at.position.x, kSize, 1e-9);
    const MeshEdit edit = MeshEdit::add(1, MeshObstacle::box({low / 2, low / 2}, {low, low}, 0.0, -1.0, 1.0));
    ASSERT_TRUE(mesh->apply({&edit, 1}).has_value());
    EXPECT_EQ(mesh->state().polygons(), 0U);
    NavMeshTile beyond = tiles[0];
    beyond.x = kFar + 1;
    EXPECT_EQ(mesh->set_tile(beyond).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace fairlead::testing
