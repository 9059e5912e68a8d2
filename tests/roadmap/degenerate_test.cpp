// The table of degenerate queries: each has its documented status or error, for every planner and direction.

#include <gtest/gtest.h>

#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

template <class Check>
void for_all_planners(RoadmapQuery query, Check check) {
    for (std::uint8_t planner = 0; planner < static_cast<std::uint8_t>(RoadmapPlanner::count_); ++planner) {
        for (const bool backward : {false, true}) {
            query.planner = static_cast<RoadmapPlanner>(planner);
            query.backward = backward;
            check(query);
        }
    }
}

void expect_status(const RoadmapState& state, const RoadmapQuery& asked, PathStatus status,
                   double cost = 0.0) {
    for_all_planners(asked, [&](const RoadmapQuery& query) {
        Scratch scratch;
        const Result<Route> route = find_route(state, query, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->status, status) << status_name(route->status);
        if (status != PathStatus::complete) {
            EXPECT_TRUE(route->legs.empty());
            EXPECT_EQ(route->length, 0.0);
            return;
        }
        EXPECT_EQ(route->cost, cost);
        if (cost == 0.0) {
            EXPECT_TRUE(route->legs.empty());
        }
    });
}

void expect_error(const RoadmapState& state, const RoadmapQuery& asked, Error error) {
    for_all_planners(asked, [&](const RoadmapQuery& query) {
        Scratch scratch;
        Route route;
        route.status = PathStatus::complete;
        route.cost = 5;
        const Result<void> done = find_route_into(state, query, scratch, route);
        ASSERT_FALSE(done.has_value());
        EXPECT_EQ(done.error(), error)
            << error_name(done.error().code) << ' ' << done.error().index << ' ' << done.error().detail;
        EXPECT_EQ(route.status, PathStatus::unreachable);  // cleared
        EXPECT_EQ(route.cost, 0.0);
    });
}

SightQuery everything() {
    return {[](Vec3, Vec3, double, void*) { return true; }, nullptr};
}
SightQuery nothing() {
    return {[](Vec3, Vec3, double, void*) { return false; }, nullptr};
}

TEST(RoadmapDegenerate, AnEmptyRoadmap) {
    const Roadmap empty = PlainRoadmap{}.make();
    expect_status(empty, {.start = Vec2{0, 0}, .goal = Vec2{3, 4}}, PathStatus::start_blocked);
    expect_status(empty, {.start = Vec2{0, 0}, .goal = Vec2{3, 4}, .sight = everything()},
                  PathStatus::complete, 5.0);
    expect_status(empty, {.start = Vec2{0, 0}, .goal = Vec2{3, 4}, .sight = nothing()},
                  PathStatus::start_blocked);
    expect_status(empty, {.start = Vec2{1, 1}, .goal = Vec2{1, 1}}, PathStatus::complete);
    expect_status(empty, {.start = Vec2{1, 1}, .goal = Vec2{1, 1}, .sight = nothing()},
                  PathStatus::start_blocked);
    expect_error(empty, {.start = WaypointId{0}, .goal = Vec2{}}, {ErrorCode::unknown_id, Field::start, 0});
}

TEST(RoadmapDegenerate, OneWaypoint) {
    PlainRoadmap plain;
    plain.node(5, 1, 1);
    const Roadmap one = plain.make();
    expect_status(one, {.start = WaypointId{5}, .goal = WaypointId{5}}, PathStatus::complete);
    expect_status(one, {.start = WaypointId{5}, .goal = WaypointId{5}, .sight = nothing()},
                  PathStatus::complete);
    expect_status(one, {.start = Vec2{1, 1}, .goal = Vec2{1, 1}}, PathStatus::complete);
    expect_status(one, {.start = Vec2{1, 1}, .goal = WaypointId{5}}, PathStatus::complete);
    expect_status(one, {.start = Vec2{1, 3}, .goal = WaypointId{5}}, PathStatus::complete, 2.0);
    expect_status(one, {.start = Vec2{1, 3}, .goal = Vec2{1, 3}}, PathStatus::complete);
    expect_status(one, {.start = Vec2{1, 3}, .goal = Vec2{1, 2}}, PathStatus::complete, 3.0);
    expect_status(one, {.start = Vec2{1, 3}, .goal = Vec2{1, 2}, .sight = everything()}, PathStatus::complete,
                  1.0);
    expect_status(one, {.start = Vec2{1, 3}, .goal = WaypointId{5}, .sight = nothing()},
                  PathStatus::start_blocked);
    expect_status(one, {.start = WaypointId{5}, .goal = Vec2{1, 3}, .sight = nothing()},
                  PathStatus::goal_blocked);
}

