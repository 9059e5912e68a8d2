// One walker in space, without limits of acceleration and with them, through caves and tunnels as wide as it: it arrives wherever there is
// a route, and touches nothing.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/volume_fleet.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/sight.h>

#include "support/environment.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

constexpr double kAloneRadius = 0.4;
constexpr double kAloneTick = 1.0 / 30.0;

FleetUnit flyer(bool limits) {
    FleetUnit unit;
    unit.agent.radius = kAloneRadius;
    unit.limits.speed_max = 4.0;
    if (limits) unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    return unit;
}

Vec3 middle_of(Voxel voxel) { return {voxel.x + 0.5, voxel.y + 0.5, voxel.z + 0.5}; }

/// True: there was a route, and it arrived.
bool fly_alone(const Volume& volume, bool limits, Vec3 from, Vec3 to) {
    VolumeQuery query;
    query.start = Spot(from);
    query.goal = Spot(to);
    query.agent.radius = kAloneRadius;
    Scratch scratch;
    const Route route = *find_route(volume.state(), query, scratch);
    if (route.status != PathStatus::complete) return false;
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(flyer(limits));
    Place place;
    place.position = from;
    const FleetId unit = *fleet.add(kind, place);
    EXPECT_TRUE(fleet.send(unit, Spot(to)));
    FleetState state = FleetState::waiting;
    int frames = static_cast<int>((30.0 + route.length) / kAloneTick);
    Vec3 before = from;
    for (; frames > 0 && (state == FleetState::waiting || state == FleetState::moving); --frames) {
        EXPECT_TRUE(fleet.update(kAloneTick, {.units = 5000}));
        const FleetView view = fleet.unit(unit);
        EXPECT_TRUE(in_sight(volume.state(), before, view.place.position, kAloneRadius * (1.0 - 1e-9)));
        before = view.place.position;
        state = view.state;
    }
    EXPECT_EQ(fleet_state_name(state), std::string("arrived"))
        << from.x << "," << from.y << "," << from.z << " to " << to.x << "," << to.y << "," << to.z;
    return true;
}

TEST(SpaceAlone, ItArrivesWhereverThereIsARoute) {
    int arrived = 0;
    const int rounds = trials(60);
    for (int round = 0; round < rounds; ++round) {
        Rng rng(700 + static_cast<std::uint64_t>(round));
        const auto kind = static_cast<VolumeKind>(round % static_cast<int>(VolumeKind::count_));
        const oracle::VolumeDense dense = random_volume(rng, kind, {16, 16, 16});
        const Volume volume = make_volume(dense);
        for (int i = 0; i < 6; ++i) {
            Voxel a, b;
            if (!draw_free(rng, dense, a) || !draw_free(rng, dense, b)) continue;
            SCOPED_TRACE(std::to_string(round) + "/" + std::to_string(i));
            if (fly_alone(volume, i % 2 == 0, middle_of(a), middle_of(b))) ++arrived;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(arrived, 100);
}

}  // namespace
}  // namespace fairlead::testing
