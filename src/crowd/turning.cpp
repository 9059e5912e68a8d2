// A limit of turning leaves a wedge of velocities, from a stand in the way that the unit faces: two half planes more, and braking
// straight on
// lies within. A wish behind it lies nearest to the wedge's tip: so a unit slows down the more it must turn, and turns on the spot
// if it must turn far.
//
// With facings its heading is a multiple of the angle between them. It may turn on by one as soon as the time for that has gone by since
// it could turn last; time that it did not need is kept for one facing at most.
#include "crowd/turning.h"

#include <fairlead/curve/facings.h>
#include <fairlead/math/trig.h>

namespace fairlead::crowd {

namespace {

constexpr double kQuarterTurn = 1.57079632679489661923;
constexpr double kWholeTurn = 4.0 * kQuarterTurn;
constexpr double kStandsStill = 1e-12;  // of the speed
constexpr double kTurnRounding = 1e-12;

double facing_step(const Unit& unit) { return kWholeTurn / unit.body.facings; }

double angle_to(double heading, Vec2 way) {
    const Vec2 ahead = math::direction(heading);
    return math::atan2(cross(ahead, way), dot(ahead, way));
}

}  // namespace

void face(Unit& unit, double heading_rad) {
    unit.heading = math::wrap_pi(heading_rad);
    if (unit.body.facings == 0) return;
    unit.facing = nearest_facing(unit.body.facings, unit.heading);
    unit.heading = math::wrap_pi(facing_rad(unit.body.facings, unit.facing));
}

NextStep keep_facing(const Unit& unit) { return {unit.velocity, unit.heading, unit.facing, unit.turn_left}; }

double turn_of(const Unit& unit, double step) {
    const double turn = unit.body.limits.turn_rate_max * step;
    return turn < kQuarterTurn ? turn : kQuarterTurn;
}

void add_wedge(double heading, double turn, HalfPlane (&out)[2]) {
    const Vec2 left = math::direction(heading + turn);
    const Vec2 right = math::direction(heading - turn);
    out[0] = {{left.y, -left.x}, 0.0};
    out[1] = {{-right.y, right.x}, 0.0};
}

bool turn_into(const Unit& unit, double turn, Vec2 wanted, std::span<const HalfPlane> planes,
               NextStep& next) {
    const bool stands = !(length(next.velocity) > kStandsStill * unit.speed_max());
    if (stands) next.velocity = {};
    const Vec2 way = stands ? wanted : next.velocity;
    if (way == Vec2{}) return true;
    const double angle = angle_to(unit.heading, way);
    const double turned = angle > turn ? turn : angle < -turn ? -turn : angle;
    next.heading = math::wrap_pi(unit.heading + turned);
    if (stands || turned == angle) return true;
    // by rounding outside of the wedge
    const Vec2 along = math::direction(next.heading);
    next.velocity = along * dot(next.velocity, along);
    for (const HalfPlane& plane : planes) {
        if (plane.violation(next.velocity) > kTurnRounding * unit.speed_max()) return false;
    }
    return dot(next.velocity, along) >= 0.0;
}

std::int32_t facings_to_turn(const Unit& unit, double step, double& credit) {
    credit = 0.0;
    if (!has_turn_rate(unit)) return unit.body.facings / 2;
    credit = unit.turn_left + unit.body.limits.turn_rate_max * step;
    const double turns = credit / facing_step(unit) + kTurnRounding;
    const std::int32_t most = unit.body.facings / 2;
    return turns < most ? static_cast<std::int32_t>(turns) : most;
}

void spend_turn(const Unit& unit, double credit, NextStep& next) {
    next.heading = math::wrap_pi(facing_rad(unit.body.facings, next.facing));
    const std::int32_t apart = (next.facing - unit.facing) & (unit.body.facings - 1);
    const std::int32_t turned = apart < unit.body.facings - apart ? apart : unit.body.facings - apart;
    const double left = credit - turned * facing_step(unit);
    const double most = facing_step(unit);
    next.turn_left = left < 0.0 ? 0.0 : left < most ? left : most;
}

}  // namespace fairlead::crowd
