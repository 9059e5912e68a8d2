// Units that do not know the map: what they walk is legal, they arrive where a way exists, and say so where none does. The judge of ways
// is the flat planner on the whole map; that of legs the exact verifier.

#include <string>
#include <vector>

#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr ExploreMode kModes[] = {ExploreMode::free_space, ExploreMode::compass, ExploreMode::horizon};

// Boxes, rooms with doors, a great U, or single walls.
std::vector<std::uint8_t> explore_map(Rng& rng, std::int32_t width, std::int32_t height) {
    const std::uint32_t kind = rng.below(4);
    const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    const std::uint32_t percent = kind == 0 ? rng.below(35) : 0;
    std::vector<std::uint8_t> tiles = random_tiles(rng, cells, percent);
    const auto set = [&](std::int32_t x, std::int32_t y, bool free) {
        if (x < width && y < height)
            tiles[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)] = free ? 1 : 0;
    };
    for (std::int32_t i = 0; kind == 1 && i < width * height / 200; ++i) {
        const std::int32_t x0 = rng.between(0, width - 1), y0 = rng.between(0, height - 1);
        const std::int32_t x1 = x0 + rng.between(1, 12), y1 = y0 + rng.between(1, 12);
        for (std::int32_t y = y0; y < y1; ++y) {
            for (std::int32_t x = x0; x < x1; ++x) set(x, y, false);
        }
    }
    const std::int32_t side = rng.between(5, 24);
    for (std::int32_t y = 0; kind == 2 && y < height; ++y) {
        for (std::int32_t x = 0; x < width; ++x) {
            if (x % side == 0 || y % side == 0) set(x, y, rng.between(1, side) == 1);
        }
    }
    for (std::int32_t i = 0; kind == 3 && i <= height / 2; ++i) {
        set(width / 2, height / 4 + i, false);
        set(width / 4 + i * width / (2 * height), height / 4, false);
        set(width / 4 + i * width / (2 * height), 3 * height / 4, false);
    }
    return tiles;
}

struct ExploreTally {
    int arrived = 0;
    int unreachable = 0;
    int gave_up = 0;
    double ratio = 0.0;
};

void walk_and_judge(const Grid& grid, const Agent& agent, Cell start, Cell goal, ExploreMode mode,
                    ExploreTally& tally) {
    Scratch scratch;
    Result<Explorer> scout = Explorer::make(
        grid, {.mode = mode, .agent = agent, .sight = 6.0, .region_cells = 10, .steps_max = 20000});
    ASSERT_TRUE(scout.has_value());
    ASSERT_TRUE(scout->begin(start, goal).has_value());
    while (scout->status() == ExploreStatus::going) ASSERT_TRUE(scout->step(grid, scratch).has_value());
    const Result<Route> best =
        find_route(grid, GridQuery{.start = start, .goal = goal, .agent = agent}, scratch);
    ASSERT_TRUE(best.has_value());
    const bool joined = best->status == PathStatus::complete;
    const Route& walked = scout->walked();
    if (!walked.legs.empty()) {
        const Violation bad = verify(walked, grid, agent);
        ASSERT_EQ(bad.kind, ViolationKind::none) << bad.text().c_str();
    }
    switch (scout->status()) {
        case ExploreStatus::arrived:
            ASSERT_TRUE(joined);
            ASSERT_EQ(walked.status, PathStatus::complete);
            // The best on tiles, pulled taut, may be a little longer than the shortest.
            ASSERT_LE(best->length * 0.92, walked.length + 1e-6);
            ++tally.arrived;
            tally.ratio += walked.length / best->length;
            break;
        case ExploreStatus::unreachable:
            ASSERT_FALSE(joined);
            ++tally.unreachable;
            break;
        case ExploreStatus::gave_up:
            ASSERT_NE(mode, ExploreMode::free_space);
            ++tally.gave_up;
            // What it knows helps: with the other rule it ends for certain.
            scout->set_mode(ExploreMode::free_space);
            for (int i = 0; i < 2000 && scout->status() == ExploreStatus::going; ++i)
                ASSERT_TRUE(scout->step(grid, scratch).has_value());
            if (scout->stats().steps < 18000) {
                ASSERT_EQ(scout->status(), joined ? ExploreStatus::arrived : ExploreStatus::unreachable);
            }
            break;
        default: FAIL() << explore_status_name(scout->status());
    }
}

