// Units with a turning circle that may also turn on the spot: legal by verify and by the dense sampler, costs as said, turns only
// where there is room.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/drive/speed_table.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "drive/tiles.h"
#include "oracle/pose_sampler.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

using oracle::PoseBody;
using oracle::PoseFinding;
using oracle::PoseMap;

Agent pivoting(Agent agent, double turning_radius, bool reverse = false) {
    agent.turning_radius = turning_radius;
    agent.can_reverse = reverse;
    agent.can_pivot = true;
    return agent;
}

PoseMap drawn(std::initializer_list<const char*> rows) {
    PoseMap out;
    out.height = static_cast<std::int32_t>(rows.size());
    for (auto row = std::rbegin(rows); row != std::rend(rows); ++row) {
        out.width = static_cast<std::int32_t>(std::char_traits<char>::length(*row));
        for (const char* c = *row; *c != 0; ++c) out.tile.push_back(*c == '#' ? 0 : 1);
    }
    return out;
}

PoseMap open_ground(std::int32_t width, std::int32_t height) {
    PoseMap out{width, height, {}};
    out.tile.assign(static_cast<std::size_t>(width * height), 1);
    return out;
}

// A table and a map that belong together, for as long as the tiles live.
struct World {
    Grid grid;
    Result<DriveTable> table;
    Result<DriveMap> map;

    World(const PoseMap& tiles, const Agent& agent, std::int32_t headings = 8)
        : grid(grid_of(tiles)),
          table(DriveTable::make({.agent = agent, .headings = headings, .stretch = 1.05})),
          map(DriveMap::make(ground_of(tiles), *table)) {}
    World(const World&) = delete;
    World& operator=(const World&) = delete;
};

// Every curve's cost by its legs, apart from the planner's reckoning; no terrain.
double cost_of_legs(const Route& route, const DriveQuery& query) {
    double sum = 0.0;
    bool moved = false;
    Gear gear = Gear::forward;
    for (const Leg& leg : route.legs) {
        sum += std::fabs(leg.turn_rad) * query.pivot_penalty;
        if (leg.kind == LegKind::turn) continue;
        sum += leg.length * (leg.gear == Gear::reverse ? query.reverse_penalty : 1.0);
        sum += moved && leg.gear != gear ? query.cusp_penalty : 0.0;
        gear = leg.gear;
        moved = true;
    }
    return sum;
}

double turned(const Route& route) {
    double sum = 0.0;
    for (const Leg& leg : route.legs) sum += std::fabs(leg.turn_rad);
    return sum;
}

void expect_legal(const Route& route, const Grid& grid, const PoseMap& map, const Agent& agent,
                  const DriveQuery& query) {
    if (std::getenv("DBG"))
        std::printf("%s r %g box %g %g %g\n", route.planner, agent.turning_radius, agent.length, agent.width,
                    agent.radius);
    const Violation bad = verify(route, grid, agent, {.check_revision = false});
    if (bad)
        for (const Leg& leg : route.legs)
            std::printf("%s %.17g %.17g h %.17g len %.17g turn %.17g c %g\n", leg_kind_name(leg.kind),
                        leg.start.position.x, leg.start.position.y, leg.start.heading_rad, leg.length,
                        leg.turn_rad, leg.curvature);
    ASSERT_FALSE(bad) << bad.text().c_str();
    const PoseFinding found =
        sample_route(route, map, agent, {.step = 0.004, .start = query.start, .goal = query.goal});
    ASSERT_FALSE(found) << fault_name(found.fault) << " leg " << found.leg << " by " << found.amount;
}

Agent random_pivoting(Rng& rng) {
    Agent agent{.radius = rng.below(2) == 0 ? 0.45 : 0.8};
    if (rng.below(2) == 0)
        agent = box_body(rng.between(1.2, 3.0), rng.between(0.5, 1.0), rng.between(0.0, 0.8));
    if (rng.below(4) == 0) agent = capsule_body(1.8, 0.4, rng.between(0.0, 0.9));
    return pivoting(agent, rng.between(0.8, 3.0), rng.below(2) == 0);
}

// ---- table ----

