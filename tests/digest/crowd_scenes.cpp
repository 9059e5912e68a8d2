// Crowds on tiles and on a level mesh, with and without limits, through narrow places and around one goal.
#include <fairlead/base/rng.h>
#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/crowd/crowd.h>
#include <fairlead/fleet/roadmap_fleet.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/sight.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

constexpr std::int32_t kRoomsSide = 80;

/// Rooms with doors that are three cells wide.
Result<Grid> rooms() {
    Result<Grid> grid = Grid::make({.width = kRoomsSide, .height = kRoomsSide, .cell_size = 0.5});
    if (!grid) return grid;
    for (std::int32_t at = 20; at < kRoomsSide; at += 20) {
        if (!grid->fill({{at, 0}, {at + 1, kRoomsSide}}, 0) ||
            !grid->fill({{0, at}, {kRoomsSide, at + 1}}, 0)) {
            return Error{ErrorCode::out_of_memory};
        }
    }
    for (std::int32_t at = 20; at < kRoomsSide; at += 20) {
        for (std::int32_t door = 10; door < kRoomsSide; door += 20) {
            if (!grid->fill({{at, door}, {at + 1, door + 3}}, 1) ||
                !grid->fill({{door, at}, {door + 3, at + 1}}, 1)) {
                return Error{ErrorCode::out_of_memory};
            }
        }
    }
    return grid;
}

void rows_of(std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
    const GridState& grid = *static_cast<const GridState*>(user);
    for (std::size_t i = 0; i < blocked.size(); ++i) {
        blocked[i] = grid.blocked({(x + static_cast<std::int32_t>(i)) / 5, y / 5}) ? 1 : 0;
    }
}

Vec2 free_place(const GridState& grid, Rng& rng) {
    for (;;) {
        const double x = rng.between(0.5, 39.5);
        const double y = rng.between(0.5, 39.5);
        const Cell cell = grid.cell_at({x, y});
        if (grid.can_stand(cell, {.radius = 0.4})) return grid.cell_centre(cell);
    }
}

template <class World, class Query>
void play(Digest& digest, const World& world, const Query& ask, const CrowdWorld& seen, const GridState& grid,
          const NarrowPlaces& places, const SpeedLimits& limits, std::int32_t facings = 0) {
    Result<Crowd> crowd = Crowd::make({.seed = 3});
    if (!crowd || !crowd->set_places(&places)) return digest.add(std::uint64_t{1});
    Rng rng(77);
    Scratch scratch;
    for (std::uint32_t i = 0; i < 40; ++i) {
        Place at;
        const Vec2 from = free_place(grid, rng);
        const Vec2 goal = i % 4 == 0 ? Vec2{5.25, 5.25} : free_place(grid, rng);
        at.position = {from.x, from.y, 0.0};
        CrowdUnit body;
        body.radius = 0.4;
        body.limits = limits;
        body.facings = facings;
        const Result<UnitId> id = crowd->add(body, at);
        Query query = ask;
        query.start = from;
        query.goal = goal;
        query.agent.radius = 0.4;
        const Result<Route> route = find_route(world, query, scratch);
        if (!id || !route) return digest.add(std::uint64_t{2});
        if (!crowd->send(*id, *route, {i % 4 == 0 ? 1U : 0U})) return digest.add(std::uint64_t{3});
    }
    for (int tick = 0; tick < 400; ++tick) {
        if (!crowd->update(1.0 / 30.0, seen)) return digest.add(std::uint64_t{4});
        if (tick % 50 == 0) digest.add(crowd->digest());
    }
    digest.add(crowd->digest());
}

/// Two halls with a shaft of one voxel and a hole of two between them.
Result<Volume> shaft_halls() {
    VolumeOptions options;
    options.size = {30, 12, 12};
    Result<Volume> volume = Volume::make(options);
    if (!volume) return volume;
    const VolumeEdit edits[] = {VolumeEdit::fill({{13, 0, 0}, {17, 12, 12}}),
                                VolumeEdit::clear({{13, 3, 3}, {17, 4, 4}}),
                                VolumeEdit::clear({{13, 8, 8}, {17, 10, 10}})};
    if (!volume->apply(edits)) return Error{ErrorCode::out_of_memory};
    return volume;
}

