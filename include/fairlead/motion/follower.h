// Follower: keeps a unit that is pushed about near its route. For crowds, physics and players' hits: the game says where the
// unit is, the follower says which velocity it wants. A unit that nobody moves but itself has motion/route_driver.h.
//
//     Result<Follower> guide = Follower::make({.radius = 0.4, .limits = {.speed_max = 1.5}});
//     guide->take(*route);
//     // each frame
//     const FollowStep step = guide->update(unit.position, seconds, sight);
//     unit.velocity = avoid(step.velocity);                        // crowd, physics, or as it is
//     if (step.event == FollowEvent::needs_route) ask_again(step.reason);
//
// How. It goes along a track: the straight line from where it last looked to its aim, the last place of the route that it sees
// (techniques M1, M2). Each frame asks SightQuery at most once: while on the track, whether one of the next three places of the
// route is in sight, in turn; while off it, whether the aim still is: then the track begins anew where the unit is; or else
// whether it can get back to the old track. With `skip` false the track is the route, leg by leg. M3: farther than `corridor`
// from the track it heads straight back into the corridor and on. Without a SightQuery nobody looks for walls: the corridor
// must be free of them. Arcs are followed by chords that leave them by at most a quarter of the corridor.
//
// Speed: speed_max and Leg::speed_max; what can be braked from before the goal, a link, and each corner (which may be cut
// within a half of the corridor, at the lateral acceleration and turn rate of the limits). Accelerations are not limited here:
// that is the mover's part (limit_change in motion/steering.h, the crowd).
//
// What it tells:
//
//     event        when
//     none
//     link_enter   it is where a link begins: state traversing. The unit is the game's until leave_link(), or for link_seconds
//     link_leave   the link is behind it: the unit must be at the link's end
//     jump         the route goes on elsewhere (maps that wrap): the game moves the unit to `place`
//     arrived      within `arrive` of the goal; it then wants to stand, wherever it is pushed
//     stuck        no progress for stuck_seconds; `reason`. It tries by itself once: it heads for the nearest place of the route near by
//     needs_route  that was no use, or it is lost: `reason`. Told once; it then wants to stand, and waits for take()
//
//     reason       what is wrong
//     no_progress  it is pushed back or held, nothing is in its way that it sees
//     blocked      its aim is not in sight
//     off_route    knocked off: farther than `lost` from the track, and neither aim nor foot in sight; off the net of waypoints too (M4)
//     world_changed  revalidated() was told that the route ahead is illegal
//
// On ground a position's height is ignored; `space`: it counts (volumes, flyers). Where terrain has costs `skip` may cut across
// what the route goes around: say false there.
//
// Cost: constant a frame: 0.1 us, along arcs 0.5 us, and one sight test at most. 300 bytes; nothing is allocated. Deterministic:
// a function of what it was told. The route must outlive its use here and stay unchanged.
//
// Sources: techniques M1, M2 (Dead Reckoning, 1999; there the last node was never aimed at), M3, M4 (Ceipek); C. Reynolds,
// Steering Behaviors for Autonomous Characters, 1999.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/route/sight.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead {

struct FollowerOptions {
    double radius = 0.4;  ///< of the unit, for sight; >= 0
    SpeedLimits limits{};
    LegTimes times{};            ///< link_seconds, infinite: until leave_link(). slowdown is not read
    double corridor = 0.5;       ///< > 0; how far from its track the unit may be
    double lost = 8.0;           ///< >= corridor
    double arrive = 0.1;         ///< > 0; so near the goal it has arrived, so near a link it may enter
    double stuck_seconds = 2.0;  ///< > 0
    bool skip = true;
    bool space = false;
};

enum class FollowState : std::uint8_t { idle, following, rejoining, traversing, arrived, lost };
enum class FollowEvent : std::uint8_t { none, link_enter, link_leave, jump, arrived, stuck, needs_route };
enum class StuckReason : std::uint8_t { none, no_progress, blocked, off_route, world_changed };

/// "idle", ... Never null.
[[nodiscard]] const char* follow_state_name(FollowState state);
[[nodiscard]] const char* follow_event_name(FollowEvent event);
[[nodiscard]] const char* stuck_reason_name(StuckReason reason);

struct FollowStep {
    Vec3 velocity{};  ///< wanted, of this frame
    Vec3 aim{};       ///< what it heads for
    FollowEvent event = FollowEvent::none;
    StuckReason reason = StuckReason::none;  ///< of stuck and needs_route
    std::int32_t sight_tests = 0;            ///< 0 or 1
    Place place{};                           ///< of link_enter, link_leave, jump: where the route goes on
};

