// Knots: vehicles that meet in lanes, crossings and yards, judged by plain geometry at every tick; who is parked, edits, new goals,
// walkers, threads.
#include <algorithm>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/knot_worlds.h"

namespace fairlead::testing {
namespace {

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
        four_in_a_crossing(scene, unit);
    }
}

void play_fleet_yard(double side, std::uint64_t seed, const FleetUnit& unit) {
    FleetScene scene(fleet_yard(side));
    twelve_in_a_yard(scene, side, seed, unit);
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

// A goal beside one that never moves is no place to stand: knots begin and end in vain, and that is told.
TEST(Knots, WhoComesNoNearerFromKnotToKnotIsStuck) {
    FleetScene scene(lane());
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    scene.add(kind, unit, place_of({42.5, 6.5}));
    const FleetId comes = scene.add(kind, unit, place_of({20.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(comes, Vec2{42.0, 6.5}));
    for (int i = 0; i < 30 * 60; ++i) scene.tick();
    int other = 0;
    for (int i = 0; i < 30 * 30; ++i) {
        scene.tick();
        other += scene.state(comes) == FleetState::stuck || scene.state(comes) == FleetState::invalid ? 0 : 1;
    }
    EXPECT_EQ(other, 0);
    scene.expect_legal();
    // To a place that is free it goes, and is not stuck any more.
    ASSERT_TRUE(scene.fleet->send(comes, Vec2{8.5, 6.5}));
    scene.tick();
    EXPECT_NE(scene.state(comes), FleetState::stuck);
    for (int i = 0; i < 30 * 60; ++i) scene.tick();
    EXPECT_EQ(scene.state(comes), FleetState::arrived);
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