Vec3 free_place(const VolumeState& volume, Rng& rng) {
    for (;;) {
        const double x = rng.between(0.5, 29.5);
        const double y = rng.between(0.5, 11.5);
        const double z = rng.between(0.5, 11.5);
        if (fits(volume, {x, y, z}, 0.45)) return {x, y, z};
    }
}

void play_in_space(Digest& digest, const VolumeState& volume, const SpeedLimits& limits) {
    CrowdOptions options;
    options.space = true;
    Result<Crowd> crowd = Crowd::make(options);
    if (!crowd) return digest.add(std::uint64_t{1});
    Rng rng(78);
    Scratch scratch;
    for (std::uint32_t i = 0; i < 40; ++i) {
        Place at;
        at.position = free_place(volume, rng);
        CrowdUnit body;
        body.radius = i % 3 == 0 ? 0.3 : 0.45;
        body.limits = limits;
        VolumeQuery query;
        query.start = at.position;
        const Vec3 goal = free_place(volume, rng);
        query.goal = i % 4 == 0 ? Vec3{24, 6, 6} : goal;
        query.agent.radius = body.radius;
        const Result<UnitId> id = crowd->add(body, at);
        const Result<Route> route = find_route(volume, query, scratch);
        if (!id || !route) return digest.add(std::uint64_t{2});
        if (!crowd->send(*id, *route, {i % 4 == 0 ? 1U : 0U})) return digest.add(std::uint64_t{3});
    }
    const VolumeCrowd over(volume);
    for (int tick = 0; tick < 400; ++tick) {
        if (!crowd->update(1.0 / 30.0, over.world())) return digest.add(std::uint64_t{4});
        if (tick % 50 == 0) digest.add(crowd->digest());
    }
    digest.add(crowd->digest());
}

/// Streets, a narrow lane, a one-way road and a slow one; a hill.
Result<Roadmap> village() {
    const Waypoint nodes[] = {{WaypointId{1}, {0, 0, 0}},    {WaypointId{2}, {20, 2, 0}},
                              {WaypointId{3}, {41, 0, 0}},   {WaypointId{4}, {18, 21, 0}},
                              {WaypointId{5}, {40, 23, 0}},  {WaypointId{6}, {-3, 20, 0}},
                              {WaypointId{7}, {20, -17, 0}}, {WaypointId{8}, {60, 11, 6}}};
    WaypointEdge edges[] = {
        {.from = WaypointId{1}, .to = WaypointId{2}}, {.from = WaypointId{2}, .to = WaypointId{3}},
        {.from = WaypointId{2}, .to = WaypointId{4}}, {.from = WaypointId{4}, .to = WaypointId{5}},
        {.from = WaypointId{3}, .to = WaypointId{5}}, {.from = WaypointId{4}, .to = WaypointId{6}},
        {.from = WaypointId{6}, .to = WaypointId{1}}, {.from = WaypointId{2}, .to = WaypointId{7}},
        {.from = WaypointId{3}, .to = WaypointId{8}}, {.from = WaypointId{8}, .to = WaypointId{5}}};
    edges[4].one_way = edges[6].one_way = true;
    edges[2].kind = edges[7].kind = 1;
    edges[5].kind = 2;
    const RoadKind kinds[] = {{5.0, 3.0}, {2.2, kNoLimit}, {3.5, 1.0}};
    return Roadmap::make({.nodes = nodes, .edges = edges, .roads = kinds});
}

Place on_edge(const RoadmapState& roads, std::int64_t from, std::int64_t to, double part) {
    const Vec3 a = roads.node(roads.find({from})).position;
    const Vec3 b = roads.node(roads.find({to})).position;
    Place place;
    place.position = a + (b - a) * part;
    return place;
}

