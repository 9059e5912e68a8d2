#include <fairlead/drive/headings.h>

#include <cmath>

#include <fairlead/base/assert.h>
#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

// The first eighth of the circle and its end, finest first: every 4th is of 8 headings, every 2nd of 16.
constexpr HeadingStep kEighth[] = {{1, 0}, {3, 1}, {2, 1}, {3, 2}, {1, 1}};

}  // namespace

HeadingStep heading_step(std::int32_t count, std::int32_t heading) {
    FAIRLEAD_ASSERT(good_heading_count(count) && heading >= 0 && heading < count);
    const std::int32_t fine = heading * (kHeadingsMax / count);
    const std::int32_t in_quarter = fine & 7;
    HeadingStep step = in_quarter <= 4 ? kEighth[in_quarter] : kEighth[8 - in_quarter];
    if (in_quarter > 4) step = {step.dy, step.dx};
    for (std::int32_t quarter = fine >> 3; quarter > 0; --quarter) {
        step = {static_cast<std::int8_t>(-step.dy), step.dx};
    }
    return step;
}

Vec2 heading_direction(std::int32_t count, std::int32_t heading) {
    const HeadingStep step = heading_step(count, heading);
    const double size = std::sqrt(static_cast<double>(step.dx * step.dx + step.dy * step.dy));
    return {step.dx / size, step.dy / size};
}

double heading_rad(std::int32_t count, std::int32_t heading) {
    const HeadingStep step = heading_step(count, heading);
    return math::atan2(step.dy, step.dx);
}

std::int32_t nearest_heading(std::int32_t count, double angle_rad) {
    const Vec2 ahead = math::direction(angle_rad);
    std::int32_t best = 0;
    double best_cosine = -2.0;
    for (std::int32_t h = 0; h < count; ++h) {
        const double cosine = dot(ahead, heading_direction(count, h));
        if (cosine > best_cosine + 1e-12) {
            best = h;
            best_cosine = cosine;
        }
    }
    return best;
}

}  // namespace fairlead