TEST(Explore, AllModesOnRandomMaps) {
    Rng rng(1);
    ExploreTally tally[3];
    for (int i = 0; i < trials(400); ++i) {
        const std::int32_t width = rng.between(30, 110), height = rng.between(30, 110);
        const std::vector<std::uint8_t> tiles = explore_map(rng, width, height);
        constexpr double kRadii[] = {0.0, 0.3, 0.5, 0.8};
        const Agent agent{.radius = kRadii[rng.below(4)]};
        const Result<Grid> grid = Grid::make({.width = width, .height = height, .sizes = {&agent, 1}}, tiles);
        ASSERT_TRUE(grid.has_value());
        const Cell start{rng.between(0, width - 1), rng.between(0, height - 1)};
        const Cell goal{rng.between(0, width - 1), rng.between(0, height - 1)};
        if (!grid->state().can_stand(start, agent) || !grid->state().can_stand(goal, agent) || start == goal)
            continue;
        for (const ExploreMode mode : kModes) {
            SCOPED_TRACE(::testing::Message() << "map " << i << " mode " << static_cast<int>(mode));
            ASSERT_NO_FATAL_FAILURE(
                walk_and_judge(*grid, agent, start, goal, mode, tally[static_cast<int>(mode)]));
        }
    }
    if (!all_trials()) return;
    for (const ExploreTally& t : tally) {
        EXPECT_GT(t.arrived, 100);
        EXPECT_LT(t.ratio / t.arrived, 2.0);
        EXPECT_LT(t.gave_up, 20);
    }
    EXPECT_GT(tally[0].unreachable, 5);
    EXPECT_LT(tally[0].ratio / tally[0].arrived, 1.35);
}

// The dead end of techniques H4 and H5: a pocket that opens towards the start.
TEST(Explore, PocketBeforeTheGoal) {
    const Grid grid = grid_of({
        "....................",
        "....@@@@@@@@@@@.....",
        "..............@.....",
        "..............@.....",
        "..............@.....",
        "....@@@@@@@@@@@.....",
        "....................",
    });
    for (const ExploreMode mode : kModes) {
        ExploreTally tally;
        ASSERT_NO_FATAL_FAILURE(walk_and_judge(grid, {}, {1, 3}, {18, 3}, mode, tally));
        EXPECT_EQ(tally.arrived, 1) << static_cast<int>(mode);
    }
}

// A door that closes behind the unit's back, and one that opens.
TEST(Explore, WallsChangeOnTheWay) {
    Grid grid = grid_of({
        "..........@.........",
        "..........@.........",
        "....................",
        "..........@.........",
        "..........@.........",
    });
    Scratch scratch;
    Result<Explorer> scout = Explorer::make(grid, {.sight = 5.0});
    ASSERT_TRUE(scout.has_value());
    ASSERT_TRUE(scout->begin(Cell{1, 2}, Cell{18, 2}).has_value());
    ASSERT_TRUE(scout->step(grid, scratch).has_value());
    ASSERT_TRUE(grid.set(Cell{10, 2}, 0).has_value());
    ASSERT_TRUE(grid.set(Cell{10, 4}, 1).has_value());
    while (scout->status() == ExploreStatus::going) ASSERT_TRUE(scout->step(grid, scratch).has_value());
    EXPECT_EQ(scout->status(), ExploreStatus::arrived);
    const Violation bad = verify(scout->walked(), grid, {});
    EXPECT_EQ(bad.kind, ViolationKind::none) << bad.text().c_str();
    EXPECT_TRUE(scout->known().blocked({10, 2}));
    EXPECT_FALSE(scout->known().blocked({10, 4}));
}

// Designer's regions: a hall, a passage round it, a yard.
TEST(Explore, RegionsOfADesigner) {
    const Grid grid = grid_of({
        "........",
        ".@@@@@..",
        ".@...@..",
        ".@...@..",
        ".@@@.@..",
        "........",
    });
    std::vector<std::uint16_t> regions(48, 2);
    for (std::size_t y = 2; y < 4; ++y) {
        for (std::size_t x = 2; x < 5; ++x) regions[y * 8 + x] = 7;
    }
    Scratch scratch;
    Result<Explorer> scout =
        Explorer::make(grid, {.mode = ExploreMode::compass, .sight = 3.0, .regions = regions});
    ASSERT_TRUE(scout.has_value());
    ASSERT_TRUE(scout->begin(Cell{0, 0}, Cell{2, 2}).has_value());
    while (scout->status() == ExploreStatus::going) ASSERT_TRUE(scout->step(grid, scratch).has_value());
    EXPECT_EQ(scout->status(), ExploreStatus::arrived);
}

