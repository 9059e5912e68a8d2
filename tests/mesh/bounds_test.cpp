// What every search on a mesh keeps to: work that a budget or a cancel ends, no work for what cannot be reached, no memory
// when warm, an error without any, and a snapshot while tiles come and go.
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/plain_mesh.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

constexpr MeshPlanner kPlanners[] = {MeshPlanner::any_angle, MeshPlanner::corridor,
                                     MeshPlanner::portal_midpoints};

PlainMesh maze(std::uint64_t seed) {
    Rng rng(seed);
    return random_mesh(rng, {.width = 24, .height = 24, .blocked_percent = 35, .areas = 2});
}

Vec3 somewhere(const NavMeshState& mesh, Rng& rng) { return random_point(mesh, rng).position; }

/// A query of each kind: planners, prices, radii, several goals, partial.
std::vector<MeshQuery> queries_of_each_kind(const NavMeshState& mesh, std::span<const double> prices,
                                            std::span<const Vec3> goals, Rng& rng) {
    std::vector<MeshQuery> out;
    const auto add = [&]() -> MeshQuery& {
        out.push_back({.start = somewhere(mesh, rng), .goal = somewhere(mesh, rng)});
        return out.back();
    };
    for (const MeshPlanner planner : kPlanners) add().planner = planner;
    add().filter.areas.factors = prices;
    add().filter.areas.closed = KindSet::of_mask(2);
    add().agent.radius = 0.7;
    add().goal = Goal::any_of(goals);
    add().partial = true;
    MeshQuery& wide = add();
    wide.partial = true;
    wide.agent.radius = 1.2;
    wide.filter.areas.closed = KindSet::of_mask(1);
    return out;
}

struct World {
    Rng rng{31};
    NavMesh mesh = maze(30).make(4, {}, 1.5);
    std::vector<double> prices = std::vector<double>(kAreasMax, 1.0);
    std::vector<Vec3> goals;
    std::vector<MeshQuery> queries;

    World() {
        prices[1] = 3.0;
        for (int i = 0; i < 3; ++i) goals.push_back(somewhere(mesh, rng));
        for (int i = 0; i < 20; ++i) {
            for (const MeshQuery& query : queries_of_each_kind(mesh, prices, goals, rng))
                queries.push_back(query);
        }
    }
};

