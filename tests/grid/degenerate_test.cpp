// The table of degenerate input: each row has its documented status or error for every planner and smoothing.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kHuge = 1e300;
constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// Places of the fields in GridQuery.
enum Field : std::int64_t {
    kStart,
    kStartLayer,
    kGoal,
    kAgent,
    kPlanner,
    kSmoothing,
    kCorner,
    kNeighbours,
    kHeuristic,
    kEpsilon,
    kTurnPenalty,
    kWindowGrows,
    kCertify,
    kPartial,
    kTerrain,
    kBlockers,
    kInfluence,
};

// May this planner refuse the query by its documented rules? Then its row has nothing to say.
bool refuses(const Error& error) { return error.code == ErrorCode::unsupported && error.index == kPlanner; }

template <class Check>
void for_all_planners(const GridState& grid, GridQuery query, const Check& check) {
    int answered = 0;
    for (std::uint8_t p = 0; p < static_cast<std::uint8_t>(GridPlanner::count_); ++p) {
        for (std::uint8_t s = 0; s < 4; ++s) {
            query.planner = static_cast<GridPlanner>(p);
            query.smoothing = static_cast<Smoothing>(s);
            query.certify = s % 2 == 1;
            Scratch scratch;
            Route route;
            route.status = PathStatus::complete;
            route.cost = 5.0;
            const Result<void> done = find_route_into(grid, query, scratch, route);
            if (!done) {
                ASSERT_TRUE(route.legs.empty());
                EXPECT_EQ(route.cost, 0.0);  // cleared
                EXPECT_EQ(route.status, PathStatus::unreachable);
                if (refuses(done.error())) continue;
            }
            ++answered;
            check(query, done, route);
            if (::testing::Test::HasFailure()) {
                ADD_FAILURE() << planner_name(query.planner) << ", smoothing " << int{s};
                return;
            }
        }
    }
    EXPECT_GE(answered, 4 * 7);  // most planners take part in every row
}

