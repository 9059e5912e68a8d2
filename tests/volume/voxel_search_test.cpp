// The planners that go from voxel to voxel, against an exact search over the plain array and against the published lengths.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/voxel_map.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

#include "oracle/volume_graph.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;
using oracle::VolumeSteps;

constexpr VolumePlanner kPlanners[] = {VolumePlanner::astar, VolumePlanner::dijkstra,
                                       VolumePlanner::greedy_best_first};

TEST(VoxelSearch, ShortestByItsNeighbours) {
    Rng rng(31);
    Scratch scratch, other;
    int found = 0, cut_off = 0;
    for (int i = 0; i < trials(250); ++i) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(9)),
                                                {rng.between(2, 20), rng.between(2, 20), rng.between(1, 14)});
        const Volume made = make_volume(world);
        for (std::uint8_t n = 0; n < 3; ++n) {
            const oracle::VolumeGraph graph(world, static_cast<VolumeSteps>(n));
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            const auto best = graph.shortest(from, to);
            for (const VolumePlanner planner : kPlanners) {
                VolumeQuery query{.start = world.centre(from),
                                  .goal = world.centre(to),
                                  .planner = planner,
                                  .smooth = false};
                query.neighbours = static_cast<VoxelNeighbours>(n);
                query.heuristic = static_cast<VolumeHeuristic>(rng.below(3));
                query.partial = rng.below(4) == 0;
                const Result<Route> route = find_route(made, query, scratch);
                ASSERT_TRUE(route);
                const PathStatus none = query.partial ? PathStatus::partial : PathStatus::unreachable;
                ASSERT_EQ(route->status, best ? PathStatus::complete : none);
                const Violation bad = verify(*route, made, query.agent);
                ASSERT_FALSE(bad) << bad.text().c_str();
                VolumeSearch slices(made, query, other);
                while (slices.running()) slices.step(1 + rng.below(50));
                Route sliced;
                ASSERT_TRUE(slices.take(sliced));
                ASSERT_EQ(route_difference(sliced, *route), "");
                if (!best) {
                    ++cut_off;
                    continue;
                }
                ++found;
                const double least = static_cast<double>(best->cost.value());
                ASSERT_GE(route->cost, least - 1e-7);
                ASSERT_NEAR(route->cost, route->line_cost, 1e-7);
                if (route->bound == 1.0) {
                    ASSERT_NEAR(route->cost, least, 1e-7)
                        << planner_name(planner) << ", neighbours " << int{n};
                }
                const bool promises = planner == VolumePlanner::dijkstra ||
                                      (planner == VolumePlanner::astar &&
                                       (n == 0 || query.heuristic != VolumeHeuristic::manhattan));
                ASSERT_EQ(route->bound == 1.0, promises && query.start.position != query.goal.at.position);
                query.smooth = true;
                const Result<Route> taut = find_route(made, query, scratch);
                ASSERT_TRUE(taut);
                ASSERT_EQ(taut->cost, route->cost);
                ASSERT_LE(taut->line_cost, route->line_cost + 1e-9);
                const Violation worse = verify(*taut, made, query.agent);
                ASSERT_FALSE(worse) << worse.text().c_str();
            }
        }
    }
    if (all_trials()) {
        EXPECT_GT(found, 1000);
        EXPECT_GT(cut_off, 100);
    }
}

// Every 500th line of the two small maps; all lines are a campaign's.
TEST(VoxelSearch, PublishedLengths) {
    Scratch scratch;
    Route route;
    for (const char* name : {"Simple", "Complex"}) {
        FAIRLEAD_REQUIRE_DATA(map_path, std::string("voxels/") + name + ".3dmap.gz");
        FAIRLEAD_REQUIRE_DATA(scenario_path, std::string("voxels/") + name + ".3dmap.3dscen.gz");
        const Result<std::string> map_text = formats::load_file(map_path),
                                  scenario_text = formats::load_file(scenario_path);
        ASSERT_TRUE(map_text && scenario_text);
        const Result<formats::VoxelMap> voxels = formats::load_voxel_map(*map_text);
        const Result<formats::VoxelScenario> scenario = formats::load_voxel_scenario(*scenario_text);
        ASSERT_TRUE(voxels && scenario);
        const Result<Volume> made = Volume::make(voxels->volume_options());
        ASSERT_TRUE(made);
        for (std::size_t i = 0; i < scenario->queries.size(); i += 500) {
            const formats::VoxelQuery& line = scenario->queries[i];
            const VolumeQuery query{.start = made->state().centre(line.start),
                                    .goal = made->state().centre(line.goal),
                                    .planner = VolumePlanner::astar,
                                    .smooth = false};
            ASSERT_TRUE(find_route_into(*made, query, scratch, route));
            ASSERT_EQ(route.status, PathStatus::complete);
            ASSERT_NEAR(route.cost, line.optimal, formats::printed_tolerance(line)) << name << ", line " << i;
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
