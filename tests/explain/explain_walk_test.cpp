// Why walkers have no route: a scene for each reason, and random maps against queries asked one by one.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <fairlead/base/rng.h>
#include <fairlead/explain/explain.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead {
namespace {

using testing::grid_of;

Explanation why_not(const GridState& grid, const GridQuery& query, const ExplainOptions& options = {}) {
    Scratch scratch;
    Result<Explanation> why = explain(grid, query, scratch, options);
    FAIRLEAD_ASSERT(why.has_value());
    for (std::size_t i = 0; i < std::size(why->helps); ++i) {
        const Help& help = why->helps[i];
        if (help.proof != Proof::found) continue;
        EXPECT_EQ(help.route.status, PathStatus::complete) << i;
        VerifyOptions rules{.terrain = query.terrain, .blockers = query.blockers};
        if (i == static_cast<std::size_t>(HelpKind::open_terrain)) rules.terrain = {};
        if (i == static_cast<std::size_t>(HelpKind::no_blockers)) rules.blockers = {};
        const Violation bad = verify(help.route, grid, help.agent, rules);
        EXPECT_FALSE(bad) << i << ": " << bad.text().c_str();
    }
    return std::move(*why);
}

PathStatus status_of(const GridState& grid, const GridQuery& query) {
    Scratch scratch;
    const Result<Route> route = find_route(grid, query, scratch);
    return route ? route->status : PathStatus::count_;
}

// Two rooms, a wall of one column between them at x = 10, a door of `wide` tiles from y = 4 on.
Grid two_rooms(std::int32_t wide, double cell_size = 1.0) {
    Result<Grid> grid = Grid::make({.width = 21, .height = 15, .origin = {-2, 3}, .cell_size = cell_size});
    FAIRLEAD_ASSERT(grid.has_value());
    (void)grid->fill({{10, 0}, {11, 15}}, 0);
    if (wide > 0) (void)grid->fill({{10, 4}, {11, 4 + wide}}, 1);
    return std::move(*grid);
}

GridQuery across(const GridState& grid, double radius) {
    return {.start = grid.cell_centre({4, 7, 0}),
            .goal = grid.cell_centre({16, 7, 0}),
            .agent = {.radius = radius}};
}

TEST(ExplainWalk, ThereIsARoute) {
    const Grid grid = two_rooms(3);
    const Explanation why = why_not(grid, across(grid, 0.4));
    EXPECT_EQ(why.reason, ExplainReason::none);
    EXPECT_STREQ(why.text().c_str(), "there is a route");
}

TEST(ExplainWalk, TheLargestDiscOfADoorIsExact) {
    for (const double cell : {1.0, 0.5, 3.0}) {
        for (const std::int32_t wide : {1, 2, 3, 4, 5}) {
            const Grid grid = two_rooms(wide, cell);
            const GridQuery query = across(grid, 3.4 * cell);
            const Explanation why = why_not(grid, query);
            ASSERT_EQ(why.reason, ExplainReason::too_wide) << wide;
            const Help& help = why.help(HelpKind::smaller_body);
            ASSERT_EQ(help.proof, Proof::found);
            const double known = wide * 0.5 * cell;
            EXPECT_NEAR(help.value, known, 1e-9) << wide;
            EXPECT_NEAR(help.failed, known, 2e-8 * cell);
            EXPECT_NEAR(why.width, 2 * known, 1e-9);
            ASSERT_TRUE(why.has_place);
            EXPECT_NEAR(why.place.position.x, -2 + 10.5 * cell, 1.01 * cell);
            GridQuery again = query;
            again.agent.radius = help.failed;
            EXPECT_EQ(status_of(grid, again), PathStatus::unreachable);
        }
    }
}

TEST(ExplainWalk, TheTextNamesPlaceAndRadius) {
    const Grid grid = two_rooms(3);
    const Explanation why = why_not(grid, across(grid, 2.0));
    EXPECT_STREQ(why.text().c_str(), "blocked at (8.5, 8.5): would need radius <= 1.5");
}

TEST(ExplainWalk, Footprints) {
    const Grid grid = two_rooms(3);
    GridQuery query = across(grid, 0.0);
    query.agent = {.footprint = 5};
    const Explanation why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::smaller_body).value, 3.0);
    EXPECT_EQ(why.help(HelpKind::smaller_body).failed, 4.0);
}

TEST(ExplainWalk, ASealedRoomAndItsArea) {
    Result<Grid> grid = Grid::make({.width = 30, .height = 30});
    ASSERT_TRUE(grid.has_value());
    ASSERT_TRUE(grid->fill({{10, 10}, {17, 17}}, 0).has_value());
    ASSERT_TRUE(grid->fill({{11, 11}, {16, 16}}, 1).has_value());
    GridQuery query{.start = cell_centre(2, 2), .goal = cell_centre(13, 13), .agent = {.radius = 0.4}};
    Explanation why = why_not(*grid, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.area, 25);
    EXPECT_LT(why.expanded, 60u);  // it costs what the small side costs
    EXPECT_STREQ(why.text().c_str(), "no ground joins the two: the goal is closed in, on 25 tiles");
    query.goal = query.start;
    query.start = cell_centre(13, 13);
    why = why_not(*grid, query);
    EXPECT_FALSE(why.goal_side);
    EXPECT_EQ(why.area, 25);
}

