// Turning units on level meshes: what is promised of statuses, errors, floors, slices and memory.
#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "bridge/mesh_cars.h"
#include "support/bodies.h"
#include "support/driven_by.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/levels.h"
#include "support/plain_mesh.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::PlainMesh;
using testing::spiral_mesh;
using testing::trials;

MeshDriveQuery without_second_look(MeshDriveQuery query) {
    query.lattice.refine = false;
    return query;
}

Result<Route> drive(const NavMeshState& mesh, const Place& start, const Place& goal,
                    const Agent& agent = kCar) {
    Scratch scratch;
    return find_route(mesh, MeshDriveQuery{.start = start, .goal = goal, .agent = agent}, scratch);
}

// A spent budget: the way to the best pose so far, legal, the same in slices, and with more budget never farther from the goal above,
// which is far along the ramp though near as the crow flies.
TEST(MeshDrive, TheBestSoFarOfASpentBudget) {
    const NavMesh mesh = two_halls().make();
    const Result<DriveTable> table = make_mesh_drive_table(kCar);
    ASSERT_TRUE(table);
    Scratch scratch;
    MeshDriveQuery query{.start = {{5.3, 5.2, 0}, 0.1}, .goal = {{5, 5, 4}, 0.0}, .agent = kCar};
    double before = 0.0;
    int ways = 0;
    for (const bool smooth : {true, false}) {
        for (std::uint64_t budget = 0; budget < 120; budget += 7) {
            query.smooth = smooth;
            query.expansions_max = budget;
            query.partial = true;
            const Result<Route> way = find_route(mesh, driven_by(*table, query), scratch);
            ASSERT_TRUE(way);
            EXPECT_LEGAL(verify(*way, mesh, kCar));
            MeshDriveSearch sliced(mesh, driven_by(*table, query), scratch);
            while (sliced.step(3)) {
            }
            Route parts;
            ASSERT_TRUE(sliced.take(parts));
            EXPECT_EQ(parts.status, way->status);
            EXPECT_EQ(parts.cost, way->cost);
            EXPECT_EQ(parts.end, way->end);
            if (way->status == PathStatus::complete) break;
            ASSERT_EQ(way->status, PathStatus::budget_spent);
            EXPECT_EQ(way->bound, kNoBound);
            if (!way->legs.empty()) {
                ++ways;
                EXPECT_GE(way->end.position.x + 20.0 * way->end.position.z, before - 2.0);
                before = way->end.position.x + 20.0 * way->end.position.z;
            }
            query.partial = false;
            const Result<Route> without = find_route(mesh, driven_by(*table, query), scratch);
            EXPECT_EQ(without->status, PathStatus::budget_spent);
            EXPECT_TRUE(without->legs.empty());
        }
        before = 0.0;
    }
    EXPECT_GT(ways, 10);
    // Cancelled: the same, not smoothed.
    std::atomic<bool> cancel{false};
    query.partial = true;
    query.expansions_max = UINT64_MAX;
    MeshDriveSearch search(mesh, driven_by(*table, query), scratch, {.cancel = &cancel});
    search.step(40);
    ASSERT_TRUE(search.running());
    cancel = true;
    while (search.step(1000)) {
    }
    Route way;
    ASSERT_TRUE(search.take(way));
    EXPECT_EQ(way.status, PathStatus::budget_spent);
    EXPECT_FALSE(way.legs.empty());
    EXPECT_LEGAL(verify(way, mesh, kCar));
}

TEST(MeshDrive, FromFloorToFloor) {
    const NavMesh mesh = two_halls().make();
    const Place below{{5, 5, 0}, 0.0}, above{{5, 5, 4}, 0.0};
    const Result<Route> up = drive(mesh, below, above);
    ASSERT_TRUE(up);
    ASSERT_EQ(up->status, PathStatus::complete);
    EXPECT_LEGAL(verify(*up, mesh, kCar));
    EXPECT_GT(up->length, 2 * 25.0);  // along the ramp to the landing, and back
    EXPECT_EQ(up->end.position, above.position);
    EXPECT_EQ(up->end.heading_rad, above.heading_rad);
    EXPECT_EQ(up->legs[0].start.position, below.position);
    double low = 4.0, high = 0.0;
    for (const Leg& leg : up->legs) {
        low = std::min(low, leg.start.position.z);
        high = std::max(high, leg.start.position.z);
    }
    EXPECT_EQ(low, 0.0);
    EXPECT_GE(high, 2.0);
    // On one floor it is a few steps.
    const Result<Route> near = drive(mesh, below, {{9, 5, 0}, 0.0});
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->length, 4.0, 1e-9);
    const Result<Route> near_above = drive(mesh, above, {{9, 5, 4}, 0.0});
    ASSERT_TRUE(near_above);
    EXPECT_NEAR(near_above->length, 4.0, 1e-9);
    EXPECT_LEGAL(verify(*near_above, mesh, kCar));
}

