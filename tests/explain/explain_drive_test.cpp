// Why turning units have no route: a scene for each reason, and random maps.

#include <gtest/gtest.h>

#include <cstring>

#include <fairlead/base/rng.h>
#include <fairlead/explain/explain.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "explain/why_not.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/grids.h"

namespace fairlead {
namespace {

using testing::MapStyle;
using testing::why_not;

PathStatus status_of(const GridState& grid, const DriveQuery& query, const GridDriveSetup& setup = {}) {
    Scratch scratch;
    const Result<Route> route = find_route(grid, query, scratch, setup);
    return route ? route->status : PathStatus::count_;
}

// What is tried and fails is said of the lattice.
PathStatus on_lattice(const GridState& grid, const DriveQuery& query) {
    return status_of(grid, query, {.off_lattice_max = 0});
}

Proof proof(const Explanation& why, HelpKind kind) { return why.help(kind).proof; }

Grid walled(std::int32_t width, std::int32_t height) {
    Result<Grid> grid = Grid::make({.width = width, .height = height});
    FAIRLEAD_ASSERT(grid.has_value());
    (void)grid->fill({{0, 0}, {width, height}}, 0);
    return std::move(*grid);
}

// An alley of `wide` tiles that goes east and bends north, square.
Grid bend(std::int32_t wide) {
    Grid grid = walled(26, 26);
    (void)grid.fill({{1, 1}, {24, 1 + wide}}, 1);
    (void)grid.fill({{24 - wide, 1}, {24, 25}}, 1);
    return grid;
}

DriveQuery round_the_bend(std::int32_t wide, double radius, double turning) {
    return {.start = {{3.0, 1 + wide * 0.5}, 0.0},
            .goal = {{24 - wide * 0.5, 23.0}, kHalfPi},
            .agent = {.radius = radius, .turning_radius = turning}};
}

TEST(ExplainDriveSlow, TheLargestCircleOfABend) {
    for (const std::int32_t wide : {2, 3, 4}) {
        if (wide > 2 && !testing::all_trials()) return;
        const Grid grid = bend(wide);
        DriveQuery query = round_the_bend(wide, 0.4, 12.0);
        const Explanation why = why_not(grid, query);
        ASSERT_EQ(why.reason, ExplainReason::turning) << wide;
        const Help& help = why.help(HelpKind::smaller_circle);
        ASSERT_EQ(help.proof, Proof::found) << why.text().c_str();
        EXPECT_LE(help.failed - help.value, std::max(0.05, 0.05 * help.value) * 1.0001);
        // Asked at every half of a tile.
        double largest = 0.0;
        for (double r = 0.5; r < 12.0; r += 0.5) {
            query.agent.turning_radius = r;
            if (status_of(grid, query) == PathStatus::complete) largest = r;
        }
        EXPECT_NEAR(help.value, largest + 0.25, 0.25 + 0.05 * largest) << wide;
        EXPECT_NE(std::strstr(why.text().c_str(), "turning radius <= "), nullptr) << why.text().c_str();
    }
}

TEST(ExplainDrive, AGapThatIsTooNarrow) {
    Grid grid = walled(40, 20);
    ASSERT_TRUE(grid.fill({{1, 1}, {39, 19}}, 1).has_value());
    ASSERT_TRUE(grid.fill({{19, 1}, {21, 19}}, 0).has_value());
    ASSERT_TRUE(grid.fill({{19, 9}, {21, 11}}, 1).has_value());
    DriveQuery query{
        .start = {{6, 10}, 0.0}, .goal = {{34, 10}, 0.0}, .agent = {.radius = 1.5, .turning_radius = 3}};
    Explanation why = why_not(grid, query);
    ASSERT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_NEAR(why.width, 2.0, 1e-9);
    EXPECT_NEAR(why.place.position.x, 20.0, 1.01);
    EXPECT_NEAR(why.place.position.y, 10.0, 1e-9);
    EXPECT_EQ(proof(why, HelpKind::smaller_body), Proof::found);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 1.0, 1e-9);
    EXPECT_LE(why.help(HelpKind::smaller_body).failed, 1.06);
    // A rectangle: 2.4 wide.
    query.agent = {.shape = BodyShape::box, .length = 4, .width = 2.4, .turning_radius = 3};
    why = why_not(grid, query);
    ASSERT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(proof(why, HelpKind::smaller_body), Proof::found);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 2.0 / 2.4, 0.03);
}

