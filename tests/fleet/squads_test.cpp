// Units of a fleet that are sent in formation, on tiles, meshes and in volumes: they arrive in their slots; edits, orders, bad input.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/fleet/volume_fleet.h>

#include "fleet/soldier.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

constexpr double kSquadStep = 1.0 / 30.0;
constexpr FrameBudget kSquadBudget{.units = 5000};

Place place_at(double x, double y, double z = 0.0) {
    Place place;
    place.position = {x, y, z};
    return place;
}

/// 60 x 30 with a wall across and a gap of `width` tiles.
Grid halls_with_gap(std::int32_t width) {
    Grid grid = *Grid::make({.width = 60, .height = 30}, std::vector<std::uint8_t>(60 * 30, 1));
    EXPECT_TRUE(grid.fill({{29, 0}, {30, 14}}, 0));
    EXPECT_TRUE(grid.fill({{29, 14 + width}, {30, 30}}, 0));
    return grid;
}

struct Group {
    Fleet fleet;
    std::vector<FleetId> ids{};
    double nearest = 1e9;

    explicit Group(const FleetPort& port, const FleetOptions& options = {})
        : fleet(*Fleet::make(port, options)) {}

    void add(std::size_t count, double x, double y, std::size_t across = 4) {
        const FleetKind kind = *fleet.add_kind(soldier());
        for (std::size_t i = 0; i < count; ++i) {
            const auto column = static_cast<double>(i % across), row = static_cast<double>(i / across);
            ids.push_back(*fleet.add(kind, place_at(x + 1.3 * column, y + 1.3 * row)));
        }
    }
    [[nodiscard]] int count(FleetState state) const {
        return static_cast<int>(
            std::count_if(ids.begin(), ids.end(), [&](FleetId id) { return fleet.unit(id).state == state; }));
    }
    void step() {
        ASSERT_TRUE(fleet.update(kSquadStep, kSquadBudget));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (!fleet.unit(ids[i]).exists || !fleet.unit(ids[k]).exists) continue;
                nearest = std::min(
                    nearest, distance(fleet.unit(ids[i]).place.position, fleet.unit(ids[k]).place.position));
            }
        }
    }
    void go(double seconds, std::size_t until) {
        for (int tick = 0;
             tick * kSquadStep < seconds && count(FleetState::arrived) < static_cast<int>(until); ++tick)
            step();
    }
};

TEST(FleetFormation, ThroughAGapOnTilesAndOnAMesh) {
    const Grid grid = halls_with_gap(2);
    const NavMesh mesh = *make_grid_mesh(grid.state(), {.radius_max = 0.6});
    const TileFleet tiles(grid);
    const MeshFleet level(mesh);
    for (const FleetPort& port : {tiles.port(), level.port()}) {
        Group group(port);
        group.add(20, 3, 4);
        Place goal = place_at(48, 16);
        goal.heading_rad = -0.5 * kPi;
        const FleetFormationId id =
            *group.fleet.send(group.ids, Spot(goal), {.shape = FormationShape::line, .spacing = 1.2});
        EXPECT_TRUE(group.fleet.formation(id).exists);
        EXPECT_EQ(group.count(FleetState::waiting), 20);
        group.go(120.0, 20);
        EXPECT_EQ(group.count(FleetState::arrived), 20);
        EXPECT_EQ(group.fleet.formation(id).state, FormationState::arrived);
        EXPECT_GE(group.nearest, 0.8 - 1e-9);
        // a line that looks down: side by side along x
        for (const FleetId one : group.ids) EXPECT_NEAR(group.fleet.unit(one).place.position.y, 16.0, 0.45);
    }
}

