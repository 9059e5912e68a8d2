// Prices by region: a turret that a drone flies round as long as that is cheaper, and a river of wind that carries it one way.

#include <fairlead/fairlead.h>

#include <cstdio>

#include <fairlead/verify/verify_volume.h>

namespace {

using namespace fairlead;

// What it costs there; below 0: something is wrong.
double cost_of(const Volume& space, const VolumeQuery& query, Scratch& scratch) {
    const Result<Route> way = find_route(space, query, scratch);
    if (!way || way->status != PathStatus::complete) return -1.0;
    if (verify(*way, space, query.agent, {.areas = query.areas})) return -1.0;
    return way->line_cost;
}

}  // namespace

int main() {
    const Result<Volume> space = Volume::make({.size = {120, 80, 60}});
    if (!space) return 1;
    Scratch scratch;
    const VolumeBlocker in_range = VolumeBlocker::ball({60, 40, 20}, 20);
    VolumeQuery query{.start = {10, 40, 20}, .goal = Vec3{110, 40, 20}, .agent = {.radius = 0.4}};

    for (const double factor : {1.0, 1.2, 5.0}) {
        const VolumeArea turret[] = {VolumeArea::danger(in_range, factor)};
        query.areas = turret;
        const double cost = cost_of(*space, query, scratch);
        if (cost < 0.0) return 1;
        std::printf(
            "within the turret's range each metre costs %.1f: the way costs %.1f, straight it is 100 long\n",
            factor, cost);
    }

    // Wind at 0.6 of the drone's own speed, high up.
    const VolumeArea wind[] = {
        VolumeArea::current(VolumeBlocker::box({0, 0, 40}, {120, 80, 60}), {0.6, 0, 0})};
    query.areas = wind;
    const double there = cost_of(*space, query, scratch);
    query.start = {110, 40, 20};
    query.goal = Vec3{10, 40, 20};
    const double back = cost_of(*space, query, scratch);
    if (there < 0.0 || back < 0.0) return 1;
    std::printf("with the wind it climbs into it: %.1f; back it stays below: %.1f\n", there, back);
    return there < back ? 0 : 1;
}
