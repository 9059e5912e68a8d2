// Heights between cells: straight on one floor, and never from one floor to another.

#include <fairlead/mesh/height_field.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "support/environment.h"
#include "support/levels.h"

namespace fairlead::testing {
namespace {

constexpr double kFloorCell = 0.25;
constexpr double kFloorStep = 0.5;

NavMesh bake_floors_of(const Level& level, std::uint32_t tile_cells = 0, double radius = 0.0) {
    Result<NavMesh> mesh = bake::navmesh(level.soup(), {.cell_size = kFloorCell,
                                                        .cell_height = 0.1,
                                                        .agent_radius = radius,
                                                        .climb = kFloorStep,
                                                        .tile_cells = tile_cells,
                                                        .give_origin = true,
                                                        .origin = {-1, -1, -1}});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

double height_at(const NavMesh& mesh, Vec3 p, double within = 0.45) {
    const MeshPoint at = mesh.state().nearest(p, {.across = 0.0, .above = within, .below = within});
    return at.polygon.valid() ? at.position.z : NAN;
}

/// A field by hand: one block of whole numbers.
struct OneBlock {
    HeightLayer layer{0, 1, 0};
    HeightRow row{0, 1, 0};
    HeightBlock block{.bits = 32, .fraction = 0};
    std::vector<std::uint32_t> z = std::vector<std::uint32_t>(64, 0);

    [[nodiscard]] HeightField field() const { return {{&layer, 1}, {&row, 1}, {&block, 1}, z}; }
    std::uint32_t& cell(int x, int y) { return z[static_cast<std::size_t>(y * 8 + x)]; }
};

TEST(HeightFloors, BetweenMiddlesItIsStraight) {
    OneBlock b;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) b.cell(x, y) = static_cast<std::uint32_t>(3 * x + 2 * y);
    }
    Rng rng(1);
    for (int i = 0; i < trials(1000); ++i) {
        const double x = rng.between(0.5, 7.5), y = rng.between(0.5, 7.5);
        EXPECT_NEAR(*b.field().at(0, x, y, 4.0), 3.0 * (x - 0.5) + 2.0 * (y - 0.5), 1e-12);
    }
}

TEST(HeightFloors, ALedgeStaysWhereItsCellsMeet) {
    OneBlock b;
    for (int y = 0; y < 8; ++y) {
        for (int x = 4; x < 8; ++x) b.cell(x, y) = 9;
    }
    for (double y = 0.5; y < 7.5; y += 0.37) {
        EXPECT_EQ(*b.field().at(0, 3.999, y, 8.0), 0.0);
        EXPECT_EQ(*b.field().at(0, 4.001, y, 8.0), 9.0);
        EXPECT_NEAR(*b.field().at(0, 3.75, y, 9.0), 2.25, 1e-12);  // a step that can be taken is a ramp
    }
}

// A quarter of a floor is cut out by a drop: the three others say how it goes on, so no height of the drop gets in.
TEST(HeightFloors, ThreeOfFourCellsOfAFloor) {
    OneBlock b;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) b.cell(x, y) = static_cast<std::uint32_t>(100 + 2 * x + y);
    }
    b.cell(4, 4) = 0;
    for (double x = 3.5; x < 4.0; x += 0.01) {
        for (double y = 3.5; y < 4.0; y += 0.01)
            EXPECT_NEAR(*b.field().at(0, x, y, 4.0), 100.0 + 2.0 * (x - 0.5) + (y - 0.5), 1e-9);
    }
    EXPECT_EQ(*b.field().at(0, 4.5, 4.5, 4.0), 0.0);
    EXPECT_EQ(*b.field().at(0, 4.1, 4.2, 4.0), 0.0);
}

// Over the edge of what is known, the height of the last cell.
TEST(HeightFloors, WhereNoBlockIsTheRimGoesOnLevel) {
    OneBlock b;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) b.cell(x, y) = static_cast<std::uint32_t>(x);
    }
    EXPECT_EQ(*b.field().at(0, 7.5, 3.0, 4.0), 7.0);
    EXPECT_EQ(*b.field().at(0, 7.9, 3.0, 4.0), 7.0);
    EXPECT_NEAR(*b.field().at(0, 9.0, 3.0, 4.0), 7.0, 1e-5);
}

TEST(HeightFloors, AFlatFloorIsWhereItIs) {
    Level level;
    level.floor(0, 0, 8, 8, 0.137);
    const NavMesh mesh = bake_floors_of(level);
    Rng rng(2);
    for (int i = 0; i < trials(200); ++i) EXPECT_NEAR(random_point(mesh, rng).position.z, 0.137, 0.1 / 256.0);
}

// Heights along a line, a centimetre apart: the largest change.
double largest_change(const NavMesh& mesh, Vec3 a, Vec3 b) {
    const int steps = static_cast<int>(distance(ground(a), ground(b)) / 0.01);
    double most = 0.0, last = height_at(mesh, a);
    EXPECT_FALSE(std::isnan(last));
    for (int i = 1; i <= steps; ++i) {
        const Vec2 p = ground(a) + (ground(b) - ground(a)) * (static_cast<double>(i) / steps);
        const double z = height_at(mesh, {p.x, p.y, last});
        EXPECT_FALSE(std::isnan(z)) << p.x << " " << p.y;
        if (std::isnan(z)) return INFINITY;
        most = std::max(most, std::fabs(z - last));
        last = z;
    }
    return most;
}

