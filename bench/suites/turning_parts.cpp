// Turning units, the rest: making tables and maps, edits, sealed poses, fields, ways beside the lattice, speeds, roads.

#include "suites/turning_parts.h"

#include <stdexcept>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/pose_field.h>

#include "suites/need.h"
#include "suites/stopwatch.h"
#include "suites/turning_worlds.h"

namespace fairlead::bench {

namespace {

constexpr int kTurningRounds = 5;

struct Moves {
    const char* name;
    DriveTableOptions options;
};

std::vector<Moves> move_sets() {
    const Agent agent = turning_unit(true);
    return {{"chosen, 8 headings", {.agent = agent, .headings = 8, .stretch = 1.05}},
            {"Directional-48, 8 headings", {.agent = agent, .headings = 8, .rings = 3}},
            {"chosen, 16 headings", {.agent = agent, .headings = 16}}};
}

DriveTable default_table(const Agent& agent) {
    return need(DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05}));
}

/// The least time of some calls.
template <class Call>
double best_ms(Call&& call) {
    std::uint64_t best = UINT64_MAX;
    for (int round = 0; round < kTurningRounds; ++round) best = std::min(best, time_ns(call));
    return static_cast<double>(best) / 1e6;
}

void measure_tables(Report& report) {
    for (const Moves& moves : move_sets()) {
        const DriveTable table = need(DriveTable::make(moves.options));
        const double ms = best_ms([&] { (void)DriveTable::make(moves.options); });
        report.add("turning radius 3, reverse", moves.name, "making the table", ms, "ms");
        report.add("turning radius 3, reverse", moves.name, "size of the table",
                   static_cast<double>(table.bytes()) / 1024.0, "KiB");
        report.add("turning radius 3, reverse", moves.name, "moves",
                   static_cast<double>(table.primitives().all().size()), "");
    }
}

void measure_preparing(const BenchWorld& world, Report& report) {
    const Grid grid = world.grid();
    for (const Moves& moves : move_sets()) {
        const DriveTable table = need(DriveTable::make(moves.options));
        const DriveMap map = need(make_drive_map(grid.state(), table));
        const double ms = best_ms([&] { (void)make_drive_map(grid.state(), table); });
        report.add(world.name, moves.name, "preparing a map", ms, "ms");
        report.add(world.name, moves.name, "memory", static_cast<double>(map.state().bytes()) / 1048576.0,
                   "MiB");
    }
}

