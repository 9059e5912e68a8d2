// Route: what every planner returns and everything else reads. The narrow waist of the library: planners
// never include motion, motion never includes a planner, both include this.
//
// A route is a chain of legs. Each leg says where it starts, so a leg can be read, drawn, followed and checked
// alone; the end of the last one is Route::end. The route *as stored in these doubles* is the object that is
// legal or not (design.md section 2): a leg of kind drive runs from its stored start along its stored heading
// and curvature for its stored length, and meets the stored start of the next leg within the contact slack
// (math/contact.h: 1e-9 x the size of the world and a little for its distance from the origin).
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/base/array.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/vec.h>

namespace fairlead {

/// The outcome of a query that was well formed. Malformed ones (NaN, negative radius) give an Error instead.
enum class PathStatus : std::uint8_t {
    complete,       ///< the route reaches the goal
    partial,        ///< asked for: the route ends at the reachable place nearest the goal
    unreachable,    ///< no route exists for this unit
    start_blocked,  ///< the unit cannot stand at the start
    goal_blocked,   ///< the unit cannot stand at the goal, or anywhere in the goal region
    off_world,      ///< start or goal is outside the world
    budget_spent,  ///< the declared limit on expansions was reached first, or the call was cancelled; with `partial` asked for
    ///< legs lead to the best place so far
    window,  ///< the fixed window of the classic engine is too small for this query (and may not grow)
    count_,  ///< not a status: the number of them
};

/// "complete", "partial", ... as in the files and the command line. Never null.
[[nodiscard]] const char* status_name(PathStatus status);

enum class LegKind : std::uint8_t {
    drive,  ///< a straight line or an arc of constant curvature
    turn,   ///< on the spot, by `turn_rad`
    link,   ///< from one place to another that is not next to it: stairs, ladder, jump, portal
};

enum class Gear : std::uint8_t { forward, reverse };

[[nodiscard]] const char* leg_kind_name(LegKind kind);
[[nodiscard]] const char* gear_name(Gear gear);

/// A position in the world with a floor and a heading.
struct Place {
    Vec3 position{};
    double heading_rad = 0.0;  ///< where the unit faces, counter-clockwise from +x
    std::int32_t layer = 0;    ///< floor of a layered tile map; 0 elsewhere

    friend bool operator==(const Place&, const Place&) = default;
};

inline constexpr double kUnknown = -1.0;

/// One piece of a route. 96 bytes, trivially copyable.
struct Leg {
    Place start{};
    double length = 0.0;     ///< on the ground, >= 0; a vertical leg has 0
    double rise = 0.0;       ///< change of height over the leg
    double curvature = 0.0;  ///< 1 / radius, positive to the left of the direction of travel, 0 = straight
    double turn_rad = 0.0;   ///< for LegKind::turn: signed angle, positive counter-clockwise
    double clearance =
        kUnknown;  ///< smallest gap from the body's centre to an obstacle along it; kUnknown if not computed
    double speed_max = kUnknown;  ///< speed limit on this leg; kUnknown if there is none
    std::uint32_t link_id = 0;    ///< for LegKind::link: which link of the world
    LegKind kind = LegKind::drive;
    Gear gear = Gear::forward;

    friend bool operator==(const Leg&, const Leg&) = default;
};

inline constexpr std::uint32_t kNoLeg = UINT32_MAX;

/// One knot of a speed profile (route/speed_profile.h). 40 bytes.
struct SpeedKnot {
    double distance = 0.0;  ///< ground length from the route's start, world units; never falls
    double time = 0.0;      ///< seconds; never falls
    double speed = 0.0;     ///< world units a second, >= 0
    double slowdown = 1.0;  ///< from here to the next knot, >= 1
    std::uint32_t leg =
        kNoLeg;  ///< which the unit is on, or stands before, from here to the next knot; kNoLeg: not told

    friend bool operator==(const SpeedKnot&, const SpeedKnot&) = default;
};

/// No promise about cost: bound = infinity.
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// What a search did. The digest covers the order of all expansions and the route.
struct SearchStats {
    std::uint64_t expanded = 0;   ///< states taken from the open list and opened
    std::uint64_t generated = 0;  ///< states put on the open list, repetitions included
    std::uint64_t open_peak = 0;  ///< largest size of the open list
    std::uint64_t digest = 0;

    friend bool operator==(const SearchStats&, const SearchStats&) = default;
};

/// A movable value. Reuse one through find_route_into and a warm query allocates nothing.
struct Route {
    PathStatus status = PathStatus::unreachable;
    double length = 0.0;  ///< sum of the legs' ground lengths
    /// Of what the search found, in the search's own measure. Tiles: of the tile (or half-tile) route, each step its length x
    /// the cost of the tile entered, turn penalties, influence and portals included, the ends' ways to the tiles' middles as
    /// they are long; smoothing does not change it. Meshes and roadmaps: line_cost. Turning units: of the curves, after
    /// smoothing, which works in the same measure, reverse, cusp and pivot penalties included. Timed: seconds. A route that
    /// was mended piece by piece, which no search found as a whole: line_cost.
    double cost = 0.0;
    /// The integral of the world's cost factors along `legs`: length x factor of what lies under it (terrain, influence, areas,
    /// roads), prices of links added, no penalties. Where nothing has a factor: the length, and the links' prices. A line
    /// on the border of two tiles counts the cheaper one. Never made larger by smoothing tile routes, nor any stretch of it
    /// between two points that the smoothed route shares with the tile route. That of the world on which the route was found or mended.
    double line_cost = 0.0;
    double bound = kNoBound;     ///< cost <= bound x optimum of the planner's stated problem; 1 = optimal
    const char* planner = "";    ///< static string: which planner made it
    std::uint64_t revision = 0;  ///< of the world; the route is legal on that revision
    Array<Leg> legs;             ///< empty when start == goal or when nothing was found
    Place end{};
    /// How the route is driven, of timed queries (drive/find_timed.h): the last knot's time is `cost`. Else empty.
    Array<SpeedKnot> speeds;
    bool too_fast = false;  ///< timed: unreachable because of the speeds at the ends alone
    double level_cost =
        0.0;  ///< timed: seconds of the same path at levels of speed only, as the search found it
    SearchStats stats{};

    /// Empty again, memory kept.
    void clear();
};

/// Of a search's digest and its route: status, cost, every number of every leg, the end. The same on every platform.
[[nodiscard]] std::uint64_t route_digest(const Route& route, std::uint64_t search);

/// Where the unit is after `distance` along one leg, 0 <= distance <= leg.length (clamped); a turn or link
/// gives its start. Heading is continuous along an arc; in reverse gear the unit still faces its heading.
[[nodiscard]] Place place_on_leg(const Leg& leg, double distance);

/// The stored end of leg i: the start of the next one, or the route's end. i < legs.size().
[[nodiscard]] const Place& leg_end(const Route& route, std::size_t i);

/// Where the unit is after `distance` of ground length from the start, clamped to the route; NaN counts as 0. A route without
/// legs gives its end. Linear in the number of legs, a nanosecond each: a unit on its way keeps a RouteCursor
/// (route/route_cursor.h), which has no search and tells of turns on the spot, gears and links.
[[nodiscard]] Place place_on_route(const Route& route, double distance);

}  // namespace fairlead
