// What a unit of the budget costs: every search in steps of one unit, each step timed alone, beside a mean expansion of A*
// in the same run. The promise (SECURITY.md): at p99.9 at most 50 of those, whatever the query.

#include <algorithm>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/find_route.h>

#include "suites/need.h"
#include "suites/stopwatch.h"
#include "suites/turning_worlds.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

/// What the clock itself takes: the least of many.
std::uint64_t clock_ns() {
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 10000; ++i) least = std::min(least, time_ns([] {}));
    return least;
}

struct Units {
    std::vector<std::uint32_t> ns;

    /// Each step of the search, the first one too. A run makes room; of three more, in which the same unit does the same work, each
    /// unit's least time counts: what else the machine did meanwhile is not the search's.
    template <class MakeSearch>
    void time(const MakeSearch& make_search, std::uint64_t clock) {
        constexpr int kRuns = 3;
        const std::size_t first = ns.size();
        for (int run = 0; run <= kRuns; ++run) {
            auto search = make_search();
            std::size_t at = first;
            for (bool more = true; more; ++at) {
                const std::uint64_t took = time_ns([&] { more = search.step(1); });
                if (run == 0) continue;
                const auto own = static_cast<std::uint32_t>(
                    std::min<std::uint64_t>(took > clock ? took - clock : 0, UINT32_MAX));
                if (at == ns.size()) ns.push_back(own);
                ns[at] = std::min(ns[at], own);
            }
        }
    }
    [[nodiscard]] double quantile(double q) {
        if (ns.empty()) return 0.0;
        std::sort(ns.begin(), ns.end());
        const auto i = static_cast<std::size_t>(q * static_cast<double>(ns.size()));
        return ns[std::min(i, ns.size() - 1)];
    }
};

/// One kind of query.
struct Row {
    std::string name;
    Units units{};
};

struct Bench {
    const BenchWorld& world;
    std::vector<std::size_t> queries;
    double expansion_ns = 0.0;
    std::uint64_t clock = clock_ns();
    Report& report;
    Scratch scratch{};

    void tell(Row& row) {
        report.add(row.name, world.name, "p99.9 of a unit, in expansions of A*",
                   row.units.quantile(0.999) / expansion_ns, "x");
        report.add(row.name, world.name, "the longest unit, in expansions of A*",
                   row.units.quantile(1.0) / expansion_ns, "x");
        report.add(row.name, world.name, "mean of a unit, in expansions of A*",
                   mean_of({row.units.ns.begin(), row.units.ns.end()}) / expansion_ns, "x");
    }
};

void measure_expansion(Bench& bench, const Grid& grid) {
    Route route;
    std::uint64_t ns = 0;
    std::uint64_t expanded = 0;
    for (int round = 0; round < 2; ++round) {
        for (const std::size_t i : bench.queries) {
            const GridQuery query{.start = grid.state().cell_centre(bench.world.pairs[i].start),
                                  .goal = grid.state().cell_centre(bench.world.pairs[i].goal),
                                  .planner = GridPlanner::astar,
                                  .smoothing = Smoothing::none};
            const std::uint64_t took =
                time_ns([&] { (void)find_route_into(grid, query, bench.scratch, route); });
            if (round == 0) continue;
            ns += took;
            expanded += route.stats.expanded;
        }
    }
    bench.expansion_ns = static_cast<double>(ns) / static_cast<double>(std::max<std::uint64_t>(1, expanded));
    bench.report.add("astar", bench.world.name, "a mean expansion", bench.expansion_ns, "ns");
}

std::vector<Blocker> many_blockers(const BenchWorld& world, std::size_t count, double radius) {
    Rng rng(17);
    std::vector<Blocker> blockers(count);
    for (Blocker& b : blockers) {
        b = {.centre = {rng.between(0.0, 1.0) * world.width, rng.between(0.0, 1.0) * world.height},
             .radius = radius};
    }
    return blockers;
}

/// The same queries with `change` applied.
template <class Change>
void grid_row(Bench& bench, const char* name, const Grid& grid, const Change& change) {
    Row row{name};
    for (const std::size_t i : bench.queries) {
        GridQuery query{.start = grid.state().cell_centre(bench.world.pairs[i].start),
                        .goal = grid.state().cell_centre(bench.world.pairs[i].goal)};
        change(query);
        row.units.time([&] { return GridSearch(grid, query, bench.scratch); }, bench.clock);
    }
    bench.tell(row);
}

void grid_rows(Bench& bench, const Grid& grid) {
    const std::vector<Blocker> some = many_blockers(bench.world, 1000, 0.3);
    const std::vector<Blocker> most = many_blockers(bench.world, 65536, 0.05);
    Rng rng(18);
    std::vector<Vec2> goals(65536);
    for (Vec2& p : goals)
        p = {rng.between(0.0, 1.0) * bench.world.width, rng.between(0.0, 1.0) * bench.world.height};

    grid_row(bench, "auto, smoothed", grid, [](GridQuery&) {});
    grid_row(bench, "astar, smoothed", grid, [](GridQuery& q) { q.planner = GridPlanner::astar; });
    grid_row(bench, "greedy smoothing", grid, [](GridQuery& q) { q.smoothing = Smoothing::greedy_shortcut; });
    grid_row(bench, "farthest visible", grid,
             [](GridQuery& q) { q.smoothing = Smoothing::farthest_visible; });
    grid_row(bench, "1,000 blockers", grid, [&](GridQuery& q) { q.blockers = some; });
    grid_row(bench, "65,536 blockers", grid, [&](GridQuery& q) { q.blockers = most; });
    grid_row(bench, "65,536 goals", grid, [&](GridQuery& q) { q.goal = Goal::any_of(goals); });
    for (const double radius : {0.7, 1.4, 3.0, 10.0, 100.0}) {
        const std::string name = "radius " + std::to_string(radius).substr(0, 5) + ", not registered";
        grid_row(bench, name.c_str(), grid, [&](GridQuery& q) { q.agent.radius = radius; });
        grid_row(bench, (name + ", partial").c_str(), grid, [&](GridQuery& q) {
            q.agent.radius = radius;
            q.partial = true;
        });
    }
}

