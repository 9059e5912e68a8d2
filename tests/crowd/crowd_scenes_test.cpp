// The scenes themselves: the three worlds are one, and units stand free, apart, and in the same crowd whatever the pose.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_mesh.h>

#include "support/crowd_scenes.h"

namespace fairlead::testing {
namespace {

std::vector<CrowdPose> poses() {
    std::vector<CrowdPose> all;
    for (const double scale : {1.0, 0.3}) {
        for (int quarters = 0; quarters < 2; ++quarters) {
            for (const bool mirrored : {false, true}) all.push_back({scale, quarters, mirrored});
        }
    }
    return all;
}

double off_walls(const CrowdScene& scene, Vec2 p) {
    double nearest = 1e9;
    for (const Aabb& wall : scene.walls) {
        const double x = std::max({wall.low.x - p.x, p.x - wall.high.x, 0.0});
        const double y = std::max({wall.low.y - p.y, p.y - wall.high.y, 0.0});
        nearest = std::min(nearest, length(Vec2{x, y}));
    }
    return nearest;
}

TEST(CrowdScenes, TilesMeshAndBoxesHaveTheSameCorners) {
    for (const CrowdPlace place : all_crowd_places()) {
        for (const CrowdPose& pose : poses()) {
            const CrowdScene scene = make_crowd_scene(place, pose);
            SCOPED_TRACE(scene.name);
            const Grid grid = crowd_grid(scene);
            EXPECT_EQ(grid_mesh_cell_size(grid.state()), scene.cell);
            ASSERT_EQ(scene.walls.size(), scene.blocks.size());
            for (std::size_t i = 0; i < scene.walls.size(); ++i) {
                const CellRect& block = scene.blocks[i];
                const Vec2 low{scene.origin.x + scene.cell * block.low.x,
                               scene.origin.y + scene.cell * block.low.y};
                const Vec2 high{scene.origin.x + scene.cell * block.high.x,
                                scene.origin.y + scene.cell * block.high.y};
                EXPECT_EQ(low, scene.walls[i].low);
                EXPECT_EQ(high, scene.walls[i].high);
                EXPECT_FALSE(block.empty());
            }
        }
    }
}

TEST(CrowdScenes, UnitsStandFreeAndApart) {
    for (const CrowdPlace place : all_crowd_places()) {
        const CrowdScene scene = make_crowd_scene(place, {.scale = 0.3, .quarters = 3, .mirrored = true});
        SCOPED_TRACE(scene.name);
        const double apart = place == CrowdPlace::corridor_b ? 1.05 : 1.15;
        for (std::uint64_t seed = 0; seed < 100; seed += 33) {
            const std::vector<CrowdUnit> units = crowd_units(scene, seed);
            EXPECT_GE(units.size(), 24U);
            for (std::size_t i = 0; i < units.size(); ++i) {
                EXPECT_GE(off_walls(scene, units[i].start), scene.radius * (1.0 - 1e-9));
                EXPECT_GE(off_walls(scene, units[i].goal), scene.radius * (1.0 - 1e-9));
                for (std::size_t k = 0; k < i; ++k) {
                    EXPECT_GE(distance(units[i].start, units[k].start), 0.3 * apart * (1.0 - 1e-9));
                    EXPECT_GE(distance(units[i].goal, units[k].goal), 0.3 * 1.15 * (1.0 - 1e-9));
                }
            }
        }
    }
}

TEST(CrowdScenes, APoseMovesWallsAndUnitsTogether) {
    const CrowdScene plain = make_crowd_scene(CrowdPlace::vestibule);
    const CrowdScene turned = make_crowd_scene(CrowdPlace::vestibule, {.quarters = 1});
    const std::vector<CrowdUnit> before = crowd_units(plain, 7);
    const std::vector<CrowdUnit> after = crowd_units(turned, 7);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].start, (Vec2{-before[i].start.y, before[i].start.x}));
        EXPECT_EQ(off_walls(plain, before[i].goal), off_walls(turned, after[i].goal));
    }
    const std::vector<CrowdUnit> other = crowd_units(plain, 8);
    EXPECT_FALSE(before[0].start == other[0].start);
}

TEST(CrowdScenes, TheMeshCoversWhatIsFree) {
    const CrowdScene scene = make_crowd_scene(CrowdPlace::doorway, {.scale = 0.3});
    const NavMesh mesh = crowd_mesh(scene);
    double area = 0.0;
    for (std::uint32_t i = 0; i < mesh.state().polygons(); ++i) {
        const PolygonId polygon = mesh.state().polygon(i);
        for (std::uint32_t c = 0; c < mesh.state().corners(polygon); ++c) {
            const std::uint32_t next = (c + 1) % mesh.state().corners(polygon);
            area += 0.5 * cross(ground(mesh.state().corner(polygon, c)),
                                ground(mesh.state().corner(polygon, next)));
        }
    }
    EXPECT_NEAR(area, 0.09 * (60.0 * 18.0 - 0.5 * (18.0 - 1.2)), 1e-6);
}

}  // namespace
}  // namespace fairlead::testing
