// Routes from a table are those of the visibility graph and of the ordinary search.
#include <fairlead/mesh/mesh_table.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/mesh_obstacles.h"
#include "support/mesh_tables.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::ambiguous;
using testing::expect_same;
using testing::from_table;
using testing::make_table;
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

TEST(MeshTable, EqualsTheVisibilityGraph) {
    Rng rng(611);
    Scratch scratch;
    int unreachable = 0, bent = 0;
    for (int world = 0; world < trials(500); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const MeshOracle oracle(shape);
        const NavMesh mesh = plain.make(0);
        const MeshTable table = make_table(mesh);
        for (int i = 0; i < 50; ++i) {
            const MeshOracle::Point from = random_mesh_point(rng, shape), to = random_mesh_point(rng, shape);
            if (ambiguous(shape, oracle, from) || ambiguous(shape, oracle, to)) continue;
            const double wanted = oracle.shortest(from, to);
            const Result<Route> got = find_route(
                mesh, looked_up_in(table, MeshQuery{.start = on_floor(from.at), .goal = on_floor(to.at)}),
                scratch);
            ASSERT_TRUE(got);
            if (std::isinf(wanted)) {
                ++unreachable;
                ASSERT_EQ(got->status, PathStatus::unreachable) << "world " << world << " query " << i;
                continue;
            }
            bent += got->legs.size() > 1 ? 1 : 0;
            ASSERT_EQ(got->status, PathStatus::complete);
            ASSERT_TRUE(from_table(*got)) << "world " << world << " query " << i;
            ASSERT_NEAR(got->length, wanted, 1e-12 * (1.0 + wanted)) << "world " << world << " query " << i;
        }
    }
    EXPECT_GE(unreachable, trials(1000));
    EXPECT_GE(bent, trials(3000));
}

// Whole and in tiles; points on sides and corners, also where polygons only touch; start at the goal.
TEST(MeshTable, EqualsTheSearch) {
    Rng rng(612);
    Scratch scratch;
    for (int world = 0; world < trials(400); ++world) {
        MeshRecipe recipe = random_recipe(rng);
        const bool tiled = rng.below(2) == 0;
        if (tiled) {
            recipe.slanted = false;
            recipe.join_percent = 0;
        }
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const NavMesh mesh =
            tiled ? plain.make_tiled(recipe.cell * (1.0 + rng.below(4))) : plain.make(rng.below(3));
        const MeshTable table = make_table(mesh);
        for (int i = 0; i < 60; ++i) {
            MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                            .goal = on_floor(random_mesh_point(rng, shape).at)};
            if (rng.below(20) == 0) query.goal = query.start;
            if (rng.below(3) == 0)
                query.start = query.start.position + Vec3{rng.between(-6.0, 6.0), 0.7, 0.0};
            query.partial = rng.below(2) == 0;
            expect_same(mesh, table, query, scratch);
            ASSERT_FALSE(HasFailure()) << "world " << world << " query " << i;
        }
    }
}

// Carved by obstacles: corners at any angle, coordinates that are no whole numbers.
TEST(MeshTable, EqualsTheSearchAmongObstacles) {
    Rng rng(613);
    Scratch scratch;
    constexpr double kSize = 40.0;
    for (int world = 0; world < trials(60); ++world) {
        PlainMesh plain = random_mesh(
            rng, {.width = 10, .height = 10, .blocked_percent = 10, .split_percent = 20, .join_percent = 0});
        NavMesh mesh = plain.make_tiled(4.0 * (1.0 + rng.below(4)), kLandmarksMax, {}, rng.below(2) * 1.5);
        for (int step = 0; step < 3; ++step) {
            std::vector<MeshEdit> edits;
            for (int i = 0; i < 6; ++i)
                edits.push_back(MeshEdit::add(step * 10 + i, testing::random_obstacle(rng, kSize)));
            ASSERT_TRUE(mesh.apply(edits));
            const MeshTable table = make_table(mesh);
            for (int i = 0; i < 60; ++i) {
                const MeshQuery query{.start = {rng.between(0.0, kSize), rng.between(0.0, kSize), 0.0},
                                      .goal = Vec3{rng.between(0.0, kSize), rng.between(0.0, kSize), 0.0},
                                      .partial = rng.below(2) == 0};
                expect_same(mesh, table, query, scratch);
                ASSERT_FALSE(HasFailure()) << "world " << world << " step " << step << " query " << i;
            }
        }
    }
}

