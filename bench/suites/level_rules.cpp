// Figures for rules of level design: how wide corridors must be for units that turn, and how many ways a map offers.

#include <fairlead/bridge/alternatives.h>
#include <fairlead/bridge/grid_drive.h>

#include "suites/article_suites.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr double kCell = 0.25;
constexpr std::int32_t kTiles = 4;  // cells a unit of length

/// A corridor along x of this width, and one along y from its far end; or a dead end. In cells of 0.25.
Grid corridor(std::int32_t width, bool corner) {
    const std::int32_t reach = 12 * kTiles;
    const std::int32_t side = reach + width;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) {
            const bool along = y < width;
            const bool across = corner && x >= reach;
            if (along || across) tiles[static_cast<std::size_t>(y * side + x)] = 1;
        }
    }
    return std::move(Grid::make({.width = side, .height = side, .cell_size = kCell}, tiles)).value();
}

/// The least width, in units of length, with which the unit gets round; 0: none of those tried.
double width_needed(const Agent& agent, bool corner, Scratch& scratch) {
    for (std::int32_t width = 3; width <= 12 * kTiles; ++width) {
        const Grid grid = corridor(width, corner);
        const double middle = 0.5 * width * kCell;
        const double far = 12.0 + middle;
        DriveQuery query{.start = Pose{{2.0, middle}, 0.0}, .agent = agent};
        query.goal = corner ? Goal(Pose{{far, 10.0 + middle}, kHalfPi}) : Goal(Pose{{2.0, middle}, kPi});
        if (!corner) query.start = Pose{{9.0, middle}, 0.0};
        const Result<Route> way = find_route(grid, query, scratch, {.headings = 16});
        if (way && way->status == PathStatus::complete) return width * kCell;
    }
    return 0.0;
}

void measure_widths(const SuiteOptions& options, Report& report) {
    Scratch scratch;
    const std::vector<double> radii =
        options.quick ? std::vector<double>{1.0} : std::vector<double>{1.0, 2.0, 3.0};
    for (const double radius : radii) {
        for (const bool reverse : {false, true}) {
            const Agent agent{.radius = 0.4, .turning_radius = radius, .can_reverse = reverse};
            const std::string row =
                "turning radius " + std::to_string(static_cast<int>(radius)) + (reverse ? ", reverse" : "");
            report.add(row, "round a corner", "corridor width needed", width_needed(agent, true, scratch),
                       "");
            report.add(row, "turn round in it", "corridor width needed", width_needed(agent, false, scratch),
                       "");
        }
    }
}

}  // namespace

void measure_ways(const BenchWorld& world, Report& report) {
    const Grid grid = world.grid();
    Scratch scratch;
    std::vector<Route> ways(4);
    for (const double stretch : {1.1, 1.25, 1.5}) {
        double found = 0.0;
        for (const Pair& pair : world.pairs) {
            const Result<std::size_t> count = find_alternatives(
                grid, GridQuery{.start = pair.start, .goal = pair.goal}, {.stretch = stretch}, scratch, ways);
            if (count) found += static_cast<double>(*count);
        }
        report.add(world.name, "at most " + std::to_string(stretch).substr(0, 4) + " times",
                   "ways of 4 found", found / static_cast<double>(world.pairs.size()), "");
    }
}

void measure_level_rules(const SuiteOptions& options, Report& report) { measure_widths(options, report); }

}  // namespace fairlead::bench
