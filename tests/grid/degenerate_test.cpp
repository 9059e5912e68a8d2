// The table of degenerate input: each row has its documented status for every planner and smoothing.

#include "grid/degenerate.h"

namespace fairlead::testing {
namespace {

// ---- small and closed maps -----------------------------------------------------------------------------------

TEST(GridDegenerate, OneCell) {
    const Grid one = open_grid(1, 1);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Vec2{0.5, 0.5}}, PathStatus::complete);
    expect_status(one, {.start = {0.1, 0.9}, .goal = Vec2{0.8, 0.2}}, PathStatus::complete);
    expect_status(one, {.start = {0.0, 0.0}, .goal = Vec2{1.0, 1.0}}, PathStatus::complete);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Vec2{1.5, 0.5}}, PathStatus::off_world);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Vec2{0.5, 0.5}, .agent = {.radius = 0.5}},
                  PathStatus::complete);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Vec2{0.5, 0.5}, .agent = {.radius = 0.51}},
                  PathStatus::start_blocked);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Vec2{0.5, 0.5}, .agent = {.footprint = 1}},
                  PathStatus::complete);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Vec2{0.5, 0.5}, .agent = {.footprint = 2}},
                  PathStatus::start_blocked);
    expect_status(one, {.start = {0.5, 0.5}, .goal = Goal::adjacent({0.5, 0.5})}, PathStatus::goal_blocked);
}

TEST(GridDegenerate, AllBlocked) {
    for (const std::int32_t side : {1, 5, 70}) {
        Grid grid = open_grid(side, side);
        ASSERT_TRUE(grid.fill({{0, 0}, {side, side}}, 0));
        expect_status(grid, across(side, side), PathStatus::start_blocked);
        GridQuery query = across(side, side);
        query.agent.radius = 100;
        query.partial = true;
        expect_status(grid, query, PathStatus::start_blocked);
        ASSERT_TRUE(grid.set(Cell{0, 0}, 1));
        query = across(side, side);
        expect_status(grid, query, side == 1 ? PathStatus::complete : PathStatus::goal_blocked);
        query.partial = true;  // nowhere is nearer than the start
        expect_status(grid, query, side == 1 ? PathStatus::complete : PathStatus::partial);
    }
}

// FAULT-6: jump points know one layer; where the grid's corner rule is not the query's they took it for the goal's.
TEST(GridDegenerate, NoPlaceOnAFloorWithoutStairsIsNear) {
    for (const CornerRule built : {CornerRule::never, CornerRule::one_free, CornerRule::always}) {
        const Grid grid = *Grid::make({.width = 4, .height = 19, .layers = 2, .corner = built});
        for (const CornerRule asked : {CornerRule::never, CornerRule::one_free, CornerRule::always}) {
            for (const bool partial : {false, true}) {
                GridQuery query{.start = {0.5, 18.5}, .goal = Goal(Vec2{1.5, 7.5}), .corner = asked};
                query.goal = query.goal.on_layer(1);
                query.partial = partial;
                for_all_planners(grid, query,
                                 [](const GridQuery&, const Result<void>& done, const Route& route) {
                                     if (!done) return;
                                     EXPECT_EQ(route.status, PathStatus::unreachable) << route.planner;
                                     EXPECT_TRUE(route.legs.empty()) << route.planner;
                                 });
            }
        }
    }
}

TEST(GridDegenerate, OneRowAndOneColumn) {
    expect_status(open_grid(300, 1), across(300, 1), PathStatus::complete);
    expect_status(open_grid(1, 300), across(1, 300), PathStatus::complete);
    Grid row = open_grid(300, 1);
    ASSERT_TRUE(row.set(Cell{150, 0}, 0));
    expect_status(row, across(300, 1), PathStatus::unreachable);
}

