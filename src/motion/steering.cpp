// Velocities that a unit wants, each from a few values, and their sum within its limits.

#include <fairlead/motion/steering.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "math/segment.h"

namespace fairlead {

namespace {

constexpr Vec3 kSomewhere{1.0, 0.0, 0.0};

Vec3 direction_to(Vec3 from, Vec3 to) { return normalized(to - from); }

Vec3 away_from(Vec3 position, Vec3 other) {
    const Vec3 gap = position - other;
    return gap == Vec3{} ? kSomewhere : normalized(gap);
}

// A unit vector turned towards another one, by an angle not above that between them.
Vec3 turned_towards(Vec3 from, Vec3 to, double angle) {
    const Vec3 aside = to - from * dot(from, to);
    const Vec3 across = aside == Vec3{} ? Vec3{-from.y, from.x, 0.0} : aside;
    const math::SinCos turn = math::sin_cos(angle);
    return normalized(from * turn.cos + normalized(across == Vec3{} ? kSomewhere : across) * turn.sin);
}

}  // namespace

Vec3 steer_seek(Vec3 position, Vec3 aim, double speed) { return direction_to(position, aim) * speed; }

Vec3 steer_arrive(Vec3 position, Vec3 aim, double speed, double brake_max, double dt) {
    const double gap = distance(position, aim);
    if (!(gap > 0.0)) return {};
    double most = dt > 0.0 ? gap / dt : speed;
    if (brake_max < kNoLimit) {
        const double step = brake_max * dt;
        most = 2.0 * brake_max * gap / (step + std::sqrt(step * step + 2.0 * brake_max * gap));
    }
    return direction_to(position, aim) * std::min(speed, most);
}

Vec3 steer_follow(Vec3 position, const SteerTrack& track, double speed) {
    const Vec3 along = track.to - track.from;
    if (!(dot(along, along) > 0.0)) return steer_seek(position, track.to, speed);
    const Vec3 foot = math::nearest_along(track.from, along, position);
    const Vec3 off = position - foot;
    if (dot(off, off) <= track.corridor * track.corridor) return steer_seek(position, track.to, speed);
    const double left = distance(foot, track.to);
    return steer_seek(position, foot + normalized(along) * std::min(track.corridor, left), speed);
}

Vec3 steer_separate(Vec3 position, std::span<const Vec3> others, double range, double speed) {
    Vec3 sum{};
    for (const Vec3& other : others) {
        const double gap = distance(position, other);
        if (gap < range) sum += away_from(position, other) * (1.0 - gap / range);
    }
    const double size = length(sum);
    return sum * (size > 1.0 ? speed / size : speed);
}

Vec3 steer_evade(Vec3 position, const Threat& threat, double range, double speed) {
    const double gap = distance(position, threat.position);
    if (!(gap < range)) return {};
    const double closing = speed + length(threat.velocity);
    const double soon = closing > 0.0 ? gap / closing : 0.0;
    return away_from(position, threat.position + threat.velocity * soon) * speed;
}

Vec3 blend(std::span<const WeightedVelocity> wants, double speed_max) {
    Vec3 sum{};
    for (const WeightedVelocity& want : wants) sum += want.velocity * want.weight;
    const double size = length(sum);
    return size > speed_max ? sum * (speed_max / size) : sum;
}

Vec3 limit_change(Vec3 velocity, Vec3 wanted, const SpeedLimits& limits, double dt) {
    const double now = length(velocity);
    const double aim = std::min(length(wanted), limits.speed_max);
    const double slowest = limits.brake_max < kNoLimit ? std::max(0.0, now - limits.brake_max * dt) : 0.0;
    const double fastest = limits.accel_max < kNoLimit ? now + limits.accel_max * dt : kNoLimit;
    if (aim == 0.0) return normalized(velocity) * slowest;
    const Vec3 to = normalized(wanted);
    if (now == 0.0) return to * std::min(aim, fastest);
    const Vec3 from = normalized(velocity);
    const double angle = math::atan2(length(cross(from, to)), dot(from, to));
    const double peak = std::max(now, std::min(aim, fastest));
    double turn = angle;
    if (limits.turn_rate_max < kNoLimit) turn = std::min(turn, limits.turn_rate_max * dt);
    if (limits.lateral_accel_max < kNoLimit) turn = std::min(turn, limits.lateral_accel_max * dt / peak);
    // What it cannot turn yet it does not drive fast.
    const double share = std::max(0.0, math::cos(angle - turn));
    const double speed = std::clamp(turn < angle ? aim * share : aim, slowest, fastest);
    return (turn < angle ? turned_towards(from, to, turn) : to) * speed;
}

}  // namespace fairlead
