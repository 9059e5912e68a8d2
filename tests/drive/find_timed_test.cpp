// Speeds in the turning search: technique X2's two routes, ends at speed, gears, terrain, slices, memory, bad input.

#include <fairlead/drive/find_timed.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include <fairlead/bridge/grid_drive.h>

#include "drive/timed_checks.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

/// Technique X2's figure: from bottom left to top left either by eight turns, or by two round the outside.
Tiles two_ways() {
    Tiles tiles = open_tiles(50, 40, 0);
    constexpr std::int32_t kLanes[][4] = {{2, 3, 46, 3},  {45, 3, 3, 35}, {2, 35, 46, 3}, {17, 3, 3, 11},
                                          {7, 11, 13, 3}, {7, 11, 3, 11}, {7, 19, 13, 3}, {17, 19, 3, 11},
                                          {7, 27, 13, 3}, {7, 27, 3, 11}};
    for (const auto& lane : kLanes) fill(tiles, lane[0], lane[1], lane[2], lane[3], 1);
    return tiles;
}

double farthest_east(const Route& route) {
    double x = 0.0;
    for (const Leg& leg : route.legs) x = std::max(x, leg.start.position.x);
    return x;
}

constexpr Agent kBuggy{.radius = 0.4, .turning_radius = 1.0};

TEST(FindTimed, SlowAcceleratorsTakeFewerTurns) {
    const DrivenWorld world(two_ways(), kBuggy);
    Scratch scratch;
    double before = 1e300;
    for (const double accel : {0.5, 1.0, 2.0, 1000.0}) {
        const Result<SpeedTable> table = SpeedTable::make(
            *world.table,
            {.speed_max = 8.0, .accel_max = accel, .brake_max = 1000.0, .lateral_accel_max = 4.0});
        ASSERT_TRUE(table.has_value());
        for (const TimedPlanner planner : {TimedPlanner::lattice, TimedPlanner::weighted}) {
            const TimedQuery query{
                .start = {{3.5, 4.5}, 0.0}, .goal = {{3.5, 36.5}, kPi}, .epsilon = 1.02, .planner = planner};
            const Result<Route> way = find_route(*world.map, timed_by(*table, query), scratch);
            ASSERT_TRUE(way.has_value());
            expect_legal(*way, world.grid, *table, query);
            const bool round = farthest_east(*way) > 30.0;
            EXPECT_EQ(round, accel < 100.0) << "accel " << accel << ", " << way->cost << " s";
            if (planner == TimedPlanner::lattice) {
                EXPECT_LT(way->cost, before);
                before = way->cost;
            }
        }
    }
    // The shortest way is the one with eight turns.
    const Result<Route> shortest =
        find_route(*world.map, DriveQuery{.start = {{3.5, 4.5}, 0.0}, .goal = {{3.5, 36.5}, kPi}}, scratch);
    EXPECT_LT(farthest_east(*shortest), 30.0);
}

// Known by hand: straight ahead, up, hold, down.
TEST(FindTimed, AStraightLineTakesWhatItMust) {
    const DrivenWorld world(open_tiles(80, 9), kBuggy);
    const Result<SpeedTable> table =
        SpeedTable::make(*world.table, {.speed_max = 8.0, .accel_max = 2.0, .brake_max = 4.0});
    Scratch scratch;
    // 16 to gather 8 in 4 s, 8 to stop in 2 s, 36 between at 8.
    TimedQuery query{.start = {{5.5, 4.5}, 0.0}, .goal = {{65.5, 4.5}, 0.0}};
    const Result<Route> way = find_route(*world.map, timed_by(*table, query), scratch);
    expect_legal(*way, world.grid, *table, query);
    EXPECT_NEAR(way->cost, 4.0 + 4.5 + 2.0, 1e-9);
    const auto knots = way->speeds.span();
    EXPECT_NEAR(distance_at(knots, 2.0), 4.0, 1e-9);
    EXPECT_NEAR(speed_at(knots, 2.0), 4.0, 1e-9);
    EXPECT_NEAR(time_at(knots, 4.0), 2.0, 1e-9);
    EXPECT_NEAR(distance_at(knots, 9.5), 58.0, 1e-9);
    EXPECT_NEAR(place_at(*way, knots, 6.0).position.x, 5.5 + 32.0, 1e-9);
    EXPECT_EQ(distance_at(knots, 1e9), knots.back().distance);
    EXPECT_EQ(distance_at(knots, -1.0), 0.0);
    for (double t = 0.0; t < way->cost; t += 0.01)
        ASSERT_NEAR(time_at(knots, distance_at(knots, t)), t, 1e-6);
    // At speed at both ends.
    query.start_speed = query.goal_speed = 8.0;
    EXPECT_NEAR(find_route(*world.map, timed_by(*table, query), scratch).value().cost, 7.5, 1e-9);
    query.goal_speed = kAnySpeed;
    EXPECT_NEAR(find_route(*world.map, timed_by(*table, query), scratch).value().cost, 7.5, 1e-9);
    query.start_speed = 0.0;
    EXPECT_NEAR(find_route(*world.map, timed_by(*table, query), scratch).value().cost, 4.0 + 44.0 / 8.0,
                1e-9);
    // Between two levels: as it is, and no bound.
    query.start_speed = 3.3;
    const Result<Route> between = find_route(*world.map, timed_by(*table, query), scratch);
    EXPECT_EQ(between->bound, kNoBound);
    expect_legal(*between, world.grid, *table, query);
}

