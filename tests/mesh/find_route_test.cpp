// Routes on level meshes against a visibility graph; the same whatever the cut, the slicing, the tiles, the landmarks.
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::ambiguous;
using testing::MeshOracle;
using testing::MeshRecipe;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::random_recipe;
using testing::trials;

double length_of(const NavMesh& mesh, const MeshQuery& query, Scratch& scratch) {
    const Result<Route> route = find_route(mesh, query, scratch);
    EXPECT_TRUE(route);
    if (!route || route->status != PathStatus::complete) return INFINITY;
    EXPECT_EQ(route->bound, 1.0);
    return route->length;
}

TEST(MeshRoute, EqualsTheVisibilityGraph) {
    Rng rng(401);
    Scratch scratch;
    for (int world = 0; world < trials(400); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const MeshOracle oracle(shape);
        const NavMesh mesh = plain.make(rng.below(2) == 0 ? 0 : rng.below(kLandmarksMax + 1));
        for (int i = 0; i < 50; ++i) {
            const MeshOracle::Point from = random_mesh_point(rng, shape), to = random_mesh_point(rng, shape);
            if (ambiguous(shape, oracle, from) || ambiguous(shape, oracle, to)) continue;
            const double wanted = oracle.shortest(from, to);
            const double got =
                length_of(mesh, {.start = on_floor(from.at), .goal = on_floor(to.at)}, scratch);
            if (std::isinf(wanted)) {
                ASSERT_TRUE(std::isinf(got)) << "world " << world << " query " << i;
            } else {
                ASSERT_NEAR(got, wanted, 1e-9 * (1.0 + wanted)) << "world " << world << " query " << i;
            }
        }
    }
}

TEST(MeshRoute, LandmarksOnlyLeaveOutWork) {
    // The same ways for any number of them, with coordinates of centimetres and of hundreds of kilometres; and much less is opened.
    Rng rng(431);
    Scratch scratch;
    struct Count {
        std::uint64_t opened = 0;
        static void note(const SearchEvent& event, void* user) {
            if (event.kind != TraceEventKind::generated) ++static_cast<Count*>(user)->opened;
        }
    };
    Count bare, full;
    for (int world = 0; world < trials(12); ++world) {
        PlainMesh plain = random_mesh(
            rng, {.width = 40, .height = 40, .blocked_percent = 35, .split_percent = 30, .join_percent = 30});
        const double scale = world % 3 == 0 ? 0.01 : world % 3 == 1 ? 1.0 : 4096.0;
        for (Vec3& vertex : plain.vertices) vertex = vertex * scale;
        const NavMesh meshes[] = {plain.make(0), plain.make(rng.below(kLandmarksMax + 1)), plain.make()};
        const NavMeshState& state = meshes[0].state();
        for (int i = 0; i < 40; ++i) {
            const MeshPoint from = random_point(state, rng), to = random_point(state, rng);
            const MeshQuery query{.start = from.position, .goal = to.position};
            double lengths[3] = {};
            for (int k = 0; k < 3; ++k) {
                SearchHooks hooks;
                Count& count = k == 0 ? bare : full;
                if (k != 1) hooks.trace = {Count::note, &count};
                const Result<Route> route = find_route(meshes[k], query, scratch, hooks);
                ASSERT_TRUE(route);
                lengths[k] = route->status == PathStatus::complete ? route->length : -1.0;
            }
            const double unsure = 1e-12 * std::fabs(lengths[0]);
            ASSERT_NEAR(lengths[1], lengths[0], unsure) << "world " << world << " query " << i;
            ASSERT_NEAR(lengths[2], lengths[0], unsure) << "world " << world << " query " << i;
        }
    }
    RecordProperty("opened_without", std::to_string(bare.opened));
    RecordProperty("opened_with", std::to_string(full.opened));
    EXPECT_LT(full.opened * 2, bare.opened);
}

