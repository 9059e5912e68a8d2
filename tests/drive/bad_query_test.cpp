// Numbers that a query over a DriveMap may not hold: each is refused with the field's name, or the
// status is one of the documented ones.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/drive/round_corners.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "drive/timed_checks.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"

namespace fairlead::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr Agent kCar{.radius = 0.4, .turning_radius = 2.0};
const DriveQuery kGood{.start = {{3.5, 3.5}, 0.0}, .goal = {{15.5, 12.5}, kHalfPi}, .agent = kCar};

// ---- a query's own numbers ----

struct Row {
    Field field;
    double low;  // of the documented range; cells are of size 1
    double high;
    void (*set)(DriveQuery& query, double number);
};
constexpr Row kRows[] = {
    {Field::goal_range, 0.0, kInfinite,
     [](DriveQuery& query, double number) { query.goal = Goal::within(query.goal.at, number); }},
    {Field::start_heading, 0.0, kInfinite,
     [](DriveQuery& query, double number) { query.start.heading_tolerance_rad = number; }},
    {Field::goal_heading, 0.0, kInfinite,
     [](DriveQuery& query, double number) { query.goal.at.heading_tolerance_rad = number; }},
    {Field::epsilon, 1.0, 100.0, [](DriveQuery& query, double number) { query.epsilon = number; }},
    {Field::reverse_penalty, 1.0, 1000.0,
     [](DriveQuery& query, double number) { query.reverse_penalty = number; }},
    {Field::cusp_penalty, 0.0, kInfinite,
     [](DriveQuery& query, double number) { query.cusp_penalty = number; }},
    {Field::pivot_penalty, 0.0, kInfinite,
     [](DriveQuery& query, double number) { query.pivot_penalty = number; }},
};
constexpr double kNumbers[] = {kNan,  kInfinite, -kInfinite, 0.0,     -0.0, -1.0, -1e300,
                               1e300, 5e-324,    0.04,       0.05,    0.99, 1.0,  100.0,
                               100.1, 1000.0,    1000.1,     -5e-324, 1e18};

// The calls that take such a query, each telling its error.
struct Calls {
    DrivenWorld world{open_tiles(20, 20), kCar};
    Scratch scratch;

    Result<void> plan(const DriveQuery& query) {
        const Result<Route> route = find_route(*world.map, query, scratch);
        if (!route) return route.error();
        EXPECT_LT(route->status, PathStatus::count_);
        if (route->status == PathStatus::complete) {
            EXPECT_FALSE(verify(*route, world.grid, kCar)) << verify(*route, world.grid, kCar).text().c_str();
        }
        return {};
    }
    Result<void> one_call(const DriveQuery& query) {
        const Result<Route> route = find_route(world.grid, query, scratch);
        if (!route) return route.error();
        return {};
    }
    Result<void> field(const DriveQuery& query) {
        Result<PoseField> made = PoseField::make(*world.map, query);
        if (!made) return made.error();
        while (made->step(100000)) {
        }
        return {};
    }
};

void expect_judged(const Result<void>& done, const Row& row, double number) {
    SCOPED_TRACE(std::string(field_name(row.field)) + " " + std::to_string(number));
    const bool good = std::isfinite(number) && number >= row.low && number <= row.high;
    ASSERT_EQ(done.has_value(), good);
    if (good) return;
    const ErrorCode code = std::isfinite(number) ? ErrorCode::out_of_range : ErrorCode::not_finite;
    EXPECT_EQ(done.error(), (Error{code, row.field}));
}

TEST(BadQuery, EveryNumberOutOfItsRangeIsNamed) {
    Calls calls;
    for (const Row& row : kRows) {
        for (const double number : kNumbers) {
            DriveQuery query = kGood;
            row.set(query, number);
            for (const DrivePlanner planner :
                 {DrivePlanner::weighted, DrivePlanner::lattice, DrivePlanner::anytime}) {
                query.planner = planner;
                expect_judged(calls.plan(query), row, number);
            }
            expect_judged(calls.one_call(query), row, number);
            if (row.field == Field::start_heading) {
                EXPECT_TRUE(calls.field(query).has_value());  // a field has no start
            } else {
                expect_judged(calls.field(query), row, number);
            }
        }
    }
}