// Headings are not evenly apart (headings.h). Every angle in between, looked at one by one, with the sampler's geometry.
TEST(PivotTable, TurnsSweepWhatTheBodyCoversOnTheWay) {
    Rng rng(5);
    for (int i = 0; i < 12; ++i) {
        const Agent agent = random_pivoting(rng);
        const std::int32_t headings = i % 2 == 0 ? 8 : 16;
        const DriveNodes nodes = i % 3 == 0 ? DriveNodes::corners : DriveNodes::centres;
        const Result<DriveTable> table =
            DriveTable::make({.agent = agent, .headings = headings, .stretch = 1.05, .nodes = nodes});
        ASSERT_TRUE(table.has_value());
        const PoseBody body = oracle::pose_body(agent);
        const auto all = table->primitives().all();
        int turns = 0;
        for (std::size_t p = 0; p < all.size(); ++p) {
            if (!all[p].is_turn()) continue;
            ++turns;
            std::set<std::pair<int, int>> swept;
            for (const CellRun& run : table->swept(p)) {
                for (int k = 0; k < run.count; ++k) swept.insert({run.dx + k, run.dy});
            }
            ASSERT_EQ(std::abs(all[p].to - all[p].from) % (headings - 2), 1);
            const double angle =
                std::remainder(heading_rad(headings, all[p].to) - heading_rad(headings, all[p].from), kTwoPi);
            for (int y = -5; y <= 5; ++y) {
                for (int x = -5; x <= 5; ++x) {
                    double deepest = -1.0;
                    for (int k = 0; k <= 400; ++k) {
                        Pose at = table->node(0, 0, all[p].from);
                        at.heading_rad += angle * k / 400.0;
                        deepest = std::max(deepest, depth_in_cell(body, at, x, y));
                    }
                    // Between two looks the body moves by no more than this.
                    if (std::fabs(deepest) < 4.0 * std::fabs(angle) / 400.0) continue;
                    ASSERT_EQ(swept.count({x, y}), deepest > 0.0 ? 1U : 0U)
                        << i << " " << p << " " << x << " " << y;
                }
            }
        }
        EXPECT_EQ(turns, headings * (agent.can_reverse ? 4 : 2));
    }
}

TEST(PivotTable, IsSavedAndLoaded) {
    for (const bool reverse : {false, true}) {
        const Agent agent = pivoting(box_body(2.0, 1.0, 0.5), 2.0, reverse);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        Array<std::uint8_t> bytes;
        ASSERT_TRUE(table->save(bytes).has_value());
        const Result<DriveTable> again = DriveTable::load(bytes.span());
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->options().agent, agent);
        EXPECT_TRUE(std::equal(table->primitives().all().begin(), table->primitives().all().end(),
                               again->primitives().all().begin(), again->primitives().all().end()));
        EXPECT_TRUE(*again->is_as_made());
    }
}

TEST(PivotTable, IsNoneForSpeeds) {
    const Result<DriveTable> table =
        DriveTable::make({.agent = pivoting({.radius = 0.4}, 2.0), .headings = 8});
    const Result<SpeedTable> speeds = SpeedTable::make(*table, {.speed_max = 5.0});
    ASSERT_FALSE(speeds.has_value());
    EXPECT_EQ(speeds.error().code, ErrorCode::incompatible);
}

// ---- verify ----

TEST(PivotVerify, TurnsAreForUnitsThatPivotAndHaveTheRoom) {
    const PoseMap tiles = drawn({"#######", "#.....#", "#.....#", "#.....#", "#######"});
    const Grid grid = grid_of(tiles);
    const auto judge = [&](const Agent& agent, double turn) {
        Route route;
        route.status = PathStatus::complete;
        Leg leg;
        leg.start = {{3.5, 2.5, 0.0}, 0.0, 0};
        leg.kind = LegKind::turn;
        leg.turn_rad = turn;
        EXPECT_TRUE(route.legs.push_back(leg));
        route.end = {{3.5, 2.5, 0.0}, math::wrap_pi(turn), 0};
        return verify(route, grid, agent, {.check_revision = false}).kind;
    };
    const Agent box = pivoting(box_body(4.0, 1.0), 2.0);
    Agent car = box;
    car.can_pivot = false;
    EXPECT_EQ(judge(car, 0.3), ViolationKind::turn);
    EXPECT_EQ(judge(box, 0.3), ViolationKind::none);
    EXPECT_EQ(judge(box, -kHalfPi), ViolationKind::wall);
    EXPECT_EQ(judge(pivoting(box_body(2.4, 1.0), 2.0), kPi), ViolationKind::none);
}