TEST(MeshDrive, UpASpiralWhoseTurnsLieOverEachOther) {
    const NavMesh mesh = spiral_mesh(12, 3, 0.5).make();
    for (const bool box : {false, true}) {
        Agent agent = kCar;
        if (box) {
            agent = testing::box_body(1.6, 0.8, 0.4);
            agent.turning_radius = 2.0;
        }
        // In the middle of the first step, and of the last one but one, which lies over step 10 of the first turn.
        const double foot = kTwoPi / 24.0, top = kTwoPi * 21.0 / 24.0;
        const Place start{{6.5 * std::cos(foot), 6.5 * std::sin(foot), 0.25}, foot + kHalfPi};
        const Place goal{{6.5 * std::cos(top), 6.5 * std::sin(top), 0.5 * 34.5}, top + kHalfPi};
        Scratch scratch;
        const MeshDriveQuery query{
            .start = start, .goal = goal, .agent = agent, .reach = {.above = 0.5, .below = 0.5}};
        const Result<Route> way = find_route(mesh, query, scratch);
        ASSERT_TRUE(way);
        ASSERT_EQ(way->status, PathStatus::complete) << box;
        EXPECT_LEGAL(verify(*way, mesh, agent, {.height_slack = 0.1}));
        EXPECT_GT(way->length, 2.8 * kTwoPi * 4.0);
        EXPECT_LT(way->length, 2.9 * kTwoPi * 9.0);
    }
}

TEST(MeshDrive, Statuses) {
    PlainMesh plain = two_halls();
    // An island.
    const auto first = static_cast<std::uint32_t>(plain.vertices.size());
    for (const Vec3 v : {Vec3{50, 0, 0}, Vec3{60, 0, 0}, Vec3{60, 10, 0}, Vec3{50, 10, 0}})
        plain.vertices.push_back(v);
    plain.polygons.push_back({first, first + 1, first + 2, first + 3});
    const NavMesh mesh = plain.make();
    const Place here{{5, 5, 0}, 0.0};
    const auto status = [&](const Place& start, const Place& goal) {
        const Result<Route> route = drive(mesh, start, goal);
        EXPECT_TRUE(route);
        EXPECT_TRUE(route->legs.empty());
        return route->status;
    };
    EXPECT_EQ(status(here, {{55, 5, 0}, 0.0}), PathStatus::unreachable);
    EXPECT_EQ(status(here, {{45, 5, 0}, 0.0}), PathStatus::goal_blocked);
    EXPECT_EQ(status({{45, 5, 0}, 0.0}, here), PathStatus::start_blocked);
    EXPECT_EQ(status({{5, 9.7, 0}, 0.0}, here), PathStatus::start_blocked);  // the body is in the wall
    EXPECT_EQ(status(here, {{5, 5, 20}, 0.0}), PathStatus::goal_blocked);    // no floor at this height
    EXPECT_EQ(status(here, {{5, -1, 0}, 0.0}), PathStatus::off_world);
    EXPECT_EQ(status(here, here), PathStatus::complete);
}

TEST(MeshDrive, ABodyNoLargerThanTheMeshIsForGoesWhereAPointGoes) {
    PlainMesh plain = two_halls();
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const Result<NavMesh> mesh = NavMesh::make({.agent_radius = 0.4, .tiles = {&tile, 1}});
    ASSERT_TRUE(mesh);
    const Place wall{{5, 10, 0}, 0.0};
    const Result<Route> way = drive(*mesh, wall, {{15, 10, 0}, 0.0});
    ASSERT_TRUE(way);
    EXPECT_EQ(way->status, PathStatus::complete);
    EXPECT_LEGAL(verify(*way, *mesh, kCar));
    EXPECT_EQ(drive(*mesh, wall, {{15, 10, 0}, 0.0}, {.radius = 0.5, .turning_radius = 1.2}).value().status,
              PathStatus::start_blocked);
    // Beside the wall, as far as it is larger.
    const Agent large{.radius = 0.5, .turning_radius = 1.2};
    const Result<Route> beside = drive(*mesh, {{5, 9.9, 0}, 0.0}, {{15, 9.9, 0}, 0.0}, large);
    ASSERT_TRUE(beside);
    EXPECT_EQ(beside->status, PathStatus::complete);
    EXPECT_LEGAL(verify(*beside, *mesh, large));
}

