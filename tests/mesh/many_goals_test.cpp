// find_routes_into where some goals are reached and others are cut off by what the search alone knows: a closed area, a gap too
// narrow for the radius, a closed link. Each goal has what a search for it alone gives.
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/find_route.h>

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::grid_of;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::random_recipe;
using testing::trials;

// FAULT-1: the engine told the first goal again and again once its open list had run out.
TEST(MeshManyGoals, OneBehindAClosedArea) {
    const Grid grid = grid_of({"121"});
    const Result<NavMesh> mesh = make_grid_mesh(grid);
    ASSERT_TRUE(mesh);
    const Vec3 goals[] = {{0.9, 0.5, 0}, {2.5, 0.5, 0}, {0.4, 0.5, 0}};
    MeshQuery query{.start = {0.2, 0.5, 0}, .goal = Goal::any_of(goals), .expansions_max = 1000};
    query.filter.areas.closed = KindSet::of_mask(2);
    const std::atomic<bool> cancel{false};
    Scratch scratch;
    std::vector<Route> routes(3);
    ASSERT_TRUE(find_routes_into(*mesh, query, scratch, routes, {.cancel = &cancel}));
    EXPECT_EQ(routes[0].status, PathStatus::complete);
    EXPECT_NEAR(routes[0].length, 0.7, 1e-12);
    EXPECT_EQ(routes[1].status, PathStatus::unreachable);
    EXPECT_TRUE(routes[1].legs.empty());
    EXPECT_EQ(routes[2].status, PathStatus::complete);
    EXPECT_NEAR(routes[2].length, 0.2, 1e-12);
}

TEST(MeshManyGoals, OneBehindANarrowGap) {
    const Grid grid = grid_of({"....#....", "....#....", ".........", "....#....", "....#...."});
    const Result<NavMesh> mesh = make_grid_mesh(grid, {.radius_max = 1.0});
    ASSERT_TRUE(mesh);
    const Vec3 goals[] = {{7, 2.5, 0}, {1.5, 3.5, 0}};
    Scratch scratch;
    std::vector<Route> routes(2);
    for (const double radius : {0.4, 0.6}) {
        const MeshQuery query{
            .start = {1.5, 1.5, 0}, .goal = Goal::any_of(goals), .agent = {.radius = radius}};
        ASSERT_TRUE(find_routes_into(*mesh, query, scratch, routes));
        EXPECT_EQ(routes[0].status, radius < 0.5 ? PathStatus::complete : PathStatus::unreachable);
        EXPECT_EQ(routes[1].status, PathStatus::complete);
        EXPECT_NEAR(routes[1].length, 2.0, 1e-9);
    }
}

// What was not reached when the budget ran out is not called unreachable.
TEST(MeshManyGoals, TheBudgetEndsBetweenGoals) {
    Rng rng(431);
    Scratch scratch;
    int between = 0;
    for (int world = 0; world < trials(40); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 12, .height = 12, .blocked_percent = 30});
        const NavMesh mesh = plain.make();
        const OracleMesh shape = oracle_mesh(plain);
        std::vector<Vec3> goals(4);
        for (Vec3& goal : goals) goal = testing::on_floor(random_mesh_point(rng, shape).at);
        MeshQuery query{.start = testing::on_floor(random_mesh_point(rng, shape).at),
                        .goal = Goal::any_of(goals)};
        std::vector<Route> whole(4), cut(4);
        ASSERT_TRUE(find_routes_into(mesh, query, scratch, whole));
        query.expansions_max = 1 + rng.below(60);
        ASSERT_TRUE(find_routes_into(mesh, query, scratch, cut));
        for (std::size_t i = 0; i < 4; ++i) {
            if (cut[i].status == PathStatus::budget_spent) {
                EXPECT_TRUE(cut[i].legs.empty());
                ++between;
            } else {
                EXPECT_EQ(cut[i].status, whole[i].status);
                EXPECT_EQ(cut[i].length, whole[i].length);
            }
        }
    }
    EXPECT_GT(between, trials(40) / 4);
}

TEST(MeshManyGoals, EachIsAsIfItWereAlone) {
    Rng rng(432);
    Scratch scratch;
    int reached = 0, cut_off = 0, mixed = 0;
    for (int world = 0; world < trials(300); ++world) {
        testing::MeshRecipe recipe = random_recipe(rng);
        recipe.areas = 3;
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make(rng.below(2) * 4, {}, 2.0);
        const OracleMesh shape = oracle_mesh(plain);
        std::vector<Vec3> goals(1 + rng.below(12));
        for (Vec3& goal : goals) goal = testing::on_floor(random_mesh_point(rng, shape).at);
        MeshQuery query{.start = testing::on_floor(random_mesh_point(rng, shape).at),
                        .goal = Goal::any_of(goals)};
        query.filter.areas.closed = KindSet::of_mask(rng.below(8));
        query.agent.radius = rng.below(2) == 0 ? 0.0 : 0.05 * rng.between(1, 39);
        std::vector<Route> routes(goals.size());
        ASSERT_TRUE(find_routes_into(mesh, query, scratch, routes));
        bool some = false, others = false;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            MeshQuery one = query;
            one.goal = goals[i];
            const Result<Route> alone = find_route(mesh, one, scratch);
            ASSERT_TRUE(alone);
            // Where the start is nowhere no goal was looked at.
            ASSERT_EQ(routes[i].status, alone->status) << "world " << world << " goal " << i;
            ASSERT_NEAR(routes[i].length, alone->length, 1e-9 * (1.0 + alone->length)) << "world " << world;
            const bool complete = alone->status == PathStatus::complete;
            const bool unreachable = alone->status == PathStatus::unreachable;
            some |= complete;
            others |= unreachable;
            reached += complete ? 1 : 0;
            cut_off += unreachable ? 1 : 0;
        }
        mixed += some && others ? 1 : 0;
    }
    EXPECT_GT(reached, trials(200));
    EXPECT_GT(cut_off, trials(100));
    EXPECT_GT(mixed, trials(30));
}

}  // namespace
}  // namespace fairlead