// ---- routes ----

TEST(PivotSlow, RandomMapsUnitsAndPoses) {
    Rng rng(19);
    Scratch scratch;
    Route optimal;
    Route weighted;
    Route smooth;
    Route sliced;
    int complete = 0;
    int turning = 0;
    int unreachable = 0;
    for (int i = 0; i < trials(120); ++i) {
        const PoseMap tiles = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 24, 20);
        const Agent agent = random_pivoting(rng);
        const World world(tiles, agent, rng.below(4) == 0 ? 16 : 8);
        ASSERT_TRUE(world.map.has_value());
        for (int k = 0; k < 6; ++k) {
            DriveQuery query{.epsilon = rng.between(1.0, 2.5),
                             .pivot_penalty = rng.below(4) == 0 ? 0.05 : rng.between(0.1, 6.0)};
            const bool on_lattice = rng.below(2) == 0;
            if (!random_free_pose(rng, tiles, agent, on_lattice, query.start) ||
                !random_free_pose(rng, tiles, agent, on_lattice, query.goal))
                continue;
            SCOPED_TRACE(i * 10 + k);
            query.smooth = false;
            query.planner = DrivePlanner::lattice;
            ASSERT_TRUE(find_route_into(*world.map, query, scratch, optimal).has_value());
            query.planner = DrivePlanner::weighted;
            ASSERT_TRUE(find_route_into(*world.map, query, scratch, weighted).has_value());
            query.smooth = true;
            ASSERT_TRUE(find_route_into(*world.map, query, scratch, smooth).has_value());
            DriveSearch search(*world.map, query, scratch);
            while (search.step(1 + rng.below(40))) {
            }
            ASSERT_TRUE(search.take(sliced).has_value());
            ASSERT_EQ(sliced.stats, smooth.stats);
            ASSERT_EQ(sliced.cost, smooth.cost);
            ASSERT_EQ(optimal.status, weighted.status);
            unreachable += optimal.status == PathStatus::unreachable ? 1 : 0;
            if (optimal.status != PathStatus::complete) continue;
            ++complete;
            for (const Route* route : {&optimal, &weighted, &smooth}) {
                expect_legal(*route, world.grid, tiles, agent, query);
                if (HasFatalFailure()) return;
                ASSERT_NEAR(route->cost, cost_of_legs(*route, query), 1e-6 * (1.0 + route->cost));
            }
            ASSERT_LE(smooth.cost, weighted.cost * (1 + 1e-9));
            turning += turned(smooth) > 0.0 ? 1 : 0;
        }
    }
    EXPECT_GT(complete, trials(120) * 2);
    EXPECT_GT(turning, complete / 4);
    EXPECT_GT(unreachable, 0);
}

TEST(Pivot, OnOpenGroundItTurnsGoesAndTurns) {
    const PoseMap tiles = open_ground(40, 40);
    const Agent agent = pivoting(box_body(2.0, 1.0, 0.5), 4.0);
    const World world(tiles, agent);
    Scratch scratch;
    const DriveQuery query{.start = {{10.3, 10.7}, 0.4}, .goal = {{28.1, 25.2}, -1.1}, .pivot_penalty = 0.05};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    const Vec2 gap = query.goal.position - query.start.position;
    const double along = std::atan2(gap.y, gap.x);
    const double turns =
        std::fabs(std::remainder(along - 0.4, kTwoPi)) + std::fabs(std::remainder(-1.1 - along, kTwoPi));
    // No way is shorter than the line, and none turns by less; what arcs could save is less than the turns' cost.
    EXPECT_LE(route->cost, length(gap) + 0.05 * turns + 1e-9);
    EXPECT_GE(route->cost, length(gap));
    ASSERT_EQ(route->legs.size(), 3U);
    EXPECT_EQ(route->legs[0].kind, LegKind::turn);
    EXPECT_EQ(route->legs[1].kind, LegKind::drive);
    EXPECT_EQ(route->legs[2].kind, LegKind::turn);
}

