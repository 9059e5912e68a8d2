// PoseSpace: the search of units that turn, whatever their world, as a space for the engine (engine.h).
//
// The world knows its poses: it puts a body down, says which moves may be made and what they cost, how far the goal is at least, and
// whether a curve to it is free. What is the same in all worlds stands here:
//
//     gears       A pose is left out while its twin in the other gear was reached for less by a change of gear: what it leads to, the
//                 twin leads to for no more. Nor does a pose change gear where its twin was reached for no more than a change of gear
//                 above it: the twin goes on so.
//     the curve   from start to goal, where there is one, competes with all else.
//     so far      Of the poses opened the one nearest to the goal is kept, for who asks for a path to it.
//
// Moves are read ahead, so that the nodes of the next ones are on their way from memory while the first are looked at.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/search/cost.h>
#include <fairlead/search/node_store.h>

namespace fairlead {

/// A pose that another one leads to. Without initial values: arrays of them need none.
struct PoseMove {
    std::uint32_t state;
    std::uint32_t tag;
    Cost cost;  ///< without a change of gear
};

/// What the search asks of a world. The goal is one state more than its poses.
template <class W>
concept PoseWorld = requires(W& world, const W& known, std::uint32_t state, Cost& cost, PoseMove& move) {
    { known.goal_state() } -> std::same_as<std::uint32_t>;
    /// The bit of a state that tells the gear; 0: there is one gear, or the world counts changes of gear itself.
    { known.gear_bit() } -> std::same_as<std::uint32_t>;
    /// Calls its argument with each state to begin in, and what it costs to be there. `beside_curve`: there is a curve all the way, and
    /// states that lead nowhere may be left out.
    world.each_start(false, [](std::uint32_t, Cost) {});
    /// The moves from a state, one after the other: next(move) is false after the last. `keeps_gear`: those in its gear alone.
    { world.moves(state, false).next(move) } -> std::same_as<bool>;
    /// Calls its argument with what else a state leads to: links, curves of several pieces.
    world.each_jump(state, [](const PoseMove&) {});
    /// No path from a state to the goal costs less.
    { world.least_left(state) } -> std::convertible_to<Cost>;
    /// Is the goal one free curve away, and what does it cost?
    { world.cost_to_goal(state, cost) } -> std::same_as<bool>;
};

template <PoseWorld World, NodeStore Nodes>
class PoseSpace {
  public:
    PoseSpace() = default;
    /// Both must outlive it. The nodes are the search's own.
    PoseSpace(World& world, const Nodes& nodes) : world_(&world), nodes_(&nodes) {}

    /// `cusp`: a change of gear; `direct`: the curve from start to goal, kCostMax: there is none.
    void set_costs(Cost cusp, Cost direct) {
        cusp_ = cusp;
        direct_ = direct;
    }
    [[nodiscard]] World& world() { return *world_; }

    // ---- for the engine
    template <class Sink>
    void start(Sink& sink) {
        goal_cost_ = kCostMax;
        opened_since_ = 0;
        world_->each_start(direct_ != kCostMax,
                           [&](std::uint32_t state, Cost cost) { sink.add(state, cost, 0); });
        if (direct_ == kCostMax) return;
        sink.add(world_->goal_state(), direct_, 0);
        note_goal(direct_);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const {
        return state == world_->goal_state();
    }
    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t state) const {
        return is_goal(state) ? 0 : world_->least_left(state);
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t, Sink& sink) {
        if (FAIRLEAD_UNLIKELY(watches_)) watch(state);
        ++opened_since_;
        const std::uint32_t gear = world_->gear_bit();
        const bool keeps_gear = gear != 0 && is_reached(state ^ gear, g + cusp_);
        auto moves = world_->moves(state, keeps_gear);
        PoseMove next[kAhead];
        for (;;) {
            std::uint32_t found = 0;
            for (; found < kAhead && moves.next(next[found]); ++found) prefetch(next[found].state);
            for (std::uint32_t i = 0; i < found; ++i) {
                const PoseMove& move = next[i];
                add(move, g, ((move.state ^ state) & gear) != 0 ? cusp_ : 0, sink);
            }
            if (found < kAhead) break;
        }
        if constexpr (kWaits) {
            if (world_->waits()) return;
        }
        Cost last = 0;
        if (world_->cost_to_goal(state, last)) {
            sink.add(world_->goal_state(), last, 0);
            note_goal(g + last);
        }
        world_->each_jump(state, [&](const PoseMove& jump) { add(jump, g, 0, sink); });
    }
    /// Where a lower bound can take long (engine.h).
    [[nodiscard]] FAIRLEAD_INLINE bool waits() const requires requires(const World& world) { world.waits(); }
    { return world_->waits(); }
    [[nodiscard]] bool go_on() requires requires(World& world) { world.go_on(); }
    { return world_->go_on(); }

