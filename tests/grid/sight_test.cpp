// Swept bodies against walls, judged by DenseSight.
#include "grid/sight.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/dense_sight.h"
#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

using grid::Sight;
using grid::SightWorld;

constexpr double kRadii[] = {0.0, 1e-6, 0.3, 0.5, 0.7, 1.0, 1.5, 2.3, 6.0};

struct Unit {
    double radius = 0.0;
    std::int32_t footprint = 0;
    CornerRule corner = CornerRule::never;
};

SightWorld world_of(const Grid& grid, const Unit& unit) {
    SightWorld world;
    world.state = &grid.state().data();
    world.radius = unit.radius;
    world.footprint = unit.footprint;
    world.corner = unit.corner;
    return world;
}

DenseSight judge_of(const Grid& grid, const Unit& unit) {
    DenseSight judge;
    judge.grid = &grid.state();
    judge.radius = unit.radius;
    judge.footprint = unit.footprint;
    judge.corner = unit.corner;
    return judge;
}

Grid random_grid(Rng& rng, std::int32_t width, std::int32_t height, std::uint32_t percent,
                 GridOptions options = {}, std::uint32_t terrains = 1) {
    options.width = width;
    options.height = height;
    const std::vector<std::uint8_t> tiles = random_tiles(
        rng, static_cast<std::size_t>(width) * static_cast<std::size_t>(height), percent, terrains);
    Result<Grid> grid = Grid::make(options, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

/// Coordinates of all kinds that occur: anywhere, on the lattice of quarters, close to it, of a body that
/// touches a wall.
double any_coordinate(Rng& rng, double low, double high, double reach) {
    const std::uint32_t kind = rng.below(8);
    const double anywhere = rng.between(low, high);
    if (kind < 2) return anywhere;
    const double halves = std::floor(anywhere * 2.0) * 0.5;
    if (kind < 5) return halves;
    if (kind == 5) return std::floor(anywhere) + reach;
    if (kind == 6) return std::floor(anywhere) - reach + rng.between(-1.0, 1.0) * 0x1p-40;
    double tiny = 1.0;
    for (std::uint32_t i = 10 + rng.below(30); i > 0; --i) tiny *= 0.5;
    return std::floor(anywhere) + (rng.below(2) == 0 ? tiny : -tiny);
}

struct Segment {
    Vec2 a;
    Vec2 b;
};

Segment any_segment(Rng& rng, Vec2 low, Vec2 high, double reach) {
    Segment s;
    s.a = {any_coordinate(rng, low.x, high.x, reach), any_coordinate(rng, low.y, high.y, reach)};
    s.b = {any_coordinate(rng, low.x, high.x, reach), any_coordinate(rng, low.y, high.y, reach)};
    const std::uint32_t kind = rng.below(12);
    if (kind == 0) s.b.x = s.a.x;
    if (kind == 1) s.b.y = s.a.y;
    if (kind == 2) s.b = s.a;
    if (kind == 3) s.b.y = s.a.y + (s.b.x - s.a.x);
    if (kind == 4) s.b.y = s.a.y - (s.b.x - s.a.x);
    if (kind == 5) s.b = s.a + (s.b - s.a) * 0x1p-33;
    if (kind == 6) s.b.y = s.a.y + (s.b.y - s.a.y) * 0x1p-32;
    if (kind == 7) s.b.x = s.a.x + (s.b.x - s.a.x) * 0x1p-32;
    return s;
}

struct Tally {
    std::int64_t free = 0;
    std::int64_t blocked = 0;
    std::int64_t close = 0;
};

void compare(const Sight& sight, const DenseSight& judge, Segment s, Tally& tally) {
    const bool can = sight.can_sweep(s.a, s.b);
    ASSERT_EQ(can, sight.can_sweep(s.b, s.a)) << "not symmetric";
    const Judged judged = judge.judge(s.a, s.b);
    if (judged == Judged::close) {
        ++tally.close;
        return;
    }
    ++(judged == Judged::free ? tally.free : tally.blocked);
    ASSERT_EQ(can, judged == Judged::free)
        << ::testing::PrintToString(judge.radius) << " footprint " << judge.footprint << " corner "
        << static_cast<int>(judge.corner) << std::hexfloat << " from (" << s.a.x << ", " << s.a.y << ") to ("
        << s.b.x << ", " << s.b.y << ") about " << std::defaultfloat << s.a.x << " " << s.a.y << " " << s.b.x
        << " " << s.b.y;
}

void fuzz(Rng& rng, const Unit& unit, int maps, int segments, std::uint32_t percent_max,
          GridOptions options = {}) {
    Tally tally;
    for (int m = 0; m < maps; ++m) {
        const std::int32_t width = rng.between(1, 2) == 1 ? rng.between(1, 24) : rng.between(60, 140);
        const std::int32_t height = rng.between(1, 24);
        const Grid grid = random_grid(rng, width, height, rng.below(percent_max + 1), options);
        const Sight sight(world_of(grid, unit));
        const DenseSight judge = judge_of(grid, unit);
        const double reach = sight.reach();
        const Vec2 low{options.wrap_x ? -2.0 * width : -1.0, options.wrap_y ? -2.0 * height : -1.0};
        const Vec2 high{options.wrap_x ? 3.0 * width : width + 1.0,
                        options.wrap_y ? 3.0 * height : height + 1.0};
        for (int i = 0; i < segments; ++i) {
            Segment s = any_segment(rng, low, high, reach);
            if (rng.below(2) == 0) {  // short ones are free more often
                const double part = 6.0 / (6.0 + distance(s.a, s.b));
                if (rng.below(4) != 0) s.b = s.a + (s.b - s.a) * part;
            }
            ASSERT_NO_FATAL_FAILURE(compare(sight, judge, s, tally));
        }
    }
    if (all_trials()) {
        EXPECT_GT(tally.free, 0);
    }
    EXPECT_LT(tally.close, tally.free + tally.blocked);
}

TEST(Sight, DiscsAgreeWithTheDenseOracle) {
    Rng rng(1);
    for (const double radius : kRadii) {
        for (int i = 0; i < 10; ++i) {
            const std::uint32_t percent = radius > 1.0 ? 3 : 30;
            const auto rule = static_cast<CornerRule>(rng.below(3));
            ASSERT_NO_FATAL_FAILURE(fuzz(rng, {radius, 0, rule}, 20, trials(500), percent));
        }
    }
}

TEST(Sight, FootprintsAgreeWithTheDenseOracle) {
    Rng rng(2);
    for (std::int32_t footprint = 1; footprint <= 4; ++footprint) {
        for (int i = 0; i < 10; ++i)
            ASSERT_NO_FATAL_FAILURE(fuzz(rng, {0.0, footprint}, 20, trials(1000), 20));
    }
}

TEST(Sight, WrappedAxes) {
    Rng rng(3);
    for (int mode = 1; mode < 4; ++mode) {
        GridOptions options;
        options.wrap_x = (mode & 1) != 0;
        options.wrap_y = (mode & 2) != 0;
        for (const double radius : {0.0, 0.3, 0.5, 1.5, 6.0}) {
            ASSERT_NO_FATAL_FAILURE(fuzz(rng, {radius, 0, CornerRule::never}, 25, 400, 15, options));
        }
        ASSERT_NO_FATAL_FAILURE(fuzz(rng, {0.0, 0, CornerRule::always}, 25, 400, 15, options));
        ASSERT_NO_FATAL_FAILURE(fuzz(rng, {0.0, 3, CornerRule::never}, 25, 400, 10, options));
    }
}

TEST(Sight, EveryPairOfHalvesInSmallMaps) {
    Rng rng(4);
    const Unit units[] = {
        {0.0, 0, CornerRule::never}, {0.0, 0, CornerRule::always}, {0.5}, {1.0}, {0.0, 1}, {0.0, 2}, {0.3}};
    for (int m = 0; m < 24; ++m) {
        const std::int32_t width = rng.between(1, 5);
        const std::int32_t height = rng.between(1, 5);
        const Grid grid = random_grid(rng, width, height, 10 + rng.below(50));
        for (const Unit& unit : units) {
            const Sight sight(world_of(grid, unit));
            const DenseSight judge = judge_of(grid, unit);
            Tally tally;
            const std::int32_t points = (2 * width + 1) * (2 * height + 1);
            const auto point = [&](std::int32_t i) {
                return Vec2{0.5 * (i % (2 * width + 1)), 0.5 * (i / (2 * width + 1))};
            };
            for (std::int32_t i = 0; i < points; ++i) {
                for (std::int32_t k = i; k < points; ++k) {
                    ASSERT_NO_FATAL_FAILURE(compare(sight, judge, {point(i), point(k)}, tally));
                }
            }
            EXPECT_EQ(tally.close, 0);
        }
    }
}

TEST(Sight, TerrainThatTheFilterCloses) {
    Rng rng(5);
    std::array<std::uint16_t, 256> costs{};
    costs.fill(1);
    costs[3] = 0;
    for (int m = 0; m < 60; ++m) {
        GridOptions options;
        options.wrap_x = rng.below(2) == 0;
        options.wrap_y = rng.below(2) == 0;
        costs[1] = m % 10 == 0 ? 0 : 1;
        const Grid grid =
            random_grid(rng, rng.between(1, 90), rng.between(1, 20), 5, options, m % 3 == 0 ? 1 : 4);
        for (const Unit& unit : {Unit{0.0}, Unit{0.4}, Unit{1.2}, Unit{0.0, 2}}) {
            SightWorld world = world_of(grid, unit);
            world.costs = costs.data();
            DenseSight judge = judge_of(grid, unit);
            judge.closed_where_zero = costs;
            const Sight sight(world);
            Tally tally;
            const Vec2 high{static_cast<double>(grid.state().width()),
                            static_cast<double>(grid.state().height())};
            for (int i = 0; i < 300; ++i) {
                ASSERT_NO_FATAL_FAILURE(
                    compare(sight, judge, any_segment(rng, {0, 0}, high, sight.reach()), tally));
            }
        }
    }
}

TEST(Sight, BlockersOfBothShapesInAllLaps) {
    Rng rng(6);
    std::int64_t free = 0;
    for (int m = 0; m < 100; ++m) {
        GridOptions options;
        options.wrap_x = rng.below(2) == 0;
        options.wrap_y = rng.below(2) == 0;
        const Grid grid = random_grid(rng, rng.between(4, 20), rng.between(4, 20), 3, options);
        std::vector<Blocker> blockers;
        for (int i = 0; i < 3; ++i) {
            Blocker blocker;
            blocker.centre = {rng.between(-4.0, 24.0), rng.between(-4.0, 24.0)};
            blocker.radius = rng.below(3) == 0 ? 0.0 : rng.unit() * 2.0;
            if (rng.below(2) == 0) {
                const Vec2 low{0.5 * rng.between(-2, 30), 0.5 * rng.between(-2, 30)};
                blocker.box = {low, low + Vec2{0.5 * rng.below(5), 0.5 * rng.below(5)}};
            }
            if (rng.below(5) == 0) blocker.layer = 1;
            blockers.push_back(blocker);
        }
        for (const Unit& unit : {Unit{0.0}, Unit{0.4}, Unit{1.5}, Unit{0.0, 1}, Unit{0.0, 2}}) {
            SightWorld world = world_of(grid, unit);
            world.blockers = blockers;
            DenseSight judge = judge_of(grid, unit);
            judge.blockers = blockers;
            const Sight sight(world);
            Tally tally;
            const Vec2 low{options.wrap_x ? -30.0 : 0.0, options.wrap_y ? -30.0 : 0.0};
            for (int i = 0; i < 200; ++i) {
                Segment s = any_segment(rng, low, {24, 24}, sight.reach());
                if (rng.below(2) == 0) s.b = s.a + (s.b - s.a) * 0.2;
                ASSERT_NO_FATAL_FAILURE(compare(sight, judge, s, tally));
            }
            free += tally.free;
        }
    }
    EXPECT_GT(free, 1000);
}

TEST(Sight, BlockersBeyondAllMeasure) {
    Rng rng(7);
    GridOptions options;
    options.wrap_x = options.wrap_y = true;
    const Grid grid = random_grid(rng, 8, 8, 0, options);
    Blocker disc;
    disc.centre = {3, 3};
    disc.radius = 1e300;
    Blocker box;
    box.box = {{-1e300, -1e300}, {1e300, 1e300}};
    for (const Blocker& blocker : {disc, box}) {
        SightWorld world = world_of(grid, {0.3});
        world.blockers = {&blocker, 1};
        EXPECT_FALSE(Sight(world).can_sweep({1, 1}, {5, 5}));
        EXPECT_EQ(Sight(world).clearance({1, 1}, {5, 5}, 4.0), 0.0);
    }
}

TEST(Sight, TheCorridorOfExactlyTheBodysWidth) {
    const Grid row = grid_of({"@@@@@@@@@@", "..........", "@@@@@@@@@@"});
    EXPECT_TRUE(Sight(world_of(row, {0.5})).can_sweep({0.5, 1.5}, {9.5, 1.5}));
    EXPECT_TRUE(Sight(world_of(row, {0.5 + 1e-10})).can_sweep({0.5, 1.5}, {9.5, 1.5}));
    EXPECT_FALSE(Sight(world_of(row, {0.5 + 2e-9})).can_sweep({0.5, 1.5}, {9.5, 1.5}));
    EXPECT_FALSE(Sight(world_of(row, {0.5})).can_sweep({0.5, 1.5}, {9.5, 1.5 + 1e-8}));
    EXPECT_TRUE(Sight(world_of(row, {0.0, 1})).can_sweep({0.5, 1.5}, {9.5, 1.5}));
    EXPECT_FALSE(Sight(world_of(row, {0.0, 1})).can_sweep({0.5, 1.5}, {9.5 + 1e-8, 1.5}));
    const Grid wide = grid_of({"@@@@@", ".....", ".....", "@@@@@"});
    EXPECT_TRUE(Sight(world_of(wide, {0.0, 2})).can_sweep({1, 2}, {4, 2}));
    EXPECT_TRUE(Sight(world_of(wide, {1.0})).can_sweep({1, 2}, {4, 2}));
}

TEST(Sight, APointRunsAlongWallsButNotBetweenThem) {
    const Grid grid = grid_of({"..@@..", "..@@..", "......"});
    const Sight sight(world_of(grid, {0.0}));
    EXPECT_TRUE(sight.can_sweep({2, 0}, {2, 2}));   // along the low side
    EXPECT_TRUE(sight.can_sweep({2, 2}, {4, 2}));   // along the top
    EXPECT_FALSE(sight.can_sweep({3, 0}, {3, 2}));  // between two walls
    EXPECT_FALSE(sight.can_sweep({3, 0.5}, {3, 0.5}));
    EXPECT_FALSE(sight.can_sweep({2, 1}, {4, 1}));         // between those above each other
    EXPECT_FALSE(sight.can_sweep({3, 1}, {3, 1}));         // where all four meet
    EXPECT_TRUE(sight.can_sweep({0, 0}, {0, 3}));          // along the edge of the map
    EXPECT_FALSE(sight.can_sweep({2, 0}, {4, 0}));         // between a wall and the edge
    EXPECT_TRUE(sight.can_sweep({0.5, 0.5}, {2, 2}));      // to a corner
    EXPECT_TRUE(sight.can_sweep({1.5, 1.5}, {2.5, 2.5}));  // past a corner
    EXPECT_FALSE(sight.can_sweep({1.5, 1.5 - 1e-8}, {2.5, 2.5 - 1e-8}));
}

TEST(Sight, TheCornerBetweenTwoWallsIsForPointsUnderRuleAlways) {
    const Grid grid = grid_of({".@.", "@..", "..."});
    for (const CornerRule rule : {CornerRule::never, CornerRule::one_free, CornerRule::always}) {
        const Sight point(world_of(grid, {0.0, 0, rule}));
        EXPECT_EQ(point.can_sweep({0.5, 0.5}, {1.5, 1.5}), rule == CornerRule::always);
        EXPECT_TRUE(point.can_sweep({0.5, 0.5}, {1, 1}));  // it may end there
        EXPECT_EQ(point.can_sweep({1, 0}, {1, 2}), rule == CornerRule::always);
        EXPECT_EQ(point.can_sweep({0, 1}, {2, 1}), rule == CornerRule::always);
        EXPECT_FALSE(Sight(world_of(grid, {1e-10, 0, rule})).can_sweep({0.5, 0.5}, {1.5, 1.5}));
        EXPECT_FALSE(Sight(world_of(grid, {0.1, 0, rule})).can_sweep({0.5, 0.5}, {1.5, 1.5}));
        EXPECT_FALSE(Sight(world_of(grid, {0.0, 1, rule})).can_sweep({0.5, 0.5}, {1.5, 1.5}));
    }
}

TEST(Sight, FarBeyondTheMapAndNotANumber) {
    Rng rng(8);
    for (int mode = 0; mode < 4; ++mode) {
        GridOptions options;
        options.wrap_x = (mode & 1) != 0;
        options.wrap_y = (mode & 2) != 0;
        const Grid grid = random_grid(rng, 20, 20, 0, options);
        for (const Unit& unit : {Unit{0.0}, Unit{0.5}, Unit{4096.0}, Unit{0.0, 1}}) {
            const Sight sight(world_of(grid, unit));
            for (const double far : {1e7, -1e9, 1e18, -1e300, std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()}) {
                EXPECT_FALSE(sight.can_sweep({far, 5}, {5, 5}));
                EXPECT_FALSE(sight.can_sweep({5, far}, {5, 5}));
                EXPECT_FALSE(sight.can_sweep({5, 5}, {far, far}));
            }
            if (unit.radius < 1.0) {
                EXPECT_EQ(sight.can_sweep({5, 5}, {5 + 20000.0, 5}), options.wrap_x);
                EXPECT_EQ(sight.can_sweep({5, 5 - 20000.0}, {5, 5}), options.wrap_y);
            }
        }
    }
}

TEST(Sight, ClearanceIsTheDistanceToTheNearestObstacle) {
    Rng rng(9);
    for (int m = 0; m < 200; ++m) {
        GridOptions options;
        options.wrap_x = rng.below(3) == 0;
        options.wrap_y = rng.below(3) == 0;
        const Grid grid = random_grid(rng, rng.between(1, 30), rng.between(1, 30), rng.below(12), options);
        SightWorld world = world_of(grid, {0.0});
        DenseSight judge = judge_of(grid, {0.0});
        Blocker blocker;
        blocker.centre = {rng.unit() * 30.0, rng.unit() * 30.0};
        blocker.radius = rng.unit();
        if (rng.below(2) == 0) world.blockers = judge.blockers = {&blocker, 1};
        const Sight sight(world);
        const Vec2 high{static_cast<double>(grid.state().width()),
                        static_cast<double>(grid.state().height())};
        for (int i = 0; i < 100; ++i) {
            Segment s = any_segment(rng, {0, 0}, high, 0.0);
            if (rng.below(2) == 0) s.b = s.a + (s.b - s.a) * 0.3;
            if (!sight.can_sweep(s.a, s.b)) continue;
            const double limit = rng.unit() * 8.0;
            const double clearance = sight.clearance(s.a, s.b, limit);
            ASSERT_NEAR(clearance, static_cast<double>(judge.clearance(s.a, s.b, limit)), 2e-9)
                << s.a.x << " " << s.a.y << " " << s.b.x << " " << s.b.y << " limit " << limit;
        }
    }
}

// ---- cost
// ---------------------------------------------------------------------------------------------------

/// Midpoint rule between all borders, sorted; on borders the cheaper side.
double dense_cost(const GridState& grid, Vec2 a, Vec2 b, std::span<const std::uint8_t> influence,
                  std::int32_t weight) {
    std::vector<long double> cuts{0.0L, 1.0L};
    const long double d[2] = {static_cast<long double>(b.x) - a.x, static_cast<long double>(b.y) - a.y};
    const double from[2] = {a.x, a.y};
    for (int axis = 0; axis < 2; ++axis) {
        if (d[axis] == 0) continue;
        for (int k = -200; k <= 200; ++k) {
            const long double t = (k - static_cast<long double>(from[axis])) / d[axis];
            if (t > 0 && t < 1) cuts.push_back(t);
        }
    }
    std::sort(cuts.begin(), cuts.end());
    const auto wrapped = [](std::int32_t v, std::int32_t n) { return ((v % n) + n) % n; };
    long double sum = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        if (cuts[i] - cuts[i - 1] < 1e-13L) continue;
        const long double t = 0.5L * (cuts[i] + cuts[i - 1]);
        const long double x = a.x + t * d[0], y = a.y + t * d[1];
        long double best = 1e30L;
        for (const long double e : {-1e-9L, 1e-9L}) {
            for (const long double f : {-1e-9L, 1e-9L}) {
                auto cx = static_cast<std::int32_t>(std::floor(x + e));
                auto cy = static_cast<std::int32_t>(std::floor(y + f));
                if (grid.wrap_x()) cx = wrapped(cx, grid.width());
                if (grid.wrap_y()) cy = wrapped(cy, grid.height());
                if (grid.cost({cx, cy}) == 0) continue;
                const auto index = static_cast<std::size_t>(cy * grid.width() + cx);
                const int more = influence.empty() ? 0 : influence[index] * weight;
                best = std::min(best, static_cast<long double>(grid.cost({cx, cy}) + more));
            }
        }
        sum += (cuts[i] - cuts[i - 1]) * best;
    }
    return static_cast<double>(sum * std::sqrt(d[0] * d[0] + d[1] * d[1]));
}

/// So close to a border, at an end or all along, that walking along it or beside it is a matter of the slack.
bool near_border(const Segment& s) {
    const auto near = [](double v) {
        const double off = std::fabs(v - std::round(v));
        return off > 0.3e-9 && off < 1.5e-9;
    };
    const auto nearly_along = [](double d) { return d != 0.0 && std::fabs(d) < 1e-6; };
    return near(s.a.x) || near(s.a.y) || near(s.b.x) || near(s.b.y) || nearly_along(s.b.x - s.a.x) ||
           nearly_along(s.b.y - s.a.y);
}

TEST(Sight, CostIsTheIntegralAlongTheWay) {
    Rng rng(10);
    int compared = 0;
    for (int m = 0; m < 200; ++m) {
        GridOptions options;
        options.wrap_x = rng.below(3) == 0;
        options.wrap_y = rng.below(3) == 0;
        const Grid grid = random_grid(rng, rng.between(1, 30), rng.between(1, 30), 4, options, 9);
        SightWorld world = world_of(grid, {0.0});
        std::vector<std::uint16_t> costs(256);
        for (std::size_t i = 0; i < 256; ++i) costs[i] = static_cast<std::uint16_t>(i);
        world.costs = costs.data();
        const GridState& state = grid.state();
        std::vector<std::uint8_t> influence(static_cast<std::size_t>(state.width() * state.height()));
        for (std::uint8_t& cell : influence) cell = static_cast<std::uint8_t>(rng.below(256));
        if (rng.below(2) == 0) {
            world.influence = influence;
            world.influence_weight = rng.between(0, 3);
        }
        const Sight sight(world);
        const Vec2 high{static_cast<double>(state.width()), static_cast<double>(state.height())};
        for (int i = 0; i < 100; ++i) {
            Segment s = any_segment(rng, {0, 0}, high, 0.0);
            if (rng.below(2) == 0) s.b = s.a + (s.b - s.a) * 0.3;
            if (!sight.can_sweep(s.a, s.b) || near_border(s)) continue;
            const double dense = dense_cost(state, s.a, s.b, world.influence, world.influence_weight);
            ASSERT_NEAR(sight.cost(s.a, s.b), dense, 1e-5)
                << s.a.x << " " << s.a.y << " " << s.b.x << " " << s.b.y;
            ++compared;
        }
    }
    EXPECT_GT(compared, 5000);
}

TEST(Sight, UniformCostIsLength) {
    Rng rng(11);
    const Grid grid = random_grid(rng, 30, 30, 0);
    SightWorld world = world_of(grid, {0.0});
    EXPECT_TRUE(Sight(world).uniform());
    EXPECT_EQ(Sight(world).cost({1, 1}, {4, 5}), 5.0);
    std::array<std::uint16_t, 256> costs{};
    costs.fill(7);
    world.costs = costs.data();
    EXPECT_TRUE(Sight(world).uniform());
    EXPECT_EQ(Sight(world).cost({1, 1}, {4, 5}), 35.0);
}

}  // namespace
}  // namespace fairlead::testing
