// Height fields beside the floors and the surface that they come from.

#include <fairlead/mesh/height_field.h>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh_bake/bake.h>

#include "mesh_bake/heights.h"
#include "support/environment.h"
#include "support/levels.h"

namespace fairlead {
namespace {

constexpr double kAnyStep = HUGE_VAL;

// One floor a column, of one layer or two, as z says; -1: none.
struct Made {
    bake::BakedMesh mesh;
    bake::BakedTile tile;
};

Made heights_of(int width, int height, const std::vector<std::int32_t>& z,
                std::uint32_t second_from = 0xffffffffU) {
    bake::Floors floors{Allocator{}};
    bake::Layers layers{Allocator{}};
    floors.box = {0, 0, width, height};
    layers.count = 2;
    for (std::uint32_t i = 0; i < z.size(); ++i) {
        EXPECT_TRUE(floors.first.push_back(static_cast<std::uint32_t>(floors.z.size())));
        if (z[i] == -1) continue;
        EXPECT_TRUE(floors.z.push_back(z[i]) && floors.cell.push_back(i) && floors.area.push_back(1) &&
                    floors.drop.push_back(kDropUnknown));
        EXPECT_TRUE(layers.label.push_back((i >= second_from ? 1U : 0U) << 8 | 1U));
    }
    EXPECT_TRUE(floors.first.push_back(static_cast<std::uint32_t>(floors.z.size())));
    Made made;
    const bake::Settings settings;
    made.tile.layers = 2;
    EXPECT_TRUE(bake::make_heights(settings, floors.box, floors, layers, made.tile, made.mesh));
    EXPECT_TRUE(made.mesh.tiles.push_back(made.tile));
    EXPECT_TRUE(check_heights(made.mesh.heights(0)));
    return made;
}

TEST(Heights, FloorsComeBackWithinTheStatedError) {
    Rng rng(41);
    for (int round = 0; round < testing::trials(400); ++round) {
        const int width = 1 + static_cast<int>(rng.below(40));
        const int height = 1 + static_cast<int>(rng.below(40));
        std::vector<std::int32_t> z(static_cast<std::size_t>(width * height));
        const double a = rng.between(-2.0, 2.0);
        const double b = rng.between(-2.0, 2.0);
        const std::uint32_t noise =
            round % 4 == 0 ? 0 : 1U << rng.below(static_cast<std::uint32_t>(2 + round % 25));
        for (std::size_t i = 0; i < z.size(); ++i) {
            const double x = static_cast<double>(i % static_cast<std::size_t>(width));
            const double y = static_cast<double>(i / static_cast<std::size_t>(width));
            z[i] = 200 + static_cast<std::int32_t>(std::floor(a * x + b * y)) +
                   static_cast<std::int32_t>(rng.below(noise + 1));
            if (rng.below(5) == 0) z[i] = -1;
        }
        const auto second = static_cast<std::uint32_t>(z.size() / 2);
        const Made made = heights_of(width, height, z, second);
        const HeightField field = made.mesh.heights(0);
        for (std::uint32_t i = 0; i < z.size(); ++i) {
            if (z[i] == -1) continue;
            const double x = 0.5 + static_cast<double>(i % static_cast<std::uint32_t>(width));
            const double y = 0.5 + static_cast<double>(i / static_cast<std::uint32_t>(width));
            const std::optional<double> found = field.at(i >= second ? 1 : 0, x, y, kAnyStep);
            ASSERT_TRUE(found);
            ASSERT_NEAR(*found, z[i], kHeightPlaneError + 1.0 / 32.0) << round;
        }
    }
}

TEST(Heights, NoiseIsKeptExactly) {
    Rng rng(42);
    std::vector<std::int32_t> z(64 * 64);
    for (std::int32_t& value : z) value = static_cast<std::int32_t>(rng.below(1000));
    const Made made = heights_of(64, 64, z);
    const HeightField field = made.mesh.heights(0);
    for (std::uint32_t i = 0; i < z.size(); ++i)
        EXPECT_EQ(*field.at(0, i % 64 + 0.5, i / 64 + 0.5, kAnyStep), z[i]);
}

TEST(Heights, FlatGroundCostsAQuarterOfAByteACell) {
    const std::vector<std::int32_t> z(128 * 128, 7);
    const Made made = heights_of(128, 128, z);
    EXPECT_EQ(made.mesh.height_words.size(), 0U);
    EXPECT_EQ(made.mesh.height_blocks.size(), 256U);
    EXPECT_EQ(sizeof(HeightBlock), 16U);
    EXPECT_EQ(*made.mesh.heights(0).at(0, 77.7, 0.0, kAnyStep), 7.0);
}

TEST(Heights, BesideALayerTheNearestBlockAnswers) {
    const std::vector<std::int32_t> z(8 * 8, 5);
    const Made made = heights_of(8, 8, z);
    const HeightField field = made.mesh.heights(0);
    EXPECT_EQ(*field.at(0, -3.0, 4.0, kAnyStep), 5.0);
    EXPECT_EQ(*field.at(0, 11.0, 12.0, kAnyStep), 5.0);
    EXPECT_FALSE(field.at(0, -9.0, 4.0, kAnyStep));
    EXPECT_FALSE(field.at(0, 4.0, 17.0, kAnyStep));
    EXPECT_FALSE(field.at(2, 4.0, 4.0, kAnyStep));
    for (const double bad : {std::nan(""), 1e300, -1e300, HUGE_VAL})
        EXPECT_FALSE(field.at(0, bad, 4.0, kAnyStep));
}

TEST(Heights, DamagedArraysAreFound) {
    const std::vector<std::int32_t> z = {1, 9, 4, 7};
    Made made = heights_of(2, 2, z);
    ASSERT_EQ(made.mesh.height_blocks.size(), 1U);
    ASSERT_GT(made.mesh.height_blocks[0].bits, 0);
    const auto broken = [&](auto change) {
        Made copy = heights_of(2, 2, z);
        change(copy.mesh);
        return !check_heights(copy.mesh.heights(0)).has_value();
    };
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_layers[0].count = 2; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_layers[0].first = 0xffffffffU; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_rows[0].count = 0xffffffffU; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_rows[0].first = 1; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_blocks[0].first = 1000; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_blocks[0].bits = 64; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_blocks[0].bits = 3; }));
    EXPECT_TRUE(broken([](bake::BakedMesh& m) { m.height_blocks[0].fraction = 9; }));
}

