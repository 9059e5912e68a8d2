// Crowd: units that move at the same time, each along its own route, without touching walls or each other.
//
//     Result<Crowd> crowd = Crowd::make({.seed = 7});
//     Result<UnitId> unit = crowd->add({.radius = 0.5, .limits = {.speed_max = 1.5, .accel_max = 4}}, {{3, 4, 0}});
//     crowd->send(*unit, *route);                                   // of find_route, in any world; it is copied
//     crowd->update(1.0 / 30.0, world);                             // every frame
//     draw(crowd->unit(*unit).place);
//
// Round units (discs; in volumes spheres) without a turning circle. Units that cannot sidestep are planned in space and time
// (convoy/convoy.h).
//
// How. Five layers: (1) the route, kept to one side of where it is wide; (2) narrow places have an order: one unit wide means one
// direction at a time, two or three wide a lane each way (crowd/narrow_places.h); (3) who is late has priority, and who stands in the way
// of one with priority takes its priority over and steps aside; (4) of all velocities that avoid the others for some seconds, each side
// taking its share of the trouble, the one nearest to what is wanted; (5) hard limits: every unit can at any time brake to a stand
// without touching a wall or anything that another one needs for its own stop.
//
// In space (CrowdOptions::space) the same, but for (2): units find by themselves, along their ways, the tunnels in which two of their size
// cannot pass each other; one direction goes at a time. There is no side that is kept, and there are no lanes.
//
// Units that face a way: those with facings (8, 16, 32: sprites), and those with SpeedLimits::turn_rate_max. Each step of theirs goes
// the way
// that they face, which UnitView::place tells: they never slide aside. A unit with facings goes along those directions alone, exactly;
// with a turn rate too it turns from one to the next after the time that this takes (it keeps time for one). They slow down to turn where
// limits want that, and turn on the spot. Not in space: there facings are refused, and the turn rate is that of the picture alone.
//
// Promises. Units that do not overlap at the start never will, and never enter a wall, whatever the number of units, the step and the
// limits, facings and turn rates (layer 5 holds by construction: the plan to stop of every unit is free of the walls and of all other
// plans to stop, and a new velocity is only taken if that stays so). Limits of speed and acceleration are kept at each update. The same
// calls give the same bits on every platform and with any number of threads. update() allocates nothing in steady state; the seats of a
// group (CrowdGoal::group) take memory while they are looked for, some 0.4 s after it was sent.
// Not promised: that every crowd gets through. docs/crowds.md says which scenes were measured.
//
// Cost: some 2 us a unit and update on one core where it is dense, most of it for neighbours; in space 3 to 6 us.
// Errors of make, add and send: not_finite, out_of_range of the field; unsupported (facings in space); out_of_memory; nothing has changed
// then.
//
// Source: velocity obstacles with shares: van den Berg et al. 2011 (ORCA); half of each gap: Zhou et al. 2017 (buffered Voronoi cells);
// inherited priority: Okumura et al. 2022 (PIBT), here in continuous space.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/id.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/crowd/crowd_world.h>
#include <fairlead/crowd/narrow_places.h>
#include <fairlead/crowd/place_sheets.h>
#include <fairlead/route/route.h>
#include <fairlead/route/speed_limits.h>

namespace fairlead {

inline constexpr double kSecondsMin = 1e-9;  ///< of an update: less is lost in rounding
/// Lines of a way to a stop (Crowd::drive).
inline constexpr std::size_t kDrivenWayMax = 8;

struct UnitTag;
/// Of one crowd; not used again after a unit is removed.
using UnitId = Id<UnitTag, std::uint64_t>;

enum class KeepSide : std::uint8_t { right, left, none };

struct CrowdOptions {
    KeepSide keep = KeepSide::right;
    bool space =
        false;  ///< units are spheres that move in all three dimensions (`keep` and `height` do not count)
    bool avoid = true;       ///< false: units walk through each other
    double height = 2.0;     ///< units whose heights differ by more are on different floors; > 0
    std::uint64_t seed = 0;  ///< of the order of units that are otherwise equal
    Allocator allocator{};
};

struct CrowdUnit {
    double radius = 0.5;  ///< > 0
    /// Somebody else moves it (a vehicle, the player): others keep out of its way, and of the way it needs to stop; see drive().
    bool driven = false;
    SpeedLimits limits = SpeedLimits::only(1.5);  ///< reverse_speed_max and cusp_seconds do not count
    /// 0: it moves any way. 8, 16 or 32: art drawn for so many ways (curve/facings.h): it moves the way that it faces, never aside.
    std::int32_t facings = 0;
};

/// Of one order to go.
struct CrowdGoal {
    /// Above 0: all units with this number go to one place, and those who find it taken stand around it, close together: each on a
    /// seat of a hexagonal packing, 2.32 radii of the widest apart, of those nearest to walk to from the goal. Who comes first goes
    /// deepest. In the open they stand within r sqrt(n / 0.6) + r. A unit that has arrived may move on to let others in.
    /// Cost: 2 to 3 calls of CrowdWorld::clear for each seat, 64 seats an update, once a goal; while units come 32 of them are given
    /// their seats anew in each update, at some n steps each.
    std::uint32_t group = 0;
};

/// In place of a route: a velocity, told again as often as it changes.
struct CrowdGuide {
    Vec3 velocity{};      ///< wanted; made no faster than the unit's speed_max
    double order = 0.5;   ///< 0 to 1: among units that nobody else puts in an order, who has more comes first
    bool yields = false;  ///< it only stands here: it steps aside for all, as an idle unit does
};

enum class UnitState : std::uint8_t {
    idle,  ///< it has nowhere to go; it steps aside for others
    moving,
    waiting,  ///< at a narrow place, for its turn
    arrived,  ///< within its radius of the goal; of a group: it stands near it
};

/// What became of a unit.
struct UnitView {
    Place place{};  ///< its heading: the way that it faces, if it faces one; else as it was put there
    Vec3 velocity{};
    UnitState state = UnitState::idle;
    double remaining = 0.0;  ///< of its route
    double alone = 0.0;      ///< seconds that its route takes without others
    bool lost = false;   ///< it has not seen its way for 2 s: give it a new route to the same goal (reroute)
    double since = 0.0;  ///< seconds since it was sent; stops when it arrives
};

namespace crowd {
struct CrowdData;
}

class Crowd {
  public:
    [[nodiscard]] static Result<Crowd> make(const CrowdOptions& options = {});
    Crowd(Crowd&& other) noexcept;
    Crowd& operator=(Crowd&& other) noexcept;
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;
    ~Crowd();