/// A square of walls put up and what was there put back, the map brought up to date after each.
void measure_edits(const BenchWorld& world, bool reverse, std::int32_t side, std::size_t edits,
                   Report& report) {
    const DriveTable table = default_table(turning_unit(reverse));
    Times up{edits};
    Times down{edits};
    for (int round = 0; round < 3; ++round) {
        Grid grid = world.grid();
        DriveMap map = need(make_drive_map(grid.state(), table));
        Rng rng{7};
        std::vector<std::uint8_t> before(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
        for (std::size_t i = 0; i < edits; ++i) {
            const CellRect::Corner low{rng.between(0, world.width - side),
                                       rng.between(0, world.height - side)};
            const CellRect rect{low, {low.x + side, low.y + side}};
            for (std::int32_t k = 0; k < side * side; ++k)
                before[static_cast<std::size_t>(k)] = grid.state().tile({low.x + k % side, low.y + k / side});
            (void)grid.fill(rect, 0);
            up.add(i, time_ns([&] { (void)update_drive_map(map, grid.state()); }));
            (void)grid.set(rect, before);
            down.add(i, time_ns([&] { (void)update_drive_map(map, grid.state()); }));
        }
    }
    const std::string row = world.name + (reverse ? ", reverse" : ", forward");
    const std::string what = "an edit of " + std::to_string(side) + " x " + std::to_string(side) + " cells";
    for (const auto& [name, times] : {std::pair{"walls up", &up}, std::pair{"put back", &down}}) {
        report.add(row, std::string{name} + ", median", what, times->quantile_us(0.5) / 1e3, "ms");
        report.add(row, std::string{name} + ", p90", what, times->quantile_us(0.9) / 1e3, "ms");
    }
}

/// Of random legal poses those with no way between them.
void measure_sealed(const BenchWorld& world, bool reverse, std::size_t queries, Report& report) {
    const Agent agent = turning_unit(reverse);
    const DriveTable table = default_table(agent);
    const Grid grid = world.grid();
    const DriveMap map = need(make_drive_map(grid.state(), table));
    Scratch scratch;
    Route route;
    Times times{queries};
    std::size_t sealed = 0;
    std::size_t at = 0;
    for (const PosePair& pair : random_poses(world, agent.radius, queries, 5)) {
        const DriveQuery query{.start = pair.start, .goal = pair.goal};
        (void)find_route_into(map, query, scratch, route);
        const std::size_t slot = at++;
        if (route.status != PathStatus::unreachable) continue;
        ++sealed;
        for (int round = 0; round < kTurningRounds; ++round)
            times.add(slot, time_ns([&] { (void)find_route_into(map, query, scratch, route); }));
    }
    const std::string row = world.name + (reverse ? ", reverse" : ", forward");
    report.add(row, "asked", "sealed poses", static_cast<double>(queries), "");
    report.add(row, "sealed", "sealed poses", static_cast<double>(sealed), "");
    if (sealed == 0) return;
    report.add(row, "mean", "time of unreachable", times.mean_us(), "us");
    report.add(row, "median", "time of unreachable", times.quantile_us(0.5), "us");
    report.add(row, "longest", "time of unreachable", times.quantile_us(1.0), "us");
}

/// Others that stand about: of the query, or as walls of a map that is brought up to date with them for it.
void measure_blockers(const BenchWorld& world, std::size_t queries, Report& report) {
    const Agent agent = turning_unit(true);
    const DriveTable table = default_table(agent);
    const Grid grid = world.grid();
    DriveMap map = need(make_drive_map(grid.state(), table));
    DriveMap closed = need(make_drive_map(grid.state(), table));
    Scratch scratch;
    Route route;
    Rng rng{19};
    const std::vector<PosePair> pairs = random_poses(world, agent.radius, queries, 6);
    for (const std::size_t count : {std::size_t{20}, std::size_t{200}}) {
        std::vector<Blocker> others(count);
        for (Blocker& other : others)
            other = {.centre = {rng.between(0.0, 1.0) * world.width, rng.between(0.0, 1.0) * world.height},
                     .radius = 0.4};
        Times plain{queries}, exact{queries}, remade{queries};
        for (int round = 0; round < kTurningRounds; ++round) {
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                DriveQuery query{.start = pairs[i].start, .goal = pairs[i].goal};
                plain.add(i, time_ns([&] { (void)find_route_into(map, query, scratch, route); }));
                query.blockers = others;
                exact.add(i, time_ns([&] { (void)find_route_into(map, query, scratch, route); }));
                query.blockers = {};
                (void)update_drive_map(closed, grid.state());
                remade.add(i, time_ns([&] {
                               (void)update_drive_map(closed, grid.state(), {.blockers = others});
                               (void)find_route_into(closed, query, scratch, route);
                           }));
            }
        }
        const std::string what = std::to_string(count) + " others that stand about";
        report.add(world.name, "none", what, plain.mean_us() / 1e3, "ms");
        report.add(world.name, "of the query", what, exact.mean_us() / 1e3, "ms");
        report.add(world.name, "a map with them", what, remade.mean_us() / 1e3, "ms");
    }
}

PoseField swept(const DriveMap& map, const Pose& goal) {
    PoseField field = need(PoseField::make(map, {.goal = goal}));
    while (field.step(1U << 20)) {
    }
    return field;
}

/// The first goal that its own start has a way to.
Pose goal_with_routes(const DriveMap& map, const std::vector<PosePair>& pairs) {
    Scratch scratch;
    for (const PosePair& pair : pairs) {
        const Result<Route> route =
            find_route(map, DriveQuery{.start = pair.start, .goal = pair.goal}, scratch);
        if (route && route->status == PathStatus::complete) return pair.goal;
    }
    throw std::runtime_error("turning: no query has a route");
}

