// Checks that need no geometry: is every number of a route and of the arguments one that can be judged?
#pragma once

#include <fairlead/verify/verify.h>

#include "verify/scale.h"

namespace fairlead::witness {

/// Angles beyond this have no accurate sine (trig.h).
inline constexpr double kAngleMax = 0x1p30;
/// A leg leads to the next heading within this.
inline constexpr double kHeadingSlack = 1e-9;

[[nodiscard]] bool arguments_fit(const Agent& agent, const VerifyOptions& options, const Scale& scale,
                                 bool wrap_x, bool wrap_y);

/// not_finite, bad_number, bad_layer or none.
[[nodiscard]] ViolationKind place_numbers(const Place& place, std::int32_t layers);
[[nodiscard]] ViolationKind leg_numbers(const Leg& leg, std::int32_t layers);
/// bad_status, not_finite, bad_number or none: the route as a whole, without its legs.
[[nodiscard]] ViolationKind route_numbers(const Route& route);

/// How far route.length is from the sum of the legs' lengths; 0 if rounding explains it.
[[nodiscard]] double length_error(const Route& route);

/// Does a turn leg lead to the heading of the next place?
[[nodiscard]] bool turns_to(const Leg& leg, const Place& next);

/// Does its status say that the route leads to its end, or, of a search whose budget was spent, does it have legs?
[[nodiscard]] bool has_way(const Route& route);

}  // namespace fairlead::witness