TEST(MeshRoute, ClosedAreasAreAsIfTheyWereNotThere) {
    Rng rng(402);
    Scratch scratch;
    for (int world = 0; world < trials(300); ++world) {
        MeshRecipe recipe = random_recipe(rng);
        recipe.areas = 4;
        recipe.blocked_percent = rng.below(20);
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const std::uint64_t closed = rng.below(15);
        const OracleMesh shape = oracle_mesh(plain, closed);
        if (shape.polygons.empty()) continue;
        const MeshOracle oracle(shape);
        const NavMesh mesh = plain.make();
        for (int i = 0; i < 30; ++i) {
            const MeshOracle::Point from = random_mesh_point(rng, shape), to = random_mesh_point(rng, shape);
            if (ambiguous(shape, oracle, from) || ambiguous(shape, oracle, to)) continue;
            const double wanted = oracle.shortest(from, to);
            const MeshQuery query{.start = on_floor(from.at),
                                  .goal = on_floor(to.at),
                                  .filter = {.areas = {.closed = KindSet::of_mask(closed)}}};
            const double got = length_of(mesh, query, scratch);
            if (std::isinf(wanted)) {
                ASSERT_TRUE(std::isinf(got)) << "world " << world << " query " << i;
            } else {
                ASSERT_NEAR(got, wanted, 1e-9 * (1.0 + wanted)) << "world " << world << " query " << i;
            }
        }
    }
}

TEST(MeshRoute, TilesChangeNothing) {
    Rng rng(403);
    Scratch scratch;
    for (int world = 0; world < trials(200); ++world) {
        MeshRecipe recipe = random_recipe(rng);
        recipe.slanted = false;
        recipe.width = 4 + static_cast<std::int32_t>(rng.below(9));
        recipe.height = 4 + static_cast<std::int32_t>(rng.below(9));
        recipe.join_percent = 0;
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const MeshOracle oracle(shape);
        const NavMesh whole = plain.make();
        const NavMesh tiled =
            plain.make_tiled(recipe.cell * (1.0 + rng.below(4)), rng.below(kLandmarksMax + 1));
        ASSERT_EQ(whole.state().polygons(), tiled.state().polygons());
        for (int i = 0; i < 30; ++i) {
            const MeshOracle::Point from = random_mesh_point(rng, shape), to = random_mesh_point(rng, shape);
            if (ambiguous(shape, oracle, from) || ambiguous(shape, oracle, to)) continue;
            const MeshQuery query{.start = on_floor(from.at), .goal = on_floor(to.at)};
            const double a = length_of(whole, query, scratch), b = length_of(tiled, query, scratch);
            if (std::isinf(a)) {
                ASSERT_TRUE(std::isinf(b)) << "world " << world << " query " << i;
            } else {
                ASSERT_NEAR(a, b, 1e-9 * (1.0 + a)) << "world " << world << " query " << i;
            }
        }
    }
}

TEST(MeshRoute, SlicesChangeNothing) {
    Rng rng(404);
    Scratch scratch;
    PlainMesh plain =
        random_mesh(rng, {.width = 40, .height = 40, .blocked_percent = 35, .join_percent = 30});
    const NavMesh mesh = plain.make();
    const OracleMesh shape = oracle_mesh(plain);
    for (int i = 0; i < 100; ++i) {
        const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                              .goal = on_floor(random_mesh_point(rng, shape).at)};
        const Result<Route> whole = find_route(mesh, query, scratch);
        ASSERT_TRUE(whole);
        MeshSearch search(mesh, query, scratch);
        while (search.step(1 + rng.below(5))) {
        }
        Route sliced;
        ASSERT_TRUE(search.take(sliced));
        EXPECT_EQ(sliced.status, whole->status);
        EXPECT_EQ(sliced.stats, whole->stats);
        EXPECT_EQ(sliced.length, whole->length);
    }
}

