// Turning units on large maps: random poses, the route pulled taut and as the search found it, a walker's route between the same
// places in the same run; the answer `unreachable`; the bound that is stated; memory and preparing.

#include <algorithm>

#include <fmt/format.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/formats/assets.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "suites/counted_memory.h"
#include "suites/need.h"
#include "suites/stopwatch.h"
#include "suites/turning_worlds.h"

namespace fairlead::bench {

namespace {

constexpr double kRadius = 0.45;
constexpr int kRuns = 2;  // of which the faster counts

// The middles of cells in one of 8 headings, or any place and heading.
enum class Poses : std::uint8_t { of_lattice, any };

struct LargeCase {
    std::int32_t side;
    double turning_radius;
    bool can_reverse;
    Poses poses;
};

constexpr LargeCase kCases[] = {
    {2048, 3.0, false, Poses::of_lattice}, {2048, 3.0, false, Poses::any},
    {2048, 6.0, false, Poses::of_lattice}, {2048, 6.0, false, Poses::any},
    {1024, 3.0, true, Poses::of_lattice},  {1024, 3.0, true, Poses::any},
    {1024, 6.0, true, Poses::of_lattice},  {1024, 6.0, true, Poses::any},
    {256, 3.0, false, Poses::of_lattice},  {256, 3.0, false, Poses::any},
};

std::string row_of(const LargeCase& with) {
    return fmt::format("{} x {}, radius {}{}{}", with.side, with.side, with.turning_radius,
                       with.can_reverse ? ", reverse" : "", with.poses == Poses::any ? ", any pose" : "");
}

std::vector<PosePair> any_poses(const BenchWorld& world, std::size_t count, std::uint64_t seed) {
    Rng rng{seed};
    const auto draw = [&] {
        constexpr int kParts = 1 << 20;
        Pose pose;
        for (int i = 0; i < 1000; ++i) {
            const auto part = [&] { return static_cast<double>(rng.below(kParts)) / kParts; };
            pose.position.x = rng.between(1, world.width - 2) + part();
            pose.position.y = rng.between(1, world.height - 2) + part();
            pose.heading_rad = (part() - 0.5) * kTwoPi;
            if (disc_is_free(world, kRadius, pose.position)) break;
        }
        return pose;
    };
    return draw_pairs(count, draw);
}

// Stays where it is: the map refers to the table.
struct LargeWorld {
    BenchWorld tiles;
    Agent unit;
    CountedMemory memory;
    Grid grid;
    DriveTable table;
    std::size_t without_map = 0;
    DriveMap map;

    LargeWorld(BenchWorld of, const LargeCase& with)
        : tiles(std::move(of)),
          unit{.radius = kRadius, .turning_radius = with.turning_radius, .can_reverse = with.can_reverse},
          grid(tiles.grid()),
          table(need(DriveTable::make(
              {.agent = unit, .headings = 8, .stretch = 1.05, .allocator = memory.allocator()}))),
          without_map(memory.now()),
          map(make_map()) {}
    LargeWorld(const LargeWorld&) = delete;
    LargeWorld& operator=(const LargeWorld&) = delete;

    [[nodiscard]] DriveMap make_map() {
        return need(make_drive_map(grid.state(), table, {.allocator = memory.allocator()}));
    }
    [[nodiscard]] double a_cell(double sum) const { return sum / static_cast<double>(tiles.tiles.size()); }
};

void measure_preparing(LargeWorld& world, const std::string& row, Report& report) {
    const auto bytes = static_cast<double>(world.memory.now() - world.without_map);
    std::uint64_t best = UINT64_MAX;
    for (int run = 0; run < kRuns; ++run) best = std::min(best, time_ns([&] { (void)world.make_map(); }));
    report.add(row, "ns to prepare", "a cell", world.a_cell(static_cast<double>(best)), "");
    report.add(row, "bytes of the map", "a cell", world.a_cell(bytes), "");
}

// What the queries of one case gave.
struct Answers {
    Times times;
    Times unreachable;
    std::size_t joined = 0;  // all that are not known to be unreachable
    std::size_t routes = 0;
    std::size_t illegal = 0;
    double bounds = 0.0;

