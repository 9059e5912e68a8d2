// Continuous poses as a space for the search engine: where the lattice has no way, because the gaps do not lie where its poses
// do, a finer search may have one (Hybrid A*: Dolgov, Thrun, Montemerlo and Diebel 2010).
//
// Poses are sorted into bins, a part of a cell wide and high with 64 headings, twice with two gears. Of the poses
// met in a bin the cheapest is gone on from, exactly where it is. A move is a piece of the turning circle or of a line, or, for
// units that pivot, a turn on the spot by two headings. From poses near the target all words to it are tried.
//
// The same space searches from the goal toward the start: the unit is turned round (its body too) and driven forward; what it
// finds, read from its end, is a way to the goal (turned_round below).
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/search/cost.h>
#include <fairlead/search/node_store.h>

#include "drive/curves/free_curve.h"
#include "drive/curves/smooth_curves.h"
#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

/// The pose that looks the other way.
[[nodiscard]] Pose turned_round(const Pose& pose);
[[nodiscard]] BodyCore turned_round(const BodyCore& body);
/// The way of the unit turned round, from its end to its start.
[[nodiscard]] CurveWord turned_round(const CurveWord& word);

/// In cells of the map.
struct BinSize {
    double bins = 4.0;  ///< along a cell
    double move = 0.5;  ///< length of a move
};

class BinSpace {
  public:
    explicit BinSpace(const Allocator& allocator)
        : starts_(allocator), targets_(allocator), poses_(allocator) {}

    /// `world` and `ground` must outlive it; poses in cells of the lattice, `pitch` of them along a cell of the map.
    /// `ground` null: the axle may pass over walls. `nodes`: the search's.
    void begin(const CurveWorld& world, std::int32_t pitch, const BinSize& size, Cost cell,
               GroundDistance* ground, const HashedNodes& nodes);
    [[nodiscard]] bool add_start(const Pose& start) { return starts_.push_back(start); }
    [[nodiscard]] bool add_target(const Pose& target) { return targets_.push_back(target); }

    /// Are there few enough bins for the numbers of states?
    [[nodiscard]] static bool fits(const GroundBits& free, std::int32_t pitch, const BinSize& size);

    template <class Sink>
    void start(Sink& sink) {
        for (std::size_t i = 0; i < starts_.size(); ++i) {
            const auto tag = static_cast<std::uint32_t>(kMoves + i);
            sink.add(state_of(starts_[i], 0), 0, tag);
            if (world_->can_reverse) sink.add(state_of(starts_[i], 1), 0, tag);
        }
    }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return state == goal_state_; }
    /// The middle of a state's bin, cells; not of the goal's.
    [[nodiscard]] Pose middle_of(std::uint32_t state) const;
    [[nodiscard]] Cost heuristic(std::uint32_t state);

    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t tag, Sink& sink) {
        const std::uint32_t node = nodes_->find(state);
        Pose at;
        if (!place(node, tag, at)) return;
        const std::uint32_t gear = state & 1U;
        for (int i = 0; i < kMoves; ++i) {
            if (!may_make(i)) continue;
            const std::uint32_t to_gear = i < kLeft ? (i < kBack ? 0 : 1) : gear;
            const Pose to = end_of_move(at, i);
            if (!on_map(to.position)) continue;
            const std::uint32_t next = state_of(to, to_gear);
            const Cost cost = move_cost(at, i) + (to_gear != gear ? cusp_ : 0);
            if (is_known(next, g + cost) || !move_is_free(at, i)) continue;
            sink.add(next, cost, static_cast<std::uint32_t>(i));
        }
        try_target(at, gear == 0 ? Gear::forward : Gear::reverse, sink);
    }

    /// The way to a node of the search (goal_node()), start first. False: out of memory.
    [[nodiscard]] bool write_chain(std::uint32_t goal, Array<ChainPose>& chain) const;
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    static constexpr int kBack = 3;  // moves from here on are in reverse: right, straight, left as before it
    static constexpr int kLeft = 6;  // turns on the spot: left, right
    static constexpr int kMoves = 8;
    static constexpr std::int32_t kHeadings = 64;

    [[nodiscard]] std::uint32_t state_of(const Pose& pose, std::uint32_t gear) const;
    [[nodiscard]] bool on_map(Vec2 p) const {
        return p.x > 0.0 && p.y > 0.0 && p.x < world_->free.width && p.y < world_->free.height;
    }
    [[nodiscard]] bool may_make(int move) const {
        return move < kBack || (move < kLeft ? world_->can_reverse : world_->can_pivot);
    }
    [[nodiscard]] bool place(std::uint32_t node, std::uint32_t tag, Pose& at);
    [[nodiscard]] CurveWord move(int i) const;
    [[nodiscard]] Pose end_of_move(const Pose& at, int i) const;
    [[nodiscard]] Cost move_cost(const Pose& at, int i) const;
    [[nodiscard]] bool move_is_free(const Pose& at, int i) const;
    [[nodiscard]] bool is_known(std::uint32_t state, Cost g) const;
    [[nodiscard]] bool cheapest_to_target(const Pose& from, Gear gear, FreeCurve& out,
                                          std::size_t& which) const;

    template <class Sink>
    void try_target(const Pose& at, Gear gear, Sink& sink) {
        FreeCurve curve;
        std::size_t which = 0;
        if (!cheapest_to_target(at, gear, curve, which)) return;
        sink.add(goal_state_, static_cast<Cost>(curve.cost * static_cast<double>(cell_)), 0);
    }

    const CurveWorld* world_ = nullptr;
    GroundDistance* ground_ = nullptr;
    const HashedNodes* nodes_ = nullptr;
    Array<Pose> starts_;
    Array<Pose> targets_;
    Array<Pose> poses_;  // of nodes that were opened
    double bins_ = 4.0;  // along a cell of the lattice
    double step_ = 0.4;  // cells of the lattice
    double reach_ = 0.0;
    std::uint32_t columns_ = 0;
    std::uint32_t goal_state_ = UINT32_MAX;
    Cost cell_ = 0;
    Cost cusp_ = 0;
    bool failed_ = false;
};

}  // namespace fairlead::drive
