// Fleets on tiles and meshes: units arrive, nothing touches, edits, links, who cannot go says why; equal for any number of threads.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>

#include "fleet/soldier.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr double kStep = 1.0 / 30.0;
constexpr FrameBudget kBudget{.units = 5000};

FleetUnit small_truck() {
    FleetUnit unit;
    unit.agent.radius = 0.4;
    unit.agent.turning_radius = 1.5;
    unit.agent.can_reverse = true;
    unit.limits = SpeedLimits::only(3.0);
    unit.limits.accel_max = unit.limits.brake_max = 4.0;
    return unit;
}

Place at(double x, double y, std::int32_t layer = 0) {
    Place place;
    place.position = {x, y, 0.0};
    place.layer = layer;
    return place;
}

std::vector<std::uint8_t> hall(std::int32_t side) {
    return std::vector<std::uint8_t>(static_cast<std::size_t>(side * side), 1);
}

/// A hall with pillars.
Grid pillars(std::uint64_t seed, std::int32_t side = 40) {
    Grid grid = *Grid::make({.width = side, .height = side}, hall(side));
    Rng dice(seed);
    for (int i = 0; i < 40; ++i) {
        const std::int32_t x = dice.between(1, side - 4);
        const std::int32_t y = dice.between(1, side - 4);
        EXPECT_TRUE(grid.fill({{x, y}, {x + 2, y + 2}}, 0));
    }
    return grid;
}

/// Middles of free cells where a disc of 0.49 stands, each once, far enough from the others, in the largest part.
std::vector<Vec2> places(const Grid& grid, Rng& dice, std::size_t count) {
    std::vector<Vec2> found;
    const Cell first{0, 0};
    while (found.size() < count) {
        const std::int32_t x = dice.between(0, grid.state().width() - 1);
        const std::int32_t y = dice.between(0, grid.state().height() - 1);
        const Cell cell{x, y};
        if (!grid.state().can_stand(cell, {.radius = 0.4})) continue;
        if (!*grid.state().connected(first, cell, {})) continue;
        const Vec2 middle = grid.state().cell_centre(cell);
        const auto near = [&](Vec2 other) { return distance(middle, other) < 1.0; };
        if (std::none_of(found.begin(), found.end(), near)) found.push_back(middle);
    }
    return found;
}

double to_wall(const Grid& grid, Vec2 p) {
    double least = 1e9;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            const auto x = static_cast<std::int32_t>(std::floor(p.x)) + dx;
            const auto y = static_cast<std::int32_t>(std::floor(p.y)) + dy;
            if (!grid.state().blocked({x, y})) continue;
            const double ox = std::max({x - p.x, 0.0, p.x - x - 1.0});
            const double oy = std::max({y - p.y, 0.0, p.y - y - 1.0});
            least = std::min(least, std::sqrt(ox * ox + oy * oy));
        }
    }
    return least;
}

struct Told {
    int arrived = 0;
    double apart = 1e9;
    double wall = 1e9;
    std::uint64_t digest = 0;
};

Told play(const FleetPort& port, const Grid& grid, std::uint64_t seed, std::size_t count,
          std::uint32_t threads) {
    FleetOptions options;
    options.schedule.threads = threads;
    Fleet fleet = *Fleet::make(port, options);
    const FleetKind kind = *fleet.add_kind(soldier());
    Rng dice(seed);
    const std::vector<Vec2> starts = places(grid, dice, count);
    const std::vector<Vec2> goals = places(grid, dice, count);
    std::vector<FleetId> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(*fleet.add(kind, at(starts[i].x, starts[i].y)));
        EXPECT_TRUE(fleet.send(ids.back(), goals[i]));
    }
    Told told;
    for (int tick = 0; tick < 60 * 30; ++tick) {
        EXPECT_TRUE(fleet.update(kStep, kBudget));
        told.arrived = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const FleetView view = fleet.unit(ids[i]);
            told.arrived += view.state == FleetState::arrived ? 1 : 0;
            told.wall = std::min(told.wall, to_wall(grid, ground(view.place.position)));
            for (std::size_t k = 0; k < i; ++k) {
                told.apart = std::min(told.apart, distance(ground(view.place.position),
                                                           ground(fleet.unit(ids[k]).place.position)));
            }
        }
        if (told.arrived == static_cast<int>(count)) break;
    }
    told.digest = fleet.digest();
    return told;
}

