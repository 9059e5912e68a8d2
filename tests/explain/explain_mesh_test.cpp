// Why a disc has no way over a level mesh: named scenes. Random meshes are in explain_mesh_random_test.cpp.
#include <gtest/gtest.h>

#include <string>

#include <fairlead/explain/explain.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "explain/why_not_mesh.h"
#include "support/cell_mesh.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

// Two halls and a door of 2 units between them; areas: 3 is a pool in the left one, 5 the door of a closet in the right one.
NavMesh halls(double radius_max = 3.0, std::span<const MeshLink> links = {}, double agent_radius = 0.0) {
    PlainMesh plain = cell_mesh({
        "##########################",
        "#..........###...........#",
        "#..........###...........#",
        "#..........###....#####..#",
        "#..333.....###....#...#..#",
        "#..333............5...#..#",
        "#..333............5...#..#",
        "#..........###....#####..#",
        "#..........###...........#",
        "#..........###...........#",
        "##########################",
    });
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    Result<NavMesh> made = NavMesh::make({.agent_radius = agent_radius,
                                          .radius_max = radius_max,
                                          .tiles = {&tile, 1},
                                          .links = {links.data(), links.size()}});
    FAIRLEAD_ASSERT(made.has_value());
    return std::move(*made);
}

TEST(ExplainMesh, TheDoorIsTheTightestPlace) {
    const NavMesh level = halls();
    const MeshQuery query{.start = {2.0, 5.0, 0.0}, .goal = Vec3{15.5, 8.0, 0.0}, .agent = {.radius = 1.4}};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.world, ExplainWorld::mesh);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.status, PathStatus::unreachable);
    const Help& help = why.help(HelpKind::smaller_body);
    ASSERT_EQ(help.proof, Proof::found);
    EXPECT_EQ(help.value, 1.0);
    EXPECT_LE(help.failed, 1.00001);
    ASSERT_TRUE(why.has_place);
    EXPECT_EQ(why.width, 2.0);
    EXPECT_EQ(why.place.position.y, 5.0);
    EXPECT_GE(why.place.position.x, 11.0);
    EXPECT_LE(why.place.position.x, 14.0);
    EXPECT_LE(why.trials, 4);
    const std::string text = why.text().c_str();
    EXPECT_EQ(text.substr(0, 12), "blocked at (") << text;
    EXPECT_NE(text.find(", 5, 0): would need radius <= 1"), std::string::npos) << text;
    MeshQuery narrow = query;
    narrow.agent.radius = help.value;
    EXPECT_EQ(why_not(level, narrow).reason, ExplainReason::none);
    EXPECT_STREQ(why_not(level, narrow).text().c_str(), "there is a route");
}

// A mesh that keeps 0.25 from the walls of its level: its doors are so much wider for the units.
TEST(ExplainMesh, WhatTheSurfaceKeepsFromWallsCounts) {
    const NavMesh level = halls(3.0, {}, 0.25);
    const MeshQuery query{.start = {2.0, 5.0, 0.0}, .goal = Vec3{15.5, 8.0, 0.0}, .agent = {.radius = 1.4}};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.help(HelpKind::smaller_body).value, 1.25);
    EXPECT_EQ(why.width, 2.5);
}

TEST(ExplainMesh, EndsThatAreTooTight) {
    const NavMesh level = halls();
    MeshQuery query{.start = {12.5, 5.0, 0.0},
                    .goal = Vec3{5.0, 2.5, 0.0},
                    .agent = {.radius = 1.25},
                    .reach = {.across = 0.5}};
    Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_FALSE(why.goal_side);
    EXPECT_EQ(why.place.position, (Vec3{12.5, 5.0, 0.0}));
    EXPECT_EQ(why.width, 2.0);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::smaller_body).value, 1.0);
    const Help& moved = why.help(HelpKind::move_start);
    ASSERT_EQ(moved.proof, Proof::found);
    EXPECT_LT(moved.place.position.x, 11.0);  // a little beyond the door's mouth, on the goal's side
    EXPECT_NEAR(moved.value, 2.25, 0.3);
    EXPECT_EQ(std::string(why.text().c_str()).substr(0, 54),
              "the body does not fit at the start (12.5, 5, 0): would");
    std::swap(query.start, query.goal.at);
    why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::goal_blocked);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.help(HelpKind::move_goal).proof, Proof::found);
}

