// Vehicles on tiles: discs and boxes, two kinds, exact places off the lattice, planned in slices; one that no way leads to its goal.
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/convoy/convoy.h>
#include <fairlead/grid/grid.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

void add_view(Digest& digest, const ConvoyView& view) {
    digest.add(view.pose.position.x);
    digest.add(view.pose.position.y);
    digest.add(view.pose.heading_rad);
    digest.add(view.speed);
    digest.add(static_cast<std::uint32_t>(view.state));
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(convoy_rounds) {
    Result<Grid> grid = Grid::make({.width = 28, .height = 20});
    if (!grid || !grid->fill({{12, 8}, {15, 12}}, 0)) return digest.add(std::uint64_t{1});
    const Agent tank{.radius = 0.8, .turning_radius = 2.0, .can_reverse = true};
    const Agent lorry{.shape = BodyShape::box,
                      .length = 2.4,
                      .width = 1.4,
                      .axle_offset = 0.4,
                      .turning_radius = 2.5,
                      .can_reverse = true};
    const SpeedLimits limits{.speed_max = 2.0, .accel_max = 2.0, .brake_max = 3.0, .lateral_accel_max = 2.0};
    const Result<DriveTable> moves[] = {DriveTable::make({.agent = tank, .stretch = 1.05}),
                                        DriveTable::make({.agent = lorry, .stretch = 1.05})};
    if (!moves[0] || !moves[1]) return digest.add(std::uint64_t{2});
    const Result<SpeedTable> times[] = {SpeedTable::make(*moves[0], limits, 3),
                                        SpeedTable::make(*moves[1], limits, 3)};
    const Result<DriveMap> maps[] = {make_drive_map(*grid, *moves[0]), make_drive_map(*grid, *moves[1])};
    Result<Convoy> convoy = Convoy::make({.window_seconds = 9.0});
    if (!times[0] || !times[1] || !maps[0] || !maps[1] || !convoy) return digest.add(std::uint64_t{3});
    const Result<ConvoyKind> kinds[] = {convoy->add_kind(*maps[0], *times[0]),
                                        convoy->add_kind(*maps[1], *times[1])};
    const Pose places[] = {
        {{4.5, 9.5}, 0.0}, {{23.3, 10.1}, kPi}, {{13.5, 4.2}, kHalfPi}, {{13.5, 15.5}, -kHalfPi}};
    ConvoyId ids[4];
    for (int i = 0; i < 4; ++i) {
        const Result<ConvoyId> id = convoy->add(*kinds[i % 2], places[i]);
        if (!id) return digest.add(std::uint64_t{4});
        ids[i] = *id;
    }
    for (int i = 0; i < 4; ++i) {
        const Pose& goal = places[i ^ 1];
        if (!convoy->send(ids[i], {goal.position, goal.heading_rad + kPi}))
            return digest.add(std::uint64_t{5});
    }
    for (int tick = 0; tick < 600; ++tick) {
        if (!convoy->update(1.0 / 20.0, 20000)) return digest.add(std::uint64_t{6});
        if (tick % 40 == 0) {
            for (const ConvoyId id : ids) add_view(digest, convoy->unit(id));
        }
    }
    digest.add(convoy->digest());
    digest.add(convoy->report().tries);
    digest.add(convoy->report().units);
}
