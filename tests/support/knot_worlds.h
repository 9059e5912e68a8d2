// Worlds in which vehicles meet, and what is asked of fleets there: on tiles (FleetScene) and on level meshes (MeshScene).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>

#include "support/fleet_scene.h"

namespace fairlead::testing {

/// A lane 3 wide with a bay of 12 x 3 in its middle.
inline Grid lane() {
    Grid grid = *Grid::make({.width = 60, .height = 12});
    EXPECT_TRUE(grid.fill({{10, 0}, {50, 5}}, 0));
    EXPECT_TRUE(grid.fill({{10, 8}, {24, 12}}, 0));
    EXPECT_TRUE(grid.fill({{36, 8}, {50, 12}}, 0));
    EXPECT_TRUE(grid.fill({{24, 11}, {36, 12}}, 0));
    return grid;
}

/// Streets 6 wide.
inline Grid crossing() {
    Grid grid = *Grid::make({.width = 60, .height = 60});
    for (const std::int32_t x : {0, 33}) {
        for (const std::int32_t y : {0, 33}) EXPECT_TRUE(grid.fill({{x, y}, {x + 27, y + 27}}, 0));
    }
    return grid;
}

/// The yard of the convoys (support/convoy_run.h).
inline Grid fleet_yard(double side) {
    const double half = 0.5 * side;
    const auto cells = static_cast<std::int32_t>(side + 0.5);
    Grid grid = *Grid::make({.width = cells, .height = cells, .origin = {-half, -half}});
    for (const double x : {-5.5, 5.5}) {
        const auto low = static_cast<std::int32_t>(std::floor(x - 1.5 + half + 0.5));
        const auto row = static_cast<std::int32_t>(std::floor(half - 2.0 + 0.5));
        EXPECT_TRUE(grid.fill({{low, row}, {low + 3, row + 4}}, 0));
    }
    return grid;
}

struct Pair {
    FleetId east{}, west{};
};

template <class Scene>
Pair meet_in_the_lane(Scene& scene, const FleetUnit& unit) {
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const Pair pair{scene.add(kind, unit, place_of({4.5, 6.5})),
                    scene.add(kind, unit, place_of({55.5, 6.5}, kPi))};
    EXPECT_TRUE(scene.fleet->send(pair.east, Vec2{55.5, 6.5}));
    EXPECT_TRUE(scene.fleet->send(pair.west, Vec2{4.5, 6.5}));
    return pair;
}

/// Plays until both are in a knot and one moves.
template <class Scene>
void play_into_knot(Scene& scene, const Pair& pair) {
    for (int i = 0; i < 30 * 60; ++i) {
        scene.tick();
        const FleetView east = scene.fleet->unit(pair.east);
        if (east.in_knot && scene.fleet->unit(pair.west).in_knot && east.speed > 0.5) return;
    }
    FAIL() << "no knot";
}

template <class Scene>
void four_in_a_crossing(Scene& scene, const FleetUnit& unit) {
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const Vec2 ends[] = {{4.5, 30.5}, {55.5, 30.5}, {30.5, 4.5}, {30.5, 55.5}};
    const double headings[] = {0.0, kPi, kHalfPi, -kHalfPi};
    for (std::size_t i = 0; i < 4; ++i) {
        const FleetId id = scene.add(kind, unit, place_of(ends[i], headings[i]));
        EXPECT_TRUE(scene.fleet->send(id, ends[i ^ 1]));
    }
    scene.play(120.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().begun, 1U);
}

/// Twelve change places in a yard.
template <class Scene>
void twelve_in_a_yard(Scene& scene, double side, std::uint64_t seed, const FleetUnit& unit) {
    const double half = 0.5 * side;
    const FleetKind kind = *scene.fleet->add_kind(unit);
    std::vector<Place> places;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (const double along : {-0.45, 0.0, 0.45}) {
            Vec2 at{half - 4.0, along * half};
            Vec2 in{-1.0, 0.0};
            for (int i = 0; i < quarter; ++i) {
                at = {-at.y, at.x};
                in = {-in.y, in.x};
            }
            places.push_back(place_of(at, std::atan2(in.y, in.x)));
        }
    }
    std::vector<std::size_t> to(places.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = i;
    Rng dice(seed);
    for (std::size_t i = to.size() - 1; i > 0; --i) {
        const std::uint32_t j = dice.below(static_cast<std::uint32_t>(i + 1));
        std::swap(to[i], to[j]);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const FleetId id = scene.add(kind, unit, places[i]);
        EXPECT_TRUE(scene.fleet->send(id, Spot(places[to[i]])));
    }
    scene.play(180.0);
    scene.expect_all_came();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place at = scene.fleet->unit(scene.ones[i].id).place;
        EXPECT_LE(length(at.position - places[to[i]].position), 1e-6) << "side " << side << " seed " << seed;
    }
}

}  // namespace fairlead::testing
