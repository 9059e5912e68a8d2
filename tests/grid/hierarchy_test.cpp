// Routes over the hierarchy: there just where the flat search finds one, legal, hardly longer; in slices, from the first legs on.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/cluster_check.h"
#include "support/cluster_maps.h"
#include "support/cluster_queries.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

Grid grid_of_kind(std::uint64_t seed, ClusterMap kind, GridOptions options) {
    Rng rng(seed);
    options.hierarchy = true;
    return *Grid::make(options, cluster_map(rng, kind, options.width, options.height));
}

// The centre of the nearest free cell to the east of a cell.
Vec2 free_place(const Grid& grid, Cell cell) {
    while (!grid.state().can_stand(cell, {})) ++cell.x;
    return grid.state().cell_centre(cell);
}

void expect_tally(const ClusterQueryTally& tally) {
    if (!all_trials()) return;
    EXPECT_GT(tally.complete, tally.queries / 2);
    EXPECT_GT(tally.over_clusters, tally.far * 19 / 20);
    EXPECT_LT(tally.mean_ratio(), 1.06);
}

TEST(Hierarchy, FindsWhatTheFlatSearchFinds) {
    ClusterQueryTally tally;
    for (int i = 0; i < trials(48); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        ASSERT_EQ(check_cluster_queries(6000 + seed, 500, 14, tally), "") << "map " << i;
    }
    expect_tally(tally);
}

TEST(Hierarchy, ThreeLevelsServe) {
    ClusterQueryTally tally;
    for (int i = 0; i < trials(2); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        ASSERT_EQ(check_long_queries(6200 + seed, 20, tally), "") << "map " << i;
    }
    expect_tally(tally);
}

// No way over clusters is shorter than the shortest of all, which the mesh of the same tiles finds.
TEST(Hierarchy, NoRouteIsShorterThanTheShortest) {
    Scratch scratch;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < trials(5); ++i) {
        const auto kind = static_cast<ClusterMap>(i);
        const Grid grid =
            grid_of_kind(6300 + static_cast<std::uint64_t>(i), kind, {.width = 260, .height = 150});
        const Result<NavMesh> mesh = make_grid_mesh(grid, {});
        ASSERT_TRUE(mesh);
        Rng rng(6310 + static_cast<std::uint64_t>(i));
        for (int k = 0; k < 12; ++k) {
            const Vec2 from = cell_centre(rng.between(0, 90), rng.between(0, 149));
            const Vec2 to = cell_centre(rng.between(180, 259), rng.between(0, 149));
            GridQuery query{.start = from, .goal = to};
            query.planner = GridPlanner::hierarchy;
            const Result<Route> route = find_route(grid, query, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete) continue;
            const MeshQuery ask{.start = Vec3{from.x, from.y, 0}, .goal = Vec3{to.x, to.y, 0}};
            const Result<Route> best = find_route(*mesh, ask, scratch);
            ASSERT_TRUE(best);
            ASSERT_EQ(best->status, PathStatus::complete);
            ASSERT_GE(route->length, best->length * (1.0 - 1e-9)) << cluster_map_name(kind) << ", " << k;
            sum += route->length / best->length;
            ++count;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(count, 20);
    EXPECT_LT(sum / count, 1.06);
}

TEST(Hierarchy, TheCityOfTheBenchmark) {
    FAIRLEAD_REQUIRE_DATA(path, "maps/cities/Berlin_0_1024.map");
    ClusterQueryTally tally;
    for (const double radius : {0.0, 0.8}) {
        ASSERT_EQ(check_map_queries(path, {.radius = radius}, trials(60), tally), "") << radius;
    }
    expect_tally(tally);
    if (all_trials()) {
        EXPECT_LT(tally.mean_ratio(), 1.01);
    }
}

// ---- automatic -----------------------------------------------------------------------------------------------

TEST(Hierarchy, AutomaticTakesItForFarGoalsOnly) {
    Scratch scratch;
    const Grid with = grid_of_kind(6400, ClusterMap::town, {.width = 700, .height = 130});
    const auto planner = [&](const Grid& grid, std::int32_t to, GridPlanner asked) {
        GridQuery query{.start = free_place(with, {3, 60}), .goal = free_place(with, {to, 64})};
        query.planner = asked;
        const Result<Route> route = find_route(grid, query, scratch);
        EXPECT_TRUE(route && route->status == PathStatus::complete);
        return std::string(route->planner);
    };
    EXPECT_EQ(planner(with, 690, GridPlanner::automatic), "hierarchy");
    EXPECT_EQ(planner(with, 300, GridPlanner::automatic), "jump_point");
    EXPECT_EQ(planner(with, 300, GridPlanner::hierarchy), "hierarchy");
    Rng rng(6400);
    const Grid without =
        *Grid::make({.width = 700, .height = 130}, cluster_map(rng, ClusterMap::town, 700, 130));
    EXPECT_EQ(planner(without, 690, GridPlanner::automatic), "jump_point");
}

// ---- cut short ------------------------------------------------------------------------------------------------

// A search that is cut short leads to the place nearest the goal that it has come to.
TEST(Hierarchy, CutShortItLeadsSomeWay) {
    Scratch scratch;
    const Grid grid = grid_of_kind(6660, ClusterMap::town, {.width = 1500, .height = 130});
    GridQuery query{.start = free_place(grid, {3, 60}), .goal = free_place(grid, {1480, 64})};
    query.planner = GridPlanner::hierarchy;
    query.partial = true;
    query.expansions_max = 6;
    const Result<Route> cut = find_route(grid, query, scratch);
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->status, PathStatus::budget_spent);
    EXPECT_FALSE(verify(*cut, grid.state(), {}));
    ASSERT_FALSE(cut->legs.empty());
    EXPECT_GT(cut->end.position.x, 100.0);
}

