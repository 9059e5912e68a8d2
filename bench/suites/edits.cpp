// Edits: one cell, and a building of 16 x 16 cells put up and taken down again, on maps of 1024 x 1024 cells with three
// registered sizes: a point and two radii. Clearance and connectivity are exact after each.

#include <fairlead/base/rng.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr std::int32_t kBuilding = 16;

void report_times(const BenchWorld& world, const char* subject, const Times& times, Report& report) {
    report.add(world.name, subject, "median", times.quantile_us(0.5), "us");
    report.add(world.name, subject, "p99", times.quantile_us(0.99), "us");
}

void measure_world(const BenchWorld& world, std::size_t edits, Report& report) {
    const Agent sizes[] = {{.radius = 0.4}, {.radius = 1.4}};
    Grid grid = world.grid(sizes);
    Rng rng{7};

    Times cells{edits};
    for (std::size_t i = 0; i < edits; ++i) {
        const Cell cell{rng.between(0, world.width - 1), rng.between(0, world.height - 1)};
        const std::uint8_t tile = grid.state().blocked(cell) ? 1 : 0;
        cells.add(i, time_ns([&] { (void)grid.set(cell, tile); }));
    }
    report_times(world, "one cell", cells, report);

    // A held snapshot keeps the old chunks, so the edit copies those that it changes.
    Times held{edits};
    for (std::size_t i = 0; i < edits; ++i) {
        const Cell cell{rng.between(0, world.width - 1), rng.between(0, world.height - 1)};
        const std::uint8_t tile = grid.state().blocked(cell) ? 1 : 0;
        const GridSnapshot snapshot = grid.acquire();
        held.add(i, time_ns([&] { (void)grid.set(cell, tile); }));
    }
    report_times(world, "one cell under a snapshot", held, report);

    Times up{edits};
    Times down{edits};
    std::vector<std::uint8_t> before(kBuilding * kBuilding);
    for (std::size_t i = 0; i < edits; ++i) {
        const CellRect::Corner low{rng.between(0, world.width - kBuilding),
                                   rng.between(0, world.height - kBuilding)};
        const CellRect rect{low, {low.x + kBuilding, low.y + kBuilding}};
        for (std::int32_t k = 0; k < kBuilding * kBuilding; ++k) {
            before[static_cast<std::size_t>(k)] =
                grid.state().tile({low.x + k % kBuilding, low.y + k / kBuilding});
        }
        up.add(i, time_ns([&] { (void)grid.fill(rect, 0); }));
        down.add(i, time_ns([&] { (void)grid.set(rect, before); }));
    }
    report_times(world, "16 x 16 building up", up, report);
    report_times(world, "16 x 16 building down", down, report);
}

}  // namespace

void run_edits(const SuiteOptions& options, Report& report) {
    const std::int32_t side = options.quick ? 128 : 1024;
    const std::size_t edits = options.quick ? 50 : 2000;
    for (const BenchWorld& world : {town_world(side, 21), empty_world(side), pillar_world(side)}) {
        measure_world(world, edits, report);
    }
}

}  // namespace fairlead::bench
