// How fast a leg may be driven and where between two legs the unit stands: the rules that a profile and a unit under way share.
#pragma once

#include <fairlead/route/route.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead::route {

/// Headings that differ by less are one.
inline constexpr double kSameHeading = 1e-6;

/// Along it in space.
[[nodiscard]] double way_of(const Leg& leg);

[[nodiscard]] inline bool is_upright(const Leg& leg) {
    return leg.kind == LegKind::drive && !(leg.length > 0.0) && leg.rise != 0.0;
}

/// The most on a drive leg, its own limit included.
[[nodiscard]] double speed_on_leg(const SpeedLimits& limits, const Leg& leg);

/// Where it faces at the leg's end.
[[nodiscard]] double heading_at_end(const Route& route, std::size_t leg);

/// The stop before a leg. From a heading, and a leg before (null: none). The time of a change of gear comes on top.
struct Stop {
    bool stops = false;
    double seconds = 0.0;   ///< of turning
    double turn_rad = 0.0;  ///< from the heading to the leg's
};
[[nodiscard]] Stop stop_before(const SpeedLimits& limits, const Leg* before, double heading_rad,
                               const Leg& leg);

/// The stretch of a drive leg from a distance on it to where its ground changes, at most to its end.
[[nodiscard]] SpeedPiece stretch_of(const SpeedLimits& limits, const LegTimes& times, const Leg& leg,
                                    double from);

}  // namespace fairlead::route
