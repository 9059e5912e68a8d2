// Numbers, tables and blockers that a query may not hold: each has its documented error for every planner and smoothing, and those
// at the limit have their status.

#include "grid/degenerate.h"

namespace fairlead::testing {
namespace {

// SEAM-6: a unit that turns was answered as if it turned on the spot, a box as if it were the disc of its radius.
TEST(GridBadQuery, UnitsThatDoNotTurnOnTheSpotAreRefusedByName) {
    const Grid grid = open_grid(10, 10);
    GridQuery query = across(10, 10);
    query.agent.turning_radius = 2.0;
    expect_error(grid, query, {ErrorCode::unsupported, Field::agent_turning_radius});
    query.agent.turning_radius = kNan;
    expect_error(grid, query, {ErrorCode::not_finite, Field::agent_turning_radius});
    query.agent = {.shape = BodyShape::box, .length = 2.0, .width = 1.0};
    expect_error(grid, query, {ErrorCode::unsupported, Field::agent_shape});
    query.agent = {.radius = 0.5, .shape = BodyShape::capsule, .length = 2.0};
    expect_error(grid, query, {ErrorCode::unsupported, Field::agent_shape});
    query = across(10, 10);
    query.start = WaypointId{3};
    expect_error(grid, query, {ErrorCode::unsupported, Field::start});
    query = across(10, 10);
    query.goal = WaypointId{3};
    expect_error(grid, query, {ErrorCode::unsupported, Field::goal});
}

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
        refuse([&](GridQuery& q) { q.start.position.x = bad; }, {ErrorCode::not_finite, Field::start, 0});
        refuse([&](GridQuery& q) { q.start.position.y = bad; }, {ErrorCode::not_finite, Field::start, 0});
        refuse([&](GridQuery& q) { q.goal = Vec2{bad, 1}; }, {ErrorCode::not_finite, Field::goal, 0});
        refuse(
            [&](GridQuery& q) {
                q.goal = Goal::within({1, bad}, 1);
            },
            {ErrorCode::not_finite, Field::goal, 0});
        refuse(
            [&](GridQuery& q) {
                q.goal = Goal::adjacent({bad, bad});
            },
            {ErrorCode::not_finite, Field::goal, 0});
        refuse([&](GridQuery& q) { q.agent.radius = bad; }, {ErrorCode::not_finite, Field::agent_radius, 0});
        refuse([&](GridQuery& q) { q.epsilon = bad; }, {ErrorCode::not_finite, Field::epsilon, 0});
        refuse([&](GridQuery& q) { q.turn_penalty = bad; }, {ErrorCode::not_finite, Field::turn_penalty, 0});
        refuse([&](GridQuery& q) { q.turn_penalty_each = bad; },
               {ErrorCode::not_finite, Field::turn_penalty_each, 0});
        const Vec2 points[] = {{1, 1}, {2, bad}};
        refuse([&](GridQuery& q) { q.goal = Goal::any_of(points); },
               {ErrorCode::not_finite, Field::goal_list, 1, 0});
        const Blocker discs[] = {{.centre = {5, 5}, .radius = 1}, {.centre = {bad, 5}, .radius = 1}};
        refuse([&](GridQuery& q) { q.blockers = discs; }, {ErrorCode::not_finite, Field::blockers, 1, 0});
        const Blocker radii[] = {{.centre = {5, 5}, .radius = bad}};
        refuse([&](GridQuery& q) { q.blockers = radii; }, {ErrorCode::not_finite, Field::blockers, 0, 0});
    }
    GridQuery query = good;
    query.goal = Goal::within({5, 5}, kNan);
    expect_error(grid, query, {ErrorCode::not_finite, Field::goal_range});
    query.goal = Goal::within({5, 5}, kInf);
    expect_error(grid, query, {ErrorCode::not_finite, Field::goal_range});
    query.goal = Goal::in_sight({5, 5}, kNan);
    expect_error(grid, query, {ErrorCode::not_finite, Field::goal_range});
    query.goal = Goal::in_sight({5, 5}, kInf);  // allowed
    expect_status(grid, query, PathStatus::complete);
    const Blocker box[] = {{.box = {{1, 1}, {kInf, 2}}}};
    query = good;
    query.blockers = box;
    expect_error(grid, query, {ErrorCode::not_finite, Field::blockers, 0, 0});
    const Blocker no_box[] = {{.centre = {5, 5}, .radius = 1, .box = {{kNan, 1}, {2, 2}}}};
    query.blockers = no_box;
    expect_error(grid, query, {ErrorCode::not_finite, Field::blockers, 0, 0});
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
    refuse([](GridQuery& q) { q.agent.radius = -1; }, {ErrorCode::out_of_range, Field::agent_radius, -1});
    refuse([](GridQuery& q) { q.agent.radius = -kTiny; }, {ErrorCode::out_of_range, Field::agent_radius, 0});
    refuse([](GridQuery& q) { q.agent.radius = -kMax; },
           {ErrorCode::out_of_range, Field::agent_radius, static_cast<std::int64_t>(-9e18)});
    refuse([](GridQuery& q) { q.agent.footprint = -1; },
           {ErrorCode::out_of_range, Field::agent_footprint, -1});
    refuse([](GridQuery& q) { q.agent.footprint = 65; },
           {ErrorCode::out_of_range, Field::agent_footprint, 65});
    refuse([](GridQuery& q) { q.epsilon = 0.99; }, {ErrorCode::out_of_range, Field::epsilon, 0});
    refuse([](GridQuery& q) { q.epsilon = -3; }, {ErrorCode::out_of_range, Field::epsilon, -3});
    refuse([](GridQuery& q) { q.epsilon = 101; }, {ErrorCode::out_of_range, Field::epsilon, 101});
    refuse([](GridQuery& q) { q.turn_penalty = -2; }, {ErrorCode::out_of_range, Field::turn_penalty, -2});
    refuse([](GridQuery& q) { q.turn_penalty_each = -2; },
           {ErrorCode::out_of_range, Field::turn_penalty_each, -2});
    refuse(
        [](GridQuery& q) {
            q.goal = Goal::within({5, 5}, -1);
        },
        {ErrorCode::out_of_range, Field::goal_range, -1});
    refuse(
        [](GridQuery& q) {
            q.goal = Goal::in_sight({5, 5}, -kInf);
        },
        {ErrorCode::out_of_range, Field::goal_range, static_cast<std::int64_t>(-9e18)});
    const Blocker negative[] = {{.centre = {5, 5}}, {.centre = {5, 5}, .radius = -1}};
    refuse([&](GridQuery& q) { q.blockers = negative; }, {ErrorCode::out_of_range, Field::blockers, 1, 0});
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
           {ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(GridPlanner::count_)});
    refuse([](GridQuery& q) { q.planner = static_cast<GridPlanner>(255); },
           {ErrorCode::out_of_range, Field::planner, 255});
    refuse([](GridQuery& q) { q.smoothing = static_cast<Smoothing>(4); },
           {ErrorCode::out_of_range, Field::smoothing, 4});
    refuse([](GridQuery& q) { q.corner = static_cast<CornerRule>(3); },
           {ErrorCode::out_of_range, Field::corner, 3});
    refuse([](GridQuery& q) { q.neighbours = static_cast<Neighbourhood>(2); },
           {ErrorCode::out_of_range, Field::neighbours, 2});
    refuse([](GridQuery& q) { q.heuristic = static_cast<GridHeuristic>(9); },
           {ErrorCode::out_of_range, Field::heuristic, 9});
    refuse([](GridQuery& q) { q.goal.kind = static_cast<Goal::Kind>(5); },
           {ErrorCode::out_of_range, Field::goal, 5});
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
        EXPECT_EQ(lost.error(), (Error{ErrorCode::out_of_range, Field::origin}));
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

