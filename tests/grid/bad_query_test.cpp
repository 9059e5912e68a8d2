// Numbers, tables and blockers that a query may not hold: each has its documented error for every planner and smoothing, and those
// at the limit have their status.

#include "grid/degenerate.h"

namespace fairlead::testing {
namespace {

// ---- numbers -------------------------------------------------------------------------------------------------

TEST(GridBadQuery, NotFinite) {
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
        refuse([&](GridQuery& q) { q.turn_penalty_each = bad; },
               {ErrorCode::not_finite, kTurnPenaltyEach, 0});
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

TEST(GridBadQuery, OutOfRange) {
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
    refuse([](GridQuery& q) { q.turn_penalty_each = -2; }, {ErrorCode::out_of_range, kTurnPenaltyEach, -2});
    refuse([](GridQuery& q) { q.turn_penalty_each = 2e6; },
           {ErrorCode::out_of_range, kTurnPenaltyEach, 2000000});
    refuse([](GridQuery& q) { q.goal = Goal::within({5, 5}, -1); }, {ErrorCode::out_of_range, kGoal, -1});
    refuse(
        [](GridQuery& q) {
            q.goal = Goal::in_sight({5, 5}, -kInf);
        },
        {ErrorCode::out_of_range, kGoal, static_cast<std::int64_t>(-9e18)});
    const Blocker negative[] = {{.centre = {5, 5}}, {.centre = {5, 5}, .radius = -1}};
    refuse([&](GridQuery& q) { q.blockers = negative; }, {ErrorCode::out_of_range, kBlockers, 1});
}

TEST(GridBadQuery, EnumeratorsThatAreNone) {
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

TEST(GridBadQuery, HugeCoordinatesAndOffTheMap) {
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

TEST(GridBadQuery, MapsFarAwayTinyAndHuge) {
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
    // So far away that all cells are one place there is no world; as far as it may be the routes are legal.
    for (const double far : {1.8e10, 1e18, kMax}) {
        const Result<Grid> lost = Grid::make({.width = 8, .height = 8, .origin = {far, -far}});
        ASSERT_FALSE(lost);
        EXPECT_EQ(lost.error(), (Error{ErrorCode::out_of_range, 3, 0}));
    }
    const Grid last = *Grid::make({.width = 8, .height = 8, .origin = {1.75e10, -1.75e10}});
    const Vec2 from = last.state().cell_centre({0, 0});
    for (const Goal& goal :
         {Goal(last.state().cell_centre({7, 5})), Goal::within(last.state().cell_centre({7, 5}), 1.0),
          Goal::adjacent(last.state().cell_centre({7, 5})),
          Goal::in_sight(last.state().cell_centre({6, 7}), kInf)}) {
        expect_status(last, {.start = from, .goal = goal}, PathStatus::complete);
    }
    expect_status(last, {.start = {kMax, -kMax}, .goal = from}, PathStatus::off_world);
}

// ---- layers --------------------------------------------------------------------------------------------------

TEST(GridBadQuery, BadLayers) {
    const Grid grid = *Grid::make({.width = 5, .height = 5, .layers = 2});
    for (const std::int32_t layer : {-1, 2, 64, INT32_MAX, INT32_MIN}) {
        GridQuery query = across(5, 5);
        query.start = query.start.on_layer(layer);
        expect_status(grid, query, PathStatus::off_world);
        for (Goal goal : {Goal(cell_centre(3, 3)), Goal::within({2, 2}, 1), Goal::adjacent({2, 2}),
                          Goal::in_sight({2, 2}, 1)}) {
            goal = goal.on_layer(layer);
            query = across(5, 5);
            query.goal = goal;
            expect_status(grid, query, PathStatus::off_world);
        }
        const Vec2 points[] = {{1, 1}};
        query.goal = Goal::any_of(points);
        query.goal = query.goal.on_layer(layer);
        expect_status(grid, query, PathStatus::off_world);
        // A blocker on a floor that is not there blocks nothing.
        const Blocker blockers[] = {{.centre = {2.5, 2.5}, .radius = 2, .layer = layer}};
        query = across(5, 5);
        query.blockers = blockers;
        expect_status(grid, query, PathStatus::complete);
    }
    GridQuery query = across(5, 5);
    query.goal = query.goal.on_layer(1);  // no stairs lead there
    expect_status(grid, query, PathStatus::unreachable);
}

// ---- tables and blockers -------------------------------------------------------------------------------------

TEST(GridBadQuery, TablesOfTheWrongSize) {
    const Grid grid = open_grid(10, 10);
    const std::vector<std::uint16_t> costs(300, 1);
    for (const std::size_t size : {std::size_t{1}, std::size_t{255}, std::size_t{257}, std::size_t{300}}) {
        GridQuery query = across(10, 10);
        query.terrain.factors = std::span(costs).first(size);
        expect_error(grid, query, {ErrorCode::size_mismatch, kTerrain, 256});
    }
    std::vector<std::uint16_t> dear(256, 1);
    dear[200] = 1024;
    GridQuery query = across(10, 10);
    query.terrain.factors = dear;
    expect_error(grid, query, {ErrorCode::out_of_range, kTerrain, 1024});
    dear[200] = 1023;
    dear[0] = 65535;  // ignored
    expect_status(grid, query, PathStatus::complete);
    const std::vector<std::uint16_t> closed(256, 0);
    query.terrain.factors = closed;
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

TEST(GridBadQuery, Blockers) {
    const std::vector<Blocker> many(65537);
    for (const bool wraps : {false, true}) {
        GridOptions options{.width = 10, .height = 10};
        options.wrap_x = options.wrap_y = wraps;
        const Grid grid = *Grid::make(options);
        GridQuery query = across(10, 10);
        query.blockers = many;
        expect_error(grid, query, {ErrorCode::size_limit, kBlockers, 65536});
        for (const double size : {100.0, 4e4}) {  // over all the map
            const Blocker disc[] = {{.centre = {5, 5}, .radius = size}};
            query.blockers = disc;
            expect_status(grid, query, PathStatus::start_blocked);
            const Blocker box[] = {{.box = {{-size, -size}, {size, size}}}};
            query.blockers = box;
            expect_status(grid, query, PathStatus::start_blocked);
        }
        // Larger than verify can judge beside this map, or so many laps away: refused by both.
        Scratch scratch;
        const Result<Route> free = find_route(grid, across(10, 10), scratch);
        ASSERT_TRUE(free);
        for (const double size : {1e5, 1e9, 1e150, kHuge, kMax}) {
            const Blocker disc[] = {{}, {.centre = {5, 5}, .radius = size}};
            const Blocker far[] = {{}, {.centre = {size, -size}, .radius = 1}};
            const Blocker box[] = {{}, {.box = {{-size, -size}, {size, size}}}};
            for (const std::span<const Blocker> blockers :
                 {std::span<const Blocker>(disc), std::span<const Blocker>(far),
                  std::span<const Blocker>(box)}) {
                query.blockers = blockers;
                const bool refused = wraps || blockers.data() == disc;
                if (refused) {
                    expect_error(grid, query, {ErrorCode::out_of_range, kBlockers, 1});
                } else {
                    expect_status(grid, query,
                                  blockers.data() == far ? PathStatus::complete : PathStatus::start_blocked);
                }
                const ViolationKind judged = verify(*free, grid, {}, {.blockers = blockers}).kind;
                EXPECT_EQ(judged == ViolationKind::bad_argument, refused) << size;
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
