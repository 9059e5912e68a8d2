// Vehicles among walkers: who stands in the way steps aside, who cannot pass looks for a way around, and neither touches the other.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/environment.h"
#include "support/fleet_scene.h"

namespace fairlead::testing {
namespace {

FleetUnit walker() {
    FleetUnit unit;
    unit.agent.radius = 0.4;
    unit.limits = SpeedLimits::only(2.0);
    return unit;
}

FleetUnit quick_truck() { return truck(0.4, 2.0); }

bool is_free(const Grid& grid, Vec2 at, double reach) {
    for (const Vec2 corner : {Vec2{-reach, -reach}, {reach, -reach}, {-reach, reach}, {reach, reach}}) {
        const Vec2 p = at + corner;
        if (grid.state().blocked({static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y)}))
            return false;
    }
    return true;
}

Grid field(std::int32_t width, std::int32_t height) {
    return *Grid::make({.width = width, .height = height});
}

// In the inner corner of a wall, a vehicle beside it: the plane of a pair that is not on a course to meet gave the vehicle, which does
// nothing, all that was free, and the walker could not come nearer on its way past it.
TEST(AmongWalkers, OutOfACornerPastAVehicleThatStands) {
    Grid grid = field(20, 12);
    ASSERT_TRUE(grid.fill({{6, 6}, {10, 7}}, 0));
    ASSERT_TRUE(grid.fill({{8, 5}, {9, 6}}, 0));
    FleetScene scene(std::move(grid));
    const FleetUnit driven = quick_truck();
    scene.add(*scene.fleet->add_kind(driven), driven, place_of({6.656, 5.152}));
    const FleetUnit person = walker();
    const FleetId out = scene.add(*scene.fleet->add_kind(person), person, place_of({7.6, 5.6}));
    ASSERT_TRUE(scene.fleet->send(out, Vec2{15.5, 3.5}));
    for (int i = 0; i < 30 * 20; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->unit(out).state, FleetState::arrived);
    scene.expect_legal();
}

// A route along a wall, and a vehicle that leaves no room on that side: the crowd alone pressed on between them.
TEST(AmongWalkers, RoundAVehicleBesideAWall) {
    Grid grid = field(20, 24);
    ASSERT_TRUE(grid.fill({{0, 8}, {4, 16}}, 0));
    FleetScene scene(std::move(grid));
    const FleetUnit driven = quick_truck();
    scene.add(*scene.fleet->add_kind(driven), driven, place_of({4.95, 12.0}));
    const FleetUnit person = walker();
    const FleetId goes = scene.add(*scene.fleet->add_kind(person), person, place_of({1.5, 20.5}));
    ASSERT_TRUE(scene.fleet->send(goes, Vec2{1.5, 3.5}));
    for (int i = 0; i < 30 * 60; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->unit(goes).state, FleetState::arrived);
    scene.expect_legal();
}

// In a street in which both have room beside each other. It stood there for good.
TEST(AmongWalkers, WhoStandsInTheWayStepsAside) {
    for (const double y : {10.5, 11.0, 11.5}) {
        Grid grid = field(40, 22);
        ASSERT_TRUE(grid.fill({{10, 0}, {30, 10}}, 0));
        ASSERT_TRUE(grid.fill({{10, 12}, {30, 22}}, 0));
        FleetScene scene(std::move(grid));
        const FleetUnit person = walker();
        scene.add(*scene.fleet->add_kind(person), person, place_of({20.5, y}));
        const FleetUnit driven = quick_truck();
        const FleetId goes = scene.add(*scene.fleet->add_kind(driven), driven, place_of({4.5, 11.0}));
        ASSERT_TRUE(scene.fleet->send(goes, Vec2{36.5, 11.0}));
        for (int i = 0; i < 30 * 60; ++i) scene.tick();
        EXPECT_EQ(scene.fleet->unit(goes).state, FleetState::arrived) << y;
        scene.expect_legal();
    }
}

// The tile that the walker closes reaches under the vehicle: its start was blocked, and it found no way around.
TEST(AmongWalkers, AwayFromOneThatIsShutIn) {
    Grid grid = field(30, 12);
    ASSERT_TRUE(grid.fill({{12, 4}, {13, 5}}, 0));
    ASSERT_TRUE(grid.fill({{12, 6}, {13, 7}}, 0));
    ASSERT_TRUE(grid.fill({{13, 5}, {14, 6}}, 0));
    FleetScene scene(std::move(grid));
    const FleetUnit person = walker();
    scene.add(*scene.fleet->add_kind(person), person, place_of({12.45, 5.5}));
    const FleetUnit driven = quick_truck();
    const FleetId goes = scene.add(*scene.fleet->add_kind(driven), driven, place_of({11.5, 5.45}));
    ASSERT_TRUE(scene.fleet->send(goes, Vec2{26.5, 5.5}));
    for (int i = 0; i < 30 * 60; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->unit(goes).state, FleetState::arrived);
    scene.expect_legal();
}

TEST(AmongWalkers, RandomFieldsOfPillars) {
    int sent = 0, arrived = 0;
    for (int map = 0; map < trials(10); ++map) {
        Rng rng(9100 + static_cast<std::uint64_t>(map));
        Grid grid = field(48, 48);
        for (int i = 0; i < 30; ++i) {
            const std::int32_t x = rng.between(2, 43), y = rng.between(2, 43);
            ASSERT_TRUE(grid.fill({{x, y}, {x + rng.between(1, 3), y + rng.between(1, 3)}}, 0));
        }
        FleetScene scene(std::move(grid));
        const FleetUnit units[] = {walker(), quick_truck()};
        const FleetKind kinds[] = {*scene.fleet->add_kind(units[0]), *scene.fleet->add_kind(units[1])};
        Vec2 taken[80];
        std::size_t count = 0;
        const auto pick = [&] {
            for (;;) {
                const Vec2 at{rng.between(1.0, 47.0), rng.between(1.0, 47.0)};
                bool good = is_free(scene.grid, at, 0.5);
                for (std::size_t i = 0; i < count; ++i) good = good && distance(taken[i], at) > 1.0;
                if (!good) continue;
                taken[count++] = at;
                return at;
            }
        };
        FleetId ids[36];
        for (std::size_t i = 0; i < 36; ++i) {
            const std::size_t kind = i % 3 == 0 ? 1 : 0;
            ids[i] = scene.add(kinds[kind], units[kind], place_of(pick()));
        }
        for (const FleetId id : ids) ASSERT_TRUE(scene.fleet->send(id, pick()));
        for (int i = 0; i < 30 * 120; ++i) scene.tick();
        for (const FleetId id : ids) {
            const FleetView view = scene.fleet->unit(id);
            const bool reachable = view.state != FleetState::unreachable && view.state != FleetState::invalid;
            sent += reachable ? 1 : 0;
            arrived += view.state == FleetState::arrived ? 1 : 0;
        }
        scene.expect_legal();
    }
    // Of 720 on twenty of these fields one stood at the end, in a knot of trucks and walkers.
    EXPECT_GE(arrived, sent - 1);
}

}  // namespace
}  // namespace fairlead::testing