TEST(ExplainMesh, EndsOffTheSurface) {
    const NavMesh level = halls();
    MeshQuery query{.start = {6.0, 30.0, 0.0}, .goal = Vec3{5.0, 2.5, 0.0}};
    Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_EQ(why.status, PathStatus::off_world);
    EXPECT_EQ(why.place.position, (Vec3{6.0, 30.0, 0.0}));
    EXPECT_EQ(why.help(HelpKind::move_start).place.position, (Vec3{6.0, 10.0, 0.0}));
    EXPECT_EQ(why.help(HelpKind::move_start).value, 20.0);
    EXPECT_STREQ(why.text().c_str(),
                 "no surface is within reach of the start (6, 30, 0): would need to start at (6, 10, 0)");
    // In the box around the mesh, far below its floor.
    query = {.start = {6.0, 5.0, 0.0}, .goal = Vec3{5.0, 2.5, -9.0}};
    why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_EQ(why.status, PathStatus::goal_blocked);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.help(HelpKind::move_goal).place.position, (Vec3{5.0, 2.5, 0.0}));
    // A unit with a radius is put clear of the wall.
    query = {.start = {6.0, 30.0, 0.0}, .goal = Vec3{5.0, 2.5, 0.0}, .agent = {.radius = 0.5}};
    why = why_not(level, query);
    EXPECT_NEAR(why.help(HelpKind::move_start).place.position.y, 9.5, 1e-5);
    EXPECT_EQ(why.help(HelpKind::move_start).proof, Proof::found);
}

TEST(ExplainMesh, AnEndOnAClosedArea) {
    const NavMesh level = halls();
    MeshQuery query{.start = {4.5, 5.5, 0.0},
                    .goal = Vec3{8.0, 2.5, 0.0},
                    .reach = {.across = 0.5},
                    .filter = {.areas = {.closed = {3, 7}}}};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_EQ(why.closed_area, 3);
    const Help& open = why.help(HelpKind::open_terrain);
    EXPECT_EQ(open.proof, Proof::found);
    EXPECT_EQ(open.terrain[0], 1U << 3);
    EXPECT_EQ(open.links, 0U);
    EXPECT_EQ(why.help(HelpKind::move_start).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::move_start).value, 1.5);
    EXPECT_EQ(std::string(why.text().c_str()).substr(0, 92),
              "the start (4.5, 5.5, 0) is on area 3, which the filter closes: would need area 3 open, or to");
}

TEST(ExplainMesh, AClosedDoorMakesAPocket) {
    const NavMesh level = halls();
    MeshQuery query{.start = {5.0, 2.5, 0.0},
                    .goal = Vec3{20.5, 5.5, 0.0},
                    .agent = {.radius = 0.5},
                    .filter = {.areas = {.closed = {3, 5}}}};
    Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.ground_area, 9.0);
    EXPECT_GE(why.area, 1);
    EXPECT_FALSE(why.one_way);
    const Help& open = why.help(HelpKind::open_terrain);
    EXPECT_EQ(open.proof, Proof::found);
    EXPECT_EQ(open.terrain[0], 1U << 5);  // the pool can be spared
    EXPECT_EQ(why.help(HelpKind::move_goal).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::move_start).proof, Proof::found);
    EXPECT_GE(why.help(HelpKind::move_start).place.position.x, 19.0);
    const std::string text = why.text().c_str();
    EXPECT_EQ(text.find("no surface joins the two: the goal is closed in, on "), 0U) << text;
    EXPECT_NE(text.find(", 9 square units: would need area 5 open, or to start at ("), std::string::npos)
        << text;
    // The closet's door is 2 wide: a wide unit is not helped by opening it.
    query.agent.radius = 1.2;
    why = why_not(level, query);
    EXPECT_EQ(why.help(HelpKind::open_terrain).proof, Proof::none);
}

// Factors of 0 close, and with a radius all open areas must cost the same: what is opened then costs that, too.
TEST(ExplainMesh, AreasClosedByAFactor) {
    const NavMesh level = halls();
    std::vector<double> factors(kAreasMax, 2.0);
    factors[5] = 0.0;
    MeshQuery query{.start = {5.0, 2.5, 0.0}, .goal = Vec3{20.5, 5.5, 0.0}, .agent = {.radius = 0.5}};
    query.filter.areas.factors = factors;
    EXPECT_EQ(why_not(level, query).help(HelpKind::open_terrain).terrain[0], 1U << 5);
    query.agent.radius = 0.0;
    factors[3] = 1.0;
    EXPECT_EQ(why_not(level, query).help(HelpKind::open_terrain).terrain[0], 1U << 5);
}