TEST(FleetFormation, InAVolume) {
    VolumeOptions options;
    options.size = {50, 16, 16};
    Volume volume = *Volume::make(options);
    const VolumeEdit edits[] = {VolumeEdit::fill({{24, 0, 0}, {26, 16, 16}}),
                                VolumeEdit::clear({{24, 7, 7}, {26, 9, 9}})};
    ASSERT_TRUE(volume.apply(edits));
    const VolumeFleet space(volume);
    Group group(space.port());
    const FleetKind kind = *group.fleet.add_kind(soldier());
    for (int i = 0; i < 8; ++i)
        group.ids.push_back(
            *group.fleet.add(kind, place_at(4 + 2 * (i % 2), 5 + 2 * (i / 2 % 2), 5 + 2 * (i / 4))));
    ASSERT_TRUE(group.fleet.send(group.ids, Vec3{42, 8, 8}, {}));
    group.go(90.0, 8);
    EXPECT_EQ(group.count(FleetState::arrived), 8);
    EXPECT_GE(group.nearest, 0.8 - 1e-9);
}

TEST(FleetFormation, AWallIsGoneAroundAndASealedGoalIsSaid) {
    Grid grid = halls_with_gap(2);
    ASSERT_TRUE(grid.fill({{29, 3}, {30, 6}}, 1));  // a second gap
    const TileFleet tiles(grid);
    Group group(tiles.port());
    group.add(12, 3, 12);
    const FleetFormationId id = *group.fleet.send(group.ids, Vec2{48, 16}, {});
    for (int tick = 0; tick < 240; ++tick) group.step();
    ASSERT_TRUE(grid.fill({{29, 14}, {30, 16}}, 0));
    ASSERT_TRUE(group.fleet.world_changed());
    group.go(150.0, 12);
    EXPECT_EQ(group.count(FleetState::arrived), 12);
    EXPECT_GE(group.nearest, 0.8 - 1e-9);
    // back, and the other gap is shut before they are through
    ASSERT_TRUE(grid.fill({{29, 3}, {30, 6}}, 0));
    ASSERT_TRUE(group.fleet.world_changed());
    EXPECT_FALSE(group.fleet.formation(FleetFormationId{}).exists);
    const FleetFormationId back = *group.fleet.send(group.ids, Vec2{6, 16}, {});
    EXPECT_FALSE(group.fleet.formation(id).exists);
    for (int tick = 0; tick < 60; ++tick) group.step();
    EXPECT_EQ(group.count(FleetState::unreachable), 12);
    EXPECT_EQ(group.fleet.formation(back).why, PathStatus::unreachable);
    ASSERT_TRUE(grid.fill({{29, 14}, {30, 16}}, 1));  // open again: they go
    ASSERT_TRUE(group.fleet.world_changed());
    group.go(120.0, 12);
    EXPECT_EQ(group.count(FleetState::arrived), 12);
}

TEST(FleetFormation, WhoIsFarAwayComesByItself) {
    Grid grid = halls_with_gap(2);
    ASSERT_TRUE(grid.fill({{0, 20}, {28, 21}}, 0));  // a room behind a wall
    const TileFleet tiles(grid);
    Group group(tiles.port());
    group.add(8, 4, 6);
    group.ids.push_back(*group.fleet.add(*group.fleet.add_kind(soldier()), place_at(3, 27)));
    ASSERT_TRUE(group.fleet.send(group.ids, Vec2{48, 8}, {.shape = FormationShape::wedge}));
    group.go(120.0, 9);
    EXPECT_EQ(group.count(FleetState::arrived), 9);
    EXPECT_GE(group.nearest, 0.8 - 1e-9);
}

TEST(FleetFormation, OrdersTakeUnitsOut) {
    const Grid grid = halls_with_gap(2);
    const TileFleet tiles(grid);
    Group group(tiles.port());
    group.add(12, 3, 6);
    const FleetFormationId id = *group.fleet.send(group.ids, Vec2{48, 16}, {});
    for (int tick = 0; tick < 150; ++tick) group.step();
    ASSERT_TRUE(group.fleet.remove(group.ids[2]));
    ASSERT_TRUE(group.fleet.stop(group.ids[5]));
    ASSERT_TRUE(group.fleet.send(group.ids[7], Vec2{4.5, 25.5}));
    EXPECT_EQ(group.fleet.formation(id).size, 9u);
    group.go(120.0, 10);
    EXPECT_EQ(group.count(FleetState::arrived), 10);
    EXPECT_EQ(group.fleet.unit(group.ids[5]).state, FleetState::idle);
    EXPECT_EQ(group.fleet.formation(id).state, FormationState::arrived);
    EXPECT_NEAR(group.fleet.unit(group.ids[7]).place.position.x, 4.5, 0.45);
    for (const FleetId one : group.ids) (void)group.fleet.remove(one);
    EXPECT_FALSE(group.fleet.formation(id).exists);
    EXPECT_EQ(group.fleet.size(), 0u);
    group.step();
}

