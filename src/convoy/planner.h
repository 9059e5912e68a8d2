// One unit's way through a window of time, past tracks that are given: a best-first search over (place, heading, gear, level of speed,
// time).
//
// Key: seconds so far + weight x seconds that the field gives for the rest. Waiting at the goal costs nothing. Time is continuous; of
// nodes that differ by less than kBucket in time and nothing else the first opened stays. Whether a step is free of others is
// asked when it is opened, not when it is found: few of those found are opened.
//
// A way ends with a stand until the end of the window that nobody's track comes near: so every plan is safe for ever.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/search/open_list.h>

#include "convoy/berth.h"
#include "convoy/course.h"
#include "convoy/moves.h"
#include "convoy/track.h"

namespace fairlead::convoy {

struct Target;

inline constexpr double kNoWay = 1e9;  ///< seconds

/// From a pose of the lattice to the goal, without others, at top speed.
[[nodiscard]] double field_seconds(const drive::MapData& map, const MoveSet& moves, const Target& target,
                                   const drive::LatticePose& at);

struct Obstacle {
    const Track* track = nullptr;
    double both = 0.0;  ///< between centres of discs
    /// Not planned yet: where it stands or will be then, and how near is in its way.
    bool open = false;
    Vec2 at{};
    double reach = 0.0;
};

struct PlanAsk {
    const drive::MapData* map = nullptr;
    const MoveSet* moves = nullptr;
    const Target* target = nullptr;
    const Ramps* exits = nullptr;  ///< from the root, if that is off the lattice
    Stop root{};
    double start = 0.0;
    double end = 0.0;
    double weight = 1.3;
    std::uint64_t units_max = 6000;
};

enum class PlanAnswer : std::uint8_t { running, found, none, no_memory };

class Planner {
  public:
    explicit Planner(const Allocator& allocator)
        : obstacles_(allocator),
          nodes_(allocator),
          seen_(allocator),
          open_(allocator),
          exit_knots_(allocator),
          knots_(allocator),
          chain_(allocator) {}

    /// For begin(): who is in the way.
    [[nodiscard]] Array<Obstacle>& obstacles() { return obstacles_; }
    /// False: out of memory. All that is asked with must stay until write().
    [[nodiscard]] bool begin(const PlanAsk& ask);
    [[nodiscard]] PlanAnswer step(std::uint64_t& units);
    /// Appends what was found. False: out of memory.
    [[nodiscard]] bool write(Plan& plan);

  private:
    enum class Step : std::uint8_t { root, wait, move, leave, dock, stay };
    enum class Where : std::uint8_t { lattice, off, docked };
    struct Node {
        double time = 0.0;
        double g = 0.0;
        std::uint32_t parent = 0;
        std::uint32_t which = 0;  ///< move or exit
        std::int16_t x = 0;
        std::int16_t y = 0;
        std::uint8_t heading = 0;
        std::uint8_t level = 0;
        Gear gear = Gear::forward;
        Step step = Step::root;
        Where where = Where::lattice;
    };
    struct Seen {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
    };

    [[nodiscard]] std::uint64_t key(const Node& node) const;
    [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;
    [[nodiscard]] bool is_closed(const Node& node) const;
    [[nodiscard]] double in_the_way(Vec2 at) const;
    /// False: it was there.
    [[nodiscard]] bool close(const Node& node);
    [[nodiscard]] Pose pose_of(const Node& node) const;
    [[nodiscard]] Stop stop_of(const Node& node) const;
    [[nodiscard]] bool at_goal(const Node& node) const;
    [[nodiscard]] double rest_of(const Node& node) const;
    [[nodiscard]] double rest_from(const drive::LatticePose& at) const;
    void push(Node& node, std::uint32_t parent, double cost);
    void expand(std::uint32_t index);
    void take_moves(std::uint32_t index);
    void take_exits(std::uint32_t index);
    void take_ramp(std::uint32_t index);
    [[nodiscard]] double shift_seconds(Gear from, Gear to) const;
    [[nodiscard]] bool may_drive(const Node& from, const Move& move) const;
    [[nodiscard]] bool is_clear(const Node& node) const;
    [[nodiscard]] bool stand_is_clear(const Pose& pose, double from, double until) const;
    [[nodiscard]] bool move_is_clear(const Pose& from, const Move& move, double start) const;
    [[nodiscard]] bool ramp_is_clear(const Pose& from, const CurveWord& word,
                                     std::span<const SpeedKnot> knots, double start) const;
    [[nodiscard]] bool write_node(const Node& node, Plan& plan) const;

    PlanAsk ask_{};
    Array<Obstacle> obstacles_;
    Array<Node> nodes_;
    Array<Seen> seen_;
    HeapOpen open_;
    Array<SpeedKnot> exit_knots_;
    Array<SpeedKnot> knots_;
    Array<std::uint32_t> chain_;
    std::uint32_t exit_first_[kRampsMax + 1] = {};
    double exit_seconds_[kRampsMax] = {};
    std::uint32_t stamp_ = 0;
    std::uint32_t found_ = 0;
    std::uint64_t spent_ = 0;
    bool no_memory_ = false;
};

}  // namespace fairlead::convoy
