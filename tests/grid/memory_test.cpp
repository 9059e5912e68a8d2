// Memory as the header states it: base at most 2 bytes a cell (2.6 on a chessboard, where every cell is a component);
// terrain 1 byte; a registered size 6 bits and its index, which is at most 0.7 bytes (1.3 on a chessboard); a disc above half a
// tile at most 4 bytes more for half tiles, above 1.5 tiles 6.

#include <gtest/gtest.h>

#include "support/grids.h"
#include "support/random_worlds.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

struct Map {
    const char* name;
    std::int32_t width;
    std::int32_t height;
    std::vector<std::uint8_t> tiles;
};

std::vector<Map> maps() {
    Rng rng(81);
    std::vector<Map> all;
    all.push_back({"open", 1024, 1024, std::vector<std::uint8_t>(1024 * 1024, 1)});
    for (const std::uint32_t percent : {10U, 25U, 40U, 60U}) {
        all.push_back({"scattered", 1024, 1024, random_tiles(rng, 1024 * 1024, percent)});
    }
    for (int i = 0; i < 4; ++i) all.push_back({"drawn", 1500, 1100, random_map(rng, 1500, 1100)});
    return all;
}

Map chessboard() {
    Map board{"chessboard", 1024, 1024, std::vector<std::uint8_t>(1024 * 1024, 1)};
    for (std::size_t i = 0; i < board.tiles.size(); ++i) board.tiles[i] = (i + i / 1024) % 2 == 0 ? 1 : 0;
    return board;
}

double per_cell(std::size_t bytes, const Map& map) {
    return static_cast<double>(bytes) / (static_cast<double>(map.width) * map.height);
}

TEST(GridMemorySlow, BaseAndSizes) {
    for (const Map& map : maps()) {
        SCOPED_TRACE(map.name);
        TestAllocator memory;
        GridOptions options{.width = map.width, .height = map.height, .allocator = memory.allocator()};
        Grid grid = *Grid::make(options, map.tiles);
        const GridMemory base = grid.state().memory();
        EXPECT_LE(per_cell(base.total(), map), 2.0);
        EXPECT_LE(per_cell(base.occupancy, map), 0.85);  // 6 bits, guard words and headers
        EXPECT_LE(per_cell(base.clearance, map), 0.57);  // 4 bits
        EXPECT_LE(per_cell(base.connectivity, map), 0.7);
        EXPECT_EQ(base.terrain, 0U);
        EXPECT_EQ(base.sizes, 0U);
        // What is stated is what is taken, but for the editor's own buffers.
        EXPECT_LE(static_cast<double>(memory.live_bytes),
                  static_cast<double>(base.total()) * 1.05 + 200000.0);
        EXPECT_GE(memory.live_bytes, static_cast<std::int64_t>(base.total()));

        GridMemory before = base;
        for (const Agent& agent : {Agent{.radius = 0.7}, Agent{.radius = 2.0}, Agent{.footprint = 3}}) {
            ASSERT_TRUE(grid.register_size(agent));
            const GridMemory now = grid.state().memory();
            EXPECT_LE(per_cell(now.sizes - before.sizes, map), 0.85);
            EXPECT_LE(per_cell(now.connectivity - before.connectivity, map), 0.7);
            // Half tiles: 24 bits, 40 with gaps, and their index.
            const std::size_t half = now.half_lattice - before.half_lattice;
            const bool gaps = agent.radius > 1.5;
            EXPECT_LE(per_cell(half, map), agent.footprint > 0 ? 0.0 : (gaps ? 6.0 : 4.0));
            EXPECT_EQ(half == 0, agent.footprint > 0);
            EXPECT_EQ(now.occupancy, base.occupancy);
            EXPECT_EQ(now.clearance, base.clearance);
            before = now;
        }
    }
}

TEST(GridMemorySlow, AComponentInEveryCell) {
    const Map board = chessboard();
    const Grid grid = *Grid::make({.width = board.width, .height = board.height}, board.tiles);
    EXPECT_LE(per_cell(grid.state().memory().connectivity, board), 1.3);
    EXPECT_LE(per_cell(grid.state().memory().total(), board), 2.6);
}

TEST(GridMemorySlow, Terrain) {
    Rng rng(82);
    const Map map{"terrain", 1024, 1024, random_tiles(rng, 1024 * 1024, 20, 4)};
    Grid grid = *Grid::make({.width = map.width, .height = map.height}, map.tiles);
    EXPECT_LE(per_cell(grid.state().memory().terrain, map), 1.01);
    EXPECT_LE(per_cell(grid.state().memory().total(), map), 3.0);
    // On plain ground only the bands that have terrain pay for it.
    Grid plain = *Grid::make({.width = map.width, .height = map.height});
    ASSERT_TRUE(plain.set(Cell{500, 500}, 7));
    EXPECT_GT(plain.state().memory().terrain, 0U);
    EXPECT_LE(plain.state().memory().terrain, 16U * 1024U + 64U);
}

TEST(GridMemorySlow, LargestSide) {
    const Map map{"wide", 16384, 512, {}};
    const Grid grid = *Grid::make({.width = map.width, .height = map.height});
    EXPECT_LE(per_cell(grid.state().memory().total(), map), 2.0);
}

// A snapshot costs what the edits under it touch, and gives it back.
TEST(GridMemorySlow, SnapshotsGiveBackWhatTheyHeld) {
    TestAllocator memory;
    GridOptions options{.width = 1024, .height = 1024, .allocator = memory.allocator()};
    Grid grid = *Grid::make(options);
    Rng rng(83);
    const auto edit = [&] {
        const std::int32_t x = rng.between(0, 1000);
        const std::int32_t y = rng.between(0, 1000);
        ASSERT_TRUE(grid.fill({{x, y}, {x + 16, y + 16}}, static_cast<std::uint8_t>(rng.below(2))));
    };
    for (int i = 0; i < 200; ++i) edit();
    const std::int64_t before = memory.live_bytes;
    {
        const GridSnapshot frozen = grid.acquire();
        edit();
        EXPECT_LT(memory.live_bytes - before, 400000);  // one table of chunks and the bands of one building
        for (int i = 0; i < 200; ++i) edit();
    }
    for (int i = 0; i < 3; ++i) edit();  // sweeps up
    EXPECT_LT(memory.live_bytes - before, before / 4);
    const std::int64_t after = memory.live_bytes;
    for (int round = 0; round < 50; ++round) {
        const GridSnapshot frozen = grid.acquire();
        for (int i = 0; i < 20; ++i) edit();
    }
    for (int i = 0; i < 3; ++i) edit();
    EXPECT_LT(memory.live_bytes - after, before / 4);  // flat
}

}  // namespace
}  // namespace fairlead::testing