class Follower {
  public:
    /// Errors: those of check_speed_limits; not_finite, out_of_range: agent_radius, corridor (`lost` and `arrive` too), times
    /// (stuck_seconds).
    [[nodiscard]] static Result<Follower> make(const FollowerOptions& options = {});

    /// Follows this route from now on, in motion too.
    void take(const Route& route);
    void take(Route&&) = delete;
    /// Forgets its route.
    void drop();

    /// `position` is where the unit is now, `seconds` > 0 how long the frame is. NaN: a step of standing still.
    [[nodiscard]] FollowStep update(Vec3 position, double seconds, const SightQuery& sight = {});

    /// The link is behind the unit.
    void leave_link() { link_left_ = true; }
    /// What revalidate said of the route. Illegal ahead: update() asks for a new one.
    void revalidated(const Revalidation& found);

    [[nodiscard]] FollowState state() const { return state_; }
    /// The leg that leads to the aim. Null: no route, or none left.
    [[nodiscard]] const Leg* leg() const;
    [[nodiscard]] std::size_t leg_index() const { return leg_; }
    /// Along the route from the aim, and to it.
    [[nodiscard]] double remaining() const { return remaining_; }
    /// From the track, at the last update.
    [[nodiscard]] double track_error() const { return track_error_; }
    [[nodiscard]] const FollowerOptions& options() const { return options_; }

  private:
    explicit Follower(const FollowerOptions& options) : options_(options) {}

    /// A place on the route.
    struct Mark {
        std::size_t leg = 0;
        double on = 0.0;  ///< ground length on it; of an upright leg height
        Vec3 at{};
        bool good = false;  ///< there is one, this side of links and jumps
    };
    [[nodiscard]] Vec3 flat(Vec3 p) const { return options_.space ? p : Vec3{p.x, p.y, 0.0}; }
    [[nodiscard]] double way(const Leg& leg) const;
    [[nodiscard]] Mark aim_mark() const { return {leg_, on_leg_, aim_, true}; }
    [[nodiscard]] Mark mark_at(std::size_t leg, double on) const;
    [[nodiscard]] Mark next_mark(const Mark& from) const;
    [[nodiscard]] double way_between(const Mark& from, const Mark& to) const;
    [[nodiscard]] bool at_route_end() const;
    [[nodiscard]] bool reaches_aim(Vec3 p, const SightQuery& sight, FollowStep& step) const;
    [[nodiscard]] Vec3 foot_of(Vec3 p) const;
    [[nodiscard]] bool sees(Vec3 from, Vec3 to, const SightQuery& sight, FollowStep& step) const;
    void aim_at(const Mark& mark, Vec3 from);
    void move_aim(Vec3 p, const SightQuery& sight, FollowStep& step);
    void look_on(Vec3 p, const SightQuery& sight, FollowStep& step);
    void look_back(Vec3 p, const SightQuery& sight, FollowStep& step);
    void traverse(double seconds, FollowStep& step);
    void watch(Vec3 p, double seconds, FollowStep& step);
    void rejoin(Vec3 p);
    void ask(StuckReason reason, FollowStep& step);
    [[nodiscard]] double wanted_speed(Vec3 p, double seconds) const;

    FollowerOptions options_{};
    const Route* route_ = nullptr;
    std::size_t leg_ = 0;  ///< that the aim is on
    double on_leg_ = 0.0;  ///< and how far on it
    Vec3 anchor_{};        ///< the track begins
    Vec3 aim_{};           ///< and ends
    Vec3 last_{};          ///< where the unit was
    double rest_ = 0.0;    ///< of the route, behind the aim
    double remaining_ = 0.0;
    double track_error_ = 0.0;
    double best_ = kNoLimit;      ///< the least that remained
    double stuck_at_ = kNoLimit;  ///< and when it was stuck
    double since_ = 0.0;          ///< seconds without progress
    double link_seconds_ = 0.0;   ///< left
    std::uint8_t probe_ = 0;      ///< which of the places ahead is looked at next
    FollowState state_ = FollowState::idle;
    bool aim_hidden_ = false;
    bool foot_hidden_ = false;
    bool link_left_ = false;
    bool world_changed_ = false;
    bool fresh_ = true;  ///< has not seen the unit since its place on the route was set
};

}  // namespace fairlead
