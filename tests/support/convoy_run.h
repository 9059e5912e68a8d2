// A yard of vehicles that exchange their places, played to its end and judged apart from the planner: exact bodies against the blocks and
// each other at every tick, limits of speed, acceleration and turning, arrivals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/convoy/convoy.h>
#include <fairlead/math/aabb.h>

namespace fairlead::testing {

struct YardTrial {
    double side = 44.0;  ///< of the yard
    std::uint64_t seed = 0;
    bool boxes = false;  ///< 3 x 1.6 instead of discs of radius 1
    bool can_reverse = true;
    int turns = 0;                     ///< the whole yard by so many quarters of a circle
    std::uint64_t slice = UINT64_MAX;  ///< units of work a tick
    double dt = 1.0 / 30.0;
    double seconds_max = 0.0;  ///< 0: 3.15 x the longest time alone
};

struct YardVerdict {
    int units = 0;
    int missing = 0;
    double worst =
        0.0;  ///< seconds / seconds of a route found without others, within the same limits of speed
    double mean = 0.0;
    double nearest = 1e300;   ///< two centres
    double overlap = -1e300;  ///< of two bodies or a body and a wall: the deepest, below 0 they are apart
    double speed = 0.0;
    double accel = 0.0;
    double curvature = 0.0;
    double jump = 0.0;  ///< a step longer than the speed allows, by how much
    double seconds = 0.0;
    double off_goal = 0.0;  ///< of those that came, the farthest from its goal pose
    std::uint64_t digest = 0;
    ConvoyReport report{};
};

[[nodiscard]] YardVerdict play_yard(const YardTrial& trial);

/// How deep two rectangles (or discs) with round ends reach into each other; below 0: they are apart.
struct JudgedBody {
    Vec2 at{};
    Vec2 ahead{1.0, 0.0};
    double half_length = 0.0;
    double half_width = 0.0;
    double radius = 0.0;  ///< a disc, if half_length and half_width are 0
};
[[nodiscard]] double overlap_of(const JudgedBody& a, const JudgedBody& b);

}  // namespace fairlead::testing
