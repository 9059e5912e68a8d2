// The hierarchy beside the flat search, in turns: the first legs, the whole smoothed route, its length; making, memory, buildings.

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/assets.h>
#include <fairlead/grid/find_route.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr double kRadii[] = {0.0, 0.45, 0.8, 1.5};

struct LargeMap {
    std::string name;
    std::string file;   ///< below maps/
    std::int32_t side;  ///< cells, made of copies that are mirrored in turns
    std::size_t radii;
    std::size_t pairs;
};

struct Both {
    Grid flat;
    Grid over;
};

Both make_both(const BenchWorld& world, const Agent& unit, const std::string& row, Report& report) {
    GridOptions options{.width = world.width, .height = world.height};
    if (unit.radius > 0.0) options.sizes = {&unit, 1};
    const auto make = [&] {
        Result<Grid> grid = Grid::make(options, world.tiles);
        if (!grid) throw std::runtime_error(std::string{"hierarchy: "} + error_name(grid.error().code));
        return std::move(*grid);
    };
    std::optional<Grid> flat, over;
    const std::uint64_t plain_ns = time_ns([&] { flat.emplace(make()); });
    options.hierarchy = true;
    const std::uint64_t with_ns = time_ns([&] { over.emplace(make()); });
    // A unit's size comes on top of the point's.
    const double cells = static_cast<double>(world.tiles.size()) * (unit.radius > 0.0 ? 2.0 : 1.0);
    const auto more = static_cast<double>(with_ns > plain_ns ? with_ns - plain_ns : 0);
    report.add(row, "ns to make", "a size's hierarchy, a cell", more / cells, "");
    report.add(row, "bytes", "a size's hierarchy, a cell",
               static_cast<double>(over->state().memory().hierarchy) / cells, "");
    return {std::move(*flat), std::move(*over)};
}

std::vector<GridQuery> draw_queries(const GridState& grid, const Agent& unit, std::size_t count) {
    std::vector<GridQuery> queries;
    Rng rng(11);
    while (queries.size() < count) {
        Cell ends[2];
        for (Cell& end : ends) {
            const std::int32_t x = rng.between(0, grid.width() - 1);
            end = {x, rng.between(0, grid.height() - 1)};
        }
        if (!grid.can_stand(ends[0], unit) || !grid.can_stand(ends[1], unit)) continue;
        const auto joined = grid.connected(ends[0], ends[1], unit);
        if (!joined.has_value() || !*joined) continue;
        GridQuery query{.start = grid.cell_centre(ends[0]), .goal = grid.cell_centre(ends[1])};
        query.agent = unit;
        queries.push_back(query);
    }
    return queries;
}

void need_route(const Result<void>& done, const Route& route) {
    if (!done || route.status != PathStatus::complete)
        throw std::runtime_error("hierarchy: a query without a route");
}

double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    return values.empty()
               ? 0.0
               : values[std::min(values.size() - 1,
                                 static_cast<std::size_t>(q * static_cast<double>(values.size())))];
}

void measure_routes(const Both& grids, const std::vector<GridQuery>& queries, const std::string& row,
                    Report& report) {
    Times flat(queries.size()), over(queries.size()), first(queries.size());
    std::vector<double> ratios;
    Scratch flat_scratch, over_scratch;
    Route by_tiles, route, legs;
    for (int run = 0; run < 2; ++run) {
        for (std::size_t i = 0; i < queries.size(); ++i) {
            GridQuery query = queries[i];
            query.planner = GridPlanner::jump_point;
            Result<void> done;
            flat.add(i, time_ns([&] { done = find_route_into(grids.flat, query, flat_scratch, by_tiles); }));
            need_route(done, by_tiles);
            query.planner = GridPlanner::hierarchy;
            over.add(i, time_ns([&] { done = find_route_into(grids.over, query, over_scratch, route); }));
            need_route(done, route);
            first.add(i, time_ns([&] {
                          GridSearch search(grids.over, query, over_scratch);
                          while (search.running() && !search.has_route()) search.step(1);
                          done = search.take(legs);
                      }));
            if (run == 0 && by_tiles.length > 0.0) ratios.push_back(route.length / by_tiles.length);
        }
    }
    report.add(row, "flat", "the whole smoothed route, mean", flat.mean_us(), "us");
    report.add(row, "hierarchy", "the whole smoothed route, mean", over.mean_us(), "us");
    report.add(row, "flat", "the whole smoothed route, p99", flat.quantile_us(0.99), "us");
    report.add(row, "hierarchy", "the whole smoothed route, p99", over.quantile_us(0.99), "us");
    report.add(row, "median", "the first legs, pulled taut", first.quantile_us(0.5), "us");
    report.add(row, "mean", "the first legs, pulled taut", first.mean_us(), "us");
    report.add(row, "p99", "the first legs, pulled taut", first.quantile_us(0.99), "us");
    report.add(row, "mean", "length over the hierarchy, against the flat route's", mean_of(ratios), "x");
    report.add(row, "p99", "length over the hierarchy, against the flat route's", quantile(ratios, 0.99),
               "x");
}

