// Drones of two sizes fly through a building, past each other: one call a unit, one call a frame.
#include <cstdio>

#include <fairlead/fairlead.h>

using namespace fairlead;

namespace {

SpeedLimits flying() {
    SpeedLimits limits = SpeedLimits::only(3.0);
    limits.accel_max = limits.brake_max = limits.lateral_accel_max = 6.0;
    return limits;
}

Place at(double x, double y, double z) {
    Place place;
    place.position = {x, y, z};
    return place;
}

}  // namespace

int main() {
    Result<Volume> hangar = Volume::make({.size = {40, 16, 12}});
    const VolumeEdit wall[] = {VolumeEdit::fill({{19, 0, 0}, {22, 16, 12}}),
                               VolumeEdit::clear({{19, 7, 5}, {22, 8, 6}}),   // a hole one voxel wide,
                               VolumeEdit::clear({{19, 2, 2}, {22, 5, 4}})};  // and a wide one
    if (!hangar || !hangar->apply(wall)) return 1;

    const VolumeFleet space(*hangar);
    Result<Fleet> fleet = Fleet::make(space.port());
    if (!fleet) return 1;
    const Result<FleetKind> small = fleet->add_kind({.agent = {.radius = 0.45}, .limits = flying()});
    const Result<FleetKind> large = fleet->add_kind({.agent = {.radius = 0.9}, .limits = flying()});
    if (!small || !large) return 1;
    for (int i = 0; i < 24; ++i) {
        const bool west = i % 2 == 0;
        const double x = west ? 2.0 + i / 4 * 2.0 : 38.0 - i / 4 * 2.0;
        const double z = i % 4 < 2 ? 3.0 : 8.0;
        const Result<FleetId> id = fleet->add(i % 6 == 0 ? *large : *small, at(x, 8.0, z));
        if (!id || !fleet->send(*id, Vec3{40.0 - x, 8.0, z})) return 1;
    }
    for (int frame = 0; frame < 60 * 60; ++frame) {
        if (!fleet->update(1.0 / 60.0, {.units = 4000})) return 1;
    }

    int arrived = 0;
    double nearest = 1e9;
    for (std::uint64_t i = 0; i < fleet->size(); ++i) {
        const FleetView unit = fleet->unit(FleetId{i});
        if (unit.state == FleetState::arrived) ++arrived;
        for (std::uint64_t k = 0; k < i; ++k) {
            const double apart = distance(unit.place.position, fleet->unit(FleetId{k}).place.position);
            if (apart < nearest) nearest = apart;
        }
    }
    std::printf("%d of %zu arrived; the nearest two are %.2f apart\n", arrived, fleet->size(), nearest);
    return arrived == 24 && nearest >= 0.9 * (1.0 - 1e-9) ? 0 : 1;
}
