#include "support/fly_worlds.h"

#include <algorithm>
#include <cmath>

#include "oracle/fly_oracle.h"

namespace fairlead::testing {

namespace {

using oracle::VolumeDense;

void put_ball(VolumeDense& world, Vec3 centre, double radius, bool solid) {
    const auto low = [&](double v) { return static_cast<std::int32_t>(std::floor(v - radius)); };
    const auto high = [&](double v) { return static_cast<std::int32_t>(std::floor(v + radius)); };
    for (std::int32_t z = low(centre.z); z <= high(centre.z); ++z) {
        for (std::int32_t y = low(centre.y); y <= high(centre.y); ++y) {
            for (std::int32_t x = low(centre.x); x <= high(centre.x); ++x) {
                const Voxel v{x, y, z};
                if (world.holds(v) && distance(world.centre(v), centre) <= radius) world.set(v, solid);
            }
        }
    }
}

Vec3 draw_point(Rng& rng, const VolumeDense& world) {
    const double x = rng.unit(), y = rng.unit(), z = rng.unit();
    return {x * world.size.x, y * world.size.y, z * world.size.z};
}

void add_rocks(Rng& rng, VolumeDense& world) {
    for (std::int32_t i = rng.between(20, 110); i > 0; --i) {
        const Vec3 centre = draw_point(rng, world);
        put_ball(world, centre, rng.between(1.0, 6.0), true);
    }
}

/// Walks whose heading and climb drift.
void dig_tubes(Rng& rng, VolumeDense& world) {
    std::fill(world.solid.begin(), world.solid.end(), std::uint8_t{1});
    Vec3 at = draw_point(rng, world);
    for (std::int32_t tube = rng.between(5, 14); tube > 0; --tube) {
        const double radius = rng.between(1.2, 3.5);
        double heading = rng.between(0.0, kTwoPi), bend = 0.0, climb = 0.0;
        for (std::int32_t n = rng.between(30, 120); n > 0; --n) {
            put_ball(world, at, radius, false);
            bend = std::clamp(bend + rng.between(-0.05, 0.05), -0.2, 0.2);
            climb = std::clamp(climb + rng.between(-0.1, 0.1), -0.45, 0.45);
            heading += bend;
            const Vec3 next = at + Vec3{std::cos(heading), std::sin(heading), climb};
            const Voxel v{static_cast<std::int32_t>(next.x), static_cast<std::int32_t>(next.y),
                          static_cast<std::int32_t>(next.z)};
            if (world.holds(v)) {
                at = next;
            } else {
                heading += 1.0;
            }
        }
        if (rng.below(3) == 0) put_ball(world, at, rng.between(4.0, 8.0), false);
    }
}

VolumeDense cut_out(Rng& rng, const VolumeDense& whole, std::int32_t side) {
    VolumeDense world({side, side, side});
    const Voxel low{rng.between(0, whole.size.x - side), rng.between(0, whole.size.y - side),
                    rng.between(0, whole.size.z - side)};
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Voxel v = world.at(i);
        world.solid[i] = whole.is_free({low.x + v.x, low.y + v.y, low.z + v.z}) ? 0 : 1;
    }
    return world;
}

Place place_from(const Spot& spot) { return {spot.position, spot.heading_rad, 0}; }

double turn_between(double a, double b) { return std::fabs(std::remainder(a - b, kTwoPi)); }

}  // namespace

const char* fly_world_name(FlyWorld kind) {
    switch (kind) {
        case FlyWorld::asteroids: return "asteroids";
        case FlyWorld::tunnels: return "tunnels";
        case FlyWorld::crop: return "crop";
        case FlyWorld::count_: break;
    }
    return "unknown";
}

oracle::VolumeDense fly_world(Rng& rng, FlyWorld kind, const oracle::VolumeDense* whole, std::int32_t side) {
    if (kind == FlyWorld::crop && whole != nullptr) return cut_out(rng, *whole, side);
    VolumeDense world({side, side, side});
    if (kind == FlyWorld::tunnels) {
        dig_tubes(rng, world);
    } else {
        add_rocks(rng, world);
    }
    return world;
}

bool draw_flight(Rng& rng, const VolumeDense& world, double radius, double turning_radius, FlyQuery& query) {
    constexpr int kTrials = 3000;
    Place ends[2];
    for (int i = 0; i < 2; ++i) {
        int left = kTrials;
        do {
            ends[i].position = draw_point(rng, world);
            if (--left == 0) return false;
        } while (!oracle::sphere_fits(world, ends[i].position, radius + 0.01) ||
                 (i == 1 && left > kTrials / 2 &&
                  distance(ends[0].position, ends[1].position) < 0.3 * world.size.x));
        ends[i].heading_rad = rng.between(-kPi, kPi);
    }
    query = FlyQuery{};
    query.start = ends[0];
    query.goal = Goal(Position3(ends[1].position), ends[1].heading_rad);
    query.agent = {.radius = radius, .turning_radius = turning_radius};
    return true;
}

std::string wrong_flight(const FlyQuery& query, const Route& route) {
    if (route.status != PathStatus::complete) return route.legs.empty() ? "" : "has legs without a way";
    const Place start = place_from(query.start), goal = place_from(query.goal.at);
    if (!(route.end == goal)) return "does not end at the goal";
    if (route.legs.empty()) return start == goal ? "" : "has no legs";
    if (!(route.legs[0].start == start)) return "does not begin at the start";
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind != LegKind::drive || leg.gear != Gear::forward) return "a leg is not flown forward";
        if (std::fabs(leg.curvature) * query.agent.turning_radius > 1.0 + 1e-12) return "turns too tightly";
        const double steep = std::tan(leg.rise > 0.0 ? query.climb.up_rad : query.climb.down_rad);
        if (std::fabs(leg.rise) > leg.length * steep * (1.0 + 1e-9) + 1e-9) return "is too steep";
        const Place& next = leg_end(route, i);
        if (turn_between(leg.start.heading_rad + leg.curvature * leg.length, next.heading_rad) > 1e-8)
            return "a heading jumps";
    }
    return "";
}

}  // namespace fairlead::testing