// A street that ends: the unit stands nose to the wall and is to leave the way that it came, facing as it does.
TEST(ExplainDrive, OnlyTheReverseGear) {
    Grid grid = walled(30, 9);
    ASSERT_TRUE(grid.fill({{1, 3}, {29, 6}}, 1).has_value());
    const DriveQuery query{.start = {{26.5, 4.5}, 0.0},
                           .goal = {{5.5, 4.5}, 0.0},
                           .agent = {.radius = 1.2, .turning_radius = 4}};
    const Explanation why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(proof(why, HelpKind::reverse_gear), Proof::found);
    EXPECT_EQ(proof(why, HelpKind::goal_heading), Proof::none);
    EXPECT_NE(std::strstr(why.text().c_str(), "the reverse gear"), nullptr) << why.text().c_str();
}

TEST(ExplainDrive, OnlyAnotherHeading) {
    Grid grid = walled(30, 9);
    ASSERT_TRUE(grid.fill({{1, 3}, {29, 6}}, 1).has_value());
    DriveQuery query{.start = {{5.5, 4.5}, 0.0},
                     .goal = {{24.5, 4.5}, kPi},
                     .agent = {.radius = 1.2, .turning_radius = 4}};
    Explanation why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::turning);
    ASSERT_EQ(proof(why, HelpKind::goal_heading), Proof::found);
    EXPECT_NEAR(math::wrap_pi(why.help(HelpKind::goal_heading).value), 0.0, 1e-9);
    EXPECT_EQ(proof(why, HelpKind::start_heading), Proof::none);
    query.goal.at.heading_rad = 0.0;
    query.start.heading_rad = kPi;
    why = why_not(grid, query);
    ASSERT_EQ(proof(why, HelpKind::start_heading), Proof::found);
    EXPECT_NEAR(math::wrap_pi(why.help(HelpKind::start_heading).value), 0.0, 1e-9);
}

TEST(ExplainDrive, SealedAndTerrain) {
    Grid grid = walled(30, 20);
    ASSERT_TRUE(grid.fill({{1, 1}, {29, 19}}, 1).has_value());
    ASSERT_TRUE(grid.fill({{14, 1}, {16, 19}}, 4).has_value());
    const DriveQuery query{.start = {{5.5, 9.5}, 0.0},
                           .goal = {{24.5, 9.5}, 0.0},
                           .agent = {.radius = 0.8, .turning_radius = 2}};
    Explanation why = why_not(grid, query, {}, {.map = {.terrain = {.closed = {4, 9}}}});
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_EQ(why.area, 13 * 18);
    ASSERT_EQ(proof(why, HelpKind::open_terrain), Proof::found);
    EXPECT_EQ(why.help(HelpKind::open_terrain).terrain[0], std::uint64_t{1} << 4);
    // Closed by a factor it is the same.
    const double factors[] = {1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    why = why_not(grid, query, {}, {.map = {.terrain = {.factors = factors}}});
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    ASSERT_EQ(proof(why, HelpKind::open_terrain), Proof::found);
    EXPECT_EQ(why.help(HelpKind::open_terrain).terrain[0], std::uint64_t{1} << 4);
    ASSERT_TRUE(grid.fill({{14, 1}, {16, 19}}, 0).has_value());
    why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_EQ(proof(why, HelpKind::open_terrain), Proof::not_asked);
}

TEST(ExplainDrive, BlockedEnds) {
    Grid grid = walled(30, 20);
    ASSERT_TRUE(grid.fill({{1, 1}, {29, 19}}, 1).has_value());
    const Agent car{.shape = BodyShape::box, .length = 4, .width = 2, .turning_radius = 2};
    DriveQuery query{.start = {{2.5, 9.5}, 0.0}, .goal = {{24.5, 9.5}, 0.0}, .agent = car};
    Explanation why = why_not(grid, query);
    ASSERT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_EQ(why.cell, (Cell{0, 9, 0}));
    ASSERT_EQ(proof(why, HelpKind::move_start), Proof::found);
    EXPECT_EQ(why.help(HelpKind::move_start).place.position, (Vec3{3.0, 9.5, 0.0}));
    ASSERT_EQ(proof(why, HelpKind::smaller_body), Proof::found);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 0.75, 1e-6);  // 1.5 of 2 ahead of the wall
    std::swap(query.start, query.goal.at);
    why = why_not(grid, query);
    EXPECT_EQ(proof(why, HelpKind::move_goal),
              Proof::none);  // its tail to the wall: nobody drives in there forward
    EXPECT_TRUE(why.help(HelpKind::move_goal).has_place);
    query.goal.at.heading_rad = kPi;
    why = why_not(grid, query);
    ASSERT_EQ(why.reason, ExplainReason::goal_blocked);
    EXPECT_EQ(why.cell, (Cell{0, 9, 0}));
    EXPECT_EQ(proof(why, HelpKind::move_goal), Proof::found);
    query.goal = {{-5, 3}, 0.0};
    EXPECT_EQ(why_not(grid, query).reason, ExplainReason::off_world);
}

