// Incremental, as in the plane: while the best velocity so far is inside the half-space added, it stays; else the new best lies on that
// one's border, where the question is the one of the plane, within the circle that the border cuts out of the ball of speeds.
#include "crowd/space/space_program.h"

#include "crowd/avoid/velocity_program.h"
#include "crowd/space/frame.h"

namespace fairlead::crowd {

namespace {

constexpr double kParallelSpaces = 1e-10;

struct SoughtInSpace {
    Vec3 aim{};
    bool direction = false;
};

bool best_on_face(std::span<const HalfSpace> planes, std::size_t last, double speed_max,
                  const SoughtInSpace& sought, Vec3& u) {
    const HalfSpace& plane = planes[last];
    const double room = speed_max * speed_max - plane.offset * plane.offset;
    if (room < 0.0) return false;
    const Vec3 from = plane.normal * plane.offset;
    const Frame frame = frame_across(plane.normal);
    HalfPlane flat[kPlanesMax];
    std::size_t count = 0;
    for (std::size_t i = 0; i < last; ++i) {
        const Vec2 normal = frame.of(planes[i].normal);
        const double size = length(normal);
        const double missing = planes[i].violation(from);
        if (size < kParallelSpaces) {
            if (missing > kParallelSpaces) return false;
            continue;
        }
        flat[count++] = {normal / size, missing / size};
    }
    const Vec2 aim = frame.of(sought.direction ? sought.aim : sought.aim - from);
    Vec2 best{};
    if (serve({flat, count}, std::sqrt(room), {aim, sought.direction}, best) < count) return false;
    u = from + frame.side * best.x + frame.other * best.y;
    return true;
}

std::size_t serve_spaces(std::span<const HalfSpace> planes, double speed_max, const SoughtInSpace& sought,
                         Vec3& u) {
    const double size = length(sought.aim);
    u = sought.direction || size > speed_max ? sought.aim * (size > 0.0 ? speed_max / size : 0.0)
                                             : sought.aim;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (planes[i].violation(u) <= 0.0) continue;
        Vec3 next = u;
        if (!best_on_face(planes, i, speed_max, sought, next)) return i;
        u = next;
    }
    return planes.size();
}

/// From the first soft one that could not be served: keeps the hard ones and makes the largest violation as small as it can be.
void least_violation_in_space(const SpaceProgram& program, std::size_t failed, Vec3& u) {
    HalfSpace work[kPlanesMax];
    double worst = 0.0;
    for (std::size_t i = failed; i < program.planes.size(); ++i) {
        const HalfSpace& plane = program.planes[i];
        if (plane.violation(u) <= worst) continue;
        std::size_t count = 0;
        for (; count < program.hard; ++count) work[count] = program.planes[count];
        for (std::size_t k = program.hard; k < i; ++k) {
            // where half-space k is violated no more than this one
            const Vec3 normal = program.planes[k].normal - plane.normal;
            const double size = length(normal);
            if (size < kParallelSpaces) continue;
            work[count++] = {normal / size, (program.planes[k].offset - plane.offset) / size};
        }
        Vec3 next = u;
        if (serve_spaces({work, count}, program.speed_max, {plane.normal, true}, next) == count) u = next;
        worst = plane.violation(u);
    }
}

}  // namespace

bool solve(const SpaceProgram& program, Vec3 wanted, Vec3& u) {
    Vec3 found{};
    const std::size_t served = serve_spaces(program.planes, program.speed_max, {wanted, false}, found);
    if (served < program.hard) return false;
    if (served < program.planes.size()) least_violation_in_space(program, served, found);
    u = found;
    return true;
}

}  // namespace fairlead::crowd
