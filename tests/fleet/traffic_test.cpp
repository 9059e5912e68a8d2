// Vehicles on routes of their own: never into each other, whatever they are sent to.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/environment.h"
#include "support/fleet_scene.h"

namespace fairlead::testing {
namespace {

Grid field(std::int32_t side) { return *Grid::make({.width = side, .height = side}); }

// The last piece of its route is shorter than what lies between two places that are looked at.
TEST(Traffic, AGoalThatTouchesAnother) {
    for (const double apart : {1.99, 1.9, 1.7, 1.0}) {
        FleetScene scene(field(40));
        const FleetUnit unit = truck();
        const FleetKind kind = *scene.fleet->add_kind(unit);
        scene.add(kind, unit, place_of({20.5, 20.5}));
        const FleetId comes = scene.add(kind, unit, place_of({5.5, 20.5}));
        ASSERT_TRUE(scene.fleet->send(comes, Vec2{20.5 - apart, 20.5}));
        for (int i = 0; i < 30 * 12; ++i) scene.tick();
        scene.expect_legal();
        EXPECT_LT(scene.fleet->unit(comes).place.position.x, 18.5);
        EXPECT_GT(scene.fleet->unit(comes).place.position.x, 15.0);
    }
}

// Quick starts, no limit of braking, and long frames: who goes first must not reach what the other comes to in the same frame.
TEST(Traffic, LimitsOfAnyKindAndFramesOfAnyLength) {
    for (const double brake : {2.0, 30.0, kNoLimit}) {
        for (const double seconds : {1.0 / 60.0, 1.0}) {
            FleetScene scene(field(50));
            FleetUnit unit = truck(0.5, 2.0);
            unit.limits = {.speed_max = 12.0, .accel_max = kNoLimit, .brake_max = brake};
            const FleetKind kind = *scene.fleet->add_kind(unit);
            const Vec2 ends[] = {{4.5, 25.5}, {45.5, 24.5}, {25.5, 4.5}, {24.5, 45.5}};
            const double headings[] = {0.0, kPi, kHalfPi, -kHalfPi};
            for (std::size_t i = 0; i < 4; ++i) {
                const FleetId id = scene.add(kind, unit, place_of(ends[i], headings[i]));
                ASSERT_TRUE(scene.fleet->send(id, ends[i ^ 1]));
            }
            for (double t = 0.0; t < 10.0; t += seconds) scene.tick(seconds);
            EXPECT_LE(scene.overlap, 1e-6) << brake << " " << seconds;
        }
    }
}

// Sent elsewhere in motion, where it cannot go: it says so, and does not arrive where it went before.
TEST(Traffic, ANewGoalInMotionThatIsNone) {
    struct Case {
        Vec2 goal;
        FleetState state;
        PathStatus why;
    };
    for (const Case& one : {Case{{30.5, 30.5}, FleetState::invalid, PathStatus::goal_blocked},
                            Case{{400.0, 3.0}, FleetState::invalid, PathStatus::off_world},
                            Case{{33.5, 33.5}, FleetState::unreachable, PathStatus::unreachable}}) {
        FleetScene scene(field(40));
        ASSERT_TRUE(scene.grid.fill({{30, 30}, {37, 37}}, 0));
        ASSERT_TRUE(scene.grid.fill({{32, 32}, {35, 35}}, 1));
        ASSERT_TRUE(scene.fleet->world_changed());
        const FleetUnit unit = truck(0.9, 2.0);
        const FleetKind kind = *scene.fleet->add_kind(unit);
        const FleetId id = scene.add(kind, unit, place_of({4.5, 20.5}));
        ASSERT_TRUE(scene.fleet->send(id, Vec2{24.5, 20.5}));
        for (int i = 0; i < 60; ++i) scene.tick();
        ASSERT_GT(scene.fleet->unit(id).speed, 1.0);
        ASSERT_TRUE(scene.fleet->send(id, one.goal));
        for (int i = 0; i < 30 * 20; ++i) {
            scene.tick();
            ASSERT_NE(scene.state(id), FleetState::arrived);
        }
        EXPECT_EQ(scene.state(id), one.state);
        EXPECT_EQ(scene.fleet->unit(id).why, one.why);
        EXPECT_EQ(scene.fleet->unit(id).speed, 0.0);
        ASSERT_TRUE(scene.fleet->send(id, Vec2{24.5, 20.5}));
        scene.play(20.0);
        scene.expect_all_came();
    }
}

}  // namespace
}  // namespace fairlead::testing
