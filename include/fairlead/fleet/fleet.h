// Fleet: units of a game that go where they are sent: searches for their routes within a frame's budget, following, avoiding each other.
//
//     TileFleet town_port(*town);                                          // fleet/tile_fleet.h; mesh_fleet.h, volume_fleet.h
//     Result<Fleet> fleet = Fleet::make(town_port.port());
//     Result<FleetKind> soldier = fleet->add_kind({.agent = {.radius = 0.4}, .limits = {.speed_max = 1.5, .accel_max = 4}});
//     Result<FleetId> unit = fleet->add(*soldier, {{3.5, 4.5, 0}});
//     fleet->send(*unit, Vec2{40.5, 8.5});
//     fleet->update(1.0 / 60.0, {.units = 4000});                          // every frame
//     draw(fleet->unit(*unit).place);
//     fleet->send(all, Vec2{60.5, 9.5});                                   // many to one place: a shared field
//     fleet->send(squad, Vec2{30.5, 8.5}, {.shape = FormationShape::wedge});   // many, in formation
//
// What it does with a unit. Its route is a request of the Scheduler (schedule/scheduler.h). First legs come first: where many ask at once
// each walker gets the beginning of a way after a short search (FleetOptions::first_leg_units) and sets off; the whole route
// comes in its turn. Until then the unit stands. A unit
// without a turning circle then walks in the Crowd (crowd/crowd.h); one with a turning circle drives exactly along its route
// (motion/route_driver.h), brakes for what is in its way, and the crowd keeps out of its. Who has lost sight of its way, or whose route
// an edit made illegal, asks again. Links (stairs, portals, jumps) take link_seconds: the unit's state is `link`, then it is at
// the other end. In volumes those with a turning circle fly: they too brake to a stand, and wait, in the air.
//
//     state        meaning
//     idle         no goal
//     waiting      its route is being searched, and it has no first leg or is at its end; or it stands, because it is not its turn at
//                  a narrow place, or a vehicle's way is taken
//     moving       on its way
//     link         between the two ends of a link
//     arrived      within its radius of the goal (a vehicle: exactly there)
//     stuck        no nearer to its goal for stuck_seconds; it goes on trying
//     unreachable  there is no route for it; it stands
//     invalid      start or goal are not places for it (`why` has the status); it stands. Pushed out of such a place it asks again
//
// Formations (crowd/formation.h): one route for all, of the widest unit. They keep their shape, go one by one through gaps, form again,
// and stand in their slots in the end, with the heading of the goal if it has one. Units are `arrived` when they are in their slot at the
// goal. Who is far away or loses the others gets a route of its own and joins when it sees its slot. Where the route has links the
// formation breaks up: each goes by itself, and all stand close around the goal. A unit that is sent elsewhere, stopped or removed leaves
// its formation, and the others close up.
//
// A change of the world: edit it, then fleet->world_changed(). Searches on their way finish on their revision; routes that are no
// longer legal are searched anew.
//
// Knots. Vehicles that stand because of each other (a circle of those that wait for one another, at once; one before another that goes
// nowhere, after some seconds) are planned together in a window of the world around them (convoy/convoy.h): each to the last place of
// its route in the window or its goal, or, where another one will be there, to the nearest one before it. Those in the window
// brake to a stand first. No other vehicle drives into it; one that stands at its border is a wall. Who has arrived makes room and comes
// back; who was never sent stands. When all are there each gets a new route from where it is. Edits, another goal, stop() and
// walkers that stay in the way break a knot: all brake, and are sent on alone; where they stand again, the next window is larger, and
// after longer.
// Walkers keep clear of vehicles in knots as of others. Where one is in the way of a plan the clock of that knot slows down for all in it,
// to a stand if it must; the plans leave a quarter of the acceleration and braking free for that.
//
// Tangles. Walkers that have come no nearer for 0.6 of `stuck_seconds` are planned together with those that stand near
// them (at most 20), on
// a lattice of places that the port knows (tiles, level meshes): each goes past the others on its route, or back to where it had arrived.
// They stop, step together within their limits, and then walk on by themselves. Others keep clear of them; whoever stands in their way is
// asked to step aside, then planned for too. Not those with facings or a turn rate, in formation, in a seat of a group, in a link.
//
// Facings and turn rates: as in the crowd (crowd/crowd.h). FleetView::place has the heading that is to be drawn. A vehicle with facings
// drives its
// route redrawn for them (drive/fixed_angles.h), on tiles; it is never planned together with others; where there is no room to redraw its
// route it is `unreachable`.
//
// Promises. For equal calls with budgets in units the same bits on every platform and with any number of threads. Those of the crowd:
// discs never touch each other or a wall. Vehicles do not enter a disc's place, nor one another's way to stop; in knots their bodies
// never overlap each other or a wall, and their limits hold as on routes.
// Not promised: that a walker who steps close to a moving vehicle of a knot is never touched (by a hundredth of its size, seldom: the
// clock brakes less than a vehicle can); that every knot is untied. Knots need a port that has windows (tiles, level meshes) and vehicles
// that cannot turn on the spot.
//
// Errors name the field. Cost: that of its parts; nothing is allocated in steady state but by routes longer than before and by knots. Knots
// take at most half of a frame's units, and count in its report; where time is limited, one for each 16 us.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/id.h>
#include <fairlead/base/result.h>
#include <fairlead/crowd/crowd.h>
#include <fairlead/crowd/formation.h>
#include <fairlead/curve/airplane.h>
#include <fairlead/curve/word.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/grid/query.h>
#include <fairlead/math/aabb.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/schedule/scheduler.h>
#include <fairlead/volume/blocker.h>