    // ---- for the run
    /// The least that a path from a start costs: what it costs to be there, and what is left at least.
    [[nodiscard]] Cost least_of_starts() const {
        return least_of([&](std::uint32_t state) { return heuristic(state); });
    }
    /// The cheapest path to the goal so far (kCostMax: none), and poses opened since it was found.
    [[nodiscard]] Cost goal_cost() const { return goal_cost_; }
    [[nodiscard]] std::uint64_t opened_since() const { return opened_since_; }

    /// From now on the pose opened that is nearest to the goal is kept, of those that are nearer than the starts.
    void watch_nearest() {
        watches_ = true;
        nearest_ = kNoNode;
        nearest_left_ = least_of([&](std::uint32_t state) { return left_for_one_who_stops(state); });
    }
    void stop_watching() { watches_ = false; }
    /// kNoNode: there is none.
    [[nodiscard]] std::uint32_t nearest() const { return watches_ ? nearest_ : kNoNode; }

  private:
    static constexpr std::uint32_t kAhead = 32;
    static constexpr bool kWaits = requires(const World& world) { world.waits(); };

    template <class Sink>
    FAIRLEAD_INLINE void add(const PoseMove& move, Cost g, Cost cusp, Sink& sink) const {
        const Cost cost = move.cost + cusp;
        if (!is_dominated(move.state, g + cost)) sink.add(move.state, cost, move.tag);
    }
    FAIRLEAD_INLINE void prefetch(std::uint32_t state) const {
        if constexpr (requires { nodes_->prefetch(state); }) nodes_->prefetch(state);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_dominated(std::uint32_t state, Cost g) const {
        const std::uint32_t gear = world_->gear_bit();
        return gear != 0 && g >= cusp_ && is_reached(state ^ gear, g - cusp_);
    }
    /// Was a state reached for no more than g?
    [[nodiscard]] FAIRLEAD_INLINE bool is_reached(std::uint32_t state, Cost g) const {
        const std::uint32_t node = nodes_->find(state);
        return node != kNoNode && (*nodes_)[node].g <= g;
    }
    void note_goal(Cost cost) {
        if (cost >= goal_cost_) return;
        goal_cost_ = cost;
        opened_since_ = 0;
    }
    [[nodiscard]] Cost left_for_one_who_stops(std::uint32_t state) const {
        if constexpr (requires { world_->left_standing(state); })
            return world_->left_standing(state);
        else
            return heuristic(state);
    }
    template <class Left>
    [[nodiscard]] Cost least_of(const Left& left) const {
        Cost least = kCostMax;
        world_->each_start(false, [&](std::uint32_t state, Cost cost) {
            const Cost rest = left(state);
            if (rest < kCostMax - cost) least = std::min(least, rest + cost);
        });
        return least;
    }
    FAIRLEAD_NOINLINE void watch(std::uint32_t state) {
        const Cost left = left_for_one_who_stops(state);
        if (left >= nearest_left_) return;
        nearest_left_ = left;
        nearest_ = state;
    }

    World* world_ = nullptr;
    const Nodes* nodes_ = nullptr;
    Cost cusp_ = 0;
    Cost direct_ = kCostMax;
    Cost goal_cost_ = kCostMax;
    std::uint64_t opened_since_ = 0;
    bool watches_ = false;
    std::uint32_t nearest_ = kNoNode;  // of those opened, if watches_
    Cost nearest_left_ = kCostMax;
};

}  // namespace fairlead
