// Fleets over each kind of world, from the first frame to the last: walkers, vehicles with reverse, drones and planes; edits on the way.
#include <span>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/roadmap_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/fleet/volume_fleet.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

FleetUnit walker(double radius, double speed) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits = {.speed_max = speed, .accel_max = 4.0, .brake_max = 5.0};
    return unit;
}

FleetUnit vehicle(double radius, double turning_radius) {
    FleetUnit unit = walker(radius, 3.0);
    unit.agent.turning_radius = turning_radius;
    unit.limits.lateral_accel_max = 4.0;
    return unit;
}

struct Trip {
    FleetUnit unit{};
    Place from{};
    Spot to{};
    bool headed = false;
};

Place at(Vec3 position, double heading = 0.0) {
    Place place;
    place.position = position;
    place.heading_rad = heading;
    return place;
}

/// `edit`: called in the tenth second.
template <class Edit>
void play(Digest& digest, const FleetPort& port, std::span<const Trip> trips, std::uint64_t units,
          const Edit& edit) {
    Result<Fleet> fleet = Fleet::make(port);
    if (!fleet) return digest.add(std::uint64_t{1});
    for (const Trip& trip : trips) {
        const Result<FleetKind> kind = fleet->add_kind(trip.unit);
        if (!kind) return digest.add(std::uint64_t{2});
        const Result<FleetId> id = fleet->add(*kind, trip.from, trip.headed);
        if (!id || !fleet->send(*id, trip.to)) return digest.add(std::uint64_t{3});
    }
    for (int tick = 0; tick < 20 * 40; ++tick) {
        if (tick == 200 && !edit()) return digest.add(std::uint64_t{4});
        if (tick == 200 && !fleet->world_changed()) return digest.add(std::uint64_t{5});
        if (!fleet->update(1.0 / 20.0, {.units = units})) return digest.add(std::uint64_t{6});
        if (tick % 100 == 0) digest.add(fleet->digest());
    }
    digest.add(fleet->digest());
}

/// Rooms of 16 with doors of four.
Result<Grid> six_rooms() {
    Result<Grid> grid = Grid::make({.width = 48, .height = 32});
    if (!grid) return grid;
    for (const std::int32_t x : {15, 31}) (void)grid->fill({{x, 0}, {x + 1, 32}}, 0);
    (void)grid->fill({{0, 15}, {48, 16}}, 0);
    for (const std::int32_t x : {15, 31}) {
        for (const std::int32_t y : {6, 22}) (void)grid->fill({{x, y}, {x + 1, y + 4}}, 1);
    }
    for (const std::int32_t x : {6, 22, 38}) (void)grid->fill({{x, 15}, {x + 4, 16}}, 1);
    return grid;
}

/// Across the rooms, to both sides.
constexpr std::size_t kTrips = 10;
void set_out(Trip (&trips)[kTrips], double height) {
    for (std::size_t i = 0; i < kTrips; ++i) {
        Trip& trip = trips[i];
        const double y = 3.0 + 2.9 * static_cast<double>(i);
        const bool east = i % 2 == 0;
        trip.from = at({east ? 3.5 : 44.5, y, height}, east ? 0.0 : -kPi);
        trip.to = Spot(east ? 44.5 : 3.5, y < 16.0 ? y + 13.0 : y - 13.0, height);
        trip.unit = walker(0.3 + 0.02 * static_cast<double>(i), 1.5 + 0.1 * static_cast<double>(i));
        if (i % 4 != 3) continue;
        trip.unit = vehicle(0.7, 2.5);
        trip.unit.agent.can_reverse = true;
        trip.headed = true;
    }
}

Result<Volume> halls() {
    Result<Volume> volume = Volume::make({.size = {48, 32, 14}});
    if (!volume) return volume;
    (void)volume->apply(VolumeEdit::fill({{23, 0, 0}, {25, 32, 14}}));
    (void)volume->apply(VolumeEdit::clear({{23, 4, 2}, {25, 10, 8}}));
    (void)volume->apply(VolumeEdit::clear({{23, 20, 6}, {25, 26, 12}}));
    (void)volume->apply(VolumeEdit::fill({{10, 12, 0}, {12, 14, 14}}));
    return volume;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(fleet_runs) {
    Result<Grid> grid = six_rooms();
    if (!grid) return digest.add(std::uint64_t{0});
    Result<NavMesh> mesh = make_grid_mesh(grid->state(), {.radius_max = 0.8});
    if (!mesh) return digest.add(std::uint64_t{0});
    Trip trips[kTrips];
    set_out(trips, 0.0);
    {
        const TileFleet port(*grid);
        play(digest, port.port(), trips, 3000, [&] {
            return grid->fill({{15, 6}, {16, 10}}, 0).has_value();
        });
    }
    {
        const MeshFleet port(*mesh);
        const MeshEdit crate = MeshEdit::add(7, MeshObstacle::box({23.0, 8.0}, {2.0, 1.5}, 0.3, -1.0, 3.0));
        play(digest, port.port(), trips, 3000, [&] { return mesh->apply({&crate, 1}).has_value(); });
    }
    const Waypoint nodes[] = {{WaypointId{1}, {0, 0, 0}},
                              {WaypointId{2}, {24, 3, 0}},
                              {WaypointId{3}, {48, 0, 0}},
                              {WaypointId{4}, {24, 30, 2}}};
    WaypointEdge edges[] = {{.from = WaypointId{1}, .to = WaypointId{2}},
                            {.from = WaypointId{2}, .to = WaypointId{3}},
                            {.from = WaypointId{1}, .to = WaypointId{4}},
                            {.from = WaypointId{4}, .to = WaypointId{3}}};
    edges[3].kind = 1;
    const RoadKind kinds[] = {{4.0, 2.5}, {2.4, kNoLimit}};
    Result<Roadmap> roads = Roadmap::make({.nodes = nodes, .edges = edges, .roads = kinds});
    if (!roads) return digest.add(std::uint64_t{0});
    {
        Trip walks[8];
        for (std::size_t i = 0; i < 8; ++i) {
            const bool east = i % 2 == 0;
            const double x = 2.0 + 1.3 * static_cast<double>(i);
            walks[i] = {walker(0.4, 2.0), at({east ? x : 48.0 - x, x / 8.0, 0.0}),
                        Spot(east ? 46.0 : 2.0, 0.25, 0.0)};
        }
        const RoadmapFleet port(*roads);
        play(digest, port.port(), walks, 500, [&] {
            const WaypointEdge closed{.from = WaypointId{2}, .to = WaypointId{3}};
            return roads->remove_edge(closed).has_value();
        });
    }
    Result<Volume> volume = halls();
    if (!volume) return digest.add(std::uint64_t{0});
    {
        set_out(trips, 7.0);
        for (std::size_t i = 3; i < kTrips; i += 4) {
            trips[i].unit = vehicle(0.5, 2.0);
            trips[i].unit.climb = {0.4, 0.5};
        }
        const VolumeFleet port(*volume);
        play(digest, port.port(), trips, 4000, [&] {
            return volume->apply(VolumeEdit::fill({{23, 4, 2}, {25, 10, 4}})).has_value();
        });
    }
}