TEST(MeshBounds, WarmQueriesAllocateNothing) {
    const World world;
    const NavMeshState& state = world.mesh.state();
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        Route route;
        route.legs = Array<Leg>(memory.allocator());
        std::vector<Route> routes(world.goals.size());
        for (Route& each : routes) each.legs = Array<Leg>(memory.allocator());
        Array<MeshDistance> within(memory.allocator());
        std::int64_t before = 0;
        for (int round = 0; round < 2; ++round) {
            before = memory.calls;
            for (const MeshQuery& query : world.queries) {
                ASSERT_TRUE(find_route_into(world.mesh, query, scratch, route));
                const MeshPoint from = state.nearest(query.start);
                ASSERT_TRUE(from.polygon.valid());
                ASSERT_TRUE(move_along(state, from, ground(query.start) + Vec2{1.0, 2.0}, scratch));
                ASSERT_TRUE(find_wall(state, from, 5.0, scratch));
                ASSERT_TRUE(find_within_into(state, from, 20.0, scratch, within));
            }
            MeshQuery several = world.queries[0];
            several.goal = Goal::any_of(world.goals);
            ASSERT_TRUE(find_routes_into(world.mesh, several, scratch, routes));
        }
        EXPECT_EQ(memory.calls, before);
        EXPECT_GT(before, 0);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

// Each allocation fails, alone or with all later ones: an error, an empty route, and the same call works afterwards.
TEST(MeshBounds, EveryFailingAllocationIsAnError) {
    const World world;
    TestAllocator memory;
    {
        Route route;
        route.legs = Array<Leg>(memory.allocator());
        for (std::size_t i = 0; i < 9; ++i) {  // one of each kind
            const MeshQuery& query = world.queries[i];
            Scratch fresh(memory.allocator());
            ASSERT_TRUE(find_route_into(world.mesh, query, fresh, route));
            const std::uint64_t digest = route.stats.digest;
            Scratch scratch(memory.allocator());
            for (const bool once : kOnceAndForEver) {
                const std::int64_t failures = starve(
                    memory, once,
                    [&] {
                        scratch.free_memory();
                        route.legs.free_memory();
                        return find_route_into(world.mesh, query, scratch, route);
                    },
                    [&](const Result<void>& done) {
                        if (done) {
                            EXPECT_EQ(route.stats.digest, digest);
                        }
                        if (!done) {
                            EXPECT_TRUE(route.legs.empty());
                        }
                        ASSERT_TRUE(find_route_into(world.mesh, query, scratch, route));
                        EXPECT_EQ(route.stats.digest, digest);
                    });
                EXPECT_GT(failures, 1) << i;
            }
        }
        const MeshPoint from = world.mesh.state().nearest(world.queries[0].start);
        Array<MeshDistance> within(memory.allocator());
        const auto fails = [&](auto call) {
            Scratch scratch(memory.allocator());
            std::int64_t failures = 0;
            for (const bool once : kOnceAndForEver) {
                failures += starve(
                    memory, once,
                    [&] {
                        scratch.free_memory();
                        within.free_memory();
                        return call(scratch);
                    },
                    [&](const auto& done) { EXPECT_FALSE(done.has_value()); });
            }
            return failures > 0;
        };
        EXPECT_TRUE(fails([&](Scratch& s) { return move_along(world.mesh, from, {9.0, 9.0}, s); }));
        EXPECT_TRUE(fails([&](Scratch& s) { return find_wall(world.mesh, from, 50.0, s); }));
        EXPECT_TRUE(fails([&](Scratch& s) { return find_within_into(world.mesh, from, 50.0, s, within); }));
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

// Never more expansions than asked for; with enough of them the answer is that of an unlimited call.
TEST(MeshBounds, ABudgetIsKept) {
    const World world;
    Scratch scratch;
    int spent = 0;
    for (std::size_t i = 0; i < world.queries.size(); ++i) {
        SCOPED_TRACE(i % 9);  // the kind
        const MeshQuery& query = world.queries[i];
        const Result<Route> full = find_route(world.mesh, query, scratch);
        ASSERT_TRUE(full);
        const std::uint64_t all = full->stats.expanded;
        for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{1}, all / 2, all, all + 1}) {
            MeshQuery bounded = query;
            bounded.expansions_max = most;
            const Result<Route> route = find_route(world.mesh, bounded, scratch);
            ASSERT_TRUE(route);
            EXPECT_LE(route->stats.expanded, most) << status_name(route->status) << route->planner;
            if (route->status == PathStatus::budget_spent) {
                EXPECT_LE(most, all);
                EXPECT_TRUE(query.partial || route->legs.empty());
                ++spent;
            } else {
                EXPECT_EQ(route->status, full->status);
                EXPECT_EQ(route->length, full->length);
            }
            if (most > all) {
                EXPECT_NE(route->status, PathStatus::budget_spent);
            }
        }
    }
    EXPECT_GT(spent, 100);
}

struct Canceller {
    std::uint64_t at = 0;
    std::uint64_t expanded = 0;
    std::atomic<bool> cancel{false};

    static void see(const SearchEvent& event, void* user) {
        auto* const self = static_cast<Canceller*>(user);
        if (event.kind != TraceEventKind::expanded) return;
        if (++self->expanded == self->at) self->cancel.store(true);
    }
};

TEST(MeshBounds, ACancelIsSeenWithin64Expansions) {
    const World world;
    Scratch scratch;
    int cancelled = 0;
    for (const MeshQuery& query : world.queries) {
        if (query.partial) continue;
        for (const std::uint64_t at : {0U, 1U, 7U, 40U}) {
            Canceller canceller;
            canceller.at = at;
            canceller.cancel = at == 0;
            SearchHooks hooks{.cancel = &canceller.cancel};
            hooks.trace = {&Canceller::see, &canceller};
            const Result<Route> route = find_route(world.mesh, query, scratch, hooks);
            ASSERT_TRUE(route);
            if (!canceller.cancel) continue;
            EXPECT_LE(canceller.expanded, at + 64);
            EXPECT_TRUE(route->status == PathStatus::budget_spent || canceller.expanded <= at + 64);
            if (route->status != PathStatus::budget_spent) continue;
            EXPECT_TRUE(route->legs.empty());
            ++cancelled;
        }
    }
    EXPECT_GT(cancelled, 50);
}

// A pocket of one cell in a large level: known from the components, without an expansion, for every planner.
TEST(MeshBounds, APocketDoesNotFloodTheLevel) {
    PlainMesh plain;
    constexpr std::uint32_t kSide = 120;
    for (std::uint32_t i = 0; i < (kSide + 1) * (kSide + 1); ++i)
        plain.vertices.push_back({double(i % (kSide + 1)), double(i / (kSide + 1)), 0});
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const bool ring = x >= 60 && x <= 62 && y >= 60 && y <= 62 && !(x == 61 && y == 61);
            const std::uint32_t a = y * (kSide + 1) + x;
            if (!ring) plain.polygons.push_back({a, a + 1, a + kSide + 2, a + kSide + 1});
        }
    }
    const NavMesh mesh = plain.make(4, {}, 0.4);
    Scratch scratch;
    for (const MeshPlanner planner : kPlanners) {
        for (const bool inward : {false, true}) {
            const Vec3 out{3.5, 3.5, 0}, in{61.5, 61.5, 0};
            const MeshQuery query{.start = inward ? out : in, .goal = inward ? in : out, .planner = planner};
            const Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            EXPECT_EQ(route->status, PathStatus::unreachable);
            EXPECT_EQ(route->stats.expanded, 0U);
            MeshSearch search(mesh, query, scratch);
            int slices = 1;
            while (search.step(1)) ++slices;
            EXPECT_LE(slices, 4);
        }
    }
    // For a unit that does not fit through the only door the component does not tell; the search ends all the same.
    const Result<Route> route = find_route(
        mesh, MeshQuery{.start = {61.5, 61.5, 0}, .goal = Vec3{3, 3, 0}, .agent = {.radius = 0.3}}, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::unreachable);
    EXPECT_EQ(route->stats.expanded, 0U);
}

