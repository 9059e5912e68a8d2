// Convoy: vehicles that cannot sidestep, planned together in windows of space and time, so that they pass each other without touching.
//
//     Result<DriveTable> moves = DriveTable::make({.agent = tank, .cell_size = 1.0});
//     Result<SpeedTable> times = SpeedTable::make(*moves, {.speed_max = 2, .accel_max = 2}, 3);
//     Result<DriveMap> map = make_drive_map(*yard, *moves);                            // bridge/grid_drive.h
//     Result<Convoy> convoy = Convoy::make({});
//     Result<ConvoyKind> kind = convoy->add_kind(*map, *times);
//     Result<ConvoyId> unit = convoy->add(*kind, {{4.5, 4.5}, 0.0});
//     convoy->send(*unit, {{30.2, 12.7}, kHalfPi});
//     convoy->update(1.0 / 30.0);                                                      // every frame
//     draw(convoy->unit(*unit).pose);
//
// How. Four times a window all units are planned anew, one after the other, who is latest first: a weighted best-first search over
// (place, heading, gear, level of speed, time) with the steps of the SpeedTable, waiting included, for one window, with what it costs
// from its end to the goal by an exact field (drive/pose_field.h). Each keeps clear of all that were planned before it and of what
// those that follow are driving until their new plan begins. Who finds no plan goes to the head of the order and all begin again; after
// half of the tries who finds none keeps its plan of the round before. If that does not help either, the plans of the round before
// stay: each ends standing, where no other plan comes. Units at their goal are
// planned too, last, and move aside for others. The first quarter of a window is driven while the next window is planned.
//
// The exact goal, and a start off the lattice, are joined to the lattice by the shortest free curve (Reeds and Shepp; forward only:
// Dubins), driven from a stand to a stand.
//
//     state        meaning
//     idle         was never sent: stands, others drive around it
//     waiting      sent; its field is being swept, or no round has planned it yet
//     moving       on its way, also where it waits for others or moves aside for them
//     arrived      stands at its goal, exactly
//     stuck        no nearer to its goal for stuck_seconds; it goes on trying
//     unreachable  no way leads there on the lattice, others or not; it stands
//
// Promises. Bodies never overlap each other or a wall, at any moment and not at frames alone, if they did not at the start. They are
// at least `gap` apart. (Every body is covered by discs, which are compared along the whole time; what a motion may differ from
// the straight lines between its samples by is added to their radii.) Poses are continuous. Speed, acceleration, braking, lateral
// acceleration and curvature are within the limits of the SpeedTable at every moment. The same calls give the same bits on every
// platform. Sliced planning gives what the whole gives, as long as each round is done in its quarter of a window; one that is not is
// dropped (ConvoyReport::late) and the old plans stay. update() allocates nothing once its lists have grown; send() does.
// Not promised: that every exchange of places is found.
//
// Limits. Maps of one floor without links. Each unit that was sent holds a PoseField (8 to 16 bytes a pose), whose sweep is
// the largest part of a first round. A map edited later is not seen.
//
// Errors name the field: not_finite, out_of_range; start: the body touches a wall there, or (incompatible, index: the other one) a unit
// or what one is going to drive; goal: the body touches a wall there; unknown_id; out_of_memory. Nothing has changed then.
//
// Cost: docs/crowds.md. Source: windowed cooperative A* (Silver 2005); who fails goes first: Bennewitz et al. 2002; state lattices:
// Pivtoraiko, Knepper and Kelly 2009.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/base/id.h>
#include <fairlead/base/result.h>
#include <fairlead/curve/word.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/speed_table.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct ConvoyTag;
/// Of one convoy; not used again after a unit is removed.
using ConvoyId = Id<ConvoyTag, std::uint64_t>;
struct ConvoyKindTag;
/// A kind of unit; 0, 1, 2, ... in the order in which they were added.
using ConvoyKind = Id<ConvoyKindTag>;

struct ConvoyOptions {
    double window_seconds =
        0.0;            ///< 0: 1.4 times the way round another unit, and setting off; else 0.5 to 600
    double gap = 0.05;  ///< kept between bodies, world units, >= 0
    double sample_seconds = 0.1;           ///< bodies are compared at such distances in time; 0.01 to 1
    double stuck_seconds = 20.0;           ///< above 0
    double weight = 1.3;                   ///< of the rest of the way in the search, 1 to 10
    std::uint32_t tries_max = 40;          ///< orders tried in a round
    std::uint64_t plan_units_max = 20000;  ///< expansions of one unit's search
    Allocator allocator{};
};

