// Flow fields: filling, asking by many units in one field, and from how many units on a field costs less than searches.

#include <cmath>
#include <stdexcept>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/flow_field.h>

#include "suites/need.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

struct FlowBench {
    const BenchWorld& world;
    Grid grid;
    double radius = 0.0;
    std::vector<Vec2> starts;
    Vec2 goal{};
};

/// Filling: the least of several runs, in us.
double fill_field(const FlowBench& bench, bool quick, FlowField& field) {
    FlowFill fill;
    Times times(1);
    for (int run = 0; run < (quick ? 1 : 5); ++run) {
        times.add(
            0, time_ns([&] {
                hold_true(fill.begin(bench.grid, {.goal = bench.goal, .agent = {.radius = bench.radius}}));
                while (fill.running()) fill.step(4000);
            }));
        hold_true(fill.take(field));
    }
    return static_cast<double>(times.of(0)) * 1e-3;
}

/// All units in one field, each a step of a fifth of a tile a frame; us a unit and frame.
double follow_field(const FlowBench& bench, bool quick, const FlowField& field) {
    Times times(1);
    std::vector<Vec2> at = bench.starts;
    std::vector<FlowHold> holds(at.size());
    const auto frame = [&] {
        for (std::size_t i = 0; i < at.size(); ++i) {
            const FlowStep next = field.sample(at[i], holds[i]);
            const double way = distance(at[i], next.to);
            at[i] = way <= 0.2 ? next.to : at[i] + (next.to - at[i]) * (0.2 / way);
        }
    };
    for (int run = 0; run < (quick ? 3 : 60); ++run) times.add(0, time_ns(frame));
    return static_cast<double>(times.of(0)) * 1e-3 / static_cast<double>(at.size());
}

double search_each(const FlowBench& bench) {
    Scratch scratch;
    Route route;
    const auto each = [&] {
        for (std::size_t i = 0; i < bench.starts.size() && i < 500; ++i)
            hold_true(find_route_into(
                bench.grid,
                GridQuery{.start = bench.starts[i], .goal = bench.goal, .agent = {.radius = bench.radius}},
                scratch, route));
    };
    each();
    const auto count = static_cast<double>(bench.starts.size() < 500 ? bench.starts.size() : 500);
    return static_cast<double>(time_ns(each)) * 1e-3 / count;
}

void measure_fields(const BenchWorld& world, double radius, bool quick, Report& report) {
    const Agent unit{.radius = radius};
    FlowBench bench{
        .world = world, .grid = world.grid({&unit, 1}), .radius = radius, .starts = {}, .goal = {}};
    const GridState& grid = bench.grid.state();
    Rng rng(5);
    const auto free_place = [&] {
        for (;;) {
            const std::int32_t x = rng.between(0, grid.width() - 1);
            const std::int32_t y = rng.between(0, grid.height() - 1);
            if (grid.can_stand({x, y}, unit)) return grid.cell_centre({x, y});
        }
    };
    bench.goal = free_place();
    FlowField field;
    const double filling = fill_field(bench, quick, field);
    FlowHold hold;
    for (int i = 0; i < (quick ? 200 : 10000); ++i) {
        const Vec2 start = free_place();
        if (field.sample(start, hold = {}).status == PathStatus::complete) bench.starts.push_back(start);
    }
    const std::string row =
        world.name + (radius > 0.0 ? ", radius " + std::to_string(radius).substr(0, 3) : "");
    report.add(row, "a field", "fill for one goal", filling * 1e-3, "ms");
    report.add(row, "field", "next corner, 10,000 units", follow_field(bench, quick, field), "us");
    const double search = search_each(bench);
    report.add(row, "find_route", "next corner, 10,000 units", search, "us");
    report.add(row, "askings", "a field pays from", std::ceil(filling / search), "");
}

}  // namespace

void run_flow(const SuiteOptions& options, Report& report) {
    std::size_t left = options.quick ? 1 : 3;
    for (const BenchWorld& world : smooth_worlds(options)) {
        if (left-- == 0) break;
        measure_fields(world, 0.0, options.quick, report);
        measure_fields(world, 0.4, options.quick, report);
        if (!options.quick) measure_fields(world, 0.9, options.quick, report);
    }
}

}  // namespace fairlead::bench
