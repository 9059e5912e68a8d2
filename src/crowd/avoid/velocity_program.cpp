// Incremental: the planes are added one by one. While the best velocity so far is inside, it stays; else the new best lies on the border
// of the plane just added, and is found there by clipping a line. Planes: at most kPlanesMax, so the quadratic worst case is small.
#include "crowd/avoid/velocity_program.h"

namespace fairlead::crowd {

namespace {

constexpr double kParallel = 1e-10;

struct Stretch {
    double low = 0.0;
    double high = 0.0;
};

/// The part of a plane's border within the speed.
bool border_within_speed(const HalfPlane& plane, double speed_max, Stretch& stretch) {
    const double room = speed_max * speed_max - plane.offset * plane.offset;
    if (room < 0.0) return false;
    stretch.high = std::sqrt(room);
    stretch.low = -stretch.high;
    return true;
}

bool clip(const HalfPlane& other, Vec2 from, Vec2 along, Stretch& stretch) {
    const double slope = dot(other.normal, along);
    const double missing = other.violation(from);
    if (slope > -kParallel && slope < kParallel) return missing <= kParallel;
    const double at = missing / slope;
    if (slope > 0.0) {
        if (at > stretch.low) stretch.low = at;
    } else if (at < stretch.high) {
        stretch.high = at;
    }
    return stretch.low <= stretch.high;
}

bool best_on_border(std::span<const HalfPlane> planes, std::size_t last, double speed_max,
                    const Sought& sought, Vec2& u) {
    const HalfPlane& plane = planes[last];
    const Vec2 from = plane.normal * plane.offset;
    const Vec2 along{plane.normal.y, -plane.normal.x};
    Stretch stretch;
    if (!border_within_speed(plane, speed_max, stretch)) return false;
    for (std::size_t i = 0; i < last; ++i) {
        if (!clip(planes[i], from, along, stretch)) return false;
    }
    double at = dot(along, sought.direction ? sought.aim : sought.aim - from);
    if (sought.direction) at = at > 0.0 ? stretch.high : stretch.low;
    at = at < stretch.low ? stretch.low : at > stretch.high ? stretch.high : at;
    u = from + along * at;
    return true;
}

}  // namespace

std::size_t serve(std::span<const HalfPlane> planes, double speed_max, const Sought& sought, Vec2& u) {
    const double size = length(sought.aim);
    u = sought.direction || size > speed_max ? sought.aim * (size > 0.0 ? speed_max / size : 0.0)
                                             : sought.aim;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (planes[i].violation(u) <= 0.0) continue;
        Vec2 next = u;
        if (!best_on_border(planes, i, speed_max, sought, next)) return i;
        u = next;
    }
    return planes.size();
}

namespace {

/// Where plane `of` is violated no more than plane `by`. False: they are parallel, the question does not arise.
bool no_worse(const HalfPlane& of, const HalfPlane& by, HalfPlane& plane) {
    const Vec2 normal = of.normal - by.normal;
    const double size = length(normal);
    if (size < kParallel) return false;
    plane = {normal / size, (of.offset - by.offset) / size};
    return true;
}

/// From the first soft plane that could not be served: keeps the hard ones and makes the largest violation as small as it can be.
void least_violation(const VelocityProgram& program, std::size_t failed, Vec2& u) {
    HalfPlane work[kPlanesMax];
    double worst = 0.0;
    for (std::size_t i = failed; i < program.planes.size(); ++i) {
        const HalfPlane& plane = program.planes[i];
        if (plane.violation(u) <= worst) continue;
        std::size_t count = 0;
        for (; count < program.hard; ++count) work[count] = program.planes[count];
        for (std::size_t k = program.hard; k < i; ++k) {
            if (no_worse(program.planes[k], plane, work[count])) ++count;
        }
        Vec2 next = u;
        if (serve({work, count}, program.speed_max, {plane.normal, true}, next) == count) u = next;
        worst = plane.violation(u);
    }
}

}  // namespace

bool solve(const VelocityProgram& program, Vec2 wanted, Vec2& u) {
    Vec2 found{};
    const std::size_t served = serve(program.planes, program.speed_max, {wanted, false}, found);
    if (served < program.hard) return false;
    if (served < program.planes.size()) least_violation(program, served, found);
    u = found;
    return true;
}

}  // namespace fairlead::crowd