/// Buildings of 16 x 16 put up and taken down, on both grids in turns.
void measure_buildings(Both& grids, const std::string& row, std::size_t count, Report& report) {
    Times flat(count), over(count);
    Rng rng(7);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t x = rng.between(0, grids.flat.state().width() - 16);
        const std::int32_t y = rng.between(0, grids.flat.state().height() - 16);
        const CellRect rect{{x, y}, {x + 16, y + 16}};
        const auto tile = static_cast<std::uint8_t>(rng.below(2));
        Result<void> done;
        flat.add(i, time_ns([&] { done = grids.flat.fill(rect, tile); }));
        if (done) over.add(i, time_ns([&] { done = grids.over.fill(rect, tile); }));
        if (!done) throw std::runtime_error("hierarchy: an edit failed");
    }
    report.add(row, "without, median", "a building of 16 x 16", flat.quantile_us(0.5), "us");
    report.add(row, "with, median", "a building of 16 x 16", over.quantile_us(0.5), "us");
    report.add(row, "without, p99", "a building of 16 x 16", flat.quantile_us(0.99), "us");
    report.add(row, "with, p99", "a building of 16 x 16", over.quantile_us(0.99), "us");
}

void measure_map(const BenchWorld& world, std::size_t radii, std::size_t pairs, Report& report) {
    for (std::size_t i = 0; i < radii; ++i) {
        const Agent unit{.radius = kRadii[i]};
        const std::string row = i == 0 ? world.name : fmt::format("{}, radius {}", world.name, kRadii[i]);
        Both grids = make_both(world, unit, row, report);
        measure_routes(grids, draw_queries(grids.flat.state(), unit, pairs), row, report);
        measure_buildings(grids, row, pairs, report);
    }
}

}  // namespace

void run_hierarchy(const SuiteOptions& options, Report& report) {
    if (options.quick || options.data.empty()) {
        const std::int32_t side = options.quick ? 600 : 2304;
        measure_map(town_world(side, 5), options.quick ? 2 : 4, options.quick ? 20 : 500, report);
        return;
    }
    std::vector<LargeMap> maps = {{"city", "cities/Berlin_0_1024", 4096, 4, 1000},
                                  {"rooms", "rooms/32room_000", 2048, 1, 300},
                                  {"maze", "mazes/maze512-8-0", 2048, 1, 300},
                                  {"random, 35 %", "random/random512-35-0", 2048, 1, 100}};
    if (options.large) maps = {{"city", "cities/Berlin_0_1024", 16384, 1, 300}};
    for (const LargeMap& map : maps) {
        const std::string path = options.data + "/maps/" + map.file + ".map";
        const Result<Grid> tiles = formats::load_grid_asset(path);
        if (!tiles) {
            report.note(path + " is not there");
            continue;
        }
        measure_map(
            mirrored(tiles->state(), fmt::format("{}, {} x {}", map.name, map.side, map.side), map.side),
            map.radii, map.pairs, report);
    }
}

}  // namespace fairlead::bench