TEST(GridBadQuery, FactorsAndTablesOfTheWrongSize) {
    const Grid grid = open_grid(10, 10);
    const std::vector<double> factors(300, 1.0);
    GridQuery query = across(10, 10);
    query.terrain.factors = std::span(factors).first(257);
    expect_error(grid, query, {ErrorCode::size_limit, Field::terrain, 256});
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{256}}) {
        query.terrain.factors = std::span(factors).first(size);
        expect_status(grid, query, PathStatus::complete);
    }
    std::vector<double> wrong(256, 1.0);
    query.terrain.factors = wrong;
    for (const double bad : {-1.0, 1e-7, 1e7}) {
        wrong[200] = bad;
        expect_error(grid, query, {ErrorCode::out_of_range, Field::terrain, 200, 0});
    }
    for (const double bad : {kNan, kInf}) {
        wrong[200] = bad;
        expect_error(grid, query, {ErrorCode::not_finite, Field::terrain, 200, 0});
    }
    wrong[200] = 1e6;  // costs no more than 1023
    expect_status(grid, query, PathStatus::complete);
    const std::vector<double> closed(256, 0.0);
    query.terrain.factors = closed;
    expect_status(grid, query, PathStatus::start_blocked);
    query.terrain = {.closed = {1}};
    expect_status(grid, query, PathStatus::start_blocked);
    query.terrain = {.closed = {0, 2, 255, 256, 1000}};
    expect_status(grid, query, PathStatus::complete);

    const std::vector<std::uint8_t> threat(200, 255);
    for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{101}, std::size_t{200}}) {
        query = across(10, 10);
        query.influence.cells = std::span(threat).first(size);
        expect_error(grid, query, {ErrorCode::size_mismatch, Field::influence, 100});
    }
    query.influence.cells = std::span(threat).first(100);
    for (const std::int32_t weight : {-1, 1024, INT32_MAX, INT32_MIN}) {
        query.influence.weight = weight;
        expect_error(grid, query, {ErrorCode::out_of_range, Field::influence, weight});
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
        expect_error(grid, query, {ErrorCode::size_limit, Field::blockers, 65536});
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
                    expect_error(grid, query, {ErrorCode::out_of_range, Field::blockers, 1, 0});
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