// ---- slices --------------------------------------------------------------------------------------------------

TEST(Hierarchy, SlicesOfOneGiveTheSameAndShowTheFirstLegs) {
    int shown = 0;
    Scratch scratch, other;
    Route route;
    for (int i = 0; i < trials(12); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        Rng rng(6500 + seed);
        const auto kind = static_cast<ClusterMap>(i % static_cast<int>(ClusterMap::count_));
        const Agent sizes[] = {{.radius = 0.8}};
        GridOptions options{.width = 600, .height = 100, .sizes = sizes};
        Rng portal_rng(6505 + seed);
        const std::vector<std::uint8_t> open(600 * 100, 1);
        std::vector<Portal> portals;
        if (i % 3 == 2) portals = draw_portals(portal_rng, options, open, 12);
        options.portals = portals;
        const Grid grid = grid_of_kind(6510 + seed, kind, options);
        for (int k = 0; k < 6; ++k) {
            const Agent agent = k % 2 == 0 ? Agent{} : sizes[0];
            GridQuery query = draw_cluster_query(rng, grid.state(), agent);
            query.planner = GridPlanner::hierarchy;
            query.smoothing = static_cast<Smoothing>(k % 4);
            const Result<Route> whole = find_route(grid, query, scratch);
            ASSERT_TRUE(whole);
            GridSearch search(grid, query, other);
            for (std::uint64_t steps = 0; search.running(); ++steps) {
                search.step(1);
                if (!search.running() || !search.has_route() || steps % 5 != 0) continue;
                ASSERT_TRUE(search.take(route));
                ASSERT_FALSE(verify(route, grid.state(), agent)) << "step " << steps;
                ASSERT_FALSE(route.legs.empty());
                ASSERT_EQ(ground(route.legs[0].start.position), query.start.ground());
                ++shown;
            }
            ASSERT_TRUE(search.take(route));
            ASSERT_EQ(route_difference(route, *whole), "") << cluster_map_name(kind) << ", query " << k;
        }
    }
    EXPECT_GT(shown, trials(100));
}

