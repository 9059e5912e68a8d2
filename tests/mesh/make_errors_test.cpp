// What NavMesh::make and set_tile refuse: every documented error, with its index. What they take must be a mesh.
#include <fairlead/mesh/nav_mesh.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/plain_mesh.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kMax = std::numeric_limits<double>::max();

/// Two squares side by side; each test changes one thing.
struct Parts {
    std::vector<Vec3> vertices{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {8, 0, 0}, {8, 4, 0}};
    std::vector<std::uint32_t> sizes{4, 4};
    std::vector<std::uint32_t> corners{0, 1, 2, 3, 1, 4, 5, 2};
    std::vector<std::uint8_t> areas{0, 1};
    std::int32_t x = 0, y = 0;

    [[nodiscard]] NavMeshTile tile() const {
        return {.x = x,
                .y = y,
                .vertices = vertices,
                .polygon_sizes = sizes,
                .polygon_corners = corners,
                .areas = areas};
    }
};

Error rule(NavMeshRule which, std::int64_t polygon) {
    return {ErrorCode::incompatible, polygon, static_cast<std::int64_t>(which)};
}

// As a mesh of its own and as a tile that is put into one: the same error, and the mesh stays as it was.
void refused(const std::function<void(Parts&)>& change, const Error& wanted) {
    Parts parts;
    change(parts);
    const NavMeshTile tile = parts.tile();
    TestAllocator memory;
    {
        const Result<NavMesh> made = NavMesh::make({.tiles = {&tile, 1}, .allocator = memory.allocator()});
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error(), wanted)
            << error_name(made.error().code) << " " << made.error().index << " " << made.error().detail;
        const Parts good;
        const NavMeshTile first = good.tile();
        Result<NavMesh> mesh = NavMesh::make(
            {.tile_size = 8.0, .radius_max = 1.0, .tiles = {&first, 1}, .allocator = memory.allocator()});
        ASSERT_TRUE(mesh);
        const Result<void> put = mesh->set_tile(tile);
        EXPECT_FALSE(put);
        EXPECT_EQ(mesh->state().polygons(), 2U);
        EXPECT_EQ(mesh->state().revision(), 0U);
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

TEST(MeshMake, TheExampleIsGood) {
    const Parts parts;
    const NavMeshTile tile = parts.tile();
    const Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}});
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->state().polygons(), 2U);
    EXPECT_TRUE(mesh->state().neighbour(mesh->state().polygon(0), 1).valid());
}

TEST(MeshMake, VerticesAreChecked) {
    for (double Vec3::*which : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        for (const double value : {kNan, kInf, -kInf}) {
            refused([&](Parts& p) { p.vertices[2].*which = value; }, {ErrorCode::not_finite, 2, 0});
        }
        for (const double value : {1.0000001e9, -1.0000001e9, kMax, -kMax}) {
            refused([&](Parts& p) { p.vertices[5].*which = value; }, {ErrorCode::out_of_range, 5, 0});
        }
    }
}

TEST(MeshMake, CountsAndNumbersAreChecked) {
    refused([](Parts& p) { p.corners[6] = 6; }, {ErrorCode::unknown_id, 1, 6});
    refused([](Parts& p) { p.corners[0] = UINT32_MAX; }, {ErrorCode::unknown_id, 0, UINT32_MAX});
    refused([](Parts& p) { p.sizes[1] = 3; }, {ErrorCode::size_mismatch, -1, 7});
    refused([](Parts& p) { p.sizes[1] = 5; }, {ErrorCode::size_mismatch, -1, 8});
    refused([](Parts& p) { p.sizes[0] = UINT32_MAX; }, {ErrorCode::size_mismatch, -1, 8});
    refused([](Parts& p) { p.sizes = {UINT32_MAX, 9}; }, {ErrorCode::size_mismatch, -1, 8});
    refused([](Parts& p) { p.areas.pop_back(); }, {ErrorCode::size_mismatch, -1, 2});
    refused([](Parts& p) { p.areas[1] = 64; }, {ErrorCode::out_of_range, 1, 64});
}