TEST(ExplainMesh, LinksAreOpenedLikeAreas) {
    const MeshLink links[] = {{.id = 4, .from = {17.5, 6.5, 0}, .to = {19.5, 6.5, 0}, .kind = 2},
                              {.id = 5, .from = {3.5, 2.5, 0}, .to = {8.5, 2.5, 0}, .kind = 3}};
    const NavMesh level = halls(3.0, links);
    const MeshQuery query{.start = {5.0, 2.5, 0.0},
                          .goal = Vec3{20.5, 5.5, 0.0},
                          .filter = {.areas = {.closed = {5}}, .links = {.closed = {2, 3}}}};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    const Help& open = why.help(HelpKind::open_terrain);
    EXPECT_EQ(open.proof, Proof::found);
    EXPECT_EQ(open.terrain[0], 0U);  // areas are spared first
    EXPECT_EQ(open.links, 1U << 2);
    EXPECT_NE(std::string(why.text().c_str()).find("would need links of kind 2 open, or"), std::string::npos);
}

TEST(ExplainMesh, AgainstAOneWayLink) {
    const MeshLink links[] = {
        {.id = 4, .from = {19.5, 6.5, 0}, .to = {17.5, 6.5, 0}, .one_way = true, .cost = 1.0}};
    const NavMesh level = halls(3.0, links);
    const MeshQuery query{
        .start = {5.0, 2.5, 0.0}, .goal = Vec3{20.5, 5.5, 0.0}, .filter = {.areas = {.closed = {5}}}};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.goal_side);
    EXPECT_TRUE(why.one_way);
    EXPECT_NE(std::string(why.text().c_str()).find("; one-way links lead the other way alone: would need"),
              std::string::npos);
    // The other way round the start's side is left by it.
    MeshQuery back = query;
    std::swap(back.start, back.goal.at);
    EXPECT_EQ(why_not(level, back).reason, ExplainReason::none);
}

TEST(ExplainMesh, LinksThatAreTooNarrow) {
    MeshLink links[] = {{.id = 4, .from = {17.0, 5.5, 0}, .to = {20.5, 5.5, 0}, .radius_max = 0.5}};
    NavMesh level = halls(3.0, links);
    MeshQuery query{.start = {5.0, 2.5, 0.0},
                    .goal = Vec3{20.5, 5.5, 0.0},
                    .agent = {.radius = 0.75},
                    .filter = {.areas = {.closed = {5}}}};
    Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.link, 4);
    EXPECT_EQ(why.place.position, (Vec3{17.0, 5.5, 0.0}));
    EXPECT_EQ(why.width, 1.0);
    EXPECT_EQ(why.help(HelpKind::smaller_body).value, 0.5);
    EXPECT_EQ(std::string(why.text().c_str()).substr(0, 66),
              "blocked at link 4 at (17, 5.5, 0): would need radius <= 0.5, or ar");
    // An end 0.25 off a wall.
    links[0] = {.id = 9, .from = {17.0, 5.5, 0}, .to = {19.25, 6.5, 0}};
    level = halls(3.0, links);
    why = why_not(level, query, {.accuracy = 0.001});
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.link, 9);
    EXPECT_EQ(why.place.position, (Vec3{19.25, 6.5, 0.0}));
    EXPECT_EQ(why.width, 0.5);
    EXPECT_NEAR(why.help(HelpKind::smaller_body).value, 0.25, 0.001);
    EXPECT_GE(why.help(HelpKind::smaller_body).failed, 0.25);
}

TEST(ExplainMesh, SeveralGoals) {
    const NavMesh level = halls();
    const Vec3 goals[] = {{20.5, 5.5, 0.0}, {15.5, 8.0, 0.0}};
    MeshQuery query{.start = {2.0, 5.0, 0.0}, .goal = Goal::any_of(goals), .agent = {.radius = 1.4}};
    query.filter.areas.closed = {5};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.help(HelpKind::smaller_body).value, 1.0);
}

