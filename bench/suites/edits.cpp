// Edits: one cell, and a building of 16 x 16 cells put up and taken down again, on maps of 1024 x 1024 cells with two
// registered radii. Clearance and connectivity are exact after each.

#include <fairlead/base/rng.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr std::int32_t kBuilding = 16;

BenchWorld empty_world(std::int32_t side) {
    BenchWorld world{"own empty " + std::to_string(side), side, side, {}, {}};
    world.tiles.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 1);
    return world;
}

/// Every second cell of every second row: many small pieces of clearance and connectivity.
BenchWorld pillar_world(std::int32_t side) {
    BenchWorld world = empty_world(side);
    world.name = "own pillars " + std::to_string(side);
    for (std::size_t i = 0; i < world.tiles.size(); ++i) {
        const auto x = static_cast<std::int32_t>(i) % side;
        const auto y = static_cast<std::int32_t>(i) / side;
        if (x % 4 == 0 && y % 4 == 0) world.tiles[i] = 0;
    }
    return world;
}

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
