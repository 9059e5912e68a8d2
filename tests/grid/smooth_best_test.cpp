// The default smoothing against the shortest way among all angles, in named scenes, and its bounds on work.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "grid/smooth.h"
#include "support/any_angle.h"
#include "support/environment.h"
#include "support/grids.h"
#include "support/random_worlds.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

/// Units whose taut ways the oracle knows exactly, and discs.
constexpr Agent kPoint{};
constexpr Agent kSquares[] = {{.footprint = 1}, {.footprint = 2}, {.footprint = 3}};
constexpr Agent kDiscs[] = {{.radius = 0.3}, {.radius = 0.5}, {.radius = 0.8}, {.radius = 1.3}};

AnyAngle any_angle(const Grid& grid, const Agent& agent, CornerRule corner = CornerRule::never) {
    DenseSight sight;
    sight.grid = &grid.state();
    sight.radius = agent.radius;
    sight.footprint = agent.footprint;
    sight.corner = corner;
    return AnyAngle(sight);
}

Route best_route(const Grid& grid, GridQuery query) {
    Scratch scratch;
    query.smoothing = Smoothing::best;
    Result<Route> route = find_route(grid.state(), query, scratch);
    FAIRLEAD_ASSERT(route.has_value());
    const Violation bad =
        verify(*route, grid.state(), query.agent, {.terrain = query.terrain, .blockers = query.blockers});
    EXPECT_FALSE(bad) << bad.text().c_str();
    return std::move(*route);
}

/// Where the unit stands in a cell, on a map in cell units.
Vec2 standing(const Agent& agent, std::int32_t x, std::int32_t y) {
    const double middle = agent.footprint > 0 && agent.footprint % 2 == 0 ? 0.0 : 0.5;
    return {x + middle, y + middle};
}

/// Longer than a taut way by the polygons in place of arcs (pull.h).
double arc_allowance(const Agent& agent, const Route& route) {
    return agent.footprint > 0 ? 0.0 : 0.043 * agent.radius * static_cast<double>(route.legs.size() - 1);
}

struct Gaps {
    int routes = 0;
    int exact = 0;
    double sum = 0.0;
    double worst = 0.0;
    void add(double gap) {
        ++routes;
        exact += gap < 1e-6 ? 1 : 0;
        sum += gap;
        worst = std::max(worst, gap);
    }
    void print(const char* what) const {
        std::printf(
            "%-28s %5d routes, %5.1f %% of them optimal; above the any-angle optimum: mean %.3f %%, max %.2f "
            "%%\n",
            what, routes, 100.0 * exact / routes, 100.0 * sum / routes, 100.0 * worst);
    }
};

/// Random queries on one map; `unique`: there is only one way round everything, so that taut is optimal.
void compare(const Grid& grid, const Agent& agent, CornerRule corner, Rng& rng, int queries, bool unique,
             Gaps& gaps) {
    const AnyAngle oracle = any_angle(grid, agent, corner);
    const GridState& state = grid.state();
    for (int i = 0; i < queries; ++i) {
        GridQuery query;
        query.agent = agent;
        query.corner = corner;
        query.start = standing(agent, rng.between(0, state.width() - 1), rng.between(0, state.height() - 1));
        query.goal = standing(agent, rng.between(0, state.width() - 1), rng.between(0, state.height() - 1));
        const Route route = best_route(grid, query);
        if (route.status != PathStatus::complete || route.legs.empty()) continue;
        const AnyAngle::Way way = oracle.shortest(query.start.ground(), query.goal.at.ground());
        const double shortest = way.length;
        ASSERT_GT(shortest, 0.0);
        const double round =
            agent.footprint == 0 && agent.radius > 0.0 ? shortest * AnyAngle::kArcExcess : 0.0;
        // Nothing beats the optimum.
        ASSERT_GE(route.length, shortest - round - 1e-7) << state.width() << " x " << state.height();
        if (unique) {
            ASSERT_LE(route.length, shortest + arc_allowance(agent, route) + 1e-5)
                << query.start.position.x << " " << query.start.position.y << " to "
                << query.goal.at.ground().x << " " << query.goal.at.ground().y << " radius " << agent.radius
                << " footprint " << agent.footprint;
        }
        // Straight steps along the cells that the optimum crosses are a tile route: one for each line of the grid
        // that it crosses, one more at each end, and two at each corner that it bends at, where the centres of the
        // cells go round it farther out. The tile search finds none longer than that.
        ASSERT_LE(route.length,
                  std::sqrt(2.0) * shortest + 2.0 + 2.0 * way.bends + arc_allowance(agent, route));
        gaps.add(std::max(0.0, route.length / shortest - 1.0));
    }
}

