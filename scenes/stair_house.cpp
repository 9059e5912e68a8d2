#include "scenes/level.h"

namespace fairlead::scenes {

namespace {

constexpr double kSlab = 0.2;  // thickness of a floor
constexpr double kWallHeight = 2.6;
constexpr double kWall = 0.3;  // thickness
constexpr double kRise = 0.2;  // of a step
constexpr double kRun = 0.3;
constexpr int kSteps = 16;  // 3.2 m

struct Opening {
    double x0, y0, x1, y1;
};

/// A floor whose upper side is at z, with a rectangular hole.
void slab(Level& level, double z, const Opening& hole) {
    const double w = kStairHouseWidth, d = kStairHouseDepth;
    level.box({0, 0, z - kSlab}, {w, hole.y0, z});
    level.box({0, hole.y1, z - kSlab}, {w, d, z});
    level.box({0, hole.y0, z - kSlab}, {hole.x0, hole.y1, z});
    level.box({hole.x1, hole.y0, z - kSlab}, {w, hole.y1, z});
}

/// Across the house at x with a door from y0 to y1.
void wall_across(Level& level, double z, double x, double y0, double y1) {
    level.box({x, 0, z}, {x + kWall, y0, z + kWallHeight});
    level.box({x, y1, z}, {x + kWall, kStairHouseDepth, z + kWallHeight});
}

/// From x0 to x1 at y with a door.
void wall_along(Level& level, double z, double y, Opening door) {
    level.box({door.x0, y, z}, {door.y0, y + kWall, z + kWallHeight});
    level.box({door.y1, y, z}, {door.x1, y + kWall, z + kWallHeight});
}

/// Steps from x on, each a box down to the floor at z.
void flight(Level& level, double z, double x, double run, double y0, double y1) {
    for (int i = 0; i < kSteps; ++i) {
        const double a = x + run * i, b = x + run * (i + 1);
        level.box({a < b ? a : b, y0, z}, {a < b ? b : a, y1, z + kRise * (i + 1)});
    }
}

}  // namespace

Level stair_house(bool upper_flight) {
    Level house;
    house.box({0, 0, -kSlab}, {kStairHouseWidth, kStairHouseDepth, 0});
    slab(house, kStorey, {12.0, 9.7, 16.8, 11.5});
    slab(house, 2 * kStorey, {3.2, 0.5, 8.0, 2.3});
    flight(house, 0, 12.0, kRun, 9.7, 11.5);
    if (upper_flight) flight(house, kStorey, 8.0, -kRun, 0.5, 2.3);
    wall_across(house, 0, 9.85, 4.4, 6.0);
    wall_along(house, 0, 8.0, {10.15, 11.2, 20.0, 12.8});
    wall_along(house, kStorey, 6.0, {0.0, 9.0, 20.0, 10.6});
    wall_across(house, 2 * kStorey, 10.0, 8.4, 10.0);
    house.box({4, 7, 0}, {5.5, 8.5, 1.1});  // furniture
    house.box({13.5, 2.5, 0}, {16, 4.5, 0.9});
    house.box({14, 8, 2 * kStorey}, {15.2, 9.2, 2 * kStorey + 1.0});
    house.box({3, 8, kStorey}, {6, 9.5, kStorey + 0.9});
    return house;
}

}  // namespace fairlead::scenes
