// nearest_free, GridQuery::reach and partial routes to blocked goals against an oracle that looks at every place of the map.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/nearest_free.h>
#include <fairlead/grid/repair.h>
#include <fairlead/verify/verify.h>
#include <gtest/gtest.h>

#include "oracle/grid_oracle.h"
#include "support/environment.h"
#include "support/grids.h"
#include "support/planner_check.h"
#include "support/random_worlds.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

using oracle::GridOracle;
using oracle::World;

constexpr double kInf = std::numeric_limits<double>::infinity();

// All places that count, by the manual: stand points, and for discs wider than a tile the half tiles' corners.
struct EveryPlace {
    const World& world;
    const GridQuery& query;
    const GridOracle& oracle;

    [[nodiscard]] bool wide() const {
        return query.agent.footprint == 0 && query.agent.radius > 0.5 * world.cell_size;
    }
    [[nodiscard]] Vec2 in_cells(Vec2 p) const { return (p - world.origin) * (1.0 / world.cell_size); }
    [[nodiscard]] Vec2 in_world(Vec2 p) const { return world.origin + p * world.cell_size; }

    template <class Visit>
    void each(std::int32_t layer, Visit visit) const {
        if (!wide()) {
            for (std::int32_t y = 0; y < world.height; ++y) {
                for (std::int32_t x = 0; x < world.width; ++x) {
                    const Cell cell{x, y, layer};
                    if (oracle.fits(world.index(cell)))
                        visit(in_cells(oracle::standing_point(world, query.agent, cell)), world.index(cell));
                }
            }
            return;
        }
        for (std::int32_t j = 0; j <= 2 * world.height - (world.wrap_y ? 1 : 0); ++j) {
            for (std::int32_t i = 0; i <= 2 * world.width - (world.wrap_x ? 1 : 0); ++i) {
                const Vec2 p{0.5 * i, 0.5 * j};
                if (oracle.can_sweep(p, p, layer)) visit(p, -1);
            }
        }
    }
    // By distance, then y, then x.
    template <class Accept>
    [[nodiscard]] std::optional<Vec2> nearest(Vec2 from, std::int32_t layer, double reach,
                                              Accept accept) const {
        std::optional<Vec2> best;
        double best_gap = reach * (1.0 + 1e-12);
        each(layer, [&](Vec2 p, std::int32_t cell) {
            const double gap = oracle.distance(p, from);
            if (gap > best_gap + 1e-12 || !accept(p, cell)) return;
            if (best && gap > best_gap - 1e-12) return;  // visited in order of y, then x
            best = p;
            best_gap = gap;
        });
        return best;
    }
    [[nodiscard]] bool may_be_at(Vec2 p, std::int32_t layer) const {
        const bool inside = p.x >= 0 && p.y >= 0 && p.x <= world.width && p.y <= world.height;
        if (!inside || layer < 0 || layer >= world.layers) return false;
        return wide() ? oracle.can_sweep(p, p, layer) : oracle.attach(p, layer).has_value();
    }
};

NearestFreeQuery ask_of(const GridQuery& query, double reach) {
    NearestFreeQuery ask{.place = query.goal.at, .agent = query.agent, .reach = reach};
    ask.corner = query.corner;
    ask.terrain = query.terrain;
    ask.blockers = query.blockers;
    return ask;
}

// A random place on or around the map, cells' centres among them.
Vec2 draw_place(Rng& rng, const World& world) {
    const auto on_axis = [&](std::int32_t size) {
        const double cell = static_cast<double>(rng.below(static_cast<std::uint32_t>(size)));
        switch (rng.below(4)) {
            case 0: return rng.unit() * (size + 6) - 3.0;
            case 1: return cell;
            default: return cell + 0.5;
        }
    };
    const Vec2 p{on_axis(world.width), on_axis(world.height)};
    return world.origin + p * world.cell_size;
}

class EveryTopic : public ::testing::TestWithParam<Topic> {};