Grid plain_grid(std::int32_t width, std::int32_t height, const std::vector<std::uint8_t>& tiles) {
    GridOptions options;
    options.width = width;
    options.height = height;
    Result<Grid> grid = Grid::make(options, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

void run_random(const Agent& agent, CornerRule corner, const char* what, int maps, double mean_max) {
    Gaps gaps;
    for (int i = 0; i < trials(maps); ++i) {
        Rng rng(static_cast<std::uint64_t>(i) + 900);
        const std::int32_t width = rng.between(4, 20);
        const std::int32_t height = rng.between(4, 20);
        const Grid grid = plain_grid(width, height, random_map(rng, width, height));
        ASSERT_NO_FATAL_FAILURE(compare(grid, agent, corner, rng, 12, false, gaps));
    }
    gaps.print(what);
    EXPECT_LT(gaps.sum / gaps.routes, mean_max);
}

TEST(SmoothBestSlow, NearTheAnyAngleOptimumForPoints) {
    run_random(kPoint, CornerRule::never, "points, corners never", 250, 0.003);
    run_random(kPoint, CornerRule::always, "points, corners always", 250, 0.003);
}
TEST(SmoothBestSlow, NearTheAnyAngleOptimumForSquares) {
    run_random(kSquares[0], CornerRule::never, "squares of 1", 250, 0.003);
    run_random(kSquares[1], CornerRule::never, "squares of 2", 250, 0.003);
}
TEST(SmoothBestSlow, NearTheAnyAngleOptimumForDiscs) {
    run_random(kDiscs[0], CornerRule::never, "discs of 0.3", 20, 0.006);
    run_random(kDiscs[2], CornerRule::never, "discs of 0.8", 240, 0.006);
}

/// A wall from the map's edge, of any shape without holes: there is one way round.
std::vector<std::uint8_t> cape(Rng& rng, std::int32_t width, std::int32_t height) {
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(width * height), 1);
    const std::int32_t from = rng.between(width / 4, width / 2);
    const std::int32_t to = from + rng.between(1, width / 4);
    std::int32_t depth = rng.between(1, height - 5);
    for (std::int32_t x = from; x <= to; ++x) {
        for (std::int32_t y = 0; y < depth; ++y) tiles[static_cast<std::size_t>(y * width + x)] = 0;
        if (rng.below(2) == 0) depth = std::clamp(depth + rng.between(-3, 3), 1, height - 4);
    }
    return tiles;
}

/// Corridors without loops, dug from cell to cell: between two places there is one way.
std::vector<std::uint8_t> tree(Rng& rng, std::int32_t rooms, std::int32_t passage) {
    const std::int32_t pitch = passage + 1;
    const std::int32_t side = rooms * pitch + 1;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(side * side), 0);
    const auto dig = [&](std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h) {
        for (std::int32_t j = y; j < y + h; ++j) {
            for (std::int32_t i = x; i < x + w; ++i) tiles[static_cast<std::size_t>(j * side + i)] = 1;
        }
    };
    for (std::int32_t y = 0; y < rooms; ++y) {
        for (std::int32_t x = 0; x < rooms; ++x) {
            const std::int32_t left = x * pitch + 1, top = y * pitch + 1;
            dig(left, top, passage, passage);
            const bool across = y == 0 || (x > 0 && rng.below(2) == 0);
            if (across && x > 0) dig(left - 1, top, 1, passage);
            if (!across) dig(left, top - 1, passage, 1);
        }
    }
    return tiles;
}