void expect_status(const GridState& grid, const GridQuery& asked, PathStatus status) {
    for_all_planners(grid, asked, [&](const GridQuery& query, const Result<void>& done, const Route& route) {
        ASSERT_TRUE(done.has_value()) << error_name(done.error().code) << " " << done.error().index;
        EXPECT_EQ(route.status, status) << status_name(route.status);
        EXPECT_EQ(route.revision, grid.revision());
        if (status == PathStatus::complete || status == PathStatus::partial) {
            const Violation bad =
                verify(route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
            EXPECT_FALSE(bad) << bad.text().c_str();
        } else {
            EXPECT_TRUE(route.legs.empty());
            EXPECT_EQ(route.length, 0.0);
        }
    });
}

void expect_error(const GridState& grid, const GridQuery& asked, const Error& error) {
    for_all_planners(grid, asked, [&](const GridQuery&, const Result<void>& done, const Route&) {
        ASSERT_FALSE(done.has_value());
        EXPECT_EQ(done.error(), error)
            << error_name(done.error().code) << " " << done.error().index << " " << done.error().detail;
    });
}

Grid open_grid(std::int32_t width, std::int32_t height) {
    return *Grid::make({.width = width, .height = height});
}

GridQuery across(std::int32_t width, std::int32_t height) {
    return {.start = cell_centre(0, 0), .goal = cell_centre(width - 1, height - 1)};
}

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
        query.partial = true;  // the goal itself is blocked: nothing to come near to
        expect_status(grid, query, side == 1 ? PathStatus::complete : PathStatus::goal_blocked);
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

// ---- numbers -------------------------------------------------------------------------------------------------

TEST(GridDegenerate, NotFinite) {
    const Grid grid = open_grid(10, 10);
    const GridQuery good = across(10, 10);
    for (const double bad : {kNan, kInf, -kInf}) {
        const auto refuse = [&](auto change, const Error& error) {
            GridQuery query = good;
            change(query);
            expect_error(grid, query, error);
        };
        refuse([&](GridQuery& q) { q.start.x = bad; }, {ErrorCode::not_finite, kStart, 0});
        refuse([&](GridQuery& q) { q.start.y = bad; }, {ErrorCode::not_finite, kStart, 0});
        refuse([&](GridQuery& q) { q.goal = Vec2{bad, 1}; }, {ErrorCode::not_finite, kGoal, 0});
        refuse([&](GridQuery& q) { q.goal = Goal::within({1, bad}, 1); }, {ErrorCode::not_finite, kGoal, 0});
        refuse([&](GridQuery& q) { q.goal = Goal::adjacent({bad, bad}); }, {ErrorCode::not_finite, kGoal, 0});
        refuse([&](GridQuery& q) { q.agent.radius = bad; }, {ErrorCode::not_finite, kAgent, 0});
        refuse([&](GridQuery& q) { q.epsilon = bad; }, {ErrorCode::not_finite, kEpsilon, 0});
        refuse([&](GridQuery& q) { q.turn_penalty = bad; }, {ErrorCode::not_finite, kTurnPenalty, 0});
        const Vec2 points[] = {{1, 1}, {2, bad}};
        refuse([&](GridQuery& q) { q.goal = Goal::any_of(points); }, {ErrorCode::not_finite, kGoal, 1});
        const Blocker discs[] = {{.centre = {5, 5}, .radius = 1}, {.centre = {bad, 5}, .radius = 1}};
        refuse([&](GridQuery& q) { q.blockers = discs; }, {ErrorCode::not_finite, kBlockers, 1});
        const Blocker radii[] = {{.centre = {5, 5}, .radius = bad}};
        refuse([&](GridQuery& q) { q.blockers = radii; }, {ErrorCode::not_finite, kBlockers, 0});
    }
    GridQuery query = good;
    query.goal = Goal::within({5, 5}, kNan);
    expect_error(grid, query, {ErrorCode::not_finite, kGoal, 0});
    query.goal = Goal::within({5, 5}, kInf);
    expect_error(grid, query, {ErrorCode::not_finite, kGoal, 0});
    query.goal = Goal::in_sight({5, 5}, kNan);
    expect_error(grid, query, {ErrorCode::not_finite, kGoal, 0});
    query.goal = Goal::in_sight({5, 5}, kInf);  // allowed
    expect_status(grid, query, PathStatus::complete);
    const Blocker box[] = {{.box = {{1, 1}, {kInf, 2}}}};
    query = good;
    query.blockers = box;
    expect_error(grid, query, {ErrorCode::not_finite, kBlockers, 0});
    const Blocker no_box[] = {{.centre = {5, 5}, .radius = 1, .box = {{kNan, 1}, {2, 2}}}};
    query.blockers = no_box;
    expect_error(grid, query, {ErrorCode::not_finite, kBlockers, 0});
    // Inside out it is empty: the disc is meant.
    const Blocker inside_out[] = {{.centre = {5, 5}, .radius = 1, .box = {{3, 3}, {2, 2}}}};
    query.blockers = inside_out;
    expect_status(grid, query, PathStatus::complete);
}

TEST(GridDegenerate, OutOfRange) {
    const Grid grid = open_grid(10, 10);
    const auto refuse = [&](auto change, const Error& error) {
        GridQuery query = across(10, 10);
        change(query);
        expect_error(grid, query, error);
    };
    refuse([](GridQuery& q) { q.agent.radius = -1; }, {ErrorCode::out_of_range, kAgent, -1});
    refuse([](GridQuery& q) { q.agent.radius = -kTiny; }, {ErrorCode::out_of_range, kAgent, 0});
    refuse([](GridQuery& q) { q.agent.radius = -kMax; },
           {ErrorCode::out_of_range, kAgent, static_cast<std::int64_t>(-9e18)});
    refuse([](GridQuery& q) { q.agent.footprint = -1; }, {ErrorCode::out_of_range, kAgent, -1});
    refuse([](GridQuery& q) { q.agent.footprint = 65; }, {ErrorCode::out_of_range, kAgent, 65});
    refuse([](GridQuery& q) { q.epsilon = 0.99; }, {ErrorCode::out_of_range, kEpsilon, 0});
    refuse([](GridQuery& q) { q.epsilon = -3; }, {ErrorCode::out_of_range, kEpsilon, -3});
    refuse([](GridQuery& q) { q.epsilon = 101; }, {ErrorCode::out_of_range, kEpsilon, 101});
    refuse([](GridQuery& q) { q.turn_penalty = -2; }, {ErrorCode::out_of_range, kTurnPenalty, -2});
    refuse([](GridQuery& q) { q.turn_penalty = 2e6; }, {ErrorCode::out_of_range, kTurnPenalty, 2000000});
    refuse([](GridQuery& q) { q.goal = Goal::within({5, 5}, -1); }, {ErrorCode::out_of_range, kGoal, -1});
    refuse(
        [](GridQuery& q) {
            q.goal = Goal::in_sight({5, 5}, -kInf);
        },
        {ErrorCode::out_of_range, kGoal, static_cast<std::int64_t>(-9e18)});
    const Blocker negative[] = {{.centre = {5, 5}}, {.centre = {5, 5}, .radius = -1}};
    refuse([&](GridQuery& q) { q.blockers = negative; }, {ErrorCode::out_of_range, kBlockers, 1});
}

TEST(GridDegenerate, EnumeratorsThatAreNone) {
    const Grid grid = open_grid(10, 10);
    const auto refuse = [&](auto change, const Error& error) {
        GridQuery query = across(10, 10);
        change(query);
        Scratch scratch;
        const Result<Route> route = find_route(grid, query, scratch);
        ASSERT_FALSE(route.has_value());
        EXPECT_EQ(route.error(), error) << error_name(route.error().code) << " " << route.error().index;
    };
    refuse([](GridQuery& q) { q.planner = GridPlanner::count_; },
           {ErrorCode::out_of_range, kPlanner, static_cast<std::int64_t>(GridPlanner::count_)});
    refuse([](GridQuery& q) { q.planner = static_cast<GridPlanner>(255); },
           {ErrorCode::out_of_range, kPlanner, 255});
    refuse([](GridQuery& q) { q.smoothing = static_cast<Smoothing>(4); },
           {ErrorCode::out_of_range, kSmoothing, 4});
    refuse([](GridQuery& q) { q.corner = static_cast<CornerRule>(3); },
           {ErrorCode::out_of_range, kCorner, 3});
    refuse([](GridQuery& q) { q.neighbours = static_cast<Neighbourhood>(2); },
           {ErrorCode::out_of_range, kNeighbours, 2});
    refuse([](GridQuery& q) { q.heuristic = static_cast<GridHeuristic>(9); },
           {ErrorCode::out_of_range, kHeuristic, 9});
    refuse([](GridQuery& q) { q.goal.kind = static_cast<Goal::Kind>(5); },
           {ErrorCode::out_of_range, kGoal, 5});
    EXPECT_STREQ(planner_name(static_cast<GridPlanner>(200)), "unknown");
    EXPECT_STREQ(grid_rule_text(static_cast<GridRule>(-1)), "unknown rule");
}

TEST(GridDegenerate, HugeCoordinatesAndOffTheMap) {
    const Grid grid = open_grid(10, 10);
    for (const double far : {kHuge, -kHuge, kMax, -kMax, 1e18, -1e10, 10.0000001, -1e-9}) {
        expect_status(grid, {.start = {far, 5}, .goal = Vec2{5, 5}}, PathStatus::off_world);
        expect_status(grid, {.start = {5, far}, .goal = Vec2{5, 5}}, PathStatus::off_world);
        expect_status(grid, {.start = {5, 5}, .goal = Vec2{far, 5}}, PathStatus::off_world);
        expect_status(grid, {.start = {5, 5}, .goal = Vec2{5, far}}, PathStatus::off_world);
        expect_status(grid, {.start = {5, 5}, .goal = Goal::within({far, 5}, 3)}, PathStatus::off_world);
        expect_status(grid, {.start = {5, 5}, .goal = Goal::in_sight({5, far}, kInf)}, PathStatus::off_world);
        expect_status(grid, {.start = {5, 5}, .goal = Goal::adjacent({far, far})}, PathStatus::off_world);
        const Vec2 points[] = {{far, 5}, {5, far}};
        expect_status(grid, {.start = {5, 5}, .goal = Goal::any_of(points)}, PathStatus::off_world);
        const Vec2 mixed[] = {{far, 5}, {7, 7}};
        expect_status(grid, {.start = {5, 5}, .goal = Goal::any_of(mixed)}, PathStatus::complete);
    }
    // The map's own edge is on it.
    expect_status(grid, {.start = {0, 10}, .goal = Vec2{10, 0}}, PathStatus::complete);
}

TEST(GridDegenerate, MapsFarAwayTinyAndHuge) {
    for (const double cell : {1e-100, 1e-9, 1.0, 1e12, 1e100}) {
        for (const Vec2 origin : {Vec2{0, 0}, Vec2{-cell * 1e6, cell * 1e5}}) {
            Result<Grid> grid = Grid::make({.width = 8, .height = 8, .origin = origin, .cell_size = cell});
            ASSERT_TRUE(grid.has_value());
            const Vec2 from = grid->state().cell_centre({0, 0});
            const Vec2 to = grid->state().cell_centre({7, 5});
            for_all_planners(*grid, {.start = from, .goal = to},
                             [&](const GridQuery&, const Result<void>& done, const Route& route) {
                                 ASSERT_TRUE(done.has_value());
                                 EXPECT_EQ(route.status, PathStatus::complete) << cell << " " << origin.x;
                                 EXPECT_TRUE(std::isfinite(route.length) && route.length > 0.0);
                             });
        }
    }
    // So far away that all cells are one place: whatever the answer, it is one.
    const Grid lost = *Grid::make({.width = 8, .height = 8, .origin = {kMax, -kMax}});
    for (const Goal& goal : {Goal(Vec2{kMax, -kMax}), Goal::within({kMax, -kMax}, 1.0),
                             Goal::adjacent({kMax, -kMax}), Goal::in_sight({-kMax, kMax}, kInf)}) {
        for_all_planners(
            lost, {.start = {kMax, -kMax}, .goal = goal},
            [](const GridQuery&, const Result<void>& done, const Route&) { EXPECT_TRUE(done.has_value()); });
    }
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

// ---- layers, budget, weights ---------------------------------------------------------------------------------

TEST(GridDegenerate, BadLayers) {
    const Grid grid = *Grid::make({.width = 5, .height = 5, .layers = 2});
    for (const std::int32_t layer : {-1, 2, 64, INT32_MAX, INT32_MIN}) {
        GridQuery query = across(5, 5);
        query.start_layer = layer;
        expect_status(grid, query, PathStatus::off_world);
        for (Goal goal : {Goal(cell_centre(3, 3)), Goal::within({2, 2}, 1), Goal::adjacent({2, 2}),
                          Goal::in_sight({2, 2}, 1)}) {
            goal.layer = layer;
            query = across(5, 5);
            query.goal = goal;
            expect_status(grid, query, PathStatus::off_world);
        }
        const Vec2 points[] = {{1, 1}};
        query.goal = Goal::any_of(points);
        query.goal.layer = layer;
        expect_status(grid, query, PathStatus::off_world);
        // A blocker on a floor that is not there blocks nothing.
        const Blocker blockers[] = {{.centre = {2.5, 2.5}, .radius = 2, .layer = layer}};
        query = across(5, 5);
        query.blockers = blockers;
        expect_status(grid, query, PathStatus::complete);
    }
    GridQuery query = across(5, 5);
    query.goal.layer = 1;  // no stairs lead there
    expect_status(grid, query, PathStatus::unreachable);
}

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
    query.goal = Goal::any_of({});
    expect_error(grid, query, {ErrorCode::size_zero, kGoal, 0});
    const std::vector<Vec2> many(65537, Vec2{2.5, 2.5});
    query.goal = Goal::any_of(many);
    expect_error(grid, query, {ErrorCode::size_limit, kGoal, 65536});
    query.goal = Goal::any_of(std::span(many).first(65536));
    expect_status(grid, query, PathStatus::complete);
    // No cell has its centre in the region.
    query.goal = Goal::within({10, 10}, 0.0);
    expect_status(grid, query, PathStatus::unreachable);
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

// ---- tables and blockers -------------------------------------------------------------------------------------

TEST(GridDegenerate, TablesOfTheWrongSize) {
    const Grid grid = open_grid(10, 10);
    const std::vector<std::uint16_t> costs(300, 1);
    for (const std::size_t size : {std::size_t{1}, std::size_t{255}, std::size_t{257}, std::size_t{300}}) {
        GridQuery query = across(10, 10);
        query.terrain.costs = std::span(costs).first(size);
        expect_error(grid, query, {ErrorCode::size_mismatch, kTerrain, 256});
    }
    std::vector<std::uint16_t> dear(256, 1);
    dear[200] = 1024;
    GridQuery query = across(10, 10);
    query.terrain.costs = dear;
    expect_error(grid, query, {ErrorCode::out_of_range, kTerrain, 1024});
    dear[200] = 1023;
    dear[0] = 65535;  // ignored
    expect_status(grid, query, PathStatus::complete);
    const std::vector<std::uint16_t> closed(256, 0);
    query.terrain.costs = closed;
    expect_status(grid, query, PathStatus::start_blocked);

    const std::vector<std::uint8_t> threat(200, 255);
    for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{101}, std::size_t{200}}) {
        query = across(10, 10);
        query.influence.cells = std::span(threat).first(size);
        expect_error(grid, query, {ErrorCode::size_mismatch, kInfluence, 100});
    }
    query.influence.cells = std::span(threat).first(100);
    for (const std::int32_t weight : {-1, 1024, INT32_MAX, INT32_MIN}) {
        query.influence.weight = weight;
        expect_error(grid, query, {ErrorCode::out_of_range, kInfluence, weight});
    }
    for (const std::int32_t weight : {0, 1, 1023}) {
        query.influence.weight = weight;
        expect_status(grid, query, PathStatus::complete);
    }
}