TEST(RoadmapDegenerate, TwoWaypointsWithoutAnEdge) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 5, 0);
    const Roadmap two = plain.make();
    expect_status(two, {.start = WaypointId{1}, .goal = WaypointId{2}}, PathStatus::unreachable);
    expect_status(two, {.start = Vec2{0, 1}, .goal = Vec2{5, 1}}, PathStatus::unreachable);
    expect_status(two, {.start = WaypointId{1}, .goal = WaypointId{2}, .sight = everything()},
                  PathStatus::unreachable);
    expect_status(two, {.start = WaypointId{1}, .goal = Vec2{5, 0}, .sight = everything()},
                  PathStatus::complete, 5.0);
}

TEST(RoadmapDegenerate, WaypointsOnOneSpot) {
    PlainRoadmap plain;
    for (std::int64_t i = 0; i < 100; ++i) plain.node(i, 3, 3);
    for (std::int64_t i = 0; i + 1 < 100; ++i) plain.edge(i, i + 1, 0.25);
    const Roadmap spot = plain.make();
    expect_status(spot, {.start = WaypointId{0}, .goal = WaypointId{99}}, PathStatus::complete, 99 * 0.25);
    expect_status(spot, {.start = Vec2{3, 3}, .goal = WaypointId{99}}, PathStatus::complete);
    expect_status(spot, {.start = Vec2{3, 4}, .goal = Vec2{3, 2}}, PathStatus::complete, 2.0);
}

TEST(RoadmapDegenerate, BadArguments) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 5, 0);
    plain.edge(1, 2);
    const Roadmap roadmap = plain.make();
    const RoadmapQuery good{.start = WaypointId{1}, .goal = WaypointId{2}};
    const std::vector<double> long_factors(257, 1.0);
    std::vector<double> factors(256, 1.0);
    const auto refuse = [&](auto change, Error error) {
        RoadmapQuery query = good;
        change(query);
        expect_error(roadmap, query, error);
    };
    refuse([](RoadmapQuery& q) { q.start = WaypointId{3}; }, {ErrorCode::unknown_id, Field::start, 3});
    refuse([](RoadmapQuery& q) { q.start = WaypointId{-8}; }, {ErrorCode::unknown_id, Field::start, -8});
    refuse([](RoadmapQuery& q) { q.goal = WaypointId{3}; }, {ErrorCode::unknown_id, Field::goal, 3});
    refuse([](RoadmapQuery& q) { q.start = Vec2{kNan, 0}; }, {ErrorCode::not_finite, Field::start, 0});
    refuse([](RoadmapQuery& q) { q.start = Vec2{0, -kInf}; }, {ErrorCode::not_finite, Field::start, 0});
    refuse([](RoadmapQuery& q) { q.goal = Vec3{0, 0, kNan}; }, {ErrorCode::not_finite, Field::goal, 0});
    refuse(
        [](RoadmapQuery& q) {
            q.goal = Vec2{0, 3e12};
        },
        {ErrorCode::out_of_range, Field::goal, 3000000000000});
    refuse(
        [](RoadmapQuery& q) {
            q.goal = Vec2{0, -1e300};
        },
        {ErrorCode::out_of_range, Field::goal, static_cast<std::int64_t>(-9e18)});
    refuse([](RoadmapQuery& q) { q.agent.radius = -1; }, {ErrorCode::out_of_range, Field::agent_radius, -1});
    refuse([](RoadmapQuery& q) { q.agent.radius = kNan; }, {ErrorCode::not_finite, Field::agent_radius, 0});
    refuse([](RoadmapQuery& q) { q.agent.radius = kInf; }, {ErrorCode::not_finite, Field::agent_radius, 0});
    refuse(
        [](RoadmapQuery& q) { q.agent.footprint = 2; },
        {ErrorCode::incompatible, Field::agent_footprint, static_cast<std::int64_t>(RoadmapRule::footprint)});
    refuse([&](RoadmapQuery& q) { q.filter.kinds.factors = long_factors; },
           {ErrorCode::size_limit, Field::edges, 256});
    factors[3] = kNan;
    refuse([&](RoadmapQuery& q) { q.filter.kinds.factors = factors; },
           {ErrorCode::not_finite, Field::edges, 3, 0});
    factors[3] = -1;
    refuse([&](RoadmapQuery& q) { q.filter.kinds.factors = factors; },
           {ErrorCode::out_of_range, Field::edges, 3, 0});
    factors[3] = 1e7;
    refuse([&](RoadmapQuery& q) { q.filter.kinds.factors = factors; },
           {ErrorCode::out_of_range, Field::edges, 3, 0});
    refuse([](RoadmapQuery& q) { q.filter.factor_min = 0; }, {ErrorCode::out_of_range, Field::factor_min, 0});
    refuse([](RoadmapQuery& q) { q.filter.factor_min = kNan; },
           {ErrorCode::not_finite, Field::factor_min, 0});
    refuse([](RoadmapQuery& q) { q.off_net_cost = 0; }, {ErrorCode::out_of_range, Field::off_net_cost, 0});
    refuse([](RoadmapQuery& q) { q.off_net_cost = kNan; }, {ErrorCode::not_finite, Field::off_net_cost, 0});
    refuse([](RoadmapQuery& q) { q.attach_range = kNan; }, {ErrorCode::not_finite, Field::attach_range, 0});
    refuse([](RoadmapQuery& q) { q.attach_range = -1; }, {ErrorCode::out_of_range, Field::attach_range, -1});
    refuse([](RoadmapQuery& q) { q.attach_max = 0; }, {ErrorCode::out_of_range, Field::attach_max, 0});
    refuse([](RoadmapQuery& q) { q.attach_max = 65; }, {ErrorCode::out_of_range, Field::attach_max, 65});
    refuse([](RoadmapQuery& q) { q.attach_tests = 0; }, {ErrorCode::out_of_range, Field::attach_tests, 0});
    refuse([](RoadmapQuery& q) { q.attach_tests = (1U << 20) + 1; },
           {ErrorCode::out_of_range, Field::attach_tests, (1 << 20) + 1});

    const Spot goals[] = {WaypointId{1}, WaypointId{2}, WaypointId{9}};
    refuse([&](RoadmapQuery& q) { q.goal = Goal::any_of(goals); },
           {ErrorCode::unknown_id, Field::goal_list, 2, 9});
    const std::vector<Spot> many(65537, WaypointId{1});
    refuse([&](RoadmapQuery& q) { q.goal = Goal::any_of(many); },
           {ErrorCode::size_limit, Field::goal_list, 65536});

    RoadmapQuery query = good;
    query.planner = RoadmapPlanner::count_;
    Scratch scratch;
    EXPECT_EQ(
        find_route(roadmap, query, scratch).error(),
        (Error{ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(RoadmapPlanner::count_)}));
    // A search that is refused is over; stepping it does nothing.
    RoadmapSearch search(roadmap, query, scratch);
    EXPECT_FALSE(search.running());
    EXPECT_FALSE(search.step(10));
    Route routes[2];
    EXPECT_EQ(find_routes_into(roadmap, good, scratch, routes).error(),
              (Error{ErrorCode::size_mismatch, Field::goal_list}));
    EXPECT_TRUE(find_routes_into(roadmap, good, scratch, {}));
}