// The shortest way for the disc's middle: past a wall's end at the disc's radius from its corner.
TEST(Pivot, WithCheapTurnsTheWayIsTheShortest) {
    PoseMap tiles = open_ground(30, 30);
    for (int y = 0; y < 20; ++y) tiles.tile[static_cast<std::size_t>(y * 30 + 15)] = 0;
    const Agent agent = pivoting({.radius = 0.45}, 3.0);
    const World world(tiles, agent);
    Scratch scratch;
    DriveQuery query{.start = {{8.5, 8.5}, -kHalfPi}, .goal = {{22.5, 8.5}, kHalfPi}, .pivot_penalty = 0.05};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    // Taut about two circles of radius 0.45 around (15, 20) and (16, 20).
    const double far = std::hypot(15.0 - 8.5, 20.0 - 8.5);
    const double straight = std::sqrt(far * far - 0.45 * 0.45);
    const double bend =
        kHalfPi - (std::atan2(20.0 - 8.5, 15.0 - 8.5) + std::asin(0.45 / far)) + kHalfPi - kHalfPi;
    const double least = 2.0 * straight + 1.0 + 2.0 * 0.45 * (kHalfPi - bend);
    EXPECT_GE(route->length, least - 1e-9);
    EXPECT_LE(route->length, least * 1.02);
    query.pivot_penalty = 8.0;
    const Result<Route> dear = find_route(*world.map, query, scratch);
    EXPECT_LT(turned(*dear), turned(*route));
    EXPECT_GT(dear->length, route->length);
}

// As dear as can be, a turn is made by no way that does without; on the lattice the costs are then the same.
TEST(PivotSlow, DearTurnsAreNotMade) {
    Rng rng(23);
    Scratch scratch;
    int compared = 0;
    for (int i = 0; i < trials(40); ++i) {
        const PoseMap tiles = random_drive_map(rng, MapStyle::blocks, 24, 20);
        Agent agent = random_pivoting(rng);
        const World with(tiles, agent);
        agent.can_pivot = false;
        const World without(tiles, agent);
        for (int k = 0; k < 4; ++k) {
            DriveQuery query{.pivot_penalty = 1000.0,
                             .planner = DrivePlanner::lattice,
                             .goal_curves = false,
                             .smooth = false};
            if (!random_free_pose(rng, tiles, agent, true, query.start) ||
                !random_free_pose(rng, tiles, agent, true, query.goal))
                continue;
            const Result<Route> plain = find_route(*without.map, query, scratch);
            const Result<Route> route = find_route(*with.map, query, scratch);
            if (plain->status != PathStatus::complete) continue;
            ++compared;
            ASSERT_EQ(route->status, PathStatus::complete);
            ASSERT_NEAR(route->cost, plain->cost, 1e-6 * plain->cost);
            ASSERT_EQ(turned(*route), 0.0);
            query.pivot_penalty = 1.0;
            ASSERT_LE(find_route(*with.map, query, scratch)->cost, plain->cost * (1 + 1e-6));
        }
    }
    EXPECT_GT(compared, trials(40));
}

TEST(Pivot, GetsOutOfADeadEnd) {
    const PoseMap tiles = drawn(
        {"##########", "#........#", "#........#", "#####.####", "#####.####", "#####.####", "##########"});
    Agent agent = pivoting({.radius = 0.45}, 2.0);
    const DriveQuery query{.start = {{5.5, 1.5}, -kHalfPi}, .goal = {{1.5, 5.5}, kPi}};
    Scratch scratch;
    const World world(tiles, agent);
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    EXPECT_EQ(route->legs[0].kind, LegKind::turn);
    EXPECT_NEAR(std::fabs(route->legs[0].turn_rad), kPi, 0.5);
    for (const Leg& leg : route->legs) EXPECT_GE(leg.clearance, 0.45 - 1e-6);
    agent.can_pivot = false;
    const World stuck(tiles, agent);
    EXPECT_EQ(find_route(*stuck.map, query, scratch)->status, PathStatus::unreachable);
}

