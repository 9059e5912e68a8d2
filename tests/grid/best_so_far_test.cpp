// Best so far (technique T3): a query that says `partial` and whose budget is spent leads to the place nearest the goal that was
// expanded, for every planner, world and unit; more budget never ends farther away.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>
#include <gtest/gtest.h>

#include "oracle/line_walk.h"
#include "support/environment.h"
#include "support/random_worlds.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

using oracle::GridOracle;
using oracle::World;

/// How far a place is from the goal: on its floor before on another.
struct Away {
    bool other_floor = false;
    double gap = 0.0;  // cells

    [[nodiscard]] bool farther_than(const Away& than) const {
        return other_floor != than.other_floor ? other_floor : gap > than.gap + 1e-9 * (1.0 + than.gap);
    }
};

Away away_of(const GridOracle& oracle, const GridQuery& query, const Place& place) {
    const World& world = oracle.world();
    const auto in_cells = [&](Vec2 p) { return (p - world.origin) * (1.0 / world.cell_size); };
    const Vec2 at = in_cells(ground(place.position));
    Away away{place.layer != query.goal.at.layer, 1e300};
    if (query.goal.kind != Goal::Kind::any_of) {
        away.gap = oracle.distance(at, in_cells(query.goal.at.ground()));
        return away;
    }
    // Points where the unit cannot stand are no goals, unless it can stand at none.
    const auto stands = [&](Vec2 point) {
        return oracle.attach(in_cells(point), query.goal.at.layer).has_value();
    };
    bool none = true;
    for (const Spot spot : query.goal.list) none = none && !stands(spot.ground());
    for (const Spot spot : query.goal.list) {
        const Vec2 point = spot.ground();
        if (!none && !stands(point)) continue;
        away.gap = std::min(away.gap, oracle.distance(at, in_cells(point)));
    }
    return away;
}

struct Tally {
    int spent = 0;
    int legs = 0;
    int halves = 0;
    int done = 0;
    int wide = 0;  // discs wider than a tile with several goals
};

class Asked {
  public:
    Asked(const RandomCase& drawn, const Grid& grid, const GridOracle& oracle, const GridQuery& query,
          Tally& tally)
        : drawn_(drawn), grid_(grid), oracle_(oracle), query_(query), tally_(tally) {}

    // With budgets from 0 to what is enough; empty if all is well or the planner does not serve this.
    std::string run(Rng& rng) {
        const Result<Route> whole = find_route(grid_, query_, scratch_);
        if (!whole) return "";
        const std::uint64_t all = whole->stats.expanded;
        Away before{true, 1e300};
        std::uint64_t budget = 0;
        for (;;) {
            const std::string problem = ask(budget, before, rng);
            if (!problem.empty())
                return "budget " + std::to_string(budget) + " of " + std::to_string(all) + ": " + problem;
            if (budget > all) break;
            budget += 1 + rng.below(1 + static_cast<std::uint32_t>(all / 12));
        }
        return rng.below(4) == 0 ? cancelled(all, rng) : "";
    }

  private:
    std::string judge(const Route& route, bool cancelled = false) const {
        const Violation bad = verify(route, grid_.state(), query_.agent,
                                     {.terrain = query_.terrain, .blockers = query_.blockers});
        if (bad) return std::string("illegal: ") + bad.text().c_str();
        if (route.status != PathStatus::budget_spent) return "";
        if (route.bound != kNoBound) return "claims a bound";
        const Place start{query_.start.position, 0.0, query_.start.layer};
        const Away from = away_of(oracle_, query_, start);
        if (route.legs.empty()) {
            return ground(route.end.position) == query_.start.ground() &&
                           route.end.layer == query_.start.layer
                       ? ""
                       : "stays, but not at the start";
        }
        // Cancelled while it was smoothed, a way may end in a region and yet farther from its point.
        const bool region = query_.goal.kind != Goal::Kind::point && query_.goal.kind != Goal::Kind::any_of;
        if (!(cancelled && region) && !from.farther_than(away_of(oracle_, query_, route.end)))
            return "ends no nearer than the start";
        const oracle::WalkedCost walked = walk_legs(drawn_.world, query_, route, 0, route.legs.size());
        const double slack = 1e-6 * (walked.high + drawn_.world.cell_size);
        if (route.line_cost < walked.low - slack || route.line_cost > walked.high + slack) return "line_cost";
        return "";
    }

