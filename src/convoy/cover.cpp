// A rectangle of length L and width W is covered by n discs of radius sqrt((L / 2n)^2 + (W / 2)^2) in a row.
//
// A motion between two samples T apart leaves the straight line between them by at most a T^2 / 8 where its acceleration is at most a, and
// by V T / 4 more where its velocity jumps by V in all: that of a disc ahead of the axle does where the curvature jumps.
#include "convoy/cover.h"

#include <algorithm>
#include <cmath>

namespace fairlead::convoy {

namespace {

constexpr double kDiscsAWidth = 2.0;
constexpr double kTurnsASample =
    2.0;  // jumps of curvature between two samples, each from one side to the other

}  // namespace

Cover cover_of(const SpeedTable& times, const Agent& agent, double sample_seconds) {
    const BodyCore body = body_core(agent);
    const SpeedLimits& limits = times.limits();
    Cover cover;
    const double length = body.core.high.x - body.core.low.x;
    const double width = body.core.high.y - body.core.low.y;
    const double half = 0.5 * width;
    if (length > 0.0) {
        const double wanted =
            std::ceil(kDiscsAWidth * length / std::max(width + 2.0 * body.radius, 1e-9 * length));
        cover.discs = static_cast<std::uint32_t>(std::clamp(wanted, 1.0, static_cast<double>(kDiscsMax)));
    }
    const double share = length / cover.discs;
    double offset = 0.0;
    for (std::uint32_t i = 0; i < cover.discs; ++i) {
        cover.ahead[i] = body.core.low.x + (i + 0.5) * share;
        offset = std::max(offset, std::abs(cover.ahead[i]));
    }
    cover.radius = std::sqrt(0.25 * share * share + half * half) + body.radius;
    cover.reach = offset + cover.radius;

    const double bend = 1.0 / times.moves().options().agent.turning_radius;
    const double turning = times.arc_speed() * bend;  // radians a second
    const double along = std::max(limits.accel_max, limits.brake_max);
    const double across = times.arc_speed() * turning;
    const double accel =
        std::sqrt(along * along + across * across) + offset * (along * bend + turning * turning);
    const double jump = kTurnsASample * 2.0 * offset * turning;
    cover.speed_max = limits.speed_max + offset * turning;
    const double smooth = accel * sample_seconds * sample_seconds / 8.0 + jump * sample_seconds / 4.0;
    // However it moves, it is no farther than half the way that it can go.
    cover.error = std::min(smooth, 0.5 * cover.speed_max * sample_seconds);
    return cover;
}

}  // namespace fairlead::convoy