void mesh_row(Bench& bench, const Grid& grid) {
    const NavMesh mesh = need(make_grid_mesh(grid, {.tile_cells = 64, .radius_max = 2.5}));
    for (const double radius : {0.0, 0.4, 2.0}) {
        Row row{"mesh, radius " + std::to_string(radius).substr(0, 3)};
        for (const std::size_t i : bench.queries) {
            const Vec2 start = grid.state().cell_centre(bench.world.pairs[i].start);
            const Vec2 goal = grid.state().cell_centre(bench.world.pairs[i].goal);
            const MeshQuery query{.start = {start.x, start.y, 0.0},
                                  .goal = Vec3{goal.x, goal.y, 0.0},
                                  .agent = {.radius = radius}};
            row.units.time([&] { return MeshSearch(mesh, query, bench.scratch); }, bench.clock);
        }
        bench.tell(row);
    }
}

void roadmap_row(Bench& bench) {
    Rng rng(19);
    std::vector<Waypoint> nodes;
    std::vector<WaypointEdge> edges;
    std::vector<RoadmapWall> walls;
    std::vector<Vec2> points;
    constexpr std::int32_t kSide = 100;
    for (std::int32_t i = 0; i < kSide * kSide; ++i) {
        const Vec3 at{i % kSide + rng.between(0.0, 0.4), i / kSide + rng.between(0.0, 0.4), 0.0};
        nodes.push_back({.id = {i}, .position = at});
        if (i % kSide > 0) edges.push_back({.from = {i - 1}, .to = {i}});
        if (i >= kSide) edges.push_back({.from = {i - kSide}, .to = {i}});
        walls.push_back({static_cast<std::uint32_t>(points.size()), 2, false});
        points.push_back({at.x + 0.5, at.y + 0.5});
        points.push_back({at.x + 0.55, at.y + 0.55});
    }
    const Roadmap roadmap =
        need(Roadmap::make({.nodes = nodes, .edges = edges, .walls = walls, .wall_points = points}));
    for (const bool checked : {false, true}) {
        Row row{checked ? "roadmap, edges checked" : "roadmap"};
        for (int i = 0; i < 40; ++i) {
            const RoadmapQuery query{.start = Vec2{rng.between(0.0, 99.0), rng.between(0.0, 99.0)},
                                     .goal = Vec2{rng.between(0.0, 99.0), rng.between(0.0, 99.0)},
                                     .agent = {.radius = 0.1},
                                     .check_edges = checked};
            row.units.time([&] { return RoadmapSearch(roadmap, query, bench.scratch); }, bench.clock);
        }
        bench.tell(row);
    }
}

void drive_rows(Bench& bench, const Grid& grid, bool quick) {
    for (const bool reverse : {false, true}) {
        const Agent agent = turning_unit(reverse);
        const DriveTable table = need(DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05}));
        const DriveMap map = need(make_drive_map(grid.state(), table));
        const std::vector<PosePair> pairs = random_poses(bench.world, agent.radius, quick ? 4 : 40, 21);
        for (const DrivePlanner planner :
             {DrivePlanner::weighted, DrivePlanner::anytime, DrivePlanner::lattice}) {
            Row row{std::string(planner_name(planner)) + (reverse ? ", reverse" : "")};
            for (const PosePair& pair : pairs) {
                const DriveQuery query{.start = pair.start, .goal = pair.goal, .planner = planner};
                row.units.time([&] { return DriveSearch(map, query, bench.scratch); }, bench.clock);
            }
            bench.tell(row);
        }
        const std::vector<Blocker> some = many_blockers(bench.world, 1000, 0.3);
        const std::vector<Blocker> most = many_blockers(bench.world, 65536, 0.05);
        for (const std::span<const Blocker> blockers : {std::span(some), std::span(most)}) {
            Row row{std::string("turning, ") + (blockers.size() == 1000 ? "1,000" : "65,536") + " blockers" +
                    (reverse ? ", reverse" : "")};
            for (const PosePair& pair : pairs) {
                const DriveQuery query{
                    .start = pair.start, .goal = pair.goal, .partial = true, .blockers = blockers};
                row.units.time([&] { return DriveSearch(map, query, bench.scratch); }, bench.clock);
            }
            bench.tell(row);
        }
    }
}

}  // namespace

void run_budget(const SuiteOptions& options, Report& report) {
    const std::vector<BenchWorld> worlds = tile_worlds(options);
    const BenchWorld& world = worlds.front();
    Bench bench{
        .world = world, .queries = spread(world.pairs.size(), options.quick ? 4 : 60), .report = report};
    const Agent sizes[] = {{.radius = 0.4}};
    const Grid grid = world.grid(sizes);
    measure_expansion(bench, grid);
    grid_rows(bench, grid);
    mesh_row(bench, grid);
    roadmap_row(bench);
    drive_rows(bench, grid, options.quick);
}

}  // namespace fairlead::bench