TEST(ExplainWalk, BlockedEnds) {
    const Grid grid = two_rooms(3);
    GridQuery query = across(grid, 0.4);
    query.start = grid.state().cell_centre({9, 8, 0});
    query.agent.radius = 1.0;
    Explanation why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_EQ(why.cell, (Cell{10, 8, 0}));
    EXPECT_NEAR(why.width, 1.0, 1e-9);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::found);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 0.5, 1e-9);
    ASSERT_EQ(why.help(HelpKind::move_start).proof, Proof::found);
    const Vec2 moved{why.help(HelpKind::move_start).place.position.x,
                     why.help(HelpKind::move_start).place.position.y};
    EXPECT_EQ(moved, grid.state().cell_centre({8, 8, 0}));
    query = across(grid, 0.4);
    query.goal = grid.state().cell_centre({10, 0, 0});  // in the wall
    why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::goal_blocked);
    EXPECT_EQ(why.cell, (Cell{10, 0, 0}));
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::none);
    EXPECT_EQ(why.help(HelpKind::move_goal).proof, Proof::found);
    query.goal = Vec2{100, 100};
    why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_EQ(why.place.position.x, 100.0);
}

// Three strips: the middle one is of terrain 2 and 3; 3 alone is enough to get across.
TEST(ExplainWalk, TerrainThatWouldOpenTheWay) {
    const Grid grid = grid_of({"...2...", "...2...", "...3...", "...2..."});
    const double factors[] = {1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0};
    for (const KindFilter& terrain : {KindFilter{.closed = {2, 3, 7}}, KindFilter{.factors = factors}}) {
        const GridQuery query{.start = cell_centre(0, 0),
                              .goal = cell_centre(6, 0),
                              .agent = {.radius = 0.3},
                              .terrain = terrain};
        const Explanation why = why_not(grid, query);
        EXPECT_EQ(why.reason, ExplainReason::sealed);
        const Help& help = why.help(HelpKind::open_terrain);
        ASSERT_EQ(help.proof, Proof::found);
        EXPECT_EQ(help.terrain[0], std::uint64_t{1} << 3);  // 2 is closed again first, and can be spared
        EXPECT_NE(std::strstr(why.text().c_str(), "terrain 3 open"), nullptr) << why.text().c_str();
    }
}

TEST(ExplainWalk, TheBlockerInTheWay) {
    const Grid grid = two_rooms(3);
    const Vec2 door = grid.state().cell_centre({10, 5, 0});
    const Blocker blockers[] = {{.centre = {3, 4}, .radius = 0.5}, {.centre = door, .radius = 1.2}};
    GridQuery query = across(grid, 0.45);
    query.blockers = blockers;
    const Explanation why = why_not(grid, query);
    EXPECT_EQ(why.help(HelpKind::no_blockers).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::no_blockers).value, 1.0);
}

TEST(ExplainWalk, WindowAndBudget) {
    const Grid grid = grid_of({std::string(200, '.'), std::string(200, '.')});
    GridQuery query{.start = cell_centre(0, 0), .goal = cell_centre(199, 0)};
    query.planner = GridPlanner::fixed_window;
    query.window_grows = false;
    EXPECT_EQ(why_not(grid, query).reason, ExplainReason::window);
    const Grid rooms = two_rooms(3);
    Explanation why = why_not(rooms, across(rooms, 2.0), {.expansions = 0});
    EXPECT_EQ(why.reason, ExplainReason::budget_spent);
    EXPECT_EQ(why.expanded, 0u);
    why = why_not(rooms, across(rooms, 2.0), {.trials_max = 0});
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::not_looked);
    EXPECT_EQ(why.trials, 0);
    EXPECT_NE(std::strstr(why.text().c_str(), "not all"), nullptr);
    // Any budget: the bound is kept, and what is found is true.
    for (std::uint64_t budget = 0; budget < 700; budget += 13) {
        why = why_not(rooms, across(rooms, 2.0), {.expansions = budget});
        EXPECT_LE(why.expanded, budget);
        if (why.help(HelpKind::smaller_body).proof == Proof::found) {
            EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 1.5, 1e-9);
        }
    }
}

