// A plane among rocks: it cannot turn on the spot and climbs no steeper than 30 degrees. The curve through open space, the way round what
// stands in it, and a climb in turns.

#include <fairlead/fairlead.h>

#include <cstdio>

#include <fairlead/verify/verify_volume.h>

int main() {
    using namespace fairlead;
    const Place here{{4, 24, 6}, 0.0, 0}, there{{44, 24, 34}, kHalfPi, 0};
    const AirplaneCurve open = shortest_airplane(here, there, 3.0, {});
    std::printf("through open space: %.1f, rising by %.0f\n", open.length, open.rise);

    Result<Volume> space = Volume::make({.size = {48, 48, 48}});
    if (!space) return 1;
    VolumeEdit rocks[60];
    Rng rng(11);
    for (VolumeEdit& rock : rocks) {
        const double x = rng.between(8.0, 40.0), y = rng.between(0.0, 48.0), z = rng.between(0.0, 48.0);
        rock = VolumeEdit::ball({x, y, z}, rng.between(2.0, 5.0));
    }
    if (!space->apply(rocks)) return 1;

    Scratch scratch;
    const Agent plane{.radius = 0.4, .turning_radius = 3.0};
    const FlyQuery query{.start = here, .goal = there, .agent = plane};
    Result<Route> way = find_route(*space, query, scratch);
    if (!way || way->status != PathStatus::complete || verify(*way, *space, plane)) return 1;
    std::printf("between the rocks: %.1f, in %zu arcs and lines\n", way->cost, way->legs.size());
    for (const Leg& leg : way->legs)
        std::printf("  %4.1f %s, up %5.1f\n", leg.length,
                    leg.curvature > 0.0   ? "to the left "
                    : leg.curvature < 0.0 ? "to the right"
                                          : "straight    ",
                    leg.rise);

    // Straight up, in an empty shaft: turns.
    Result<Volume> shaft = Volume::make({.size = {12, 12, 40}});
    if (!shaft) return 1;
    const FlyQuery up{.start = {Position3(6, 3, 2), 0.0}, .goal = {Position3(6, 3, 36), 0.0}, .agent = plane};
    way = find_route(*shaft, up, scratch);
    if (!way || way->status != PathStatus::complete || verify(*way, *shaft, plane)) return 1;
    std::printf("up the shaft: %.1f for a climb of 34\n", way->cost);
    return 0;
}
