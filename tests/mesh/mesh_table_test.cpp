// Routes from a table are those of the visibility graph and of the ordinary search.
#include <fairlead/mesh/mesh_table.h>

#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/math/predicates.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/mesh_obstacles.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"
#include "support/test_allocator.h"
#include "support/threads.h"

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
using testing::TestAllocator;
using testing::Threads;
using testing::trials;

MeshRecipe random_recipe(Rng& rng) {
    MeshRecipe recipe;
    recipe.width = 2 + static_cast<std::int32_t>(rng.below(9));
    recipe.height = 2 + static_cast<std::int32_t>(rng.below(9));
    recipe.blocked_percent = 5 + rng.below(50);
    recipe.split_percent = rng.below(101);
    recipe.join_percent = rng.below(101);
    recipe.slanted = rng.below(2) == 0;
    return recipe;
}

MeshTable make_table(const NavMesh& mesh, const MeshTableOptions& options = {}) {
    Result<MeshTable> made = MeshTable::make(mesh.acquire(), options);
    EXPECT_TRUE(made);
    return std::move(*made);
}

bool from_table(const Route& route) { return std::string_view(route.planner) == "mesh_table"; }

// The table's answer beside that of the search: everything that is promised.
void expect_same(const NavMesh& mesh, const MeshTable& table, const MeshQuery& query, Scratch& scratch) {
    const Result<Route> searched = find_route(mesh, query, scratch);
    const Result<Route> looked_up = find_route(mesh, query, scratch, {.table = &table});
    ASSERT_EQ(searched.has_value(), looked_up.has_value());
    if (!searched) {
        EXPECT_EQ(searched.error(), looked_up.error());
        return;
    }
    ASSERT_EQ(looked_up->status, searched->status);
    ASSERT_NEAR(looked_up->length, searched->length, 1e-12 * searched->length);
    EXPECT_NEAR(looked_up->cost, searched->cost, 1e-12 * searched->cost);
    EXPECT_EQ(looked_up->bound, searched->bound);
    EXPECT_EQ(looked_up->revision, searched->revision);
    EXPECT_EQ(ground(looked_up->end.position), ground(searched->end.position));
    if (searched->status == PathStatus::complete || searched->status == PathStatus::partial) {
        EXPECT_TRUE(from_table(*looked_up));
    }
    const Violation bad = verify(*looked_up, mesh, query.agent, {.filter = query.filter});
    EXPECT_FALSE(bad) << bad.text().c_str();
    // No leg goes on where the one before it ends without a bend.
    for (std::size_t i = 1; i < looked_up->legs.size(); ++i) {
        const Vec2 a = ground(looked_up->legs[i - 1].start.position),
                   b = ground(looked_up->legs[i].start.position);
        const bool last = i + 1 == looked_up->legs.size();
        const Vec2 c = ground(last ? looked_up->end.position : looked_up->legs[i + 1].start.position);
        EXPECT_TRUE(math::orient2d(a, b, c) != 0.0 || dot(b - a, c - b) <= 0.0);
    }
}

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
            const Result<Route> got = find_route(mesh, {.start = on_floor(from.at), .goal = on_floor(to.at)},
                                                 scratch, {.table = &table});
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
            if (rng.below(3) == 0) query.start = query.start + Vec3{rng.between(-6.0, 6.0), 0.7, 0.0};
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
                                  .goal = MeshGoal::any(goals)};
            const Result<Route> searched = find_route(mesh, query, scratch);
            const Result<Route> looked_up = find_route(mesh, query, scratch, {.table = &table});
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
    const auto ask = [&](const MeshQuery& query, MeshHooks hooks = {}) {
        hooks.table = &table;
        const Result<Route> route = find_route(mesh, query, scratch, hooks);
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
    query.filter.closed_areas = 1U << 5;  // no polygon has it
    EXPECT_EQ(ask(query), "mesh_table");
    query.filter.closed_areas = 1U << 1;
    EXPECT_EQ(ask(query), "any_angle");
    std::vector<double> costs(kAreasMax, 2.0);
    query = plain;
    query.filter.area_costs = costs;
    EXPECT_EQ(ask(query), "mesh_table");
    EXPECT_EQ(find_route(mesh, query, scratch, {.table = &table})->cost,
              2.0 * find_route(mesh, query, scratch, {.table = &table})->length);
    costs[2] = 0.0;
    EXPECT_EQ(ask(query), "any_angle");
    costs[2] = 3.0;
    EXPECT_EQ(find_route(mesh, query, scratch)->cost,
              find_route(mesh, query, scratch, {.table = &table})->cost);
    std::vector<Vec3> goals(17, Vec3{9, 8, 0});
    query = plain;
    query.goal = MeshGoal::any(goals);
    EXPECT_EQ(ask(query), "any_angle");
    query.goal = MeshGoal::any(std::span<const Vec3>(goals).first(16));
    EXPECT_EQ(ask(query), "mesh_table");
    MeshHooks seeing;
    seeing.intervals.event = [](TraceEventKind, const MeshInterval&, void*) {};
    EXPECT_EQ(ask(plain, seeing), "any_angle");
    query = plain;
    query.expansions_max = 0;
    EXPECT_EQ(find_route(mesh, query, scratch, {.table = &table})->status, PathStatus::budget_spent);
    const std::atomic<bool> cancel{true};
    EXPECT_EQ(find_route(mesh, plain, scratch, {.cancel = &cancel, .table = &table})->status,
              PathStatus::budget_spent);
}