TEST_P(EveryTopic, NearestFree) {
    Rng rng(0x4ea4e57 + static_cast<std::uint64_t>(GetParam()));
    Scratch scratch;
    int itself = 0;
    int found = 0;
    int none = 0;
    int joined = 0;
    for (int trial = 0; trial < trials(400); ++trial) {
        RandomCase drawn = random_case(rng, GetParam(), 24);
        const Grid grid = drawn.make_grid();
        GridQuery query = drawn.ask.bind();
        query.neighbours = Neighbourhood::eight;
        query.influence = {};
        const World& world = drawn.world;
        const GridOracle oracle(world, query);
        const EveryPlace every{world, query, oracle};
        const auto floor = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(world.layers)));
        query.goal = Spot(draw_place(rng, world)).on_layer(floor);
        const double reach = rng.below(3) == 0 ? kInf : rng.unit() * 8.0 * world.cell_size;
        NearestFreeQuery ask = ask_of(query, reach);
        const Vec2 near = every.in_cells(ground(ask.place.position));
        // A place within rounding of what touches it may be judged either way.
        SCOPED_TRACE(describe(query) + " trial " + std::to_string(trial));
        const Result<NearestFree> got = nearest_free(grid, ask, scratch);
        ASSERT_TRUE(got) << error_name(got.error().code) << got.error().index;
        const bool on_axis_off = (world.wrap_x && (near.x < 0 || near.x > world.width)) ||
                                 (world.wrap_y && (near.y < 0 || near.y > world.height));
        if (on_axis_off) continue;
        if (every.may_be_at(near, ask.place.layer)) {
            ASSERT_TRUE(got->found);
            ASSERT_EQ(got->position, ground(ask.place.position));
            ++itself;
        } else {
            const std::optional<Vec2> want = every.nearest(near, ask.place.layer, reach / world.cell_size,
                                                           [](Vec2, std::int32_t) { return true; });
            ASSERT_EQ(got->found, want.has_value());
            if (want) {
                const Vec2 p = every.in_cells(got->position);
                // Of two as near as each other the order decides, where places are not rounded.
                const bool rounded = world.origin != Vec2{} || world.cell_size != 1.0;
                const bool tie = std::abs(oracle.distance(near, p) - oracle.distance(near, *want)) < 1e-9;
                const bool other = rounded && tie && every.may_be_at(p, ask.place.layer);
                ASSERT_TRUE(other || distance(p, *want) < 1e-9)
                    << p.x << " " << p.y << " for " << want->x << " " << want->y;
                ASSERT_NEAR(got->distance, oracle.distance(near, *want) * world.cell_size,
                            1e-9 * world.cell_size);
            }
            ++(want ? found : none);
        }
        // The query that moves its goal ends there too.
        if (!got->found || !std::isfinite(reach)) continue;
        ask.connected = true;
        const auto other = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(world.layers)));
        ask.from = Spot(draw_place(rng, world)).on_layer(other);
        query.start = ask.from;
        if (!every.may_be_at(every.in_cells(ground(ask.from.position)), ask.from.layer)) continue;
        if (!(near.x >= 0 && near.y >= 0 && near.x <= world.width && near.y <= world.height)) continue;
        const Result<NearestFree> part = nearest_free(grid, ask, scratch);
        ASSERT_TRUE(part);
        const auto reaches = [&](Vec2 p, std::int32_t layer) {
            GridQuery there = query;
            there.goal = Spot(p).on_layer(layer);
            there.partial = false;
            there.planner = GridPlanner::automatic;
            const Result<Route> route = find_route(grid, there, scratch);
            return route && route->status == PathStatus::complete;
        };
        if (every.may_be_at(near, ask.place.layer) && reaches(ground(ask.place.position), ask.place.layer)) {
            ASSERT_TRUE(part->found);
            ASSERT_EQ(part->position, ground(ask.place.position));
            continue;
        }
        const std::optional<Vec2> want =
            every.nearest(near, ask.place.layer, reach / world.cell_size,
                          [&](Vec2 p, std::int32_t) { return reaches(every.in_world(p), ask.place.layer); });
        ASSERT_EQ(part->found, want.has_value()) << part->position.x << " " << part->position.y;
        if (!want) continue;
        const Vec2 p = every.in_cells(part->position);
        ASSERT_NEAR(oracle.distance(p, near), oracle.distance(*want, near), 1e-9) << p.x << " " << p.y;
        ASSERT_TRUE(reaches(part->position, ask.place.layer));
        ++joined;
    }
    if (!all_trials()) return;
    EXPECT_GT(itself, 5);
    EXPECT_GT(found, 20);
    EXPECT_GT(joined, 5);
}

