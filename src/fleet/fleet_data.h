// What a fleet keeps: kinds, units with their routes, the crowd and the scheduler.
#pragma once

#include <new>
#include <optional>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/digest.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/math/aabb.h>
#include <fairlead/motion/route_driver.h>

#include "crowd/unit.h"
#include "fleet/knots.h"
#include "fleet/tangles.h"

namespace fairlead::fleet {

inline constexpr std::uint32_t kNoSquad = 0xffffffffu;
inline constexpr std::uint32_t kNoField = 0xffffffffu;

/// A vehicle's way to a stop as others know it: lines from where it is, and how far it is off them at most.
struct ToldWay {
    Vec2 to[crowd::kDrivenLinesMax]{};
    std::uint32_t lines = 0;  ///< 0: it stands
    double off = 0.0;
};

struct Member {
    explicit Member(const Allocator& allocator) {
        for (Route& one : routes) one.legs = Array<Leg>(allocator);
    }

    /// The one that it goes along; a driver points to it.
    [[nodiscard]] Route& route() { return routes[on]; }
    [[nodiscard]] const Route& route() const { return routes[on]; }
    /// As new, but for what routes have room for.
    void reset() {
        Array<Leg> legs[2] = {std::move(routes[0].legs), std::move(routes[1].legs)};
        const Allocator allocator = legs[0].allocator();
        const std::uint32_t keeps = generation, number = slot;
        driver.reset();
        this->~Member();
        ::new (this) Member(allocator);
        generation = keeps;
        slot = number;
        for (int i = 0; i < 2; ++i) {
            legs[i].clear();
            routes[i].legs = std::move(legs[i]);
        }
    }
    /// Room for the next one.
    [[nodiscard]] Route& coming() { return routes[1 - on]; }

    FleetKind kind{};
    std::uint32_t generation = 0;
    std::uint32_t slot = 0;  ///< of FleetData::members
    bool used = false;

    UnitId body{};                        ///< in the crowd
    std::optional<RouteDriver> driver{};  ///< of a vehicle
    Place at{};
    bool has_heading = false;
    std::uint32_t squad = kNoSquad;  ///< its formation
    bool alone = false;              ///< it goes along a route of its own, out of its formation

    FleetState state = FleetState::idle;
    PathStatus why = PathStatus::complete;
    Spot goal{};
    CrowdGoal group{};
    RequestId request{};
    std::uint64_t asked_at = 0;
    std::uint64_t asked_frames = 0;
    bool first_leg = false;           ///< what it has is the beginning of a way; the route comes later
    bool looked = false;              ///< it has looked at what its request had first
    bool waits_for_all = false;       ///< no first leg: it stands until the route comes
    std::uint32_t shared = kNoField;  ///< the field that it goes by
    std::uint32_t line = 0;           ///< its place among those that wait there
    bool lined_up = false;            ///< it waits for a route out of it,
    bool has_field_route = false;     ///< which has come,
    bool field_failed = false;        ///< or there was no memory for it
    bool stale = false;               ///< its route does not hold any more, found after an edit
    bool to_goal = false;             ///< the route that it has leads to the goal that it was sent to last
    bool again = false;               ///< the request is for another route to the same goal
    bool edited = false;              ///< the world was, since it asked
    bool pushed = false;              ///< from where no route could start, since it asked
    bool refused = false;             ///< its driver could not take the last route: it asks again
    Route routes[2];
    int on = 0;
    std::size_t leg = 0;       ///< the first of the stretch that the crowd was given
    std::size_t next_leg = 0;  ///< a link, or the number of legs
    double link_left = 0.0;
    double best = 0.0;      ///< the least that remained,
    double best_for = 0.0;  ///< and seconds since then
    double speed = 0.0;
    Vec3 velocity{};  ///< of a walker
    Vec3 stops{};     ///< of one in a tangle: its way to a stop
    ToldWay told{};   ///< of a vehicle on the ground: what the crowd knows of it
    double blocked_for =
        0.0;  ///< seconds that a vehicle has stood because of others, since it last asked for a way around,
    double held_for = 0.0;                ///< and in all
    std::uint32_t waits_for = kNoMember;  ///< the vehicle that it stands before
    bool before_window = false;           ///< or the window of a knot
    Vec2 asks_way{};                      ///< or walkers: where it would go on
    bool in_knot = false;
    bool keeps_best = false;       ///< its next route is no new beginning
    std::uint32_t knot_tries = 0;  ///< broken knots in a row
    double knot_after = 0.0;       ///< no knot for it before
    Gear knot_gear = Gear::forward;