namespace fairlead {

struct FleetTag;
using FleetId = Id<FleetTag, std::uint64_t>;
struct FleetKindTag;
struct FleetFormationTag;
/// Units that were sent together; not used again.
using FleetFormationId = Id<FleetFormationTag, std::uint64_t>;
/// A kind of unit; 0, 1, 2, ... in the order in which they were added.
using FleetKind = Id<FleetKindTag>;

/// What units of a kind are.
struct FleetUnit {
    Agent agent{};  ///< a disc of radius 0 becomes one of FleetPort::point_radius
    SpeedLimits limits = SpeedLimits::only(1.5);
    double reverse_penalty = 1.5;  ///< vehicles: as in a DriveQuery
    double cusp_penalty = 1.0;
    ClimbLimits climb{};       ///< in volumes: how steeply one with a turning circle rises and sinks
    std::int32_t facings = 0;  ///< 8, 16 or 32: it moves and stands only in so many headings; 0: in any
};

/// What is asked of a world for one unit.
struct FleetAsk {
    const FleetUnit* unit = nullptr;
    FleetKind kind{};
    Place from{};
    bool has_heading = false;  ///< `from` has one
    Spot goal{};
    /// Vehicles and walkers that stand about, to be driven around. A world that cannot do that ignores them.
    std::span<const Blocker> around{};
    std::span<const VolumeBlocker> balls{};  ///< the same in space
};

/// A part of a floor of a world, for vehicles that are planned together.
struct FleetWindow {
    Aabb area{};  ///< world units
    std::int32_t layer = 0;
    double height = 0.0;     ///< what is farther above or below the window's ground is on another floor
    double cell_size = 0.0;  ///< of the kind with the smallest cells among those that it is opened for
    std::span<const Place>
        stand{};  ///< they stand in it; on meshes the window is what hangs together with these places
};

/// Windows of a world, each known by a number until it is closed. A window stays at the revision at which it was opened.
struct FleetWindows {
    /// Errors: size_zero (there is no ground), size_limit, out_of_memory. Null: vehicles are never planned together.
    Result<std::uint32_t> (*open)(const FleetWindow& window, void* user) = nullptr;
    /// Does a disc come onto its ground? Bodies that are planned in it stay where discs that do not cannot meet them.
    bool (*touches)(std::uint32_t window, const Place& at, double radius, void* user) = nullptr;
    /// May bodies that are planned in one meet those of the other?
    bool (*overlap)(std::uint32_t a, std::uint32_t b, void* user) = nullptr;
    /// For a kind: no more of the world than the window, without the discs `walls`.
    Result<DriveMap> (*map)(std::uint32_t window, FleetKind kind, std::span<const Blocker> walls,
                            void* user) = nullptr;
    /// As ConvoyGround::is_free (convoy/convoy.h), for a kind; walls are not looked at. Null: what the map's cells say is exact.
    bool (*is_free)(std::uint32_t window, FleetKind kind, const Pose& from, double radius,
                    const CurveWord& word, void* user) = nullptr;
    void (*close)(std::uint32_t window, void* user) = nullptr;
};

/// Fields that many units with one goal share. Each is known by a number until it is ended. Functions of different fields may be called
/// on different threads at a time.
struct FleetFields {
    /// From how many units like this one on a field for its goal costs less than as many searches. 0: there are none for such units, or
    /// goals. Null: none at all.
    std::uint32_t (*pays_from)(const FleetAsk& ask, void* user) = nullptr;
    /// Begins a field for all units of the body and with the goal of `ask`, on the newest revision.
    Result<std::uint32_t> (*begin)(const FleetAsk& ask, void* user) = nullptr;
    std::uint64_t (*step)(std::uint32_t field, std::uint64_t units, void* user) = nullptr;
    bool (*running)(std::uint32_t field, void* user) = nullptr;
    /// Of a field that is whole: as a search's result.
    Result<void> (*route)(std::uint32_t field, const Place& from, Route& out, void* user) = nullptr;
    void (*end)(std::uint32_t field, void* user) = nullptr;
};

/// The world of a fleet: functions and their context. WorldFleet has them for each.
/// Places where walkers of a kind stand when they are planned together: the whole multiples of `step` on each axis from `origin`.
struct WalkLattice {
    Vec2 origin{};
    double step =
        0.0;  ///< world units; 0: there are none. Two walkers stand on neighbouring places: at least twice their radius
};

struct FleetPort {
    /// A fleet begins: incompatible (world) if another one lives on this port.
    Result<void> (*begin)(void* user) = nullptr;
    /// The fleet and its searches are gone: forgets its kinds and its place in the scheduler.
    void (*end)(void* user) = nullptr;
    /// Told of each kind before its first unit: prepares what searches for it need.
    Result<void> (*add_kind)(const FleetUnit& unit, FleetKind kind, void* user) = nullptr;
    /// Where a unit that is put at a place begins: where a search's route from there does. Null: at that place.
    Place (*begin_at)(const Place& at, FleetKind kind, void* user) = nullptr;
    /// The height of the ground at a place, nearest to its own; that where there is no ground. Null: heights are those of routes.
    double (*height)(const Place& at, void* user) = nullptr;
    Result<RequestId> (*ask)(Scheduler& scheduler, const FleetAsk& ask, const RequestOptions& options,
                             void* user) = nullptr;
    /// Is a route still legal on the newest revision?
    bool (*legal)(Route& route, const FleetAsk& ask, void* user) = nullptr;
    CrowdWorld (*crowd)(void* user) = nullptr;
    /// Narrow places for discs of some radii, rising, on the newest revision; those that were found for it before are kept. They stay until
    /// the next call. Null: none are known. Error: out_of_memory.
    Result<PlaceSheets> (*places)(std::span<const double> radii, void* user) = nullptr;
    /// The world was edited: takes its newest revision, tells the scheduler.
    Result<void> (*publish)(Scheduler& scheduler, void* user) = nullptr;
    /// Redraws a vehicle's route with the facings of its kind (drive/fixed_angles.h). False: that is not free anywhere; the route is as it
    /// was. Null: vehicles have no facings.
    Result<bool> (*draw)(Route& route, FleetKind kind, void* user) = nullptr;
    /// What a kind of vehicle can do: the table of the maps of its windows, whose body is what walls are for. Null, or null for a kind:
    /// its vehicles are never planned together.
    const DriveTable* (*moves)(FleetKind kind, void* user) = nullptr;
    FleetWindows windows{};
    /// Null: walkers that stand because of each other are never planned together. The crowd's `clear` says which places are joined.
    WalkLattice (*lattice)(FleetKind kind, void* user) = nullptr;
    FleetFields fields{};
    bool space = false;          ///< units are spheres and move in all three dimensions (CrowdOptions::space)
    double point_radius = 1e-3;  ///< of discs that are given none: in a crowd nobody is a point
    void* user = nullptr;
};

struct FleetOptions {
    CrowdOptions crowd{};
    SchedulerOptions schedule{};
    bool avoid = true;            ///< false: everyone goes along its route through all others
    double link_seconds = 1.0;    ///< 0 to 1e6
    double stuck_seconds = 20.0;  ///< above 0
    /// Vehicles that stand because of each other are planned together; so are walkers, where nothing else helped for 0.6 `stuck_seconds`.
    bool knots = true;
    /// Of a walker's request: a short search of so many units comes before the whole one (RequestOptions::first_leg_units). 0: none.
    /// In volumes there are none.
    std::uint64_t first_leg_units = 50;
    Jobs jobs{};  ///< for the crowd
    Allocator allocator{};
};

enum class FleetState : std::uint8_t {
    idle,
    waiting,
    moving,
    link,
    arrived,
    stuck,
    unreachable,
    invalid,
    count_
};

/// "idle", "waiting", ... Never null.
[[nodiscard]] const char* fleet_state_name(FleetState state);

struct FleetView {
    Place place{};
    double speed = 0.0;
    Gear gear = Gear::forward;
    FleetState state = FleetState::idle;
    PathStatus why = PathStatus::complete;  ///< of unreachable and invalid
    double remaining = 0.0;
    std::uint64_t asked_frames = 0;  ///< that its last route took to come
    bool in_knot = false;            ///< it is planned together with others
    bool has_way = false;            ///< there is a route to where it was sent last, or a first leg of one
    bool exists = false;
};

/// Of units that were sent in formation.
struct FleetFormationView {
    FormationState state = FormationState::idle;  ///< idle: its route has not come yet, or there is none
    PathStatus why = PathStatus::complete;        ///< there is none: why
    std::size_t size = 0;
    std::uint32_t files = 0;
    double remaining = 0.0;  ///< of the leader's way
    bool exists = false;     ///< until nobody is in it any more
};

/// Over all frames so far.
struct KnotReport {
    std::uint64_t begun = 0;
    std::uint64_t untied = 0;  ///< everyone came where it was to go
    std::uint64_t broken = 0;  ///< given up: edits, new goals, walkers in the way, no progress
    std::uint64_t vehicles = 0;
    std::uint64_t tangles = 0;  ///< of those that were begun: of walkers
    std::uint64_t units = 0;    ///< of work
};

namespace fleet {
struct FleetData;
}

class Fleet {
  public:
    /// The port and what it stands for must outlive the fleet. One fleet lives on a port at a time; for two fleets in one world make two
    /// ports. Errors: those of Crowd::make and Scheduler::make; out_of_range (link_seconds, seconds: stuck_seconds); incompatible (world:
    /// another fleet lives on the port).
    [[nodiscard]] static Result<Fleet> make(const FleetPort& port, const FleetOptions& options = {});
    Fleet(Fleet&& other) noexcept;
    Fleet& operator=(Fleet&& other) noexcept;
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;
    ~Fleet();

