// Discs of any radius beside one of 0.4 tiles: the same pairs of places on the same map, both sizes registered, in turns. Only pairs that
// both sizes join count, of places where both fit.

#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairlead/grid/find_route.h>

#include "suites/stopwatch.h"
#include "suites/suite.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr double kUsual = 0.4;
constexpr double kRadii[] = {0.6, 0.8, 1.3, 1.55, 1.8, 2.6};

GridQuery query_for(const Pair& pair, const GridState& grid, double radius) {
    GridQuery query{.start = grid.cell_centre(pair.start), .goal = grid.cell_centre(pair.goal)};
    query.agent.radius = radius;
    return query;
}

/// Mean of the one over the mean of the other; 0: no pair is joined for both.
double ratio(const BenchWorld& world, double radius, int rounds) {
    const Agent sizes[] = {{.radius = kUsual}, {.radius = radius}};
    const Grid grid = world.grid(sizes);
    const GridState state = grid.state();
    Scratch scratch;
    Route route;
    std::vector<Pair> pairs;
    for (const std::size_t i : spread(world.pairs.size(), 300)) {
        bool joined = true;
        for (const double r : {kUsual, radius}) {
            if (!find_route_into(state, query_for(world.pairs[i], state, r), scratch, route)) return 0.0;
            joined = joined && route.status == PathStatus::complete;
        }
        if (joined) pairs.push_back(world.pairs[i]);
    }
    Times usual(pairs.size()), other(pairs.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            for (const double r : {kUsual, radius}) {
                const GridQuery query = query_for(pairs[i], state, r);
                const std::uint64_t ns =
                    time_ns([&] { (void)find_route_into(state, query, scratch, route); });
                (r == kUsual ? usual : other).add(i, ns);
            }
        }
    }
    return pairs.empty() ? 0.0 : other.mean_us() / usual.mean_us();
}

}  // namespace

void run_radii(const SuiteOptions& options, Report& report) {
    const int rounds = options.quick ? 1 : 9;
    std::vector<double> all[std::size(kRadii)];
    for (const BenchWorld& world : smooth_worlds(options)) {
        for (std::size_t n = 0; n < std::size(kRadii); ++n) {
            const double times = ratio(world, kRadii[n], rounds);
            if (times == 0.0) continue;
            all[n].push_back(times);
            report.add(world.name, fmt::format("{}", kRadii[n]), "time of radius 0.4", times, "x");
        }
    }
    for (std::size_t n = 0; n < std::size(kRadii); ++n) {
        if (!all[n].empty())
            report.add("mean", fmt::format("{}", kRadii[n]), "time of radius 0.4", mean_of(all[n]), "x");
    }
}

}  // namespace fairlead::bench
