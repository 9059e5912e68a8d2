// A unit that does not know the map: what its planning costs, beside D* Lite over the same walk.
//
// The walk is the Explorer's. At each of its steps D* Lite is told what was seen; it plans where the Explorer planned. Both ways are
// compared: on the known map the tile route of a fresh search costs what D* Lite's does.

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>

#include "suites/dstar_lite.h"
#include "suites/need.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

struct Sums {
    double walks = 0, arrived = 0, plans = 0, walked = 0, best = 0;
    double fresh_ns = 0, taut_ns = 0, incremental_ns = 0, step_ns = 0, steps = 0;
    double fresh_opened = 0, incremental_opened = 0;
    std::size_t bytes = 0;
};

/// The cells that differ from what was thought, around a place.
class Mirror {
  public:
    explicit Mirror(const GridState& known)
        : width_(known.width()),
          height_(known.height()),
          blocked_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0) {}

    template <class Visit>
    void compare(const GridState& known, Cell at, std::int32_t reach, Visit visit) {
        for (std::int32_t y = std::max(0, at.y - reach); y <= std::min(height_ - 1, at.y + reach); ++y) {
            for (std::int32_t x = std::max(0, at.x - reach); x <= std::min(width_ - 1, at.x + reach); ++x) {
                const bool now = known.blocked({x, y, 0});
                std::uint8_t& then = blocked_[static_cast<std::size_t>(y * width_ + x)];
                if (now == (then != 0)) continue;
                then = now ? 1 : 0;
                visit(Cell{x, y, 0}, now);
            }
        }
    }

  private:
    std::int32_t width_, height_;
    std::vector<std::uint8_t> blocked_;
};

struct Change {
    Cell cell{};
    bool blocked = false;
};

/// A fresh search from cell to cell on the known map; ns.
std::uint64_t fresh(const GridState& known, Cell from, Cell to, Smoothing smoothing, Scratch& scratch,
                    Route& route) {
    const GridQuery query{
        .start = from, .goal = to, .planner = GridPlanner::jump_point, .smoothing = smoothing};
    return time_ns([&] { hold_true(find_route_into(known, query, scratch, route)); });
}

void compare_costs(const Route& route, std::int64_t cost) {
    const bool joined = route.status == PathStatus::complete;
    const double ours = joined ? route.cost * static_cast<double>(DStarLite::kStraight) : 0.0;
    const bool same =
        joined ? std::fabs(ours - static_cast<double>(cost)) <= 1e-4 * ours + 1.0 : cost >= DStarLite::kFar;
    if (!same) throw std::runtime_error("explore: D* Lite and a fresh search differ");
}

void walk(const Grid& grid, const Pair& pair, double sight, Scratch& scratch, Sums& sums) {
    Result<Explorer> scout = Explorer::make(grid, {.sight = sight});
    if (!scout || !scout->begin(pair.start, pair.goal)) throw std::runtime_error("explore: no scout");
    DStarLite peer(grid.state().width(), grid.state().height(), pair.start, pair.goal);
    Mirror mirror(scout->known());
    const auto reach = static_cast<std::int32_t>(sight) + 2;
    Route route;
    std::vector<Change> changes;
    while (scout->status() == ExploreStatus::going) {
        const Cell at = scout->known().cell_at(scout->position());
        const std::uint32_t plans = scout->stats().plans;
        sums.step_ns += static_cast<double>(time_ns([&] { hold_true(scout->step(grid, scratch)); }));
        const bool planned = scout->stats().plans != plans;
        std::int64_t cost = 0;
        changes.clear();
        mirror.compare(scout->known(), at, reach, [&](Cell cell, bool blocked) {
            changes.push_back({cell, blocked});
        });
        const std::uint64_t before = peer.expanded();
        const std::uint64_t ns = time_ns([&] {
            peer.move(at);
            for (const Change& change : changes) peer.set(change.cell, change.blocked);
            if (planned) cost = peer.plan();
        });
        sums.incremental_ns += static_cast<double>(ns);
        sums.incremental_opened += static_cast<double>(peer.expanded() - before);
        if (!planned || scout->known().blocked(at)) continue;
        sums.fresh_ns +=
            static_cast<double>(fresh(scout->known(), at, pair.goal, Smoothing::none, scratch, route));
        sums.fresh_opened += static_cast<double>(route.stats.expanded);
        compare_costs(route, cost);
        sums.taut_ns +=
            static_cast<double>(fresh(scout->known(), at, pair.goal, Smoothing::best, scratch, route));
    }
    sums.walks += 1;
    sums.steps += scout->stats().steps;
    sums.plans += scout->stats().plans;
    sums.bytes = std::max(sums.bytes, peer.bytes());
    if (scout->status() != ExploreStatus::arrived) return;
    sums.arrived += 1;
    sums.walked += scout->walked().length;
    hold_true(find_route_into(grid, GridQuery{.start = pair.start, .goal = pair.goal}, scratch, route));
    sums.best += route.length;
}

void measure_scouts(const BenchWorld& world, double sight, bool quick, Report& report) {
    const Grid grid = world.grid();
    Scratch scratch;
    Sums sums;
    for (const std::size_t i : spread(world.pairs.size(), quick ? 4 : 12))
        walk(grid, world.pairs[i], sight, scratch, sums);
    const std::string row = world.name + ", sight " + std::to_string(static_cast<int>(sight));
    const auto us_a_plan = [&](double ns) { return ns * 1e-3 / std::max(1.0, sums.plans); };
    report.add(row, "fresh", "a new plan", us_a_plan(sums.fresh_ns), "us");
    report.add(row, "fresh, pulled taut", "a new plan", us_a_plan(sums.taut_ns), "us");
    report.add(row, "D* Lite", "a new plan", us_a_plan(sums.incremental_ns), "us");
    report.add(row, "fresh", "opened a plan", sums.fresh_opened / std::max(1.0, sums.plans), "");
    report.add(row, "D* Lite", "opened a plan", sums.incremental_opened / std::max(1.0, sums.plans), "");
    report.add(row, "plans", "a walk", sums.plans / sums.walks, "");
    report.add(row, "steps", "a walk", sums.steps / sums.walks, "");
    report.add(row, "us a step", "a walk", sums.step_ns * 1e-3 / std::max(1.0, sums.steps), "");
    report.add(row, "walked / best", "a walk", sums.walked / std::max(1.0, sums.best), "");
    report.add(row, "KiB of D* Lite", "a walk", static_cast<double>(sums.bytes) / 1024.0, "");
}

}  // namespace

void run_explore(const SuiteOptions& options, Report& report) {
    for (const BenchWorld& world : smooth_worlds(options)) {
        measure_scouts(world, 8.0, options.quick, report);
        if (options.quick) return;
    }
}

}  // namespace fairlead::bench
