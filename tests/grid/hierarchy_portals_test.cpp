// Routes over the hierarchy through portals, and faults that were found on maps with portals: there just where the flat search finds one,
// legal, hardly longer, however the query is put.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/cluster_maps.h"
#include "support/environment.h"
#include "support/portal_queries.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

// Two open floors, each cut in two by a wall, with a lift, a one-way drop and a gate through the wall.
struct Floors {
    std::vector<std::uint8_t> tiles;
    std::vector<Portal> portals;
    Grid grid;

    explicit Floors(std::int32_t levels_width) : tiles(make_tiles(levels_width)), grid(make(levels_width)) {}

    // The centre of the nearest free cell to the east.
    [[nodiscard]] Vec2 free_place(Cell cell) const { return grid.state().cell_centre(free_cell(cell)); }

  private:
    static std::vector<std::uint8_t> make_tiles(std::int32_t width) {
        Rng rng(6650);
        std::vector<std::uint8_t> all;
        for (int floor = 0; floor < 2; ++floor) {
            std::vector<std::uint8_t> one = cluster_map(rng, ClusterMap::open, width, 100);
            for (std::int32_t y = 0; y < 100; ++y) one[static_cast<std::size_t>(y * width + 300)] = 0;
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }
    [[nodiscard]] Cell free_cell(Cell cell) const { return {cell.x + nth_free(cell), cell.y, cell.layer}; }
    [[nodiscard]] std::int32_t nth_free(Cell cell) const {
        const auto width = static_cast<std::int32_t>(tiles.size() / 200);
        std::int32_t i = 0;
        while (tiles[static_cast<std::size_t>((cell.layer * 100 + cell.y) * width + cell.x + i)] == 0) ++i;
        return i;
    }
    Grid make(std::int32_t width) {
        portals = {{free_cell({20, 50, 0}), free_cell({20, 50, 1}), 4.0, true},
                   {free_cell({width - 60, 20, 1}), free_cell({width - 60, 20, 0}), 2.0, false},
                   {free_cell({280, 50, 1}), free_cell({320, 60, 1}), 3.0, true}};
        GridOptions options{
            .width = width, .height = 100, .layers = 2, .portals = portals, .hierarchy = true};
        return *Grid::make(options, tiles);
    }
};

// Across the wall there is but one way: up, through the gate, down.
TEST(HierarchyPortals, FromFloorToFloor) {
    for (const std::int32_t width : {500, 700, 2300}) {
        const Floors floors(width);
        Scratch scratch;
        GridQuery query{.start = floors.free_place({60, 60}), .goal = floors.free_place({width - 80, 64})};
        for (const GridPlanner planner : {GridPlanner::automatic, GridPlanner::hierarchy}) {
            query.planner = planner;
            const Result<Route> route = find_route(floors.grid, query, scratch);
            ASSERT_TRUE(route);
            ASSERT_EQ(route->status, PathStatus::complete);
            EXPECT_STREQ(route->planner, "hierarchy");
            EXPECT_FALSE(verify(*route, floors.grid.state(), {}));
            std::vector<std::uint32_t> links;
            for (const Leg& leg : route->legs) {
                if (leg.kind == LegKind::link) links.push_back(leg.link_id);
            }
            EXPECT_EQ(links, (std::vector<std::uint32_t>{0, 2, 1})) << width;
            GridQuery flat = query;
            flat.planner = GridPlanner::bucket_astar;
            const Result<Route> best = find_route(floors.grid, flat, scratch);
            ASSERT_TRUE(best);
            EXPECT_LT(route->line_cost, best->line_cost * 1.06) << width;
        }
        // The other way there is none, and both say so.
        std::swap(query.start, query.goal.at);
        const Result<Route> none = find_route(floors.grid, query, scratch);
        ASSERT_TRUE(none);
        EXPECT_EQ(none->status, PathStatus::unreachable);
    }
}

// Beside single steps it pays from a cluster's side on.
TEST(HierarchyPortals, AutomaticTakesItFromOneClusterOn) {
    const Floors floors(500);
    Scratch scratch;
    const auto planner = [&](std::int32_t apart) {
        GridQuery query{.start = floors.free_place({60, 60}), .goal = floors.free_place({60, 60})};
        query.goal.at.position.x += apart;
        query.reach = 3.0;
        const Result<Route> route = find_route(floors.grid, query, scratch);
        EXPECT_TRUE(route && route->status == PathStatus::complete);
        return std::string(route->planner);
    };
    EXPECT_EQ(planner(58), "bucket_astar");
    EXPECT_EQ(planner(70), "hierarchy");
}

// On maps of any kind, by name and automatic, to the nearest place, in slices, cut short, cancelled, to many goals, past blockers; after
// edits, and with a hierarchy out of a file. The campaign `hierarchy` asks more.
TEST(HierarchyPortals, AskedInEveryWay) {
    PortalQueryTally tally;
    for (int i = 0; i < trials(30); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        ASSERT_EQ(check_portal_queries(6900 + seed, 16, tally), "") << "map " << i;
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.complete, tally.queries / 3);
    EXPECT_GT(tally.over_clusters, tally.queries / 10);
    EXPECT_GT(tally.links, tally.over_clusters / 2);
    EXPECT_GT(tally.shown, 20U);
    EXPECT_GT(tally.cut, 20U);
    EXPECT_GT(tally.partial, 4U);
    EXPECT_LT(tally.mean_ratio(), 1.06);
}

// ---- faults --------------------------------------------------------------------------------------------------

// The straight way from the start to the entrance of the next cluster passes a tile's corner nearer than half a tile: a point may take it.
std::vector<std::uint8_t> beside_a_corner(std::int32_t width) {
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(width * 12), 1);
    tiles[static_cast<std::size_t>(5 * width + 37)] = 0;
    return tiles;
}

