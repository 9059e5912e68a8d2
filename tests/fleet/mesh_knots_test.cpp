// Knots on level meshes: what holds on tiles (knots_test.cpp) holds there; floors over each other, hills, walls that a mesh keeps off.
#include <algorithm>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/obstacle.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/knot_worlds.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {
namespace {

NavMesh mesh_of(const Grid& grid) {
    Result<NavMesh> mesh = make_grid_mesh(grid.state(), {.radius_max = 2.0});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

/// The surface ends `margin` before the walls: the grid's free cells are where a disc of that radius may be.
NavMesh kept_off(const Grid& grid, double margin) {
    GridTile cut;
    PolygonScratch polygons;
    EXPECT_TRUE(grid_tile_into(grid.state(), {}, 0, 0, polygons, cut));
    const NavMeshTile tile = cut.tile();
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = margin, .tiles = {&tile, 1}});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

NavMesh mesh_of(PlainMesh plain, double margin) {
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = margin, .tiles = {&tile, 1}});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

/// Two halls of 30 x 12, one 4 over the other, and a ramp out to a landing and back.
PlainMesh garage() {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},  {30, 0, 0}, {30, 6, 0},  {30, 12, 0}, {0, 12, 0},
                      {44, 0, 2}, {44, 6, 2}, {44, 12, 2}, {30, 6, 4},  {30, 12, 4},
                      {0, 12, 4}, {0, 0, 4},  {30, 0, 4},  {52, 0, 2},  {52, 12, 2}};
    plain.polygons = {{0, 1, 2, 3, 4}, {1, 5, 6, 2}, {6, 7, 9, 8}, {8, 9, 10, 11, 12}, {5, 13, 14, 7, 6}};
    return plain;
}

Place at_height(Vec2 at, double z, double heading = 0.0) {
    Place place = place_of(at, heading);
    place.position.z = z;
    return place;
}

TEST(MeshKnots, HeadOnInALaneTheyUseTheBay) {
    for (const double margin : {0.0, 0.4, 0.9}) {
        MeshScene scene(margin == 0.0 ? mesh_of(lane()) : kept_off(lane(), margin));
        meet_in_the_lane(scene, truck(0.9 + 0.3 * margin));
        scene.play(90.0);
        scene.expect_all_came();
        EXPECT_GE(scene.fleet->knots().untied, 1U) << margin;
    }
}

TEST(MeshKnots, FourInACrossing) {
    for (const double margin : {0.0, 0.4}) {
        for (const FleetUnit& unit : {truck(), lorry()}) {
            MeshScene scene(margin == 0.0 ? mesh_of(crossing()) : kept_off(crossing(), margin));
            four_in_a_crossing(scene, unit);
        }
    }
}

TEST(MeshKnots, YardsOfTwelve) {
    for (int seed = 0; seed < trials(10) / 5 + 1; ++seed) {
        const double side = seed % 2 == 0 ? 44.0 : 32.0;
        MeshScene scene(mesh_of(fleet_yard(side)));
        twelve_in_a_yard(scene, side, static_cast<std::uint64_t>(seed), truck());
    }
}

// Two meet on each floor of a garage, at one place of the plan; nobody waits for the other floor.
TEST(MeshKnots, FloorsOverEachOtherAreUntiedApart) {
    MeshScene scene(mesh_of(garage(), 0.4));
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    for (const double z : {0.0, 4.0}) {
        const FleetId east = scene.add(kind, unit, at_height({2.5, 6}, z));
        const FleetId west = scene.add(kind, unit, at_height({27.5, 6}, z, kPi));
        ASSERT_TRUE(scene.fleet->send(east, Vec3{27.5, 6, z}));
        ASSERT_TRUE(scene.fleet->send(west, Vec3{2.5, 6, z}));
    }
    std::uint32_t at_once = 0;
    for (int i = 0; i < 30 * 90 && scene.arrived() < 4; ++i) {
        scene.tick();
        std::uint32_t in_knots = 0;
        for (const auto& one : scene.ones) in_knots += scene.fleet->unit(one.id).in_knot ? 1 : 0;
        at_once = std::max(at_once, in_knots);
    }
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().begun, 2U);
    EXPECT_EQ(at_once, 4U);
}

// A knot on the ramp takes in those on both of its floors that are in the way, and no others.
TEST(MeshKnots, OnTheRampOfAGarage) {
    MeshScene scene(mesh_of(garage(), 0.4));
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const FleetId up = scene.add(kind, unit, at_height({4, 3}, 0.0));
    const FleetId down = scene.add(kind, unit, at_height({4, 9}, 4.0));
    ASSERT_TRUE(scene.fleet->send(up, Vec3{4, 9, 4}));
    ASSERT_TRUE(scene.fleet->send(down, Vec3{4, 3, 0}));
    const FleetId beside = scene.add(kind, unit, at_height({27, 2}, 4.0));  // over those who come to the ramp
    scene.play(120.0);
    EXPECT_EQ(scene.arrived(), 2U);
    EXPECT_EQ(scene.fleet->unit(beside).place.position, (Vec3{27, 2, 4}));
    scene.expect_legal();
}

/// A ridge of 6 across a road.
NavMesh ridge() {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 6}, {40, 0, 0}, {40, 9, 0}, {20, 9, 6}, {0, 9, 0}};
    plain.polygons = {{0, 1, 4, 5}, {1, 2, 3, 4}};
    return mesh_of(std::move(plain), 0.4);
}