    /// With facings it faces the one nearest to the place's heading.
    [[nodiscard]] Result<UnitId> add(const CrowdUnit& unit, const Place& at);
    /// False: there is no such unit (any more).
    bool remove(UnitId id);
    /// Narrow places of the world for units of several sizes, and of several floors; they must outlive the crowd, or be replaced. Units
    /// under way look for theirs anew along what they have before them; who is in one then comes out first. Not of a crowd in space.
    /// Cost: 20 ns for each half cell of their ways and size.
    [[nodiscard]] Result<void> set_places(const PlaceSheets& places);
    /// The same for one size and floor; null: none.
    [[nodiscard]] Result<void> set_places(const NarrowPlaces* places);
    /// Of a crowd in space, after an edit of the world: its tunnels are looked for anew.
    void forget_tunnels();
    /// It goes along a route from where it is. Only the route's positions count; what the route's world costs does not.
    [[nodiscard]] Result<void> send(UnitId id, const Route& route, const CrowdGoal& goal = {});
    /// The same along some legs of a route, which end at `end`. A unit does not go along links: send it to where one begins, relocate() it
    /// to its other end, send it on.
    [[nodiscard]] Result<void> send(UnitId id, std::span<const Leg> legs, const Place& end,
                                    const CrowdGoal& goal = {});
    /// Puts a unit somewhere else, at rest; where it goes is as before.
    bool relocate(UnitId id, const Place& to);
    /// Of a unit that is driven: where it is now and how it moves.
    bool drive(UnitId id, const Place& at, Vec3 velocity);
    /// Of one that is driven and stands because somebody is in its way: the direction that it would go on in. Who stands there steps aside,
    /// also who has arrived. Until the next drive(). Not in space.
    bool ask_way(UnitId id, Vec2 along);
    /// The same of one whose way to a stop is not that of its velocity and braking: straight lines from where it is to each of these places
    /// in turn, and the way keeps within `off` of them. At most kDrivenWayMax in space, else 4. False also where there are more.
    bool drive(UnitId id, const Place& at, Vec3 velocity, std::span<const Vec3> way, double off);
    /// Another route to the same goal: it keeps its place in the order of who is late.
    [[nodiscard]] Result<void> reroute(UnitId id, const Route& route);
    /// From now on, until it is told otherwise, it wants a velocity (a formation's, a flow field's, the player's). It keeps out of the
    /// way of others and of walls as all do; narrow places do not order it. False, and nothing has changed: there is no such unit, it is
    /// driven, or a number is not finite.
    bool guide(UnitId id, const CrowdGuide& guide);
    /// It stays where it is.
    bool stop(UnitId id);

    /// One step of `seconds` (kSecondsMin to 1): all units at once.
    [[nodiscard]] Result<void> update(double seconds, const CrowdWorld& world, const Jobs& jobs = {});

    [[nodiscard]] bool contains(UnitId id) const;
    [[nodiscard]] UnitView unit(UnitId id) const;
    /// As it was added; radius 0: there is no such unit.
    [[nodiscard]] CrowdUnit body(UnitId id) const;
    [[nodiscard]] const CrowdOptions& options() const;
    [[nodiscard]] std::size_t size() const;
    /// Of all units, in the order in which they were added: where they are, how fast, their state.
    [[nodiscard]] std::uint64_t digest() const;

  private:
    explicit Crowd(crowd::CrowdData* data) : data_(data) {}
    crowd::CrowdData* data_ = nullptr;
};

}  // namespace fairlead
