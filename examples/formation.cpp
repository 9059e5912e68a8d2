// A squad in formation: one call sends it through a gap that only one fits through; it forms again behind it.
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
    Result<Grid> field = Grid::make({.width = 60, .height = 30});
    if (!field || !field->fill({{24, 0}, {25, 14}}, 0) || !field->fill({{24, 16}, {25, 30}}, 0)) return 1;

    const TileFleet tiles(*field);
    Result<Fleet> fleet = Fleet::make(tiles.port());
    if (!fleet) return 1;
    const Result<FleetKind> soldier = fleet->add_kind({.agent = {.radius = 0.4}, .limits = walking()});
    if (!soldier) return 1;
    FleetId squad[15];
    for (int i = 0; i < 15; ++i) {
        const Result<FleetId> id = fleet->add(*soldier, at(3.5 + 1.5 * (i % 3), 8.5 + 2.5 * (i / 3)));
        if (!id) return 1;
        squad[i] = *id;
    }
    Place goal = at(50.0, 15.0);
    goal.heading_rad = kHalfPi;  // there they look up
    const Result<FleetFormationId> sent = fleet->send(squad, Spot(goal), {.shape = FormationShape::wedge});
    if (!sent) return 1;

    FormationState shown = FormationState::idle;
    for (int frame = 0; frame < 60 * 90; ++frame) {
        if (!fleet->update(1.0 / 60.0, {.units = 4000})) return 1;
        const FleetFormationView now = fleet->formation(*sent);
        if (now.state == shown) continue;
        shown = now.state;
        std::printf("%5.1f s  %-8s %4.1f m to go\n", frame / 60.0, formation_state_name(shown),
                    now.remaining);
        if (shown == FormationState::arrived) return 0;
    }
    return 1;
}