void measure_field(const PoseWorld& world, bool reverse, Report& report) {
    const Grid grid = world.tiles.grid();
    const DriveTable table = default_table(turning_unit(reverse));
    const DriveMap map = need(make_drive_map(grid.state(), table));
    const Pose goal = goal_with_routes(map, world.pairs);
    const PoseField field = swept(map, goal);
    const std::string row = world.tiles.name + (reverse ? ", reverse" : ", forward");
    report.add(row, "sweep", "a field", best_ms([&] { (void)swept(map, goal); }), "ms");
    Scratch scratch;
    Route route;
    for (const bool smooth : {false, true}) {
        Times times{world.pairs.size()};
        for (int round = 0; round <= kTurningRounds; ++round) {
            for (std::size_t i = 0; i < world.pairs.size(); ++i) {
                const std::uint64_t ns = time_ns(
                    [&] { (void)find_route_into(field, world.pairs[i].start, scratch, route, smooth); });
                if (round > 0 && route.status == PathStatus::complete) times.add(i, ns);
            }
        }
        report.add(row, smooth ? "a unit follows, pulled taut" : "a unit follows", "a field",
                   times.mean_us() / 1e3, "ms");
    }
}

/// Goals that the lattice has no way to: all poses are searched, up to a limit. What one of them costs.
void measure_off_lattice(const BenchWorld& world, std::size_t queries, Report& report) {
    const Agent agent = turning_unit(false);
    const DriveTable table = default_table(agent);
    const Grid grid = world.grid();
    const DriveMap map = need(make_drive_map(grid.state(), table));
    Scratch scratch;
    Route route;
    std::uint64_t ns = 0;
    std::uint64_t opened = 0;
    for (const PosePair& pair : random_poses(world, agent.radius, queries, 5)) {
        DriveQuery query{.start = pair.start, .goal = pair.goal};
        (void)find_route_into(map, query, scratch, route);
        if (route.status != PathStatus::unreachable) continue;
        query.off_lattice_max = 5000;
        std::uint64_t best = UINT64_MAX;
        for (int round = 0; round < kTurningRounds; ++round)
            best = std::min(best, time_ns([&] { (void)find_route_into(map, query, scratch, route); }));
        if (route.stats.expanded < 100) continue;  // nearly all of it is not the search
        ns += best;
        opened += route.stats.expanded;
    }
    if (opened == 0) return;
    report.add(world.name, "a pose opened", "off the lattice",
               static_cast<double>(ns) / static_cast<double>(opened) / 1e3, "us");
}

void measure_timed(const PoseWorld& world, Report& report) {
    const Grid grid = world.tiles.grid();
    const DriveTable table = default_table(turning_unit(false));
    const DriveMap map = need(make_drive_map(grid.state(), table));
    const SpeedTable speeds = need(SpeedTable::make(table, {}));
    Scratch scratch;
    Route way;
    Times times{world.pairs.size()};
    for (int round = 0; round < 4; ++round) {
        for (std::size_t i = 0; i < world.pairs.size(); ++i) {
            const TimedQuery query{
                .start = world.pairs[i].start, .goal = world.pairs[i].goal, .times = &speeds};
            const std::uint64_t ns = time_ns([&] { (void)find_route_into(map, query, scratch, way); });
            if (round > 0) times.add(i, ns);
        }
    }
    const std::string row = world.tiles.name + ", quickest way";
    report.add(row, "mean", "speed and roads", times.mean_us() / 1e3, "ms");
    report.add(row, "median", "speed and roads", times.quantile_us(0.5) / 1e3, "ms");
    report.add(row, "p99", "speed and roads", times.quantile_us(0.99) / 1e3, "ms");
}

/// Streets of 4 cells, 32 apart, two lanes each, between blocks of 20 x 20 cells.
struct StreetTown {
    Grid grid;
    RoadLayer roads;
    std::vector<PosePair> pairs;