TEST(FindTimed, TooFastToStopIsAnAnswerOfItsOwn) {
    const DrivenWorld world(open_tiles(30, 9), kBuggy);
    const Result<SpeedTable> table =
        SpeedTable::make(*world.table, {.speed_max = 8.0, .accel_max = 1.0, .brake_max = 1.0});
    Scratch scratch;
    TimedQuery query{.start = {{20.5, 4.5}, 0.0}, .goal = {{26.5, 4.5}, 0.0}, .start_speed = 8.0};
    Result<Route> way = find_route(*world.map, timed_by(*table, query), scratch);
    EXPECT_EQ(way->status, PathStatus::unreachable);
    EXPECT_TRUE(way->too_fast);
    EXPECT_TRUE(way->speeds.empty());
    query.start_speed = 0.0;
    query.goal_speed = 8.0;  // no room to gather it
    way = find_route(*world.map, timed_by(*table, query), scratch);
    EXPECT_EQ(way->status, PathStatus::unreachable);
    EXPECT_TRUE(way->too_fast);
    query.goal_speed = 0.0;
    way = find_route(*world.map, timed_by(*table, query), scratch);
    EXPECT_EQ(way->status, PathStatus::complete);
    EXPECT_FALSE(way->too_fast);
    // No way at any speed.
    DrivenWorld walled(open_tiles(30, 9), kBuggy);
    fill(walled.tiles, 23, 0, 1, 9, 0);
    ASSERT_TRUE(walled.map->update(ground_of(walled.tiles), 1).has_value());
    const Result<SpeedTable> other = SpeedTable::make(*walled.table, {});
    query.start_speed = other->speed(1);
    way = find_route(*walled.map, timed_by(*other, query), scratch);
    EXPECT_EQ(way->status, PathStatus::unreachable);
    EXPECT_FALSE(way->too_fast);
}

TEST(FindTimed, GearsChangeStandingStill) {
    Agent car = kBuggy;
    car.turning_radius = 2.0;
    car.can_reverse = true;
    const DrivenWorld world(open_tiles(24, 4), car);
    const Result<SpeedTable> table =
        SpeedTable::make(*world.table, {.speed_max = 6.0, .reverse_speed_max = 2.0, .cusp_seconds = 0.7});
    Scratch scratch;
    const TimedQuery query{
        .start = {{12.5, 1.5}, 0.0}, .goal = {{12.5, 1.5}, kPi}, .planner = TimedPlanner::lattice};
    const Result<Route> way = find_route(*world.map, timed_by(*table, query), scratch);
    expect_legal(*way, world.grid, *table, query);
    int cusps = 0;
    double at = 0.0;
    for (std::size_t i = 0; i < way->legs.size(); ++i) {
        const Leg& leg = way->legs[i];
        EXPECT_LE(leg.speed_max, leg.gear == Gear::reverse ? 2.0 : 6.0);
        if (i > 0 && leg.gear != way->legs[i - 1].gear) {
            ++cusps;
            const double when = time_at(way->speeds.span(), at);
            EXPECT_NEAR(speed_at(way->speeds.span(), when + 0.35), 0.0, 1e-9);
            EXPECT_NEAR(distance_at(way->speeds.span(), when + 0.35), at, 1e-9);
        }
        at += leg.length;
    }
    EXPECT_GT(cusps, 0);
}

