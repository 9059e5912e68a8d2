// Smoothing: what each kind adds to a query's time, and the length of its route against the tile route's.

#include <fairlead/grid/find_route.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kSmoothRounds = 3;
constexpr std::size_t kSmoothQueries = 200;

struct Kind {
    const char* name;
    Smoothing smoothing;
};
constexpr Kind kKinds[] = {
    {"none", Smoothing::none},
    {"greedy_shortcut", Smoothing::greedy_shortcut},
    {"farthest_visible", Smoothing::farthest_visible},
    {"best", Smoothing::best},
};

void measure_smoothing(const BenchWorld& world, const Agent& agent, const std::string& name, Report& report) {
    const Agent sizes[] = {agent};
    const Grid grid = world.grid(sizes);
    const std::vector<std::size_t> queries = spread(world.pairs.size(), kSmoothQueries);
    std::vector<Times> times(std::size(kKinds), Times(queries.size()));
    double lengths[std::size(kKinds)] = {};
    Scratch scratch;
    Route route;
    for (int round = 0; round < kSmoothRounds; ++round) {
        for (std::size_t k = 0; k < std::size(kKinds); ++k) {
            for (std::size_t i = 0; i < queries.size(); ++i) {
                const Pair& pair = world.pairs[queries[i]];
                const GridQuery query{.start = grid.state().cell_centre(pair.start),
                                      .goal = grid.state().cell_centre(pair.goal),
                                      .agent = agent,
                                      .smoothing = kKinds[k].smoothing};
                if (i == 0) (void)find_route_into(grid, query, scratch, route);  // warm
                times[k].add(i, time_ns([&] { (void)find_route_into(grid, query, scratch, route); }));
                if (round == 0) lengths[k] += route.length;
            }
        }
    }
    for (std::size_t k = 0; k < std::size(kKinds); ++k) {
        report.add(name, kKinds[k].name, "mean", times[k].mean_us(), "us");
        report.add(name, kKinds[k].name, "length against the tile route", lengths[k] / lengths[0], "x");
    }
}

}  // namespace

void run_smooth(const SuiteOptions& options, Report& report) {
    for (const BenchWorld& world : smooth_worlds(options)) {
        measure_smoothing(world, {}, world.name + ", point", report);
        measure_smoothing(world, {.radius = 0.4}, world.name + ", radius 0.4", report);
    }
}

}  // namespace fairlead::bench