    std::string ask(std::uint64_t budget, Away& before, Rng& rng) {
        GridQuery query = query_;
        query.expansions_max = budget;
        const Result<Route> route = find_route(grid_, query, scratch_);
        if (!route) return "an error";
        const std::string problem = judge(*route);
        if (!problem.empty()) return problem;
        GridSearch slices(grid_, query, other_);
        while (slices.step(1 + rng.below(40))) {
        }
        Route sliced;
        if (!slices.take(sliced)) return "an error in slices";
        const std::string difference = route_difference(sliced, *route);
        if (!difference.empty()) return "sliced, " + difference;
        const bool spent = route->status == PathStatus::budget_spent;
        (spent ? tally_.spent : tally_.done) += 1;
        if (spent) {
            tally_.legs += route->legs.empty() ? 0 : 1;
            const bool wide = query_.agent.radius > 0.5 * drawn_.world.cell_size;
            tally_.wide += wide && query_.goal.kind == Goal::Kind::any_of && !route->legs.empty() ? 1 : 0;
            tally_.halves += std::string(route->planner) == "half_lattice" && !route->legs.empty() ? 1 : 0;
            query.partial = false;
            const Result<Route> plain = find_route(grid_, query, scratch_);
            if (!plain || !(plain->status == PathStatus::complete || plain->legs.empty()))
                return "legs that nobody asked for";
        }
        if (spent || route->status == PathStatus::partial) {
            const Away away = away_of(oracle_, query_, route->end);
            if (away.farther_than(before)) {
                return "ends " + std::to_string(away.gap) + " from the goal, with less budget " +
                       std::to_string(before.gap);
            }
            if (!route->legs.empty()) before = away;  // a tile's middle may be farther than a start beside it
        }
        return "";
    }

    // As with a budget of what was expanded when it was cancelled, not smoothed.
    std::string cancelled(std::uint64_t all, Rng& rng) {
        std::atomic<bool> flag{false};
        GridSearch search(grid_, query_, scratch_, {.cancel = &flag});
        (void)search.step(rng.below(static_cast<std::uint32_t>(all) + 4));
        flag = true;
        while (search.step(1)) {
        }
        Route route;
        if (!search.take(route)) return "an error when cancelled";
        return judge(route, true);
    }

    const RandomCase& drawn_;
    const Grid& grid_;
    const GridOracle& oracle_;
    GridQuery query_;
    Tally& tally_;
    Scratch scratch_;
    Scratch other_;
};

bool is_wide(const RandomCase& drawn) { return drawn.ask.query.agent.radius > 0.5 * drawn.world.cell_size; }

// The goal that was drawn, or one of two others.
void add_goals(Rng& rng, RandomCase& drawn) {
    const oracle::World& world = drawn.world;
    Goal& goal = drawn.ask.query.goal;
    drawn.ask.goal_points = {goal.at.ground()};
    for (int i = 0; i < 2; ++i) {
        const Vec2 tile{rng.between(0, world.width - 1) + 0.5, rng.between(0, world.height - 1) + 0.5};
        drawn.ask.goal_points.push_back(world.origin + tile * world.cell_size);
    }
    const std::int32_t layer = goal.at.layer;
    goal = {};
    goal.kind = Goal::Kind::any_of;
    goal = goal.on_layer(layer);
}

// Wide units count goals' points that tiles' middles do not know only when those have failed: then there are two measures.
bool counts_late(const RandomCase& drawn, const Grid& grid, const GridOracle& oracle,
                 const GridQuery& query) {
    if (query.goal.kind != Goal::Kind::any_of || !is_wide(drawn)) return false;
    Scratch scratch;
    return std::any_of(drawn.ask.goal_points.begin(), drawn.ask.goal_points.end(), [&](Vec2 point) {
        if (oracle.attach((point - drawn.world.origin) * (1.0 / drawn.world.cell_size), query.goal.at.layer))
            return false;
        GridQuery there = query;
        there.start = Spot(point).on_layer(query.goal.at.layer);
        there.goal = there.start;
        there.planner = GridPlanner::automatic;
        const Result<Route> stays = find_route(grid, there, scratch);
        return stays && stays->status == PathStatus::complete;
    });
}

std::string check_case(Topic topic, std::uint64_t seed, Tally& tally) {
    Rng rng(seed * 883 + static_cast<std::uint64_t>(topic));
    RandomCase drawn = random_case(rng, topic, 30);
    (void)drawn.ask.bind();
    const Grid grid = drawn.make_grid();
    const GridOracle oracle(drawn.world, drawn.ask.query);
    draw_ends(rng, topic, oracle, drawn);
    if (is_wide(drawn) && drawn.ask.query.goal.kind == Goal::Kind::point) add_goals(rng, drawn);
    GridQuery query = drawn.ask.bind();
    // Of a goal's neighbours those that are free count: no measure for this test.
    if (query.goal.kind == Goal::Kind::adjacent) return "";
    if (counts_late(drawn, grid, oracle, query)) return "";
    query.partial = true;
    query.smoothing = static_cast<Smoothing>(rng.below(4));
    query.turn_penalty = 0.25 * rng.below(4) * drawn.world.cell_size;
    for (std::size_t p = 0; p < static_cast<std::size_t>(GridPlanner::count_); ++p) {
        query.planner = static_cast<GridPlanner>(p);
        const std::string problem = Asked(drawn, grid, oracle, query, tally).run(rng);
        if (!problem.empty()) return std::string(planner_name(query.planner)) + ", " + problem;
    }
    return "";
}

