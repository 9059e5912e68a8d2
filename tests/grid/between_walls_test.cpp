// Starts and goals of a point unit in the corner where two walls meet diagonally: it may leave to either side, and come from either. Held
// against the same question asked from the middles of the cells on both sides, and the cheapest answer of these.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/flow_field.h>
#include <fairlead/grid/nearest_free.h>
#include <fairlead/grid/repair.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/flow_fields.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr double kNoWay = 1e300;

// Two rooms that touch in the corner (2, 2); mirrored, the walls change places.
Grid touching_rooms(bool mirrored) {
    if (mirrored) return grid_of({"##..", "##..", "..##", "..##"});
    return grid_of({"..##", "..##", "##..", "##.."});
}

TEST(BetweenWalls, BothSidesAreReachedAndReachIt) {
    const Vec2 corner{2.0, 2.0};
    for (const bool mirrored : {false, true}) {
        const Grid grid = touching_rooms(mirrored);
        for (const double radius : {0.0, 1e-10}) {
            for (const Vec2 from_corner : {Vec2{-1.5, -1.5}, Vec2{1.5, 1.5}}) {
                const Vec2 far{corner.x + (mirrored ? -from_corner.x : from_corner.x),
                               corner.y + from_corner.y};
                for (const bool swapped : {false, true}) {
                    Scratch scratch;
                    GridQuery query{.start = swapped ? far : corner, .goal = swapped ? corner : far};
                    query.agent.radius = radius;
                    const Route route = *find_route(grid, query, scratch);
                    EXPECT_EQ(route.status, PathStatus::complete) << mirrored << far.x << swapped;
                    EXPECT_NEAR(route.cost, 1.5 * std::sqrt(2.0), 1e-9);
                    EXPECT_FALSE(verify(route, grid, query.agent));
                    const Vec2 list[] = {swapped ? corner : far};
                    query.goal = Goal::any_of(list);
                    EXPECT_EQ((*find_route(grid, query, scratch)).status, PathStatus::complete);
                    NearestFreeQuery near{.place = swapped ? corner : far};
                    near.agent = query.agent;
                    near.connected = true;
                    near.from = swapped ? far : corner;
                    EXPECT_EQ((*nearest_free(grid, near, scratch)).distance, 0.0);
                }
            }
        }
        // To go through the corner is another thing, and a disc does not stand in it.
        Scratch scratch;
        const Vec2 here = grid.state().cell_centre({mirrored ? 2 : 0, 0, 0});
        const Vec2 there = grid.state().cell_centre({mirrored ? 0 : 2, 2, 0});
        EXPECT_EQ((*find_route(grid, GridQuery{.start = here, .goal = there}, scratch)).status,
                  PathStatus::unreachable);
        const Agent disc{.radius = 1e-6};
        EXPECT_EQ(
            (*find_route(grid, GridQuery{.start = corner, .goal = there, .agent = disc}, scratch)).status,
            PathStatus::start_blocked);
        EXPECT_EQ(
            (*find_route(grid, GridQuery{.start = here, .goal = corner, .agent = disc}, scratch)).status,
            PathStatus::goal_blocked);
    }
}

// Who sees both rooms goes into the right one.
TEST(BetweenWalls, ExplorersLeaveToEitherSide) {
    for (const bool mirrored : {false, true}) {
        const Grid grid = touching_rooms(mirrored);
        for (const double y : {0.5, 3.5}) {
            const Vec2 far{mirrored == (y < 2.0) ? 3.5 : 0.5, y};
            for (const ExploreMode mode : {ExploreMode::free_space, ExploreMode::horizon}) {
                for (const bool swapped : {false, true}) {
                    Scratch scratch;
                    Result<Explorer> explorer = Explorer::make(grid, {.mode = mode});
                    ASSERT_TRUE(explorer);
                    const Vec2 corner{2.0, 2.0};
                    ASSERT_TRUE(explorer->begin(swapped ? far : corner, swapped ? corner : far));
                    while (explorer->status() == ExploreStatus::going) {
                        ASSERT_TRUE(explorer->step(grid, scratch));
                    }
                    EXPECT_EQ(explorer->status(), ExploreStatus::arrived) << mirrored << y << swapped;
                    EXPECT_FALSE(verify(explorer->walked(), grid, {}));
                }
            }
        }
    }
}

struct Between {
    Vec2 at{};
    std::vector<Vec2> sides;  ///< the middles of the cells that it belongs to
};

