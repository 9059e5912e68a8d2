// What a PoseField holds: the backward search and its nodes, which are the field.
#pragma once

#include <utility>

#include <fairlead/drive/pose_field.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/open_list.h>

#include "drive/lattice/drive_work.h"

namespace fairlead::drive {

/// Swallows what the search would store and a field does not need.
struct NotKept {
    NotKept() = default;
    NotKept(std::uint32_t) {}
    operator std::uint32_t() const { return 0; }
};

/// 8 bytes.
struct FieldNode {
    std::uint32_t g = UINT32_MAX;
    std::uint8_t closed = 0;
    NotKept parent;
    NotKept tag;
};

/// One node a pose (and gear), addressed by the state. Never reset: a field is swept once.
class FieldNodes {
  public:
    using Node = FieldNode;
    static constexpr Cost kCostNone = UINT32_MAX;

    explicit FieldNodes(const Allocator& allocator) : nodes_(allocator) {}

    /// `shift` 1: states in reverse gear do not exist. False: out of memory.
    [[nodiscard]] bool resize(std::uint64_t states, std::uint32_t shift) {
        shift_ = shift;
        if (!nodes_.resize_uninitialized(static_cast<std::size_t>(states >> shift))) return false;
        for (FieldNode& node : nodes_) node = {};
        return true;
    }
    void reset() {}
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t find_or_add(std::uint32_t state, bool& added) {
        added = nodes_[state >> shift_].g == UINT32_MAX;
        return state;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t state) const {
        return nodes_[state >> shift_].g == UINT32_MAX ? kNoNode : state;
    }
    [[nodiscard]] FAIRLEAD_INLINE FieldNode& operator[](std::uint32_t node) { return nodes_[node >> shift_]; }
    [[nodiscard]] const FieldNode& operator[](std::uint32_t node) const { return nodes_[node >> shift_]; }
    [[nodiscard]] std::uint32_t state_of(std::uint32_t node) const { return node; }
    [[nodiscard]] std::size_t bytes() const { return nodes_.bytes(); }

  private:
    Array<FieldNode> nodes_;
    std::uint32_t shift_ = 0;
};

/// A pose from which the goal is reached, by a free curve or because it will do.
struct FieldEntry {
    std::uint32_t state = 0;
    Cost cost = 0;
};

/// The lattice backward: a state leads to those that it is one move from.
class BackwardSpace {
  public:
    struct Arrival {
        Cost cost;
        std::uint32_t index;  // of the primitive
        std::int8_t dx;
        std::int8_t dy;
        std::uint8_t from;
        Gear gear;
    };

    BackwardSpace() = default;
    BackwardSpace(const EdgeMap& edges, std::span<const Arrival> arrivals, const std::uint32_t* first_arrival,
                  std::span<const FieldEntry> entries, Cost cusp)
        : edges_(&edges),
          arrivals_(arrivals.data()),
          first_arrival_(first_arrival),
          entries_(entries),
          code_(LatticeCode::of(edges.width(), edges.table().headings())),
          cusp_(cusp),
          both_gears_(edges.table().options().agent.can_reverse) {}
    void set_terrain(const StepCosts& costs) { terrain_ = costs; }

    template <class Sink>
    void start(Sink& sink) {
        for (const FieldEntry& entry : entries_) sink.add(entry.state, entry.cost, 0);
    }
    [[nodiscard]] bool is_goal(std::uint32_t) const { return false; }
    [[nodiscard]] Cost heuristic(std::uint32_t) const { return 0; }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const LatticePose at = code_.pose(state);
        for (std::uint32_t i = first_arrival_[at.heading]; i < first_arrival_[at.heading + 1]; ++i) {
            const Arrival& move = arrivals_[i];
            const std::int32_t x = at.x - move.dx;
            const std::int32_t y = at.y - move.dy;
            if (move.gear != at.gear || x < 0 || y < 0 || x >= edges_->width() || y >= edges_->height())
                continue;
            if (!edges_->may_drive(x, y, move.index)) continue;
            const Cost cost = move.cost + (terrain_.used() ? terrain_.of(move.index, x, y) : 0);
            sink.add(code_.state(x, y, move.from, at.gear), cost, 0);
            if (!both_gears_) continue;
            const Gear other = at.gear == Gear::forward ? Gear::reverse : Gear::forward;
            sink.add(code_.state(x, y, move.from, other), cost + cusp_, 0);
        }
    }

  private:
    const EdgeMap* edges_ = nullptr;
    const Arrival* arrivals_ = nullptr;
    const std::uint32_t* first_arrival_ = nullptr;
    std::span<const FieldEntry> entries_;
    LatticeCode code_;
    Cost cusp_ = 0;
    bool both_gears_ = false;
    StepCosts terrain_;
};

using FieldEngine = BestFirst<BackwardSpace, DijkstraKey, BucketOpen, FieldNodes>;

struct FieldData {
    FieldData(DriveMapSnapshot held, const LatticeQuery& q, const Allocator& a)
        : allocator(a),
          snapshot(std::move(held)),
          map(&snapshot->data()),
          query(q),
          arrivals(a),
          entries(a),
          work(a),
          nodes(a),
          open(a) {}

    Allocator allocator;
    DriveMapSnapshot snapshot;
    const MapData* map;
    LatticeQuery query;
    Array<BackwardSpace::Arrival> arrivals;
    std::uint32_t first_arrival[kHeadingsMax + 1] = {};
    Array<FieldEntry> entries;
    PathStatus goal = PathStatus::complete;  ///< off_world, goal_blocked: nothing leads to it
    DriveWork work;                          // the goal, the steps' costs and the scale
    FieldNodes nodes;
    BucketOpen open;
    BackwardSpace space;
    FieldEngine engine{space, open, nodes};
    bool done = false;
    bool failed = false;  ///< the sweep found no memory
};

}  // namespace fairlead::drive
