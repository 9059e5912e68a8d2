// Edits: one cell, and a building of 16 x 16 cells put up and taken down again, on maps of 1024 x 1024 cells with three
// registered sizes: a point and two radii. Clearance and connectivity are exact after each.

#include <fairlead/base/rng.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kEditRounds = 5;
constexpr std::int32_t kEditBuilding = 16;

void report_times(const BenchWorld& world, const char* subject, const Times& times, Report& report) {
    report.add(world.name, subject, "median", times.quantile_us(0.5), "us");
    report.add(world.name, subject, "p99", times.quantile_us(0.99), "us");
}

/// What is timed, one slot an edit: of several rounds of the same edits the fastest counts.
struct EditTimes {
    explicit EditTimes(std::size_t edits) : cell(edits), held(edits), up(edits), down(edits) {}
    Times cell, held, up, down;
};

/// A wall where there is none, or the other way round.
struct Flip {
    Cell cell;
    std::uint8_t tile;
};
Flip draw_flip(const Grid& grid, Rng& rng) {
    const Cell cell{rng.between(0, grid.state().width() - 1), rng.between(0, grid.state().height() - 1)};
    return {cell, static_cast<std::uint8_t>(grid.state().blocked(cell) ? 1 : 0)};
}

void run_round(const BenchWorld& world, std::size_t edits, EditTimes& times) {
    const Agent sizes[] = {{.radius = 0.4}, {.radius = 1.4}};
    Grid grid = world.grid(sizes);
    Rng rng{7};
    for (std::size_t i = 0; i < edits; ++i) {
        const Flip flip = draw_flip(grid, rng);
        times.cell.add(i, time_ns([&] { (void)grid.set(flip.cell, flip.tile); }));
    }
    // A held snapshot keeps the old chunks, so the edit copies those that it changes.
    for (std::size_t i = 0; i < edits; ++i) {
        const Flip flip = draw_flip(grid, rng);
        const GridSnapshot snapshot = grid.acquire();
        times.held.add(i, time_ns([&] { (void)grid.set(flip.cell, flip.tile); }));
    }
    std::vector<std::uint8_t> before(kEditBuilding * kEditBuilding);
    for (std::size_t i = 0; i < edits; ++i) {
        const CellRect::Corner low{rng.between(0, world.width - kEditBuilding),
                                   rng.between(0, world.height - kEditBuilding)};
        const CellRect rect{low, {low.x + kEditBuilding, low.y + kEditBuilding}};
        for (std::int32_t k = 0; k < kEditBuilding * kEditBuilding; ++k) {
            before[static_cast<std::size_t>(k)] =
                grid.state().tile({low.x + k % kEditBuilding, low.y + k / kEditBuilding});
        }
        times.up.add(i, time_ns([&] { (void)grid.fill(rect, 0); }));
        times.down.add(i, time_ns([&] { (void)grid.set(rect, before); }));
    }
}

}  // namespace

void run_edits(const SuiteOptions& options, Report& report) {
    const std::int32_t side = options.quick ? 128 : 1024;
    const std::size_t edits = options.quick ? 50 : 2000;
    for (const BenchWorld& world : {town_world(side, 21), empty_world(side), pillar_world(side)}) {
        EditTimes times{edits};
        for (int round = 0; round < kEditRounds; ++round) run_round(world, edits, times);
        report_times(world, "one cell", times.cell, report);
        report_times(world, "one cell under a snapshot", times.held, report);
        report_times(world, "16 x 16 building up", times.up, report);
        report_times(world, "16 x 16 building down", times.down, report);
    }
}

}  // namespace fairlead::bench