TEST(BestSoFar, LeadsNearerTheMoreBudgetThereIsForEveryPlanner) {
    Tally tally;
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::count_); ++t) {
        for (int i = 0; i < trials(120); ++i) {
            const auto topic = static_cast<Topic>(t);
            const std::string problem = check_case(topic, static_cast<std::uint64_t>(i), tally);
            ASSERT_TRUE(problem.empty()) << topic_name(topic) << " case " << i << ": " << problem;
        }
    }
    EXPECT_GT(tally.legs, tally.spent / 4);
    EXPECT_GT(tally.done, 100);
    if (all_trials()) {
        EXPECT_GT(tally.halves, 100);
        EXPECT_GT(tally.wide, 20);
    }
}

// A corridor with a turn: after few expansions the way ends in it, and from there one may ask again and come to the goal.
TEST(BestSoFar, AskedAgainFromItsEndItArrives) {
    std::vector<std::uint8_t> tiles(60 * 20, 1);
    for (std::size_t y = 0; y < 18; ++y) tiles[y * 60 + 20] = tiles[(19 - y) * 60 + 40] = 0;
    const Result<Grid> grid = Grid::make({.width = 60, .height = 20}, tiles);
    ASSERT_TRUE(grid);
    Scratch scratch;
    for (const GridPlanner planner : {GridPlanner::astar, GridPlanner::bidirectional, GridPlanner::jump_point,
                                      GridPlanner::bucket_astar, GridPlanner::turn_penalty}) {
        GridQuery query{.start = {0.5, 10.5},
                        .goal = Vec2{59.5, 10.5},
                        .planner = planner,
                        .partial = true,
                        .expansions_max = planner == GridPlanner::jump_point ? 8U : 400U};
        PathStatus status = PathStatus::budget_spent;
        double gap = 59.0;
        for (int asked = 0; asked < 30 && status == PathStatus::budget_spent; ++asked) {
            const Result<Route> route = find_route(*grid, query, scratch);
            ASSERT_TRUE(route);
            status = route->status;
            if (status != PathStatus::budget_spent) break;
            const double here = distance(ground(route->end.position), query.goal.at.ground());
            if (route->legs.empty()) {
                query.expansions_max *= 2;  // a trap: nothing nearer was found
                continue;
            }
            EXPECT_LT(here, gap);
            gap = here;
            query.start = ground(route->end.position);
        }
        EXPECT_EQ(status, PathStatus::complete) << planner_name(planner);
    }
}

// A tile's middle that is nearer than the start by rounding alone is not a place to go to.
TEST(BestSoFar, DoesNotMoveForRoundingsSake) {
    const Result<Grid> grid = Grid::make({.width = 12, .height = 1}, std::vector<std::uint8_t>(12, 1));
    ASSERT_TRUE(grid);
    Scratch scratch;
    for (const GridPlanner planner :
         {GridPlanner::astar, GridPlanner::bucket_astar, GridPlanner::jump_point}) {
        const GridQuery query{.start = {0.5 - 1e-10, 0.5},
                              .goal = Vec2{10.5, 0.5},
                              .planner = planner,
                              .partial = true,
                              .expansions_max = 1};
        const Result<Route> route = find_route(*grid, query, scratch);
        ASSERT_TRUE(route);
        EXPECT_EQ(route->status, PathStatus::budget_spent);
        EXPECT_TRUE(route->legs.empty()) << planner_name(planner);
    }
}

// The goal is over the stairs: places below it are not near it, and none of them is called complete.
TEST(BestSoFar, OnAnotherFloorIsNearerOnlyWhenItsFloorIsReached) {
    const Portal stairs[] = {{.from = {0, 0, 0}, .to = {0, 0, 1}, .cost = 1.0}};
    const Result<Grid> grid = Grid::make({.width = 12, .height = 3, .layers = 2, .portals = stairs},
                                         std::vector<std::uint8_t>(72, 1));
    ASSERT_TRUE(grid);
    Scratch scratch;
    GridQuery query{.start = {5.5, 1.5}, .partial = true};
    query.goal = Goal(Vec2{11.5, 1.5});
    query.goal = query.goal.on_layer(1);
    bool upstairs = false;
    for (std::uint64_t budget = 0; budget < 72; ++budget) {
        query.expansions_max = budget;
        const Result<Route> route = find_route(*grid, query, scratch);
        ASSERT_TRUE(route);
        if (route->status == PathStatus::complete) break;
        ASSERT_EQ(route->status, PathStatus::budget_spent);
        EXPECT_FALSE(verify(*route, grid->state(), {}));
        if (upstairs) {
            EXPECT_EQ(route->end.layer, 1);
        }
        upstairs = upstairs || route->end.layer == 1;
    }
    EXPECT_TRUE(upstairs);
}

}  // namespace
}  // namespace fairlead::testing