// A whole map of cost 3 takes three times as long; a strip of it as long as the strip says.
TEST(FindTimed, TerrainTakesLonger) {
    const auto world_of = [](std::uint8_t everywhere, std::int32_t strip) {
        Tiles tiles = open_tiles(60, 9, everywhere);
        if (strip > 0) fill(tiles, 30, 0, strip, 9, 3);
        return tiles;
    };
    const Result<DriveTable> moves = DriveTable::make({.agent = kBuggy, .headings = 8, .stretch = 1.05});
    const Result<SpeedTable> table = SpeedTable::make(*moves, {});
    Scratch scratch;
    const auto seconds = [&](const Tiles& tiles, TimedPlanner planner) {
        const Grid grid = grid_of(tiles);
        const Result<DriveMap> map = make_drive_map(grid, *moves);
        const TimedQuery query{.start = {{5.5, 4.5}, 0.0}, .goal = {{55.5, 4.5}, 0.0}, .planner = planner};
        const Result<Route> way = find_route(*map, timed_by(*table, query), scratch);
        expect_legal(*way, grid, *table, query);
        EXPECT_LE(way->cost, way->level_cost * (1 + 1e-9));
        return way->cost;
    };
    const double plain = seconds(world_of(1, 0), TimedPlanner::lattice);
    EXPECT_NEAR(seconds(world_of(3, 0), TimedPlanner::lattice), 3.0 * plain, 1e-6);
    // Ten cells at speed_max, each of cost 3.
    EXPECT_NEAR(seconds(world_of(1, 10), TimedPlanner::lattice), plain + 2.0 * 10.0 / 8.0, 1e-6);
    EXPECT_NEAR(seconds(world_of(1, 10), TimedPlanner::weighted), plain + 2.0 * 10.0 / 8.0, 1e-6);
}

Result<SpeedTable> random_speeds(Rng& rng, const DriveTable& moves) {
    SpeedLimits speed;
    speed.speed_max = rng.between(2.0, 10.0);
    speed.accel_max = std::exp2(rng.between(-2.0, 4.0));
    speed.brake_max = std::exp2(rng.between(-1.0, 4.0));
    speed.lateral_accel_max = std::exp2(rng.between(-1.0, 4.0));
    return SpeedTable::make(moves, speed, rng.between(3, 9));
}

bool same(const Route& a, const Route& b) {
    return a.stats == b.stats && a.cost == b.cost && a.status == b.status && a.level_cost == b.level_cost &&
           a.too_fast == b.too_fast && a.speeds.size() == b.speeds.size() &&
           std::equal(a.speeds.begin(), a.speeds.end(), b.speeds.begin()) &&
           std::equal(a.legs.begin(), a.legs.end(), b.legs.begin(), b.legs.end());
}

TEST(FindTimedSlow, RandomMapsUnitsAndPoses) {
    Rng rng(31);
    Scratch scratch;
    Route way;
    Route sliced;
    int complete = 0;
    int off_lattice = 0;
    for (int i = 0; i < trials(40); ++i) {
        const DrivenWorld world(random_tiles(rng), random_unit(rng));
        const Result<SpeedTable> table = random_speeds(rng, *world.table);
        ASSERT_TRUE(table.has_value());
        for (int k = 0; k < 4; ++k) {
            const bool on_lattice = k % 2 == 0;
            TimedQuery query{.start = random_pose(rng, world.tiles, on_lattice),
                             .goal = random_pose(rng, world.tiles, on_lattice)};
            if (rng.below(3) == 0) query.start_speed = table->limits().speed_max * rng.unit();
            if (rng.below(3) == 0) query.goal_speed = kAnySpeed;
            if (rng.below(4) == 0) query.goal.at = query.goal.at.any_heading();
            query.smooth = rng.below(3) != 0;
            query.epsilon = rng.between(1.0, 2.5);
            SCOPED_TRACE(i * 100 + k);
            ASSERT_TRUE(find_route_into(*world.map, timed_by(*table, query), scratch, way).has_value());
            TimedSearch search(*world.map, timed_by(*table, query), scratch);
            while (search.step(1 + rng.below(200))) {
            }
            ASSERT_TRUE(search.take(sliced).has_value());
            EXPECT_TRUE(same(way, sliced));
            const std::uint64_t before = heap_calls();
            ASSERT_TRUE(find_route_into(*world.map, timed_by(*table, query), scratch, sliced).has_value());
            EXPECT_EQ(heap_calls(), before);
            if (way.status != PathStatus::complete) continue;
            ++complete;
            off_lattice += on_lattice ? 0 : 1;
            expect_legal(way, world.grid, *table, query);
            if (HasFatalFailure()) return;
            EXPECT_NEAR(way.end.position.x, query.goal.at.position.x, 1e-9);
            if (query.start_speed == 0.0) {
                EXPECT_LE(way.cost, way.level_cost * (1 + 1e-9));
            }
        }
    }
    std::printf("%d complete, %d of them off the lattice\n", complete, off_lattice);
    EXPECT_GT(complete, trials(40));
    EXPECT_GT(off_lattice, trials(40) / 4);
}