void run_unique(bool corridors, const char* what) {
    std::vector<Agent> agents{kPoint};
    agents.insert(agents.end(), std::begin(kSquares), std::end(kSquares));
    agents.insert(agents.end(), std::begin(kDiscs), std::end(kDiscs));
    Gaps exact, round;
    for (int i = 0; i < trials(60); ++i) {
        Rng rng(static_cast<std::uint64_t>(i) + 300);
        for (const Agent& agent : agents) {
            const std::int32_t rooms = rng.between(2, 5);
            const std::int32_t passage = rng.between(3, 5);
            const std::int32_t width = corridors ? rooms * (passage + 1) + 1 : rng.between(10, 24);
            const std::int32_t height = corridors ? width : rng.between(8, 20);
            const Grid grid =
                plain_grid(width, height, corridors ? tree(rng, rooms, passage) : cape(rng, width, height));
            const bool disc = agent.radius > 0.0;
            ASSERT_NO_FATAL_FAILURE(
                compare(grid, agent, CornerRule::never, rng, 8, true, disc ? round : exact));
        }
    }
    exact.print((std::string(what) + ", points and squares").c_str());
    round.print((std::string(what) + ", discs").c_str());
    EXPECT_EQ(exact.exact, exact.routes);
}

TEST(SmoothBestSlow, IsTheShortestWayRoundACape) { run_unique(false, "capes"); }
TEST(SmoothBestSlow, IsTheShortestWayThroughCorridors) { run_unique(true, "corridors"); }

TEST(SmoothBest, BendsAtTheTwoCornersOfABlock) {
    const Grid grid =
        grid_of({"..........", "..........", "...####...", "...####...", "...####...", "...####..."});
    const Route point = best_route(grid, {.start = cell_centre(1, 4), .goal = cell_centre(8, 4)});
    ASSERT_EQ(point.legs.size(), 3U);
    EXPECT_EQ(ground(point.legs[1].start.position), (Vec2{3, 2}));
    EXPECT_EQ(ground(point.legs[2].start.position), (Vec2{7, 2}));
    EXPECT_NEAR(point.length, 4 + 2 * std::hypot(1.5, 2.5), 1e-12);
    const Route square =
        best_route(grid, {.start = cell_centre(1, 4), .goal = cell_centre(8, 4), .agent = {.footprint = 1}});
    ASSERT_EQ(square.legs.size(), 3U);
    EXPECT_EQ(ground(square.legs[1].start.position), (Vec2{2.5, 1.5}));
    EXPECT_EQ(ground(square.legs[2].start.position), (Vec2{7.5, 1.5}));
}

// ---- terrain -----------------------------------------------------------------------------------------------

/// The dearest cell along a route, a little inside of each leg.
bool enters_terrain(const GridState& grid, const Route& route, std::uint8_t kind) {
    for (double at = 0.0; at <= route.length; at += 0.01) {
        const Vec2 p = ground(place_on_route(route, at).position);
        bool inside = true;  // well inside, not along the border
        for (const Vec2 d : {Vec2{-1e-6, 0}, Vec2{1e-6, 0}, Vec2{0, -1e-6}, Vec2{0, 1e-6}}) {
            inside = inside && grid.tile(grid.cell_at(p + d)) == kind;
        }
        if (inside) return true;
    }
    return false;
}

TEST(SmoothBest, ARouteAroundSandStaysAroundIt) {
    const Grid grid = grid_of({"................", "................", "....55555555....", "....55555555....",
                               "....55555555....", "....55555555....", "....55555555....", "....55555555....",
                               "................", "................", "................"});
    for (const Agent& agent : {Agent{}, Agent{.radius = 0.4}, Agent{.footprint = 1}}) {
        const Route route =
            best_route(grid, {.start = cell_centre(1, 6), .goal = cell_centre(14, 6), .agent = agent});
        EXPECT_FALSE(enters_terrain(grid.state(), route, 5));
        // The centre runs past the sand's two lower corners.
        EXPECT_NEAR(route.length, 8 + 2 * std::hypot(2.5, 1.5), 1e-9);
        EXPECT_NEAR(route.line_cost, route.length, 1e-9);
        EXPECT_EQ(route.legs.size(), 3U);
    }
}

