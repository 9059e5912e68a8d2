// A volume: asteroids in a box of space, a drone that finds its way between them, a rock that drifts into it, and the way anew.

#include <fairlead/fairlead.h>

#include <cstdio>

#include <fairlead/verify/verify_volume.h>

int main() {
    using namespace fairlead;
    Result<Volume> space = Volume::make({.voxel_size = {0.5, 0.5, 0.5}, .size = {200, 160, 80}});
    if (!space) return 1;
    VolumeEdit rocks[40];
    Rng rng(7);
    for (VolumeEdit& rock : rocks) {
        const Vec3 at{rng.between(15.0, 85.0), rng.between(0.0, 80.0), rng.between(0.0, 40.0)};
        rock = VolumeEdit::ball(at, rng.between(2.0, 9.0));
    }
    if (!space->apply(rocks)) return 1;
    std::printf("%lld of 2560000 voxels are rock\n", static_cast<long long>(space->state().solid_voxels()));

    Scratch scratch;
    const Agent drone{.radius = 0.2};
    const VolumeQuery query{.start = {3, 40, 20}, .goal = Vec3{97, 40, 20}, .agent = drone, .reach = 5};
    Result<Route> way = find_route(*space, query, scratch);
    if (!way || way->status != PathStatus::complete || verify(*way, *space, drone)) return 1;
    std::printf("the way is %.1f long, straight it is %.1f\n", way->cost,
                distance(query.start.position, query.goal.at.position));
    for (const Leg& leg : way->legs)
        std::printf("  from %.1f %.1f %.1f\n", leg.start.position.x, leg.start.position.y,
                    leg.start.position.z);

    // A rock drifts into the middle of the way. What was found before may not be legal any more.
    const Place middle = place_on_route(*way, way->length / 2);
    if (!space->apply(VolumeEdit::ball(middle.position, 8.0))) return 1;
    const Violation now = verify(*way, *space, drone);
    if (!now) return 1;
    way = find_route(*space, query, scratch);
    if (!way || way->status != PathStatus::complete || verify(*way, *space, drone)) return 1;
    std::printf("round the new rock it is %.1f\n", way->cost);

    const VolumeHit seen = cast_ray(*space, query.start.position, query.goal.at.position, drone.radius);
    std::printf("straight ahead the drone sees %.0f %% of the line\n", 100.0 * seen.share);
    return 0;
}