TEST(MeshTable, ARampThatWindsOverItself) {
    Rng rng(614);
    Scratch scratch;
    for (const std::int32_t steps : {3, 5, 12}) {
        PlainMesh plain = testing::spiral_mesh(steps, 3, 1.5);
        const NavMesh mesh = plain.make();
        const MeshTable table = make_table(mesh);
        const auto place = [&] {
            const std::size_t polygon = rng.below(static_cast<std::uint32_t>(plain.polygons.size()));
            const double a = rng.between(0.0, 1.0), b = rng.between(0.0, 1.0);
            const auto& ring = plain.polygons[polygon];
            const auto mix = [](Vec3 p, Vec3 q, double t) { return p + (q - p) * t; };
            return mix(mix(plain.vertices[ring[0]], plain.vertices[ring[1]], a),
                       mix(plain.vertices[ring[3]], plain.vertices[ring[2]], a), b);
        };
        for (int i = 0; i < trials(500); ++i) {
            expect_same(mesh, table, {.start = place(), .goal = place()}, scratch);
            ASSERT_FALSE(HasFailure()) << steps << " query " << i;
        }
    }
}

TEST(MeshTable, TheNearestOfSeveralGoals) {
    Rng rng(615);
    Scratch scratch;
    for (int world = 0; world < trials(60); ++world) {
        PlainMesh plain =
            random_mesh(rng, {.width = 12, .height = 12, .blocked_percent = 30 + rng.below(20)});
        const NavMesh mesh = plain.make();
        const MeshTable table = make_table(mesh);
        const OracleMesh shape = oracle_mesh(plain);
        for (int i = 0; i < 10; ++i) {
            std::vector<Vec3> goals(1 + rng.below(16));
            for (Vec3& goal : goals) goal = on_floor(random_mesh_point(rng, shape).at);
            const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                                  .goal = Goal::any_of(goals)};
            const Result<Route> searched = find_route(mesh, query, scratch);
            const Result<Route> looked_up = find_route(mesh, looked_up_in(table, query), scratch);
            ASSERT_TRUE(searched && looked_up);
            ASSERT_EQ(searched->status, looked_up->status);
            ASSERT_NEAR(searched->length, looked_up->length, 1e-12 * searched->length);
            if (searched->status == PathStatus::complete) {
                EXPECT_TRUE(from_table(*looked_up));
            }
            EXPECT_FALSE(verify(*looked_up, mesh, query.agent));
        }
    }
}

// Polygon 0 is cut off where area 1 is closed.
struct Corridor {
    PlainMesh plain;
    Corridor() {
        plain.vertices = {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}, {12, 0, 0}, {12, 9, 0},
                          {8, 9, 0}, {8, 4, 0}, {4, 4, 0}, {0, 4, 0},  {12, 4, 0}};
        plain.polygons = {{0, 1, 7, 8}, {1, 2, 6, 7}, {2, 3, 9, 6}, {6, 9, 4, 5}};
        plain.areas = {0, 1, 0, 2};
    }
};

TEST(MeshTable, WhereItDoesNotApplyTheSearchRuns) {
    Corridor level;
    const NavMesh mesh = level.plain.make(kLandmarksMax, {}, 1.0);
    const MeshTable table = make_table(mesh);
    Scratch scratch;
    const MeshQuery plain{.start = {1, 3, 0}, .goal = Vec3{9, 8, 0}};
    const auto ask = [&](const MeshQuery& query, const SearchHooks& hooks = {}) {
        const Result<Route> route = find_route(mesh, looked_up_in(table, query), scratch, hooks);
        EXPECT_TRUE(route);
        return std::string(route->planner);
    };
    EXPECT_EQ(ask(plain), "mesh_table");
    MeshQuery query = plain;
    query.agent.radius = 0.5;
    EXPECT_EQ(ask(query), "any_angle");
    query = plain;
    query.planner = MeshPlanner::corridor;
    EXPECT_EQ(ask(query), "corridor");
    query = plain;
    query.filter.areas.closed = KindSet::of_mask(1U << 5);  // no polygon has it
    EXPECT_EQ(ask(query), "mesh_table");
    query.filter.areas.closed = KindSet::of_mask(1U << 1);
    EXPECT_EQ(ask(query), "any_angle");
    std::vector<double> costs(kAreasMax, 2.0);
    query = plain;
    query.filter.areas.factors = costs;
    EXPECT_EQ(ask(query), "mesh_table");
    EXPECT_EQ(find_route(mesh, looked_up_in(table, query), scratch).value().cost,
              2.0 * find_route(mesh, looked_up_in(table, query), scratch).value().length);
    costs[2] = 0.0;
    EXPECT_EQ(ask(query), "any_angle");
    costs[2] = 3.0;
    EXPECT_EQ(find_route(mesh, query, scratch).value().cost,
              find_route(mesh, looked_up_in(table, query), scratch).value().cost);
    std::vector<Vec3> goals(17, Vec3{9, 8, 0});
    query = plain;
    query.goal = Goal::any_of(goals);
    EXPECT_EQ(ask(query), "any_angle");
    query.goal = Goal::any_of(std::span<const Vec3>(goals).first(16));
    EXPECT_EQ(ask(query), "mesh_table");
    SearchHooks seeing;
    seeing.trace.event = [](const SearchEvent&, void*) {};
    EXPECT_EQ(ask(plain, seeing), "any_angle");
    query = plain;
    query.expansions_max = 0;
    EXPECT_EQ(find_route(mesh, looked_up_in(table, query), scratch).value().status, PathStatus::budget_spent);
    const std::atomic<bool> cancel{true};
    EXPECT_EQ(find_route(mesh, looked_up_in(table, plain), scratch, {.cancel = &cancel}).value().status,
              PathStatus::budget_spent);
}