TEST(MeshTable, SlicesChangeNothing) {
    Corridor level;
    const NavMesh mesh = level.plain.make();
    const MeshTable table = make_table(mesh);
    Scratch scratch;
    const MeshQuery query{.start = {1, 3, 0}, .goal = Vec3{9, 8, 0}};
    const Result<Route> whole = find_route(mesh, query, scratch, {.table = &table});
    MeshSearch search(mesh, query, scratch, {.table = &table});
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
    const Result<Route> now = find_route(mesh, query, scratch, {.table = &table});
    const Result<Route> old = find_route(*before, query, scratch, {.table = &table});
    ASSERT_TRUE(now && old);
    EXPECT_STREQ(now->planner, "any_angle");
    EXPECT_EQ(now->length, find_route(mesh, query, scratch)->length);
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
    const Result<Route> again = find_route(mesh, query, scratch, {.table = &table});
    ASSERT_TRUE(again);
    EXPECT_STREQ(again->planner, "mesh_table");
    EXPECT_EQ(again->length, old->length);
    EXPECT_EQ(again->revision, mesh.state().revision());
    // Another mesh is another surface, or the same.
    PlainMesh more = level.plain;
    more.vertices[4].y = 10.0;
    EXPECT_FALSE(table.attach(more.make().acquire()));
}

TEST(MeshTable, SmallestLevels) {
    PlainMesh none;
    const NavMesh empty = none.make();
    Scratch scratch;
    const MeshTable nothing = make_table(empty);
    EXPECT_EQ(nothing.size().corners, 0U);
    EXPECT_EQ(find_route(empty, {}, scratch, {.table = &nothing})->status,
              find_route(empty, {}, scratch)->status);
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
                SCOPED_TRACE(::testing::Message() << query.start.x << ' ' << query.start.y << " to "
                                                  << query.goal.point.x << ' ' << query.goal.point.y);
                expect_same(mesh, table, query, scratch);
            }
        }
    }
    // Straight up the slit on one side, and down again on the other.
    EXPECT_EQ(find_route(mesh, {.start = {4, 6, 0}, .goal = Vec3{4, 4, 0}}, scratch)->length, 6.0);
    EXPECT_EQ(find_route(mesh, {.start = {4, 8, 0}, .goal = Vec3{4, 3, 0}}, scratch)->length, 7.0);
    const Result<Route> round =
        find_route(mesh, {.start = {3.9, 3, 0}, .goal = Vec3{4.1, 3, 0}}, scratch, {.table = &table});
    ASSERT_TRUE(round);
    EXPECT_NEAR(round->length, 2.0 * std::sqrt(1.0 + 0.01), 1e-12);
    EXPECT_EQ(round->legs.size(), 2U);
}

TEST(MeshTable, TheNumberOfThreadsDoesNotCount) {
    Rng rng(616);
    PlainMesh plain = random_mesh(rng, {.width = 60, .height = 60, .blocked_percent = 30});
    const NavMesh mesh = plain.make(0);
    const std::uint64_t wanted = make_table(mesh).digest();
    for (const std::size_t count : {1U, 2U, 3U, 8U}) {
        Threads threads{count};
        EXPECT_EQ(make_table(mesh, {.jobs = {&Threads::run, &threads}}).digest(), wanted) << count;
    }
}

