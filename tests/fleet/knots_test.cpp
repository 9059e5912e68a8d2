// Knots: vehicles that meet in lanes, crossings and yards, judged by plain geometry at every tick; who is parked, edits, new goals,
// walkers, threads.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/mesh_fleet.h>

#include "support/environment.h"
#include "support/fleet_scene.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

/// A lane 3 wide with a bay of 12 x 3 in its middle.
Grid lane() {
    Grid grid = *Grid::make({.width = 60, .height = 12});
    EXPECT_TRUE(grid.fill({{10, 0}, {50, 5}}, 0));
    EXPECT_TRUE(grid.fill({{10, 8}, {24, 12}}, 0));
    EXPECT_TRUE(grid.fill({{36, 8}, {50, 12}}, 0));
    EXPECT_TRUE(grid.fill({{24, 11}, {36, 12}}, 0));
    return grid;
}

/// Streets 6 wide.
Grid crossing() {
    Grid grid = *Grid::make({.width = 60, .height = 60});
    for (const std::int32_t x : {0, 33}) {
        for (const std::int32_t y : {0, 33}) EXPECT_TRUE(grid.fill({{x, y}, {x + 27, y + 27}}, 0));
    }
    return grid;
}

struct Pair {
    FleetId east{}, west{};
};

Pair meet_in_the_lane(FleetScene& scene, const FleetUnit& unit) {
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const Pair pair{scene.add(kind, unit, place_of({4.5, 6.5})),
                    scene.add(kind, unit, place_of({55.5, 6.5}, kPi))};
    EXPECT_TRUE(scene.fleet->send(pair.east, Vec2{55.5, 6.5}));
    EXPECT_TRUE(scene.fleet->send(pair.west, Vec2{4.5, 6.5}));
    return pair;
}

TEST(Knots, HeadOnInALaneTheyUseTheBay) {
    FleetScene scene(lane());
    meet_in_the_lane(scene, truck(0.9));
    scene.play(90.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().untied, 1U);
    EXPECT_GT(scene.fleet->knots().units, 0U);
}

TEST(Knots, WithoutThemTheyWait) {
    FleetOptions options;
    options.knots = false;
    FleetScene scene(lane(), options);
    meet_in_the_lane(scene, truck(0.9));
    scene.play(60.0);
    EXPECT_EQ(scene.arrived(), 0U);
    EXPECT_EQ(scene.fleet->knots().begun, 0U);
    scene.expect_legal();
}

