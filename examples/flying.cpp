// A plane among rocks: it cannot turn on the spot and climbs no steeper than 30 degrees. The curve through open space, the way round what
// stands in it, a climb in turns, and a flat hull through a slot that is only as high and as wide as it is.

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

    // A wall with a slot 6 wide and 2 high. The hull goes through it level; a sphere that holds it does not.
    Result<Volume> hall = Volume::make({.size = {40, 24, 16}});
    const VolumeEdit wall[] = {VolumeEdit::fill({{18, 0, 0}, {21, 24, 16}}),
                               VolumeEdit::clear({{18, 9, 7}, {21, 15, 9}})};
    if (!hall || !hall->apply(wall)) return 1;
    const Agent hull{
        .shape = BodyShape::box, .length = 4.0, .width = 6.0, .turning_radius = 3.0, .height = 2.0};
    FlyQuery through{.start = {Position3(6, 8, 10), 0.0}, .goal = {Position3(34, 12, 8), 0.0}, .agent = hull};
    way = find_route(*hall, through, scratch);
    if (!way || way->status != PathStatus::complete || verify(*way, *hall, hull)) return 1;
    std::printf("through the slot: %.1f\n", way->cost);
    through.agent = {.radius = circumscribed_radius(hull), .turning_radius = 3.0};
    way = find_route(*hall, through, scratch);
    std::printf("as a sphere of %.1f: %s\n", through.agent.radius, way ? status_name(way->status) : "error");
    return 0;
}
