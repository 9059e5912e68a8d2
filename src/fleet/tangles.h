// Tangles: walkers that have long come no nearer, planned together on a lattice of places (fleet/walkers_plan.h) until each is past the
// others or back where it stood. The crowd's own rules settle nearly all meetings as they walk; this is the last resort, for those in
// which somebody has to go a long way back.
//
// They brake to a stand. From then on the crowd sees them as units that somebody else moves. Each goes straight to a place of its own, then
// all step together, within everyone's limits, and stand at the end of each stretch. Where somebody else is in the way, all brake and wait.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/route/route.h>

#include "fleet/walkers_plan.h"

namespace fairlead::fleet {

struct FleetData;
struct Member;

enum class TangleStage : std::uint8_t { gathering, looking, planning, running, over };

struct TangleUnit {
    std::uint32_t member = 0;
    double radius = 0.0;
    bool goes = false;        ///< it is on its way; else it comes back to where it stands
    double left = 0.0;        ///< of the stretch of its route that the crowd had
    std::uint32_t start = 0;  ///< its place
    Vec2 from{};              ///< of the stretch that all are on
    Vec2 to{};
};

/// A way for one: those before a plan begins.
struct TangleStep {
    std::uint32_t unit = 0;
    Vec2 to{};
};

struct Tangle {
    explicit Tangle(const Allocator& allocator)
        : units(allocator), steps(allocator), plan(allocator), cells(allocator), index(allocator) {}

    TangleStage stage = TangleStage::gathering;
    bool broken = false;
    std::int32_t layer = 0;
    double height = 0.0;
    std::uint32_t tries = 0;
    double age = 0.0;  ///< seconds in its stage
    Array<TangleUnit> units;
    Array<TangleStep> steps;  ///< to the places, one after the other
    WalkersPlan plan;
    Array<std::int32_t> cells;   ///< of each place of the plan: x, y
    Array<std::uint32_t> index;  ///< the places by their cells: a hash table
    std::uint32_t looked = 0;    ///< so many places have been looked around from
    // the stretch that all are on
    std::uint32_t next_step = 0;
    std::uint32_t state = 0;
    double length = 0.0;  ///< of who goes farthest
    double done = 0.0;
    double speed = 0.0;
    double waited = 0.0;          ///< seconds in a row that somebody else was in the way:
    std::uint32_t waits_for = 0;  ///< that member,
    std::uint32_t waits = 0;      ///< of that one of `units`
    std::uint32_t taken_in = 0;   ///< so many of those

    /// Places and plan anew.
    void clear_plan() {
        plan.clear();
        steps.clear();
        cells.clear();
        index.clear();
        looked = next_step = state = 0;
        length = done = 0.0;
    }
};

/// After the knots: finds tangles, drives those in them, ends them. Takes work off `units`.
[[nodiscard]] Result<void> drive_tangles(FleetData& fleet, double seconds, std::uint64_t& units);
/// In the frame's end, in place of following it: one in a tangle that still brakes.
void follow_tangled(FleetData& fleet, Member& member);
/// Edits.
void break_tangles(FleetData& fleet);
/// Of one, which has another goal or none.
void break_tangle_of(FleetData& fleet, const Member& member);
/// It is gone.
void leave_tangle(FleetData& fleet, std::uint32_t member);
void drop_tangles(FleetData& fleet);

// ---- parts of its life

/// Is it one of them?
[[nodiscard]] bool is_in(const FleetData& fleet, const Tangle& tangle, const Member& member);
[[nodiscard]] bool same_floor(const FleetData& fleet, const Place& a, const Place& b);
/// A place for each, and the order in which they go there. False: there is none for somebody.
[[nodiscard]] bool choose_starts(FleetData& fleet, Tangle& tangle);
/// Looks for more places, as long as there is work left. False: all have been found, or enough.
[[nodiscard]] bool look_around(FleetData& fleet, Tangle& tangle, std::uint64_t& units);
/// Who is to go where. False: that cannot be.
[[nodiscard]] Result<bool> begin_plan(FleetData& fleet, Tangle& tangle);
/// False: they are where they were to go.
[[nodiscard]] bool next_stretch(FleetData& fleet, Tangle& tangle);
void walk_tangle(FleetData& fleet, Tangle& tangle, double seconds);
/// A frame at rest between two stretches: nobody turns at once.
void stand_tangle(FleetData& fleet, Tangle& tangle);

}  // namespace fairlead::fleet