TEST(MeshTable, SlicesChangeNothing) {
    Corridor level;
    const NavMesh mesh = level.plain.make();
    const MeshTable table = make_table(mesh);
    Scratch scratch;
    const MeshQuery query{.start = {1, 3, 0}, .goal = Vec3{9, 8, 0}};
    const Result<Route> whole = find_route(mesh, looked_up_in(table, query), scratch);
    MeshSearch search(mesh, looked_up_in(table, query), scratch);
    int steps = 0;
    while (search.step(1)) ++steps;
    EXPECT_GE(steps, 3);
    Route sliced;
    ASSERT_TRUE(search.take(sliced));
    EXPECT_EQ(sliced.stats, whole->stats);
    EXPECT_EQ(sliced.length, whole->length);
}

// A door: shut, the search finds the way round; open again, the table may be attached.
TEST(MeshTable, BelongsToOneRevision) {
    Corridor level;
    NavMesh mesh = level.plain.make();
    MeshTable table = make_table(mesh);
    const NavMeshSnapshot before = mesh.acquire();
    Scratch scratch;
    const MeshQuery query{.start = {1, 3, 0}, .goal = Vec3{9, 8, 0}};
    EXPECT_TRUE(table.serves(mesh));
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::box({8.3, 4}, {0.5, 1.0}, 0.0, -1.0, 1.0))};
    ASSERT_TRUE(mesh.apply(put));
    EXPECT_FALSE(table.serves(mesh));
    const Result<Route> now = find_route(mesh, looked_up_in(table, query), scratch);
    const Result<Route> old = find_route(*before, looked_up_in(table, query), scratch);
    ASSERT_TRUE(now && old);
    EXPECT_STREQ(now->planner, "any_angle");
    EXPECT_EQ(now->length, find_route(mesh, query, scratch).value().length);
    EXPECT_STREQ(old->planner, "mesh_table");
    EXPECT_GT(now->length, old->length);
    const Result<void> shut = table.attach(mesh.acquire());
    ASSERT_FALSE(shut);
    EXPECT_EQ(shut.error(), (Error{ErrorCode::incompatible, -1, 0}));
    EXPECT_TRUE(table.serves(*before));

    const MeshEdit gone[] = {MeshEdit::remove(1)};
    ASSERT_TRUE(mesh.apply(gone));
    EXPECT_FALSE(table.serves(mesh));
    ASSERT_TRUE(table.attach(mesh.acquire()));
    EXPECT_TRUE(table.serves(mesh));
    EXPECT_FALSE(table.serves(*before));
    const Result<Route> again = find_route(mesh, looked_up_in(table, query), scratch);
    ASSERT_TRUE(again);
    EXPECT_STREQ(again->planner, "mesh_table");
    EXPECT_EQ(again->length, old->length);
    EXPECT_EQ(again->revision, mesh.state().revision());
    // Another mesh is another surface, or the same.
    PlainMesh more = level.plain;
    more.vertices[4].y = 10.0;
    EXPECT_FALSE(table.attach(more.make().acquire()));
}

