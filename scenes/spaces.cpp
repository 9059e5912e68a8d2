#include "scenes/spaces.h"

#include <fairlead/base/rng.h>

namespace fairlead::scenes {
namespace {

VolumeEdit fill(Voxel low, Voxel high) { return VolumeEdit::fill({low, high}); }
VolumeEdit clear(Voxel low, Voxel high) { return VolumeEdit::clear({low, high}); }

/// A way of that radius from place to place.
void dig(Space& space, const std::vector<Vec3>& way, double radius) {
    for (std::size_t i = 1; i < way.size(); ++i) {
        const double steps = distance(way[i - 1], way[i]);
        for (int k = 0; k <= static_cast<int>(steps); ++k)
            space.edits.push_back(
                VolumeEdit::ball(way[i - 1] + (way[i] - way[i - 1]) * (k / steps), radius, false));
    }
}

/// A hollow box with walls so thick.
void add_shell(Space& space, Voxel low, Voxel high, std::int32_t wall) {
    space.edits.push_back(fill(low, high));
    space.edits.push_back(
        clear({low.x + wall, low.y + wall, low.z + wall}, {high.x - wall, high.y - wall, high.z - wall}));
}

/// The floor of the sea: a hill is a paraboloid.
struct Hill {
    double x, y, radius_x, radius_y, height;
};

std::int32_t floor_at(double x, double y) {
    constexpr Hill kHills[] = {{40, 30, 13, 60, 19},
                               {40, 4, 15, 14, -11},
                               {8, 40, 14, 18, 5},
                               {72, 6, 18, 12, 7},
                               {22, 10, 10, 12, 4}};
    double z = 2.0;
    for (const Hill& hill : kHills) {
        const double u = (x - hill.x) / hill.radius_x, v = (y - hill.y) / hill.radius_y;
        const double s = 1.0 - u * u - v * v;
        if (s > 0.0) z += hill.height * s * (hill.height < 0.0 ? 1.0 : s * (2.0 - s));
    }
    return z < 1.0 ? 1 : static_cast<std::int32_t>(z);
}

}  // namespace

Result<Volume> Space::make() const {
    Result<Volume> volume = Volume::make({.size = size});
    if (!volume) return volume.error();
    if (const Result<void> done = volume->apply(edits); !done) return done.error();
    return volume;
}

Space asteroid_field() {
    Space space{.size = {72, 56, 40}, .start = {2.5, 50.5, 20.5}, .goal = {69.5, 6.5, 18.5}};
    Rng rng(10);
    for (int i = 0; i < 100; ++i) {
        const double x = rng.between(8.0, 64.0);
        const double y = rng.between(2.0, 54.0);
        const double z = rng.between(2.0, 38.0);
        const double radius = rng.between(2.0, 6.5);
        space.edits.push_back(VolumeEdit::ball({x, y, z}, radius));
    }
    space.edits.push_back(VolumeEdit::ball(space.start, 3.0, false));
    space.edits.push_back(VolumeEdit::ball(space.goal, 3.0, false));
    space.shown = {{0, 0, 0}, {72, 56, 21}};
    return space;
}

Space tunnels() {
    Space space{.size = {64, 56, 32}, .start = {4.5, 46.5, 8.5}, .goal = {58.5, 8.5, 24.5}};
    space.edits.push_back(fill({0, 0, 0}, space.size));
    constexpr double kRadius = 2.6;
    dig(space, {space.start, {20, 48, 8}, {24, 36, 12}, {16, 26, 20}, {26, 16, 24}},
        kRadius);                                                                 // to the first hall
    dig(space, {{26, 16, 24}, {40, 12, 18}, {46, 22, 8}, {56, 30, 8}}, kRadius);  // to the second, below
    dig(space, {{56, 30, 8}, {58, 18, 14}, space.goal}, kRadius);
    dig(space, {{24, 36, 12}, {40, 44, 14}, {54, 48, 22}}, kRadius);  // a dead end towards the goal
    dig(space, {{40, 44, 14}, {48, 36, 24}, {52, 24, 26}, {50, 14, 26}}, kRadius);  // and one that comes near
    dig(space, {{16, 26, 20}, {6, 14, 24}, {10, 4, 16}}, kRadius);
    space.edits.push_back(VolumeEdit::ball({26, 16, 24}, 6.0, false));
    space.edits.push_back(VolumeEdit::ball({54, 30, 9}, 6.5, false));
    return space;
}

Space sealed_object() {
    Space space{.size = {64, 64, 40}, .start = {5.5, 58.5, 20.5}, .goal = {41.5, 24.5, 12.5}};
    add_shell(space, {20, 20, 6}, {48, 44, 34}, 2);
    space.edits.push_back(fill({22, 22, 18}, {46, 42, 20}));   // the floor between its rooms
    space.edits.push_back(clear({24, 22, 18}, {27, 25, 20}));  // and the hole in it
    space.edits.push_back(clear({46, 23, 26}, {48, 26, 29}));  // the entrance
    space.edits.push_back(fill({54, 12, 14}, {55, 40, 38}));   // a plate before it
    space.edits.push_back(
        fill({8, 20, 2}, {9, 52, 36}));  // plates and pylons, as the article's level was full of
    space.edits.push_back(fill({18, 52, 6}, {46, 53, 34}));
    space.edits.push_back(fill({30, 44, 18}, {33, 52, 21}));
    space.edits.push_back(fill({9, 30, 18}, {20, 33, 21}));
    space.shown = {{0, 0, 0}, {64, 25, 40}};
    return space;
}

Space plate(std::int32_t side) {
    const std::int32_t rim = side + 12, wide = side + 2 * rim;
    Space space{.size = {41, wide, wide}};
    space.edits.push_back(fill({20, rim, rim}, {21, rim + side, rim + side}));
    const double middle = 0.5 * wide;
    space.start = {15.5, middle, middle};
    space.goal = {25.5, middle, middle};
    return space;
}

Space sea() {
    Space space{.size = {96, 56, 36}, .start = {6.5, 18.5, 6.5}, .goal = {70.5, 26.5, 31.5}};
    for (std::int32_t y = 0; y < space.size.y; ++y) {
        for (std::int32_t x = 0; x < space.size.x; ++x)
            space.edits.push_back(fill({x, y, 0}, {x + 1, y + 1, floor_at(x + 0.5, y + 0.5)}));
    }
    // The station: two decks, the lower one open below through a pool, and a shaft between them.
    add_shell(space, {66, 16, 14}, {94, 46, 25}, 1);
    add_shell(space, {66, 16, 24}, {94, 46, 35}, 1);
    space.edits.push_back(clear({69, 24, 14}, {75, 30, 15}));  // the pool
    space.edits.push_back(clear({86, 24, 24}, {91, 30, 25}));  // the shaft
    space.edits.push_back(fill({79, 17, 15}, {81, 45, 21}));   // a wall to go over
    space.edits.push_back(fill({79, 17, 28}, {81, 45, 34}));   // and one to go under
    for (const Voxel at : {Voxel{67, 17, 0}, {67, 43, 0}, {91, 17, 0}, {91, 43, 0}})
        space.edits.push_back(fill(at, {at.x + 2, at.y + 2, 14}));
    space.shown = {{0, 0, 0}, {96, 27, 36}};
    return space;
}

Space three_pillars() {
    Space space{.size = {52, 40, 15}, .start = {2.5, 27.5, 7.5}, .goal = {49.5, 22.5, 7.5}};
    for (const Vec2 at : {Vec2{12, 27}, {26, 14}, {40, 25}}) {
        for (int z = 0; z <= 15; ++z)
            space.edits.push_back(VolumeEdit::ball({at.x, at.y, static_cast<double>(z)}, 7.2));
    }
    space.shown = {{0, 0, 0}, {52, 40, 7}};
    return space;
}

}  // namespace fairlead::scenes