TEST(SmoothBest, SandThatIsCheaperToCrossIsCrossedStraight) {
    const Grid grid = grid_of({"......2.........", "......2.........", "......2.........", "......2.........",
                               "......2.........", "......2........."});
    const Route route = best_route(grid, {.start = cell_centre(1, 4), .goal = cell_centre(14, 1)});
    EXPECT_EQ(route.legs.size(), 1U);
}

TEST(SmoothBest, SandAndAWallAreRoundedTogether) {
    const Grid grid = grid_of({"....................", "....................", "....9999............",
                               "....9999............", "....9999....##......", "....9999....##......",
                               "....9999....##......", "............##......", "............##......",
                               "............##......"});
    const Route route = best_route(grid, {.start = cell_centre(1, 4), .goal = cell_centre(16, 7)});
    EXPECT_FALSE(enters_terrain(grid.state(), route, 9));
    // Along the sand's upper side, and over the wall's far corner.
    EXPECT_NEAR(route.length, std::hypot(2.5, 2.5) + 4 + std::hypot(6, 2) + std::hypot(2.5, 3.5), 1e-9);
}

TEST(SmoothBest, AFilterThatLikesSandGoesStraight) {
    const Grid grid = grid_of({"........", "..5555..", "..5555..", "..5555..", "........"});
    const double factors[] = {1.0, 1.0, 1.0, 1.0, 1.0, 0.2};
    const Route route = best_route(
        grid, {.start = cell_centre(0, 2), .goal = cell_centre(7, 2), .terrain = {.factors = factors}});
    EXPECT_EQ(route.legs.size(), 1U);
}

// ---- bugs that were --------------------------------------------------------------------------------------

TEST(SmoothBest, TwoPinsInOnePlaceHaveNoTangent) {
    // A round blocker right on a wall's corner: circles with one centre.
    const Grid grid = grid_of({".........", ".........", "...###...", "...###...", "...###...", "...###..."});
    for (const double radius : {0.1, 0.2, 0.3, 0.30000000001, 0.6}) {
        for (const double body : {0.0, 0.2, 0.3, 0.4}) {
            const Blocker blockers[] = {{.centre = {3, 2}, .radius = radius},
                                        {.centre = {6, 2}, .radius = radius}};
            const Route route = best_route(grid, {.start = cell_centre(1, 4),
                                                  .goal = cell_centre(7, 4),
                                                  .agent = {.radius = body},
                                                  .blockers = blockers});
            EXPECT_EQ(route.status, PathStatus::complete);
            EXPECT_TRUE(std::isfinite(route.length));
        }
    }
}

/// Does the route bend at the corner between two walls and leave on the side that it did not come from?
bool slips_through(const GridState& grid, Vec2 before, Vec2 at, Vec2 after) {
    if (at.x != std::floor(at.x) || at.y != std::floor(at.y)) return false;
    const auto x = static_cast<std::int32_t>(at.x);
    const auto y = static_cast<std::int32_t>(at.y);
    const auto wall = [&](std::int32_t i, std::int32_t j) {
        return !grid.inside({i, j}) || grid.blocked({i, j});
    };
    const bool rising = !wall(x - 1, y - 1) && wall(x, y - 1) && wall(x - 1, y) && !wall(x, y);
    const bool falling = wall(x - 1, y - 1) && !wall(x, y - 1) && !wall(x - 1, y) && wall(x, y);
    if (!rising && !falling) return false;
    const auto within = [&](Vec2 p, Vec2 side) {
        return (p.x - at.x) * side.x >= 0.0 && (p.y - at.y) * side.y >= 0.0;
    };
    const Vec2 side = rising ? Vec2{1, 1} : Vec2{1, -1};
    return !(within(before, side) && within(after, side)) &&
           !(within(before, side * -1.0) && within(after, side * -1.0));
}