// With `partial` a search whose budget is spent gives a way to drive meanwhile: legal, to a stand, the same in slices, and never farther
// with more budget.
TEST(FindTimedSlow, BestSoFar) {
    Rng rng(37);
    Scratch scratch;
    int ways = 0;
    int nearer = 0;
    for (int i = 0; i < trials(60); ++i) {
        const DrivenWorld world(random_tiles(rng), random_unit(rng));
        const Result<SpeedTable> table = random_speeds(rng, *world.table);
        ASSERT_TRUE(table.has_value());
        const TimedQuery all{.start = random_pose(rng, world.tiles, rng.below(2) == 0),
                             .goal = random_pose(rng, world.tiles, rng.below(2) == 0),
                             .start_speed = rng.below(3) == 0 ? table->limits().speed_max * rng.unit() : 0.0,
                             .epsilon = rng.between(1.0, 2.5),
                             .smooth = rng.below(2) == 0,
                             .partial = true};
        double before = std::numeric_limits<double>::infinity();
        for (const std::uint64_t budget : {0, 3, 30, 200, 1500}) {
            TimedQuery query = all;
            query.expansions_max = budget;
            const Result<Route> way = find_route(*world.map, timed_by(*table, query), scratch);
            ASSERT_TRUE(way.has_value());
            TimedSearch search(*world.map, timed_by(*table, query), scratch);
            while (search.step(1 + rng.below(9))) {
            }
            Route sliced;
            ASSERT_TRUE(search.take(sliced).has_value());
            EXPECT_TRUE(same(*way, sliced));
            if (way->status != PathStatus::budget_spent) break;
            EXPECT_EQ(way->bound, kNoBound);
            if (way->legs.empty()) continue;
            ++ways;
            TimedQuery stands = query;
            stands.goal_speed = 0.0;
            expect_legal(*way, world.grid, *table, stands);
            if (HasFatalFailure()) return;
            EXPECT_EQ(ground(way->legs[0].start.position), query.start.ground());
            EXPECT_EQ(way->speeds.back().speed, 0.0);
            const double gap = length(ground(way->end.position) - query.goal.at.ground());
            nearer += gap <= before ? 1 : 0;
            before = gap;
            query.partial = false;
            const Result<Route> without = find_route(*world.map, timed_by(*table, query), scratch);
            EXPECT_TRUE(without->legs.empty());
            if (without->status != PathStatus::budget_spent) continue;  // on the way to the nearest place
            EXPECT_EQ(without->stats.expanded, way->stats.expanded);
            EXPECT_EQ(without->stats.generated, way->stats.generated);
            EXPECT_EQ(without->stats.open_peak, way->stats.open_peak);
        }
    }
    std::printf("%d ways, %d of them nearer\n", ways, nearer);
    EXPECT_GE(ways, trials(60) / 3);
    EXPECT_GE(nearer, ways * 7 / 10);
}

TEST(FindTimed, CancelledItGivesTheBestSoFar) {
    const DrivenWorld world(open_tiles(120, 40), {.radius = 0.4, .turning_radius = 2.0});
    const Result<SpeedTable> table = SpeedTable::make(*world.table, {.speed_max = 4, .accel_max = 1});
    ASSERT_TRUE(world.map.has_value() && table.has_value());
    Scratch scratch;
    for (const bool partial : {false, true}) {
        std::atomic<bool> stop{false};
        const TimedQuery query{
            .start = {{3.5, 20.5}, 0.0}, .goal = {{115.2, 30.3}, 1.0}, .partial = partial, .times = &*table};
        TimedSearch search(*world.map, query, scratch, {.cancel = &stop});
        search.step(600);
        ASSERT_TRUE(search.running());
        stop = true;
        search.step(1000);
        EXPECT_FALSE(search.running());
        Route way;
        ASSERT_TRUE(search.take(way).has_value());
        EXPECT_EQ(way.status, PathStatus::budget_spent);
        EXPECT_EQ(!way.legs.empty(), partial);
    }
}