TEST(BadQuery, PosesThatAreNoPosesAreNamed) {
    Calls calls;
    const auto poke = [](Spot& spot, int which) -> double& {
        return which == 0 ? spot.position.x : which == 1 ? spot.position.y : spot.heading_rad;
    };
    constexpr Field kPlaces[] = {Field::start, Field::goal};
    constexpr Field kHeadings[] = {Field::start_heading, Field::goal_heading};
    for (const int end : {0, 1}) {
        for (const int which : {0, 1, 2}) {
            for (const double number : {kNan, kInfinite, -kInfinite}) {
                DriveQuery query = kGood;
                poke(end == 0 ? query.start : query.goal.at, which) = number;
                const Field field = which == 2 ? kHeadings[end] : kPlaces[end];
                for (const Result<void>& done : {calls.plan(query), calls.one_call(query)}) {
                    ASSERT_FALSE(done.has_value());
                    EXPECT_EQ(done.error(), (Error{ErrorCode::not_finite, field}));
                }
                // A field has no start.
                EXPECT_EQ(calls.field(query).has_value(), end == 0);
                const Result<HybridDrive> hybrid =
                    find_hybrid(*calls.world.map, {.start = query.start.pose(), .goal = query.goal.at.pose()},
                                calls.scratch);
                ASSERT_FALSE(hybrid.has_value());
                EXPECT_EQ(hybrid.error(), (Error{ErrorCode::not_finite, field}));
            }
            if (which == 2) continue;
            for (const double number :
                 {1e300, -1e300, 1e9, -1.0, 2147483648.0, -2147483649.0, 9.3e18, 20.5}) {
                DriveQuery query = kGood;
                poke(end == 0 ? query.start : query.goal.at, which) = number;
                EXPECT_EQ(find_route(*calls.world.map, query, calls.scratch).value().status,
                          PathStatus::off_world);
                EXPECT_EQ(find_route(calls.world.grid, query, calls.scratch).value().status,
                          PathStatus::off_world);
                EXPECT_TRUE(calls.field(query).has_value());
            }
        }
    }
}

// ---- places and goals that no lattice serves ----

TEST(BadQuery, PlacesAndGoalsOfOtherWorldsAreNamed) {
    Calls calls;
    const Pose exits[] = {{{3.5, 3.5}, 0.0}, {{8.5, 3.5}, 0.0}};
    const Spot there(15.5, 12.5);
    const struct {
        Goal goal;
        Field field;
    } goals[] = {{Goal::any_of(exits), Field::goal},
                 {Goal::adjacent(there), Field::goal},
                 {Goal::in_sight(there, 3.0), Field::goal},
                 {Cell{3, 3}, Field::goal},
                 {WaypointId{3}, Field::goal}};
    for (const auto& [goal, field] : goals) {
        DriveQuery query = kGood;
        query.goal = goal;
        for (const Result<void>& done : {calls.plan(query), calls.one_call(query), calls.field(query)}) {
            ASSERT_FALSE(done.has_value());
            EXPECT_EQ(done.error(), (Error{ErrorCode::unsupported, field}));
        }
    }
    for (const Spot& start : {Spot(Cell{3, 3}), Spot(WaypointId{3})}) {
        DriveQuery query = kGood;
        query.start = start;
        for (const Result<void>& done : {calls.plan(query), calls.one_call(query)}) {
            ASSERT_FALSE(done.has_value());
            EXPECT_EQ(done.error(), (Error{ErrorCode::unsupported, Field::start}));
        }
    }
}

// ---- units ----

struct Unit {
    const char* name;
    Agent agent;
    ErrorCode code;
    Field field;
};

Agent with_radius(double turning_radius) { return {.radius = 0.4, .turning_radius = turning_radius}; }