TEST(GridDegenerate, StartIsGoal) {
    const Grid grid = open_grid(20, 20);
    for (const Vec2 at : {Vec2{3.5, 3.5}, Vec2{3.2, 3.9}, Vec2{0, 0}, Vec2{20, 20}}) {
        for_all_planners(grid, {.start = at, .goal = at},
                         [](const GridQuery&, const Result<void>& done, const Route& route) {
                             ASSERT_TRUE(done.has_value());
                             EXPECT_EQ(route.status, PathStatus::complete);
                             EXPECT_EQ(route.length, 0.0);
                         });
    }
    // At a cell's own point the route has no legs at all.
    for_all_planners(grid, {.start = {3.5, 3.5}, .goal = Vec2{3.5, 3.5}},
                     [](const GridQuery&, const Result<void>&, const Route& route) {
                         EXPECT_TRUE(route.legs.empty());
                         EXPECT_EQ(route.end.position, (Vec3{3.5, 3.5, 0.0}));
                         EXPECT_EQ(route.cost, 0.0);
                     });
    // Very short ones.
    expect_status(grid, {.start = {3.5, 3.5}, .goal = Vec2{3.5 + 1e-12, 3.5}}, PathStatus::complete);
    expect_status(grid, {.start = {3.5, 3.5}, .goal = Vec2{std::nextafter(3.5, 4.0), 3.5}},
                  PathStatus::complete);
    expect_status(grid, {.start = {4.0 - 1e-13, 3.5}, .goal = Vec2{4.0 + 1e-13, 3.5}}, PathStatus::complete);
}

// ---- bodies --------------------------------------------------------------------------------------------------

TEST(GridDegenerate, BodiesLargerThanTheMap) {
    for (const std::int32_t side : {1, 10, 70}) {
        const Grid grid = open_grid(side, side);
        for (const double radius : {side * 0.5 + 0.01, side * 1.0, 5000.0, 1e9, kHuge, kMax}) {
            GridQuery query = across(side, side);
            query.agent.radius = radius;
            expect_status(grid, query, PathStatus::start_blocked);
            query.start = Vec2{side * 0.5, side * 0.5};
            query.partial = true;
            expect_status(grid, query, PathStatus::start_blocked);
            EXPECT_FALSE(grid.state().can_stand({side / 2, side / 2}, query.agent));
        }
        for (const std::int32_t footprint : {side + 1, 64}) {
            if (footprint > 64 || footprint <= side) continue;
            GridQuery query = across(side, side);
            query.agent.footprint = footprint;
            query.agent.radius = 1e9;  // ignored
            expect_status(grid, query, PathStatus::start_blocked);
        }
    }
}

TEST(GridDegenerate, LargeBodiesAsRegisteredSizes) {
    const Agent sizes[] = {{.radius = 40}, {.radius = 4096}, {.radius = kHuge}, {.footprint = 64}};
    Result<Grid> grid = Grid::make({.width = 20, .height = 20, .sizes = sizes});
    ASSERT_TRUE(grid.has_value());
    for (const Agent& agent : sizes) {
        GridQuery query = across(20, 20);
        query.agent = agent;
        expect_status(*grid, query, PathStatus::start_blocked);
        EXPECT_FALSE(grid->state().can_stand({10, 10}, agent));
    }
    ASSERT_TRUE(grid->fill({{3, 3}, {9, 9}}, 0));
    ASSERT_TRUE(grid->fill({{0, 0}, {20, 20}}, 1));
}

// On a map that wraps both ways there is no edge; only walls keep a body from standing.
TEST(GridDegenerate, BodiesLargerThanATorus) {
    GridOptions options{.width = 6, .height = 5};
    options.wrap_x = options.wrap_y = true;
    Grid grid = *Grid::make(options);
    for (const double radius : {3.0, 50.0, 4096.0}) {
        GridQuery query = across(6, 5);
        query.agent.radius = radius;
        expect_status(grid, query, PathStatus::complete);
    }
    for (const double radius : {4097.0, 1e9, kHuge}) {  // past every size that is handled: fits nowhere
        GridQuery query = across(6, 5);
        query.agent.radius = radius;
        expect_status(grid, query, PathStatus::start_blocked);
        query.start = {0.3, 0.4};
        expect_status(grid, query, PathStatus::start_blocked);
    }
    ASSERT_TRUE(grid.set(Cell{3, 3}, 0));
    for (const double radius : {4.0, 50.0, 4096.0, 1e9}) {
        GridQuery query = across(6, 5);
        query.agent.radius = radius;
        expect_status(grid, query, PathStatus::start_blocked);
    }
}

