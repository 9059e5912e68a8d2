// Fields that units share: of level meshes, filled over random floors and asked; and a fleet that is sent to one place again and
// again, with
// edits, first legs and fields that take long.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/mesh/mesh_field.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

/// Free ground with some houses.
bool make_yard(Rng& rng, std::int32_t side, Array<std::uint8_t>& tiles) {
    tiles.clear();
    for (std::int32_t i = 0; i < side * side; ++i) {
        if (!tiles.push_back(std::uint8_t{1})) return false;
    }
    for (int i = 0; i < side; ++i) {
        const std::int32_t x0 = rng.between(0, side - 5);
        const std::int32_t y0 = rng.between(0, side - 5);
        const std::int32_t width = rng.between(1, 4);
        for (std::int32_t y = y0; y < y0 + 4; ++y) {
            for (std::int32_t x = x0; x < x0 + width; ++x) tiles[static_cast<std::size_t>(y * side + x)] = 0;
        }
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(mesh_fields) {
    Rng rng(2038);
    Array<std::uint8_t> tiles;
    Route route;
    for (int world = 0; world < 40; ++world) {
        const std::int32_t side = rng.between(10, 40);
        if (!make_yard(rng, side, tiles)) return digest.add(std::uint64_t{1});
        const Result<Grid> grid = Grid::make({.width = side, .height = side}, tiles);
        if (!grid) return digest.add(std::uint64_t{2});
        const Result<NavMesh> mesh = make_grid_mesh(*grid);
        if (!mesh) return digest.add(std::uint64_t{3});
        MeshField field;  // lets go of the mesh before it ends
        const double goal_x = rng.unit() * side;
        const double goal_y = rng.unit() * side;
        if (!field.begin(*mesh, {.goal = {goal_x, goal_y, 0.0}})) return digest.add(std::uint64_t{4});
        while (field.running()) field.step(17);
        digest.add(field.digest());
        for (int k = 0; k < 20; ++k) {
            const double x = rng.unit() * side;
            const double y = rng.unit() * side;
            const MeshFieldStep step = field.sample({x, y, 0.0});
            digest.add(static_cast<std::uint64_t>(step.status));
            digest.add(step.to.x);
            digest.add(step.to.y);
            digest.add(step.remaining);
            if (!field.route({x, y, 0.0}, route)) return digest.add(std::uint64_t{5});
            add_route(digest, route);
        }
    }
}

FAIRLEAD_DIGEST_SCENE(fleet_fields) {
    constexpr std::int32_t kSide = 40;
    Rng rng(2039);
    Array<std::uint8_t> tiles;
    if (!make_yard(rng, kSide, tiles)) return digest.add(std::uint64_t{1});
    Result<Grid> grid = Grid::make({.width = kSide, .height = kSide}, tiles);
    if (!grid) return digest.add(std::uint64_t{2});
    const TileFleet yard(*grid);
    FleetPort port = yard.port();
    port.fields.pays_from = [](const FleetAsk&, void*) { return std::uint32_t{8}; };
    Result<Fleet> fleet = Fleet::make(port, {.first_leg_units = 20});
    if (!fleet) return digest.add(std::uint64_t{3});
    FleetUnit unit;
    unit.agent.radius = 0.4;
    unit.limits.speed_max = 2.0;
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    const Result<FleetKind> kind = fleet->add_kind(unit);
    if (!kind) return digest.add(std::uint64_t{4});
    Array<FleetId> ids;
    const auto free_at = [&](std::int32_t x, std::int32_t y) { return !grid->state().blocked({x, y}); };
    for (std::int32_t i = 0; ids.size() < 30 && i < kSide * kSide / 2; ++i) {
        const std::int32_t x = i * 2 % kSide, y = i * 2 / kSide * 2 % kSide;
        if (!free_at(x, y)) continue;
        Place at;
        at.position = {x + 0.5, y + 0.5, 0.0};
        const Result<FleetId> id = fleet->add(*kind, at);
        if (!id || !ids.push_back(*id)) return digest.add(std::uint64_t{5});
    }
    for (int tick = 0; tick < 600; ++tick) {
        if (tick % 150 == 0) {
            const double x = rng.unit() * kSide;
            const double y = rng.unit() * kSide;
            if (!fleet->send(ids.span(), Vec2{x, y})) return digest.add(std::uint64_t{6});
        }
        if (tick % 200 == 70) {
            const std::int32_t x = rng.between(2, kSide - 6);
            if (!grid->fill({{x, 30}, {x + 3, 31}}, 1)) return digest.add(std::uint64_t{7});
            if (!fleet->world_changed()) return digest.add(std::uint64_t{8});
        }
        const std::uint64_t units = tick < 300 ? 60 : 600;
        if (!fleet->update(1.0 / 30.0, {.units = units})) return digest.add(std::uint64_t{9});
        digest.add(fleet->report().units);
        if (tick % 20 == 0) digest.add(fleet->digest());
    }
    digest.add(fleet->digest());
}
