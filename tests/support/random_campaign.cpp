#include "support/random_campaign.h"

#include <cmath>

#include <fairlead/grid/find_route.h>

#include "support/planner_check.h"

namespace fairlead::testing {

namespace {

/// The options that only some planners read, drawn anew for every query.
void draw_options(Rng& rng, double cell_size, GridQuery& query) {
    query.heuristic = static_cast<GridHeuristic>(rng.below(4));
    query.epsilon = 1.0 + rng.below(64) / 32.0;
    const double turn = rng.below(8) / 4.0;  // cells
    query.turn_penalty = turn * cell_size;
    // Without a draw of its own: the campaign's other numbers stay.
    query.turn_penalty_each = std::fmod(turn * 3.0, 1.25) * cell_size;
    query.window_grows = rng.below(4) != 0;
}

std::string ask(const GridState& grid, const oracle::GridOracle& oracle, const GridQuery& query,
                const Expected& expected, bool registered, Scratch& scratch, Route& route,
                RandomTally& tally) {
    const auto planner = static_cast<std::size_t>(query.planner);
    const Result<void> done = find_route_into(grid, query, scratch, route);
    if (!done) {
        const Error& error = done.error();
        ++tally.refused[planner];
        if (error.code == ErrorCode::unsupported &&
            may_refuse(oracle.world(), query, registered, error.detail)) {
            return "";
        }
        return describe(query) + ": refused, " + error_name(error.code) + " " + std::to_string(error.detail);
    }
    ++tally.answered[planner];
    const std::string problem = check_route(grid, oracle, query, expected, route);
    return problem.empty() ? "" : describe(query) + ": " + problem;
}

}  // namespace

std::string check_random_case(Topic topic, std::uint64_t seed, std::int32_t side_max, int queries,
                              RandomTally& tally) {
    Rng rng(seed * 131 + static_cast<std::uint64_t>(topic));
    RandomCase drawn = random_case(rng, topic, side_max);
    GridQuery& query = drawn.ask.query;
    const Grid grid = drawn.make_grid();
    const oracle::GridOracle oracle(drawn.world, drawn.ask.bind());
    const bool registered = !drawn.sizes.empty() && drawn.sizes.front() == query.agent;
    Scratch scratch;
    Route route;
    for (int i = 0; i < queries; ++i) {
        draw_ends(rng, topic, oracle, drawn);
        draw_options(rng, drawn.world.cell_size, query);
        query.partial = topic == Topic::plain && rng.below(10) == 0;
        (void)drawn.ask.bind();
        query.planner = GridPlanner::astar;
        const Expected shortest = expect_of(oracle, query);
        ++tally.queries;
        tally.complete += shortest.status == PathStatus::complete ? 1 : 0;
        const std::uint32_t smoothed = rng.below(kPlanners);  // this planner's route is smoothed as well
        for (std::size_t p = 0; p < kPlanners; ++p) {
            query.planner = static_cast<GridPlanner>(p);
            const bool turns = query.planner == GridPlanner::turn_penalty;
            const Expected expected = turns ? expect_of(oracle, query) : shortest;
            query.smoothing = Smoothing::none;
            std::string problem = ask(grid, oracle, query, expected, registered, scratch, route, tally);
            if (problem.empty() && p == smoothed) {
                query.smoothing = static_cast<Smoothing>(1 + rng.below(3));
                RandomTally again;  // the same question
                problem = ask(grid, oracle, query, expected, registered, scratch, route, again);
            }
            if (!problem.empty()) return problem;
        }
    }
    return "";
}

}  // namespace fairlead::testing