// A unit of one tile covers the same tiles as a point does, and was given the point's straight ways where its size was not registered.
TEST(HierarchyPortals, AUnitOfOneTileTakesNoWaysOfAPoint) {
    constexpr std::int32_t kWidth = 700;
    const Agent units[] = {{.radius = 0.45}, {.radius = 0.5}, {.footprint = 1}};
    Scratch scratch;
    for (const Agent& unit : units) {
        GridOptions options{.width = kWidth, .height = 12, .hierarchy = true};
        const Grid without = *Grid::make(options, beside_a_corner(kWidth));
        options.sizes = {&unit, 1};
        const Grid with = *Grid::make(options, beside_a_corner(kWidth));
        GridQuery query{.start = Vec2{10.5, 2.5}, .goal = Vec2{690.5, 9.5}, .agent = unit};
        for (const Smoothing smoothing : {Smoothing::none, Smoothing::best}) {
            query.smoothing = smoothing;
            query.planner = GridPlanner::hierarchy;
            const Result<Route> refused = find_route(without, query, scratch);
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().detail, static_cast<std::int64_t>(GridRule::hierarchy_needs_hierarchy));
            query.planner = GridPlanner::automatic;
            for (const Grid* grid : {&without, &with}) {
                const Result<Route> route = find_route(*grid, query, scratch);
                ASSERT_TRUE(route);
                EXPECT_EQ(route->status, PathStatus::complete);
                EXPECT_STREQ(route->planner, grid == &with ? "hierarchy" : "jump_point");
                EXPECT_EQ(std::string(verify(*route, grid->state(), unit).text().c_str()), "legal");
            }
        }
        query.agent = {};
        query.smoothing = Smoothing::none;
        const Result<Route> point = find_route(without, query, scratch);
        ASSERT_TRUE(point);
        EXPECT_STREQ(point->planner, "hierarchy");
        EXPECT_TRUE(verify(*point, without.state(), unit)) << "the map shows the fault no more";
    }
}

// Where it was met first (random queries, layered case 44): six tiles wide, from the top floor over the middle one to the lowest.
TEST(HierarchyPortals, AUnitOfOneTileOnThreeFloors) {
    constexpr std::int32_t kWidth = 6, kHeight = 22;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(kWidth * kHeight * 3), 1);
    tiles[static_cast<std::size_t>((kHeight + 8) * kWidth + 1)] = 0;
    tiles[static_cast<std::size_t>((kHeight + 4) * kWidth)] = 0;
    const Portal portals[] = {{{4, 14, 1}, {4, 15, 2}, 6.0, true}, {{0, 3, 1}, {3, 14, 0}, 1.5, false}};
    const Agent unit{.footprint = 1};
    GridOptions options{
        .width = kWidth, .height = kHeight, .layers = 3, .portals = portals, .hierarchy = true};
    GridQuery query{.start = Spot(Vec2{1.5, 14.5}).on_layer(2), .goal = Spot(Vec2{0.5, 20.5}).on_layer(0)};
    query.agent = unit;
    query.smoothing = Smoothing::none;
    query.planner = GridPlanner::hierarchy;
    Scratch scratch;
    EXPECT_FALSE(find_route(*Grid::make(options, tiles), query, scratch));
    options.sizes = {&unit, 1};
    const Grid with = *Grid::make(options, tiles);
    const Result<Route> route = find_route(with, query, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_STREQ(route->planner, "hierarchy");
    EXPECT_EQ(std::string(verify(*route, with.state(), unit).text().c_str()), "legal");
}

// Stairs straight up lead to the same point of the next floor: shown while that floor's part was being smoothed, the route began there one
// point later.
TEST(HierarchyPortals, StairsStraightUpAreShownWhole) {
    constexpr std::int32_t kWidth = 200, kHeight = 70;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(kWidth * kHeight * 2), 1);
    for (std::int32_t i = 0; i < 2 * kHeight; ++i) {  // walls with gaps by turns above and below
        for (std::int32_t x = 20; x < kWidth; x += 30) {
            const std::int32_t y = i % kHeight;
            const bool gap = x / 30 % 2 == 0 ? y < 6 : y >= kHeight - 6;
            if (!gap) tiles[static_cast<std::size_t>(i * kWidth + x)] = 0;
        }
    }
    const Portal portals[] = {{{150, 30, 0}, {150, 30, 1}, 1.0, true}};
    const Grid grid = *Grid::make(
        {.width = kWidth, .height = kHeight, .layers = 2, .portals = portals, .hierarchy = true}, tiles);
    Scratch scratch, other;
    Route route;
    for (const Smoothing smoothing :
         {Smoothing::best, Smoothing::greedy_shortcut, Smoothing::farthest_visible}) {
        GridQuery query{.start = Vec2{5.5, 60.5}, .goal = Spot(Vec2{5.5, 10.5}).on_layer(1)};
        query.planner = GridPlanner::hierarchy;
        query.smoothing = smoothing;
        const Result<Route> whole = find_route(grid, query, scratch);
        ASSERT_TRUE(whole);
        ASSERT_EQ(whole->status, PathStatus::complete);
        int shown = 0;
        GridSearch search(grid, query, other);
        while (search.running()) {
            search.step(1);
            if (!search.running() || !search.has_route()) continue;
            ASSERT_TRUE(search.take(route));
            ASSERT_EQ(std::string(verify(route, grid.state(), {}).text().c_str()), "legal") << shown;
            ++shown;
        }
        ASSERT_TRUE(search.take(route));
        EXPECT_EQ(route_difference(route, *whole), "");
        EXPECT_GT(shown, 8);
    }
}

}  // namespace
}  // namespace fairlead::testing
