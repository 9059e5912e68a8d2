// Sprites drawn for 16 facings: they go past each other and round a wall, and always move the way that their picture faces.
#include <cmath>
#include <cstdio>

#include <fairlead/fairlead.h>

using namespace fairlead;

int main() {
    Result<Grid> yard = Grid::make({.width = 30, .height = 20});
    if (!yard || !yard->fill({{12, 6}, {18, 14}}, 0)) return 1;

    const TileFleet tiles(*yard);
    Result<Fleet> fleet = Fleet::make(tiles.port());
    if (!fleet) return 1;
    FleetUnit sprite{.agent = {.radius = 0.4}, .limits = SpeedLimits::only(1.5), .facings = 16};
    const Result<FleetKind> kind = fleet->add_kind(sprite);
    if (!kind) return 1;
    FleetId units[8];
    for (int i = 0; i < 8; ++i) {
        const bool west = i < 4;
        Place from;
        from.position = {west ? 2.5 : 27.5, 7.5 + 1.5 * (i % 4), 0.0};
        const Result<FleetId> id = fleet->add(*kind, from);
        if (!id || !fleet->send(*id, Vec2{west ? 27.5 : 2.5, 12.5 - 1.5 * (i % 4)})) return 1;
        units[i] = *id;
    }

    Place before = fleet->unit(units[0]).place;
    int arrived = 0;
    for (int frame = 0; frame < 60 * 60 && arrived < 8; ++frame) {
        if (!fleet->update(1.0 / 60.0, {.units = 4000})) return 1;
        const Place now = fleet->unit(units[0]).place;
        if (now.heading_rad != before.heading_rad)
            std::printf("%5.1f s  at %4.1f %4.1f it faces %6.1f degrees\n", frame / 60.0, now.position.x,
                        now.position.y, now.heading_rad * 180.0 / kPi);
        // what it moved since the last frame, across the way that it faces
        const Vec2 moved = ground(now.position) - ground(before.position);
        if (std::fabs(cross(moved, math::direction(now.heading_rad))) > 1e-9) return 1;
        before = now;
        arrived = 0;
        for (const FleetId id : units) arrived += fleet->unit(id).state == FleetState::arrived ? 1 : 0;
    }
    std::printf("%d arrived\n", arrived);
    return arrived == 8 ? 0 : 1;
}