const Unit kUnits[] = {
    {"radius 0", with_radius(0.0), ErrorCode::out_of_range, Field::agent_turning_radius},
    {"radius -0", with_radius(-0.0), ErrorCode::out_of_range, Field::agent_turning_radius},
    {"radius -2", with_radius(-2.0), ErrorCode::out_of_range, Field::agent_turning_radius},
    {"radius infinite", with_radius(kInfinite), ErrorCode::not_finite, Field::agent_turning_radius},
    {"radius -infinite", with_radius(-kInfinite), ErrorCode::not_finite, Field::agent_turning_radius},
    {"radius NaN", with_radius(kNan), ErrorCode::not_finite, Field::agent_turning_radius},
    {"radius 1e300", with_radius(1e300), ErrorCode::out_of_range, Field::agent_turning_radius},
    {"radius 5e-324", with_radius(5e-324), ErrorCode::out_of_range, Field::agent_turning_radius},
    {"radius 33 cells", with_radius(33.0), ErrorCode::out_of_range, Field::agent_turning_radius},
    {"disc NaN", {.radius = kNan, .turning_radius = 2.0}, ErrorCode::not_finite, Field::agent_radius},
    {"disc infinite",
     {.radius = kInfinite, .turning_radius = 2.0},
     ErrorCode::not_finite,
     Field::agent_radius},
    {"disc negative", {.radius = -0.1, .turning_radius = 2.0}, ErrorCode::out_of_range, Field::agent_radius},
    {"disc 1e300", {.radius = 1e300, .turning_radius = 2.0}, ErrorCode::size_limit, Field::agent},
    {"disc of 41 cells", {.radius = 41.0, .turning_radius = 2.0}, ErrorCode::size_limit, Field::agent},
    {"footprint", {.footprint = 2, .turning_radius = 2.0}, ErrorCode::incompatible, Field::agent_footprint},
};

TEST(BadUnit, TablesAndTheOneCallRefuseItAlike) {
    const Grid grid = grid_of(open_tiles(20, 20));
    Scratch scratch;
    for (const Unit& unit : kUnits) {
        SCOPED_TRACE(unit.name);
        const Result<DriveTable> table = DriveTable::make({.agent = unit.agent, .headings = 8});
        ASSERT_FALSE(table.has_value());
        EXPECT_EQ(table.error().code, unit.code);
        EXPECT_EQ(table.error().field, unit.field);
        DriveQuery query = kGood;
        query.agent = unit.agent;
        const Result<Route> route = find_route(grid, query, scratch);
        ASSERT_FALSE(route.has_value());
        EXPECT_EQ(route.error().code, unit.code);
        EXPECT_EQ(route.error().field, unit.field);
    }
}

// Over a DriveMap the query's unit is the map's, or is left out.
TEST(BadUnit, AMapKnowsItsUnit) {
    const DrivenWorld world(open_tiles(20, 20), kCar);
    Scratch scratch;
    DriveQuery query = kGood;
    const Result<Route> named = find_route(*world.map, query, scratch);
    query.agent = {};
    const Result<Route> unnamed = find_route(*world.map, query, scratch);
    ASSERT_TRUE(named && unnamed);
    EXPECT_EQ(named->stats.digest, unnamed->stats.digest);
    query.agent = {.radius = 0.4, .turning_radius = 2.5};
    const Result<Route> other = find_route(*world.map, query, scratch);
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error(), (Error{ErrorCode::incompatible, Field::agent}));
}

// The status of every planner for two poses.
struct Statuses {
    DrivenWorld world;
    Scratch scratch;

    Statuses(const Tiles& tiles, const Agent& agent) : world(tiles, agent) {}

    void expect(const Pose& start, const Pose& goal, PathStatus status) {
        const DriveQuery query{.start = start, .goal = goal, .agent = world.agent};
        for (const bool smooth : {false, true}) {
            DriveQuery asked = query;
            asked.smooth = smooth;
            EXPECT_EQ(find_route(*world.map, asked, scratch).value().status, status) << "smooth " << smooth;
        }
        EXPECT_EQ(find_route(world.grid, query, scratch).value().status, status) << "one call";
        EXPECT_EQ(find_hybrid(*world.map, {.start = start, .goal = goal}, scratch).value().route.status,
                  status);
        const Vec2 way[] = {goal.position};
        for (const CornerMethod method : {CornerMethod::search_again, CornerMethod::tighter}) {
            const CornerQuery corners{.start = start,
                                      .waypoints = way,
                                      .fix_goal_heading = true,
                                      .goal_heading_rad = goal.heading_rad};
            EXPECT_EQ(round_corners(*world.map, corners, method, scratch).value().route.status, status)
                << corner_method_name(method);
        }
        const Result<SpeedTable> speeds = SpeedTable::make(*world.table, {});
        ASSERT_TRUE(speeds.has_value());
        EXPECT_EQ(
            find_route(*world.map, timed_by(*speeds, {.start = start, .goal = goal}), scratch).value().status,
            status);
        expect_field(query, status);
        expect_facings(query, status);
    }