void play_on_roads(Digest& digest, Roadmap& roads, const SpeedLimits& limits) {
    const RoadmapFleet port(roads);
    Result<Fleet> fleet = Fleet::make(port.port());
    if (!fleet) return digest.add(std::uint64_t{1});
    FleetUnit unit;
    unit.agent.radius = 0.5;
    unit.limits = limits;
    const Result<FleetKind> kind = fleet->add_kind(unit);
    if (!kind) return digest.add(std::uint64_t{2});
    const std::int64_t ends[][2] = {{1, 2}, {2, 3}, {4, 5}, {4, 6}, {2, 7}, {8, 5}, {3, 8}};
    for (std::uint32_t i = 0; i < 42; ++i) {
        const auto& at = ends[i % 7];
        const auto& to = ends[(i * 3 + 2) % 7];
        const double part = 0.15 + 0.12 * (i / 7);
        const Result<FleetId> id = fleet->add(*kind, on_edge(roads.state(), at[0], at[1], part));
        if (!id || !fleet->send(*id, on_edge(roads.state(), to[0], to[1], 1.0 - part).position)) {
            return digest.add(std::uint64_t{3});
        }
    }
    for (int tick = 0; tick < 900; ++tick) {
        if (!fleet->update(1.0 / 30.0, {.units = 500})) return digest.add(std::uint64_t{4});
        if (tick == 200) {
            const WaypointEdge closed{.from = WaypointId{3}, .to = WaypointId{8}};
            if (!roads.remove_edge(closed) || !fleet->world_changed()) return digest.add(std::uint64_t{5});
        }
        if (tick % 50 == 0) digest.add(fleet->digest());
    }
    digest.add(fleet->digest());
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(crowd_in_space) {
    const Result<Volume> volume = shaft_halls();
    if (!volume) return digest.add(std::uint64_t{1});
    SpeedLimits slow = SpeedLimits::only(1.5);
    slow.accel_max = slow.brake_max = slow.lateral_accel_max = 3.0;
    play_in_space(digest, volume->state(), SpeedLimits::only(1.5));
    play_in_space(digest, volume->state(), slow);
}

namespace {

Result<NarrowPlaces> places_of(const GridState& state) {
    PlaceFinder finder;
    PlacesOptions options;
    options.cell = 0.1;
    options.width = options.height = kRoomsSide * 5;
    options.radius = 0.4;
    return finder.find(options, {rows_of, const_cast<GridState*>(&state)});
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(crowd_updates) {
    const Result<Grid> grid = rooms();
    if (!grid) return digest.add(std::uint64_t{1});
    const Result<NavMesh> mesh = make_grid_mesh(grid->state(), {.radius_max = 0.4});
    const GridState& state = grid->state();
    const Result<NarrowPlaces> places = places_of(state);
    if (!mesh || !places) return digest.add(std::uint64_t{5});
    SpeedLimits slow = SpeedLimits::only(1.5);
    slow.accel_max = slow.brake_max = slow.lateral_accel_max = 3.0;
    const TileCrowd tiles(state);
    const MeshCrowd level(mesh->state());
    play(digest, *grid, GridQuery{}, tiles.world(), state, *places, SpeedLimits::only(1.5));
    play(digest, *grid, GridQuery{}, tiles.world(), state, *places, slow);
    play(digest, *mesh, MeshQuery{}, level.world(), state, *places, slow);
}

/// Units that face a way: facings, a turn rate, both.
FAIRLEAD_DIGEST_SCENE(crowd_facings) {
    const Result<Grid> grid = rooms();
    if (!grid) return digest.add(std::uint64_t{1});
    const GridState& state = grid->state();
    const Result<NarrowPlaces> places = places_of(state);
    if (!places) return digest.add(std::uint64_t{5});
    SpeedLimits turning = SpeedLimits::only(1.5);
    turning.accel_max = turning.brake_max = turning.lateral_accel_max = 3.0;
    turning.turn_rate_max = 3.0;
    const TileCrowd tiles(state);
    play(digest, *grid, GridQuery{}, tiles.world(), state, *places, SpeedLimits::only(1.5), 8);
    play(digest, *grid, GridQuery{}, tiles.world(), state, *places, turning, 16);
    play(digest, *grid, GridQuery{}, tiles.world(), state, *places, turning);
}

FAIRLEAD_DIGEST_SCENE(crowd_on_roads) {
    SpeedLimits slow = SpeedLimits::only(2.5);
    slow.accel_max = slow.brake_max = slow.lateral_accel_max = 3.0;
    for (const SpeedLimits& limits : {SpeedLimits::only(4.0), slow}) {
        Result<Roadmap> roads = village();
        if (!roads) return digest.add(std::uint64_t{6});
        play_on_roads(digest, *roads, limits);
    }
}