// Ends that are moved: as the query from the moved places.
TEST_P(EveryTopic, MovedEndsAreThoseOfNearestFree) {
    Rng rng(0x5ea4e57 + static_cast<std::uint64_t>(GetParam()));
    Scratch scratch;
    int moved = 0;
    for (int trial = 0; trial < trials(400); ++trial) {
        RandomCase drawn = random_case(rng, GetParam(), 24);
        const Grid grid = drawn.make_grid();
        GridQuery query = drawn.ask.bind();
        query.smoothing = Smoothing::best;
        const World& world = drawn.world;
        const auto layer = [&] {
            return static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(world.layers)));
        };
        query.start = Spot(draw_place(rng, world)).on_layer(layer());
        query.goal = Spot(draw_place(rng, world)).on_layer(layer());
        query.partial = rng.below(3) == 0;
        query.reach = rng.unit() * 6.0 * world.cell_size;
        SCOPED_TRACE(describe(query) + " trial " + std::to_string(trial));
        const Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route);
        NearestFreeQuery ask = ask_of(query, query.reach);
        const NearestFree goal = *nearest_free(grid, ask, scratch);
        ask.place = query.start;
        const NearestFree start = *nearest_free(grid, ask, scratch);
        if (!start.found) {
            ASSERT_TRUE(route->status == PathStatus::start_blocked || route->status == PathStatus::off_world);
            continue;
        }
        GridQuery still = query;
        still.reach = 0.0;
        still.start = Spot(start.position).on_layer(start.layer);
        if (goal.found) still.goal = Spot(goal.position).on_layer(goal.layer);
        const Result<Route> same = find_route(grid, still, scratch);
        ASSERT_TRUE(same);
        ASSERT_EQ(route->status, same->status);
        ASSERT_NEAR(route->length, same->length, 1e-6 * (1.0 + same->length));
        if (route->status != PathStatus::complete) continue;
        const Place& first = route->legs.empty() ? route->end : route->legs[0].start;
        ASSERT_LT(distance(ground(first.position), start.position), 1e-9 * world.cell_size);
        ASSERT_LT(distance(ground(route->end.position), goal.position),
                  1e-9 * world.cell_size + (world.wrap_x || world.wrap_y ? 1e9 : 0.0));
        ASSERT_FALSE(
            verify(*route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers}));
        moved += start.distance > 0.0 || goal.distance > 0.0 ? 1 : 0;
        // In slices the same.
        GridSearch sliced(grid, query, scratch);
        while (sliced.running()) sliced.step(1);
        Route again;
        ASSERT_TRUE(sliced.take(again));
        ASSERT_EQ(again.stats.digest, route->stats.digest);
    }
    if (!all_trials()) return;
    EXPECT_GT(moved, 10);
}

INSTANTIATE_TEST_SUITE_P(Grid, EveryTopic,
                         ::testing::Values(Topic::plain, Topic::bodies, Topic::terrain, Topic::filtered,
                                           Topic::wrapped, Topic::layered, Topic::blocked, Topic::scaled),
                         [](const auto& of) { return std::string(topic_name(of.param)); });

// ---- by hand ---------------------------------------------------------------------------------------------------