// ---- budget and weights --------------------------------------------------------------------------------------

TEST(GridDegenerate, BudgetOfNothing) {
    const Grid grid = open_grid(10, 10);
    GridQuery query = across(10, 10);
    query.expansions_max = 0;
    expect_status(grid, query, PathStatus::budget_spent);
    Grid sealed = open_grid(10, 10);
    ASSERT_TRUE(sealed.fill({{5, 0}, {6, 10}}, 0));
    expect_status(sealed, query, PathStatus::unreachable);  // known without a search
    query.start = {-1, 0};
    expect_status(grid, query, PathStatus::off_world);
}

TEST(GridDegenerate, WeightsAtTheirLimits) {
    const Grid grid = open_grid(30, 30);
    for (const double epsilon : {1.0, 100.0}) {
        for (const double penalty : {0.0, 1e6}) {
            GridQuery query = across(30, 30);
            query.epsilon = epsilon;
            query.turn_penalty = penalty;
            expect_status(grid, query, PathStatus::complete);
        }
    }
}

// ---- goals ---------------------------------------------------------------------------------------------------

TEST(GridDegenerate, GoalRegions) {
    Grid grid = open_grid(20, 20);
    GridQuery query{.start = cell_centre(1, 1)};
    const std::vector<Vec2> none;
    query.goal = Goal::any_of(none);
    expect_error(grid, query, {ErrorCode::size_zero, Field::goal_list});
    const std::vector<Vec2> many(65537, Vec2{2.5, 2.5});
    query.goal = Goal::any_of(many);
    expect_error(grid, query, {ErrorCode::size_limit, Field::goal_list, 65536});
    query.goal = Goal::any_of(std::span(many).first(65536));
    expect_status(grid, query, PathStatus::complete);
    // No cell has its centre in the region.
    query.goal = Goal::within({10, 10}, 0.0);
    expect_status(grid, query, PathStatus::complete);
    query.goal = Goal::within({10.5, 10.5}, 0.0);
    expect_status(grid, query, PathStatus::complete);
    query.goal = Goal::within({10, 10}, kMax);
    expect_status(grid, query, PathStatus::complete);
    query.goal = Goal::in_sight({10.5, 10.5}, 0.0);
    expect_status(grid, query, PathStatus::complete);
    // A chest walled in on all sides; nothing next to it is free, nothing sees it.
    ASSERT_TRUE(grid.fill({{9, 9}, {12, 12}}, 0));
    query.goal = Goal::adjacent({10.5, 10.5});
    expect_status(grid, query, PathStatus::goal_blocked);
    query.goal = Goal::in_sight({10.5, 10.5}, kInf);
    expect_status(grid, query, PathStatus::unreachable);
    const Vec2 walls[] = {{10.5, 10.5}, {9.5, 9.5}};
    query.goal = Goal::any_of(walls);
    expect_status(grid, query, PathStatus::goal_blocked);
}

// 65536 goals in the worst order: still no more than an instant of work.
TEST(GridDegenerate, ManyGoalsInFallingOrder) {
    const Grid grid = open_grid(256, 256);
    std::vector<Vec2> points;
    for (std::int32_t i = 65535; i >= 0; --i) points.push_back(cell_centre(i % 256, i / 256));
    GridQuery query{.start = cell_centre(3, 3), .goal = Goal::any_of(points)};
    query.planner = GridPlanner::bucket_astar;
    Scratch scratch;
    const Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route.has_value());
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_EQ(route->length, 0.0);
}

}  // namespace
}  // namespace fairlead::testing
