// The window: sizes, the three open lists, and costs against a plain Dijkstra over the explicit graph.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/classic/find_classic.h>
#include <fairlead/classic/offsets.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "classic/classic_worlds.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kNoWay = -1;

PathStatus status_of(const Grid& grid, const ClassicQuery& query, Scratch& scratch) {
    const Result<ClassicRoute> way = find_classic(grid, query, scratch);
    return way ? way->route.status : PathStatus::count_;
}

std::int32_t step_cost(int dx, int dy) {
    const int x = std::abs(dx), y = std::abs(dy);
    if (x == 0 || y == 0) return 64 * (x + y);
    if (x == y) return 90 * x;
    return static_cast<std::int32_t>(std::floor(64.0 * std::sqrt(x * x + y * y) + 0.5));
}

/// Of a point that may touch corners, from middle to middle: which tiles its way passes, sampled so densely that none is missed.
std::set<std::pair<int, int>> tiles_passed(int dx, int dy) {
    std::set<std::pair<int, int>> tiles{{dx, dy}};
    for (int k = 1; k < 840; ++k) {
        const double px = 0.5 + dx * k / 840.0, py = 0.5 + dy * k / 840.0;
        if (std::floor(px) == px || std::floor(py) == py) continue;  // between two tiles
        tiles.insert({static_cast<int>(std::floor(px)), static_cast<int>(std::floor(py))});
    }
    tiles.erase({0, 0});
    return tiles;
}

bool line_passes(const ClassicMap& map, int x, int y, int dx, int dy) {
    static std::map<std::pair<int, int>, std::set<std::pair<int, int>>> passed;
    auto& tiles = passed[{dx, dy}];
    if (tiles.empty()) tiles = tiles_passed(dx, dy);
    for (const auto& [tx, ty] : tiles) {
        if (map.wall(x + tx, y + ty)) return false;
    }
    return true;
}

/// Cheapest way in 1/64 tile; `radius` below 0: the tiles alone.
std::int32_t dijkstra(const ClassicMap& map, Vec2 from, Vec2 to, int neighbours, double radius) {
    const int reach = neighbours == 48 ? 3 : neighbours == 24 ? 2 : 1;
    const auto at = [&](int x, int y) { return static_cast<std::size_t>(y * map.width + x); };
    std::vector<std::int32_t> best(map.tiles.size(), INT32_MAX);
    std::set<std::tuple<std::int32_t, int, int>> open;
    const int sx = static_cast<int>(from.x), sy = static_cast<int>(from.y);
    best[at(sx, sy)] = 0;
    open.insert({0, sx, sy});
    while (!open.empty()) {
        const auto [g, x, y] = *open.begin();
        open.erase(open.begin());
        if (x == static_cast<int>(to.x) && y == static_cast<int>(to.y)) return g;
        if (g > best[at(x, y)]) continue;
        for (int dy = -reach; dy <= reach; ++dy) {
            for (int dx = -reach; dx <= reach; ++dx) {
                if ((dx == 0 && dy == 0) || (neighbours == 4 && dx != 0 && dy != 0)) continue;
                if (!line_passes(map, x, y, dx, dy)) continue;
                if (radius >= 0.0 &&
                    !map.disc_passes({x + 0.5, y + 0.5}, {x + dx + 0.5, y + dy + 0.5}, radius))
                    continue;
                const std::int32_t next = g + step_cost(dx, dy);
                if (next >= best[at(x + dx, y + dy)]) continue;
                best[at(x + dx, y + dy)] = next;
                open.insert({next, x + dx, y + dy});
            }
        }
    }
    return kNoWay;
}

TEST(ClassicWindow, TilesWith4And8And24And48NeighboursAreDijkstras) {
    Rng rng{1};
    Scratch scratch;
    ClassicRoute out;
    for (int i = 0; i < trials(400); ++i) {
        const ClassicMap map = random_classic_map(rng, 24, rng.below(45));
        const Grid grid = map.grid();
        ClassicQuery query{.heuristic = ClassicHeuristic::lower_bound, .smoothing = ClassicSmoothing::none};
        const int choices[] = {4, 8, 24, 48};
        query.neighbours = choices[rng.below(4)];
        query.start.position = free_middle(rng, map);
        query.goal.position = free_middle(rng, map);
        const std::int32_t best =
            dijkstra(map, query.start.position, query.goal.position, query.neighbours, -1);
        for (const ClassicOpen open : {ClassicOpen::list, ClassicOpen::tree, ClassicOpen::heap}) {
            query.open = open;
            ASSERT_TRUE(find_classic_into(grid, query, scratch, out));
            if (best == kNoWay) {
                EXPECT_EQ(out.route.status, PathStatus::unreachable);
                continue;
            }
            ASSERT_EQ(out.route.status, PathStatus::complete);
            ASSERT_EQ(out.route.cost * 64, best)
                << query.neighbours << " neighbours, list " << static_cast<int>(open);
        }
    }
}

