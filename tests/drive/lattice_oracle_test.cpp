// The planners over the lattice beside plain Dijkstra whose moves are judged by verify; and the edge map bit by bit.

#include "oracle/lattice_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "drive/map/edge_map.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using oracle::LatticeAnswer;
using oracle::LatticeCosts;
using oracle::LatticeOracle;
using oracle::OraclePose;
using oracle::PoseMap;

constexpr double kRounding = 1e-3;  // relative; costs are kept in parts of a cell

struct Setting {
    Agent agent;
    std::int32_t headings;
    double stretch;
};

Setting random_setting(Rng& rng) {
    Setting out{.agent = {.radius = rng.below(2) == 0 ? 0.4 : 0.45},
                .headings = rng.below(3) == 0 ? 16 : 8,
                .stretch = 1.05};
    if (rng.below(3) == 0) out.agent = box_body(1.8, 0.9, rng.between(0.0, 0.5));
    if (rng.below(5) == 0) out.agent = capsule_body(1.6, 0.4);
    out.agent.turning_radius = 1.0 + 0.5 * rng.between(0, 3);
    out.agent.can_reverse = rng.below(2) == 0;
    return out;
}

Pose on_map(const OraclePose& at, std::int32_t headings) {
    return {{at.x + 0.5, at.y + 0.5}, heading_rad(headings, at.heading)};
}

// Small ones, and some that close a way.
std::vector<Blocker> random_others(Rng& rng, const PoseMap& map) {
    std::vector<Blocker> out(1 + rng.below(8));
    for (Blocker& other : out) {
        other.centre = {rng.between(0.0, 1.0 * map.width), rng.between(0.0, 1.0 * map.height)};
        other.radius = rng.below(4) == 0 ? rng.between(0.0, 3.0) : rng.between(0.0, 0.8);
        if (rng.below(3) != 0) continue;
        const Vec2 half{rng.between(0.0, 1.5), rng.between(0.0, 1.5)};
        other.box = {other.centre - half, other.centre + half};
    }
    return out;
}

bool stands_clear(const Grid& grid, const Agent& agent, const Pose& at, std::span<const Blocker> others) {
    Route route;
    route.status = PathStatus::complete;
    route.end = {{at.position.x, at.position.y, 0.0}, at.heading_rad, 0};
    return !verify(route, grid, agent, {.blockers = others, .check_revision = false});
}

bool random_place(Rng& rng, const PoseMap& map, const Grid& grid, std::span<const Blocker> others,
                  const Setting& setting, OraclePose& at) {
    for (int i = 0; i < 300; ++i) {
        at = {rng.between(0, map.width - 1), rng.between(0, map.height - 1),
              rng.between(0, setting.headings - 1)};
        const Pose pose = on_map(at, setting.headings);
        if (depth_on_map(oracle::pose_body(setting.agent), map, pose) <= 0.0 &&
            (others.empty() || stands_clear(grid, setting.agent, pose, others)))
            return true;
    }
    return false;
}

struct Tally {
    int complete = 0;
    int unreachable = 0;
    int by_lattice = 0;      // complete, and no curve of its own could help
    double beyond = 1.0;     // the worst cost, in parts of what it may be
    int over = 0;            // how many beyond
    int by_other_words = 0;  // unreachable, but not if every word from every pose near the goal were tried
};

void compare(const Route& route, const LatticeAnswer& answer, double epsilon, Tally& tally) {
    if (route.status != PathStatus::complete) {
        ASSERT_EQ(route.status, PathStatus::unreachable);
        ASSERT_EQ(answer.on_lattice, oracle::kNoWay);
        ++tally.unreachable;
        tally.by_other_words += answer.with_curves < oracle::kNoWay ? 1 : 0;
        return;
    }
    ++tally.complete;
    ASSERT_LT(answer.with_curves, oracle::kNoWay);
    // What is promised is a multiple of the lattice's own optimum; the curves to the goal may only better it.
    const double part = route.cost / (answer.on_lattice * epsilon * (1 + kRounding));
    tally.over += part > 1.0 ? 1 : 0;
    tally.beyond = std::max(tally.beyond, part);
    ASSERT_GE(route.cost, answer.with_curves * (1 - kRounding));
    // Where the goal's curves are of no help the limits are one and the cost is known.
    tally.by_lattice += answer.with_curves > answer.on_lattice * (1 - kRounding) ? 1 : 0;
}

