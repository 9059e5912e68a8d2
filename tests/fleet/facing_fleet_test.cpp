// Fleets of units that face a way: tiles, level meshes, roadmaps, vehicles; every step goes along the heading that is told.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/roadmap_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/fleet/volume_fleet.h>

#include "support/fleet_scene.h"

namespace fairlead::testing {
namespace {

constexpr FrameBudget kFacingBudget{.units = 5000};

FleetUnit sprite(std::int32_t facings, double turn_rate = 0.0, double accel = 8.0) {
    FleetUnit unit = person();
    unit.facings = facings;
    if (accel == 0.0) unit.limits = SpeedLimits::only(1.5);
    if (turn_rate > 0.0) unit.limits.turn_rate_max = turn_rate;
    return unit;
}

/// Plays until all have arrived; judges each step.
struct Watched {
    Fleet& fleet;
    std::int32_t facings = 0;
    double turn_rate = 0.0;
    std::vector<FleetId> ids{};
    std::vector<Place> before{};

    void add(FleetKind kind, Vec2 from, Vec2 to, double heading = 0.0, bool has_heading = false) {
        ids.push_back(*fleet.add(kind, place_of(from, heading), has_heading));
        EXPECT_TRUE(fleet.send(ids.back(), to));
        before.push_back(fleet.unit(ids.back()).place);
    }
    void judge(std::size_t i, const FleetView& view) {
        const Vec2 ahead{std::cos(view.place.heading_rad), std::sin(view.place.heading_rad)};
        const Vec2 moved = ground(view.place.position) - ground(before[i].position);
        ASSERT_LE(std::fabs(cross(moved, ahead)), 1e-9);
        const double along = dot(moved, ahead);
        ASSERT_GE(view.gear == Gear::reverse ? -along : along, -1e-9);
        const double turned = std::remainder(view.place.heading_rad - before[i].heading_rad, 2.0 * kPi);
        if (facings == 0) {
            ASSERT_LE(std::fabs(turned), turn_rate * kFleetTick + 1e-9);
            return;
        }
        ASSERT_LE(std::fabs(std::remainder(view.place.heading_rad, 2.0 * kPi / facings)), 1e-9);
    }
    int play(double seconds) {
        int arrived = 0;
        for (int tick = 0; tick * kFleetTick < seconds && arrived < static_cast<int>(ids.size()); ++tick) {
            EXPECT_TRUE(fleet.update(kFleetTick, kFacingBudget));
            arrived = 0;
            for (std::size_t i = 0; i < ids.size(); ++i) {
                const FleetView view = fleet.unit(ids[i]);
                judge(i, view);
                before[i] = view.place;
                arrived += view.state == FleetState::arrived ? 1 : 0;
            }
            if (::testing::Test::HasFatalFailure()) return -1;
        }
        return arrived;
    }
};

Grid yard() {
    Grid grid = *Grid::make({.width = 30, .height = 24});
    EXPECT_TRUE(grid.fill({{8, 6}, {12, 10}}, 0));
    EXPECT_TRUE(grid.fill({{17, 0}, {18, 14}}, 0));
    EXPECT_TRUE(grid.fill({{17, 16}, {18, 24}}, 0));
    return grid;
}

void cross_the_yard(Fleet& fleet, const FleetUnit& unit) {
    const Result<FleetKind> kind = fleet.add_kind(unit);
    ASSERT_TRUE(kind);
    Watched watched{fleet, unit.facings, unit.limits.turn_rate_max};
    for (int i = 0; i < 6; ++i) {
        watched.add(*kind, {2.5, 4.5 + 2.0 * i}, {27.5, 16.5 - 2.0 * i});
        watched.add(*kind, {26.5, 4.5 + 2.0 * i}, {3.5, 16.5 - 2.0 * i});
    }
    EXPECT_EQ(watched.play(150.0), 12) << unit.facings;
}

TEST(FacingFleet, OnTiles) {
    const Grid grid = yard();
    for (const FleetUnit& unit : {sprite(8), sprite(16), sprite(32), sprite(0, 2.0), sprite(16, 2.0)}) {
        const TileFleet port(grid);
        Fleet fleet = *Fleet::make(port.port());
        cross_the_yard(fleet, unit);
    }
}

TEST(FacingFleet, OnALevelMesh) {
    const NavMesh mesh = *make_grid_mesh(yard(), {.radius_max = 0.6});
    const MeshFleet port(mesh);
    Fleet fleet = *Fleet::make(port.port());
    cross_the_yard(fleet, sprite(16, 0.0, 0.0));
}

TEST(FacingFleet, OnARoadmap) {
    const Waypoint places[] = {{WaypointId{1}, {2, 2}},
                               {WaypointId{2}, {27, 2}},
                               {WaypointId{3}, {27, 20}},
                               {WaypointId{4}, {2, 20}},
                               {WaypointId{5}, {14, 11}}};
    const auto way = [](std::uint32_t from, std::uint32_t to) {
        return WaypointEdge{.from = WaypointId{from}, .to = WaypointId{to}};
    };
    const WaypointEdge ways[] = {way(1, 2), way(2, 3), way(3, 4), way(4, 1), way(1, 5), way(5, 3)};
    const RoadKind roads[] = {{.width = 4.0}};
    const Result<Roadmap> roadmap = Roadmap::make({.nodes = places, .edges = ways, .roads = roads});
    ASSERT_TRUE(roadmap);
    const RoadmapFleet port(*roadmap);
    Fleet fleet = *Fleet::make(port.port());
    const FleetUnit unit = sprite(16);
    const Result<FleetKind> kind = fleet.add_kind(unit);
    ASSERT_TRUE(kind);
    Watched watched{fleet, unit.facings, unit.limits.turn_rate_max};
    watched.add(*kind, {2.0, 2.0}, {27.0, 20.0});
    watched.add(*kind, {27.0, 20.0}, {2.0, 2.0});
    watched.add(*kind, {2.0, 20.0}, {27.0, 2.0});
    EXPECT_EQ(watched.play(120.0), 3);
}

/// A truck drives its route redrawn along its facings, and turns where it stands or between two steps.
TEST(FacingFleet, VehiclesDriveTheirRouteRedrawn) {
    Grid grid = *Grid::make({.width = 40, .height = 30});
    ASSERT_TRUE(grid.fill({{18, 0}, {22, 12}}, 0));
    for (const std::int32_t facings : {8, 16, 32}) {
        for (const double turn_rate : {0.0, 1.5}) {
            const TileFleet port(grid);
            Fleet fleet = *Fleet::make(port.port());
            FleetUnit unit = truck();
            unit.facings = facings;
            if (turn_rate > 0.0) unit.limits.turn_rate_max = turn_rate;
            const Result<FleetKind> kind = fleet.add_kind(unit);
            ASSERT_TRUE(kind);
            Watched watched{fleet, facings, unit.limits.turn_rate_max};
            watched.add(*kind, {5.0, 5.0}, {34.0, 6.0}, 0.3, true);
            watched.add(*kind, {5.0, 22.0}, {34.0, 24.0});
            EXPECT_EQ(watched.play(120.0), 2) << facings << " " << turn_rate;
        }
    }
}

TEST(FacingFleet, BadInputAndWhatCannotBe) {
    const Grid grid = yard();
    const TileFleet tiles(grid);
    Fleet fleet = *Fleet::make(tiles.port());
    FleetUnit unit = sprite(12);
    EXPECT_EQ(fleet.add_kind(unit).error().field, Field::facings);
    EXPECT_EQ(fleet.add_kind(unit).error().code, ErrorCode::out_of_range);
    unit = truck();
    unit.facings = 16;
    EXPECT_TRUE(fleet.add_kind(unit));
    const NavMesh mesh = *make_grid_mesh(grid);
    const MeshFleet level(mesh);
    Fleet on_mesh = *Fleet::make(level.port());
    EXPECT_EQ(on_mesh.add_kind(unit).error().code, ErrorCode::unsupported);
    EXPECT_TRUE(on_mesh.add_kind(sprite(8)));
}

}  // namespace
}  // namespace fairlead::testing
