// Making a grid from tiles: bitmaps, clearance and connectivity.

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kRounds = 5;

double make_ms(const BenchWorld& world, std::span<const Agent> sizes) {
    Times times{1};
    for (int round = 0; round < kRounds; ++round) {
        times.add(0, time_ns([&] { const Grid grid = world.grid(sizes); }));
    }
    return times.mean_us() / 1e3;
}

}  // namespace

void run_build(const SuiteOptions& options, Report& report) {
    const Agent sizes[] = {{.radius = 0.4}, {.radius = 1.4}, {.radius = 2.4}};
    for (const BenchWorld& world : build_worlds(options)) {
        report.add(world.name, "point unit alone", "time", make_ms(world, {}), "ms");
        report.add(world.name, "and radius 0.4", "time", make_ms(world, std::span{sizes}.first(1)), "ms");
        report.add(world.name, "and radii 0.4, 1.4, 2.4", "time", make_ms(world, sizes), "ms");
    }
}

}  // namespace fairlead::bench