TEST(MeshTable, ProgressAndStop) {
    struct Watch {
        std::size_t calls = 0;
        std::size_t last = 0;
        std::size_t all = 0;
        std::size_t stop_at = SIZE_MAX;
    };
    Rng rng(617);
    PlainMesh plain = random_mesh(rng, {.width = 60, .height = 60, .blocked_percent = 30});
    const NavMesh mesh = plain.make(0);
    const auto told = [](void* user, std::size_t done, std::size_t all) {
        Watch& watch = *static_cast<Watch*>(user);
        EXPECT_GE(done, watch.last);
        EXPECT_LE(done, all);
        watch.last = done;
        watch.all = all;
        return ++watch.calls < watch.stop_at;
    };
    Watch watch;
    const MeshTable table = make_table(mesh, {.progress = {told, &watch}});
    EXPECT_EQ(watch.all, 2U * table.size().corners);
    EXPECT_GT(watch.calls, 5U);
    const std::size_t calls = watch.calls;
    for (const std::size_t stop : {std::size_t{1}, std::size_t{3}, calls / 2, calls}) {
        TestAllocator memory;
        Watch stopped{.stop_at = stop};
        const Result<MeshTable> none =
            MeshTable::make(mesh.acquire(), {.progress = {told, &stopped}, .allocator = memory.allocator()});
        ASSERT_FALSE(none);
        EXPECT_EQ(none.error(), (Error{ErrorCode::incompatible, -1, 0}));
        EXPECT_EQ(memory.live_blocks, 0);
    }
    const Result<MeshTable> large = MeshTable::make(mesh.acquire(), {.bytes_max = 1000});
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error(), (Error{ErrorCode::size_limit, -1, 1000}));
}