TEST(MeshMake, ShapesAreChecked) {
    refused([](Parts& p) { p.sizes = {4, 4, 0}, p.areas = {}; }, rule(NavMeshRule::too_few_corners, 2));
    refused([](Parts& p) { p.sizes = {2, 6}; }, rule(NavMeshRule::too_few_corners, 0));
    refused([](Parts& p) { p.corners[1] = 0; }, rule(NavMeshRule::repeated_corner, 0));
    refused([](Parts& p) { p.vertices[1] = p.vertices[0]; }, rule(NavMeshRule::repeated_corner, 0));
    refused([](Parts& p) { std::swap(p.corners[1], p.corners[3]); }, rule(NavMeshRule::not_convex, 0));
    refused([](Parts& p) { std::swap(p.corners[1], p.corners[2]); }, rule(NavMeshRule::not_convex, 0));
    // Dented by the last bit of a number, all on one line, twice round.
    refused([](Parts& p) { p.vertices[2].x = std::nextafter(0.0, 1.0), p.vertices[2].y = 4e-9; },
            rule(NavMeshRule::not_convex, 0));
    refused(
        [](Parts& p) {
            p.vertices[2] = {8, 0, 0}, p.vertices[3] = {2, 0, 0};
        },
        rule(NavMeshRule::not_convex, 0));
    refused(
        [](Parts& p) {
            p.vertices = {{0, 0, 0}, {4, 0, 0}, {1, 3, 0}, {2, -2, 0}, {3, 3, 0}};
            p.sizes = {5};
            p.corners = {0, 1, 2, 3, 4};
            p.areas = {};
        },
        rule(NavMeshRule::not_convex, 0));
    refused(
        [](Parts& p) {
            p.sizes = {4, 4}, p.corners = {0, 1, 2, 3, 0, 1, 2, 3};
        },
        rule(NavMeshRule::edge_used_twice, 0));
}

TEST(MeshMake, PlacesOfTilesAreChecked) {
    const Parts parts;
    std::vector<NavMeshTile> tiles{parts.tile(), parts.tile()};
    const auto error_of = [&](const NavMeshOptions& options) {
        const Result<NavMesh> made = NavMesh::make(options);
        return made ? Error{ErrorCode::count_, 0, 0} : made.error();
    };
    EXPECT_EQ(error_of({.tile_size = 8.0, .tiles = tiles}), rule(NavMeshRule::tile_twice, 1));
    EXPECT_EQ(error_of({.tiles = tiles}), rule(NavMeshRule::tile_twice, 1));
    tiles[1].x = 1;
    EXPECT_EQ(error_of({.tile_size = 8.0, .tiles = tiles}), rule(NavMeshRule::outside_tile, 0));
    EXPECT_EQ(error_of({.tile_size = 7.0, .tiles = {tiles.data(), 1}}), rule(NavMeshRule::outside_tile, 4));
    for (const std::int32_t place : {(1 << 30) + 1, -(1 << 30) - 1, INT32_MAX, INT32_MIN}) {
        NavMeshTile far{.x = place};
        EXPECT_EQ(error_of({.tile_size = 1.0, .tiles = {&far, 1}}).code, ErrorCode::out_of_range);
        far = {.y = place};
        EXPECT_EQ(error_of({.tile_size = 1.0, .tiles = {&far, 1}}).code, ErrorCode::out_of_range);
    }
}