TEST(Knots, FourInACrossing) {
    for (const FleetUnit& unit : {truck(), lorry()}) {
        FleetScene scene(crossing());
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
}

/// The yard of the convoys (support/convoy_run.h), its vehicles on routes.
void play_fleet_yard(double side, std::uint64_t seed, const FleetUnit& unit) {
    const double half = 0.5 * side;
    const auto cells = static_cast<std::int32_t>(side + 0.5);
    Grid grid = *Grid::make({.width = cells, .height = cells, .origin = {-half, -half}});
    for (const double x : {-5.5, 5.5}) {
        const auto low = static_cast<std::int32_t>(std::floor(x - 1.5 + half + 0.5));
        const auto row = static_cast<std::int32_t>(std::floor(half - 2.0 + 0.5));
        EXPECT_TRUE(grid.fill({{low, row}, {low + 3, row + 4}}, 0));
    }
    FleetScene scene(std::move(grid));
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

TEST(Knots, YardsOfTwelve) {
    for (int seed = 0; seed < trials(10) / 5 + 1; ++seed) {
        play_fleet_yard(seed % 2 == 0 ? 44.0 : 32.0, static_cast<std::uint64_t>(seed), truck());
    }
    play_fleet_yard(44.0, 3, lorry());
}

// One has arrived in the lane: it moves aside, and is at its goal again.
TEST(Knots, WhoHasArrivedMakesRoom) {
    FleetScene scene(lane());
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const FleetId parked = scene.add(kind, unit, place_of({16.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(parked, Vec2{22.5, 6.5}));
    for (int i = 0; i < 240; ++i) scene.tick();
    ASSERT_EQ(scene.state(parked), FleetState::arrived);
    const Place home = scene.fleet->unit(parked).place;
    const FleetId comes = scene.add(kind, unit, place_of({4.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(comes, Vec2{55.5, 6.5}));
    double farthest = 0.0;
    for (int i = 0; i < 30 * 90; ++i) {
        scene.tick();
        farthest = std::max(farthest, length(scene.fleet->unit(parked).place.position - home.position));
    }
    scene.expect_all_came();
    EXPECT_GT(farthest, 1.0);
    EXPECT_LE(length(scene.fleet->unit(parked).place.position - home.position), 1e-6);
}

// Who was never sent stands.
TEST(Knots, WhoWasNeverSentStands) {
    FleetScene scene(lane());
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const FleetId idle = scene.add(kind, unit, place_of({42.5, 6.5}));
    const FleetId comes = scene.add(kind, unit, place_of({4.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(comes, Vec2{55.5, 6.5}));
    for (int i = 0; i < 30 * 60; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->unit(idle).place.position, (Vec3{42.5, 6.5, 0.0}));
    EXPECT_NE(scene.state(comes), FleetState::arrived);
    EXPECT_LT(scene.fleet->unit(comes).place.position.x, 42.5 - 1.8);
    scene.expect_legal();
}

/// Plays until both are in a knot and one moves.
void play_into_knot(FleetScene& scene, const Pair& pair) {
    for (int i = 0; i < 30 * 60; ++i) {
        scene.tick();
        const FleetView east = scene.fleet->unit(pair.east);
        if (east.in_knot && scene.fleet->unit(pair.west).in_knot && east.speed > 0.5) return;
    }
    FAIL() << "no knot";
}

TEST(Knots, EditsAndNewGoalsBreakThem) {
    FleetScene scene(lane());
    const Pair pair = meet_in_the_lane(scene, truck(0.9));
    play_into_knot(scene, pair);
    ASSERT_TRUE(scene.grid.fill({{58, 0}, {59, 1}}, 0));
    ASSERT_TRUE(scene.fleet->world_changed());
    for (int i = 0; i < 150; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->knots().broken, 1U);
    scene.play(120.0);
    scene.expect_all_came();
    FleetScene other(lane());
    const Pair two = meet_in_the_lane(other, truck(0.9));
    play_into_knot(other, two);
    ASSERT_TRUE(other.fleet->send(two.east, Vec2{4.5, 4.5}));
    other.play(120.0);
    EXPECT_GE(other.fleet->knots().broken, 1U);
    other.expect_all_came();
    EXPECT_LE(length(other.fleet->unit(two.east).place.position - Vec3{4.5, 4.5, 0.0}), 1e-6);
}

TEST(Knots, StoppedAndRemoved) {
    FleetScene scene(lane());
    const Pair pair = meet_in_the_lane(scene, truck(0.9));
    play_into_knot(scene, pair);
    ASSERT_TRUE(scene.fleet->stop(pair.east));
    for (int i = 0; i < 150; ++i) scene.tick();
    EXPECT_EQ(scene.state(pair.east), FleetState::idle);
    EXPECT_EQ(scene.fleet->unit(pair.east).speed, 0.0);
    EXPECT_FALSE(scene.fleet->unit(pair.east).in_knot);
    FleetScene other(lane());
    const Pair two = meet_in_the_lane(other, truck(0.9));
    play_into_knot(other, two);
    ASSERT_TRUE(other.fleet->remove(two.east));
    for (int i = 0; i < 30 * 60; ++i) other.tick();
    EXPECT_EQ(other.state(two.west), FleetState::arrived);
    other.expect_legal();
}

// People go up and down both streets while two trucks pass each other.
TEST(Knots, WalkersAroundThem) {
    FleetScene scene(crossing());
    const FleetUnit unit = truck();
    const FleetKind trucks = *scene.fleet->add_kind(unit);
    const FleetKind people = *scene.fleet->add_kind(person());
    const FleetId a = scene.add(trucks, unit, place_of({4.5, 30.5}));
    const FleetId b = scene.add(trucks, unit, place_of({55.5, 30.5}, kPi));
    ASSERT_TRUE(scene.fleet->send(a, Vec2{55.5, 30.5}));
    ASSERT_TRUE(scene.fleet->send(b, Vec2{4.5, 30.5}));
    for (int i = 0; i < 12; ++i) {
        const bool up = i % 2 == 0;
        const double along = 14.5 + 2.0 * i;
        const Vec2 from = up ? Vec2{28.5 + 0.9 * (i % 5), along} : Vec2{along, 28.5 + 0.9 * (i % 5)};
        const FleetId id = scene.add(people, person(), place_of(from), false);
        const double to = along < 27.0 ? 46.5 : 12.5;
        ASSERT_TRUE(scene.fleet->send(id, up ? Vec2{from.x, to} : Vec2{to, from.y}));
    }
    scene.play(120.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().begun, 1U);
}

TEST(Knots, ThreadsChangeNothing) {
    std::uint64_t digests[2] = {};
    for (const std::uint32_t threads : {1U, 3U}) {
        FleetOptions options;
        options.schedule.threads = threads;
        FleetScene scene(lane(), options);
        meet_in_the_lane(scene, truck(0.9));
        scene.play(60.0);
        EXPECT_GE(scene.fleet->knots().begun, 1U);
        digests[threads == 1U ? 0 : 1] = scene.fleet->digest();
    }
    EXPECT_EQ(digests[0], digests[1]);
}

TEST(Knots, LittleWorkAFrameIsEnough) {
    FleetScene scene(lane());
    scene.units = 400;
    meet_in_the_lane(scene, truck(0.9));
    scene.play(120.0);
    scene.expect_all_came();
    EXPECT_LE(scene.fleet->report().units, 400U + 50U);
}

TEST(Knots, NoMemoryOnceTheyAreOver) {
    FleetScene scene(lane());
    meet_in_the_lane(scene, truck(0.9));
    scene.play(90.0);
    ASSERT_EQ(scene.arrived(), 2U);
    for (int i = 0; i < 30; ++i) scene.tick();
    const std::uint64_t before = heap_calls();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(scene.fleet->update(kFleetTick, {.units = 1000}).has_value());
    EXPECT_EQ(heap_calls(), before);
}

}  // namespace
}  // namespace fairlead::testing