TEST(RoadmapDegenerate, ExtremesThatAreAllowed) {
    PlainRoadmap plain;
    plain.node(0, -1e12, -1e12, -1e12);
    plain.node(INT64_MAX, 1e12, 1e12, 1e12);
    plain.node(7, 1e12, 1e12, 1e12 - 1);
    plain.edge(0, INT64_MAX);
    plain.edge(INT64_MAX, 7, kEdgeCostMin);
    plain.edge(7, 0, kEdgeCostMax, true);
    const Roadmap roadmap = plain.make();
    const double diagonal = std::sqrt(3 * 4e24);
    expect_status(roadmap, {.start = WaypointId{0}, .goal = WaypointId{INT64_MAX}}, PathStatus::complete,
                  diagonal);
    expect_status(roadmap, {.start = WaypointId{INT64_MAX}, .goal = WaypointId{7}}, PathStatus::complete,
                  kEdgeCostMin);
    RoadmapQuery query{
        .start = Vec2{0, 0}, .goal = Vec2{1e12, -1e12}, .agent = {.radius = 1e12}, .sight = everything()};
    query.attach_range = 0;
    query.attach_max = 64;
    query.attach_tests = 1U << 20;
    query.off_net_cost = 1e6;
    expect_status(roadmap, query, PathStatus::complete, 1e6 * std::sqrt(2e24));
}

// A filter that closes everything, or answers nonsense.
TEST(RoadmapDegenerate, HostileFilters) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 5, 0);
    plain.edge(1, 2);
    const Roadmap roadmap = plain.make();
    const std::vector<double> closed(256, 0.0);
    RoadmapQuery query{.start = WaypointId{1}, .goal = WaypointId{2}};
    query.filter.kinds.factors = closed;
    expect_status(roadmap, query, PathStatus::unreachable);
    query.start = Vec2{2, 1};
    expect_status(roadmap, query, PathStatus::unreachable);  // attached to a waypoint, not to the closed edge
    query.filter = {};
    query.start = WaypointId{1};
    for (const double answer : {0.0, -1.0, kNan, kInf, 1e7, 0.5}) {
        double value = answer;
        query.filter.factor = [](const RoadmapState&, WaypointSlot, const RoadmapArc&, void* user) {
            return *static_cast<double*>(user);
        };
        query.filter.user = &value;
        expect_status(roadmap, query, PathStatus::unreachable);
        value = 2.0;
        expect_status(roadmap, query, PathStatus::complete, 10.0);
    }
}

}  // namespace
}  // namespace fairlead
