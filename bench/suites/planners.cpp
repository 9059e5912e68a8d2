// Every planner by name on one map, the same queries, unsmoothed: what each costs, and how much longer its routes are
// than the shortest.

#include <fairlead/grid/find_route.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kRounds = 3;
constexpr std::size_t kQueries = 100;

struct PlannerRun {
    Times times;
    double length = 0;
    double shortest = 0;
    std::uint64_t expanded = 0;
};

void ask_all(const BenchWorld& world, const std::vector<std::size_t>& queries, GridPlanner planner,
             bool first, PlannerRun& run) {
    const Grid grid = world.grid();
    Scratch scratch;
    Route route;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const Pair& pair = world.pairs[queries[i]];
        const GridQuery query{.start = grid.state().cell_centre(pair.start),
                              .goal = grid.state().cell_centre(pair.goal),
                              .planner = planner,
                              .smoothing = Smoothing::none};
        if (i == 0) (void)find_route_into(grid, query, scratch, route);  // warm
        run.times.add(i, time_ns([&] { (void)find_route_into(grid, query, scratch, route); }));
        if (!first) continue;
        run.expanded += route.stats.expanded;
        run.length += route.length;
        run.shortest += pair.optimal;
    }
}

}  // namespace

void run_planners(const SuiteOptions& options, Report& report) {
    constexpr auto kPlanners = static_cast<std::size_t>(GridPlanner::count_);
    for (const BenchWorld& world : planner_worlds(options)) {
        const std::vector<std::size_t> queries = spread(world.pairs.size(), kQueries);
        std::vector<PlannerRun> runs(kPlanners, PlannerRun{.times = Times(queries.size())});
        for (int round = 0; round < kRounds; ++round) {
            for (std::size_t p = 0; p < kPlanners; ++p)
                ask_all(world, queries, static_cast<GridPlanner>(p), round == 0, runs[p]);
        }
        for (std::size_t p = 0; p < kPlanners; ++p) {
            const char* name = planner_name(static_cast<GridPlanner>(p));
            report.add(name, world.name, "mean", runs[p].times.mean_us(), "us");
            report.add(name, world.name, "expansions",
                       static_cast<double>(runs[p].expanded) / static_cast<double>(queries.size()), "");
            report.add(name, world.name, "length against the shortest", runs[p].length / runs[p].shortest,
                       "x");
        }
    }
}

}  // namespace fairlead::bench