TEST(ExplainDriveSlow, BudgetTrialsAndBadInput) {
    const Grid grid = bend(2);
    const DriveQuery query = round_the_bend(2, 0.4, 12.0);
    Explanation why = why_not(grid, query, {.expansions = 0});
    EXPECT_NE(why.reason, ExplainReason::none);
    for (const HelpKind kind : {HelpKind::smaller_circle, HelpKind::reverse_gear, HelpKind::smaller_body})
        EXPECT_NE(proof(why, kind), Proof::found);
    for (std::int32_t trials = 0; trials < 7; trials += 3) {
        why = why_not(grid, query, {.trials_max = trials});
        EXPECT_LE(why.trials, trials);
        EXPECT_EQ(why.reason, ExplainReason::turning);
    }
    why = why_not(grid, query, {.trials_max = 0});
    EXPECT_EQ(proof(why, HelpKind::smaller_circle), Proof::not_looked);
    EXPECT_NE(std::strstr(why.text().c_str(), "not all"), nullptr);
    Scratch scratch;
    EXPECT_EQ(explain(grid, query, scratch, {.accuracy = 2.0}).error().code, ErrorCode::out_of_range);
    DriveQuery bad = query;
    bad.goal.at.position.x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(explain(grid, bad, scratch).error().code, ErrorCode::not_finite);
    bad = query;
    bad.agent.turning_radius = 0;
    EXPECT_EQ(explain(grid, bad, scratch).error().code, ErrorCode::out_of_range);
}

TEST(ExplainDriveSlow, ThereIsARouteAndTheSameEveryTime) {
    const Grid grid = bend(3);
    EXPECT_EQ(why_not(grid, round_the_bend(3, 0.4, 1.0)).reason, ExplainReason::none);
    const Explanation a = why_not(grid, round_the_bend(3, 0.4, 12.0));
    const Explanation b = why_not(grid, round_the_bend(3, 0.4, 12.0));
    EXPECT_EQ(a.expanded, b.expanded);
    EXPECT_STREQ(a.text().c_str(), b.text().c_str());
}

