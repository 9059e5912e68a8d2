// Units that face a way: those with facings, and those with a limit of how fast they turn. They move the way they face, never aside.
#pragma once

#include <cstdint>
#include <span>

#include "crowd/avoid/half_plane.h"
#include "crowd/unit.h"

namespace fairlead::crowd {

/// What a unit does in an update.
struct NextStep {
    Vec2 velocity{};
    double heading = 0.0;     ///< of a unit that faces a way, as what follows
    std::int32_t facing = 0;  ///< of one with facings
    double turn_left = 0.0;
};

[[nodiscard]] inline bool has_turn_rate(const Unit& unit) {
    return unit.body.limits.turn_rate_max < std::numeric_limits<double>::infinity();
}
/// Does it face a way?
[[nodiscard]] inline bool faces(const Unit& unit) {
    return !unit.body.driven && (unit.body.facings != 0 || has_turn_rate(unit));
}
/// Facing that way, or with facings the one nearest to it.
void face(Unit& unit, double heading_rad);

/// As it is, but for its velocity.
[[nodiscard]] NextStep keep_facing(const Unit& unit);

/// Of a unit without facings: how far it may turn in a step, up to a quarter turn.
[[nodiscard]] double turn_of(const Unit& unit, double step);
/// The velocities along what it may face after a turn to either side.
void add_wedge(double heading, double turn, HalfPlane (&out)[2]);
/// Turns a unit into its new velocity, or if that is none towards `wanted`. False: the velocity does not serve `planes`.
[[nodiscard]] bool turn_into(const Unit& unit, double turn, Vec2 wanted, std::span<const HalfPlane> planes,
                             NextStep& next);

/// Of a unit with facings: how many of them it may turn in a step. `credit`: what it may turn, in radians.
[[nodiscard]] std::int32_t facings_to_turn(const Unit& unit, double step, double& credit);
/// What is left of that after a turn from the present facing.
void spend_turn(const Unit& unit, double credit, NextStep& next);

}  // namespace fairlead::crowd