TEST(Hierarchy, CancelLimitAndBestSoFar) {
    Scratch scratch;
    const Grid grid = grid_of_kind(6600, ClusterMap::caves, {.width = 650, .height = 140});
    Rng rng(6601);
    int stopped = 0;
    for (int i = 0; i < trials(60); ++i) {
        GridQuery query = draw_cluster_query(rng, grid.state(), {});
        query.planner = GridPlanner::hierarchy;
        query.partial = i % 2 == 0;
        query.expansions_max = rng.below(12);
        const Result<Route> limited = find_route(grid, query, scratch);
        ASSERT_TRUE(limited);
        ASSERT_LE(limited->stats.expanded, query.expansions_max);
        ASSERT_FALSE(verify(*limited, grid.state(), {}));
        stopped += limited->status == PathStatus::budget_spent ? 1 : 0;
        ASSERT_TRUE(query.partial || limited->status != PathStatus::budget_spent || limited->legs.empty());
        std::atomic<bool> cancel{true};
        query.expansions_max = UINT64_MAX;
        const Result<Route> cancelled = find_route(grid, query, scratch, {.cancel = &cancel});
        ASSERT_TRUE(cancelled);
        ASSERT_TRUE(cancelled->status != PathStatus::complete) << i;
    }
    EXPECT_GT(stopped, trials(10));
}

TEST(Hierarchy, TheTraceShowsPlacesOnTheMap) {
    struct Seen {
        std::uint64_t expanded = 0;
        std::uint64_t outside = 0;
    } seen;
    Scratch scratch;
    const Grid grid = grid_of_kind(6700, ClusterMap::town, {.width = 700, .height = 140});
    Rng rng(6701);
    SearchHooks hooks;
    hooks.trace = {[](const SearchEvent& event, void* user) {
                       auto* s = static_cast<Seen*>(user);
                       s->expanded += event.kind == TraceEventKind::expanded ? 1 : 0;
                       const Vec3 p = event.at.position;
                       const bool inside = p.x >= 0.0 && p.y >= 0.0 && p.x <= 700.0 && p.y <= 140.0;
                       s->outside += inside ? 0 : 1;
                   },
                   &seen};
    GridQuery query{.start = free_place(grid, {5, 70}), .goal = free_place(grid, {690, 70})};
    query.planner = GridPlanner::hierarchy;
    const Result<Route> plain = find_route(grid, query, scratch);
    const Result<Route> watched = find_route(grid, query, scratch, hooks);
    ASSERT_TRUE(plain && watched);
    EXPECT_EQ(route_difference(*plain, *watched), "");
    EXPECT_EQ(seen.expanded, watched->stats.expanded);
    EXPECT_GT(seen.expanded, 5U);
    EXPECT_EQ(seen.outside, 0U);
}

// ---- what it does not serve ----------------------------------------------------------------------------------

void expect_refused(const Grid& grid, const GridQuery& query) {
    Scratch scratch;
    const Result<Route> route = find_route(grid, query, scratch);
    ASSERT_FALSE(route);
    EXPECT_EQ(route.error().code, ErrorCode::unsupported);
    EXPECT_EQ(route.error().field, Field::planner);
    EXPECT_EQ(route.error().detail, static_cast<std::int64_t>(GridRule::hierarchy_needs_hierarchy));
}

