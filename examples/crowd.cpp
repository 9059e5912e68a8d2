// A squad crosses a town: one call a unit, one call a frame.
#include <cstdio>

#include <fairlead/fairlead.h>

using namespace fairlead;

namespace {

SpeedLimits walking() {
    SpeedLimits limits = SpeedLimits::only(2.0);
    limits.accel_max = limits.brake_max = 8.0;
    return limits;
}

Place at(double x, double y) {
    Place place;
    place.position = {x, y, 0.0};
    return place;
}

}  // namespace

int main() {
    Result<Grid> town = Grid::make({.width = 40, .height = 40});
    if (!town || !town->fill({{19, 0}, {21, 18}}, 0) || !town->fill({{19, 20}, {21, 40}}, 0))
        return 1;  // a door

    const TileFleet tiles(*town);
    Result<Fleet> fleet = Fleet::make(tiles.port());
    if (!fleet) return 1;
    const Result<FleetKind> soldier = fleet->add_kind({.agent = {.radius = 0.4}, .limits = walking()});
    if (!soldier) return 1;
    for (int i = 0; i < 20; ++i) {
        const Result<FleetId> id = fleet->add(*soldier, at(2.5 + i % 5, 2.5 + i / 5));
        if (!id || !fleet->send(*id, Vec2{36.5 - i % 5, 36.5 - i / 5})) return 1;
    }
    for (int frame = 0; frame < 60 * 60; ++frame) {
        if (!fleet->update(1.0 / 60.0, {.units = 4000})) return 1;
    }
    int arrived = 0;
    for (std::uint32_t i = 0; i < 20; ++i) {
        arrived += fleet->unit(FleetId{i}).state == FleetState::arrived ? 1 : 0;
    }
    std::printf("%d of 20 are through the door\n", arrived);
    return arrived == 20 ? 0 : 1;
}