  private:
    // A goal that is blocked is no error of a field: its routes say so.
    void expect_field(const DriveQuery& query, PathStatus status) {
        Result<PoseField> field = PoseField::make(*world.map, query);
        ASSERT_TRUE(field.has_value());
        while (field->step(100000)) {
        }
        Route route;
        ASSERT_TRUE(find_route_into(*field, query.start.pose(), scratch, route).has_value());
        EXPECT_EQ(route.status, status);
    }
    // A route that is none has no legs to draw.
    void expect_facings(const DriveQuery& query, PathStatus status) {
        const Result<Route> route = find_route(*world.map, query, scratch);
        const Result<FixedAngles> drawn = make_fixed_angles(*route, *world.map);
        ASSERT_TRUE(drawn.has_value());
        EXPECT_EQ(drawn->route.status, status);
    }
};

const Tiles kRoom =
    drawn_tiles({"############", "#..........#", "#..........#", "#..........#", "#..........#",
                 "#....##....#", "#..........#", "#..........#", "############"});

TEST(BadEnds, WallsUnderStartAndGoal) {
    Statuses ask(kRoom, kCar);
    const Pose free{{2.5, 5.5}, 0.0};
    const Pose other{{8.5, 5.5}, 0.0};
    ask.expect(free, other, PathStatus::complete);
    for (const Pose& wall :
         {Pose{{5.5, 3.5}, 0.0}, Pose{{5.1, 4.2}, 0.3}, Pose{{0.5, 0.5}, 0.0}, Pose{{2.5, 1.2}, 1.0}}) {
        SCOPED_TRACE(wall.position.x);
        ask.expect(wall, free, PathStatus::start_blocked);
        ask.expect(free, wall, PathStatus::goal_blocked);
        ask.expect(wall, wall, PathStatus::start_blocked);
    }
}

TEST(BadEnds, BodiesAndTurningRadiiLargerThanTheMap) {
    const Pose start{{2.5, 5.5}, 0.0};
    const Pose goal{{8.5, 5.5}, 0.0};
    Agent disc{.radius = 15.0, .turning_radius = 2.0};
    Statuses(kRoom, disc).expect(start, goal, PathStatus::start_blocked);
    Agent box = box_body(30.0, 4.0);
    box.turning_radius = 2.0;
    Statuses(kRoom, box).expect(start, goal, PathStatus::start_blocked);
    // It can drive straight on, and no more.
    Agent wide{.radius = 0.4, .turning_radius = 30.0};
    Statuses(kRoom, wide).expect(start, goal, PathStatus::complete);
    Scratch scratch;
    const DrivenWorld world(kRoom, wide);
    EXPECT_EQ(
        find_route(*world.map, DriveQuery{.start = start, .goal = {{8.5, 5.5}, kPi}}, scratch).value().status,
        PathStatus::unreachable);
    EXPECT_EQ(
        find_route(world.grid, DriveQuery{.start = start, .goal = {{8.5, 5.5}, kPi}, .agent = wide}, scratch)
            .value()
            .status,
        PathStatus::unreachable);
}

// ---- headings of many turns ----