/// Of a kind, where the cells of its map are not all that there is to know.
struct ConvoyGround {
    /// What is kept apart between units: a body that holds that of the map's table, where the map's walls are for less than the whole
    /// body (level meshes). Null: that of the table. Read during the call.
    const Agent* body = nullptr;
    /// Is a curve free, exactly? `radius` in world units; no segments: does it stand? Asked in place of the cells of the map where a
    /// unit stands and where it joins or leaves the lattice, so that one may stand where cells are only in part free. Null: the cells.
    bool (*is_free)(const Pose& from, double radius, const CurveWord& word, void* user) = nullptr;
    void* user = nullptr;
};

enum class ConvoyState : std::uint8_t { idle, waiting, moving, arrived, stuck, unreachable, count_ };

/// "idle", "waiting", ... Never null.
[[nodiscard]] const char* convoy_state_name(ConvoyState state);

/// Why a unit is stuck.
enum class ConvoyReason : std::uint8_t {
    none,
    no_plan,      ///< the last round found no plans for all; the old ones stay
    no_progress,  ///< it is planned, but others keep it from its goal
    no_way,       ///< unreachable
    count_
};

/// "none", "no_plan", ... Never null.
[[nodiscard]] const char* convoy_reason_name(ConvoyReason reason);

struct ConvoyView {
    Pose pose{};
    double speed = 0.0;  ///< >= 0
    Gear gear = Gear::forward;
    ConvoyState state = ConvoyState::idle;
    ConvoyReason reason = ConvoyReason::none;
    double alone_seconds = 0.0;  ///< a lower estimate of its way without others, since send()
    double seconds = 0.0;        ///< since send(), until it first arrived
    bool exists = false;
};

/// Over all rounds so far.
struct ConvoyReport {
    std::uint64_t rounds = 0;  ///< begun
    std::uint64_t adopted = 0;
    std::uint64_t failed = 0;  ///< no order had plans for all
    std::uint64_t late = 0;    ///< not done in time
    std::uint64_t tries = 0;
    std::uint64_t units = 0;  ///< of work: poses swept, nodes expanded
};

namespace convoy {
struct ConvoyData;
}

class Convoy {
  public:
    [[nodiscard]] static Result<Convoy> make(const ConvoyOptions& options = {});
    Convoy(Convoy&& other) noexcept;
    Convoy& operator=(Convoy&& other) noexcept;
    Convoy(const Convoy&) = delete;
    Convoy& operator=(const Convoy&) = delete;
    ~Convoy();

    /// Units with the body and moves of the map's table. The times must outlive the convoy. Errors: incompatible (times: not of the
    /// map's table); unsupported (a map of several floors or with links; body: a footprint); those of check_body; out_of_memory.
    [[nodiscard]] Result<ConvoyKind> add_kind(const DriveMapSnapshot& map, const SpeedTable& times,
                                              const ConvoyGround& ground = {});
    /// It stands there.
    [[nodiscard]] Result<ConvoyId> add(ConvoyKind kind, const Pose& at);
    bool remove(ConvoyId id);
    [[nodiscard]] Result<void> send(ConvoyId id, const Pose& goal);

    /// One frame; plans with up to so many units of work. Errors: not_finite, out_of_range (seconds: above 0, at most 1);
    /// out_of_memory.
    [[nodiscard]] Result<void> update(double seconds, std::uint64_t units = UINT64_MAX);

    [[nodiscard]] ConvoyView unit(ConvoyId id) const;
    /// Where its plan so far has it in so many seconds (>= 0); later plans may differ. No such unit: the origin.
    [[nodiscard]] Pose pose_in(ConvoyId id, double seconds) const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] double window_seconds() const;
    [[nodiscard]] const ConvoyReport& report() const;
    /// Of all poses and states, over all frames so far.
    [[nodiscard]] std::uint64_t digest() const;

  private:
    explicit Convoy(convoy::ConvoyData* data) : data_(data) {}
    convoy::ConvoyData* data_ = nullptr;
};

}  // namespace fairlead