TEST(FindTimed, BadInputIsNamed) {
    const DrivenWorld world(open_tiles(20, 20), kBuggy);
    const Result<SpeedTable> table = SpeedTable::make(*world.table, {});
    Scratch scratch;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const TimedQuery good{.start = {{5.5, 5.5}, 0.0}, .goal = {{15.5, 5.5}, 0.0}};
    const auto expect_error = [&](TimedQuery query, ErrorCode code, Field field) {
        const Result<Route> way = find_route(*world.map, timed_by(*table, query), scratch);
        ASSERT_FALSE(way.has_value());
        EXPECT_EQ(way.error().code, code);
        EXPECT_EQ(way.error().field, field);
    };
    const auto with = [&](double TimedQuery::*field, double value) {
        TimedQuery query = good;
        query.*field = value;
        return query;
    };
    expect_error(with(&TimedQuery::start_speed, kNan), ErrorCode::not_finite, Field::start_speed);
    expect_error(with(&TimedQuery::start_speed, 8.1), ErrorCode::out_of_range, Field::start_speed);
    expect_error(with(&TimedQuery::start_speed, -1.0), ErrorCode::out_of_range, Field::start_speed);
    expect_error(with(&TimedQuery::goal_speed, kNan), ErrorCode::not_finite, Field::goal_speed);
    expect_error(with(&TimedQuery::goal_speed, 7.77), ErrorCode::out_of_range, Field::goal_speed);
    expect_error(with(&TimedQuery::goal_speed, -2.0), ErrorCode::out_of_range, Field::goal_speed);
    expect_error(with(&TimedQuery::epsilon, 0.5), ErrorCode::out_of_range, Field::epsilon);
    TimedQuery bad = good;
    bad.goal = Goal::within(good.goal.at, -1.0);
    expect_error(bad, ErrorCode::out_of_range, Field::goal_range);
    bad = good;
    bad.start.position.x = kNan;
    expect_error(bad, ErrorCode::not_finite, Field::start);
    const DrivenWorld other(open_tiles(20, 20), kBuggy);
    const Result<Route> mixed = find_route(*other.map, timed_by(*table, good), scratch);
    ASSERT_FALSE(mixed.has_value());
    EXPECT_EQ(mixed.error(), (Error{ErrorCode::incompatible, Field::times}));
    const Result<Route> timeless = find_route(*world.map, good, scratch);
    ASSERT_FALSE(timeless.has_value());
    EXPECT_EQ(timeless.error(), (Error{ErrorCode::incompatible, Field::times}));

    const auto expect_no_table = [&](const SpeedLimits& speed, ErrorCode code, Field field) {
        const Result<SpeedTable> made = SpeedTable::make(*world.table, speed);
        ASSERT_FALSE(made.has_value()) << field_name(field);
        EXPECT_EQ(made.error(), (Error{code, field}));
    };
    expect_no_table({.speed_max = 0.0}, ErrorCode::out_of_range, Field::speed_max);
    expect_no_table({.speed_max = kNan}, ErrorCode::not_finite, Field::speed_max);
    expect_no_table({.reverse_speed_max = 9.0}, ErrorCode::out_of_range, Field::reverse_speed_max);
    expect_no_table({.accel_max = 0.0}, ErrorCode::out_of_range, Field::accel_max);
    expect_no_table({.brake_max = -1.0}, ErrorCode::out_of_range, Field::brake_max);
    expect_no_table({.lateral_accel_max = 0.0}, ErrorCode::out_of_range, Field::lateral_accel_max);
    expect_no_table({.cusp_seconds = -1.0}, ErrorCode::out_of_range, Field::cusp_seconds);
    expect_no_table({.turn_rate_max = 0.0}, ErrorCode::out_of_range, Field::turn_rate_max);
    expect_no_table({.turn_rate_max = 1e-6}, ErrorCode::out_of_range, Field::turn_rate_max);
    expect_no_table({.accel_max = kNoLimit}, ErrorCode::out_of_range, Field::accel_max);
    for (const std::int32_t levels : {2, 17}) {
        const Result<SpeedTable> made = SpeedTable::make(*world.table, {}, levels);
        ASSERT_FALSE(made.has_value());
        EXPECT_EQ(made.error(), (Error{ErrorCode::out_of_range, Field::levels}));
    }
}