TEST(Heights, TheyAreNearTheSurfaceOfTheLevel) {
    Rng rng(43);
    for (int round = 0; round < testing::trials(6); ++round) {
        const testing::Level level = testing::random_hills(rng, 12, 0.1 + 0.2 * round);
        bake::BakeOptions options;
        options.cell_size = 0.25;
        options.agent_radius = 0.5;
        options.tile_cells = round % 2 == 0 ? 0 : 16;
        options.give_origin = true;
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(mesh);
        int asked = 0;
        for (std::size_t t = 0; t < mesh->tiles.size(); ++t) {
            const bake::BakedTile& tile = mesh->tiles[t];
            for (std::uint32_t p = 0; p < tile.polygon_count; ++p) {
                const bake::BakedPolygon& polygon = mesh->polygons[tile.first_polygon + p];
                Vec2 middle{};
                for (std::uint32_t i = 0; i < polygon.count; ++i)
                    middle = middle +
                             ground(mesh->vertices[tile.first_vertex +
                                                   mesh->corners[tile.first_corner + polygon.first + i]]) *
                                 (1.0 / polygon.count);
                const std::optional<double> z = mesh->heights(t).at(
                    polygon.layer, middle.x / 0.25 - tile.low_x, middle.y / 0.25 - tile.low_y, 5.5);
                ASSERT_TRUE(z);
                // The surface in the quad below, and the steepest rise of a cell there.
                const auto x = static_cast<std::size_t>(middle.x);
                const auto y = static_cast<std::size_t>(middle.y);
                const Vec3* quad = &level.vertices[4 * (y * 12 + x)];
                const double u = middle.x - static_cast<double>(x);
                const double v = middle.y - static_cast<double>(y);
                const double surface =
                    u >= v ? quad[0].z + u * (quad[1].z - quad[0].z) + v * (quad[2].z - quad[1].z)
                           : quad[0].z + v * (quad[3].z - quad[0].z) + u * (quad[2].z - quad[3].z);
                double steepest = 0;
                for (int k = 0; k < 4; ++k)
                    steepest = std::max(steepest, std::fabs(quad[k].z - quad[(k + 1) % 4].z));
                ASSERT_NEAR(*z * 0.2, surface, 1.75 * 0.2 + 2 * 0.25 * steepest + 0.3) << round;
                ++asked;
            }
        }
        EXPECT_GT(asked, 0);
    }
}

}  // namespace
}  // namespace fairlead
