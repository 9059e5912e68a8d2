// Vehicles that meet in a lane with a bay and in a crossing, walkers among them: knots from the first frame to the last. On tiles, and on
// level meshes, one of them with a margin.
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/grid/grid.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

void play(Digest& digest, const FleetPort& port, std::span<const Vec2> ends, std::uint64_t units) {
    Result<Fleet> fleet = Fleet::make(port);
    if (!fleet) return digest.add(std::uint64_t{1});
    FleetUnit truck;
    truck.agent.radius = 0.9;
    truck.agent.turning_radius = 3.0;
    truck.agent.can_reverse = true;
    truck.limits = {.speed_max = 3.0, .accel_max = 4.0, .brake_max = 4.0, .lateral_accel_max = 4.0};
    FleetUnit person;
    person.agent.radius = 0.4;
    const Result<FleetKind> trucks = fleet->add_kind(truck);
    const Result<FleetKind> people = fleet->add_kind(person);
    if (!trucks || !people) return digest.add(std::uint64_t{2});
    for (std::size_t i = 0; i < ends.size(); ++i) {
        for (const FleetKind kind : {*trucks, *people}) {
            const double aside = kind == *people ? 1.7 : 0.0;
            Place from;
            from.position = {ends[i].x + aside, ends[i].y + aside, 0.0};
            const Result<FleetId> id = fleet->add(kind, from);
            if (!id || !fleet->send(*id, ends[i ^ 1] + Vec2{aside, aside}))
                return digest.add(std::uint64_t{3});
        }
    }
    for (int tick = 0; tick < 20 * 45; ++tick) {
        if (!fleet->update(1.0 / 20.0, {.units = units})) return digest.add(std::uint64_t{4});
    }
    digest.add(fleet->digest());
    digest.add(fleet->knots().begun);
    digest.add(fleet->knots().untied);
    digest.add(fleet->knots().units);
}

Result<Grid> lane_with_a_bay() {
    Result<Grid> lane = Grid::make({.width = 60, .height = 12});
    if (!lane) return lane;
    (void)lane->fill({{10, 0}, {50, 5}}, 0);
    (void)lane->fill({{10, 8}, {24, 12}}, 0);
    (void)lane->fill({{36, 8}, {50, 12}}, 0);
    return lane;
}

Result<Grid> crossing_streets() {
    Result<Grid> crossing = Grid::make({.width = 48, .height = 48});
    if (!crossing) return crossing;
    for (const std::int32_t x : {0, 27}) {
        for (const std::int32_t y : {0, 27}) (void)crossing->fill({{x, y}, {x + 21, y + 21}}, 0);
    }
    return crossing;
}

constexpr Vec2 kInLane[] = {{4.5, 6.5}, {55.5, 6.5}};
constexpr Vec2 kInCrossing[] = {{3.5, 23.5}, {44.5, 24.5}, {23.5, 3.5}, {24.5, 44.5}};

/// The surface ends `margin` before walls.
Result<NavMesh> surface_of(const Grid& grid, double margin) {
    GridTile cut;
    PolygonScratch polygons;
    if (const Result<void> made = grid_tile_into(grid.state(), {}, 0, 0, polygons, cut); !made)
        return made.error();
    const NavMeshTile tile = cut.tile();
    return NavMesh::make({.agent_radius = margin, .tiles = {&tile, 1}});
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(fleet_knots) {
    const Result<Grid> lane = lane_with_a_bay();
    const Result<Grid> crossing = crossing_streets();
    if (!lane || !crossing) return digest.add(std::uint64_t{0});
    play(digest, TileFleet(*lane).port(), kInLane, 2000);
    play(digest, TileFleet(*crossing).port(), kInCrossing, 20000);
}

FAIRLEAD_DIGEST_SCENE(fleet_mesh_knots) {
    const Result<Grid> lane = lane_with_a_bay();
    const Result<Grid> crossing = crossing_streets();
    if (!lane || !crossing) return digest.add(std::uint64_t{0});
    const Result<NavMesh> plain = surface_of(*lane, 0.0);
    const Result<NavMesh> kept_off = surface_of(*crossing, 0.4);
    if (!plain || !kept_off) return digest.add(std::uint64_t{5});
    play(digest, MeshFleet(*plain).port(), kInLane, 2000);
    play(digest, MeshFleet(*kept_off).port(), kInCrossing, 20000);
}

// Four people in a lane one tile wide with one side pocket: two of them have to go back.
FAIRLEAD_DIGEST_SCENE(fleet_tangle) {
    Result<Grid> lane = Grid::make({.width = 30, .height = 6});
    if (!lane) return digest.add(std::uint64_t{0});
    (void)lane->fill({{0, 0}, {30, 6}}, 0);
    (void)lane->fill({{0, 3}, {30, 4}}, 1);
    (void)lane->fill({{16, 0}, {17, 3}}, 1);
    const TileFleet port(*lane);
    Result<Fleet> fleet = Fleet::make(port.port());
    if (!fleet) return digest.add(std::uint64_t{1});
    FleetUnit person;
    person.agent.radius = 0.4;
    person.limits = SpeedLimits::only(1.5);
    person.limits.accel_max = person.limits.brake_max = 6.0;
    const Result<FleetKind> people = fleet->add_kind(person);
    if (!people) return digest.add(std::uint64_t{2});
    for (const double x : {0.5, 2.5, 27.5, 29.5}) {
        Place from;
        from.position = {x, 3.5, 0.0};
        const Result<FleetId> id = fleet->add(*people, from);
        if (!id || !fleet->send(*id, Vec2{30.0 - x, 3.5})) return digest.add(std::uint64_t{3});
    }
    for (int tick = 0; tick < 30 * 60; ++tick) {
        if (!fleet->update(1.0 / 30.0, {.units = 300})) return digest.add(std::uint64_t{4});
    }
    digest.add(fleet->digest());
    digest.add(fleet->knots().begun);
    digest.add(fleet->knots().untied);
}