TEST(Explore, BadOptionsNameTheField) {
    const Grid grid = grid_of({"....", "...."});
    const auto field = [&](const ExploreOptions& o) {
        const Result<Explorer> made = Explorer::make(grid, o);
        return made ? Field::none : made.error().field;
    };
    EXPECT_EQ(field({.sight = 0.0}), Field::range);
    EXPECT_EQ(field({.sight = 1e9}), Field::range);
    EXPECT_EQ(field({.stride = -1.0}), Field::distance);
    EXPECT_EQ(field({.region_cells = 1}), Field::tile_cells);
    EXPECT_EQ(field({.detour_max = 0.5}), Field::factor_min);
    EXPECT_EQ(field({.layer = 1}), Field::layer);
    EXPECT_EQ(field({.agent = {.radius = 1.0, .turning_radius = 2.0}}), Field::agent_turning_radius);
    const std::vector<std::uint16_t> few(3, 0);
    EXPECT_EQ(field({.regions = few}), Field::areas);
    const Grid round = grid_of({"....", "...."}, {.wrap_x = true});
    EXPECT_EQ(Explorer::make(round).error().field, Field::world);

    Result<Explorer> scout = Explorer::make(grid);
    ASSERT_TRUE(scout.has_value());
    EXPECT_EQ(scout->begin(WaypointId{1}, Cell{0, 0}).error().field, Field::start);
    EXPECT_EQ(scout->begin(Cell{0, 0}, Vec2{NAN, 0}).error().code, ErrorCode::not_finite);
    ASSERT_TRUE(scout->begin(Cell{0, 0}, Vec2{40, 0}).has_value());
    EXPECT_EQ(scout->status(), ExploreStatus::off_world);
    ASSERT_TRUE(scout->begin(Cell{0, 0}, Cell{3, 1}).has_value());
    Scratch scratch;
    EXPECT_EQ(scout->step(grid_of({"....."}), scratch).error().code, ErrorCode::size_mismatch);
}

// FAULT: where every cell is in sight, though not the goal, no place at the edge of sight was left to go to.
TEST(Explore, TheGoalIsBehindTheEdgeOfSightInACellInSight) {
    struct Case {
        Grid grid;
        Vec2 start;
        Vec2 goal;
        double sight;
    };
    const Case cases[] = {
        {grid_of({"..."}), {2.5, 0.5}, {0.305, 0.5}, 2.0},
        {grid_of({"..", ".."}), {0.5, 1.93}, {1.87, 0.17}, 1.5},
        {grid_of({"...", "..#"}), {0.5, 1.5}, {2.99, 1.0}, 2.0},  // on the border of a wall
        {grid_of({"...", "..#"}), {0.5, 0.5}, {2.0, 1.9}, 1.9},
        // who does not see the cells beside him
        {grid_of({"."}), {0.5, 0.34}, {0.02, 0.15}, 0.5},
        {grid_of({"...#.", ".#.#.", ".#..."}), {0.5, 2.9}, {4.1, 0.2}, 0.5},
        {grid_of({"...#.", ".#.#.", ".#..."}), {0.1, 2.9}, {4.9, 0.1}, 1.0},
    };
    Scratch scratch;
    for (const Case& c : cases) {
        for (const ExploreMode mode : {ExploreMode::free_space, ExploreMode::horizon}) {
            Result<Explorer> scout = Explorer::make(c.grid, {.mode = mode, .sight = c.sight, .stride = 0.3});
            ASSERT_TRUE(scout.has_value());
            ASSERT_TRUE(scout->begin(c.start, c.goal).has_value());
            for (int i = 0; i < 2000 && scout->status() == ExploreStatus::going; ++i)
                ASSERT_TRUE(scout->step(c.grid, scratch).has_value());
            EXPECT_EQ(scout->status(), ExploreStatus::arrived)
                << "case " << &c - cases << " mode " << static_cast<int>(mode);
            EXPECT_FALSE(verify(scout->walked(), c.grid, {}));
        }
    }
}

TEST(Explore, EndsInWalls) {
    const Grid grid = grid_of({"@..@", "...."});
    Scratch scratch;
    Result<Explorer> scout = Explorer::make(grid);
    ASSERT_TRUE(scout.has_value());
    ASSERT_TRUE(scout->begin(Cell{0, 0}, Cell{2, 1}).has_value());
    ASSERT_TRUE(scout->step(grid, scratch).has_value());
    EXPECT_EQ(scout->status(), ExploreStatus::start_blocked);
    ASSERT_TRUE(scout->begin(Cell{0, 1}, Cell{3, 0}).has_value());
    while (scout->status() == ExploreStatus::going) ASSERT_TRUE(scout->step(grid, scratch).has_value());
    EXPECT_EQ(scout->status(), ExploreStatus::goal_blocked);
}

}  // namespace
}  // namespace fairlead::testing
