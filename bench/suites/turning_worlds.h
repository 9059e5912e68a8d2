// Worlds of the suite `turning`: tile maps with pairs of poses, for a disc.
#pragma once

#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "suites/worlds.h"

namespace fairlead::bench {

struct PosePair {
    Pose start{};
    Pose goal{};
};

/// The start is drawn before its goal.
template <class Draw>
[[nodiscard]] std::vector<PosePair> draw_pairs(std::size_t count, const Draw& draw) {
    std::vector<PosePair> pairs;
    for (std::size_t i = 0; i < count; ++i) {
        const Pose start = draw();
        pairs.push_back({start, draw()});
    }
    return pairs;
}

struct PoseWorld {
    BenchWorld tiles;
    std::vector<PosePair> pairs;
};

/// The unit of data/poses: turning radius 3, disc 0.4.
[[nodiscard]] Agent turning_unit(bool can_reverse);

/// Does the disc at a point touch no wall, by more than 1e-9 of a cell? Exact for discs; written apart from the library's.
[[nodiscard]] bool disc_is_free(const BenchWorld& world, double radius, Vec2 at);

/// Up to `count` pairs in the middle of free cells, 8 headings, in which the disc touches no wall.
[[nodiscard]] std::vector<PosePair> random_poses(const BenchWorld& world, double radius, std::size_t count,
                                                 std::uint64_t seed);

/// The three maps of data/poses with their queries, and a town of our own with random ones.
[[nodiscard]] std::vector<PoseWorld> pose_worlds(const SuiteOptions& options);

}  // namespace fairlead::bench
