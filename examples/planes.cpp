// Planes and drones in one hall: planes cannot turn on the spot, and climb no steeper than they can; everybody keeps clear of everybody.
// In the middle of it a wall comes.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Volume> hall = Volume::make({.size = {48, 32, 16}});
    if (!hall || !hall->apply(VolumeEdit::fill({{23, 0, 0}, {25, 10, 16}}))) return 1;
    const VolumeFleet space(*hall);
    Result<Fleet> fleet = Fleet::make(space.port());
    if (!fleet) return 1;

    FleetUnit plane;
    plane.agent = {.radius = 0.4, .turning_radius = 2.0};
    plane.limits = {.speed_max = 4.0, .accel_max = 3.0, .brake_max = 4.0};
    plane.climb = {.up_rad = 0.4, .down_rad = 0.5};
    FleetUnit drone;
    drone.agent.radius = 0.5;
    drone.limits = {.speed_max = 2.0, .accel_max = 4.0, .brake_max = 4.0};
    const Result<FleetKind> planes = fleet->add_kind(plane);
    const Result<FleetKind> drones = fleet->add_kind(drone);
    if (!planes || !drones) return 1;

    FleetId ids[8];
    for (int i = 0; i < 8; ++i) {
        const bool flies = i % 2 == 0;
        Place from;
        from.position = {flies ? 4.0 : 44.0, 3.0 + 3.5 * i, 8.0};
        const Result<FleetId> id = fleet->add(flies ? *planes : *drones, from, flies);  // planes face along x
        if (!id) return 1;
        ids[i] = *id;
        if (!fleet->send(*id, Vec3{flies ? 44.0 : 4.0, 28.0 - 3.5 * i, 5.0 + i})) return 1;
    }
    int arrived = 0;
    int tick = 0;
    for (; tick < 60 * 60 && arrived < 8; ++tick) {
        if (tick == 120) {  // a wall comes, with a way over it
            if (!hall->apply(VolumeEdit::fill({{27, 0, 0}, {28, 32, 9}})) || !fleet->world_changed())
                return 1;
        }
        if (!fleet->update(1.0 / 60.0, {.units = 4000})) return 1;
        arrived = 0;
        for (const FleetId id : ids) arrived += fleet->unit(id).state == FleetState::arrived ? 1 : 0;
    }
    for (const FleetId id : ids) {
        const FleetView unit = fleet->unit(id);
        std::printf("at (%.1f, %.1f, %.1f): %s\n", unit.place.position.x, unit.place.position.y,
                    unit.place.position.z, fleet_state_name(unit.state));
    }
    std::printf("%d of 8 there after %.1f s\n", arrived, tick / 60.0);
    return arrived == 8 ? 0 : 1;
}
