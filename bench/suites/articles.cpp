// What the articles say without a figure, measured: what the sampled Walkable misses (P2), what smoothing gives by width and what it does
// wrong without one (P13), what rounding poses to compass headings costs (D16).

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/tile_sight.h>
#include <fairlead/classic/walkable.h>
#include <fairlead/drive/headings.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/route/shape.h>

#include "suites/article_suites.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

BenchWorld scattered_world(std::int32_t side, std::uint32_t percent, std::uint64_t seed) {
    BenchWorld world{.name = "own " + std::to_string(percent) + " % walls",
                     .width = side,
                     .height = side,
                     .tiles = {},
                     .pairs = {}};
    Rng rng(seed);
    for (std::int32_t i = 0; i < side * side; ++i) world.tiles.push_back(rng.below(100) < percent ? 0 : 1);
    return world;
}

std::vector<BenchWorld> article_worlds(const SuiteOptions& options) {
    const std::int32_t side = options.quick ? 63 : 255;
    std::vector<BenchWorld> worlds;
    worlds.push_back(town_world(side, 5));
    worlds.back().name = "own town";
    worlds.push_back(scattered_world(side, 3, 6));
    worlds.push_back(scattered_world(side, 10, 7));
    worlds.push_back(scattered_world(side, 20, 8));
    for (BenchWorld& world : worlds) add_pairs(world, options.quick ? 20 : 300, 9);
    return worlds;
}

std::string radius_name(double radius) {
    const auto tenths = static_cast<int>(radius * 100.0 + 0.5);
    return "radius " + std::to_string(tenths / 100) + "." + (tenths % 100 < 10 ? "0" : "") +
           std::to_string(tenths % 100);
}

// P2: of the moves that the exact sweep refuses, how many the samples call free.
void count_misses(const BenchWorld& world, const SuiteOptions& options, Report& report) {
    const Grid grid = world.grid();
    const std::uint64_t moves = options.quick ? 500 : 20000;
    for (const double radius : {0.2, 0.4, 0.49, 0.9}) {
        for (const WalkableProbe probe : {WalkableProbe::diamond, WalkableProbe::square}) {
            const WalkableCount count = count_walkable(grid, {.radius = radius, .probe = probe}, moves);
            if (count.blocked == 0) continue;
            const char* name = probe == WalkableProbe::diamond ? "blocked moves called free, diamond"
                                                               : "blocked moves called free, square";
            report.add(world.name, radius_name(radius), name,
                       100.0 * static_cast<double>(count.false_free) / static_cast<double>(count.blocked),
                       "%");
        }
    }
}

// P13: the points where legs begin, smoothed greedily by a line of sight without width.
struct SightSmoothed {
    std::uint64_t legs = 0;
    std::uint64_t illegal = 0;
};

void smooth_by_sight(const Route& route, const TileSight& sight, double radius, SightSmoothed& out) {
    std::vector<Vec2> points;
    for (const Leg& leg : route.legs) points.push_back(ground(leg.start.position));
    points.push_back(ground(route.end.position));
    std::size_t anchor = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (i + 1 < points.size() && sight.clear(points[anchor], points[i + 1], 0.0)) continue;
        ++out.legs;
        if (!sight.clear(points[anchor], points[i], radius)) ++out.illegal;
        anchor = i;
    }
}