TEST(Fleet, EveryoneArrivesAndNothingTouches) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Grid grid = pillars(seed);
        const TileFleet tiles(grid);
        const Told told = play(tiles.port(), grid, seed, 30, 1);
        EXPECT_EQ(told.arrived, 30) << seed;
        EXPECT_GE(told.apart, 0.8 * (1.0 - 1e-9)) << seed;
        EXPECT_GE(told.wall, 0.4 * (1.0 - 1e-9)) << seed;
    }
}

TEST(Fleet, OnALevelMesh) {
    const Grid grid = pillars(9);
    const NavMesh mesh = *make_grid_mesh(grid.state(), {.radius_max = 0.4});
    const MeshFleet level(mesh);
    const Told told = play(level.port(), grid, 9, 30, 1);
    EXPECT_EQ(told.arrived, 30);
    EXPECT_GE(told.apart, 0.8 * (1.0 - 1e-9));
    EXPECT_GE(told.wall, 0.4 * (1.0 - 1e-6));
}

TEST(Fleet, ThreadsChangeNothing) {
    const Grid grid = pillars(5);
    const TileFleet tiles(grid);
    const Told alone = play(tiles.port(), grid, 5, 20, 1);
    const TileFleet again(grid);
    EXPECT_EQ(play(again.port(), grid, 5, 20, 3).digest, alone.digest);
}

TEST(Fleet, AWallOnTheWayIsGoneAround) {
    Grid grid = *Grid::make({.width = 20, .height = 20}, hall(20));
    const TileFleet tiles(grid);
    Fleet fleet = *Fleet::make(tiles.port());
    const FleetId id = *fleet.add(*fleet.add_kind(soldier()), at(2.5, 10.5));
    ASSERT_TRUE(fleet.send(id, Vec2{17.5, 10.5}));
    for (int tick = 0; tick < 60; ++tick) ASSERT_TRUE(fleet.update(kStep, kBudget));
    ASSERT_EQ(fleet.unit(id).state, FleetState::moving);
    ASSERT_TRUE(grid.fill({{10, 3}, {11, 20}}, 0));
    ASSERT_TRUE(fleet.world_changed());
    double least = 1e9;
    for (int tick = 0; tick < 900; ++tick) {
        ASSERT_TRUE(fleet.update(kStep, kBudget));
        least = std::min(least, to_wall(grid, ground(fleet.unit(id).place.position)));
    }
    EXPECT_EQ(fleet.unit(id).state, FleetState::arrived);
    EXPECT_GE(least, 0.4 * (1.0 - 1e-9));
}

TEST(Fleet, WhoCannotGoSaysWhy) {
    Grid grid = grid_of({"..........", ".@@@@.....", ".@..@.....", ".@@@@.....", ".........."});
    const TileFleet tiles(grid);
    Fleet fleet = *Fleet::make(tiles.port());
    const FleetKind kind = *fleet.add_kind(soldier());
    const FleetId sealed = *fleet.add(kind, at(8.5, 2.5));
    const FleetId in_wall = *fleet.add(kind, at(1.5, 1.5));
    const FleetId off_map = *fleet.add(kind, at(8.5, 0.5));
    const FleetId well = *fleet.add(kind, at(7.5, 4.5));
    ASSERT_TRUE(fleet.send(sealed, Vec2{2.5, 2.5}));
    ASSERT_TRUE(fleet.send(in_wall, Vec2{8.5, 2.5}));
    ASSERT_TRUE(fleet.send(off_map, Vec2{80.0, 2.5}));
    ASSERT_TRUE(fleet.send(well, Vec2{0.5, 4.5}));
    for (int tick = 0; tick < 300; ++tick) ASSERT_TRUE(fleet.update(kStep, kBudget));
    EXPECT_EQ(fleet.unit(sealed).state, FleetState::unreachable);
    EXPECT_EQ(fleet.unit(in_wall).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(in_wall).why, PathStatus::start_blocked);
    EXPECT_EQ(fleet.unit(off_map).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(off_map).why, PathStatus::off_world);
    EXPECT_EQ(fleet.unit(well).state, FleetState::arrived);
    // a door is opened
    ASSERT_TRUE(grid.fill({{4, 2}, {5, 3}}, 1));
    ASSERT_TRUE(fleet.world_changed());
    for (int tick = 0; tick < 300; ++tick) ASSERT_TRUE(fleet.update(kStep, kBudget));
    EXPECT_EQ(fleet.unit(sealed).state, FleetState::arrived);
}

