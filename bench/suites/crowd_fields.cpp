// Many units to one place. A field for its goal beside a search for each unit: what each costs, from how many units on the field is the
// cheaper one (the rule of FleetFields::pays_from), and what a unit's next corner costs when 10,000 go by one field.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/flow_field.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_field.h>
#include <fairlead/mesh/surface.h>

#include "suites/crowd_parts.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr std::uint64_t kSeed = 24;
constexpr std::size_t kSearched = 500;
constexpr double kStride = 0.1;  // a frame's step, of a tile or a metre

struct OneGoal {
    std::string world{};
    bool quick = false;
    Report& report;

    /// `fill()`; `step(i)`: unit i takes its next corner and goes on; `search(i)`. Of `count` units.
    template <class Fill, class Step, class Search>
    void measure(std::size_t count, const Fill& fill, const Step& step, const Search& search) const {
        Times filling(1), steps(1), searches(1);
        for (int run = 0; run < (quick ? 1 : 5); ++run) filling.add(0, time_ns(fill));
        const std::size_t each = std::min(count, kSearched);
        const auto search_each = [&] {
            for (std::size_t i = 0; i < each; ++i) search(i);
        };
        search_each();
        for (int run = 0; run < (quick ? 1 : 3); ++run) searches.add(0, time_ns(search_each));
        const auto frame = [&] {
            for (std::size_t i = 0; i < count; ++i) step(i);
        };
        for (int run = 0; run < (quick ? 2 : 60); ++run) steps.add(0, time_ns(frame));
        const double fill_us = static_cast<double>(filling.of(0)) * 1e-3;
        const double search_us = static_cast<double>(searches.of(0)) * 1e-3 / static_cast<double>(each);
        const std::string what = "one goal for all";
        report.add(what, world, "fill a field, ms", fill_us * 1e-3, "");
        report.add(what, world, "a unit's next corner out of it, us",
                   static_cast<double>(steps.of(0)) * 1e-3 / static_cast<double>(count), "");
        report.add(what, world, "a unit's search, us", search_us, "");
        report.add(what, world, "a field pays from, units", std::ceil(fill_us / search_us), "");
    }
};

void on_tiles(const BenchWorld& world, std::size_t count, const OneGoal& bench) {
    const Agent size{.radius = kTileRadius};
    const Grid grid = world.grid({&size, 1});
    const GridState& state = grid.state();
    Rng rng{kSeed};
    const auto draw = [&] {
        for (;;) {
            const std::int32_t x = rng.between(0, state.width() - 1);
            const Cell cell{x, rng.between(0, state.height() - 1)};
            if (state.can_stand(cell, size)) return state.cell_centre(cell);
        }
    };
    const Vec2 goal = draw();
    FlowFill fill;
    FlowField field;
    const auto fill_it = [&] {
        hold_true(fill.begin(grid, {.goal = goal, .agent = size}));
        while (fill.running()) fill.step(4000);
        hold_true(fill.take(field));
    };
    fill_it();
    std::vector<Vec2> at;
    for (std::size_t tries = 0; at.size() < count && tries < 100 * count; ++tries) {
        FlowHold hold;
        const Vec2 start = draw();
        if (field.sample(start, hold).status == PathStatus::complete) at.push_back(start);
    }
    const std::vector<Vec2> starts = at;
    std::vector<FlowHold> holds(at.size());
    Scratch scratch;
    Route route;
    bench.measure(
        at.size(), fill_it,
        [&](std::size_t i) {
            const FlowStep next = field.sample(at[i], holds[i]);
            const double way = distance(at[i], next.to);
            at[i] = way <= kStride ? next.to : at[i] + (next.to - at[i]) * (kStride / way);
        },
        [&](std::size_t i) {
            hold_true(find_route_into(grid, GridQuery{.start = starts[i], .goal = goal, .agent = size},
                                      scratch, route));
        });
}

void on_level(const CrowdLevel& level, std::size_t count, const OneGoal& bench) {
    const NavMeshState& mesh = level.mesh.state();
    Rng rng{kSeed};
    const Vec3 goal = places_apart(mesh, 1, 0.0, rng)[0];
    MeshField field;
    const auto fill_it = [&] {
        hold_true(
            field.begin(level.mesh, {.goal = goal, .radius = std::min(kLevelRadius, mesh.agent_radius())}));
        while (field.running()) field.step(4000);
    };
    fill_it();
    std::vector<Vec3> at;
    for (std::size_t tries = 0; at.size() < count && tries < 100 * count; ++tries) {
        const Vec3 start = random_point(mesh, rng).position;
        if (field.sample(start).status == PathStatus::complete) at.push_back(start);
    }
    const std::vector<Vec3> starts = at;
    Scratch scratch;
    Route route;
    bench.measure(
        at.size(), fill_it,
        [&](std::size_t i) {
            const MeshFieldStep next = field.sample(at[i]);
            const double way = distance(ground(at[i]), ground(next.to));
            at[i] = way <= kStride ? next.to : at[i] + (next.to - at[i]) * (kStride / way);
        },
        [&](std::size_t i) {
            hold_true(
                find_route_into(level.mesh, MeshQuery{.start = starts[i], .goal = goal}, scratch, route));
        });
}

}  // namespace

void measure_fields(const SuiteOptions& options, Report& report) {
    const std::size_t units = options.quick ? 50 : 10000;
    const CrowdLevel level = crowd_level(options, "city_256");
    on_level(level, units, {level.name, options.quick, report});
    const BenchWorld town = town_world(options.quick ? 63 : 1024, 21);
    on_tiles(town, units, {town.name, options.quick, report});
}

}  // namespace fairlead::bench