// A search whose tiles are taken away, replaced and cut while it runs: the snapshot's answer, to the bit.
TEST(MeshBounds, TilesComeAndGoUnderASearch) {
    PlainMesh plain;
    constexpr std::uint32_t kSide = 12;
    for (std::uint32_t i = 0; i < (kSide + 1) * (kSide + 1); ++i)
        plain.vertices.push_back({double(i % (kSide + 1)), double(i / (kSide + 1)), 0});
    Rng holes(9);
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const std::uint32_t a = y * (kSide + 1) + x;
            if (holes.below(5) != 0) plain.polygons.push_back({a, a + 1, a + kSide + 2, a + kSide + 1});
        }
    }
    TestAllocator memory;
    for (const double radius_max : {0.0, 0.9}) {
        {
            NavMesh mesh = plain.make_tiled(3.0, 4, memory.allocator(), radius_max);
            Rng rng(10);
            Scratch scratch, other;
            for (int i = 0; i < trials(60); ++i) {
                const MeshQuery query{.start = somewhere(mesh, rng), .goal = somewhere(mesh, rng)};
                NavMeshSnapshot frozen = mesh.acquire();
                const Result<Route> wanted = find_route(*frozen, query, other);
                ASSERT_TRUE(wanted);
                MeshSearch search(frozen, query, scratch);
                bool more = true;
                for (int edit = 0; more; ++edit) {
                    more = search.step(1);
                    const auto x = static_cast<std::int32_t>(rng.below(4)),
                               y = static_cast<std::int32_t>(rng.below(4));
                    const double side = 0.5;
                    if (edit % 3 == 0) {
                        (void)mesh.remove_tile(x, y);
                    } else if (edit % 3 == 1) {
                        const Vec3 corners[] = {{x * 3.0, y * 3.0, 0},
                                                {x * 3.0 + 3.0, y * 3.0, 0},
                                                {x * 3.0 + 3.0, y * 3.0 + 3.0, 0},
                                                {x * 3.0, y * 3.0 + 3.0, 0}};
                        const std::uint32_t sizes[] = {4}, order[] = {0, 1, 2, 3};
                        ASSERT_TRUE(mesh.set_tile({.x = x,
                                                   .y = y,
                                                   .vertices = corners,
                                                   .polygon_sizes = sizes,
                                                   .polygon_corners = order}));
                    } else {
                        const MeshObstacle box = MeshObstacle::box(
                            {rng.between(0.0, 12.0), rng.between(0.0, 12.0)}, {side, side}, 0.3, -1.0, 1.0);
                        const MeshEdit put = edit == 2 ? MeshEdit::add(i, box) : MeshEdit::move(i, box);
                        (void)mesh.apply({&put, 1});
                    }
                    ASSERT_LT(edit, 100000);
                }
                Route route;
                ASSERT_TRUE(search.take(route));
                EXPECT_EQ(route.status, wanted->status);
                EXPECT_EQ(route.length, wanted->length);
                EXPECT_EQ(route.stats.digest, wanted->stats.digest);
                EXPECT_EQ(route.revision, frozen->revision());
                const Violation bad = verify(route, *frozen, query.agent);
                EXPECT_FALSE(bad) << bad.text().c_str();
                frozen.release();
                if (mesh.state().polygons() == 0) break;
            }
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