TEST(MeshMake, OptionsAreChecked) {
    const Parts parts;
    const NavMeshTile tile = parts.tile();
    const auto code_of = [&](NavMeshOptions options) {
        options.tiles = {&tile, 1};
        const Result<NavMesh> made = NavMesh::make(options);
        if (made) return ErrorCode::count_;
        EXPECT_EQ(made.error().index, -1);
        return made.error().code;
    };
    for (double NavMeshOptions::*which :
         {&NavMeshOptions::tile_size, &NavMeshOptions::step_height, &NavMeshOptions::agent_radius,
          &NavMeshOptions::agent_height, &NavMeshOptions::radius_max}) {
        for (const double value : {kNan, kInf, -kInf, -1.0, -5e-324, 1.1e9, kMax}) {
            NavMeshOptions options;
            options.*which = value;
            EXPECT_EQ(code_of(options),
                      std::isfinite(value) ? ErrorCode::out_of_range : ErrorCode::not_finite)
                << value;
        }
    }
    for (double Vec3::*which : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        for (const double value : {kNan, kInf, 1.1e9, -kMax}) {
            NavMeshOptions options;
            options.origin.*which = value;
            EXPECT_EQ(code_of(options),
                      std::isfinite(value) ? ErrorCode::out_of_range : ErrorCode::not_finite);
        }
    }
    EXPECT_EQ(code_of({.landmarks = kLandmarksMax + 1}), ErrorCode::out_of_range);
    EXPECT_EQ(code_of({.landmarks = UINT32_MAX}), ErrorCode::out_of_range);
    EXPECT_EQ(code_of({.tile_size = 8.0, .radius_max = 4.1}), ErrorCode::out_of_range);
    EXPECT_EQ(code_of({.tile_size = 8.0, .radius_max = 4.0}), ErrorCode::count_);
    EXPECT_EQ(code_of({.agent_radius = 2.0, .radius_max = 1.0}), ErrorCode::count_);
}

TEST(MeshMake, EveryFailingAllocationIsAnError) {
    Rng rng(8);
    PlainMesh plain = random_mesh(rng, {.width = 6, .height = 6, .join_percent = 0, .areas = 2});
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    TestAllocator memory;
    const auto make = [&] {
        return NavMesh::make(
            {.radius_max = 1.5, .tiles = {&tile, 1}, .landmarks = 3, .allocator = memory.allocator()});
    };
    const auto nothing_left = [&](const Result<NavMesh>& made) {
        ASSERT_FALSE(made);
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    };
    for (const bool once : testing::kOnceAndForEver)
        EXPECT_GT(testing::starve(memory, once, make, nothing_left), 50);
    EXPECT_EQ(memory.live_blocks, 0);
}

// Tiles x places is past 32 bits: refused, not wrapped. (The last tile is too large for what the number of tiles leaves.)
TEST(MeshMake, ReferencesOfAllTilesFitInto32Bits) {
    std::vector<NavMeshTile> tiles(1 << 16);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i].x = static_cast<std::int32_t>(i % 256);
        tiles[i].y = static_cast<std::int32_t>(i / 256);
    }
    PlainMesh plain;
    constexpr std::uint32_t kSide = 64;
    for (std::uint32_t i = 0; i < (kSide + 1) * (kSide + 1); ++i)
        plain.vertices.push_back({255.0 + i % (kSide + 1) / 64.0, 255.0 + i / (kSide + 1) / 64.0, 0});
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const std::uint32_t a = y * (kSide + 1) + x;
            plain.polygons.push_back({a, a + 1, a + kSide + 2, a + kSide + 1});
        }
    }
    plain.flatten();
    NavMeshTile& last = tiles.back();
    last = plain.tile();
    last.x = last.y = 255;
    const Result<NavMesh> made = NavMesh::make({.tile_size = 1.0, .tiles = tiles, .landmarks = 0});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::size_limit);
    const Result<NavMesh> fewer =
        NavMesh::make({.tile_size = 1.0, .tiles = std::span(tiles).last(1 << 15), .landmarks = 0});
    ASSERT_FALSE(fewer);
    EXPECT_EQ(fewer.error().code, ErrorCode::size_limit);
    const Result<NavMesh> few =
        NavMesh::make({.tile_size = 1.0, .tiles = std::span(tiles).last(1 << 14), .landmarks = 0});
    ASSERT_TRUE(few);
    EXPECT_EQ(few->state().polygons(), kSide * kSide);
}

}  // namespace
}  // namespace fairlead::testing
