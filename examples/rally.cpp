// Seven hundred units to one flag: one call, one shared field in place of seven hundred searches, within each frame's budget.
#include <cstdio>
#include <vector>

#include <fairlead/fairlead.h>

using namespace fairlead;

int main() {
    Result<Grid> town = Grid::make({.width = 120, .height = 80});
    if (!town || !town->fill({{60, 0}, {62, 30}}, 0) || !town->fill({{60, 50}, {62, 80}}, 0)) return 1;
    const TileFleet tiles(*town);
    Result<Fleet> fleet = Fleet::make(tiles.port());
    if (!fleet) return 1;
    FleetUnit soldier{.agent = {.radius = 0.3}, .limits = SpeedLimits::only(2.0)};
    soldier.limits.accel_max = soldier.limits.brake_max = soldier.limits.lateral_accel_max = 8.0;
    const Result<FleetKind> kind = fleet->add_kind(soldier);
    if (!kind) return 1;
    std::vector<FleetId> all;
    for (int i = 0; i < 700; ++i) {
        Place at;
        at.position = {2.5 + i % 28, 2.5 + 3 * (i / 28), 0.0};
        const Result<FleetId> id = fleet->add(*kind, at);
        if (!id) return 1;
        all.push_back(*id);
    }
    const Vec2 flag{100.5, 40.5};
    if (!fleet->send(all, flag)) return 1;

    int frames_to_start = 0;
    std::size_t by_field = 0;
    for (int frame = 1; frame <= 300; ++frame) {
        if (!fleet->update(1.0 / 30.0, {.units = 4000}) || fleet->report().units > 4000) return 1;
        std::size_t have = 0;
        by_field = 0;
        for (const FleetId id : all) {
            have += fleet->unit(id).has_way ? 1 : 0;
            by_field += fleet->route(id)->status == PathStatus::complete ? 1 : 0;
        }
        if (have == all.size() && frames_to_start == 0) frames_to_start = frame;
    }
    std::printf("all of %zu have a way after %d frames; %zu fields\n", all.size(), frames_to_start,
                fleet->fields());
    return frames_to_start > 0 && by_field == all.size() ? 0 : 1;
}
