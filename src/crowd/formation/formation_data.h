// What a formation keeps, and the steps of its update.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/crowd/formation.h>

#include "crowd/assignment.h"
#include "crowd/unit.h"

namespace fairlead::crowd {

struct FormationMember {
    UnitId id{};
    double radius = 0.0;
    SpeedLimits limits{};
    std::uint32_t slot = kNone;
    bool by_route = false;   ///< it goes along the route by itself, else to its slot
    bool own_route = false;  ///< not that of the formation: it sees nothing of that
    bool late = false;
    bool lost = false;
    bool around = false;      ///< its slot is out of sight: it goes to a place of the route first,
    Vec3 aim{};               ///< this one
    Vec3 target{};            ///< its slot's place,
    Vec3 moved{};             ///< and the velocity of that
    double lag = 0.0;         ///< how far it is from it
    double along = 0.0;       ///< how far it is on the route; below 0 before it
    double best = 0.0;        ///< the least lag, or on the route what was left, since it made progress,
    double stood_for = 0.0;   ///< and the seconds since then
    double nearest = 0.0;     ///< the least lag since it was in its place,
    double late_for = 0.0;    ///< and the seconds since then
    double hidden_for = 0.0;  ///< seconds that it has not seen its slot
};

struct FormationSlot {
    double ahead = 0.0;  ///< of the leader, along the route
    double left = 0.0;
    double up = 0.0;
};

/// How many units fit beside each other.
struct Fit {
    bool whole = true;  ///< the shape does; the numbers say nothing then
    std::uint32_t across = 0;
    std::uint32_t storeys = 1;

    [[nodiscard]] bool single() const { return !whole && across * storeys < 2; }
    friend bool operator==(const Fit&, const Fit&) = default;
};

/// A place on the route.
struct TrackPoint {
    Place at{};
    Vec3 ahead{};  ///< of length 1; turns over a stretch of the route
    Vec3 left{};
    // how far the middle of the widest unit may go to each side
    double room_left = 0.0;
    double room_right = 0.0;
    double room_up = 0.0;
    double room_down = 0.0;
    double shift = 0.0;  ///< of the shape, to the left
    double lift = 0.0;   ///< and up
    bool open = true;    ///< no wall between the point before and this one
    std::uint32_t leg = 0;
    double on_leg = 0.0;
};

enum class FormationPhase : std::uint8_t { idle, march, gap, closing };

struct FormationData {
    explicit FormationData(const FormationOptions& given)
        : options(given),
          own(given.allocator),
          members(given.allocator),
          slots(given.allocator),
          places(given.allocator),
          legs(given.allocator),
          way(given.allocator),
          track(given.allocator),
          seats(given.allocator) {}

    FormationOptions options;
    Array<Vec3> own;  ///< the user's slots
    FormationEnd end{};
    bool space = false;
    Array<FormationMember> members;
    bool changed = false;  ///< units have come or gone
    bool anew = false;     ///< the world was edited

    // of the widest and the slowest
    double radius = 0.0;
    double speed = 0.0;
    double spacing = 0.0;

    // the shape by itself
    FormationSlot shape_low{};
    FormationSlot shape_high{};

    Fit fit{};  ///< of the slots as they are
    Array<FormationSlot> slots;
    FormationSlot low{};  ///< of all of them
    FormationSlot high{};
    Array<Vec3> places;  ///< in `closing`: of the slots

    Array<Leg> legs;  ///< the route
    Place route_end{};
    Array<Leg> way;  ///< of one unit
    Array<TrackPoint> track;
    std::size_t measured = 0;  ///< so many points have their room
    double step = 0.0;
    double length = 0.0;

    FormationPhase phase = FormationPhase::idle;
    double along = 0.0;  ///< the leader
    double pace = 0.0;
    bool blocked = false;
    bool arrived = false;

    // of a gap
    std::size_t gap_from = 0;
    std::size_t gap_to = kNowhere;  ///< points; what is behind it is wide. kNowhere: not found yet
    std::size_t run_from = 0;       ///< where it may end: from there on more than one fit,
    std::size_t whole_from = 0;     ///< from there on the shape does
    std::size_t looked = 0;
    bool gap_at_goal = false;  ///< there is no room behind it
    double stalled_for = 0.0;  ///< seconds since somebody came out

    std::uint64_t updates = 0;

    Assignment seats;  ///< who takes which slot

    static constexpr std::size_t kNowhere = ~std::size_t{0};

    [[nodiscard]] std::size_t point_at(double on) const {
        const double at = on > 0.0 ? on / step : 0.0;
        const std::size_t last = track.size() - 1;
        return at < static_cast<double>(last) ? static_cast<std::size_t>(at) : last;
    }
    [[nodiscard]] double on(std::size_t point) const {
        const double at = static_cast<double>(point) * step;
        return at < length ? at : length;
    }
    [[nodiscard]] double depth() const { return -low.ahead; }
    /// How far the leader looks for what is narrower.
    [[nodiscard]] double lookahead() const { return 4.0 * spacing + (high.ahead > 0.0 ? high.ahead : 0.0); }
    /// Sides and heights of places: on the ground heights do not count.
    [[nodiscard]] double apart(Vec3 a, Vec3 b) const {
        return space ? distance(a, b) : distance(fairlead::ground(a), fairlead::ground(b));
    }
};

/// What all of them are: radius, speed, spacing, the extent of the shape.
void measure_units(FormationData& data, const Crowd& crowd);
/// Slots of the shape, or of as many files as fit.
void lay_slots(FormationData& data, const Fit& fit);
/// Of so many units in files that is how long they are.
[[nodiscard]] double depth_of(const FormationData& data, const Fit& fit);

/// The points of a route, without their room. False: no memory.
[[nodiscard]] bool lay_track(FormationData& data, const Route& route);
/// The room at so many more points.
void measure_track(FormationData& data, const CrowdWorld& world, std::size_t count);
[[nodiscard]] Fit fit_at(const FormationData& data, std::size_t point);
/// The least between two places of the route; what is not measured counts as wide.
[[nodiscard]] Fit fit_between(const FormationData& data, double from, double to);
/// How the slots lie beside the route, from a place on.
void lay_beside(FormationData& data, double from);
/// How far along a unit is.
[[nodiscard]] double find_along(const FormationData& data, Vec3 p, double known, bool everywhere);

/// A slot's place with the leader somewhere. Without a world: walls beside the route count, single things in the way do not.
[[nodiscard]] Vec3 slot_place(const FormationData& data, const FormationSlot& slot, double leader,
                              const CrowdWorld* world);
/// Places for the slots at the goal, none in a wall.
void lay_places(FormationData& data, const CrowdWorld& world);
/// Where a slot is now.
[[nodiscard]] Vec3 place_of_slot(const FormationData& data, std::uint32_t slot, const CrowdWorld* world);
/// Slots to units, so that the squares of the ways have the least sum.
void assign_slots(FormationData& data, const Crowd& crowd, const CrowdWorld& world);

/// Sends a unit along the route by itself.
void go_by_route(FormationData& data, FormationMember& member, Crowd& crowd, const CrowdWorld& world);
/// One unit's part of an update.
void guide_member(FormationData& data, FormationMember& member, double seconds, Crowd& crowd,
                  const CrowdWorld& world);

[[nodiscard]] inline bool can_go(const CrowdWorld& world, const Place& from, Vec3 to, double radius) {
    return world.clear == nullptr || world.clear(from, to, radius, world.user);
}

}  // namespace fairlead::crowd