TEST(Pivot, ABoxTurnsOnlyWhereThereIsRoom) {
    const PoseMap tiles =
        drawn({"####################", "########....########", "########....########", "#..................#",
               "########....########", "########....########", "####################"});
    const Agent box = pivoting(box_body(3.0, 0.9), 6.0);
    const DriveQuery query{.start = {{3.5, 3.5}, kPi}, .goal = {{3.5, 3.5}, 0.0}};
    Scratch scratch;
    {
        const World world(tiles, box);
        // Facing the dead end, without a reverse gear, it cannot even leave.
        EXPECT_EQ(find_route(*world.map, query, scratch)->status, PathStatus::unreachable);
    }
    const Agent backs = pivoting(box_body(3.0, 0.9), 6.0, true);
    const World world(tiles, backs);
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, backs, query);
    int turns = 0;
    for (const Leg& leg : route->legs) {
        if (leg.kind != LegKind::turn) continue;
        ++turns;
        EXPECT_GT(leg.start.position.x, 8.0);
        EXPECT_LT(leg.start.position.x, 12.0);
    }
    EXPECT_GT(turns, 0);
    EXPECT_GT(turned(*route), 2.5);  // the rest on arcs
}

// One sense of turning is blocked, the longer way round is free.
TEST(Pivot, TurnsTheLongWayRoundWhereTheShortIsBlocked) {
    const PoseMap tiles = drawn(
        {"..........", "..........", "......#...", "..........", "..........", "..........", ".........."});
    const Agent agent = pivoting(box_body(3.0, 0.8, 1.2), 30.0);
    const World world(tiles, agent);
    Scratch scratch;
    const DriveQuery query{.start = {{4.5, 3.5}, 0.0}, .goal = {{4.5, 3.5}, kHalfPi}};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    EXPECT_NEAR(turned(*route), kHalfPi * 3.0, 1e-9);
}

