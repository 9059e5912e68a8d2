// How a unit may drive: what its turning circle, its gears and its facings allow, leg by leg and from leg to leg. No
// geometry of the world.
#pragma once

#include <cstdint>

#include <fairlead/verify/verify.h>

namespace fairlead::witness {

/// What a leg does that the unit cannot do, or none. `depth` as the kind says (verify.h).
struct Manner {
    ViolationKind kind = ViolationKind::none;
    double depth = 0.0;
};
[[nodiscard]] Manner manner_of(const Leg& leg, const Agent& agent, std::int32_t facings);

/// Is the heading at the end of a leg that of the next one? Bodies that turn, and units with a turning circle.
[[nodiscard]] bool keeps_heading(const Agent& agent);

/// By how much the unit's heading jumps behind a leg, in radians; 0 where slack and rounding explain it.
[[nodiscard]] double heading_jump(const Leg& leg, const Place& next);

}  // namespace fairlead::witness
