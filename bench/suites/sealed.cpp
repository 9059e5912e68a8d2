// Goals that are walled in: the index says "unreachable" before any search. The wall is put up by an edit and taken
// down again, so the index that answers is one that edits have kept. A size that is not registered and that fits fewer
// cells than any that is has no index: it must search.

#include <stdexcept>

#include <fairlead/grid/find_route.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr std::int32_t kYard = 9;  // cells a side of what the wall encloses, wall included
constexpr std::size_t kSealedQueries = 200;
constexpr std::size_t kFloods = 20;

struct Yard {
    CellRect rect;
    std::vector<std::uint8_t> before;
    std::vector<std::uint8_t> walled;

    /// Around the cell, as far as the map goes.
    Yard(const GridState& grid, Cell middle) {
        rect.low = {std::max(0, middle.x - kYard / 2), std::max(0, middle.y - kYard / 2)};
        rect.high = {std::min(grid.width(), middle.x + kYard / 2 + 1),
                     std::min(grid.height(), middle.y + kYard / 2 + 1)};
        for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
            for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
                before.push_back(grid.tile({x, y}));
                const bool wall =
                    x == rect.low.x || y == rect.low.y || x == rect.high.x - 1 || y == rect.high.y - 1;
                walled.push_back(wall ? 0 : before.back());
            }
        }
    }
    [[nodiscard]] bool holds(Cell cell) const {
        return cell.x >= rect.low.x && cell.y >= rect.low.y && cell.x < rect.high.x && cell.y < rect.high.y;
    }
};

void measure_sealed(const BenchWorld& world, const char* unit, const Agent& agent, std::size_t queries,
                    Report& report) {
    const Agent sizes[] = {{}, {.radius = 0.4}};
    Grid grid = world.grid(sizes);
    Scratch scratch;
    Route route;
    std::uint64_t most = 0;
    std::vector<double> us;
    for (const std::size_t i : spread(world.pairs.size(), queries)) {
        const Pair& pair = world.pairs[i];
        const Yard yard{grid, pair.goal};
        if (yard.holds(pair.start)) continue;
        (void)grid.set(yard.rect, yard.walled);
        const GridQuery query{.start = grid.state().cell_centre(pair.start),
                              .goal = grid.state().cell_centre(pair.goal),
                              .agent = agent};
        const std::uint64_t ns = time_ns([&] { (void)find_route_into(grid, query, scratch, route); });
        if (route.status == PathStatus::complete)
            throw std::runtime_error(world.name + ": a route through a closed wall");
        (void)grid.set(yard.rect, yard.before);
        if (route.status != PathStatus::unreachable) continue;  // too wide to stand at the start or the goal
        most = std::max(most, route.stats.expanded);
        us.push_back(static_cast<double>(ns) / 1e3);
    }
    if (us.empty()) return;
    report.add(world.name, unit, "most expansions", static_cast<double>(most), "");
    report.add(world.name, unit, "mean", mean_of(us), "us");
}

}  // namespace

void run_sealed(const SuiteOptions& options, Report& report) {
    for (const BenchWorld& world : tile_worlds(options)) {
        measure_sealed(world, "point unit", {}, kSealedQueries, report);
        measure_sealed(world, "radius 0.4, registered", {.radius = 0.4}, kSealedQueries, report);
        measure_sealed(world, "radius 0.3, not registered", {.radius = 0.3}, kSealedQueries, report);
        measure_sealed(world, "radius 1.4, not registered", {.radius = 1.4}, kFloods, report);
    }
}

}  // namespace fairlead::bench