    /// For its next route to the same goal, from where the knot left it.
    [[nodiscard]] bool waits_after_knot() const { return state == FleetState::waiting && keeps_best; }
    /// Sent to another goal: nothing is known of the way there yet.
    void begin_anew() {
        to_goal = keeps_best = first_leg = false;
        best = std::numeric_limits<double>::infinity();
        best_for = 0.0;
    }
};

/// A place on a vehicle's way, and how far that is.
struct WayPlace {
    Vec2 at{};
    double z = 0.0;
    std::int32_t layer = 0;
    double on = 0.0;
};

/// Where a vehicle is going to be: places on its way to a stop, and further ones on its route.
struct DrivenWay {
    std::uint32_t member = 0;
    double radius = 0.0;
    bool round = true;      ///< it is a disc
    bool ends = false;      ///< with its route
    std::size_t first = 0;  ///< of FleetData::way_places
    std::size_t stop = 0;   ///< so many are on the way to a stop, or the next one behind it
    std::size_t count = 0;
    double room = 0.0;  ///< to turn away, before what it waits for
    Aabb box{};         ///< of its places
};

/// Units that go in formation.
struct Squad {
    Squad(Formation&& given, const Allocator& allocator) : formation(std::move(given)), members(allocator) {
        route.legs = Array<Leg>(allocator);
        coming.legs = Array<Leg>(allocator);
    }

    Formation formation;
    Array<std::uint32_t> members;  ///< their slots in the fleet, in the formation's order
    std::uint32_t generation = 0;
    Spot goal{};
    FleetKind kind{};  ///< of the widest
    RequestId request{};
    Route route;
    Route coming;
    PathStatus why = PathStatus::complete;
    std::uint64_t asked_at = 0;
    bool under_way = false;
    bool edited = false;  ///< the world was, since it asked
};

struct FleetData;

/// A field of the port's, and who waits for a route out of it: a job of the scheduler's.
struct SharedField {
    explicit SharedField(FleetData& of);

    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const;

    FleetData* fleet;
    std::uint32_t index = 0;   ///< of FleetData::fields
    std::uint32_t number = 0;  ///< in the port
    bool open = false;         ///< the port has one under that number
    FleetKind kind{};
    Spot goal{};
    RequestId request{};
    std::uint64_t begun_at = 0;
    std::uint32_t users = 0;       ///< units that go by it
    Array<std::uint32_t> waiting;  ///< slots of units; kNoMember: it has left
    std::size_t next = 0;          ///< the first of them without a route
    std::uint64_t debt = 0;        ///< units of work that the last route cost more
};

struct FleetData {
    FleetData(const FleetPort& given, const FleetOptions& asked, Crowd&& units, Scheduler&& searches)
        : port(given),
          options(asked),
          crowd(std::move(units)),
          scheduler(std::move(searches)),
          kinds(asked.allocator),
          members(asked.allocator),
          free(asked.allocator),
          radii(asked.allocator),
          squads(asked.allocator),
          fields(asked.allocator),
          click(asked.allocator),
          ways(asked.allocator),
          way_places(asked.allocator),
          around(asked.allocator),
          balls(asked.allocator),
          knot_kinds(asked.allocator),
          knots(asked.allocator),
          tangles(asked.allocator),
          marks(asked.allocator),
          seeds(asked.allocator) {}

    FleetPort port;
    FleetOptions options;
    Crowd crowd;
    Scheduler scheduler;
    Array<FleetUnit> kinds;
    Array<Member*> members;
    Array<std::uint32_t> free;
    Array<double> radii;  ///< of walkers, rising
    std::uint64_t places_version = 0;
    Array<Squad*> squads;  ///< null: free
    std::uint32_t squads_made = 0;
    Array<SharedField*> fields;  ///< those with no users are spare
    std::uint32_t clicks = 0;
    Array<Member*> click;  ///< of one call of send()
    std::size_t used = 0;
    std::uint64_t frame = 0;
    UpdateReport report{};
    Digest digest{};
    Array<DrivenWay> ways;  ///< of one frame
    Array<WayPlace> way_places;
    Array<Blocker> around;
    Array<VolumeBlocker> balls;
    KindList<KnotKind> knot_kinds;
    Array<Knot*> knots;
    Array<Tangle*> tangles;
    Array<std::uint32_t> marks;  ///< of one search for cycles
    Array<std::uint32_t> seeds;
    KnotReport knot_report{};
    double now = 0.0;