TEST(ExplainMesh, OtherPlannersAndPrices) {
    const NavMesh level = halls();
    const double factors[] = {1.0, 1.0, 1.0, 4.0, 1.0, 0.0};
    for (const MeshPlanner planner : {MeshPlanner::corridor, MeshPlanner::portal_midpoints}) {
        MeshQuery query{.start = {5.0, 2.5, 0.0}, .goal = Vec3{20.5, 5.5, 0.0}, .planner = planner};
        query.filter.areas.factors = factors;
        const Explanation why = why_not(level, query);
        EXPECT_EQ(why.reason, ExplainReason::sealed);
        EXPECT_EQ(why.ground_area, 9.0);
        EXPECT_EQ(why.help(HelpKind::open_terrain).terrain[0], 1U << 5);
    }
}

TEST(ExplainMesh, BudgetsAndErrors) {
    const NavMesh level = halls();
    const MeshQuery query{.start = {2.0, 5.0, 0.0}, .goal = Vec3{15.5, 8.0, 0.0}, .agent = {.radius = 1.4}};
    EXPECT_EQ(why_not(level, query, {.expansions = 0}).reason, ExplainReason::budget_spent);
    EXPECT_STREQ(why_not(level, query, {.expansions = 0}).text().c_str(),
                 "not known: the budget was spent first");
    const Explanation whole = why_not(level, query);
    bool known = false, helped = false;
    for (std::uint64_t n = 0; n <= whole.expanded + 64; ++n) {
        const Explanation why = why_not(level, query, {.expansions = n});
        EXPECT_LE(why.expanded, n + 64);
        EXPECT_TRUE(why.reason == ExplainReason::budget_spent || why.reason == ExplainReason::too_wide);
        const Proof proof = why.help(HelpKind::smaller_body).proof;
        EXPECT_TRUE(proof == Proof::found || proof == Proof::not_looked || proof == Proof::not_asked) << n;
        EXPECT_TRUE(why.reason == ExplainReason::too_wide || !known) << n;
        known = known || why.reason == ExplainReason::too_wide;
        helped = helped || proof == Proof::found;
    }
    EXPECT_TRUE(known && helped);
    const Explanation few = why_not(level, query, {.trials_max = 0});
    EXPECT_EQ(few.reason, ExplainReason::too_wide);
    EXPECT_EQ(few.help(HelpKind::smaller_body).proof, Proof::not_looked);
    EXPECT_NE(std::string(few.text().c_str()).find("; not all that may help was looked at"),
              std::string::npos);
    Scratch scratch;
    EXPECT_EQ(explain(level, query, scratch, {.accuracy = 2.0}).error(),
              (Error{ErrorCode::out_of_range, Field::accuracy}));
    MeshQuery bad = query;
    bad.agent.radius = 7.0;
    EXPECT_EQ(explain(level, bad, scratch).error().field, Field::agent_radius);
    bad = query;
    bad.goal = Goal::within(Vec3{1, 1, 0}, 2.0);
    EXPECT_EQ(explain(level, bad, scratch).error().field, Field::goal);
}

TEST(ExplainMesh, EveryFailedAllocationIsAnError) {
    const MeshLink links[] = {{.id = 4, .from = {17.0, 5.5, 0}, .to = {20.5, 5.5, 0}, .radius_max = 0.5}};
    const NavMesh level = halls(3.0, links);
    MeshQuery wide{.start = {2.0, 5.0, 0.0},
                   .goal = Vec3{15.5, 8.0, 0.0},
                   .agent = {.radius = 1.4},
                   .filter = {.areas = {.closed = {5}}}};
    MeshQuery sealed = wide, blocked = wide;
    sealed.goal = Vec3{20.5, 5.5, 0.0};
    sealed.filter.links.closed = {0};
    blocked.start = Vec3{12.5, 5.0, 0.0};
    blocked.reach.across = 0.5;
    for (const MeshQuery& query : {wide, sealed, blocked}) {
        int failures = 0;
        for (int n = 0;; n += 1 + n / 2) {
            TestAllocator memory;
            Scratch starved(memory.allocator());
            memory.fail_after(n, false);
            const Result<Explanation> why = explain(level, query, starved);
            const bool failed = memory.feed();
            EXPECT_EQ(failed, !why);
            if (!failed) break;
            EXPECT_EQ(why.error().code, ErrorCode::out_of_memory);
            EXPECT_TRUE(explain(level, query, starved));
            ++failures;
        }
        EXPECT_GT(failures, 5);
    }
}

}  // namespace
}  // namespace fairlead::testing
