// Vehicles that cannot sidestep: two lorries that meet head on in a lane pass each other, and a third backs out of their way and comes
// back.

#include <fairlead/fairlead.h>

#include <cstdio>

namespace {

using namespace fairlead;

constexpr double kFrame = 1.0 / 30.0;

bool run() {
    const Result<Grid> yard = Grid::make({.width = 36, .height = 12});
    const Agent lorry{.radius = 0.9, .turning_radius = 2.5, .can_reverse = true};
    const Result<DriveTable> moves = DriveTable::make({.agent = lorry, .stretch = 1.05});
    if (!yard || !moves) return false;
    const Result<SpeedTable> times = SpeedTable::make(*moves, {.speed_max = 2.0, .accel_max = 1.5}, 3);
    const Result<DriveMap> map = make_drive_map(*yard, *moves);
    Result<Convoy> convoy = Convoy::make();
    if (!times || !map || !convoy) return false;
    const Result<ConvoyKind> kind = convoy->add_kind(*map, *times);
    if (!kind) return false;

    const Pose from[] = {{{3.5, 6.5}, 0.0}, {{32.5, 6.5}, kPi}, {{18.5, 6.5}, 0.0}};
    const Pose to[] = {{{32.5, 6.5}, 0.0}, {{3.5, 6.5}, kPi}, {{18.5, 6.5}, 0.0}};
    ConvoyId ids[3];
    for (int i = 0; i < 3; ++i) {
        const Result<ConvoyId> id = convoy->add(*kind, from[i]);
        if (!id || !convoy->send(*id, to[i])) return false;
        ids[i] = *id;
    }
    double nearest = 1e9;
    double seconds = 0.0;
    for (int arrived = 0; arrived < 3 && seconds < 120.0; seconds += kFrame) {
        if (!convoy->update(kFrame, 4000)) return false;
        arrived = 0;
        for (int i = 0; i < 3; ++i) {
            const ConvoyView now = convoy->unit(ids[i]);
            arrived += now.state == ConvoyState::arrived ? 1 : 0;
            for (int j = 0; j < i; ++j) {
                const double apart = distance(now.pose.position, convoy->unit(ids[j]).pose.position);
                nearest = apart < nearest ? apart : nearest;
            }
        }
    }
    for (const ConvoyId id : ids) {
        const ConvoyView now = convoy->unit(id);
        std::printf("%s after %.1f s, alone %.1f s\n", convoy_state_name(now.state), now.seconds,
                    now.alone_seconds);
        if (now.state != ConvoyState::arrived) return false;
    }
    std::printf("nearest centres %.2f, touching is 1.80; %d rounds\n", nearest,
                static_cast<int>(convoy->report().rounds));
    return nearest >= 1.8;
}

}  // namespace

int main() { return run() ? 0 : 1; }