// What a player does: a click on a rock.
TEST(NearestFree, PartialLeadsToTheEdgeOfABlockedGoal) {
    Grid grid = *Grid::make({.width = 40, .height = 40});
    ASSERT_TRUE(grid.fill({{20, 10}, {30, 20}}, 0));
    Scratch scratch;
    for (const GridPlanner planner :
         {GridPlanner::automatic, GridPlanner::jump_point, GridPlanner::bucket_astar, GridPlanner::astar,
          GridPlanner::dijkstra, GridPlanner::bidirectional, GridPlanner::weighted_astar,
          GridPlanner::anytime, GridPlanner::greedy_best_first, GridPlanner::turn_penalty,
          GridPlanner::fixed_window}) {
        GridQuery query{.start = {2.5, 15.5}, .goal = Vec2{21.5, 15.2}, .planner = planner, .partial = true};
        Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route) << planner_name(planner);
        EXPECT_EQ(route->status, PathStatus::partial) << planner_name(planner);
        EXPECT_EQ(ground(route->end.position), (Vec2{19.5, 15.5})) << planner_name(planner);
        // A temporary blocker: the index does not know it.
        const Blocker rock[] = {{.centre = {8.0, 30.0}, .radius = 1.2}};
        query.goal = Vec2{8.0, 30.0};
        query.blockers = rock;
        route = find_route(grid, query, scratch);
        if (!route) continue;  // some take no blockers
        EXPECT_EQ(route->status, PathStatus::partial) << planner_name(planner);
        EXPECT_LT(distance(ground(route->end.position), {8.0, 30.0}), 1.6) << planner_name(planner);
    }
    // Several, all blocked, and a chest in a wall.
    const Vec2 rocks[] = {{25.5, 15.5}, {29.5, 12.5}};
    GridQuery query{.start = {2.5, 15.5}, .goal = Goal::any_of(rocks), .partial = true};
    Result<Route> route = find_route(grid, query, scratch);
    EXPECT_EQ(route->status, PathStatus::partial);
    EXPECT_EQ(ground(route->end.position), (Vec2{30.5, 12.5}));
    query.goal = Goal::adjacent({25.5, 15.5});
    route = find_route(grid, query, scratch);
    EXPECT_EQ(route->status, PathStatus::partial);
    EXPECT_EQ(distance(ground(route->end.position), {25.5, 15.5}), 5.0 + 0.0 * route->length);
    // For a wide disc, registered and not.
    for (const bool registered : {false, true}) {
        const Agent wide{.radius = 0.8};
        if (registered) {
            ASSERT_TRUE(grid.register_size(wide));
        }
        query = {.start = {2.5, 15.5}, .goal = Vec2{21.5, 15.2}, .agent = wide, .partial = true};
        route = find_route(grid, query, scratch);
        EXPECT_EQ(route->status, PathStatus::partial);
        EXPECT_EQ(ground(route->end.position), (Vec2{19.0, 15.0}));
        query.goal = Goal::any_of(rocks);
        route = find_route(grid, query, scratch);
        EXPECT_EQ(route->status, PathStatus::partial);
        query.goal = Goal::adjacent({25.5, 15.5});
        route = find_route(grid, query, scratch);
        EXPECT_EQ(route->status, PathStatus::partial);
        // The same is what connected places are.
        const Result<NearestFree> spot = nearest_free(
            grid, {.place = {21.5, 15.2}, .agent = wide, .connected = true, .from = {2.5, 15.5}}, scratch);
        EXPECT_EQ(spot->position, (Vec2{19.0, 15.0}));
    }
}

// The search came over the seam and named the place in the lap that it came to, off the map.
TEST(NearestFree, ConnectedOverASeamLiesOnTheMap) {
    Grid grid = *Grid::make({.width = 20, .height = 6, .wrap_x = true});
    ASSERT_TRUE(grid.fill({{10, 0}, {11, 6}}, 0));
    Scratch scratch;
    const Blocker rock[] = {{.centre = {1.5, 2.5}, .radius = 0.6}};  // the index does not know it
    NearestFreeQuery ask{.place = {1.5, 2.5}, .connected = true, .from = {17.5, 2.5}};
    ask.blockers = rock;
    const Result<NearestFree> got = nearest_free(grid, ask, scratch);
    ASSERT_TRUE(got);
    EXPECT_TRUE(got->found);
    EXPECT_EQ(got->position, (Vec2{1.5, 1.5}));
    EXPECT_EQ(got->distance, 1.0);
}