TEST(ExplainWalk, BadInput) {
    const Grid grid = two_rooms(3);
    Scratch scratch;
    const auto code = [&](const GridQuery& query, const ExplainOptions& options) {
        const Result<Explanation> why = explain(grid, query, scratch, options);
        return why ? ErrorCode::count_ : why.error().code;
    };
    GridQuery query = across(grid, 0.4);
    EXPECT_EQ(code(query, {.accuracy = 0.0}), ErrorCode::out_of_range);
    EXPECT_EQ(code(query, {.accuracy = std::numeric_limits<double>::quiet_NaN()}), ErrorCode::not_finite);
    EXPECT_EQ(code(query, {.trials_max = -5}), ErrorCode::count_);
    query.agent.radius = -1;
    EXPECT_EQ(code(query, {}), ErrorCode::out_of_range);
    query.agent.radius = 1e9;
    EXPECT_EQ(code(query, {}), ErrorCode::count_);
    query.start.position.x = std::numeric_limits<double>::infinity();
    EXPECT_EQ(code(query, {}), ErrorCode::not_finite);
}

TEST(ExplainWalk, FloorsAndStairs) {
    const Portal stairs[] = {{.from = {1, 1, 0}, .to = {1, 1, 1}}};
    const Grid grid = grid_of({"......", "......", "......",  //
                               "###...", "#.#...", "###..."},
                              {.layers = 2, .portals = stairs});
    GridQuery query{.start = cell_centre(4, 1), .goal = cell_centre(4, 1), .agent = {.radius = 0.4}};
    query.goal = query.goal.on_layer(1);
    const Explanation why = why_not(grid, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.area, 9);
}

// The middle of a tile where the body stands, if one of 60 is that.
Vec2 standing_place(Rng& rng, const GridState& grid, const Agent& agent) {
    Cell cell{};
    for (int i = 0; i < 60 && (i == 0 || !grid.can_stand(cell, agent)); ++i) {
        cell.x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(grid.width())));
        cell.y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(grid.height())));
    }
    return grid.cell_centre(cell);
}

// The claims on random maps, asked one by one.
TEST(ExplainWalk, RandomMaps) {
    Rng rng(20261121);
    int wide = 0, closed = 0;
    for (int i = 0; i < testing::trials(1500); ++i) {
        const auto width = static_cast<std::int32_t>(rng.between(8, 30));
        const auto height = static_cast<std::int32_t>(rng.between(8, 30));
        const auto tiles =
            testing::random_tiles(rng, static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                  static_cast<std::uint32_t>(rng.between(2, 40)));
        const CornerRule corner = static_cast<CornerRule>(rng.below(3));
        Result<Grid> grid = Grid::make(
            {.width = width, .height = height, .wrap_x = rng.below(4) == 0, .corner = corner}, tiles);
        ASSERT_TRUE(grid.has_value());
        const Agent agent{.radius = rng.between(0.2, 3.5)};
        GridQuery query{.start = standing_place(rng, *grid, agent),
                        .goal = standing_place(rng, *grid, agent),
                        .agent = agent,
                        .corner = corner};
        if (rng.below(3) == 0)
            query.start = query.start.ground() + Vec2{rng.between(-0.4, 0.4), rng.between(-0.4, 0.4)};
        const Explanation why = why_not(*grid, query);
        ASSERT_EQ(why.status, status_of(*grid, query));
        GridQuery point = query;
        point.agent = {};
        if (why.reason == ExplainReason::sealed) {
            ++closed;
            EXPECT_EQ(status_of(*grid, point), PathStatus::unreachable);
        }
        const Help& help = why.help(HelpKind::smaller_body);
        if (why.reason != ExplainReason::too_wide) continue;
        ++wide;
        EXPECT_EQ(status_of(*grid, point), PathStatus::complete);
        ASSERT_EQ(help.proof, Proof::found);
        GridQuery again = query;
        for (const double radius : {help.value, std::max(0.0, help.value - 1e-6)}) {
            again.agent.radius = radius;
            EXPECT_EQ(status_of(*grid, again), PathStatus::complete) << i << " " << radius;
        }
        EXPECT_LE(help.failed - help.value, 1e-6) << i;
        for (const double radius :
             {help.failed + 1e-9, help.value + 1e-6, 0.5 * (help.failed + query.agent.radius)}) {
            if (radius > query.agent.radius) continue;
            again.agent.radius = radius;
            EXPECT_NE(status_of(*grid, again), PathStatus::complete) << i << " " << radius;
        }
    }
    EXPECT_GT(wide, testing::trials(1500) / 20);
    EXPECT_GT(closed, testing::trials(1500) / 500);
}

TEST(ExplainWalk, TheSameEveryTime) {
    const Grid grid = two_rooms(2);
    Scratch scratch;
    const GridQuery query = across(grid, 1.2);
    const Result<Explanation> a = explain(grid, query, scratch);
    const Result<Explanation> b = explain(grid, query, scratch);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->expanded, b->expanded);
    EXPECT_EQ(a->place, b->place);
    EXPECT_STREQ(a->text().c_str(), b->text().c_str());
    EXPECT_EQ(a->help(HelpKind::smaller_body).route.stats.digest,
              b->help(HelpKind::smaller_body).route.stats.digest);
}

}  // namespace
}  // namespace fairlead
