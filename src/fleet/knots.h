// Knots: vehicles that stand because of each other, planned together in a window of the world until each has left it or is at its goal.
//
// A window belongs to its knot. While it is `gathering` nobody new drives into it and who is inside brakes to a stand; then all inside
// become units of a Convoy over a map of the window alone, and nobody else drives into it. Who stands at its border is a wall.
// When all are where they were to go everyone stands, and goes back to a route of its own.
//
// Walkers. The plans are driven against a clock of the knot. Where a walker is in the way of one of them the clock slows down for all, as
// fast as the vehicles can brake beside what their plans brake; the plans keep a share of the limits free for that.
#pragma once

#include <optional>

#include <fairlead/base/array.h>
#include <fairlead/convoy/convoy.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/speed_table.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/math/aabb.h>

#include "fleet/kind_list.h"

namespace fairlead::fleet {

struct DrivenWay;
struct FleetData;
struct Knot;
struct Member;

inline constexpr std::uint32_t kNoMember = UINT32_MAX;
inline constexpr double kKnotGap =
    0.4;  ///< of a vehicle's radius, between it and a window that is not its own
inline constexpr double kKnotRest = 3.0;  ///< seconds, after one that was broken

/// Of a kind of vehicle: the speeds of plans; none if it cannot be planned.
struct KnotKind {
    std::optional<SpeedTable> times{};
    bool looked = false;
    double slow_down = 0.0;  ///< of a knot's clock: how much of its rate it can lose in a second,
    double speed_up = 0.0;   ///< and gain
};

/// What a vehicle is to a knot.
enum class KnotRole : std::uint8_t {
    passes,  ///< it is on its way out of the window
    comes,   ///< its goal is in the window
    stays,   ///< it has nowhere to go now, and makes room
    wall,    ///< it was never sent, or cannot go: it stands
};

struct KnotUnit {
    std::uint32_t member = kNoMember;
    KnotRole role = KnotRole::wall;
    ConvoyId id{};
    double radius = 0.0;
    bool round = true;     ///< it is a disc
    bool arrived = false;  ///< it is at its goal and keeps its place
    Pose goal{};
    double way = 0.0;  ///< along its route to there
};

enum class KnotStage : std::uint8_t { gathering, running, ending, over };

/// A map of the window for one kind, and its number in the convoy.
struct KnotMap {
    KnotMap(DriveMap&& made, const FleetData& its_fleet, const Knot& its_knot, FleetKind its_kind)
        : map(std::move(made)), fleet(&its_fleet), knot(&its_knot), kind(its_kind) {}
    DriveMap map;
    const FleetData* fleet;
    const Knot* knot;
    FleetKind kind;
    ConvoyKind in_convoy{};
};

struct Knot {
    explicit Knot(const Allocator& allocator) : units(allocator), walls(allocator), maps(allocator) {}

    KnotStage stage = KnotStage::gathering;
    bool broken = false;
    std::int32_t layer = 0;
    Aabb area{};
    std::uint32_t window = 0;  ///< of the port
    std::uint32_t tries = 0;
    double age = 0.0;        ///< seconds in its stage
    double paused = 0.0;     ///< seconds that its clock has stood
    double rate = 1.0;       ///< of its clock, now
    double next_rate = 1.0;  ///< and after the next frame
    double slow_down = 0.0;
    double speed_up = 0.0;
    Array<KnotUnit> units;
    Array<Blocker> walls;
    KindList<KnotMap> maps;
    std::optional<Convoy> convoy{};  // refers to the maps
};

/// Does a body come nearer to a knot's window than `gap`?
[[nodiscard]] bool touches(const FleetData& fleet, const Knot& knot, const Place& at, double radius,
                           double gap);

/// How far a vehicle outside all knots may go for them: along its way; `clear` if they do not matter.
[[nodiscard]] double free_of_knots(const FleetData& fleet, const DrivenWay& way, double clear);

/// After the other vehicles: drives those in knots, ends knots, begins others. Takes work off `units`.
[[nodiscard]] Result<void> drive_knots(FleetData& fleet, double seconds, std::uint64_t& units);

/// Makes the plans of a knot whose vehicles stand. False: there is nobody to plan for, or it cannot be.
[[nodiscard]] Result<bool> plan_knot(FleetData& fleet, Knot& knot);

/// Edits: their plans are of no use any more.
void break_knots(FleetData& fleet);
/// A vehicle was added there.
void break_knots_at(FleetData& fleet, const Place& at, double radius);
/// Of one vehicle, which has another goal or none.
void break_knot_of(FleetData& fleet, const Member& member);
/// The vehicle is gone.
void leave_knot(FleetData& fleet, std::uint32_t member);
void drop_knots(FleetData& fleet);

// ---- parts of its life

/// Begins knots where vehicles wait for each other.
[[nodiscard]] Result<void> find_knots(FleetData& fleet);
/// Opens its window again and frees it.
void drop_knot(FleetData& fleet, Knot* knot);
/// Of one that has a plan: how fast its clock may go, told to those around it before anyone moves.
void begin_clock(FleetData& fleet, Knot& knot, double seconds);
/// A frame of one that runs or ends. Takes work off `units`.
[[nodiscard]] Result<void> run_knot(FleetData& fleet, Knot& knot, double seconds, std::uint64_t& units);

[[nodiscard]] const KnotKind& knot_kind(FleetData& fleet, FleetKind kind);

}  // namespace fairlead::fleet