TEST(GridDegenerate, Blockers) {
    const std::vector<Blocker> many(65537);
    for (const bool wraps : {false, true}) {
        GridOptions options{.width = 10, .height = 10};
        options.wrap_x = options.wrap_y = wraps;
        const Grid grid = *Grid::make(options);
        GridQuery query = across(10, 10);
        query.blockers = many;
        expect_error(grid, query, {ErrorCode::size_limit, kBlockers, 65536});
        // As large as numbers get, over all the map.
        for (const double size : {100.0, 1e9, 1e150}) {
            const Blocker disc[] = {{.centre = {5, 5}, .radius = size}};
            query.blockers = disc;
            expect_status(grid, query, PathStatus::start_blocked);
            const Blocker box[] = {{.box = {{-size, -size}, {size, size}}}};
            query.blockers = box;
            expect_status(grid, query, PathStatus::start_blocked);
        }
        for (const double size : {kHuge, kMax}) {  // past where squares are finite: an answer, whichever
            const Blocker disc[] = {{.centre = {5, 5}, .radius = size}};
            const Blocker far[] = {{.centre = {size, -size}, .radius = 1}};
            const Blocker box[] = {{.box = {{-size, -size}, {size, size}}}};
            for (const std::span<const Blocker> blockers :
                 {std::span<const Blocker>(disc), std::span<const Blocker>(far),
                  std::span<const Blocker>(box)}) {
                query.blockers = blockers;
                for_all_planners(grid, query, [](const GridQuery&, const Result<void>& done, const Route&) {
                    EXPECT_TRUE(done.has_value());
                });
            }
        }
        // Of no size at all: a post between the cells is in nobody's way.
        const Blocker post[] = {{.centre = {5.3, 5.1}}};
        query.blockers = post;
        expect_status(grid, query, PathStatus::complete);
    }
}

}  // namespace
}  // namespace fairlead::testing