// A leg over a hill is straight, the surface is not: vehicles were at the leg's height and went through each other.
TEST(MeshKnots, AHillIsNoFloorOfItsOwn) {
    MeshScene scene(ridge());
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    (void)scene.add(kind, unit, at_height({20, 4.5}, 6.0));
    const FleetId east = scene.add(kind, unit, at_height({2.5, 4.5}, 0.0));
    const FleetId west = scene.add(kind, unit, at_height({37.5, 4.5}, 0.0, kPi));
    ASSERT_TRUE(scene.fleet->send(east, Vec3{37.5, 4.5, 0}));
    ASSERT_TRUE(scene.fleet->send(west, Vec3{2.5, 4.5, 0}));
    for (int i = 0; i < 30 * 120 && scene.arrived() < 2; ++i) {
        scene.tick();
        for (const auto& one : scene.ones) {
            const Vec3 p = scene.fleet->unit(one.id).place.position;
            EXPECT_NEAR(p.z, 6.0 - 0.3 * std::abs(p.x - 20.0), 1e-9);
        }
    }
    EXPECT_EQ(scene.arrived(), 2U);
    scene.expect_legal();
}

// As wide as the mesh is for: their axles go along the borders, where no cell lies wholly on the surface.
TEST(MeshKnots, WhoStandsOnTheBorderIsPlanned) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {40, 0, 0}, {40, 3.1, 0}, {0, 3.1, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    MeshScene scene(mesh_of(std::move(plain), 0.6));
    const FleetUnit unit = truck(0.6, 1.8);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const FleetId east = scene.add(kind, unit, place_of({1, 0}));
    const FleetId west = scene.add(kind, unit, place_of({39, 0}, kPi));
    ASSERT_TRUE(scene.fleet->send(east, Vec3{39, 0, 0}));
    ASSERT_TRUE(scene.fleet->send(west, Vec3{1, 0, 0}));
    scene.play(60.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().untied, 1U);
}

TEST(MeshKnots, EditsNewGoalsAndStopsBreakThem) {
    MeshScene scene(kept_off(lane(), 0.4));
    const Pair pair = meet_in_the_lane(scene, truck(0.9));
    play_into_knot(scene, pair);
    const MeshEdit crate = MeshEdit::add(1, MeshObstacle::box({58.5, 1.0}, {0.5, 0.5}, 0.0, 0.0, 1.0));
    ASSERT_TRUE(scene.mesh.apply({&crate, 1}));
    ASSERT_TRUE(scene.fleet->world_changed());
    for (int i = 0; i < 150; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->knots().broken, 1U);
    scene.play(120.0);
    scene.expect_all_came();

    MeshScene other(kept_off(lane(), 0.4));
    const Pair two = meet_in_the_lane(other, truck(0.9));
    play_into_knot(other, two);
    ASSERT_TRUE(other.fleet->send(two.east, Vec3{4.5, 4.5, 0}));
    other.play(120.0);
    EXPECT_GE(other.fleet->knots().broken, 1U);
    other.expect_all_came();

    MeshScene third(kept_off(lane(), 0.4));
    const Pair last = meet_in_the_lane(third, truck(0.9));
    play_into_knot(third, last);
    ASSERT_TRUE(third.fleet->remove(last.east));
    for (int i = 0; i < 30 * 60; ++i) third.tick();
    EXPECT_EQ(third.state(last.west), FleetState::arrived);
    third.expect_legal();
}

TEST(MeshKnots, WalkersAroundThem) {
    MeshScene scene(kept_off(crossing(), 0.4));
    const FleetUnit unit = truck();
    const FleetKind trucks = *scene.fleet->add_kind(unit);
    const FleetKind people = *scene.fleet->add_kind(person());
    const FleetId a = scene.add(trucks, unit, place_of({4.5, 30.5}));
    const FleetId b = scene.add(trucks, unit, place_of({55.5, 30.5}, kPi));
    ASSERT_TRUE(scene.fleet->send(a, Vec3{55.5, 30.5, 0}));
    ASSERT_TRUE(scene.fleet->send(b, Vec3{4.5, 30.5, 0}));
    for (int i = 0; i < 12; ++i) {
        const bool up = i % 2 == 0;
        const double along = 14.5 + 2.0 * i;
        const Vec2 from = up ? Vec2{28.5 + 0.9 * (i % 5), along} : Vec2{along, 28.5 + 0.9 * (i % 5)};
        const FleetId id = scene.add(people, person(), place_of(from), false);
        const double to = along < 27.0 ? 46.5 : 12.5;
        ASSERT_TRUE(scene.fleet->send(id, up ? Vec3{from.x, to, 0} : Vec3{to, from.y, 0}));
    }
    scene.play(120.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().begun, 1U);
}

TEST(MeshKnots, ThreadsChangeNothingAndNoMemoryOnceTheyAreOver) {
    std::uint64_t digests[2] = {};
    for (const std::uint32_t threads : {1U, 3U}) {
        FleetOptions options;
        options.schedule.threads = threads;
        MeshScene scene(kept_off(lane(), 0.4), options);
        meet_in_the_lane(scene, truck(0.9));
        scene.play(60.0);
        EXPECT_GE(scene.fleet->knots().begun, 1U);
        digests[threads == 1U ? 0 : 1] = scene.fleet->digest();
        for (int i = 0; i < 30; ++i) scene.tick();
        const std::uint64_t before = heap_calls();
        for (int i = 0; i < 60; ++i)
            ASSERT_TRUE(scene.fleet->update(kFleetTick, {.units = 1000}).has_value());
        EXPECT_EQ(heap_calls(), before);
    }
    EXPECT_EQ(digests[0], digests[1]);
}

}  // namespace
}  // namespace fairlead::testing