    [[nodiscard]] bool is_vehicle(const Member& member) const {
        return kinds[member.kind.value].agent.turning_radius > 0.0;
    }
    /// As the crowd has it; `driven`: somebody else moves it.
    [[nodiscard]] double radius_of(const Member& member) const {
        return circumscribed_radius(kinds[member.kind.value].agent);
    }
    [[nodiscard]] CrowdUnit body_of(const Member& member, bool driven) const {
        const FleetUnit& unit = kinds[member.kind.value];
        CrowdUnit body;
        body.radius = circumscribed_radius(unit.agent);
        body.limits = unit.limits;
        body.facings = unit.facings;
        body.driven = driven;
        return body;
    }
    /// A place on a vehicle's way, on the ground; `z`: of the ground near it.
    [[nodiscard]] Place on_ground(Place at, double z) const {
        if (port.height == nullptr) return at;
        at.position.z = z;
        at.position.z = port.height(at, port.user);
        return at;
    }
    /// A vehicle that moves is asked for from where it will stand.
    [[nodiscard]] FleetAsk ask_of(const Member& member) const {
        const bool moves = member.driver && member.driver->route() != nullptr;
        const Place from =
            moves ? on_ground(member.driver->stopping_place(), member.at.position.z) : member.at;
        return {&kinds[member.kind.value], member.kind, from, member.has_heading, member.goal, {}, {}};
    }
};

inline SharedField::SharedField(FleetData& of) : fleet(&of), waiting(of.options.allocator) {}

/// Narrow places for all sizes of walkers, on the newest revision.
[[nodiscard]] Result<void> find_places(FleetData& fleet);

constexpr std::uint64_t kAskAgain = 30;  // frames from one request of a lost unit to the next

/// Does it come nearer? A unit that does not is stuck.
void watch_progress(FleetData& fleet, Member& member, double remaining, double seconds);
/// After the crowd has moved: what became of a unit.
[[nodiscard]] Result<void> follow(FleetData& fleet, Member& member, double seconds);

[[nodiscard]] Result<FleetFormationId> send_squad(FleetData& fleet, std::span<Member* const> units,
                                                  const Spot& goal, const FormationOptions& options);
/// It goes on by itself; the others close up.
void leave_squad(FleetData& fleet, Member& member);
/// It has another body in the crowd now.
[[nodiscard]] Result<void> change_body_in_squad(FleetData& fleet, const Member& member, UnitId old);
/// Before the crowd moves: routes that have come, what each unit wants.
[[nodiscard]] Result<void> lead_squads(FleetData& fleet, double seconds);
/// After it: what became of a unit.
[[nodiscard]] Result<void> follow_squad(FleetData& fleet, Member& member, double seconds);
[[nodiscard]] Result<void> squads_world_changed(FleetData& fleet);
void release_squads(FleetData& fleet);

/// How near vehicles come to each other on their ways, beyond both radii.
inline constexpr double kVehicleGap = 0.4;  // of the larger radius
/// Of boxes: nearer than that a convoy would not take them (its discs stand out at their ends).
inline constexpr double kBoxGap = 0.6;
/// Of two radii; `round`: both are discs.
[[nodiscard]] inline double vehicle_gap(bool round, double radius, double other) {
    return (round ? kVehicleGap : kBoxGap) * (radius > other ? radius : other);
}

/// Tells the crowd where a vehicle on the ground is, and its way to a stop; none: it stands.
void tell_way(FleetData& fleet, Member& member, Vec3 velocity, std::span<const Vec3> way, double off);

/// A walker's way to a stop.
[[nodiscard]] inline Vec3 plan_of(const FleetData& fleet, const Member& walker) {
    const double brake = fleet.kinds[walker.kind.value].limits.brake_max;
    if (walker.in_knot && walker.stops != Vec3{}) return walker.stops;
    return brake < kNoLimit ? walker.velocity * (length(walker.velocity) / (2.0 * brake)) : Vec3{};
}

/// Asks for a route to its goal from where it will stand. `again`: it has one and goes on along it until then; else it waits. `around`:
/// a vehicle's way goes around those that stand. Of who goes by a field: out of it.
[[nodiscard]] Result<void> ask(FleetData& d, Member& member, bool again, bool around = false);
/// The same by a search of its own.
[[nodiscard]] Result<void> ask_alone(FleetData& d, Member& member, bool again, bool around = false);
/// Has it come to where it asked from?
[[nodiscard]] bool stands(const RouteDriver& driver);
/// Its request has the beginning of a way, and the unit stands and waits: it sets off.
[[nodiscard]] Result<void> take_first_leg(FleetData& d, Member& member);
/// Its request is done.
[[nodiscard]] Result<void> take_route(FleetData& d, Member& member);
/// Its field has.
[[nodiscard]] Result<void> take_field_route(FleetData& d, Member& member);
/// Sends a walker along its route up to the next link.
[[nodiscard]] Result<void> walk_on(FleetData& d, Member& member);

/// All are sent to one place, by fields where that pays.
[[nodiscard]] Result<void> share_fields(FleetData& fleet, std::span<Member* const> units, const Spot& goal);
/// It goes by a field and will get a route out of it. False: it does not.
[[nodiscard]] bool ask_field(FleetData& fleet, Member& member);
void leave_field(FleetData& fleet, Member& member);
/// Before units move: fields that are done, and those that take long.
[[nodiscard]] Result<void> follow_fields(FleetData& fleet);
[[nodiscard]] Result<void> fields_world_changed(FleetData& fleet);
void release_fields(FleetData& fleet);

/// How fast each vehicle outside knots may go; moves them.
[[nodiscard]] Result<void> drive_all(FleetData& fleet, double seconds);

}  // namespace fairlead::fleet
