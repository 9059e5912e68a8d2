// The sampled Walkable: what it is, and what it misses beside the exact sweep.
#include <fairlead/classic/walkable.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <fairlead/bridge/tile_sight.h>
#include <fairlead/curve/dubins.h>

#include "classic/classic_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

/// The article's definition, written again.
bool sampled(const ClassicMap& map, Vec2 a, Vec2 b, double radius, double step) {
    const double size = distance(a, b);
    for (int k = 0; k * step < size; ++k) {
        const Vec2 at = a + (b - a) * (k * step / size);
        for (const Vec2 off : {Vec2{radius, 0}, Vec2{-radius, 0}, Vec2{0, radius}, Vec2{0, -radius}}) {
            if (map.wall(static_cast<int>(std::floor(at.x + off.x)),
                         static_cast<int>(std::floor(at.y + off.y))))
                return false;
        }
    }
    return true;
}

TEST(Walkable, IsTheArticlesSampling) {
    Rng rng{41};
    for (int i = 0; i < trials(200); ++i) {
        const ClassicMap map = random_classic_map(rng, 20, 15);
        const Grid grid = map.grid();
        for (int k = 0; k < 50; ++k) {
            const Vec2 a = free_middle(rng, map);
            const Vec2 b{rng.between(0.0, 20.0), rng.between(0.0, 20.0)};
            const double radius = rng.between(0.05, 1.4);
            ASSERT_EQ(walkable(grid, a, b, {.radius = radius}), sampled(map, a, b, radius, 0.2));
        }
    }
}

TEST(Walkable, MissesACornerBetweenSamples) {  // C1
    const ClassicMap map = classic_map({".....", ".....", "..#..", ".....", "....."});
    const Grid grid = map.grid();
    // Past the wall's corner at (2, 2): the chord through it is shorter than a step.
    const Vec2 a{1.25, 2.78}, b{3.05, 0.98};
    EXPECT_FALSE(map.disc_passes(a, b, 0.02));
    EXPECT_TRUE(walkable(grid, a, b, {.radius = 0.0}));
    EXPECT_FALSE(walkable(grid, a, b, {.radius = 0.0, .step = 0.001}));
}

TEST(Walkable, MissesWhatLiesBetweenTheDiamondsPoints) {  // C2, C3
    const ClassicMap map = classic_map({".....", ".....", "..#..", ".....", "....."});
    const Grid grid = map.grid();
    // The disc's rim reaches the corner where the diamond's side is 0.71 of the radius away.
    EXPECT_FALSE(map.disc_passes({1.7, 1.7}, {1.7, 1.7 - 1e-9}, 0.45));
    EXPECT_TRUE(walkable(grid, {1.7, 1.7}, {1.7, 1.6}, {.radius = 0.45}));
    // A wide unit straddles the whole tile.
    EXPECT_FALSE(map.disc_passes({2.5, 2.5}, {2.5, 2.4}, 1.2));
    EXPECT_TRUE(walkable(grid, {2.5, 2.5}, {2.5, 2.4}, {.radius = 1.2}));
    // The square has the middle as well.
    EXPECT_FALSE(walkable(grid, {2.5, 2.5}, {2.5, 2.4}, {.radius = 1.2, .probe = WalkableProbe::square}));
}

TEST(Walkable, TheEndIsNotSampledUnlessAsked) {  // C4
    const ClassicMap map = classic_map({"....#", "....."});
    const Grid grid = map.grid();
    EXPECT_TRUE(walkable(grid, {1.5, 0.5}, {3.7, 0.5}, {.radius = 0.3, .step = 2.0}));
    EXPECT_FALSE(walkable(grid, {1.5, 0.5}, {4.2, 0.5}, {.radius = 0.3, .step = 2.0, .end = true}));
    // Truncation: a point up to a tile left of the map is judged by its first tile.
    EXPECT_TRUE(
        walkable(grid, {0.2, 1.0}, {0.2, 1.0}, {.radius = 0.4, .probe = WalkableProbe::square, .end = true}));
    EXPECT_FALSE(walkable(grid, {0.2, 1.0}, {0.2, 1.0}, {.radius = 0.4, .end = true}));
}

TEST(Walkable, FollowsCurves) {  // P7
    const ClassicMap map = classic_map({"......", "......", "..##..", "..##..", "......", "......"});
    const Grid grid = map.grid();
    const Pose from{{1.0, 1.0}, 0.0};
    CurveWord round;  // to (3, 1), a quarter of a circle to (5, 3), to (5, 5)
    round.count = 3;
    round.segments[0].amount = round.segments[2].amount = 1.0;
    round.segments[1] = {kHalfPi, Steer::left};
    round.length = 2.0 + kHalfPi;
    EXPECT_TRUE(walkable(grid, from, round, 2.0, {.radius = 0.3}));
    const CurveWord across = shortest_dubins(from, {{5.0, 5.0}, kHalfPi * 0.5}, 0.5);
    EXPECT_FALSE(walkable(grid, from, across, 0.5, {.radius = 0.3}));
}

TEST(Walkable, BadNumbersAreNeverFree) {
    const Grid grid = classic_map({"...", "...", "..."}).grid();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Vec2 a{0.5, 0.5}, b{2.5, 2.5};
    EXPECT_FALSE(walkable(grid, {nan, 0.5}, b, {.end = true}));
    EXPECT_FALSE(walkable(grid, a, b, {.radius = nan}));
    EXPECT_FALSE(walkable(grid, a, b, {.radius = -0.1}));
    EXPECT_FALSE(walkable(grid, a, b, {.step = 0.0}));
    EXPECT_FALSE(walkable(grid, a, b, {.step = nan}));
    EXPECT_FALSE(walkable(grid, a, {1e300, 0.5}, {}));
}

TEST(Walkable, CountsItsMisses) {
    Rng rng{7};
    const ClassicMap map = random_classic_map(rng, 60, 12);
    const Grid grid = map.grid();
    const TileSight sight(grid);
    WalkableCount mine;
    Rng draws{2001};
    const std::uint64_t wanted = 500;
    while (mine.moves < wanted) {  // the same draws, judged by the test's own geometry
        const std::int32_t x = draws.between(0, 59);
        const std::int32_t y = draws.between(0, 59);
        const std::int32_t to_x = x + draws.between(-12, 12);
        const std::int32_t to_y = y + draws.between(-12, 12);
        if ((x == to_x && y == to_y) || map.wall(x, y) || map.wall(to_x, to_y)) continue;
        const Vec2 a{x + 0.5, y + 0.5}, b{to_x + 0.5, to_y + 0.5};
        if (!map.disc_passes(a, a, 0.4) || !map.disc_passes(b, b, 0.4)) continue;
        mine.add(map.disc_passes(a, b, 0.4), sampled(map, a, b, 0.4, 0.2));
    }
    const WalkableCount count = count_walkable(grid, {.radius = 0.4}, wanted);
    EXPECT_EQ(count.moves, mine.moves);
    EXPECT_EQ(count.blocked, mine.blocked);
    EXPECT_EQ(count.false_free, mine.false_free);
    EXPECT_EQ(count.false_blocked, mine.false_blocked);
    EXPECT_GT(count.false_free, 0U);
}

}  // namespace
}  // namespace fairlead::testing