// As few_turns.h: a heading and the same one wrapped are one query.
TEST(HugeHeadings, AreTheHeadingsThatTheyWrapTo) {
    Statuses ask(kRoom, kCar);
    const DrivenWorld& world = ask.world;
    Scratch scratch;
    const Vec2 way[] = {{6.5, 5.5}, {8.5, 2.5}};
    for (const double heading :
         {65.0, -1000.0, 1e6, -1e6, 1073741824.0, 1e15, -1e15, 9.007199254740993e15, 1e18, 1e300, -1e300}) {
        SCOPED_TRACE(heading);
        const double wrapped = math::wrap_pi(heading);
        ASSERT_LE(std::abs(wrapped), kPi);
        for (const int end : {0, 1, 2}) {
            SCOPED_TRACE(end);
            const auto route_of = [&](double angle) {
                DriveQuery query{.start = {{3.5, 5.5}, 0.3}, .goal = {{8.3, 5.4}, -0.2}};
                if (end != 1) query.start.heading_rad = angle;
                if (end != 0) query.goal.at.heading_rad = angle;
                return query;
            };
            const DriveQuery huge = route_of(heading);
            const DriveQuery plain = route_of(wrapped);
            const Result<Route> a = find_route(*world.map, huge, scratch);
            const Result<Route> b = find_route(*world.map, plain, scratch);
            ASSERT_EQ(a->status, b->status);
            EXPECT_EQ(a->cost, b->cost);
            EXPECT_EQ(a->end, b->end);
            ASSERT_EQ(a->legs.size(), b->legs.size());
            for (std::size_t i = 0; i < a->legs.size(); ++i) EXPECT_EQ(a->legs[i], b->legs[i]);
            EXPECT_FALSE(verify(*a, world.grid, kCar)) << verify(*a, world.grid, kCar).text().c_str();

            const Result<HybridDrive> tiles =
                find_hybrid(*world.map, {.start = huge.start.pose(), .goal = huge.goal.at.pose()}, scratch);
            const Result<HybridDrive> few =
                find_hybrid(*world.map, {.start = plain.start.pose(), .goal = plain.goal.at.pose()}, scratch);
            EXPECT_EQ(tiles->route.status, few->route.status);
            EXPECT_EQ(tiles->route.cost, few->route.cost);
            EXPECT_FALSE(verify(tiles->route, world.grid, kCar));

            const auto corners = [&](const DriveQuery& query) {
                return round_corners(*world.map,
                                     {.start = query.start.pose(),
                                      .waypoints = way,
                                      .fix_goal_heading = true,
                                      .goal_heading_rad = query.goal.at.heading_rad},
                                     CornerMethod::tighter, scratch);
            };
            const Result<RoundedCorners> round = corners(huge);
            EXPECT_EQ(round->route.status, corners(plain).value().route.status);
            EXPECT_EQ(round->route.cost, corners(plain).value().route.cost);
            Agent tighter = kCar;
            if (round->radius_least > 0.0) tighter.turning_radius = round->radius_least;
            EXPECT_FALSE(verify(round->route, world.grid, tighter));

            const Result<SpeedTable> speeds = SpeedTable::make(*world.table, {});
            const Result<Route> timed =
                find_route(*world.map, timed_by(*speeds, {.start = huge.start, .goal = huge.goal}), scratch);
            const Result<Route> timed_plain = find_route(
                *world.map, timed_by(*speeds, {.start = plain.start, .goal = plain.goal}), scratch);
            EXPECT_EQ(timed->status, timed_plain->status);
            EXPECT_EQ(timed->cost, timed_plain->cost);
            EXPECT_FALSE(verify(*timed, world.grid, kCar));
        }
        EXPECT_EQ(headings_near(16, heading, 0.5), headings_near(16, wrapped, 0.5));
    }
}

