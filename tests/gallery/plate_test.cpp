// The flat plate (technique V8): the table of docs/volumes.md is what the searches open.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fairlead/volume/find_route.h>

#include "gallery/figure.h"
#include "scenes/spaces.h"
#include "support/environment.h"

namespace fairlead::gallery {
namespace {

constexpr std::int32_t kSides[] = {5, 11, 21, 41};

std::uint64_t opened(std::int32_t side, VolumePlanner planner, VoxelNeighbours neighbours,
                     VolumeHeuristic heuristic) {
    const scenes::Space space = scenes::plate(side);
    const Result<Volume> volume = space.make();
    EXPECT_TRUE(volume.has_value());
    Scratch scratch;
    VolumeQuery query{.start = space.start, .goal = space.goal};
    query.planner = planner;
    query.neighbours = neighbours;
    query.heuristic = heuristic;
    const Result<Route> route = find_route(*volume, query, scratch);
    EXPECT_TRUE(route.has_value() && route->status == PathStatus::complete);
    return route.has_value() ? route->stats.expanded : 0;
}

TEST(Plate, TheTableIsWhatIsOpened) {
    std::ifstream file(testing::source_path("docs/volumes.md"));
    std::stringstream text;
    text << file.rdbuf();
    const char* const neighbours[] = {"6", "18", "26"};
    for (int n = 0; n < 3; ++n) {
        for (const bool manhattan : {true, false}) {
            for (const bool greedy : {false, true}) {
                if (greedy && n > 0) continue;
                std::string row = std::string{"| "} + (greedy ? "greedy, " : "A*, ") + neighbours[n] +
                                  (manhattan ? ", Manhattan |" : ", Euclid |");
                std::vector<double> counts;
                for (const std::int32_t side : kSides) {
                    const std::uint64_t count =
                        opened(side, greedy ? VolumePlanner::greedy_best_first : VolumePlanner::astar,
                               static_cast<VoxelNeighbours>(n),
                               manhattan ? VolumeHeuristic::manhattan : VolumeHeuristic::euclid);
                    counts.push_back(static_cast<double>(count));
                    row += " " + count_text(count) + " |";
                }
                char slope[16];
                std::snprintf(slope, sizeof slope, " %.1f |",
                              std::log2(counts[3] / counts[1]) / std::log2(41.0 / 11.0));
                row += slope;
                EXPECT_NE(text.str().find(row), std::string::npos) << row;
            }
        }
    }
}

// Nodes that grow with the open space lower it.
TEST(Plate, TheDefaultOpensFewerByFar) {
    for (const std::int32_t side : kSides) {
        const std::uint64_t few =
            opened(side, VolumePlanner::any_angle, VoxelNeighbours::six, VolumeHeuristic::automatic);
        const std::uint64_t many =
            opened(side, VolumePlanner::astar, VoxelNeighbours::six, VolumeHeuristic::manhattan);
        EXPECT_LT(side > 5 ? 10 * few : 4 * few, many) << side;
    }
}

}  // namespace
}  // namespace fairlead::gallery