    explicit Answers(std::size_t queries) : times(queries), unreachable(queries) {}
};

Answers ask_all(const LargeWorld& world, const std::vector<PosePair>& pairs, bool smooth, Scratch& scratch) {
    Answers answers(pairs.size());
    Route route;
    for (int run = 0; run < kRuns; ++run) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const DriveQuery query{.start = pairs[i].start, .goal = pairs[i].goal, .smooth = smooth};
            const std::uint64_t ns =
                time_ns([&] { hold_true(find_route_into(world.map, query, scratch, route)); });
            const bool found = route.status == PathStatus::complete;
            (found ? answers.times : answers.unreachable).add(i, ns);
            if (run > 0) continue;
            answers.joined += route.status == PathStatus::unreachable ? 0 : 1;
            if (!found) continue;
            ++answers.routes;
            answers.bounds += route.bound;
            answers.illegal += verify(route, world.grid.state(), world.unit) ? 1 : 0;
        }
    }
    return answers;
}

double walker_us(const LargeWorld& world, const std::vector<PosePair>& pairs) {
    Times times(pairs.size());
    Scratch scratch;
    Route route;
    for (int run = 0; run < kRuns; ++run) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const GridQuery query{.start = pairs[i].start.position,
                                  .goal = pairs[i].goal.position,
                                  .agent = {.radius = kRadius}};
            times.add(i, time_ns([&] { hold_true(find_route_into(world.grid, query, scratch, route)); }));
        }
    }
    return times.mean_us();
}

void measure_case(BenchWorld tiles, const LargeCase& with, std::size_t queries, Report& report) {
    const std::string row = row_of(with);
    LargeWorld world(std::move(tiles), with);
    measure_preparing(world, row, report);
    const std::vector<PosePair> pairs = with.poses == Poses::any
                                            ? any_poses(world.tiles, queries, 11)
                                            : random_poses(world.tiles, kRadius, queries, 11);
    world.memory.reset_most();
    Scratch scratch(world.memory.allocator());
    for (const bool smooth : {true, false}) {
        const Answers answers = ask_all(world, pairs, smooth, scratch);
        const std::string name = smooth ? "" : "as found, ";
        report.add(row, name + "median", "a query", answers.times.quantile_us(0.5) / 1e3, "ms");
        report.add(row, name + "mean", "a query", answers.times.mean_us() / 1e3, "ms");
        report.add(row, name + "p99", "a query", answers.times.quantile_us(0.99) / 1e3, "ms");
        if (!smooth) continue;
        const auto routes = static_cast<double>(std::max<std::size_t>(answers.routes, 1));
        const std::size_t joined = std::max<std::size_t>(answers.joined, 1);
        report.add(row, "a walker, mean", "a query", walker_us(world, pairs) / 1e3, "ms");
        report.add(row, "asked", "answers", static_cast<double>(queries), "");
        report.add(row, "joined", "answers", static_cast<double>(answers.joined), "");
        report.add(row, "found, of these", "answers",
                   static_cast<double>(answers.routes) / static_cast<double>(joined), "");
        report.add(row, "illegal", "answers", static_cast<double>(answers.illegal), "");
        report.add(row, "bound, mean", "answers", answers.bounds / routes, "");
        if (answers.joined == queries) continue;
        report.add(row, "median", "unreachable", answers.unreachable.quantile_us(0.5), "us");
        report.add(row, "mean", "unreachable", answers.unreachable.mean_us(), "us");
        report.add(row, "longest", "unreachable", answers.unreachable.quantile_us(1.0), "us");
    }
    report.add(row, fmt::format("bytes after {} queries", queries), "a cell",
               world.a_cell(static_cast<double>(world.memory.most())), "");
}

}  // namespace

void run_turning_large(const SuiteOptions& options, Report& report) {
    if (options.quick || options.data.empty()) {
        const std::int32_t side = options.quick ? 150 : 1024;
        const std::size_t queries = options.quick ? 10 : 300;
        for (const LargeCase& with : kCases) {
            LargeCase own = with;
            own.side = side;
            if (with.side != 2048 && !with.can_reverse) continue;
            measure_case(town_world(side, 5), own, queries, report);
        }
        return;
    }
    for (const LargeCase& with : kCases) {
        const std::string name = with.side <= 256 ? "Berlin_0_256" : "Berlin_0_1024";
        const Grid map = need(formats::load_grid_asset(options.data + "/maps/cities/" + name + ".map"));
        measure_case(mirrored(map.state(), name, with.side), with, 1000, report);
    }
}

}  // namespace fairlead::bench
