// A point c of the body (in its frame) moves with the velocity (speed, 0) + spin x (-c.y, c.x), seen in that frame; a
// point of the world, with the opposite one. Divided by its size w this is the direction of a line or arc of curvature
// spin / w and length w x extent. No centre of rotation is ever computed: a motion may be almost straight.
#include "verify/motion.h"

#include <cmath>

#include <fairlead/math/trig.h>

#include "verify/scale.h"

namespace fairlead::witness {

namespace {

Vec2 turned(Vec2 v, Vec2 by) { return {v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x}; }

Track run(Vec2 start, Vec2 velocity, double spin, double extent) {
    Track track;
    track.start = start;
    const double fast = length(velocity);
    const double far = fast * extent;
    // What is smaller than rounding is nothing, as in leg_sweep.h.
    const double nothing = kRound * larger(size_of(start), 1.0);
    if (!(far > nothing)) return track;
    track.along = velocity * (1.0 / fast);
    track.length = far;
    if (0.5 * std::fabs(spin) * extent * far > nothing) track.curvature = spin / fast;
    return track;
}

}  // namespace

double RigidBody::reach() const {
    const Vec2 far{larger(std::fabs(core.low.x), std::fabs(core.high.x)),
                   larger(std::fabs(core.low.y), std::fabs(core.high.y))};
    return length(far) + radius;
}

Motion part_of(const Motion& motion, double from, double to) {
    Motion part = motion;
    part.extent = to - from;
    if (from == 0.0) return part;
    part.facing = turned(motion.facing, math::direction(motion.spin * from));
    if (motion.speed == 0.0) return part;
    // The chord leaves at half the angle of the arc, as in point_at (piece.cpp).
    const double half = 0.5 * (motion.spin * from);
    const double chord = half == 0.0 ? from : 2.0 * math::sin(half) / motion.spin;
    part.axle = motion.axle + turned(motion.facing, math::direction(half)) * (motion.speed * chord);
    return part;
}

Track track_of(const Motion& motion, Vec2 c) {
    const Vec2 velocity{motion.speed - motion.spin * c.y, motion.spin * c.x};
    return run(motion.to_world(c), turned(velocity, motion.facing), motion.spin, motion.extent);
}

Track track_seen(const Motion& motion, Vec2 q) {
    const Vec2 c = motion.to_body(q);
    return run(c, {motion.spin * c.y - motion.speed, -motion.spin * c.x}, -motion.spin, motion.extent);
}

}  // namespace fairlead::witness