TEST(Fleet, StairsTakeTheirTime) {
    GridOptions options;
    options.width = options.height = 10;
    options.layers = 2;
    const Portal stairs{{8, 5, 0}, {8, 5, 1}, 2.0, true};
    options.portals = Borrowed<Portal>(&stairs, 1);
    const Grid grid = *Grid::make(options, std::vector<std::uint8_t>(200, 1));
    const TileFleet tiles(grid);
    FleetOptions asked;
    asked.link_seconds = 2.0;
    Fleet fleet = *Fleet::make(tiles.port(), asked);
    const FleetId id = *fleet.add(*fleet.add_kind(soldier()), at(1.5, 5.5, 0));
    ASSERT_TRUE(fleet.send(id, Spot(1.5, 5.5).on_layer(1)));
    double on_stairs = 0.0;
    for (int tick = 0; tick < 600; ++tick) {
        ASSERT_TRUE(fleet.update(kStep, kBudget));
        if (fleet.unit(id).state == FleetState::link) on_stairs += kStep;
    }
    EXPECT_EQ(fleet.unit(id).state, FleetState::arrived);
    EXPECT_EQ(fleet.unit(id).place.layer, 1);
    EXPECT_NEAR(on_stairs, 2.0, 2.0 * kStep);
}

TEST(Fleet, VehiclesAmongWalkers) {
    const Grid grid = *Grid::make({.width = 40, .height = 40}, hall(40));
    const TileFleet tiles(grid);
    Fleet fleet = *Fleet::make(tiles.port());
    const FleetKind people = *fleet.add_kind(soldier());
    const FleetKind trucks = *fleet.add_kind(small_truck());
    std::vector<FleetId> ids;
    for (int i = 0; i < 10; ++i) {
        ids.push_back(*fleet.add(people, at(3.5, 5.5 + 3.0 * i)));
        ASSERT_TRUE(fleet.send(ids.back(), Vec2{36.5, 5.5 + 3.0 * i}));
    }
    for (int i = 0; i < 3; ++i) {
        ids.push_back(*fleet.add(trucks, at(10.5 + 8.0 * i, 2.5)));
        ASSERT_TRUE(fleet.send(ids.back(), Vec2{10.5 + 8.0 * i, 37.5}));
    }
    double least = 1e9;
    for (int tick = 0; tick < 30 * 60; ++tick) {
        ASSERT_TRUE(fleet.update(kStep, kBudget));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                least = std::min(least, distance(ground(fleet.unit(ids[i]).place.position),
                                                 ground(fleet.unit(ids[k]).place.position)));
            }
        }
    }
    for (const FleetId id : ids) EXPECT_EQ(fleet.unit(id).state, FleetState::arrived);
    EXPECT_GE(least, 0.8 * (1.0 - 1e-9));
}