// On random maps: with the value that is told there is a way, with the one that is told to fail there is none.
TEST(ExplainDriveSlow, RandomMaps) {
    Rng rng(77);
    int circles = 0, bodies = 0, reasons[static_cast<int>(ExplainReason::count_)] = {};
    int wider = 0, asked = 0;
    for (int i = 0; i < testing::trials(40); ++i) {
        const auto style = static_cast<MapStyle>(rng.below(static_cast<std::uint32_t>(MapStyle::count_)));
        const oracle::PoseMap map = testing::random_drive_map(rng, style, 26, 22);
        const Grid grid = testing::grid_of(map);
        DriveQuery query{.agent = {.radius = rng.between(0.2, 0.9), .turning_radius = rng.between(1.0, 8.0)}};
        if (rng.below(3) == 0) {
            query.agent.shape = BodyShape::box;
            query.agent.length = rng.between(1.0, 3.0);
            query.agent.width = rng.between(0.6, 1.6);
        }
        if (!testing::random_free_pose(rng, map, query.agent, true, query.start) ||
            !testing::random_free_pose(rng, map, query.agent, true, query.goal.at))
            continue;
        const Explanation why = why_not(grid, query);
        ++reasons[static_cast<int>(why.reason)];
        const PathStatus status = status_of(grid, query);
        EXPECT_EQ(why.status, status);
        EXPECT_EQ(why.reason == ExplainReason::none, status == PathStatus::complete);
        const Help& circle = why.help(HelpKind::smaller_circle);
        DriveQuery again = query;
        if (circle.proof == Proof::found) {
            ++circles;
            again.agent.turning_radius = circle.value;
            EXPECT_EQ(status_of(grid, again), PathStatus::complete) << i;
            again.agent.turning_radius = circle.failed;
            EXPECT_NE(on_lattice(grid, again), PathStatus::complete) << i;
            // Larger still: the lattice is not monotone, so this is counted, not demanded.
            again.agent.turning_radius = 0.5 * (circle.failed + query.agent.turning_radius);
            ++asked;
            if (status_of(grid, again) == PathStatus::complete) ++wider;
        }
        const Help& body = why.help(HelpKind::smaller_body);
        if (body.proof == Proof::found) {
            ++bodies;
            again = query;
            again.agent = body.agent;
            EXPECT_EQ(status_of(grid, again), PathStatus::complete) << i;
            EXPECT_GT(body.failed, body.value);
            if (query.agent.shape == BodyShape::disc) {
                again.agent.radius = body.failed;
                EXPECT_NE(on_lattice(grid, again), PathStatus::complete) << i;
            }
        }
    }
    std::printf("reasons:");
    for (int r = 0; r < static_cast<int>(ExplainReason::count_); ++r)
        std::printf(" %s %d", reason_name(static_cast<ExplainReason>(r)), reasons[r]);
    std::printf("; circles %d, bodies %d; a larger circle does as well: %d of %d\n", circles, bodies, wider,
                asked);
    if (!testing::all_trials()) return;
    EXPECT_GT(circles, 0);
    EXPECT_LE(wider * 4, asked);
}

// The stairs are looked at: what is too narrow is where one ends, on its floor.
TEST(ExplainDrive, StairsThatAreTooNarrow) {
    std::vector<std::uint8_t> tiles(20 * 10 * 2, 1);
    for (std::size_t y = 0; y < 10; ++y) tiles[y * 20 + 9] = 0;        // the ground floor, cut in two
    for (std::size_t y = 0; y < 10; ++y) tiles[200 + y * 20 + 5] = 0;  // upstairs a corridor of one tile
    for (std::size_t y = 0; y < 10; ++y) tiles[200 + y * 20 + 3] = 0;
    tiles[200 + 8 * 20 + 5] = 1;  // with a side door
    const Portal stairs[] = {{{4, 5, 0}, {4, 5, 1}, 2.0, true}, {{14, 5, 0}, {14, 5, 1}, 2.0, true}};
    const Result<Grid> grid = Grid::make({.width = 20, .height = 10, .layers = 2, .portals = stairs}, tiles);
    ASSERT_TRUE(grid.has_value());
    const DriveQuery query{.start = {{2.5, 5.5}, 0.0},
                           .goal = {{17.5, 5.5}, 0.0},
                           .agent = {.radius = 0.8, .turning_radius = 1.0}};
    const Explanation wide = why_not(*grid, query);
    EXPECT_EQ(wide.status, PathStatus::unreachable);
    EXPECT_EQ(wide.reason, ExplainReason::too_wide);
    EXPECT_EQ(wide.place.layer, 1);
    EXPECT_NEAR(wide.width, 1.0, 1e-6);
    // Without the stairs it is shut off, and so is the way on one floor alone.
    const Explanation alone = why_not(*grid, query, {}, {.map = {.layer = 0}});
    EXPECT_EQ(alone.reason, ExplainReason::sealed);
    // A start in a wall upstairs is told with its floor.
    DriveQuery blocked = query;
    blocked.start = Spot({5.5, 5.5}, 0.0).on_layer(1);
    const Explanation in_wall = why_not(*grid, blocked);
    EXPECT_EQ(in_wall.reason, ExplainReason::start_blocked);
    EXPECT_EQ(in_wall.place.layer, 1);
    EXPECT_EQ(in_wall.cell, (Cell{5, 5, 1}));
    EXPECT_TRUE(in_wall.help(HelpKind::move_start).has_place);
    EXPECT_EQ(in_wall.help(HelpKind::move_start).place.layer, 1);
    blocked.start = blocked.start.on_layer(7);
    EXPECT_EQ(why_not(*grid, blocked).reason, ExplainReason::off_world);
    EXPECT_EQ(why_not(*grid, blocked).place.layer, 7);
}

}  // namespace
}  // namespace fairlead
