// What a scheduler adds to its searches, how well it keeps to its time, how soon many units set off, and how quickly it lets go.

#include <algorithm>
#include <stdexcept>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/scheduler.h>

#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

template <class T>
T need_made(Result<T>&& result) {
    if (!result) throw std::runtime_error(std::string{"schedule: "} + error_name(result.error().code));
    return std::move(*result);
}

struct ScheduleBench {
    const BenchWorld& world;
    Grid grid;
    std::vector<GridQuery> queries;
    Report& report;
};

/// All queries: by find_route_into one after the other, and through a scheduler, frame by frame. The least of several runs.
void measure_overhead(ScheduleBench& bench, bool quick) {
    Scratch scratch;
    Route route;
    Times times(3);
    for (int run = 0; run < (quick ? 2 : 7); ++run) {
        times.add(0, time_ns([&] {
                      for (const GridQuery& query : bench.queries)
                          (void)find_route_into(bench.grid, query, scratch, route);
                  }));
        for (const std::uint64_t first_leg : {0, 200}) {
            Scheduler scheduler = need_made(Scheduler::make());
            const auto world = need_made(scheduler.add_world(bench.grid));
            std::vector<RequestId> ids(bench.queries.size());
            const auto ask = [&] {
                for (std::size_t i = 0; i < ids.size(); ++i)
                    ids[i] = need_made(scheduler.submit<GridSearch>(world, bench.queries[i],
                                                                    {.first_leg_units = first_leg}));
                while (scheduler.update({.units = 4000}).untaken < ids.size()) {
                }
                for (const RequestId id : ids) (void)scheduler.take(id, route);
            };
            ask();
            times.add(first_leg == 0 ? 1 : 2, time_ns(ask));
        }
    }
    const auto ratio = [&](std::size_t item) {
        return static_cast<double>(times.of(item)) / static_cast<double>(times.of(0));
    };
    const std::string what = "time for all queries, of find_route's";
    bench.report.add("a frame of 4,000 units", bench.world.name, what, ratio(1), "x");
    bench.report.add("with first legs of 200 units", bench.world.name, what, ratio(2), "x");
}

/// Frames of 1,000 us with more to do than there is time for.
void measure_time(ScheduleBench& bench, bool quick) {
    Scheduler scheduler = need_made(Scheduler::make());
    const auto world = need_made(scheduler.add_world(bench.grid));
    std::vector<RequestId> ids;
    std::vector<double> over;
    Route route;
    Rng rng(4);
    const int frames = quick ? 30 : 4000;
    for (int frame = -20; frame < frames; ++frame) {
        while (ids.size() < 100) {
            GridQuery query = bench.queries[rng.below(static_cast<std::uint32_t>(bench.queries.size()))];
            if (rng.below(4) == 0) query.agent.radius = 0.7;
            ids.push_back(need_made(scheduler.submit<GridSearch>(world, query)));
        }
        const double us = static_cast<double>(time_ns([&] { scheduler.update({.time_us = 1000.0}); })) * 1e-3;
        std::erase_if(ids, [&](RequestId id) { return scheduler.take(id, route).has_value(); });
        if (frame < 0) continue;
        over.push_back(std::max(0.0, us - 1000.0));
    }
    std::sort(over.begin(), over.end());
    const auto quantile = [&](double q) {
        return over[static_cast<std::size_t>(q * static_cast<double>(over.size() - 1))] + 1e-3;
    };
    const std::string what = "processor time over a budget of 1,000 us";
    bench.report.add("median", bench.world.name, what, quantile(0.5), "us");
    bench.report.add("p99", bench.world.name, what, quantile(0.99), "us");
    bench.report.add("p99.9", bench.world.name, what, quantile(0.999), "us");
    bench.report.add("largest", bench.world.name, what, quantile(1.0), "us");
}

/// 1,000 units ask at once; 2,000 us a frame.
void measure_first_legs(ScheduleBench& bench, bool quick) {
    const std::size_t units = quick ? 50 : 1000;
    for (const std::uint64_t first_leg : {0, 200}) {
        Scheduler scheduler = need_made(Scheduler::make());
        const auto world = need_made(scheduler.add_world(bench.grid));
        std::vector<RequestId> ids;
        for (std::size_t i = 0; i < units; ++i) {
            GridQuery query = bench.queries[i % bench.queries.size()];
            query.planner = GridPlanner::bucket_astar;
            query.partial = true;
            ids.push_back(
                need_made(scheduler.submit<GridSearch>(world, query, {.first_leg_units = first_leg})));
        }
        int frames = 0;
        const auto waits = [&] {
            return std::any_of(ids.begin(), ids.end(),
                               [&](RequestId id) { return !scheduler.info(id).has_route; });
        };
        while (waits() && frames < 100000) {
            scheduler.update({.time_us = 2000.0});
            ++frames;
        }
        bench.report.add(first_leg == 0 ? "whole routes" : "first legs of 200 units", bench.world.name,
                         "frames of 2 ms until " + std::to_string(units) + " units have set off", frames, "");
    }
}

void measure_letting_go(ScheduleBench& bench, bool quick) {
    const std::size_t count = quick ? 1000 : 10000;
    std::vector<double> submit, forget, end;
    for (int run = 0; run < 5; ++run) {
        Scheduler scheduler = need_made(Scheduler::make());
        const auto world = need_made(scheduler.add_world(bench.grid));
        const auto ask = [&] {
            for (std::size_t i = 0; i < count; ++i)
                (void)scheduler.submit<GridSearch>(world, bench.queries[i % bench.queries.size()]);
        };
        submit.push_back(static_cast<double>(time_ns(ask)) / static_cast<double>(count));
        scheduler.update({.units = 5000});
        if (run % 2 == 0)
            forget.push_back(static_cast<double>(time_ns([&] { (void)scheduler.forget(world); })) /
                             static_cast<double>(count));
        const std::uint64_t took = time_ns([&] { Scheduler gone = std::move(scheduler); });
        end.push_back(static_cast<double>(took) / static_cast<double>(count));
    }
    const auto least = [](const std::vector<double>& values) {
        return *std::min_element(values.begin(), values.end());
    };
    const std::string what = "a request, 10,000 of them pending";
    bench.report.add("submit", bench.world.name, what, least(submit), "ns");
    bench.report.add("forget its world", bench.world.name, what, least(forget), "ns");
    bench.report.add("destroy the scheduler", bench.world.name, what, least(end), "ns");
}

}  // namespace

void run_schedule(const SuiteOptions& options, Report& report) {
    const std::vector<BenchWorld> worlds = tile_worlds(options);
    const BenchWorld& world = worlds.front();
    ScheduleBench bench{.world = world, .grid = world.grid(), .queries = {}, .report = report};
    for (const std::size_t i : spread(world.pairs.size(), options.quick ? 20 : 200)) {
        bench.queries.push_back({.start = bench.grid.state().cell_centre(world.pairs[i].start),
                                 .goal = bench.grid.state().cell_centre(world.pairs[i].goal)});
    }
    measure_overhead(bench, options.quick);
    measure_time(bench, options.quick);
    measure_first_legs(bench, options.quick);
    measure_letting_go(bench, options.quick);
}

}  // namespace fairlead::bench
