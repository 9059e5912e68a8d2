// Maps that change between the queries: the published scenarios, and a town of our own where a building goes up or down
// before every query. The edits' time is shared out over the queries; making the first, empty map counts too.

#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>

#include "cli/scen_world.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kRounds = 3;
constexpr std::int32_t kBuilding = 16;

GridQuery query_of(const GridState& grid, Cell start, Cell goal, GridPlanner planner) {
    return {.start = grid.cell_centre(start),
            .goal = grid.cell_centre(goal),
            .planner = planner,
            .smoothing = Smoothing::none};
}

double length_of(const Route& route) {
    return route.status == PathStatus::complete ? route.length : formats::kNoRoute;
}

void report_run(const std::string& name, const Times& edits, const Times& queries, std::size_t wrong,
                Report& report) {
    report.add(name, "edits and query", "mean", edits.mean_us() + queries.mean_us(), "us");
    report.add(name, "edits alone", "mean", edits.mean_us(), "us");
    report.add(name, "query alone", "mean", queries.mean_us(), "us");
    report.add(name, "wrong lengths", "count", static_cast<double>(wrong), "");
}

void measure_published(const std::string& name, const std::string& scen, Report& report) {
    cli::ScenWorld world{"-", scen, GridQuery{.corner = CornerRule::never}};
    const formats::Scenario& scenario = world.scenario();
    Times edits{scenario.queries.size()};
    Times queries{scenario.queries.size()};
    std::size_t wrong = 0;
    Scratch scratch;
    Route route;
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t made = world.restart();
        for (std::size_t i = 0; i < scenario.queries.size(); ++i) {
            const formats::ScenarioQuery& asked = scenario.queries[i];
            edits.add(i, world.advance(i) + (i == 0 ? made : 0));
            const GridQuery query = query_of(world.grid(), asked.start, asked.goal, GridPlanner::automatic);
            if (i == 0) (void)find_route_into(world.grid(), query, scratch, route);  // warm
            queries.add(i, time_ns([&] { (void)find_route_into(world.grid(), query, scratch, route); }));
            if (round == 0 && !formats::length_agrees(scenario, asked, length_of(route))) ++wrong;
        }
    }
    report_run(name, edits, queries, wrong, report);
}

/// Draws the next edit of the town: a building, or free ground.
void edit_town(Grid& grid, Rng& rng, const BenchWorld& world) {
    const CellRect::Corner low{rng.between(0, world.width - kBuilding),
                               rng.between(0, world.height - kBuilding)};
    const auto tile = static_cast<std::uint8_t>(rng.below(2));
    (void)grid.fill({low, {low.x + kBuilding, low.y + kBuilding}}, tile);
}

void measure_town(const BenchWorld& world, Report& report) {
    Times edits{world.pairs.size()};
    Times queries{world.pairs.size()};
    std::size_t wrong = 0;
    Scratch scratch;
    Route route;
    Route other;
    for (int round = 0; round < kRounds; ++round) {
        Grid grid = world.grid();
        Rng rng{5};
        for (std::size_t i = 0; i < world.pairs.size(); ++i) {
            edits.add(i, time_ns([&] { edit_town(grid, rng, world); }));
            const Pair& pair = world.pairs[i];
            const GridQuery query = query_of(grid.state(), pair.start, pair.goal, GridPlanner::automatic);
            if (i == 0) (void)find_route_into(grid, query, scratch, route);  // warm
            queries.add(i, time_ns([&] { (void)find_route_into(grid, query, scratch, route); }));
            if (round > 0) continue;
            (void)find_route_into(grid, query_of(grid.state(), pair.start, pair.goal, GridPlanner::dijkstra),
                                  scratch, other);
            if (std::fabs(length_of(route) - length_of(other)) > 1e-9 * (1.0 + other.length)) ++wrong;
        }
    }
    report_run(world.name, edits, queries, wrong, report);
}

}  // namespace

void run_dynamic(const SuiteOptions& options, Report& report) {
    if (!options.data.empty() && !options.quick) {
        const std::string folder = options.data + "/maps/dynamic/";
        measure_published("arena2, patched", folder + "dao_arena2.scen", report);
        measure_published("Aurora, patched", folder + "switch_sc1_Aurora_TheFrozenSea.scen", report);
    }
    BenchWorld town = town_world(options.quick ? 63 : 511, 31);
    add_pairs(town, options.quick ? 10 : 300, 32);
    measure_town(town, report);
}

}  // namespace fairlead::bench