TEST(MeshRoute, ManyGoalsAreEachTheShortest) {
    Rng rng(405);
    Scratch scratch;
    for (int world = 0; world < trials(60); ++world) {
        PlainMesh plain =
            random_mesh(rng, {.width = 12, .height = 12, .blocked_percent = 30 + rng.below(20)});
        const NavMesh mesh = plain.make();
        const OracleMesh shape = oracle_mesh(plain);
        std::vector<Vec3> goals(1 + rng.below(20));
        for (Vec3& goal : goals) goal = on_floor(random_mesh_point(rng, shape).at);
        const Vec3 start = on_floor(random_mesh_point(rng, shape).at);
        std::vector<Route> routes(goals.size());
        const MeshQuery query{.start = start, .goal = Goal::any_of(goals)};
        ASSERT_TRUE(find_routes_into(mesh, query, scratch, routes));
        double nearest = INFINITY;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const Result<Route> alone =
                find_route(mesh, MeshQuery{.start = start, .goal = goals[i]}, scratch);
            ASSERT_TRUE(alone);
            ASSERT_EQ(routes[i].status, alone->status) << "world " << world << " goal " << i;
            ASSERT_NEAR(routes[i].length, alone->length, 1e-9 * (1.0 + alone->length)) << "world " << world;
            if (alone->status == PathStatus::complete) nearest = std::fmin(nearest, alone->length);
        }
        const double any = length_of(mesh, query, scratch);
        if (std::isinf(nearest)) {
            EXPECT_TRUE(std::isinf(any));
        } else {
            EXPECT_NEAR(any, nearest, 1e-9 * (1.0 + nearest));
        }
    }
}

TEST(MeshRoute, ARampThatWindsOverItself) {
    PlainMesh plain = testing::spiral_mesh(12, 3, 0.5);
    const NavMesh mesh = plain.make();
    Scratch scratch;
    const Vec3 bottom{6.0, 0.5, 0.1}, top{6.0, -0.5, 17.5};
    const Result<Route> up = find_route(mesh, MeshQuery{.start = bottom, .goal = top}, scratch);
    ASSERT_TRUE(up);
    ASSERT_EQ(up->status, PathStatus::complete);
    EXPECT_GT(up->length, 2.9 * kTwoPi * 4.0 * 0.98);
    EXPECT_LT(up->length, 3.0 * kTwoPi * 4.0 + 8.0);
    EXPECT_NEAR(up->end.position.z - up->legs[0].start.position.z, 17.4, 0.6);
    const Result<Route> down = find_route(mesh, MeshQuery{.start = top, .goal = bottom}, scratch);
    ASSERT_TRUE(down);
    EXPECT_NEAR(down->length, up->length, 1e-9);
    // One floor up is a whole turn away.
    const Result<Route> floor =
        find_route(mesh, MeshQuery{.start = {6.0, 0.5, 0.1}, .goal = Vec3{6.0, 0.5, 6.1}}, scratch);
    ASSERT_TRUE(floor);
    EXPECT_GT(floor->length, kTwoPi * 4.0 * 0.95);
}

TEST(MeshRoute, ThePathIsTautAndLiesOnCorners) {
    // Round the end of a wall: the corner is exact.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},   {4, 0, 0}, {6, 0, 0}, {10, 0, 0}, {10, 8, 0},
                      {10, 10, 0}, {6, 8, 1}, {4, 8, 1}, {0, 8, 0},  {0, 10, 0}};
    plain.polygons = {{0, 1, 7, 8}, {2, 3, 4, 6}, {8, 7, 6, 4, 5, 9}};
    const NavMesh mesh = plain.make();
    Scratch scratch;
    const Result<Route> route =
        find_route(mesh, MeshQuery{.start = {2, 1, 0}, .goal = Vec3{8, 1, 0}}, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->legs.size(), 3U);
    EXPECT_EQ(route->legs[1].start.position, (Vec3{4, 8, 1}));
    EXPECT_EQ(route->legs[2].start.position, (Vec3{6, 8, 1}));
    EXPECT_EQ(ground(route->end.position), (Vec2{8, 1}));
    EXPECT_DOUBLE_EQ(route->length, 2.0 * std::sqrt(4.0 + 49.0) + 2.0);
    EXPECT_STREQ(route->planner, "any_angle");
}

}  // namespace
}  // namespace fairlead