TEST(NearestFree, AnyOfIsMovedPointByPoint) {
    const Grid grid = grid_of({".....#####", ".....#####", ".....#####"});
    Scratch scratch;
    const Vec2 points[] = {{9.5, 1.5}, {7.5, 1.5}};
    GridQuery query{.start = {0.5, 0.5}, .goal = Goal::any_of(points), .reach = 3.5};
    const Result<Route> route = find_route(grid, query, scratch);
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_EQ(ground(route->end.position), (Vec2{4.5, 1.5}));
    query.reach = 2.5;
    EXPECT_EQ((*find_route(grid, query, scratch)).status, PathStatus::goal_blocked);
    query.agent.radius = 0.6;
    EXPECT_EQ((*find_route(grid, query, scratch)).status, PathStatus::goal_blocked);
    query.reach = 3.5;
    query.start = {0.8, 0.8};
    EXPECT_EQ(ground((*find_route(grid, query, scratch)).end.position), (Vec2{4.0, 1.5}));
}

TEST(NearestFree, Errors) {
    const Grid grid = *Grid::make({.width = 4, .height = 4});
    Scratch scratch;
    const double nan = std::nan("");
    EXPECT_EQ(nearest_free(grid, {.place = {nan, 0}}, scratch).error().code, ErrorCode::not_finite);
    EXPECT_EQ(nearest_free(grid, {.reach = nan}, scratch).error().code, ErrorCode::not_finite);
    EXPECT_EQ(nearest_free(grid, {.reach = -1.0}, scratch).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(nearest_free(grid, {.agent = {.radius = -1.0}}, scratch).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(find_route(grid, GridQuery{.reach = -1.0}, scratch).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(find_route(grid, GridQuery{.reach = nan}, scratch).error().code, ErrorCode::not_finite);
    EXPECT_FALSE((*nearest_free(grid, {.place = Spot(0.5, 0.5).on_layer(7)}, scratch)).found);
    EXPECT_FALSE((*nearest_free(grid, {.agent = {.radius = 1e30}}, scratch)).found);
    EXPECT_FALSE((*nearest_free(grid, {.place = {1e300, 0}}, scratch)).found);
    EXPECT_EQ((*nearest_free(grid, {.place = {-100, 2.2}}, scratch)).position, (Vec2{0.5, 2.5}));
    GridSearch search(grid, GridQuery{}, scratch);
    EXPECT_EQ(nearest_free(grid, {}, scratch).error().code, ErrorCode::scratch_in_use);
}

// The work grows with the distance to the answer: the walk itself is what a search in slices pays for.
TEST(NearestFree, WorkGrowsWithTheDistance) {
    Grid grid = *Grid::make({.width = 4096, .height = 512});
    ASSERT_TRUE(grid.fill({{2000, 100}, {2100, 140}}, 0));
    Scratch scratch;
    const auto steps = [&](Vec2 goal, double reach) {
        GridSearch search(
            grid,
            GridQuery{
                .start = cell_centre(2050, 90), .goal = goal, .smoothing = Smoothing::none, .reach = reach},
            scratch);
        int n = 0;
        while (search.running()) n += static_cast<int>(search.step(1));
        Route route;
        EXPECT_TRUE(search.take(route));
        EXPECT_EQ(route.status, PathStatus::complete);
        return n;
    };
    const int near = steps(cell_centre(2050, 101), kInf);
    const int far = steps(cell_centre(2050, 119), kInf);
    EXPECT_LT(near, 20);
    EXPECT_LT(far, 20 + 20 * 20);
    EXPECT_GT(far, near);
}

TEST(NearestFree, RepairMovesTheGoalOnlyWhereTheWholeWayIsNew) {
    Grid grid = *Grid::make({.width = 30, .height = 10});
    Scratch scratch;
    const GridQuery query{.start = {1.5, 5.5}, .goal = Vec2{25.5, 5.5}, .reach = 6.0};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    ASSERT_TRUE(grid.fill({{24, 4}, {28, 8}}, 0));
    ASSERT_TRUE(repair(grid, *route, query, scratch));
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_EQ(ground(route->end.position), (Vec2{25.5, 3.5}));
    EXPECT_FALSE(verify(*route, grid, query.agent));
}

}  // namespace
}  // namespace fairlead::testing
