// Timed searches against an oracle that knows nothing of its edges, times, bounds and search; and what its lower bound promises.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include <fairlead/drive/find_timed.h>

#include "drive/map/map_data.h"
#include "drive/timed/timed_work.h"
#include "drive/timed_checks.h"
#include "oracle/timed_oracle.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using oracle::OraclePose;
using oracle::PoseMap;

constexpr double kTicks = 1e-6;  // relative: times are kept in ticks, rounded up

struct Setting {
    Agent agent;
    SpeedLimits speed{};
    std::int32_t levels = 8;
};

Setting random_setting(Rng& rng) {
    Setting out{.agent = {.radius = rng.below(2) == 0 ? 0.4 : 0.45}};
    if (rng.below(3) == 0) out.agent = box_body(1.8, 0.9, rng.between(0.0, 0.5));
    out.agent.turning_radius = 1.0 + 0.5 * rng.between(0, 3);
    out.agent.can_reverse = rng.below(2) == 0;
    out.speed.speed_max = rng.between(2.0, 8.0);
    out.speed.accel_max = std::exp2(rng.between(-2.0, 5.0));
    out.speed.brake_max = std::exp2(rng.between(-1.0, 5.0));
    out.speed.lateral_accel_max = std::exp2(rng.between(-1.0, 6.0));
    out.speed.cusp_seconds = rng.between(0.0, 1.0);
    out.levels = rng.between(3, 6);
    if (rng.below(2) == 0) out.speed.reverse_speed_max = out.speed.speed_max * rng.between(0.2, 1.0);
    return out;
}

oracle::TimedUnit unit_of(const SpeedTable& table) {
    const SpeedLimits& limits = table.limits();
    oracle::TimedUnit out{.reverse_speed_max = limits.reverse_speed_max,
                          .accel = limits.accel_max,
                          .brake = limits.brake_max,
                          .lateral = limits.lateral_accel_max,
                          .cusp_seconds = limits.cusp_seconds,
                          .turning_radius = table.moves().options().agent.turning_radius};
    for (std::int32_t i = 0; i < table.levels(); ++i) out.speeds.push_back(table.speed(i));
    return out;
}

Pose on_map(const OraclePose& at) { return {{at.x + 0.5, at.y + 0.5}, heading_rad(8, at.heading)}; }

bool random_place(Rng& rng, const PoseMap& map, const Agent& agent, OraclePose& at) {
    for (int i = 0; i < 300; ++i) {
        at = {rng.between(0, map.width - 1), rng.between(0, map.height - 1), rng.between(0, 7)};
        if (depth_on_map(oracle::pose_body(agent), map, on_map(at)) <= 0.0) return true;
    }
    return false;
}

/// Counts what contradicts h(s) <= cost + h(next).
struct BoundSink {
    drive::TimedSpace& space;
    Cost here = 0;
    int wrong = 0;
    int seen = 0;

    void add(std::uint32_t state, Cost cost, std::uint32_t) {
        ++seen;
        wrong += here > cost + space.heuristic(state) ? 1 : 0;
    }
};

// Of every free state of the map, after a search over it.
void expect_consistent(const DriveMap& map, const SpeedTable& table, Scratch& scratch, int& seen) {
    auto* work = scratch.get<drive::TimedWork>();
    drive::TimedSpace& space = work->space;
    BoundSink sink{space};
    const bool reverses = map.state().table().options().agent.can_reverse;
    for (std::int32_t y = 0; y < map.state().height(); ++y) {
        for (std::int32_t x = 0; x < map.state().width(); ++x) {
            for (std::int32_t code = 0; code < 16 * table.levels(); ++code) {
                const Gear gear = code % 2 == 0 ? Gear::forward : Gear::reverse;
                const std::int32_t level = code / 16;
                if (!map.state().data().edges().stands(x, y, (code / 2) % 8) || !table.allows(level, gear))
                    continue;
                if (gear == Gear::reverse && !reverses) continue;
                const std::uint32_t state = work->lattice.state({x, y, (code / 2) % 8, gear}, level);
                sink.here = space.heuristic(state);
                space.expand(state, 0, 0, sink);
            }
        }
    }
    EXPECT_EQ(sink.wrong, 0) << "of " << sink.seen;
    seen += sink.seen;
}

struct Tally {
    int complete = 0;
    int unreachable = 0;
    int too_fast = 0;
    int at_speed = 0;
    int bounds = 0;
};