TEST(MeshDrive, ClosedAreasAreWalls) {
    PlainMesh plain = two_halls();
    plain.areas = {0, 3, 0, 0, 0};
    const NavMesh mesh = plain.make();
    Scratch scratch;
    MeshDriveQuery query{.start = {{5, 5, 0}, 0.0}, .goal = {{5, 5, 4}, 0.0}, .agent = kCar};
    EXPECT_EQ(find_route(mesh, query, scratch).value().status, PathStatus::complete);
    query.filter.areas.closed = KindSet::of_mask(1U << 3);
    EXPECT_EQ(find_route(mesh, query, scratch).value().status, PathStatus::unreachable);
}

TEST(MeshDrive, Errors) {
    const NavMesh mesh = two_halls().make();
    Scratch scratch;
    const MeshDriveQuery good{.start = {{5, 5, 0}, 0.0}, .goal = {{9, 5, 0}, 0.0}, .agent = kCar};
    const auto error = [&](auto change) {
        MeshDriveQuery query = good;
        change(query);
        Route route;
        route.length = 1.0;
        const Result<void> done = find_route_into(mesh, query, scratch, route);
        EXPECT_FALSE(done);
        EXPECT_EQ(route.length, 0.0);
        return done ? Error{} : done.error();
    };
    const auto expect = [](const Error& is, ErrorCode code, Field field, std::int64_t index = -1) {
        EXPECT_EQ(is.code, code);
        EXPECT_EQ(is.field, field) << field_name(is.field);
        EXPECT_EQ(is.index, index);
    };
    const double nan = std::nan("");
    expect(error([&](auto& q) { q.start.position.z = nan; }), ErrorCode::not_finite, Field::start);
    expect(error([&](auto& q) { q.goal.at.heading_rad = INFINITY; }), ErrorCode::not_finite,
           Field::goal_heading);
    expect(error([&](auto& q) { q.goal.at.position.x = 1e300; }), ErrorCode::out_of_range, Field::goal);
    expect(error([](auto& q) { q.agent.turning_radius = 0.0; }), ErrorCode::out_of_range,
           Field::agent_turning_radius);
    expect(error([](auto& q) { q.agent.footprint = 2; }), ErrorCode::incompatible, Field::agent_footprint);
    expect(error([](auto& q) { q.reach.above = -1.0; }), ErrorCode::out_of_range, Field::reach);
    const std::vector<double> costs(kAreasMax + 1, 1.0);
    expect(error([&](auto& q) { q.filter.areas.factors = costs; }), ErrorCode::size_limit, Field::areas);
    expect(error([](auto& q) { q.epsilon = 0.5; }), ErrorCode::out_of_range, Field::epsilon);
    expect(error([](auto& q) { q.reverse_penalty = 1e9; }), ErrorCode::out_of_range, Field::reverse_penalty);
    expect(error([&](auto& q) { q.cusp_penalty = nan; }), ErrorCode::not_finite, Field::cusp_penalty);
    expect(error([](auto& q) { q.pivot_penalty = -1.0; }), ErrorCode::out_of_range, Field::pivot_penalty);
    expect(error([&](auto& q) { q.start.heading_tolerance_rad = -1.0; }), ErrorCode::out_of_range,
           Field::start_heading);
    expect(error([&](auto& q) { q.goal = Goal::within(q.goal.at, nan); }), ErrorCode::not_finite,
           Field::goal_range);
    const Spot tile = Spot(Cell{5, 5}).facing(0.0);
    expect(error([&](auto& q) { q.start = tile; }), ErrorCode::unsupported, Field::start);
    const Vec3 exits[] = {{9, 5, 0}, {9, 6, 0}};
    for (const Goal& goal : {Goal(WaypointId{1}), Goal::adjacent(good.goal.at), Goal::any_of(exits)})
        expect(error([&](auto& q) { q.goal = goal; }), ErrorCode::unsupported, Field::goal);
}