TEST(Hierarchy, QueriesThatItCannotServeAreRefused) {
    const Agent sizes[] = {{.radius = 1.5}};
    GridOptions options{.width = 200, .height = 150, .sizes = sizes};
    options.hierarchy = true;
    Grid grid = *Grid::make(options);
    GridQuery good{.start = Vec2{3.5, 3.5}, .goal = Vec2{190.5, 140.5}};
    good.planner = GridPlanner::hierarchy;
    Scratch scratch;
    EXPECT_TRUE(find_route(grid, good, scratch));
    expect_refused(*Grid::make({.width = 200, .height = 150}), good);
    GridQuery query = good;
    query.agent.radius = 2.7;  // not registered
    expect_refused(grid, query);
    query = good;
    query.neighbours = Neighbourhood::four;
    expect_refused(grid, query);
    query = good;
    query.corner = CornerRule::always;
    expect_refused(grid, query);
    query = good;
    query.goal = Goal::within(Vec2{190.5, 140.5}, 5.0);
    expect_refused(grid, query);
    const Vec2 goals[] = {{190.5, 140.5}, {50.5, 140.5}};
    query.goal = Goal::any_of(goals);
    expect_refused(grid, query);
    const Blocker blockers[] = {{.centre = {100, 80}, .radius = 2}};
    query = good;
    query.blockers = blockers;
    expect_refused(grid, query);
    query = good;
    const std::vector<std::uint8_t> threat(200 * 150, 1);
    query.influence = {.cells = threat, .weight = 2};
    expect_refused(grid, query);
    ASSERT_TRUE(grid.set(Cell{100, 100}, 3));  // terrain
    expect_refused(grid, good);
    expect_refused(*Grid::make(options, std::vector<std::uint8_t>(200 * 150, 4)), good);
    // More than 96 places of portals in one cluster; round a narrow seam a cluster would be beside itself.
    std::vector<Portal> portals;
    for (std::int32_t i = 0; i < 48; ++i) portals.push_back({{i, 3, 0}, {i, 5, 0}});
    GridOptions other = options;
    other.portals = portals;
    EXPECT_TRUE(find_route(*Grid::make(other), good, scratch));
    portals.push_back({{60, 60, 0}, {100, 100, 0}});
    other.portals = portals;
    expect_refused(*Grid::make(other), good);
    other = {.width = 200, .height = 100, .wrap_y = true, .hierarchy = true};
    query = good;
    query.goal = Vec2{190.5, 90.5};
    expect_refused(*Grid::make(other), query);
    other.height = 150;
    EXPECT_TRUE(find_route(*Grid::make(other), good, scratch));
}

// ---- memory --------------------------------------------------------------------------------------------------

TEST(Hierarchy, WarmQueriesAllocateNothingAndStarvedOnesSaySo) {
    const Agent sizes[] = {{.radius = 0.8}};
    std::int64_t failures = 0;
    for (int i = 0; i < trials(6); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        const auto kind = static_cast<ClusterMap>(i % static_cast<int>(ClusterMap::count_));
        const Grid grid = grid_of_kind(6800 + seed, kind, {.width = 580, .height = 90, .sizes = sizes});
        Rng rng(6810 + seed);
        TestAllocator memory;
        {
            Scratch scratch(memory.allocator());
            Route route;
            route.legs = Array<Leg>(memory.allocator());
            GridQuery query = draw_cluster_query(rng, grid.state(), i % 2 == 0 ? Agent{} : sizes[0]);
            query.planner = GridPlanner::hierarchy;
            ASSERT_TRUE(find_route_into(grid, query, scratch, route));
            const std::int64_t calls = memory.calls;
            ASSERT_TRUE(find_route_into(grid, query, scratch, route));
            EXPECT_EQ(memory.calls, calls) << cluster_map_name(kind);
            Scratch plenty;
            const Result<Route> wanted = find_route(grid, query, plenty);
            for (const bool once : kOnceAndForEver) {
                failures += starve(
                    memory, once,
                    [&] {
                        scratch.free_memory();
                        route.legs.free_memory();
                        return find_route_into(grid, query, scratch, route);
                    },
                    [&](const Result<void>& done) {
                        if (done) {
                            ASSERT_EQ(route_difference(route, *wanted), "");
                        } else {
                            ASSERT_TRUE(route.legs.empty());
                        }
                    });
            }
        }
        ASSERT_EQ(memory.live_blocks, 0);
    }
    EXPECT_GT(failures, trials(100));
}

TEST(Hierarchy, MemorySaysWhatItTakes) {
    GridOptions options{.width = 700, .height = 130};
    const Grid without = *Grid::make(options);
    options.hierarchy = true;
    const Grid with = *Grid::make(options);
    EXPECT_EQ(without.state().memory().hierarchy, 0U);
    EXPECT_GT(with.state().memory().hierarchy, 1000U);
    EXPECT_EQ(cluster_levels(with.state(), {}), 2);
    EXPECT_EQ(cluster_levels(without.state(), {}), 0);
}

}  // namespace
}  // namespace fairlead::testing