TEST(PivotSlow, TheFieldSaysWhatTheLatticePlannerDoes) {
    Rng rng(31);
    Scratch scratch;
    int compared = 0;
    int by_field_alone = 0;
    for (int i = 0; i < trials(12); ++i) {
        const PoseMap tiles = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 24, 20);
        const Agent agent = random_pivoting(rng);
        const World world(tiles, agent);
        DriveQuery query{
            .pivot_penalty = rng.between(0.05, 3.0), .planner = DrivePlanner::lattice, .smooth = false};
        if (!random_free_pose(rng, tiles, agent, true, query.goal)) continue;
        Result<PoseField> field = PoseField::make(*world.map, query);
        while (field->step(1000)) {
        }
        for (int k = 0; k < 8; ++k) {
            if (!random_free_pose(rng, tiles, agent, true, query.start)) continue;
            const Result<Route> route = find_route(*world.map, query, scratch);
            Route followed;
            ASSERT_TRUE(find_route_into(*field, query.start, scratch, followed, false).has_value());
            // The field begins at every pose near the goal; the planner proves more narrowly (find_drive.h).
            if (route->status != PathStatus::complete) {
                by_field_alone += followed.status == PathStatus::complete ? 1 : 0;
                continue;
            }
            ASSERT_EQ(followed.status, PathStatus::complete);
            ++compared;
            // A start's direct curve is the planner's alone.
            ASSERT_GE(followed.cost, route->cost * (1 - 1e-3));
            expect_legal(followed, world.grid, tiles, agent, query);
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(compared, trials(12) * 2);
    EXPECT_LE(by_field_alone * 10, compared);
}

// The gap's middle line lies between those of the lattice.
TEST(Pivot, OffTheLatticeToo) {
    Grid grid = *Grid::make({.width = 30, .height = 20});
    ASSERT_TRUE(grid.fill({{13, 0}, {17, 20}}, 0).has_value());
    ASSERT_TRUE(grid.fill({{13, 9}, {17, 11}}, 1).has_value());
    const Agent agent = pivoting({.radius = 0.97}, 6.0);
    const DriveQuery query{
        .start = {{4.5, 3.5}, kPi}, .goal = {{25.5, 15.5}, kPi}, .agent = agent, .off_lattice_max = 200'000};
    const GridDriveSetup centres{.nodes = DriveNodes::centres, .refine = false, .off_lattice_max = 0};
    Scratch scratch;
    const Result<Route> route = find_route(grid, query, scratch, centres);
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_STREQ(route->planner, "off_lattice");
    EXPECT_FALSE(verify(*route, grid, agent)) << verify(*route, grid, agent).text().c_str();
    EXPECT_GT(turned(*route), 0.0);
}

TEST(Pivot, TerrainDoesNotMakeTurnsDearer) {
    Grid grid = *Grid::make({.width = 30, .height = 20});
    ASSERT_TRUE(grid.fill({{0, 0}, {30, 20}}, 2).has_value());
    std::uint16_t costs[256] = {};
    for (std::size_t i = 1; i < 256; ++i) costs[i] = 3;
    const Agent agent = pivoting({.radius = 0.4}, 4.0);
    DriveQuery query{
        .start = {{10.5, 10.5}, 0.0}, .goal = {{10.5, 10.5}, kHalfPi}, .agent = agent, .pivot_penalty = 1.5};
    Scratch scratch;
    const GridDriveSetup setup{.map = {.terrain = {.costs = costs}}};
    const Result<Route> route = find_route(grid, query, scratch, setup);
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_NEAR(route->cost, 1.5 * kHalfPi, 1e-6);
    query.goal = {{20.5, 10.5}, 0.0};
    query.start.heading_rad = kPi;
    query.pivot_penalty = 0.2;
    for (const bool smooth : {false, true}) {
        query.smooth = smooth;
        EXPECT_NEAR(find_route(grid, query, scratch, setup)->cost, 30.0 + 0.2 * kPi, 1e-6);
    }
}

TEST(Pivot, WarmCallsAllocateNothing) {
    Rng rng(37);
    const PoseMap tiles = random_drive_map(rng, MapStyle::blocks, 24, 20);
    const Agent agent = pivoting(box_body(1.8, 0.9, 0.4), 2.0, true);
    const World world(tiles, agent);
    DriveQuery queries[6];
    for (DriveQuery& query : queries) {
        ASSERT_TRUE(random_free_pose(rng, tiles, agent, false, query.start));
        ASSERT_TRUE(random_free_pose(rng, tiles, agent, false, query.goal));
    }
    Scratch scratch;
    Route route;
    int turning = 0;
    const auto ask_all = [&]() {
        for (const DriveQuery& query : queries) {
            ASSERT_TRUE(find_route_into(*world.map, query, scratch, route).has_value());
            turning += turned(route) > 0.0 ? 1 : 0;
        }
    };
    ask_all();
    ask_all();
    const std::uint64_t before = heap_calls();
    ask_all();
    EXPECT_EQ(heap_calls(), before);
    EXPECT_GT(turning, 0);
}

TEST(Pivot, BadInput) {
    const PoseMap tiles = open_ground(20, 20);
    const World world(tiles, pivoting({.radius = 0.4}, 2.0));
    Scratch scratch;
    const auto refused = [&](double penalty) {
        const DriveQuery query{
            .start = {{5.5, 5.5}, 0.0}, .goal = {{9.5, 9.5}, 0.0}, .pivot_penalty = penalty};
        const Result<Route> route = find_route(*world.map, query, scratch);
        EXPECT_FALSE(route.has_value());
        EXPECT_EQ(route.error().index, 9);
        return route.error().code;
    };
    EXPECT_EQ(refused(0.0), ErrorCode::out_of_range);
    EXPECT_EQ(refused(-1.0), ErrorCode::out_of_range);
    EXPECT_EQ(refused(1001.0), ErrorCode::out_of_range);
    EXPECT_EQ(refused(std::numeric_limits<double>::quiet_NaN()), ErrorCode::not_finite);
    EXPECT_EQ(refused(std::numeric_limits<double>::infinity()), ErrorCode::not_finite);
}

}  // namespace
}  // namespace fairlead::testing
