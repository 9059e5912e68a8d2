// How fast a route is driven: a list of knots, and where the unit is at a time.
//
//     SpeedProfile drive;                                                   // keep it: a warm call allocates nothing
//     if (Result<void> good = make_speed_profile(*route, {.speed_max = 12, .accel_max = 1.5}, {}, drive); !good) return;
//     const double now = distance_at(drive.knots(), 1.25);                  // pure functions of time and distance
//     const Place unit = place_at(*route, drive.knots(), 1.25);             // the same in one step or in a thousand (technique K5)
//
// make_speed_profile takes any route of any world: the quickest way to drive it within SpeedLimits (route/speed_limits.h) and
// each Leg::speed_max, from one speed to another. A timed query's route brings its knots with it: Route::speeds.
//
//     what                              takes
//     a line, an arc                    speeding up, holding, braking; the curvature, the gear and the leg limit the speed
//     a slope (Leg::rise)               speeds are those in space, along the slope; upright legs are stopped at and climbed from rest
//     a change of gear                  a stop, cusp_seconds
//     a turn on the spot                a stop, |angle| / turn_rate_max
//     a corner (the heading jumps)      the same where turn rate or lateral acceleration is limited; else nothing
//                                       (also to the heading of Route::end)
//     a link                            a stop, LegTimes::link_seconds
//     ground that slows                 LegTimes::slowdown times as long
//
// Knots. From one knot to the next the acceleration is constant. Two knots at the same distance are a wait: the unit stands
// there from the time of the first to that of the second; or it climbs an upright leg; or, at the same time, its speed jumps
// (only where accelerations are not limited). The first knot is at distance 0 and time 0, the last one at the route's end. No
// knots: no profile; the functions then answer 0, and the route's start. SpeedKnot::leg says which leg is under way from there:
// of a wait, the turn or link itself, or the leg before which the unit changes gear or turns (the number of legs: at the
// route's end).
//
// Terrain. Where driving a length takes `slowdown` times as long as elsewhere, the unit really moves at speed / slowdown. So
// `speed` is continuous along a route over terrain, and limits are those of `speed`.
//
// Between knots: speed^2 is linear in distance, speed is linear in time. In a turn the heading is linear in time. Cost of each
// function: O(log knots). Deterministic. Arguments beyond the ends are clamped to them.
//
// Source: Kant and Zucker 1986; Slotine and Yang 1989 (two passes over squared speeds). Techniques K5, X2, X3.
#pragma once

#include <limits>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/route/route.h>
#include <fairlead/route/speed_limits.h>

namespace fairlead {

/// So much longer it takes, up to a distance on the leg.
struct Slowdown {
    double factor = 1.0;  ///< >= 1
    double until = std::numeric_limits<double>::infinity();
};

/// What a route does not say about its legs. Functions and their context; each answers the same every time.
struct LegTimes {
    /// Seconds that a link takes, >= 0. Infinite: as long as the game says (profiles refuse that). Null: no time.
    double (*link_seconds)(const Leg& link, void* user) = nullptr;
    /// Of a drive leg, from a distance on it (0 <= from < length): Slowdown::until is above `from`. Null: 1 everywhere.
    Slowdown (*slowdown)(const Leg& leg, double from, void* user) = nullptr;
    void* user = nullptr;
};

struct SpeedProfileOptions {
    double start_speed = 0.0;  ///< 0 to speed_max, forward unless it is 0
    double goal_speed = 0.0;   ///< or kAnySpeed
    LegTimes times{};
};

namespace route {

/// A stretch of a line with one limit of speed (for speed_pass.h).
struct SpeedPiece {
    double length = 0.0;
    double cap = 0.0;           ///< squared speed; > 0 where there is a length
    double slowdown = 1.0;      ///< it takes so many times as long
    double ground_share = 1.0;  ///< ground length / length: below 1 on a slope, 0 upright
    double stand = 0.0;         ///< seconds, where it stops
    bool stops = false;         ///< the unit stands where it begins
    std::uint32_t leg = kNoLeg;
};

}  // namespace route

/// Knots, and room to make them.
class SpeedProfile {
  public:
    SpeedProfile() = default;
    explicit SpeedProfile(const Allocator& allocator)
        : knots_(allocator), pieces_(allocator), squared_(allocator) {}

    /// Empty where the route cannot be driven between these speeds (too_fast), and for a route without legs.
    [[nodiscard]] std::span<const SpeedKnot> knots() const { return knots_.span(); }
    [[nodiscard]] double seconds() const { return knots_.empty() ? 0.0 : knots_.back().time; }
    /// The route is too short to brake from the start speed, or to reach the goal speed.
    [[nodiscard]] bool too_fast() const { return too_fast_; }

  private:
    friend Result<void> make_speed_profile(const Route&, const SpeedLimits&, const SpeedProfileOptions&,
                                           SpeedProfile&);
    Array<SpeedKnot> knots_;
    Array<route::SpeedPiece> pieces_;
    Array<double> squared_;
    bool too_fast_ = false;
};

/// Linear in the legs and stretches of ground, 0.1 us each. Errors: those of check_speed_limits; not_finite, out_of_range (start_speed,
/// goal_speed; with the leg as index: route, whose number is not finite, whose length is negative or whose speed_max is 0;
/// link_seconds, slowdown); size_limit (more than 2^20 stretches of ground on a leg); out_of_memory.
[[nodiscard]] Result<void> make_speed_profile(const Route& route, const SpeedLimits& limits,
                                              const SpeedProfileOptions& options, SpeedProfile& out);

/// When the unit comes to a distance: at a wait, when the wait begins.
[[nodiscard]] double time_at(std::span<const SpeedKnot> knots, double distance);

[[nodiscard]] double distance_at(std::span<const SpeedKnot> knots, double time);

/// Before terrain slows it down.
[[nodiscard]] double speed_at(std::span<const SpeedKnot> knots, double time);

/// Where the unit is and which way it faces, in turns too. In a link: where that begins; what is seen is the game's to play. Knots
/// that do not tell their legs: linear in the number of legs.
[[nodiscard]] Place place_at(const Route& route, std::span<const SpeedKnot> knots, double time);

}  // namespace fairlead