/// A level of boxes and slabs, baked for units of radius 0.4.
TEST(MeshDrive, RandomLevelsAllRoutesAreLegalAndSlicesDoNotMatter) {
    Rng rng(11);
    Scratch scratch, other;
    int complete = 0, total = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Result<NavMesh> mesh = random_level(rng);
        ASSERT_TRUE(mesh);
        if (mesh->state().polygons() == 0) continue;
        const Agent agent = random_agent(rng);
        const Result<DriveTable> table = make_mesh_drive_table(agent);
        ASSERT_TRUE(table);
        for (int k = 0; k < 4; ++k) {
            MeshDriveQuery query;
            query.start = {random_point(*mesh, rng).position, rng.between(-4.0, 4.0)};
            query.goal = {random_point(*mesh, rng).position, rng.between(-4.0, 4.0)};
            query.expansions_max = 20000;
            query.epsilon = rng.below(4) == 0 ? 1.0 : 1.4;
            Route route, sliced;
            ASSERT_TRUE(find_route_into(*mesh, driven_by(*table, query), scratch, route));
            ++total;
            if (route.status == PathStatus::complete) {
                ++complete;
                EXPECT_LEGAL(verify(route, *mesh, agent));
                EXPECT_EQ(ground(route.end.position), query.goal.at.ground());
                EXPECT_EQ(route.end.heading_rad, query.goal.at.heading_rad);
            }
            MeshDriveSearch search(*mesh, driven_by(*table, query), other);
            while (search.step(1 + rng.below(200))) {
            }
            ASSERT_TRUE(search.take(sliced));
            EXPECT_EQ(sliced.status, route.status);
            EXPECT_EQ(sliced.stats.digest, route.stats.digest);
            ASSERT_EQ(sliced.legs.size(), route.legs.size());
            for (std::size_t n = 0; n < route.legs.size(); ++n) EXPECT_EQ(sliced.legs[n], route.legs[n]);
        }
    }
    EXPECT_GT(complete, total / 4);
}

TEST(MeshDrive, AWarmCallAllocatesNothing) {
    const NavMesh mesh = two_halls().make();
    Scratch scratch;
    Route route;
    const MeshDriveQuery query{.start = {{5, 5, 0}, 1.0}, .goal = {{5.3, 5, 4}, 2.0}, .agent = kCar};
    ASSERT_TRUE(find_route_into(mesh, query, scratch, route));
    ASSERT_EQ(route.status, PathStatus::complete);
    const std::uint64_t before = testing::heap_calls();
    ASSERT_TRUE(find_route_into(mesh, query, scratch, route));
    EXPECT_EQ(testing::heap_calls(), before);
}

/// Two halls, and an alley between them that runs aslant: no pose of a lattice lies in it but by chance.
PlainMesh alley(double width, double slope) {
    PlainMesh plain;
    const double y = 4.03, rise = 9.0 * slope;
    plain.vertices = {{0, 0, 0},   {10, 0, 0},  {10, y, 0},        {10, y + width, 0},
                      {10, 12, 0}, {0, 12, 0},  {19, y + rise, 0}, {19, y + rise + width, 0},
                      {19, -2, 0}, {30, -2, 0}, {30, 14, 0},       {19, 14, 0}};
    plain.polygons = {{0, 1, 2, 3, 4, 5}, {2, 6, 7, 3}, {8, 9, 10, 11, 7, 6}};
    return plain;
}

TEST(MeshDrive, ThroughAGapThatNoPoseOfTheLatticeLiesIn) {
    for (const double slope : {0.0, 0.17, -0.38, 0.61}) {
        for (const double width : {0.05, 0.2}) {
            PlainMesh plain = alley(width, slope);
            plain.flatten();
            const NavMeshTile tile = plain.tile();
            const Result<NavMesh> mesh = NavMesh::make({.agent_radius = 0.4, .tiles = {&tile, 1}});
            ASSERT_TRUE(mesh);
            Scratch scratch;
            const MeshDriveQuery query{.start = {{3, 6, 0}, 2.0}, .goal = {{26, 6, 0}, 1.0}, .agent = kCar};
            const Result<Route> way = find_route(*mesh, without_second_look(query), scratch);
            ASSERT_TRUE(way);
            ASSERT_EQ(way->status, PathStatus::complete) << slope << " " << width;
            EXPECT_LEGAL(verify(*way, *mesh, kCar));
            const Result<Route> walk =
                find_route(*mesh, MeshQuery{.start = query.start, .goal = query.goal}, scratch);
            ASSERT_TRUE(walk);
            EXPECT_LT(way->length, walk->length + kTwoPi * kCar.turning_radius);
        }
    }
}

