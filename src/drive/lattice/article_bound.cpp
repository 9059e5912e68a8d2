#include "drive/lattice/article_bound.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::drive {

namespace {

constexpr double kBeyondAll = 1e300;

// Turning left about a circle's centre, then straight: technique K2. For a place in the unit's own frame.
double left_then_line(Vec2 place, double radius) {
    const Vec2 from_centre{place.x, place.y - radius};
    const double h = std::sqrt(dot(from_centre, from_centre));
    if (h < radius) return kBeyondAll;
    const double line = std::sqrt(std::max(h * h - radius * radius, 0.0));
    // The place where the line leaves the circle lies acos(r / h) before the place's own direction.
    const double leave = math::atan2(from_centre.y, from_centre.x) - math::atan2(line, radius);
    double turn = leave + kHalfPi;  // the unit starts at -pi / 2 as seen from the centre
    while (turn < -1e-8) turn += kTwoPi;
    while (turn >= kTwoPi - 1e-8) turn -= kTwoPi;
    return radius * std::max(turn, 0.0) + line;
}

}  // namespace

double turn_and_line(Vec2 gap, double heading, double radius) {
    const math::SinCos face = math::sin_cos(heading);
    const Vec2 place{gap.x * face.cos + gap.y * face.sin, gap.y * face.cos - gap.x * face.sin};
    return std::min(left_then_line(place, radius), left_then_line({place.x, -place.y}, radius));
}

void ArticleBound::fill(double radius) {
    if (radius == radius_) return;
    radius_ = radius;
    for (std::int32_t a = 0; a < kAngles; ++a) {
        const math::SinCos toward = math::sin_cos(a * (kPi / kAngles));
        for (std::int32_t d = 0; d < kDistances; ++d) {
            const double distance = d * (1.0 / kSteps);
            const double length = turn_and_line({distance * toward.cos, distance * toward.sin}, 0.0, radius);
            table_[a][d] = static_cast<std::uint16_t>(std::min(length * kSteps, 65535.0));
        }
    }
}

double ArticleBound::at(Vec2 gap, double heading) const {
    const double distance = std::sqrt(dot(gap, gap));
    const double angle = std::abs(math::wrap_pi(math::atan2(gap.y, gap.x) - heading));
    const auto bin = std::min(static_cast<std::int32_t>(angle * (kAngles / kPi)), kAngles - 1);
    const double inside = std::min(distance, kReach);
    const auto step = std::min(static_cast<std::int32_t>(inside * kSteps), kDistances - 1);
    return table_[bin][step] * (1.0 / kSteps) + (distance - inside);
}

}  // namespace fairlead::drive