/// Two that meet in a street one lane wide look for ways around while they have routes: no route is lost under a driver.
TEST(Fleet, VehiclesThatMeetGoOnAsking) {
    Grid grid = *Grid::make({.width = 40, .height = 12}, std::vector<std::uint8_t>(40 * 12, 1));
    ASSERT_TRUE(grid.fill({{8, 2}, {32, 5}}, 0));
    ASSERT_TRUE(grid.fill({{8, 7}, {32, 10}}, 0));
    const TileFleet tiles(grid);
    Fleet fleet = *Fleet::make(tiles.port());
    const FleetKind trucks = *fleet.add_kind(small_truck());
    const FleetId east = *fleet.add(trucks, at(3.5, 6.0));
    const FleetId west = *fleet.add(trucks, at(36.5, 6.0));
    ASSERT_TRUE(fleet.send(east, Vec2{36.5, 6.0}));
    ASSERT_TRUE(fleet.send(west, Vec2{3.5, 6.0}));
    double least = 1e9;
    for (int tick = 0; tick < 30 * 60; ++tick) {
        ASSERT_TRUE(fleet.update(kStep, kBudget));
        least = std::min(least, distance(ground(fleet.unit(east).place.position),
                                         ground(fleet.unit(west).place.position)));
    }
    EXPECT_GE(least, 0.8 * (1.0 - 1e-9));
    for (const FleetId id : {east, west}) {
        const FleetState state = fleet.unit(id).state;
        EXPECT_TRUE(state == FleetState::arrived || state == FleetState::stuck) << fleet_state_name(state);
    }
}

// The second fleet's kinds went among those of the first, and its searches to the first one's world.
TEST(Fleet, OneLivesOnAPortAtATime) {
    const Grid grid = *Grid::make({.width = 10, .height = 10}, hall(10));
    const TileFleet tiles(grid);
    const auto drive_across = [&] {
        Fleet fleet = *Fleet::make(tiles.port());
        EXPECT_EQ(Fleet::make(tiles.port()).error(), (Error{ErrorCode::incompatible, Field::world}));
        const FleetId id = *fleet.add(*fleet.add_kind(soldier()), at(1.5, 1.5));
        EXPECT_TRUE(fleet.send(id, Vec2{8.5, 8.5}));
        for (int frame = 0; frame < 300; ++frame) EXPECT_TRUE(fleet.update(kStep, kBudget));
        EXPECT_EQ(fleet.unit(id).state, FleetState::arrived);
    };
    drive_across();
    // The first is gone with all its kinds.
    drive_across();
}

TEST(Fleet, BadInputNamesTheField) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const Grid grid = *Grid::make({.width = 10, .height = 10}, hall(10));
    const TileFleet tiles(grid);
    EXPECT_EQ(Fleet::make(tiles.port(), {.link_seconds = -1.0}).error().field, Field::link_seconds);
    Fleet fleet = *Fleet::make(tiles.port());
    EXPECT_EQ(fleet.add_kind(soldier(kNan)).error().field, Field::agent_radius);
    EXPECT_EQ(fleet.add(FleetKind{5}, at(1, 1)).error().field, Field::unit);
    const FleetKind kind = *fleet.add_kind(soldier());
    EXPECT_EQ(fleet.add(kind, at(kNan, 1)).error().field, Field::start);
    const FleetId id = *fleet.add(kind, at(1.5, 1.5));
    EXPECT_EQ(fleet.send(id, Vec2{kNan, 0.0}).error().field, Field::goal);
    EXPECT_EQ(fleet.update(0.0, kBudget).error().field, Field::seconds);
    EXPECT_EQ(fleet.update(kNan, kBudget).error().field, Field::seconds);
    ASSERT_TRUE(fleet.send(id, Vec2{8.5, 8.5}));
    EXPECT_TRUE(fleet.remove(id));
    EXPECT_FALSE(fleet.remove(id));
    EXPECT_EQ(fleet.send(id, Vec2{8.5, 8.5}).error().field, Field::unit);
    EXPECT_FALSE(fleet.unit(id).exists);
    EXPECT_EQ(fleet.size(), 0u);
    ASSERT_TRUE(fleet.update(kStep, kBudget));
}

}  // namespace
}  // namespace fairlead::testing