std::vector<Between> all_between(const GridState& grid) {
    std::vector<Between> out;
    const auto free = [&](std::int32_t x, std::int32_t y) { return !grid.blocked({x, y, 0}); };
    for (std::int32_t y = 1; y < grid.height(); ++y) {
        for (std::int32_t x = 1; x < grid.width(); ++x) {
            const bool up = free(x, y), left = free(x - 1, y);
            if (free(x - 1, y - 1) != up || free(x, y - 1) != left || up == left) continue;
            const double turn = up ? 0.5 : -0.5;
            const Vec2 at{static_cast<double>(x), static_cast<double>(y)};
            out.push_back({at, {{at.x + turn, at.y + 0.5}, {at.x - turn, at.y - 0.5}}});
        }
    }
    return out;
}

// The least that a way between cells' middles costs.
double least_cost(const Grid& grid, GridQuery query, const Between& from, const Between& to,
                  Scratch& scratch) {
    if (from.at == to.at) return 0.0;
    double best = kNoWay;
    query.planner = GridPlanner::dijkstra;
    query.partial = false;
    for (const Vec2 a : from.sides) {
        for (const Vec2 b : to.sides) {
            query.start = a;
            query.goal = b;
            const Result<Route> route = find_route(grid, query, scratch);
            if (!route || route->status != PathStatus::complete) continue;
            best = std::min(best, route->cost + distance(from.at, a) + distance(to.at, b));
        }
    }
    return best;
}

void expect_flow_agrees(const Grid& grid, const GridQuery& query, double best) {
    const FlowField field = filled(grid, {.goal = query.goal, .agent = query.agent});
    Route route;
    ASSERT_TRUE(field.route(query.start.ground(), route));
    EXPECT_EQ(route.status == PathStatus::complete, best < kNoWay);
    if (route.status != PathStatus::complete) return;
    EXPECT_FALSE(verify(route, grid, query.agent));
    if (route.bound == 1.0) {
        EXPECT_LE(route.cost, best + 1e-9);
    }
}

TEST(BetweenWalls, TheCheaperSideIsTaken) {
    Rng rng(0xb7);
    Scratch scratch;
    int asked = 0;
    int apart = 0;
    for (int trial = 0; trial < trials(400); ++trial) {
        const auto side = [&] { return static_cast<std::int32_t>(3 + rng.below(8)); };
        const std::int32_t width = side(), height = side();
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        const std::vector<std::uint8_t> tiles = random_tiles(rng, count, 15 + rng.below(30));
        const Grid grid = *Grid::make({.width = width, .height = height}, tiles);
        const std::vector<Between> corners = all_between(grid.state());
        if (corners.empty()) continue;
        const auto any = [&](std::int32_t size) {
            return static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(size)));
        };
        const auto corner = [&] { return corners[rng.below(static_cast<std::uint32_t>(corners.size()))]; };
        for (int ask = 0; ask < 4; ++ask) {
            const Cell cell{any(width), any(height), 0};
            Between from = corner();
            Between to = corner();
            if (rng.below(2) == 0 && !grid.state().blocked(cell)) {
                const Vec2 middle = grid.state().cell_centre(cell);
                to = {middle, {middle}};
            }
            if (rng.below(2) == 0) std::swap(from, to);
            GridQuery query{.start = from.at, .goal = to.at};
            query.smoothing = ask % 2 == 0 ? Smoothing::none : Smoothing::best;
            query.partial = rng.below(4) == 0;
            query.turn_penalty = 0.0;
            const double best = least_cost(grid, query, from, to, scratch);
            SCOPED_TRACE(::testing::Message() << "trial " << trial << "." << ask);
            for (const GridPlanner planner :
                 {GridPlanner::automatic, GridPlanner::astar, GridPlanner::bucket_astar,
                  GridPlanner::bidirectional, GridPlanner::jump_point, GridPlanner::fixed_window,
                  GridPlanner::turn_penalty}) {
                query.planner = planner;
                query.window_grows = planner == GridPlanner::fixed_window && ask % 2 == 0;
                const Result<Route> route = find_route(grid, query, scratch);
                ASSERT_TRUE(route);
                const bool joined = route->status == PathStatus::complete;
                ASSERT_EQ(joined, best < kNoWay) << planner_name(planner);
                if (joined) {
                    EXPECT_NEAR(route->cost, best, 1e-6) << planner_name(planner);
                }
                if (joined || route->status == PathStatus::partial) {
                    EXPECT_FALSE(verify(*route, grid, query.agent));
                }
            }
            NearestFreeQuery near{.place = query.goal.at};
            near.connected = true;
            near.from = query.start;
            const NearestFree found = *nearest_free(grid, near, scratch);
            EXPECT_EQ(found.found && found.distance == 0.0, best < kNoWay);
            expect_flow_agrees(grid, query, best);
            ++asked;
            apart += best < kNoWay ? 0 : 1;
        }
    }
    EXPECT_GT(asked, apart);
    if (!all_trials()) return;
    EXPECT_GT(asked, 500);
    EXPECT_GT(apart, 50);
}

}  // namespace
}  // namespace fairlead::testing