TEST(FindTimed, StatusesAtTheEnds) {
    DrivenWorld world(open_tiles(20, 20), kBuggy);
    fill(world.tiles, 10, 10, 3, 3, 0);
    ASSERT_TRUE(world.map->update(ground_of(world.tiles), 1).has_value());
    const Result<SpeedTable> table = SpeedTable::make(*world.table, {});
    Scratch scratch;
    const Pose free{{5.5, 5.5}, 0.0};
    const Pose wall{{11.5, 11.5}, 0.0};
    const auto status = [&](const TimedQuery& query) {
        return find_route(*world.map, timed_by(*table, query), scratch).value().status;
    };
    EXPECT_EQ(status({.start = free, .goal = wall}), PathStatus::goal_blocked);
    EXPECT_EQ(status({.start = wall, .goal = free}), PathStatus::start_blocked);
    EXPECT_EQ(status({.start = free, .goal = {{50.0, 5.0}, 0.0}}), PathStatus::off_world);
    EXPECT_EQ(status({.start = free, .goal = {{15.5, 15.5}, 0.0}, .expansions_max = 3}),
              PathStatus::budget_spent);
    const Result<Route> here =
        find_route(*world.map, timed_by(*table, {.start = free, .goal = free}), scratch);
    EXPECT_EQ(here->status, PathStatus::complete);
    EXPECT_EQ(here->cost, 0.0);
    EXPECT_TRUE(here->legs.empty());
}

// Every allocation may fail: an error, nothing leaks, and the next query works.
TEST(FindTimedSlow, SurvivesEveryFailedAllocation) {
    const DrivenWorld world(open_tiles(16, 16), kBuggy);
    const Result<SpeedTable> table = SpeedTable::make(*world.table, {}, 4);
    const TimedQuery query{.start = {{3.5, 3.5}, 0.0}, .goal = {{12.2, 11.1}, 1.0}};
    TestAllocator memory;
    for (const std::uint64_t most : {UINT64_MAX, std::uint64_t{0}}) {
        TimedQuery asked = query;
        asked.expansions_max = most;
        const PathStatus status = most == 0 ? PathStatus::budget_spent : PathStatus::complete;
        for (const bool once : kOnceAndForEver) {
            Scratch scratch{memory.allocator()};
            Route way;
            const auto ask = [&] {
                scratch.free_memory();
                return find_route_into(*world.map, timed_by(*table, asked), scratch, way);
            };
            const auto ask_again = [&](const Result<void>& done) {
                if (done) {
                    EXPECT_EQ(way.status, status);
                }
                ASSERT_TRUE(find_route_into(*world.map, timed_by(*table, asked), scratch, way));
                EXPECT_EQ(way.status, status);
            };
            EXPECT_GT(starve(memory, once, ask, ask_again), 5);
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
}

TEST(SpeedTable, LevelsHoldTheArcsSpeed) {
    const DrivenWorld world(open_tiles(8, 8), kBuggy);
    for (const double lateral : {0.1, 1.0, 4.0, 30.0, 64.0, 1000.0}) {
        for (std::int32_t levels = 3; levels <= 16; ++levels) {
            const Result<SpeedTable> table =
                SpeedTable::make(*world.table, {.lateral_accel_max = lateral}, levels);
            ASSERT_TRUE(table.has_value());
            const double arc = std::min(8.0, std::sqrt(lateral));
            EXPECT_NEAR(table->arc_speed(), arc, 1e-12);
            EXPECT_EQ(table->speed(0), 0.0);
            EXPECT_EQ(table->speed(levels - 1), 8.0);
            bool exact = false;
            (void)table->level_of(arc, exact);
            EXPECT_TRUE(exact) << lateral << " " << levels;
            for (std::int32_t i = 1; i < levels; ++i) EXPECT_LT(table->speed(i - 1), table->speed(i));
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
