// RoadmapSpace: a roadmap as the engine's space (search/engine.h). States are the slots of waypoints; behind
// them one state for each goal (backward: one for the start), which the last step of a route leads to.
//
// Costs become fixed point. The scale is a power of two and a pure function of what the roadmap and the query are,
// so that results do not depend on how the roadmap came about:
//
//   * At the finest scale the straight line across everything costs at most 2^54 units, and the cheapest edge at most
//     2^44, so that the 2^62 units of a route are at least 256 times across. Costs are exact to a unit a step.
//   * A route can still be dearer than that where edges cost far more than their length. Steps past 2^62 are left out
//     and remembered; if no route is found, the search is made again with units 2^16 as large, until (waypoints + 3) of
//     the dearest steps fit, when nothing is left out. Usually the finest scale is that one.
//
// Steps are rounded up, the heuristic down and made smaller by the share `shrink` of itself and by the
// constant `lag`, so that it never falls by more than a step costs although it is computed in doubles: the
// heuristic is consistent, so every state is expanded once. With distances within 2^-50 of themselves, a
// value of at most 2^54 is off by less than 2^5; two of them and the rounding stay below 2^6, which is at
// most `shrink` of any edge. `lag` covers the feet of attachments, which lie on their edges within 2^-48 of
// the largest coordinate.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/search/cost.h>

#include <fairlead/route/heuristic.h>

#include "roadmap/attach.h"
#include "roadmap/price.h"

namespace fairlead::roadmap {

/// A way from start to goal that passes no waypoint: straight, or along one edge.
struct Shortcut {
    std::uint32_t point = 0;        ///< which goal
    std::uint32_t start = kNoSlot;  ///< attachment of the start; kNoSlot: straight
    std::uint32_t goal = kNoSlot;   ///< attachment of the goal, on the same arc further on
    double cost = 0.0;
};

struct SinkRef {
    std::uint32_t slot = kNoSlot;
    std::uint32_t index = 0;
};

struct FixedScale {
    double units = 1.0;  ///< of a cost of 1: a power of two
    double slope = 0.0;  ///< of the heuristic, units per length
    double lag = 0.0;    ///< units that the heuristic stays back
    int bits = 0;        ///< units = 2^bits
};

class RoadmapSpace {
  public:
    static constexpr Cost kCostTop = Cost{1} << 62;

    // What the search is about; set before use.
    Prices prices{};
    Sight sight{};
    bool check_edges = false;
    bool backward = false;
    bool all_goals = false;  ///< end only when goals_wanted goals are reached
    bool heuristic_on = true;
    OwnHeuristic own{};
    bool track_nearest = false;
    std::span<const Attachment> sources{};  ///< where the search starts
    std::span<const Attachment> sinks{};    ///< where it ends
    std::span<const SinkRef> sink_order{};  ///< the sinks by slot, then by index
    std::span<const Shortcut> shortcuts{};
    std::span<const Vec3> targets{};  ///< what the heuristic aims at
    std::uint32_t goals_wanted = 1;

    FixedScale scale{};
    bool spilled = false;  ///< a step was left out because it does not fit
    std::uint32_t goals_reached = 0;
    std::uint32_t nearest = kNoSlot;  ///< the waypoint expanded that is nearest to a target, if track_nearest

    /// Call when all of the above is set; begins a search.
    void prepare(const FixedScale& fixed);

    [[nodiscard]] std::uint32_t base() const { return base_; }
    [[nodiscard]] bool is_waypoint(std::uint32_t state) const { return state < base_; }
    [[nodiscard]] double distance_to_target(Vec3 from) const;

    /// The first of sink_order at a slot, or where it would be.
    [[nodiscard]] std::size_t first_sink(std::uint32_t slot) const;
    /// The cheapest arc from one waypoint to another that may be used; null: none.
    [[nodiscard]] const RoadmapArc* best_arc(std::uint32_t from, std::uint32_t to,
                                             double* price = nullptr) const;

    template <class Sink>
    void start(Sink& sink) {
        for (const Attachment& source : sources) add(sink, source.slot, source.cost, 0);
        for (const Shortcut& shortcut : shortcuts) add(sink, goal_state(shortcut.point), shortcut.cost, 0);
    }

    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t, Sink& sink) {
        if (!is_waypoint(state)) return;
        if (track_nearest) note_nearest(state);
        for (std::size_t i = first_sink(state); i < sink_order.size() && sink_order[i].slot == state; ++i) {
            const Attachment& end = sinks[sink_order[i].index];
            add(sink, goal_state(end.point), end.cost, g);
        }
        if (backward) {
            for (const WaypointSlot in : data_->ins(state)) {
                double price = 0.0;
                const RoadmapArc* arc = best_arc(in.value, state, &price);
                if (arc != nullptr) add(sink, in.value, price, g);
            }
        } else {
            for (const RoadmapArc& arc : data_->arcs(state)) {
                const double price = prices.of(state, arc);
                if (price < kInfinity && walkable(state, arc)) add(sink, arc.to.value, price, g);
            }
        }
    }

    [[nodiscard]] Cost heuristic(std::uint32_t state) const {
        if (!heuristic_on || !is_waypoint(state)) return 0;
        if (own.estimate != nullptr) return own_estimate(state);
        const double units = distance_to_target(data_->node(state).position) * scale.slope - scale.lag;
        return units > 0.0 ? static_cast<Cost>(units) : 0;
    }

    [[nodiscard]] bool is_goal(std::uint32_t state) {
        if (is_waypoint(state)) return false;
        return !all_goals || ++goals_reached == goals_wanted;
    }

  private:
    [[nodiscard]] std::uint32_t goal_state(std::uint32_t point) const {
        return base_ + (backward ? 0 : point);
    }

    template <class Sink>
    void add(Sink& sink, std::uint32_t state, double cost, Cost g) {
        const double units = cost * scale.units;
        if (!(units < 0x1p62)) {
            spilled = true;
            return;
        }
        auto step = static_cast<Cost>(units);
        if (static_cast<double>(step) < units) ++step;
        if (g + step >= kCostTop) {
            spilled = true;
            return;
        }
        sink.add(state, step, 0);
    }

    [[nodiscard]] bool walkable(std::uint32_t from, const RoadmapArc& arc) const {
        return !check_edges || arc.link ||
               sight.clear(data_->node(from).position, data_->node(arc.to.value).position);
    }
    void note_nearest(std::uint32_t state);
    [[nodiscard]] Cost own_estimate(std::uint32_t state) const;

    const StateData* data_ = nullptr;
    std::uint32_t base_ = 0;
    double nearest_distance_ = kInfinity;
    Box3 target_box_{};
};

/// What the scale is made from.
struct ScaleInput {
    const StateData* state = nullptr;
    Prices::Range factors{};
    double off_net_cost = 1.0;
    double attach_cost_max = 0.0;    ///< dearest attachment or shortcut
    std::span<const Vec3> points{};  ///< start and goals
};

[[nodiscard]] FixedScale finest_scale(const ScaleInput& input);
/// The next one, after steps did not fit.
[[nodiscard]] FixedScale coarser_scale(const ScaleInput& input, const FixedScale& scale);

/// The bound of a route of this cost found at this scale: 1 where rounding cannot have cost more than 1e-9 of
/// it.
[[nodiscard]] double bound_at(const ScaleInput& input, const FixedScale& scale, double cost);

}  // namespace fairlead::roadmap