TEST(MeshTable, NoMemory) {
    Rng rng(618);
    PlainMesh plain = random_mesh(rng, {.width = 12, .height = 12, .blocked_percent = 30});
    const NavMesh mesh = plain.make();
    TestAllocator memory;
    for (std::int64_t failures = 0;; ++failures) {
        memory.fail_from_call = memory.calls + failures;
        const Result<MeshTable> made = MeshTable::make(mesh.acquire(), {.allocator = memory.allocator()});
        memory.fail_from_call = -1;
        if (made) {
            EXPECT_GT(failures, 20);
            break;
        }
        ASSERT_EQ(made.error().code, ErrorCode::out_of_memory);
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

TEST(MeshTable, WarmQueriesAllocateNothing) {
    Rng rng(619);
    PlainMesh plain = random_mesh(rng, {.width = 20, .height = 20, .blocked_percent = 30});
    const OracleMesh shape = oracle_mesh(plain);
    const NavMesh mesh = plain.make();
    const MeshTable table = make_table(mesh);
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        Route route;
        route.legs = Array<Leg>(memory.allocator());
        std::vector<MeshQuery> queries(200);
        for (MeshQuery& query : queries) {
            query.start = on_floor(random_mesh_point(rng, shape).at);
            query.goal = on_floor(random_mesh_point(rng, shape).at);
        }
        // Every allocation of the first round fails once.
        for (std::int64_t failures = 0; failures < 100; ++failures) {
            Scratch cold(memory.allocator());
            memory.fail_from_call = memory.calls + failures;
            const Result<void> done = find_route_into(mesh, queries[0], cold, route, {.table = &table});
            memory.fail_from_call = -1;
            if (done) break;
            EXPECT_EQ(done.error().code, ErrorCode::out_of_memory);
            EXPECT_TRUE(route.legs.empty());
            EXPECT_TRUE(find_route_into(mesh, queries[0], cold, route, {.table = &table}));
        }
        for (int round = 0; round < 2; ++round) {
            const std::int64_t before = memory.calls;
            for (const MeshQuery& query : queries)
                ASSERT_TRUE(find_route_into(mesh, query, scratch, route, {.table = &table}));
            if (round == 1) {
                EXPECT_EQ(memory.calls, before);
            }
        }
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

std::vector<std::uint8_t> saved(const MeshTable& table) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(table.save(out));
    return {out.begin(), out.end()};
}

// The same tiles in another order lie in other slots.
TEST(MeshTable, SavedAndLoaded) {
    Rng rng(620);
    Scratch scratch;
    PlainMesh plain = random_mesh(rng, {.width = 16, .height = 16, .blocked_percent = 30, .join_percent = 0});
    const OracleMesh shape = oracle_mesh(plain);
    NavMesh mesh = plain.make_tiled(16.0, 0);
    const MeshTable table = make_table(mesh);
    const std::vector<std::uint8_t> bytes = saved(table);

    NavMesh other = plain.make_tiled(16.0, 4);
    ASSERT_TRUE(other.remove_tile(1, 1));
    const Result<MeshTable> less = MeshTable::load(bytes, other.acquire());
    ASSERT_FALSE(less);
    EXPECT_EQ(less.error(), (Error{ErrorCode::incompatible, -1, 0}));
    PlainMesh part;
    for (std::size_t i = 0; i < plain.polygons.size(); ++i) {
        const Vec2 at = testing::middle_of(plain, i);
        if (at.x > 16.0 && at.x < 32.0 && at.y > 16.0 && at.y < 32.0)
            part.polygons.push_back(plain.polygons[i]);
    }
    part.vertices = plain.vertices;
    for (Vec3& v : part.vertices) {
        v.x = std::fmin(std::fmax(v.x, 16.0), 32.0);
        v.y = std::fmin(std::fmax(v.y, 16.0), 32.0);
    }
    part.flatten();
    ASSERT_FALSE(part.polygons.empty());
    NavMeshTile back = part.tile();
    back.x = back.y = 1;
    ASSERT_TRUE(other.set_tile(back));

    Result<MeshTable> loaded = MeshTable::load(bytes, other.acquire());
    ASSERT_TRUE(loaded) << error_name(loaded.error().code);
    EXPECT_EQ(loaded->digest(), table.digest());
    EXPECT_EQ(loaded->size().legs, table.size().legs);
    EXPECT_EQ(saved(*loaded), bytes);
    EXPECT_TRUE(*loaded->is_as_made());
    for (int i = 0; i < trials(500); ++i) {
        const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                              .goal = on_floor(random_mesh_point(rng, shape).at)};
        expect_same(other, *loaded, query, scratch);
        ASSERT_FALSE(HasFailure()) << i;
    }
    ASSERT_TRUE(loaded->attach(mesh.acquire()));
    EXPECT_TRUE(loaded->serves(mesh));
    expect_same(mesh, *loaded, {.start = {2, 2, 0}, .goal = Vec3{60, 60, 0}}, scratch);
}

TEST(MeshTable, DamagedFiles) {
    Rng rng(621);
    PlainMesh plain = random_mesh(rng, {.width = 8, .height = 8, .blocked_percent = 30});
    const OracleMesh shape = oracle_mesh(plain);
    const NavMesh mesh = plain.make(0);
    const std::vector<std::uint8_t> good = saved(make_table(mesh));
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        int taken = 0, refused = 0;
        for (int round = 0; round < trials(4000); ++round) {
            std::vector<std::uint8_t> bytes = good;
            const std::size_t changes = 1 + rng.below(3);
            for (std::size_t i = 0; i < changes; ++i) {
                const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
                bytes[at] = static_cast<std::uint8_t>(rng.below(4) == 0 ? rng.below(256)
                                                                        : bytes[at] ^ 1U << rng.below(8));
            }
            const bool altered = bytes != good;
            if (rng.below(10) == 0) bytes.resize(rng.below(static_cast<std::uint32_t>(bytes.size())));
            const bool sealed = rng.below(2) == 0 && baked_reseal(bytes).has_value();
            const Result<MeshTable> table = MeshTable::load(bytes, mesh.acquire(), memory.allocator());
            if (!table) {
                ++refused;
                continue;
            }
            ++taken;
            ASSERT_TRUE(sealed || !altered || bytes == good);
            // Forged: the answers may be wrong, but there are answers.
            for (int i = 0; i < 10; ++i) {
                const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                                      .goal = on_floor(random_mesh_point(rng, shape).at)};
                ASSERT_TRUE(find_route(mesh, query, scratch, {.table = &*table}));
            }
        }
        EXPECT_GT(taken, 10);
        EXPECT_GT(refused, trials(2000));
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

}  // namespace
}  // namespace fairlead