TEST(ClassicWindow, BodiesInTheSearchAreDijkstrasAndLegal) {
    Rng rng{2};
    Scratch scratch;
    int found = 0;
    for (int i = 0; i < trials(120); ++i) {
        const ClassicMap map = random_classic_map(rng, 16, 5 + rng.below(20));
        const Grid grid = map.grid();
        ClassicQuery query{.body_in_search = true,
                           .heuristic = ClassicHeuristic::lower_bound,
                           .smoothing = ClassicSmoothing::none};
        const int choices[] = {8, 24, 48};
        query.neighbours = choices[rng.below(3)];
        query.agent.radius = rng.between(0.1, 0.9);
        query.start.position = free_middle(rng, map);
        query.goal.position = free_middle(rng, map);
        if (!map.disc_passes(query.start.position, query.start.position, query.agent.radius)) continue;
        if (!map.disc_passes(query.goal.position, query.goal.position, query.agent.radius)) continue;
        const std::int32_t best =
            dijkstra(map, query.start.position, query.goal.position, query.neighbours, query.agent.radius);
        const Result<ClassicRoute> way = find_classic(grid, query, scratch);
        ASSERT_TRUE(way);
        ASSERT_EQ(way->route.status == PathStatus::complete, best != kNoWay);
        if (best == kNoWay) continue;
        ++found;
        EXPECT_EQ(way->route.cost * 64, best);
        EXPECT_TRUE(way->legal);
        EXPECT_FALSE(verify(way->route, grid, query.agent));
    }
    if (all_trials()) {
        EXPECT_GT(found, 30);
    }
}

TEST(ClassicWindow, MoreNeighboursAreShorter) {
    const Grid grid = std::move(Grid::make({.width = 60, .height = 60})).value();
    Scratch scratch;
    double lengths[4] = {};
    const int choices[] = {4, 8, 24, 48};
    for (int k = 0; k < 4; ++k) {
        const Result<ClassicRoute> way = find_classic(grid,
                                                      {.start = {{5.5, 5.5}, 0},
                                                       .goal = {{43.5, 18.5}, 0},
                                                       .neighbours = choices[k],
                                                       .heuristic = ClassicHeuristic::lower_bound,
                                                       .smoothing = ClassicSmoothing::none},
                                                      scratch);
        ASSERT_TRUE(way);
        lengths[k] = way->route.length;
    }
    EXPECT_NEAR(lengths[0], 51.0, 1e-9);
    EXPECT_NEAR(lengths[1], 25 + 13 * std::sqrt(2.0), 1e-9);  // 43.385
    EXPECT_LT(lengths[2], lengths[1]);
    EXPECT_LT(lengths[3], lengths[2]);
    EXPECT_GE(lengths[3], std::sqrt(38.0 * 38 + 13 * 13));
}

TEST(ClassicWindow, SizesAreTheArticles) {  // F3, F4
    const Grid grid = std::move(Grid::make({.width = 130, .height = 130})).value();
    Scratch scratch;
    ClassicQuery query{.start = {{30.5, 30.5}, 0}, .goal = {{50.5, 45.5}, 0}};
    Result<ClassicRoute> way = find_classic(grid, query, scratch);
    ASSERT_TRUE(way);
    EXPECT_EQ(way->window, 60);
    EXPECT_EQ(way->node_bytes, 57600U);
    EXPECT_EQ(way->bit_bytes, 456U);  // 450, in whole words
    query.agent.turning_radius = 1.0;
    query.search = ClassicSearch::directional;
    query.probe = ClassicProbe::exact;
    way = find_classic(grid, query, scratch);
    ASSERT_TRUE(way);
    EXPECT_EQ(way->node_bytes, 460800U);
    EXPECT_EQ(way->bit_bytes, 3600U);
    query.goal.position = {110.5, 45.5};
    query.window_grows = true;
    way = find_classic(grid, query, scratch);
    ASSERT_TRUE(way);
    EXPECT_EQ(way->route.status, PathStatus::complete);
    EXPECT_EQ(way->node_bytes, 1843200U);
}

TEST(ClassicWindow, EndsFartherApartThan40TilesAreOutOfIt) {  // F2
    const Grid grid = std::move(Grid::make({.width = 100, .height = 20})).value();
    Scratch scratch;
    ClassicQuery query{.start = {{3.5, 3.5}, 0}, .goal = {{43.5, 3.5}, 0}};
    EXPECT_EQ(status_of(grid, query, scratch), PathStatus::complete);
    query.goal.position.x = 44.5;
    EXPECT_EQ(status_of(grid, query, scratch), PathStatus::window);
    query.window_grows = true;
    EXPECT_EQ(status_of(grid, query, scratch), PathStatus::complete);
}

TEST(ClassicWindow, ADetourOutsideIsLostUnlessItGrows) {  // F2
    ClassicMap map{100, 100, std::vector<std::uint8_t>(10000, 1)};
    for (int y = 12; y < 88; ++y) map.tiles[static_cast<std::size_t>(y * 100 + 50)] = 0;
    const Grid grid = map.grid();
    Scratch scratch;
    ClassicQuery query{.start = {{40.5, 50.5}, 0}, .goal = {{60.5, 50.5}, 0}};
    EXPECT_EQ(status_of(grid, query, scratch), PathStatus::window);
    query.window_grows = true;
    const Result<ClassicRoute> way = find_classic(grid, query, scratch);
    EXPECT_EQ(way->route.status, PathStatus::complete);
    EXPECT_EQ(way->window, 120);
}

