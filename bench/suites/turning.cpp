// Turning units: queries by planner beside OMPL's sampling planners, on the same poses in one run; and against the any-angle
// way of a unit that turns on the spot. What preparing and editing cost is in turning_parts.cpp.

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "suites/need.h"
#include "suites/ompl_curves.h"
#include "suites/ompl_drive.h"
#include "suites/stopwatch.h"
#include "suites/turning_parts.h"

namespace fairlead::bench {

namespace {

constexpr double kOmplLimitMs = 50.0;

struct TurningContestant {
    const char* name;
    const DriveMap* map;
    DrivePlanner planner;
    bool first_only = false;  // anytime: until there is a route
};

// What one contestant did. A slot a query; a length below 0: no route.
struct Outcome {
    std::string name;
    Times times;
    std::vector<double> length;
    std::size_t legal = 0;

    Outcome(std::string who, std::size_t queries)
        : name(std::move(who)), times(queries), length(queries, -1.0) {}
};

void ask(const TurningContestant& who, const PosePair& pair, Scratch& scratch, Route& route) {
    const DriveQuery query{.start = pair.start, .goal = pair.goal, .planner = who.planner};
    if (!who.first_only) return (void)find_route_into(*who.map, query, scratch, route);
    DriveSearch search{*who.map, query, scratch};
    while (search.running() && !search.has_route()) search.step(64);
    (void)search.take(route);
}

std::vector<double> any_angle_lengths(const Grid& grid, const std::vector<PosePair>& pairs) {
    std::vector<double> lengths;
    Scratch scratch;
    for (const PosePair& pair : pairs) {
        const GridQuery query{
            .start = pair.start.position, .goal = pair.goal.position, .agent = {.radius = 0.4}};
        const Result<Route> route = find_route(grid, query, scratch);
        lengths.push_back(route && route->status == PathStatus::complete ? route->length : -1.0);
    }
    return lengths;
}

/// The sum of lengths against the sum of others, where both have one. 0: nowhere.
double against(const std::vector<double>& lengths, const std::vector<double>& others) {
    double sum = 0;
    double other_sum = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] < 0.0 || others[i] < 0.0) continue;
        sum += lengths[i];
        other_sum += others[i];
    }
    return other_sum > 0.0 ? sum / other_sum : 0.0;
}

void tell(const std::string& world, const std::vector<Outcome>& all, const std::vector<double>& any_angle,
          std::size_t lattice, Report& report) {
    for (const Outcome& r : all) {
        if (r.times.mean_us() == 0.0) continue;
        report.add(world, r.name, "mean", r.times.mean_us() / 1e3, "ms");
        report.add(world, r.name, "median", r.times.quantile_us(0.5) / 1e3, "ms");
        report.add(world, r.name, "p99", r.times.quantile_us(0.99) / 1e3, "ms");
    }
    report.add(world, "queries", "routes", static_cast<double>(any_angle.size()), "");
    for (const Outcome& r : all) report.add(world, r.name, "routes", static_cast<double>(r.legal), "");
    for (const Outcome& r : all) {
        const double ratio = against(r.length, all[lattice].length);
        if (ratio > 0.0) report.add(world, r.name, "length against the lattice planner's", ratio, "x");
    }
    for (const Outcome& r : all) {
        const double ratio = against(r.length, any_angle);
        if (ratio > 0.0) report.add(world, r.name, "length against the any-angle way", ratio, "x");
    }
}

void ask_peers(const PoseWorld& world, const Agent& agent, std::size_t queries, std::vector<Outcome>& all) {
    if (!has_ompl()) return;
    for (const OmplPlanner planner : {OmplPlanner::first, OmplPlanner::rrt_star}) {
        const bool first = planner == OmplPlanner::first;
        Outcome result{first ? "OMPL, RRT-Connect or RRT" : "OMPL, RRT*", world.pairs.size()};
        for (const std::size_t i : spread(world.pairs.size(), queries)) {
            const OmplAnswer answer = ask_ompl(world.tiles, agent, world.pairs[i], planner, kOmplLimitMs);
            result.times.add(i, answer.ns);
            if (!answer.legal) continue;
            result.length[i] = answer.length;
            ++result.legal;
        }
        all.push_back(std::move(result));
    }
}

void measure_turning(const PoseWorld& world, bool reverse, bool quick, Report& report) {
    const Agent agent = turning_unit(reverse);
    const Grid grid = world.tiles.grid();
    const DriveTable chosen = need(DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05}));
    const DriveTable rings = need(DriveTable::make({.agent = agent, .headings = 8, .rings = 3}));
    const DriveMap map = need(make_drive_map(grid.state(), chosen));
    const DriveMap ring_map = need(make_drive_map(grid.state(), rings));
    const TurningContestant contestants[] = {
        {"weighted", &map, DrivePlanner::weighted},
        {"anytime, first route", &map, DrivePlanner::anytime, true},
        {"lattice", &map, DrivePlanner::lattice},
        {"weighted, Directional-48", &ring_map, DrivePlanner::weighted},
        {"lattice, Directional-48", &ring_map, DrivePlanner::lattice},
    };
    std::vector<Outcome> all;
    for (const TurningContestant& who : contestants) all.emplace_back(who.name, world.pairs.size());
    Scratch scratch;
    Route route;
    for (int round = 0; round < (quick ? 1 : 4); ++round) {
        for (std::size_t c = 0; c < all.size(); ++c) {
            all[c].legal = 0;
            for (std::size_t i = 0; i < world.pairs.size(); ++i) {
                const std::uint64_t ns =
                    time_ns([&] { ask(contestants[c], world.pairs[i], scratch, route); });
                if (round > 0 || quick) all[c].times.add(i, ns);  // the first makes room
                if (route.status != PathStatus::complete) continue;
                all[c].length[i] = route.length;
                all[c].legal += verify(route, grid.state(), agent) ? 0 : 1;
            }
        }
    }
    ask_peers(world, agent, quick ? 1 : world.pairs.size(), all);
    tell(world.tiles.name + (reverse ? ", reverse" : ", forward"), all, any_angle_lengths(grid, world.pairs),
         2, report);
}

}  // namespace

void run_turning(const SuiteOptions& options, Report& report) {
    if (!has_ompl()) report.note("OMPL is not there: no comparison");
    if (options.data.empty() && !options.quick)
        report.note("turning: no data folder, so the queries of data/poses are skipped");
    for (const PoseWorld& world : pose_worlds(options)) {
        measure_turning(world, false, options.quick, report);
        measure_turning(world, true, options.quick, report);
    }
    measure_turning_parts(options, report);
}

}  // namespace fairlead::bench