TEST(HugeHeadings, CurvesAndVerify) {
    const Pose there{{7.0, 3.0}, 1.0};
    for (const double heading : {65.0, 1e6, 1e15, -1e15, 1e300}) {
        SCOPED_TRACE(heading);
        const Pose huge{{0.0, 0.0}, heading};
        const Pose wrapped{{0.0, 0.0}, math::wrap_pi(heading)};
        ASSERT_TRUE(check_curve(huge, there, 2.0).has_value());
        EXPECT_NEAR(dubins_distance(huge, there, 2.0), dubins_distance(wrapped, there, 2.0), 1e-9);
        EXPECT_NEAR(dubins_distance(there, huge, 2.0), dubins_distance(there, wrapped, 2.0), 1e-9);
        EXPECT_NEAR(reeds_shepp_distance(huge, there, 2.0), reeds_shepp_distance(wrapped, there, 2.0), 1e-9);
        EXPECT_NEAR(reeds_shepp_distance(there, huge, 2.0), reeds_shepp_distance(there, wrapped, 2.0), 1e-9);
    }
    // A stored route's headings go up to 2^30; what is beyond has no digits left, and is refused.
    const DrivenWorld world(kRoom, kCar);
    Scratch scratch;
    Result<Route> route =
        find_route(*world.map, DriveQuery{.start = {{2.5, 5.5}, 0.0}, .goal = {{8.5, 5.5}, 0.0}}, scratch);
    const auto judged = [&](double heading) {
        route->end.heading_rad = heading;
        return verify(*route, world.grid, kCar).kind;
    };
    EXPECT_EQ(judged(0.0), ViolationKind::none);
    EXPECT_EQ(judged(kTwoPi * 1024), ViolationKind::none);
    for (const double heading : {1e15, -1e15, 1e300}) EXPECT_EQ(judged(heading), ViolationKind::bad_number);
    EXPECT_EQ(judged(kNan), ViolationKind::not_finite);
}

// ---- grid queries ----

// Walkers are discs that turn on the spot: others are refused by name. Of a disc radius and footprint alone are read.
TEST(BadUnit, GridQueriesRefuseUnitsThatDoNotWalk) {
    const Grid grid = grid_of(kRoom);
    Scratch scratch;
    const auto route_of = [&](const Agent& agent) {
        return find_route(grid, GridQuery{.start = {2.5, 6.5}, .goal = Vec2{8.5, 2.5}, .agent = agent},
                          scratch);
    };
    const Result<Route> plain = route_of({.radius = 0.6});
    ASSERT_EQ(plain->status, PathStatus::complete);
    EXPECT_FALSE(verify(*plain, grid, {.radius = 0.6}));
    for (const double turning_radius : {-1.0, 5e-324, 2.0, 1e300, kInfinite, kNan}) {
        const Result<Route> route = route_of({.radius = 0.6, .turning_radius = turning_radius});
        ASSERT_FALSE(route.has_value()) << turning_radius;
        const ErrorCode code = std::isnan(turning_radius) ? ErrorCode::not_finite : ErrorCode::unsupported;
        EXPECT_EQ(route.error(), (Error{code, Field::agent_turning_radius}));
    }
    for (const Agent& body : {box_body(3.0, 1.0, 0.5), capsule_body(1.8, 0.4, 0.2)}) {
        const Result<Route> route = route_of(body);
        ASSERT_FALSE(route.has_value());
        EXPECT_EQ(route.error(), (Error{ErrorCode::unsupported, Field::agent_shape}));
    }
    for (const double turning_radius : {0.0, -0.0}) {
        Agent unit = box_body(3.0, 1.0, 0.5);
        unit.shape = BodyShape::disc;
        unit.radius = 0.6;
        unit.turning_radius = turning_radius;
        unit.can_reverse = unit.can_pivot = true;
        const Result<Route> route = route_of(unit);
        ASSERT_EQ(route->status, PathStatus::complete) << turning_radius;
        EXPECT_EQ(route->stats.digest, plain->stats.digest);
        EXPECT_EQ(route->cost, plain->cost);
        ASSERT_EQ(route->legs.size(), plain->legs.size());
        for (std::size_t i = 0; i < plain->legs.size(); ++i) EXPECT_EQ(route->legs[i], plain->legs[i]);
    }
    // The disc around a box has room wherever the box turns.
    const Agent box = box_body(1.6, 1.0);
    const Result<Route> round = route_of({.radius = circumscribed_radius(box)});
    ASSERT_EQ(round->status, PathStatus::complete);
    EXPECT_FALSE(verify(*round, grid, {.radius = circumscribed_radius(box)}));
    for (const double radius : {kNan, kInfinite, -kInfinite}) {
        EXPECT_EQ(route_of({.radius = radius}).error().code, ErrorCode::not_finite);
    }
    EXPECT_EQ(route_of({.radius = -0.1}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(route_of({.radius = 1e300}).value().status, PathStatus::start_blocked);
    EXPECT_EQ(route_of({.footprint = 65}).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace fairlead::testing