TEST(FleetFormation, StairsAreTakenOneByOne) {
    const Portal stairs{{10, 10, 0}, {10, 10, 1}, 2.0, true};
    const Grid house =
        *Grid::make({.width = 20, .height = 20, .layers = 2, .portals = Borrowed<Portal>(&stairs, 1)},
                    std::vector<std::uint8_t>(800, 1));
    const TileFleet tiles(house);
    Group group(tiles.port());
    group.add(5, 2, 2);
    ASSERT_TRUE(group.fleet.send(group.ids, Spot(15.5, 15.5).on_layer(1), {}));
    group.go(60.0, 5);
    EXPECT_EQ(group.count(FleetState::arrived), 5);
    for (const FleetId one : group.ids) EXPECT_EQ(group.fleet.unit(one).place.layer, 1);
}

TEST(FleetFormation, BadInputChangesNothing) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const Grid grid = halls_with_gap(2);
    const TileFleet tiles(grid);
    Group group(tiles.port());
    group.add(3, 3, 6);
    const auto send = [&](std::vector<FleetId> ids, Vec2 goal, const FormationOptions& options) {
        return group.fleet.send(ids, goal, options).error();
    };
    EXPECT_EQ(send({}, {8, 8}, {}).code, ErrorCode::size_zero);
    EXPECT_EQ(send({group.ids[0], FleetId{99}}, {8, 8}, {}).index, 1);
    EXPECT_EQ(send({group.ids[0], group.ids[0]}, {8, 8}, {}).code, ErrorCode::duplicate_id);
    EXPECT_EQ(send(group.ids, {kNan, 8}, {}).field, Field::goal);
    EXPECT_EQ(send(group.ids, {8, 8}, {.spacing = 0.5}).field, Field::spacing);
    EXPECT_EQ(send(group.ids, {8, 8}, {.shape = FormationShape::slots}).field, Field::slots);
    FleetUnit truck = soldier();
    truck.agent.turning_radius = 1.5;
    const FleetId vehicle = *group.fleet.add(*group.fleet.add_kind(truck), place_at(10, 10), true);
    EXPECT_EQ(send({group.ids[0], vehicle}, {8, 8}, {}).code, ErrorCode::unsupported);
    EXPECT_EQ(send(std::vector<FleetId>(kFormationMax + 1, group.ids[0]), {8, 8}, {}).code,
              ErrorCode::size_limit);
    EXPECT_EQ(group.count(FleetState::idle), 3);
}

TEST(FleetFormation, ThreadsChangeNothingAndAWarmFrameAllocatesNothing) {
    const Grid grid = halls_with_gap(2);
    std::uint64_t digests[2] = {};
    for (const std::uint32_t threads : {0U, 3U}) {
        const TileFleet tiles(grid);
        FleetOptions options;
        options.schedule.threads = threads;
        Group group(tiles.port(), options);
        group.add(16, 3, 6);
        ASSERT_TRUE(group.fleet.send(group.ids, Vec2{48, 16}, {}));
        group.go(120.0, 16);
        ASSERT_EQ(group.count(FleetState::arrived), 16);
        const std::uint64_t before = heap_calls();
        for (int tick = 0; tick < 60; ++tick) {
            if (!group.fleet.update(kSquadStep, kSquadBudget)) break;
        }
        if (threads == 0) {
            EXPECT_EQ(heap_calls(), before);
        }
        digests[threads == 0 ? 0 : 1] = group.fleet.digest();
    }
    EXPECT_EQ(digests[0], digests[1]);
}

}  // namespace
}  // namespace fairlead::testing
