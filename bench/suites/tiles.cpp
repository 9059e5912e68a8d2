// Tile routes: each query in turn by each of our planners and by Boost's A*, unsmoothed, so that a busy machine slows all
// alike. Boost is asked every few queries only: it takes a hundred times longer.

#include <cmath>

#include <fairlead/grid/find_route.h>

#include "suites/boost_astar.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr GridPlanner kPlanners[] = {GridPlanner::automatic, GridPlanner::jump_point,
                                     GridPlanner::bucket_astar, GridPlanner::astar};
constexpr std::size_t kPlannerCount = std::size(kPlanners);
constexpr int kPasses = 3;
constexpr std::size_t kSlowQueries = 60;  // of Boost a map

struct TilesRun {
    const BenchWorld& world;
    Grid grid;
    Scratch scratch{};
    Route route{};
    std::vector<Times> times{};
    std::uint64_t expanded[kPlannerCount] = {};
    std::size_t wrong = 0;

    explicit TilesRun(const BenchWorld& w)
        : world(w), grid(w.grid()), times(kPlannerCount, Times(w.pairs.size())) {}

    /// Nanoseconds; the length stays in `route`.
    std::uint64_t ask(std::size_t planner, const Pair& pair) {
        const GridQuery query{.start = grid.state().cell_centre(pair.start),
                              .goal = grid.state().cell_centre(pair.goal),
                              .planner = kPlanners[planner],
                              .smoothing = Smoothing::none};
        return time_ns([&] { (void)find_route_into(grid, query, scratch, route); });
    }

    void pass(bool first) {
        for (std::size_t i = 0; i < world.pairs.size(); ++i) {
            double length = world.pairs[i].optimal;
            const double tolerance = length < 0 ? 1e-9 * world.width : world.pairs[i].tolerance;
            for (std::size_t p = 0; p < kPlannerCount; ++p) {
                times[p].add(i, ask(p, world.pairs[i]));
                if (!first) continue;
                expanded[p] += route.stats.expanded;
                if (length < 0) length = route.length;  // no published one: all must agree with the first
                wrong += std::fabs(route.length - length) > tolerance ? 1 : 0;
            }
        }
    }
};

/// Boost's mean time over every few queries, ours over the same ones.
void compare_with_boost(TilesRun& run, Report& report) {
    if (!has_boost()) return;
    BoostAstar boost{run.world};
    const std::size_t stride = std::max<std::size_t>(1, run.world.pairs.size() / kSlowQueries);
    double theirs = 0;
    double ours = 0;
    std::size_t count = 0;
    for (std::size_t i = stride / 2; i < run.world.pairs.size(); i += stride) {
        const Pair& pair = run.world.pairs[i];
        std::uint64_t best = UINT64_MAX;
        std::uint64_t own = UINT64_MAX;
        for (int pass = 0; pass < 2; ++pass) {
            double length = 0;
            best = std::min(best, time_ns([&] { length = boost.length(pair.start, pair.goal); }));
            own = std::min(own, run.ask(0, pair));
            if (std::fabs(length - run.route.length) > 1e-3) ++run.wrong;
        }
        theirs += static_cast<double>(best);
        ours += static_cast<double>(own);
        ++count;
    }
    if (count == 0 || ours <= 0) return;
    report.add(run.world.name, "Boost A*", "mean", theirs / static_cast<double>(count) / 1e3, "us");
    report.add(run.world.name, "Boost A* / auto", "ratio", theirs / ours, "x");
}

void measure_world(const BenchWorld& world, Report& report) {
    TilesRun run{world};
    if (world.pairs.empty()) return;
    for (std::size_t p = 0; p < kPlannerCount; ++p) (void)run.ask(p, world.pairs.back());  // warm
    for (int pass = 0; pass < kPasses; ++pass) run.pass(pass == 0);
    report.add(world.name, "all", "queries", static_cast<double>(world.pairs.size()), "");
    for (std::size_t p = 0; p < kPlannerCount; ++p) {
        report.add(world.name, planner_name(kPlanners[p]), "mean", run.times[p].mean_us(), "us");
    }
    report.add(world.name, "auto", "p99", run.times[0].quantile_us(0.99), "us");
    const double core_ns = run.times[2].mean_us() * 1e3 * static_cast<double>(world.pairs.size());
    report.add(world.name, "bucket_astar", "an expansion",
               core_ns / static_cast<double>(std::max<std::uint64_t>(1, run.expanded[2])), "ns");
    report.add(world.name, "bucket_astar / auto", "ratio", run.times[2].mean_us() / run.times[0].mean_us(),
               "x");
    compare_with_boost(run, report);
    report.add(world.name, "all", "wrong lengths", static_cast<double>(run.wrong), "");
}

}  // namespace

void run_tiles(const SuiteOptions& options, Report& report) {
    for (const BenchWorld& world : tile_worlds(options)) measure_world(world, report);
}

}  // namespace fairlead::bench
