// What a convoy keeps: kinds, units with their plans, and the round of planning under way.
#pragma once

#include <optional>

#include <fairlead/base/array.h>
#include <fairlead/base/digest.h>
#include <fairlead/convoy/convoy.h>
#include <fairlead/drive/pose_field.h>

#include "convoy/berth.h"
#include "convoy/course.h"
#include "convoy/moves.h"
#include "convoy/planner.h"
#include "convoy/track.h"
#include "drive/map/map_frame.h"

namespace fairlead::convoy {

inline constexpr std::uint32_t kNobody = UINT32_MAX;

struct Kind {
    Kind(const DriveMapSnapshot& world, const Allocator& allocator) : map(world), moves(allocator) {}

    DriveMapSnapshot map;
    MoveSet moves;
    ConvoyGround ground{};
    double window = 0.0;  ///< seconds that it wants
};

/// Where a unit was sent, and what it costs from everywhere.
struct Target {
    Target(PoseField&& costs, const Allocator& allocator) : field(std::move(costs)), ramp_knots(allocator) {}

    Pose goal{};
    drive::LatticePose last{};  ///< of the lattice: the goal itself, or where the ramp to it begins
    bool has_ramp = false;
    bool walled = false;  ///< no curve leads there
    Ramp ramp{};
    double ramp_seconds = 0.0;
    PoseField field;
    Array<SpeedKnot> ramp_knots;
};

enum class Planned : std::uint8_t { no, yes, fixed };

struct Unit {
    explicit Unit(const Allocator& allocator) : plan(allocator), fresh(allocator), track(allocator) {}

    std::uint32_t generation = 0;
    bool used = false;
    std::uint32_t kind = 0;
    Plan plan;
    Plan fresh;  ///< of this round
    Track track;
    Planned planned = Planned::no;

    Target* target = nullptr;  ///< null: never sent
    Target* next = nullptr;    ///< from the next round on
    Ramps exits{};             ///< from the exact pose where it stands, if it is off the lattice
    Pose exits_from{};
    bool new_target = false;  ///< not planned yet
    bool looked = false;      ///< by this round
    bool unreachable = false;
    bool arrived = false;
    bool was_there = false;  ///< since send()
    double sent_at = 0.0;
    double alone = 0.0;
    double arrived_after = 0.0;
    double late = 0.0;  ///< of this round
    double rest = 0.0;  ///< seconds to the goal by the field, at its root
    double best = 0.0;  ///< the least of them
    double best_at = 0.0;
    Stop root{};
    double root_time = 0.0;
    std::size_t root_course = 0;  ///< the plan's first that is not kept
};

enum class Stage : std::uint8_t { none, fields, order, plans, done };

struct Round {
    Stage stage = Stage::none;
    double at = 0.0;   ///< when its plans begin
    double end = 0.0;  ///< until when they reach
    std::size_t next = 0;
    std::uint32_t tries = 0;
    bool searching = false;
    bool failed = false;
};

struct ConvoyData {
    explicit ConvoyData(const ConvoyOptions& asked)
        : options(asked),
          kinds(asked.allocator),
          units(asked.allocator),
          order(asked.allocator),
          scratch_knots(asked.allocator),
          planner(asked.allocator) {}

    ConvoyOptions options;
    Array<Kind*> kinds;
    Array<Unit*> units;
    Array<std::uint32_t> order;
    Array<SpeedKnot> scratch_knots;
    Planner planner;
    Round round{};
    double now = 0.0;
    double lead = 1.0;  ///< of the interval: how long a round has
    bool last_failed = false;
    ConvoyReport report{};
    Digest digest{};
    std::size_t used = 0;

    [[nodiscard]] double window() const {
        double most = options.window_seconds;
        if (most > 0.0) return most;
        for (const Kind* kind : kinds) most = kind->window > most ? kind->window : most;
        return most;
    }
    [[nodiscard]] const MoveSet& moves_of(const Unit& unit) const { return kinds[unit.kind]->moves; }
    [[nodiscard]] double both(const Cover& a, const Cover& b) const {
        return a.radius + a.error + b.radius + b.error + options.gap;
    }
};

void drop_target(ConvoyData& data, Target*& target);
/// Does it stand at its goal?
[[nodiscard]] bool at_goal(const Unit& unit, double now);

/// Does this much of a round; begins one where there is something to plan. False: out of memory.
[[nodiscard]] bool work_on_round(ConvoyData& data, std::uint64_t& units);
/// Its time has come: takes its plans, or drops it.
void end_round(ConvoyData& data);

}  // namespace fairlead::convoy