    /// Errors: those of check_body, check_speed_limits, check_climb, and of what the port prepares; out_of_range (facings), unsupported
    /// (climb: of units that do not fly with a turning circle; facings: in space; of vehicles where the port cannot redraw routes).
    [[nodiscard]] Result<FleetKind> add_kind(const FleetUnit& unit);
    /// `has_heading`: of a vehicle; else it takes any heading that a route begins with. On level meshes a walker within its radius of
    /// the surface, or too near a wall, is put where its routes begin; a vehicle at the height of the surface.
    /// Errors: unknown_id (unit: the kind), not_finite (start), out_of_memory.
    [[nodiscard]] Result<FleetId> add(FleetKind kind, const Place& at, bool has_heading = false);
    bool remove(FleetId id);
    /// Errors: unknown_id (unit), not_finite (goal), those of Scheduler::submit.
    [[nodiscard]] Result<void> send(FleetId id, const Spot& goal, const CrowdGoal& group = {});
    /// All go to one place: who finds it taken stands close around it (CrowdGoal::group, one of their own). Where it pays
    /// (FleetFields) they
    /// share a field, one for each size, in place of a search each: it is filled within the budget, and each then gets its route out of it,
    /// a new one, too, when it is lost, and after edits. Where that takes long first legs come before. Errors, and nothing has changed
    /// then:
    /// size_zero (unit), unknown_id (its place in the list), not_finite (goal). Others are those of a single send(): some have been sent.
    [[nodiscard]] Result<void> send(std::span<const FleetId> ids, const Spot& goal);
    /// All go to one place in formation. Errors, and nothing has changed then: size_zero, size_limit (unit: kFormationMax), unknown_id,
    /// duplicate_id, unsupported (unit, its place in the list: a vehicle), not_finite (goal), out_of_range (spacing), those of
    /// Formation::make and Formation::add, those of Scheduler::submit.
    [[nodiscard]] Result<FleetFormationId> send(std::span<const FleetId> ids, const Spot& goal,
                                                const FormationOptions& formation);
    bool stop(FleetId id);

    /// One frame. Errors: not_finite, out_of_range (seconds: kSecondsMin to 1); out_of_memory.
    [[nodiscard]] Result<void> update(double seconds, const FrameBudget& budget);
    /// After edits of the world.
    [[nodiscard]] Result<void> world_changed();

    [[nodiscard]] FleetView unit(FleetId id) const;
    [[nodiscard]] FleetFormationView formation(FleetFormationId id) const;
    /// The route that it goes along, or went along last; null if there is no such unit. Valid until the next call that is not const.
    [[nodiscard]] const Route* route(FleetId id) const;
    [[nodiscard]] std::size_t size() const;
    /// Shared fields that units go by, or that are being filled for them.
    [[nodiscard]] std::size_t fields() const;
    [[nodiscard]] const Scheduler& scheduler() const;
    [[nodiscard]] const UpdateReport& report() const;
    [[nodiscard]] const KnotReport& knots() const;
    /// Of all places, speeds and states, over all frames so far.
    [[nodiscard]] std::uint64_t digest() const;

  private:
    explicit Fleet(fleet::FleetData* data) : data_(data) {}
    fleet::FleetData* data_ = nullptr;
};

}  // namespace fairlead