void ask(const DriveMap& map, const SpeedTable& table, const Grid& grid, TimedQuery query, double best,
         Scratch& scratch, Tally& tally) {
    for (const TimedPlanner planner : {TimedPlanner::lattice, TimedPlanner::weighted}) {
        query.planner = planner;
        const Result<Route> way = find_route(map, timed_by(table, query), scratch);
        ASSERT_TRUE(way.has_value());
        if (way->status != PathStatus::complete) {
            ASSERT_EQ(way->status, PathStatus::unreachable);
            ASSERT_EQ(best, oracle::kNoWay);
            ++tally.unreachable;
            tally.too_fast += way->too_fast ? 1 : 0;
            continue;
        }
        expect_legal(*way, grid, table, query);
        EXPECT_LE(way->cost, way->level_cost * (1 + 1e-9));
        // Where the lattice leads nowhere a curve to the goal may.
        if (best == oracle::kNoWay) continue;
        ++tally.complete;
        tally.at_speed += query.start_speed > 0.0 && query.goal_speed > 0.0 ? 1 : 0;
        if (planner == TimedPlanner::lattice) {
            EXPECT_NEAR(way->level_cost, best, best * kTicks);
            expect_consistent(map, table, scratch, tally.bounds);
        } else {
            EXPECT_GE(way->level_cost, best * (1 - kTicks));
            EXPECT_LE(way->level_cost, best * query.epsilon * (1 + kTicks));
        }
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(TimedOracleSlow, ThePlannersFindWhatItFinds) {
    Rng rng(177);
    Scratch scratch;
    Tally tally;
    for (int i = 0; i < trials(20); ++i) {
        const PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 18, 14);
        const Setting setting = random_setting(rng);
        const Grid grid = grid_of(map);
        const Result<DriveTable> moves =
            DriveTable::make({.agent = setting.agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(moves.has_value());
        const Result<SpeedTable> table = SpeedTable::make(*moves, setting.speed, setting.levels);
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> ready = DriveMap::make(ground_of(map), *moves);
        ASSERT_TRUE(ready.has_value());
        oracle::LatticeOracle legal(grid, setting.agent, moves->primitives());
        const oracle::TimedUnit unit = unit_of(*table);
        for (int k = 0; k < 4; ++k) {
            oracle::TimedEnds ends;
            if (!random_place(rng, map, setting.agent, ends.start) ||
                !random_place(rng, map, setting.agent, ends.goal))
                continue;
            if (k % 2 == 1) {
                ends.start_level = rng.between(0, table->levels() - 1);
                ends.goal_level = rng.between(-1, table->levels() - 1);
            }
            TimedQuery query{.start = on_map(ends.start),
                             .goal = on_map(ends.goal),
                             .start_speed = table->speed(ends.start_level),
                             .epsilon = rng.between(1.0, 3.0)};
            query.goal_speed = ends.goal_level < 0 ? kAnySpeed : table->speed(ends.goal_level);
            query.smooth = rng.below(2) == 0;
            SCOPED_TRACE(i * 100 + k);
            const double best =
                oracle::quickest(legal, moves->primitives(), map.width, map.height, unit, ends);
            ask(*ready, *table, grid, query, best, scratch, tally);
            if (HasFatalFailure()) return;
        }
    }
    std::printf(
        "%d complete, %d of them at speed at both ends, %d unreachable, %d of them too fast, %d bounds\n",
        tally.complete, tally.at_speed, tally.unreachable, tally.too_fast, tally.bounds);
    if (!testing::all_trials()) return;
    EXPECT_GT(tally.complete, trials(20));
    EXPECT_GT(tally.at_speed, trials(20) / 4);
    EXPECT_GT(tally.too_fast, trials(20) / 8);
}

// The oracle's own reckoning, where it is known.
TEST(TimedOracle, KnowsPlainCases) {
    // From rest to rest over 4 with 1 and 1: 2 s up, 2 s down.
    EXPECT_NEAR(oracle::envelope_seconds({{4.0, 100.0}}, 0.0, 0.0, 1.0, 1.0), 4.0, 1e-6);
    // Never above 1: half a length up, three at 1, half down.
    EXPECT_NEAR(oracle::envelope_seconds({{4.0, 1.0}}, 0.0, 0.0, 1.0, 1.0), 5.0, 1e-6);
    EXPECT_NEAR(oracle::envelope_seconds({{2.0, 1.0}, {2.0, 2.0}}, 1.0, 2.0, 10.0, 1.0), 3.025, 1e-6);
    EXPECT_EQ(oracle::envelope_seconds({{1.0, 9.0}}, 2.0, 0.0, 1.0, 1.0), oracle::kNoWay);
    EXPECT_EQ(oracle::envelope_seconds({{1.0, 9.0}}, 0.0, 2.0, 1.0, 1.0), oracle::kNoWay);
}

}  // namespace
}  // namespace fairlead::testing