// The lattice planner over the same moves is another search with another heuristic and exact lengths; the window rounds each to 1/64.
TEST(ClassicWindow, DirectionalFindsTheLatticesBest) {
    Rng rng{5};
    Scratch scratch;
    int found = 0;
    for (int i = 0; i < trials(24); ++i) {
        const oracle::PoseMap map = random_drive_map(rng, MapStyle::blocks, 28, 28);
        const Grid grid = grid_of(map);
        const Agent agent{.radius = 0.4, .turning_radius = rng.below(2) == 0 ? 1.0 : 1.5};
        Pose start, goal;
        if (!random_free_pose(rng, map, agent, true, start) || !random_free_pose(rng, map, agent, true, goal))
            continue;
        const std::int32_t rings = static_cast<std::int32_t>(1 + rng.below(3));
        ClassicQuery query{.start = start,
                           .goal = goal,
                           .agent = agent,
                           .search = ClassicSearch::directional,
                           .neighbours = rings == 1   ? 8
                                         : rings == 2 ? 24
                                                      : 48,
                           .open = static_cast<ClassicOpen>(rng.below(3)),
                           .heuristic = ClassicHeuristic::lower_bound,
                           .smoothing = ClassicSmoothing::none,
                           .probe = ClassicProbe::exact};
        const Result<ClassicRoute> way = find_classic(grid, query, scratch);
        ASSERT_TRUE(way);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .rings = rings});
        ASSERT_TRUE(table);
        const Result<DriveMap> ground = make_drive_map(grid, *table);
        ASSERT_TRUE(ground);
        const Result<Route> best = find_route(*ground,
                                              DriveQuery{.start = start,
                                                         .goal = goal,
                                                         .planner = DrivePlanner::lattice,
                                                         .goal_curves = false,
                                                         .smooth = false},
                                              scratch);
        ASSERT_TRUE(best);
        ASSERT_EQ(way->route.status, best->status);
        if (best->status != PathStatus::complete) continue;
        ++found;
        EXPECT_LE(way->route.cost, best->cost + 0.5);
        EXPECT_GE(way->route.length, best->cost - 1e-6);
        EXPECT_TRUE(way->legal);
        EXPECT_FALSE(verify(way->route, grid, agent));
        EXPECT_NEAR(way->goal_moved, 0.0, 1e-9);
    }
    if (all_trials()) {
        EXPECT_GT(found, 6);
    }
}

TEST(ClassicWindow, DirectionalStartsExactlyAndEndsOnTheLattice) {  // D7, D8
    const Grid grid = std::move(Grid::make({.width = 50, .height = 50})).value();
    Scratch scratch;
    const Result<ClassicRoute> way = find_classic(grid,
                                                  {.start = {{10.37, 10.81}, 0.47},
                                                   .goal = {{30.1, 22.9}, 1.0},
                                                   .agent = {.radius = 0.4, .turning_radius = 1.5},
                                                   .search = ClassicSearch::directional,
                                                   .neighbours = 24,
                                                   .probe = ClassicProbe::exact},
                                                  scratch);
    ASSERT_TRUE(way);
    ASSERT_EQ(way->route.status, PathStatus::complete);
    EXPECT_EQ(ground(way->route.legs[0].start.position), (Vec2{10.37, 10.81}));
    EXPECT_NEAR(way->route.legs[0].start.heading_rad, 0.47, 1e-12);
    EXPECT_EQ(ground(way->route.end.position), (Vec2{30.5, 22.5}));
    EXPECT_NEAR(way->goal_moved, std::sqrt(0.16 + 0.16), 1e-9);
    EXPECT_NEAR(way->goal_turned_rad, 1.0 - kHalfPi / 2, 1e-9);
    EXPECT_FALSE(verify(way->route, grid, {.radius = 0.4, .turning_radius = 1.5}));
}

TEST(ClassicWindow, QueriesInARowAreAsFreshOnesAndAllocateNothing) {  // F4, F7
    Rng rng{3};
    Scratch kept;
    ClassicRoute out, fresh;
    for (int i = 0; i < trials(1000); ++i) {
        const ClassicMap map = random_classic_map(rng, 30, 25);
        const Grid grid = map.grid();
        ClassicQuery query{.open = static_cast<ClassicOpen>(rng.below(2))};
        query.start.position = free_middle(rng, map);
        query.goal.position = free_middle(rng, map);
        Scratch scratch;
        ASSERT_TRUE(find_classic_into(grid, query, scratch, fresh));
        ASSERT_TRUE(find_classic_into(grid, query, kept, out));
        EXPECT_EQ(out.route.stats.digest, fresh.route.stats.digest);
        const std::uint64_t before = heap_calls();
        ASSERT_TRUE(find_classic_into(grid, query, kept, out));
        EXPECT_EQ(heap_calls(), before);
    }
}

}  // namespace
}  // namespace fairlead::testing
