// Walkers on baked levels who are put off the surface and sent to places off it: each stands where its route begins and arrives where
// it ends, on a border of the surface often.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "support/environment.h"
#include "support/levels.h"

namespace fairlead::testing {
namespace {

constexpr double kSize = 24.0;

/// On slanted borders places are rounded.
Vec3 slanted(Vec3 at) { return {37.31 + 0.8 * at.x - 0.6 * at.y, -44.17 + 0.6 * at.x + 0.8 * at.y, at.z}; }

NavMesh blocks_mesh(Rng& rng) {
    Level level = random_blocks(rng, kSize, 40);
    for (Vec3& at : level.vertices) at = slanted(at);
    return *bake::navmesh(level.soup(), {}, {.radius_max = 0.8});
}

Vec3 anywhere(Rng& rng) {
    return slanted({rng.between(-1.0, kSize + 1.0), rng.between(-1.0, kSize + 1.0), 0.0});
}

FleetUnit body(double radius) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits.speed_max = 2.0;
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    return unit;
}

/// The place of the surface nearest to it within 2 m: on a border often.
Vec3 on_surface(const NavMesh& mesh, Vec3 at) {
    const MeshPoint near = mesh.state().nearest(at);
    return near.polygon.valid() ? near.position : at;
}

/// Alone: what became of it, and where it began.
void go_alone(const NavMesh& mesh, double radius, Vec3 from, Vec3 to, int& arrived) {
    MeshQuery query;
    query.start = Spot(from);
    query.goal = Spot(to);
    query.agent.radius = radius;
    query.reach.across = radius;
    Scratch scratch;
    const Route route = *find_route(mesh.state(), query, scratch);
    const MeshFleet level(mesh);
    Fleet fleet = *Fleet::make(level.port());
    const FleetKind kind = *fleet.add_kind(body(radius));
    Place place;
    place.position = from;
    const FleetId unit = *fleet.add(kind, place);
    ASSERT_TRUE(fleet.send(unit, Spot(to)));
    const Vec3 begin = fleet.unit(unit).place.position;
    if (route.status == PathStatus::complete && !route.legs.empty()) {
        EXPECT_LE(distance(begin, route.legs[0].start.position), 1e-6)
            << from.x << " " << from.y << " to " << to.x << " " << to.y;
    }
    FleetState state = FleetState::waiting;
    for (int frame = 0; frame < 30 * 120 && (state == FleetState::waiting || state == FleetState::moving);
         ++frame) {
        ASSERT_TRUE(fleet.update(1.0 / 30.0, {.units = 5000}));
        state = fleet.unit(unit).state;
    }
    const double off = distance(ground(route.end.position), ground(to));
    if (route.status == PathStatus::complete && off <= radius) {
        EXPECT_EQ(fleet_state_name(state), std::string("arrived")) << static_cast<int>(fleet.unit(unit).why);
        const Vec3 there = fleet.unit(unit).place.position;
        EXPECT_LE(distance(ground(there), ground(route.end.position)), radius + 1e-6);
        EXPECT_NEAR(there.z, route.end.position.z, radius + 0.5);  // on a slope
        ++arrived;
    } else {
        const bool beyond = route.status == PathStatus::complete;
        EXPECT_EQ(fleet.unit(unit).why, beyond ? PathStatus::goal_blocked : route.status);
    }
}

TEST(MeshEnds, OffTheSurfaceTheyAreBroughtOntoIt) {
    int arrived = 0;
    const int rounds = trials(40);
    for (int round = 0; round < rounds; ++round) {
        Rng rng(100 + static_cast<std::uint64_t>(round));
        const NavMesh mesh = blocks_mesh(rng);
        const double radius = round % 2 == 0 ? 0.5 : 0.8;  // 0.8: some of the surface is too near to walls
        for (int i = 0; i < 10; ++i) {
            const Vec3 from = anywhere(rng);
            Vec3 to = anywhere(rng);
            if (i % 2 == 1) to = on_surface(mesh, to);
            SCOPED_TRACE(std::to_string(round) + "/" + std::to_string(i));
            go_alone(mesh, radius, from, to, arrived);
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(arrived, 60);
}

/// A hall with a ramp along its right side up to a gallery, and room to walk below that.
NavMesh gallery_mesh() {
    Level level;
    level.floor(0, 0, 20, 20, 0);
    level.quad({15, 4, 0}, {19, 4, 0}, {19, 12, 4}, {15, 12, 4});
    level.floor(2, 12, 19, 19, 4);
    return *bake::navmesh(level.soup());
}

TEST(MeshEnds, WhatIsSeenOnTheFloorBelowIsNotTheWay) {
    const NavMesh mesh = gallery_mesh();
    const MeshCrowd crowd(mesh.state());
    const CrowdWorld world = crowd.world();
    Place below;
    below.position = {8, 2, 0};
    EXPECT_TRUE(world.clear(below, {8, 15, 0}, 0.4, world.user));
    EXPECT_FALSE(world.clear(below, {8, 15, 4}, 0.4, world.user));
    int arrived = 0;
    go_alone(mesh, 0.4, {17, 0.8, 0}, {4, 17, 4}, arrived);
    go_alone(mesh, 0.4, {4, 17, 4}, {8, 2, 0}, arrived);
    EXPECT_EQ(arrived, 2);
}

/// Legs run along borders and touch corners: who stands there but for rounding sees the end of its leg.
TEST(MeshEnds, EveryLegIsSeenFromItsStart) {
    int seen = 0;
    const int rounds = trials(60);
    for (int round = 0; round < rounds; ++round) {
        Rng rng(500 + static_cast<std::uint64_t>(round));
        const NavMesh mesh = blocks_mesh(rng);
        const MeshCrowd crowd(mesh.state());
        const CrowdWorld world = crowd.world();
        Scratch scratch;
        for (int i = 0; i < 40; ++i) {
            MeshQuery query;
            query.start = Spot(anywhere(rng));
            query.goal = Spot(anywhere(rng));
            query.agent.radius = i % 2 == 0 ? 0.5 : 0.8;
            const Route route = *find_route(mesh.state(), query, scratch);
            for (std::size_t k = 0; k < route.legs.size(); ++k) {
                Place from = route.legs[k].start;
                from.position = from.position + Vec3{rng.between(-1e-9, 1e-9), rng.between(-1e-9, 1e-9), 0.0};
                const Vec3 to = leg_end(route, k).position;
                EXPECT_TRUE(world.clear(from, to, 0.75 * query.agent.radius, world.user))
                    << round << "/" << i << "/" << k;
                ++seen;
            }
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(seen, 1000);
}

/// Hills: between its ends a leg is straight and the ground is not.
TEST(MeshEnds, VehiclesOnHillsTakeNewRoutes) {
    Rng rng(3);
    const Level level = random_hills(rng, 40, 0.5);
    NavMesh mesh = *bake::navmesh(level.soup());
    const MeshFleet port(mesh);
    Fleet fleet = *Fleet::make(port.port());
    FleetUnit unit = body(0.5);
    unit.agent.turning_radius = 1.5;
    unit.agent.can_reverse = true;
    const FleetKind kind = *fleet.add_kind(unit);
    Place place;
    place.position = {6, 6, 1.0};  // above or below the ground
    const FleetId truck = *fleet.add(kind, place);
    ASSERT_TRUE(fleet.send(truck, Spot(Vec3{34, 30, 0})));
    const auto drive = [&](int frames) {
        for (int i = 0; i < frames; ++i) ASSERT_TRUE(fleet.update(1.0 / 30.0, {.units = 20000}));
    };
    drive(150);
    EXPECT_EQ(fleet_state_name(fleet.unit(truck).state), std::string("moving"));
    // an edit elsewhere: every route of a vehicle is searched anew
    const MeshEdit rock = MeshEdit::add(1, MeshObstacle::box({3, 35}, {1, 1}, 0.0, -9.0, 9.0));
    ASSERT_TRUE(mesh.apply({&rock, 1}));
    ASSERT_TRUE(fleet.world_changed());
    drive(30 * 60);
    EXPECT_EQ(fleet_state_name(fleet.unit(truck).state), std::string("arrived"));
}

}  // namespace
}  // namespace fairlead::testing
