// One step of a unit that drives an arc: first how far along the way, then how much of a curve that speed allows.

#include <fairlead/motion/unicycle.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/assert.h>
#include <fairlead/curve/relaxed.h>
#include <fairlead/math/trig.h>

#include "route/speed_pass.h"

namespace fairlead {

namespace {

using route::PieceStep;
using route::SpeedPiece;

constexpr double kThere = 1e-12;  // of the coordinates: rounding

// How a step is meant: along a way, no faster than `cap` (squared), turning to one side.
struct Course {
    double length = 0.0;  // to where it must stand
    double cap = 0.0;
    double bend = 0.0;   // curvature that is needed, >= 0
    double angle = 0.0;  // turning that is wanted in all, >= 0
    double side = 1.0;   // 1: to the left
};

// Along a line for dt: down to the cap first, then up, hold and down to a stand at its end.
PieceStep along(const Course& course, double speed, const SpeedLimits& limits, double dt) {
    const double squared = speed * speed;
    PieceStep first{.speed = speed};
    double length = course.length;
    if (squared > course.cap && limits.brake_max < kNoLimit) {
        const double down = std::min((squared - course.cap) / (2.0 * limits.brake_max), dt * speed);
        const double to = std::max(course.cap, squared - 2.0 * limits.brake_max * down);
        first = route::drive_piece({.length = down, .cap = squared}, squared, to, limits, dt);
        if (!first.done) return first;
        length -= first.length;
    } else {
        first.speed = std::min(speed, std::sqrt(course.cap));
    }
    if (!(length > 0.0) || (course.cap == 0.0 && first.speed == 0.0)) return first;
    const double left = dt - first.seconds;
    const double from = first.speed * first.speed;
    const double braked = limits.brake_max < kNoLimit ? from - 2.0 * limits.brake_max * length : 0.0;
    // Sent too late to stop there: it brakes all the same, and passes.
    if (braked > 1e-9 * from) {
        const double down = from / (2.0 * limits.brake_max);
        PieceStep out = route::drive_piece({.length = down, .cap = from}, from, 0.0, limits, left);
        out.length += first.length;
        out.peak = std::max(out.peak, first.peak);
        return out;
    }
    PieceStep out = route::drive_piece({.length = length, .cap = course.cap}, from, 0.0, limits, left);
    out.length += first.length;
    out.peak = std::max(out.peak, first.peak);
    return out;
}

Pose on_arc(const Pose& from, double length, double turn) {
    Pose out = from;
    const double half = 0.5 * turn;
    const double chord = std::abs(half) > 1e-9 ? length * math::sin(half) / half : length;
    out.position += math::direction(from.heading_rad + half) * chord;
    out.heading_rad = math::wrap_pi(from.heading_rad + turn);
    return out;
}

// The most that a unit turns while it drives a length with this greatest speed.
double turn_most(const PieceStep& step, const SpeedLimits& limits, double radius) {
    const double fast = step.peak;
    double bend = std::min(limits.lateral_accel_max / (fast * fast), limits.turn_rate_max / fast);
    if (radius > 0.0) bend = std::min(bend, 1.0 / radius);
    return step.length > 0.0 ? bend * step.length : 0.0;
}

UnicycleState moved(const UnicycleState& state, const Course& course, const SpeedLimits& limits, double dt,
                    double radius) {
    const PieceStep step = along(course, state.speed, limits, dt);
    const double wanted = std::max(course.bend * step.length, course.angle);
    const double turn = course.side * std::min(wanted, turn_most(step, limits, radius));
    return {on_arc(state.pose, step.length, turn), step.speed};
}

UnicycleState turned(const UnicycleState& state, double angle, const SpeedLimits& limits, double dt) {
    const double most = limits.turn_rate_max < kNoLimit ? limits.turn_rate_max * dt : kTwoPi;
    UnicycleState out = state;
    out.pose.heading_rad = math::wrap_pi(state.pose.heading_rad + std::clamp(angle, -most, most));
    return out;
}

double squared_speed_on(const SpeedLimits& limits, double bend) {
    const double speed = speed_on(limits, bend);
    return speed * speed;
}

}  // namespace

UnicycleState steer_towards(const UnicycleState& state, Vec2 aim, const SpeedLimits& limits, double dt,
                            double turning_radius) {
    FAIRLEAD_ASSERT(check_speed_limits(limits) && turning_radius >= 0.0 && dt >= 0.0 && dt < kNoLimit);
    const Vec2 gap = aim - state.pose.position;
    const double d = length(gap);
    if (d <= kThere * (1.0 + std::abs(aim.x) + std::abs(aim.y))) {
        if (state.speed == 0.0) return {{aim, state.pose.heading_rad}, 0.0};
        return moved(state, {}, limits, dt, turning_radius);
    }
    const double off = math::wrap_pi(math::atan2(gap.y, gap.x) - state.pose.heading_rad);
    const double angle = std::abs(off);
    Course course{.length = d, .side = off < 0.0 ? -1.0 : 1.0};
    // On the circle that leaves along the heading and meets the aim.
    const double bend = 2.0 * std::abs(math::sin(off)) / d;
    if (angle <= kHalfPi && bend * turning_radius <= 1.0) {
        const double arc = angle > 1e-9 ? d * angle / math::sin(angle) : d;
        course.cap = squared_speed_on(limits, bend);
        const double squared = state.speed * state.speed;
        const bool can_brake =
            limits.brake_max == kNoLimit || squared <= 2.0 * limits.brake_max * arc * (1.0 + 1e-9);
        if (squared <= course.cap && can_brake) {
            const SpeedPiece piece{.length = arc, .cap = course.cap};
            if (route::drive_piece(piece, squared, 0.0, limits, dt).done)
                return {{aim, math::wrap_pi(state.pose.heading_rad + 2.0 * off)}, 0.0};
        }
        course.bend = bend;
        course.angle = angle;
        return moved(state, course, limits, dt, turning_radius);
    }
    if (turning_radius == 0.0) {
        if (state.speed == 0.0) return turned(state, off, limits, dt);
        course.angle = angle;
        return moved(state, course, limits, dt, 0.0);
    }
    const CurveWord way = shortest_to_point(state.pose, aim, turning_radius);
    course.length = way.length * turning_radius;
    course.cap = squared_speed_on(limits, 1.0 / turning_radius);
    for (const CurveSegment& part : way.used()) {
        if (part.amount == 0.0) continue;
        course.side = part.steer == Steer::right ? -1.0 : 1.0;
        course.angle = part.steer == Steer::straight ? 0.0 : part.amount;
        break;
    }
    return moved(state, course, limits, dt, turning_radius);
}

UnicycleState turn_towards(const UnicycleState& state, double heading_rad, const SpeedLimits& limits,
                           double dt) {
    FAIRLEAD_ASSERT(check_speed_limits(limits) && dt >= 0.0 && dt < kNoLimit);
    const double off = math::wrap_pi(heading_rad - state.pose.heading_rad);
    if (state.speed == 0.0) return turned(state, off, limits, dt);
    return moved(state, {}, limits, dt, 0.0);
}

}  // namespace fairlead