TEST(MeshDrive, AGoalThatCanOnlyBeFacedAfterADetour) {
    // A long hall; the goal stands before its east wall and looks west, so a unit that cannot reverse comes from where it cannot
    // turn: there is no way. With room for a turn behind it there is one, however far the start is.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},  {80, 0, 0}, {80, 1, 0}, {80, 30, 0},
                      {0, 30, 0}, {90, 0, 0}, {90, 1, 0}, {90, 30, 0}};
    plain.polygons = {{0, 1, 2, 3, 4}, {1, 5, 6, 2}, {2, 6, 7, 3}};
    const Agent forward{.radius = 0.4, .turning_radius = 3.0};
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const Result<NavMesh> mesh = NavMesh::make({.agent_radius = 0.4, .tiles = {&tile, 1}});
    ASSERT_TRUE(mesh);
    Scratch scratch;
    const auto drive_to = [&](double x) {
        const MeshDriveQuery query{.start = {{3, 15, 0}, 0.0}, .goal = {{x, 15, 0}, kPi}, .agent = forward};
        return find_route(*mesh, query, scratch);
    };
    const Result<Route> stuck = drive_to(88.0);
    ASSERT_TRUE(stuck);
    EXPECT_EQ(stuck->status, PathStatus::unreachable);
    EXPECT_LT(stuck->stats.expanded, 40000U);
    const Result<Route> way = drive_to(80.0);
    ASSERT_TRUE(way);
    ASSERT_EQ(way->status, PathStatus::complete);
    EXPECT_LEGAL(verify(*way, *mesh, forward));
}

TEST(MeshDrive, LinksAreNotTaken) {
    NavMesh mesh = two_halls().make();
    Scratch scratch;
    const MeshDriveQuery query{.start = {{5, 5, 0}, 0.0}, .goal = {{9, 5, 4}, 0.0}, .agent = kCar};
    const Result<Route> before = find_route(mesh, query, scratch);
    // A jump to the floor above, and the same way round as a lift would.
    const MeshEdit put[] = {MeshEdit::add_link({.id = 1, .from = {6, 5, 0}, .to = {7, 5, 4}, .cost = 0.0}),
                            MeshEdit::add_link({.id = 2, .from = {7, 5, 0}, .to = {7, 5, 4}, .kind = 3})};
    ASSERT_TRUE(mesh.apply(put));
    ASSERT_TRUE(mesh.state().link(1)->awake);
    const Result<Route> after = find_route(mesh, query, scratch);
    ASSERT_TRUE(before && after);
    ASSERT_EQ(after->status, PathStatus::complete);
    EXPECT_EQ(after->length, before->length);
    for (const Leg& leg : after->legs) EXPECT_NE(leg.kind, LegKind::link);
    // Where only a link leads, there is no way.
    const MeshEdit crate[] = {MeshEdit::add(9, MeshObstacle::box({25, 2.5}, {0.5, 2.5}, 0.0, 0.0, 3.0))};
    ASSERT_TRUE(mesh.apply(crate));
    const Result<Route> none = find_route(mesh, query, scratch);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->status, PathStatus::unreachable);
    const Result<Route> walk = find_route(mesh, MeshQuery{.start = query.start, .goal = query.goal}, scratch);
    ASSERT_TRUE(walk);
    EXPECT_EQ(walk->status, PathStatus::complete);  // who can jump gets there
}

TEST(MeshDrive, ASnapshotIsSearchedOnWhileTheMeshChanges) {
    NavMesh mesh = two_halls().make();
    const NavMeshSnapshot frozen = mesh.acquire();
    const Result<DriveTable> table = make_mesh_drive_table(kCar);
    ASSERT_TRUE(table);
    Scratch scratch;
    const MeshDriveQuery query{.start = {{5, 5, 0}, 0.0}, .goal = {{5, 5, 4}, 0.0}};
    MeshDriveSearch search(frozen, driven_by(*table, query), scratch);
    (void)search.step(20);
    // A crate across the ramp.
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::box({25, 2.5}, {0.5, 2.5}, 0.0, 0.0, 3.0))};
    ASSERT_TRUE(mesh.apply(put));
    while (search.step(20)) {
    }
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_LEGAL(verify(route, *frozen, kCar));
    EXPECT_KIND(verify(route, mesh, kCar, {.check_revision = false}), wall);
    const Result<Route> now = find_route(mesh, driven_by(*table, query), scratch);
    ASSERT_TRUE(now);
    EXPECT_EQ(now->status, PathStatus::unreachable);
}

}  // namespace
}  // namespace fairlead