void ask_both(const DriveMap& map, DriveQuery query, const LatticeAnswer& answer, Scratch& scratch,
              Tally& tally, Tally& weighted) {
    Route route;
    query.planner = DrivePlanner::lattice;
    ASSERT_TRUE(find_route_into(map, query, scratch, route).has_value());
    compare(route, answer, 1.0, tally);
    if (::testing::Test::HasFatalFailure()) return;
    query.planner = DrivePlanner::weighted;
    ASSERT_TRUE(find_route_into(map, query, scratch, route).has_value());
    compare(route, answer, query.epsilon, weighted);
}

struct Kind {
    bool pivots = false;
    bool blockers = false;
    int maps = 20;
};

void compare_many(Rng& rng, const Kind& kind, Tally& tally, Tally& weighted) {
    const bool pivots = kind.pivots;
    Scratch scratch;
    for (int i = 0; i < trials(kind.maps); ++i) {
        const PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 20, 20);
        Setting setting = random_setting(rng);
        setting.agent.can_pivot = pivots;
        const Grid grid = grid_of(map);
        const Result<DriveTable> table = DriveTable::make(
            {.agent = setting.agent, .headings = setting.headings, .stretch = setting.stretch});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> ready = DriveMap::make(ground_of(map), *table);
        ASSERT_TRUE(ready.has_value());
        std::vector<Blocker> others;
        if (kind.blockers) others = random_others(rng, map);
        LatticeOracle witness(grid, setting.agent, table->primitives(), others);
        for (int k = 0; k < 6; ++k) {
            OraclePose start;
            OraclePose goal;
            if (!random_place(rng, map, grid, others, setting, start) ||
                !random_place(rng, map, grid, others, setting, goal))
                continue;
            DriveQuery query{.start = on_map(start, setting.headings),
                             .goal = on_map(goal, setting.headings),
                             .epsilon = rng.between(1.0, 3.0),
                             .reverse_penalty = rng.between(1.0, 3.0),
                             .cusp_penalty = rng.between(0.0, 3.0),
                             .smooth = false,
                             .blockers = others};
            if (pivots) query.pivot_penalty = rng.below(3) == 0 ? 0.05 : rng.between(0.05, 4.0);
            const LatticeCosts costs{query.reverse_penalty, query.cusp_penalty,
                                     std::max(4.0, 3.0 * setting.agent.turning_radius), kTwoPi,
                                     query.pivot_penalty};
            SCOPED_TRACE(i * 100 + k);
            ask_both(*ready, query, witness.find(start, goal, costs), scratch, tally, weighted);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
    std::printf("%d complete, %d of them known exactly, %d unreachable, %d of them not by every word\n",
                tally.complete, tally.by_lattice, tally.unreachable, tally.by_other_words);
    std::printf("lattice: %d beyond its bound, at most %g of it; weighted: %d, %g\n", tally.over,
                tally.beyond, weighted.over, weighted.beyond);
    EXPECT_LE(tally.beyond, 1.0);
    EXPECT_LE(weighted.beyond, 1.0);
}

TEST(LatticeOracleSlow, ThePlannersFindWhatItFinds) {
    Rng rng(77);
    Tally tally;
    Tally weighted;
    compare_many(rng, {}, tally, weighted);
    EXPECT_GT(tally.complete, trials(20) * 2);
    if (!testing::all_trials()) return;
    EXPECT_GT(tally.by_lattice, trials(20) / 2);
    EXPECT_GT(tally.unreachable, trials(20) / 10);
    EXPECT_LE(tally.by_other_words * 4, tally.unreachable);
}

TEST(LatticeOracleSlow, ThePlannersFindWhatItFindsWithTurnsOnTheSpot) {
    Rng rng(79);
    Tally tally;
    Tally weighted;
    compare_many(rng, {.pivots = true}, tally, weighted);
    EXPECT_GT(tally.complete, trials(20) * 3);
    EXPECT_GT(tally.by_lattice, trials(20) / 4);
}

TEST(LatticeOracleSlow, ThePlannersFindWhatItFindsPastBlockers) {
    Rng rng(80);
    Tally tally;
    Tally weighted;
    compare_many(rng, {.blockers = true, .maps = 8}, tally, weighted);
    compare_many(rng, {.pivots = true, .blockers = true, .maps = 5}, tally, weighted);
    if (!testing::all_trials()) return;
    EXPECT_GT(tally.complete, 30);
    EXPECT_GT(tally.by_lattice, 10);
    EXPECT_GT(tally.unreachable, 5);
}

// The smallest case known in which `weighted` cost more than epsilon times what `lattice` does, which has shortcuts by curves to
// the goal that no bound counts: without them the bound holds.
TEST(LatticeOracle, WeightedKeepsItsBoundOnOpenGround) {
    Agent agent = box_body(1.8, 0.9);
    agent.turning_radius = 1.0;
    PoseMap map{20, 20, {}};
    map.tile.assign(400, 1);
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
    const Result<DriveMap> ready = DriveMap::make(ground_of(map), *table);
    ASSERT_TRUE(ready.has_value());
    Scratch scratch;
    for (const double epsilon : {1.0, 1.02, 1.04, 1.06}) {
        DriveQuery query{.start = {{4.5, 1.5}, kHalfPi},
                         .goal = {{13.5, 1.5}, -kHalfPi},
                         .epsilon = epsilon,
                         .goal_curves = false,
                         .smooth = false};
        const double weighted = find_route(*ready, query, scratch).value().cost;
        query.planner = DrivePlanner::lattice;
        const double best = find_route(*ready, query, scratch).value().cost;
        EXPECT_LE(weighted, best * epsilon * (1 + kRounding)) << "epsilon " << epsilon << ", best " << best;
    }
}

// The smallest case known in which `lattice` cost more than a way that it has: by 0.18 %, while its lower bound was not consistent.
TEST(LatticeOracle, LatticeIsTheCheapestOnOpenGround) {
    PoseMap map{20, 20, {}};
    map.tile.assign(400, 1);
    const Grid grid = grid_of(map);
    for (const bool reverse : {false, true}) {
        const Agent agent{.radius = 0.4, .turning_radius = 1.0, .can_reverse = reverse};
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        const Result<DriveMap> ready = DriveMap::make(ground_of(map), *table);
        ASSERT_TRUE(ready.has_value());
        Scratch scratch;
        const OraclePose start{8, 11, 5};
        const OraclePose goal{0, 6, 4};
        const DriveQuery query{.start = on_map(start, 8),
                               .goal = on_map(goal, 8),
                               .reverse_penalty = 2.82,
                               .cusp_penalty = 2.94,
                               .planner = DrivePlanner::lattice,
                               .smooth = false};
        LatticeOracle witness(grid, agent, table->primitives());
        const LatticeAnswer answer = witness.find(start, goal, {2.82, 2.94, 4.0});
        EXPECT_LE(find_route(*ready, query, scratch).value().cost, answer.on_lattice * (1 + 1e-4)) << reverse;
    }
}

TEST(LatticeOracleSlow, TheEdgeMapIsWhatVerifySays) {
    Rng rng(78);
    std::uint64_t asked = 0;
    for (int i = 0; i < trials(4); ++i) {
        const PoseMap map = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 20, 16);
        Setting setting = random_setting(rng);
        setting.agent.can_pivot = i % 2 == 1;
        const Grid grid = grid_of(map);
        const Result<DriveTable> table = DriveTable::make(
            {.agent = setting.agent, .headings = setting.headings, .stretch = setting.stretch});
        ASSERT_TRUE(table.has_value());
        const Result<EdgeMap> edges = EdgeMap::make(ground_of(map), *table);
        ASSERT_TRUE(edges.has_value());
        LatticeOracle witness(grid, setting.agent, table->primitives());
        for (std::int32_t y = 0; y < map.height; ++y) {
            for (std::int32_t x = 0; x < map.width; ++x) {
                for (std::size_t p = 0; p < table->primitives().all().size(); ++p) {
                    ASSERT_EQ(edges->may_drive(x, y, p), witness.may_drive(x, y, p))
                        << "case " << i << " cell " << x << " " << y << " primitive " << p;
                }
            }
        }
        asked += witness.asked();
    }
    EXPECT_GT(asked, 10000U * static_cast<unsigned>(trials(4)));
}

}  // namespace
}  // namespace fairlead::testing
