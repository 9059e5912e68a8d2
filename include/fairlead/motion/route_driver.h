// RouteDriver: a unit that moves exactly along its route, within its limits of speed: turning units, vehicles with reverse,
// flyers, and walkers whom nobody pushes. For units that are pushed about there is motion/follower.h.
//
//     Result<RouteDriver> unit = RouteDriver::make({.limits = {.speed_max = 8, .accel_max = 2}}, route->legs[0].start);
//     unit->take(*route);
//     // each frame
//     double left = seconds;
//     for (RouteEvent e = unit->update(left, cap); e.happened(); e = unit->update(left, cap)) tell(e);
//     draw(unit->place());
//
// update() moves the unit by `left` seconds and returns before that only where something happens, with what is left: the events
// of RouteCursor (route/route_cursor.h), in their order. It drives as the profile of the route does (make_speed_profile, from
// the present speed to a stand at the goal): as fast as limits, curves, legs and the braking distance allow; it stops for
// changes of gear, turns on the spot, links and corners (stops_at_corners), and these take their time. `speed_cap` is what
// traffic allows (>= 0): below the present speed it brakes, as hard as it can, and again speeds up above it. At 0 it comes to a
// stand, and stays.
//
//     state       what it does
//     idle        has no route, or the route has no legs
//     driving     moves, or could if its cap were above 0
//     turning     turns on the spot: a turn leg, a corner, or towards the start of a route just taken
//     shifting    changes gear
//     in_link     from link_enter to link_leave: for LegTimes::link_seconds (none: no time), or, if those are infinite, until
//                 leave_link().
//                 place() stays where the link begins; what is seen is the game's own animation.
//     arrived     stands at Route::end
//
// Promises. Every place is on the stored route (place_on_leg), its height and heading too, in turns between the two headings.
// Limits hold at every moment, not just at the frames' ends, to 1e-9; the same is true of 1 update of a second and 1,000 of a
// thousandth, which agree but for rounding. A route is driven in the seconds that its profile says. Nothing is allocated.
//
// A new route while moving (technique T6): take() begins where the unit is, at its speed and heading, or says why it cannot and
// leaves all as it was. A route that is planned from stopping_place(), after stop(), can always be taken there. The route must
// outlive its use here and stay unchanged. A world that changes is the game's to ask (revalidate): then hold_at() before what
// has become illegal, or stop().
//
// Fixed-angle art (drive/fixed_angles.h): with `one_heading_a_frame` a frame ends where a walker's or sprite's heading changes,
// and the rest of its time is dropped. So each frame's motion goes exactly along the facing that it shows: the unit never
// slides.
//
// Cost: constant per frame: the legs passed, and those within the braking distance; 0.1 us on long legs. 300 bytes.
// Deterministic.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/base/result.h>
#include <fairlead/route/route.h>
#include <fairlead/route/route_cursor.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead {

struct DriverOptions {
    SpeedLimits limits{};
    LegTimes times{};
    bool one_heading_a_frame = false;  ///< where the unit need not stop at a corner, the frame does
};

enum class DriverState : std::uint8_t { idle, driving, turning, shifting, in_link, arrived };

/// "idle", "driving", ... Never null.
[[nodiscard]] const char* driver_state_name(DriverState state);

enum class RouteTaken : std::uint8_t {
    taken,
    elsewhere,  ///< it does not begin where the unit is
    too_fast,  ///< the unit cannot keep to it at its speed: another way, the other gear, a corner or curve too near
    in_link,  ///< the unit is in a link
};

class RouteDriver {
  public:
    /// A unit that stands at a place. Errors: those of check_speed_limits; not_finite (start).
    [[nodiscard]] static Result<RouteDriver> make(const DriverOptions& options, const Place& at);

    /// Goes on with this route, at the present speed.
    [[nodiscard]] RouteTaken take(const Route& route);
    [[nodiscard]] RouteTaken take(Route&&) = delete;

    /// Moves until `seconds` are used up (then 0) or something happens. Below 0 and NaN count as 0.
    [[nodiscard]] RouteEvent update(double& seconds, double speed_cap = kNoLimit);

    [[nodiscard]] Place place() const;
    /// Along the way in the gear(), >= 0, before terrain slows it down.
    [[nodiscard]] double speed() const { return speed_; }
    [[nodiscard]] Gear gear() const { return gear_; }
    [[nodiscard]] DriverState state() const { return state_; }
    /// Ground length gone on the route; 0 without one.
    [[nodiscard]] double distance() const { return cursor_ ? cursor_->distance() : 0.0; }
    /// Null: it has no route.
    [[nodiscard]] const Route* route() const { return route_; }
    [[nodiscard]] const Leg* leg() const { return cursor_ ? cursor_->leg() : nullptr; }
    [[nodiscard]] std::size_t leg_index() const { return cursor_ ? cursor_->leg_index() : 0; }

    /// Brakes to a stand, until resume().
    void stop() { stopping_ = true; }
    void resume() { stopping_ = false; }
    /// Does not pass this distance on the route, until another one is named; kNoLimit: none. Nearer than it can brake: it brakes all
    /// the same.
    void hold_at(double distance) { hold_ = distance; }
    /// Ends a link that takes as long as the game says.
    void leave_link();

    /// How far it goes on if it brakes now.
    [[nodiscard]] double stopping_distance() const;
    /// And where it then stands; in a link: the link's end.
    [[nodiscard]] Place stopping_place() const;
    [[nodiscard]] const DriverOptions& options() const { return options_; }

  private:
    explicit RouteDriver(const DriverOptions& options, const Place& at) : options_(options), at_(at) {}

    struct Ahead;
    [[nodiscard]] bool spend(double& seconds);
    void prepare();
    [[nodiscard]] RouteEvent pass_leg();
    [[nodiscard]] Ahead look_ahead(double speed_cap) const;
    [[nodiscard]] bool drive(double& seconds, double speed_cap);
    void go(const route::SpeedPiece& stretch, double length);
    void prepare_end();
    [[nodiscard]] double end_speed(std::size_t leg, double way, double ground_end) const;
    [[nodiscard]] bool keeps_to(const Route& route) const;

    DriverOptions options_{};
    const Route* route_ = nullptr;
    std::optional<RouteCursor> cursor_{};
    Place at_{};  ///< without a route
    double hold_ = kNoLimit;
    double speed_ = 0.0;
    double climbed_ = 0.0;  ///< of an upright leg
    double heading_ = 0.0;  ///< where a turn on the spot begins
    double turn_ = 0.0;     ///< by how much
    double busy_ = 0.0;     ///< seconds that it still takes
    double busy_all_ = 0.0;
    DriverState state_ = DriverState::idle;
    Gear gear_ = Gear::forward;
    bool moved_ = false;     ///< so its gear counts
    bool prepared_ = false;  ///< stands or moves along the leg, turned and in its gear
    bool stopping_ = false;
};

}  // namespace fairlead