TEST(SmoothBestSlow, ABendAtTheCornerBetweenTwoWallsStaysOnItsSide) {
    int bends = 0;
    for (int i = 0; i < trials(4000); ++i) {
        Rng rng(static_cast<std::uint64_t>(i) + 40000);
        const std::int32_t width = rng.between(5, 30);
        const std::int32_t height = rng.between(5, 30);
        const Grid grid = plain_grid(width, height,
                                     random_tiles(rng, static_cast<std::size_t>(width * height),
                                                  20 + rng.below(25), 1 + rng.below(2)));
        GridQuery query;
        query.corner = rng.below(2) == 0 ? CornerRule::never : CornerRule::one_free;
        for (int k = 0; k < 4; ++k) {
            query.start = cell_centre(rng.between(0, width - 1), rng.between(0, height - 1));
            query.goal = cell_centre(rng.between(0, width - 1), rng.between(0, height - 1));
            const Route route = best_route(grid, query);
            for (std::size_t leg = 1; leg < route.legs.size(); ++leg) {
                const Vec3 after =
                    leg + 1 < route.legs.size() ? route.legs[leg + 1].start.position : route.end.position;
                ASSERT_FALSE(slips_through(grid.state(), ground(route.legs[leg - 1].start.position),
                                           ground(route.legs[leg].start.position), ground(after)))
                    << "map " << i << " query " << k << " leg " << leg;
                ++bends;
            }
        }
    }
    EXPECT_GT(bends, trials(4000));
}

TEST(SmoothBest, OnARowThatWrapsOntoItselfTheGoalIsReachedOnTheSideThatIsFree) {
    // The goal is joined to the start's own cell over the seam; the nearest image of it is behind the blocker.
    GridOptions options;
    options.wrap_x = options.wrap_y = true;
    const Grid grid = grid_of({"......"}, options);
    const Blocker blockers[] = {{.box = {{1.35, 0.716}, {4.32, 0.783}}}};
    for (const GridPlanner planner : {GridPlanner::automatic, GridPlanner::astar}) {
        const Route route = best_route(
            grid, {.start = {2.5, 0.5}, .goal = Vec2{2.91, 0.887}, .planner = planner, .blockers = blockers});
        EXPECT_EQ(route.status, PathStatus::complete);
        EXPECT_NEAR(route.length, std::hypot(0.41, 0.613), 1e-12);
    }
}

// ---- the bound on work -------------------------------------------------------------------------------------

grid::SightWorld sight_world(const GridState& state, const GridQuery& query) {
    grid::SightWorld world;
    world.state = &state.data();
    world.radius = query.agent.radius;
    world.footprint = query.agent.footprint;
    world.corner = query.corner;
    world.costs = state.data().costs;
    return world;
}

std::vector<Vec2> points_of(const Route& route) {
    std::vector<Vec2> points;
    for (const Leg& leg : route.legs) points.push_back(ground(leg.start.position));
    points.push_back(ground(route.end.position));
    return points;
}

TEST(SmoothBest, WorkIsBounded) {
    double most = 0.0;
    double share = 0.0;  // of the limit
    std::uint64_t longest_step = 0;
    for (int i = 0; i < trials(400); ++i) {
        Rng rng(static_cast<std::uint64_t>(i) + 5000);
        const std::int32_t side = rng.between(20, 200);
        std::vector<std::uint8_t> tiles = random_map(rng, side, side);
        if (rng.below(3) == 0) {
            for (std::uint8_t& tile : tiles)
                tile = tile == 0 ? 0 : static_cast<std::uint8_t>(1 + rng.below(4));
        }
        const Grid grid = plain_grid(side, side, tiles);
        GridQuery query;
        query.agent.radius = 0.2 * rng.below(4);
        query.smoothing = Smoothing::none;
        query.planner = rng.below(2) == 0 ? GridPlanner::automatic : GridPlanner::greedy_best_first;
        query.start = cell_centre(rng.between(0, side - 1), rng.between(0, side - 1));
        query.goal = cell_centre(rng.between(0, side - 1), rng.between(0, side - 1));
        Scratch scratch;
        Route tile_route;
        if (!find_route_into(grid.state(), query, scratch, tile_route) || tile_route.legs.size() < 2)
            continue;
        const std::vector<Vec2> points = points_of(tile_route);
        const grid::Sight sight(sight_world(grid.state(), query));
        grid::Smoother smoother;
        ASSERT_TRUE(smoother.begin(sight, Smoothing::best, points));
        std::uint64_t before = 0;
        while (smoother.step(1)) {
            longest_step = std::max(longest_step, smoother.units() - before);
            before = smoother.units();
        }
        ASSERT_LE(smoother.units(), smoother.units_limit() + 400 + 3 * points.size());
        share = std::max(share,
                         static_cast<double>(smoother.units()) / static_cast<double>(smoother.units_limit()));
        most = std::max(most, static_cast<double>(smoother.units()) / static_cast<double>(points.size()));
        // Once is enough: what is taut and cut short stays as it is, up to what new corners make visible.
        const std::vector<Vec2> once(smoother.points().begin(), smoother.points().end());
        ASSERT_TRUE(smoother.begin(sight, Smoothing::best, once));
        while (smoother.step(UINT64_MAX)) {
        }
        ASSERT_LE(grid::polyline_cost(sight, smoother.points()),
                  grid::polyline_cost(sight, once) * (1 + 1e-12));
    }
    std::printf("units of work: at most %.1f a point, %.0f %% of the limit, %llu in one step\n", most,
                100.0 * share, static_cast<unsigned long long>(longest_step));
    EXPECT_LE(longest_step, 400U);
}