void smooth_by_radius(const BenchWorld& world, Report& report) {
    for (const double radius : {0.0, 0.2, 0.4, 0.49, 0.9, 1.4}) {
        const Agent sizes[] = {{.radius = radius}};
        const Grid grid = world.grid(sizes);
        const TileSight sight(grid);
        Scratch scratch;
        Route tiles, greedy, best;
        double lengths[3] = {};
        double turns[3] = {};
        SightSmoothed thin;
        for (const Pair& pair : world.pairs) {
            GridQuery query{
                .start = pair.start, .goal = pair.goal, .agent = sizes[0], .smoothing = Smoothing::none};
            if (!find_route_into(grid, query, scratch, tiles) || tiles.status != PathStatus::complete)
                continue;
            if (std::string(tiles.planner) == "half_lattice") continue;  // its points are no tiles' middles
            query.smoothing = Smoothing::greedy_shortcut;
            (void)find_route_into(grid, query, scratch, greedy);
            query.smoothing = Smoothing::best;
            (void)find_route_into(grid, query, scratch, best);
            const Route* all[] = {&tiles, &greedy, &best};
            for (int k = 0; k < 3; ++k) {
                lengths[k] += all[k]->length;
                turns[k] += static_cast<double>(route_shape(*all[k]).turns);
            }
            smooth_by_sight(tiles, sight, radius, thin);
        }
        if (lengths[0] == 0.0 || thin.legs == 0) continue;
        const std::string name = radius_name(radius);
        report.add(world.name, name, "shorter by greedy smoothing", 100.0 * (1.0 - lengths[1] / lengths[0]),
                   "%");
        report.add(world.name, name, "shorter by the best smoothing", 100.0 * (1.0 - lengths[2] / lengths[0]),
                   "%");
        report.add(world.name, name, "turns left by greedy smoothing", 100.0 * turns[1] / turns[0], "%");
        report.add(world.name, name, "legs of a sight without width that hit walls",
                   100.0 * static_cast<double>(thin.illegal) / static_cast<double>(thin.legs), "%");
    }
}

// D16: the same random exact poses, exact and rounded to the nearest of 8, 16, 32 headings.
struct ExactPair {
    Pose start{};
    Pose goal{};
};

std::vector<ExactPair> exact_poses(const BenchWorld& world, const GridState& grid, const Agent& agent) {
    Rng rng(16);
    std::vector<ExactPair> poses;
    for (const Pair& pair : world.pairs) {
        if (!grid.can_stand(pair.start, agent) || !grid.can_stand(pair.goal, agent)) continue;
        ExactPair pose;
        pose.start = {grid.cell_centre(pair.start), rng.between(-kPi, kPi)};
        pose.goal = {grid.cell_centre(pair.goal), rng.between(-kPi, kPi)};
        poses.push_back(pose);
    }
    return poses;
}

void round_headings(const BenchWorld& world, Report& report) {
    const Grid grid = world.grid();
    const Agent agent{.radius = 0.4, .turning_radius = 2.0};
    Scratch scratch;
    Route exact, rounded;
    const std::vector<ExactPair> poses = exact_poses(world, grid, {.radius = 0.4});
    for (const std::int32_t headings : {8, 16, 32}) {
        const auto compass = [&](const Pose& pose) {
            return Pose{pose.position, heading_rad(headings, nearest_heading(headings, pose.heading_rad))};
        };
        double lengths[2] = {}, turned[2] = {};
        std::size_t lost = 0, asked = 0;
        for (const ExactPair& pair : poses) {
            DriveQuery query{.start = pair.start, .goal = pair.goal, .agent = agent};
            const GridDriveSetup setup{.headings = 16};
            if (!find_route_into(grid, query, scratch, exact, setup) || exact.status != PathStatus::complete)
                continue;
            query.start = compass(pair.start);
            query.goal = compass(pair.goal);
            if (!find_route_into(grid, query, scratch, rounded, setup)) continue;
            ++asked;
            if (rounded.status != PathStatus::complete) {
                ++lost;
                continue;
            }
            lengths[0] += exact.length;
            lengths[1] += rounded.length;
            turned[0] += route_shape(exact).turned_rad;
            turned[1] += route_shape(rounded).turned_rad;
        }
        if (lengths[0] == 0.0) continue;
        const std::string name = std::to_string(headings) + " headings";
        report.add(world.name, name, "ends rounded: length against exact ends", lengths[1] / lengths[0], "x");
        report.add(world.name, name, "ends rounded: turning against exact ends", turned[1] / turned[0], "x");
        report.add(world.name, name, "ends rounded: ways lost",
                   100.0 * static_cast<double>(lost) / static_cast<double>(asked), "%");
    }
}

}  // namespace

void run_articles(const SuiteOptions& options, Report& report) {
    for (const BenchWorld& world : article_worlds(options)) {
        count_misses(world, options, report);
        smooth_by_radius(world, report);
        round_headings(world, report);
        measure_ways(world, report);
    }
    measure_level_rules(options, report);
}

}  // namespace fairlead::bench