    explicit StreetTown(std::size_t queries)
        : grid(need(Grid::make({.width = 256, .height = 256}))), roads(need(RoadLayer::make(256, 256))) {
        for (std::int32_t k = 0; k < 8; ++k) {
            const double at = 16.0 + 32.0 * k;
            const Vec2 east[] = {{0, at}, {256, at}};
            const Vec2 north[] = {{at, 0}, {at, 256}};
            (void)roads.paint(east, 4, RoadLanes::keep_right);
            (void)roads.paint(north, 4, RoadLanes::keep_right);
            for (std::int32_t j = 0; j < 8; ++j) {
                (void)grid.fill(
                    {{std::max(0, 32 * k - 10), std::max(0, 32 * j - 10)}, {32 * k + 10, 32 * j + 10}}, 0);
            }
        }
        Rng rng{5};
        for (std::size_t i = 0; i < queries; ++i) {
            const Pose start = in_a_lane(rng);
            pairs.push_back({start, in_a_lane(rng)});
        }
    }
    static Pose in_a_lane(Rng& rng) {
        const double road = 16.0 + 32.0 * static_cast<double>(rng.below(8));
        const double along = 5.5 + static_cast<double>(rng.below(240));
        const double aside = 0.5 + static_cast<double>(rng.below(2));
        if (rng.below(2) == 0) return {{along, road - aside}, 0.0};
        return {{road + aside, along}, kHalfPi};
    }
};

void measure_roads(std::size_t queries, Report& report) {
    const StreetTown town{queries};
    const DriveTable table = default_table({.radius = 0.8, .turning_radius = 2.5});
    const DriveMap free = need(make_drive_map(town.grid.state(), table));
    GridDriveOptions rules{.roads = &town.roads};
    rules.road_rules = {.off_road = kRoadForbidden, .against = kRoadForbidden};
    const DriveMap kept = need(make_drive_map(town.grid.state(), table, rules));
    Scratch scratch;
    Route route;
    for (const auto& [name, streets] :
         {std::pair{"own streets 256, no rules", &free}, std::pair{"own streets 256, lanes kept", &kept}}) {
        const auto* map = streets;  // clang 14 lets no lambda have a binding
        Times times{queries};
        for (int round = 0; round < 4; ++round) {
            for (std::size_t i = 0; i < queries; ++i) {
                const DriveQuery query{.start = town.pairs[i].start, .goal = town.pairs[i].goal};
                const std::uint64_t ns = time_ns([&] { (void)find_route_into(*map, query, scratch, route); });
                if (round > 0) times.add(i, ns);
            }
        }
        report.add(name, "mean", "speed and roads", times.mean_us() / 1e3, "ms");
        report.add(name, "median", "speed and roads", times.quantile_us(0.5) / 1e3, "ms");
        report.add(name, "p99", "speed and roads", times.quantile_us(0.99) / 1e3, "ms");
    }
}

}  // namespace

void measure_turning_parts(const SuiteOptions& options, Report& report) {
    const bool quick = options.quick;
    measure_tables(report);
    for (const std::int32_t side : {quick ? 63 : 256, quick ? 63 : 512}) {
        const BenchWorld town = town_world(side, 11);
        measure_preparing(town, report);
        measure_blockers(town, quick ? 5 : 60, report);
        for (const std::int32_t edit : {1, 5}) {
            for (const bool reverse : {false, true})
                measure_edits(town, reverse, edit, quick ? 5 : 100, report);
        }
        if (quick) break;
    }
    const std::vector<PoseWorld> worlds = pose_worlds(options);
    for (const PoseWorld& world : worlds) {
        for (const bool reverse : {false, true})
            measure_sealed(world.tiles, reverse, quick ? 20 : 400, report);
        measure_off_lattice(world.tiles, quick ? 20 : 100, report);
    }
    // Berlin_0_256, and the town of our own.
    const std::size_t first = worlds.size() > 1 ? worlds.size() - 2 : 0;
    for (std::size_t i = first; i < worlds.size(); ++i) {
        for (const bool reverse : {false, true}) measure_field(worlds[i], reverse, report);
        measure_timed(worlds[i], report);
    }
    measure_roads(quick ? 5 : 200, report);
}

}  // namespace fairlead::bench