TEST(Smoothing, FarthestVisibleIsItsOwnSmoothing) {
    int changed = 0;
    for (int i = 0; i < trials(300); ++i) {
        Rng rng(static_cast<std::uint64_t>(i) + 7000);
        const std::int32_t side = rng.between(10, 60);
        const Grid grid = plain_grid(side, side, random_map(rng, side, side));
        GridQuery query;
        query.smoothing = Smoothing::none;
        query.start = cell_centre(rng.between(0, side - 1), rng.between(0, side - 1));
        query.goal = cell_centre(rng.between(0, side - 1), rng.between(0, side - 1));
        Scratch scratch;
        Route tile_route;
        if (!find_route_into(grid.state(), query, scratch, tile_route) || tile_route.legs.empty()) continue;
        const grid::Sight sight(sight_world(grid.state(), query));
        grid::Smoother smoother;
        for (const Smoothing method : {Smoothing::farthest_visible, Smoothing::greedy_shortcut}) {
            ASSERT_TRUE(smoother.begin(sight, method, points_of(tile_route)));
            while (smoother.step(1)) {
            }
            const std::vector<Vec2> once(smoother.points().begin(), smoother.points().end());
            EXPECT_LE(grid::heading_changes(once), grid::heading_changes(points_of(tile_route)));
            ASSERT_TRUE(smoother.begin(sight, method, once));
            while (smoother.step(1)) {
            }
            if (method == Smoothing::farthest_visible) {
                EXPECT_EQ(smoother.points().size(), once.size());
            } else if (smoother.points().size() != once.size()) {
                ++changed;  // a second greedy run may find more
            }
        }
    }
    std::printf("greedy shortcutting of its own result dropped more points %d times\n", changed);
}

TEST(Smoothing, SurvivesEveryFailedAllocation) {
    Rng rng(4);
    const Grid grid = plain_grid(40, 40, random_tiles(rng, 1600, 25));
    GridQuery query;
    query.smoothing = Smoothing::none;
    Scratch scratch;
    Route tile_route;
    for (int i = 0; i < 200 && tile_route.legs.size() < 8; ++i) {
        query.start = cell_centre(rng.between(0, 39), rng.between(0, 39));
        query.goal = cell_centre(rng.between(0, 39), rng.between(0, 39));
        ASSERT_TRUE(find_route_into(grid.state(), query, scratch, tile_route));
    }
    ASSERT_GE(tile_route.legs.size(), 8U);
    const std::vector<Vec2> points = points_of(tile_route);
    const grid::Sight sight(sight_world(grid.state(), query));
    std::int64_t calls = 1;
    for (std::int64_t fail = 0; fail <= calls; ++fail) {
        TestAllocator memory;
        memory.fail_from_call = fail < calls ? fail : -1;
        {
            grid::Smoother smoother(memory.allocator());
            bool good = smoother.begin(sight, Smoothing::best, points);
            while (good && smoother.step(1)) {
            }
            EXPECT_EQ(smoother.out_of_memory(), memory.fail_from_call >= 0 && memory.calls > fail);
            if (fail == 0) calls = 40;  // more than there are
            if (!smoother.out_of_memory()) {
                EXPECT_GE(smoother.points().size(), 2U);
            }
        }
        EXPECT_EQ(memory.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