TEST(HeightFloors, StairsAreRampsAndNeverJump) {
    Level level;
    for (int i = 0; i < 8; ++i) {  // treads of a metre, 0.3 high
        level.floor(i, 0, i + 1, 4, 0.3 * i);
        if (i > 0)
            level.quad({i * 1.0, 0, 0.3 * i}, {i * 1.0, 0, 0.3 * i - 0.3}, {i * 1.0, 4, 0.3 * i - 0.3},
                       {i * 1.0, 4, 0.3 * i});
    }
    const NavMesh mesh = bake_floors_of(level);
    EXPECT_LE(largest_change(mesh, {0.3, 2.1, 0}, {7.7, 2.1, 0}), 0.3 * 0.01 / kFloorCell + 1e-3);
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(height_at(mesh, {i + 0.5, 2, 0.3 * i}), 0.3 * i, 0.01) << i;
}

TEST(HeightFloors, NothingIsMixedOverADropAtTheSideOfAFloor) {
    // A platform a metre high beside a floor: both are flat up to their borders.
    Level level;
    level.floor(0, 0, 10, 10, 0.0);
    level.box({3, 3, 0}, {7, 7, 1});
    const NavMesh mesh = bake_floors_of(level);
    Rng rng(3);
    int high = 0;
    for (int i = 0; i < trials(2000); ++i) {
        const double z = random_point(mesh, rng).position.z;
        EXPECT_TRUE(std::fabs(z) < 0.01 || std::fabs(z - 1.0) < 0.01) << z;
        high += z > 0.5 ? 1 : 0;
    }
    EXPECT_GT(high, 0);
}

TEST(HeightFloors, ABridgeAndWhatIsUnderItKeepTheirOwnHeights) {
    // A ramp up, a bridge, a ramp down, over a floor that slopes across.
    Level level;
    level.quad({0, -8, -0.8}, {12, -8, -0.8}, {12, 8, 0.8}, {0, 8, 0.8});
    level.quad({0, -1, 3}, {12, -1, 3}, {12, 1, 3}, {0, 1, 3});
    level.quad({12, -1, 3}, {18, -1, 0}, {18, 1, 0}, {12, 1, 3});
    level.floor(18, -4, 24, 4, 0);
    for (const std::uint32_t tile_cells : {0U, 16U}) {
        const NavMesh mesh = bake_floors_of(level, tile_cells);
        Rng rng(4);
        for (int i = 0; i < trials(2000); ++i) {
            const Vec3 p = random_point(mesh, rng).position;
            const double below = 0.1 * p.y;
            const double above = p.x <= 12 ? 3.0 : std::max(0.0, 3.0 - 0.5 * (p.x - 12.0));
            const double off = std::min(p.x <= 12.3 ? std::fabs(p.z - below) : 1.0, std::fabs(p.z - above));
            EXPECT_LE(off, 0.07) << p.x << " " << p.y << " " << p.z << " tile " << tile_cells;
        }
        EXPECT_LE(largest_change(mesh, {1, 0, 3}, {22, 0, 0}), 0.0055);
        EXPECT_LE(largest_change(mesh, {1, -7, -0.7}, {11, 7, 0.7}), 0.0015);
    }
}

// On ground under 45 degrees heights change by at most 0.1 m in 0.1 m, over seams of tiles too; a route that follows the surface
// is as near to what nearest() tells as was asked for.
TEST(HeightFloors, HillsAreSmoothOverTilesAndRoutesAgree) {
    for (const std::uint32_t tile_cells : {0U, 16U, 20U}) {
        Rng rng(11);
        const Level level = random_hills(rng, 16, 0.5);
        const NavMesh mesh = bake_floors_of(level, tile_cells, 0.3);
        Scratch scratch;
        for (int i = 0; i < trials(60); ++i) {
            const MeshPoint a = random_point(mesh, rng), b = random_point(mesh, rng);
            Result<Route> route =
                find_route(mesh, MeshQuery{.start = a.position, .goal = b.position}, scratch);
            ASSERT_TRUE(route.has_value());
            if (route->status != PathStatus::complete) continue;
            constexpr double kError = 0.02;
            ASSERT_TRUE(follow_surface(mesh, kError, *route).has_value());
            double last = route->legs.empty() ? a.position.z : route->legs[0].start.position.z;
            for (double at = 0.0; at < route->length; at += 0.05) {
                const Vec3 p = place_on_route(*route, at).position;
                const MeshPoint q = mesh.state().nearest(p, {.across = 1e-6, .above = 1, .below = 1});
                ASSERT_TRUE(q.polygon.valid());
                EXPECT_LE(std::fabs(q.position.z - p.z), kError + 0.01) << p.x << " " << p.y;
                EXPECT_LE(std::fabs(q.position.z - last), 0.0505)
                    << p.x << " " << p.y << " tile " << tile_cells;
                last = q.position.z;
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
