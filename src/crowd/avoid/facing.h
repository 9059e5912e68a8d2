// The velocity of a unit that moves only the ways that it can face: along one of 8, 16 or 32 facings.
//
// The half planes are those of the other units (velocity_program.h). A step along the present facing at a speed that falls is always
// possible (the plan to stop), so a unit that finds nothing better keeps its promise without ever sliding.
#pragma once

#include <cstdint>
#include <span>

#include "crowd/avoid/half_plane.h"

namespace fairlead::crowd {

/// Facing `facing` of `facings` as a direction; opposite ones and those at right angles are exactly that.
[[nodiscard]] Vec2 direction_of(std::int32_t facings, std::int32_t facing);

/// Speeds along a direction.
struct SpeedSpan {
    double low = 0.0;
    double high = 0.0;
    [[nodiscard]] double nearest(double speed) const {
        return speed < low ? low : speed > high ? high : speed;
    }
};

/// The speeds up to `speed_max` along a direction that serve all planes. False: none does.
[[nodiscard]] bool speeds_along(std::span<const HalfPlane> planes, Vec2 direction, double speed_max,
                                SpeedSpan& out);

/// What a unit chooses from.
struct FacingProgram {
    std::span<const HalfPlane> reach;   ///< what it can change of its velocity in this step; may be none
    std::span<const HalfPlane> planes;  ///< of walls and others, the hard ones first
    std::size_t hard = 0;               ///< how many of them
    double speed_max = 0.0;
    std::int32_t facings = 8;
    std::int32_t facing = 0;  ///< the present one
    std::int32_t turns = 0;   ///< so many facings it may turn in this step
};

struct FacingChoice {
    std::int32_t facing = 0;
    double speed = 0.0;
};

/// False: not even its present facing serves the hard planes; then it brakes.
[[nodiscard]] bool choose_facing(const FacingProgram& program, Vec2 wanted, FacingChoice& out);

}  // namespace fairlead::crowd