// A link is a shorter way that the table does not know.
TEST(MeshTable, LinksAreForTheSearch) {
    Corridor level;
    NavMesh mesh = level.plain.make();
    MeshTable table = make_table(mesh);
    const MeshEdit put[] = {
        MeshEdit::add_link({.id = 1, .from = {1, 3.5, 0}, .to = {9, 8.5, 0}, .kind = 3, .cost = 0.5})};
    ASSERT_TRUE(mesh.apply(put));
    ASSERT_TRUE(table.attach(mesh.acquire()));
    Scratch scratch;
    MeshQuery query{.start = {1, 3, 0}, .goal = Vec3{9, 8, 0}};
    const Result<Route> open = find_route(mesh, looked_up_in(table, query), scratch);
    ASSERT_TRUE(open);
    EXPECT_STREQ(open->planner, "any_angle");
    EXPECT_DOUBLE_EQ(open->cost, 1.5);
    query.filter.links.closed = KindSet::of_mask(1U << 3);
    expect_same(mesh, table, query, scratch);
    const MeshEdit gone[] = {MeshEdit::remove_link(1)};
    ASSERT_TRUE(mesh.apply(gone));
    ASSERT_TRUE(table.attach(mesh.acquire()));
    query.filter.links.closed = KindSet::of_mask(0);
    expect_same(mesh, table, query, scratch);
}

TEST(MeshTable, SmallestLevels) {
    PlainMesh none;
    const NavMesh empty = none.make();
    Scratch scratch;
    const MeshTable nothing = make_table(empty);
    EXPECT_EQ(nothing.size().corners, 0U);
    EXPECT_EQ(find_route(empty, looked_up_in(nothing, MeshQuery{}), scratch).value().status,
              find_route(empty, MeshQuery{}, scratch).value().status);
    PlainMesh one;
    one.vertices = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    one.polygons = {{0, 1, 2}};
    const NavMesh mesh = one.make();
    const MeshTable table = make_table(mesh);
    EXPECT_EQ(table.size().corners, 0U);
    expect_same(mesh, table, {.start = {0, 0, 0}, .goal = Vec3{4, 0, 0}}, scratch);
    expect_same(mesh, table, {.start = {1, 1, 0}, .goal = Vec3{1, 1, 0}}, scratch);
    expect_same(mesh, table, {.start = {100, 1, 0}, .goal = Vec3{1, 1, 0}}, scratch);
    expect_same(mesh, table, {.start = {1, NAN, 0}, .goal = Vec3{1, 1, 0}}, scratch);
}

// Two triangles that share a corner alone, and a wall without thickness.
TEST(MeshTable, TouchingAndSlits) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {4, 2, 0}, {4, 3, 0},
                      {8, 0, 0}, {8, 4, 0}, {4, 2, 0}, {8, 8, 0}, {4, 8, 0}};
    // Left and right of the slit from (4, 2) up to (4, 4); joined below it. Above, a square that touches at (4, 4).
    plain.polygons = {{0, 1, 4, 5, 2, 3}, {1, 6, 7, 8, 4}};
    plain.vertices[8] = {4, 4, 0};
    plain.polygons.push_back({8, 7, 9, 10});
    const NavMesh mesh = plain.make();
    const MeshTable table = make_table(mesh);
    Scratch scratch;
    for (const Vec3 start : {Vec3{4, 4, 0}, Vec3{3.5, 4, 0}, Vec3{3, 3, 0}, Vec3{4, 2, 0}, Vec3{4, 3, 0},
                             Vec3{0, 4, 0}, Vec3{4, 1, 0}, Vec3{4.5, 4, 0}, Vec3{4, 6, 0}}) {
        for (const Vec3 goal : {Vec3{4.5, 3.5, 0}, Vec3{4, 4, 0}, Vec3{5, 8, 0}, Vec3{4, 8, 0}, Vec3{8, 4, 0},
                                Vec3{4, 3, 0}, Vec3{3.99, 3, 0}, Vec3{4.01, 3, 0}}) {
            for (const MeshQuery& query :
                 {MeshQuery{.start = start, .goal = goal}, MeshQuery{.start = goal, .goal = start}}) {
                SCOPED_TRACE(::testing::Message()
                             << query.start.position.x << ' ' << query.start.position.y << " to "
                             << query.goal.at.ground().x << ' ' << query.goal.at.ground().y);
                expect_same(mesh, table, query, scratch);
            }
        }
    }
    // Straight up the slit on one side, and down again on the other.
    EXPECT_EQ(find_route(mesh, MeshQuery{.start = {4, 6, 0}, .goal = Vec3{4, 4, 0}}, scratch).value().length,
              6.0);
    EXPECT_EQ(find_route(mesh, MeshQuery{.start = {4, 8, 0}, .goal = Vec3{4, 3, 0}}, scratch).value().length,
              7.0);
    const Result<Route> round = find_route(
        mesh, looked_up_in(table, MeshQuery{.start = {3.9, 3, 0}, .goal = Vec3{4.1, 3, 0}}), scratch);
    ASSERT_TRUE(round);
    EXPECT_NEAR(round->length, 2.0 * std::sqrt(1.0 + 0.01), 1e-12);
    EXPECT_EQ(round->legs.size(), 2U);
}

}  // namespace
}  // namespace fairlead
