// The amounts of memory that include/fairlead/grid/grid.h states.

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "suites/worlds.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 1024;
constexpr double kLines = 0.81;
constexpr double kClearance = 0.545;
constexpr double kTables = 0.01;

bench::BenchWorld chessboard() {
    bench::BenchWorld world = bench::empty_world(kSide);
    for (std::size_t i = 0; i < world.tiles.size(); ++i) world.tiles[i] = (i % kSide + i / kSide) % 2;
    return world;
}

bench::BenchWorld random_world(std::uint32_t percent) {
    bench::BenchWorld world = bench::empty_world(kSide);
    Rng rng{3};
    for (std::uint8_t& tile : world.tiles) tile = rng.below(100) < percent ? 0 : 1;
    return world;
}

/// With one registered size beside the point, whose bodies fit the same cells.
void expect_stated(const bench::BenchWorld& world, double connectivity) {
    const Agent sizes[] = {{.radius = 0.4}};
    const auto cells = static_cast<double>(world.tiles.size());
    const GridMemory alone = world.grid().state().memory();
    const GridMemory both = world.grid(sizes).state().memory();
    const auto a_cell = [&](std::size_t bytes) { return static_cast<double>(bytes) / cells; };
    EXPECT_LE(a_cell(alone.occupancy), kLines) << world.name;
    EXPECT_LE(a_cell(alone.clearance), kClearance) << world.name;
    EXPECT_LE(a_cell(alone.connectivity), connectivity) << world.name;
    EXPECT_LE(a_cell(alone.other), kTables) << world.name;
    EXPECT_EQ(alone.terrain, 0u);
    EXPECT_LE(a_cell(both.sizes), kLines) << world.name;
    EXPECT_LE(a_cell(both.connectivity - alone.connectivity), connectivity) << world.name;
}

TEST(GridMemory, IsAsTheHeaderStates) {
    expect_stated(bench::empty_world(kSide), 0.2);
    expect_stated(bench::town_world(kSide, 21), 0.2);
    expect_stated(random_world(25), 0.8);
    expect_stated(random_world(40), 0.8);
    expect_stated(random_world(60), 0.8);
    expect_stated(chessboard(), 1.6);
}

TEST(GridMemory, TerrainIsOneByteACell) {
    bench::BenchWorld world = bench::empty_world(kSide);
    world.tiles[5] = 3;
    const auto bytes = static_cast<double>(world.grid().state().memory().terrain);
    EXPECT_LE(bytes / static_cast<double>(world.tiles.size()), 1.01);
}

TEST(GridMemory, SmallMapsTakeMoreACell) {
    const auto a_cell = [](std::int32_t side) {
        return static_cast<double>(bench::empty_world(side).grid().state().memory().total()) / (side * side);
    };
    EXPECT_LE(a_cell(256), 1.8);
    EXPECT_LE(a_cell(64), 3.6);
}

}  // namespace
}  // namespace fairlead::testing
