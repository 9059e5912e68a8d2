// SearchRun: one query on its way: attaching the start, attaching the goals, the straight lines, the question
// whether there is a way at all, the search. Every stage works in slices and counts what it does against one
// budget.
#pragma once

#include <optional>

#include <fairlead/base/digest.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/hooks.h>

#include "roadmap/attach.h"
#include "roadmap/reach.h"
#include "roadmap/space.h"
#include "search/run_state.h"

namespace fairlead::roadmap {

/// f = g + h, or h alone. One engine serves all planners: Dijkstra's is A* without a heuristic.
struct RunKey {
    bool greedy = false;
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return greedy ? h : g + h; }
    [[nodiscard]] bool reopens() const { return !greedy; }
};

/// Digests the waypoints expanded, by their ids, and tells the user's hook, if there is one, by slot.
struct RunTrace {
    const RoadmapSpace* space = nullptr;
    const StateData* state = nullptr;
    Digest* digest = nullptr;
    SearchTrace hook{};

    void expanded(std::uint32_t slot, Cost g) const {
        if (slot >= state->slots()) return;
        digest->add(state->node(slot).id);
        digest->add(g);
        tell(TraceEventKind::expanded, slot, g);
    }
    void generated(std::uint32_t slot, Cost g) const { tell(TraceEventKind::generated, slot, g); }
    void tell(TraceEventKind kind, std::uint32_t slot, Cost g) const {
        if (hook.event == nullptr) return;
        const std::size_t goal = slot - space->base();  // where it is no waypoint
        const Vec3 at = space->is_waypoint(slot)       ? state->node(slot).position
                        : goal < space->targets.size() ? space->targets[goal]
                                                       : space->targets[0];
        hook.event({.kind = kind, .state = slot, .g = g, .at = {at}, .left = at, .right = at}, hook.user);
    }
};

class SearchRun {
  public:
    explicit SearchRun(const Allocator& allocator);

    /// Takes on a query; a malformed one is done at once, with its error.
    void begin(const RoadmapState& state, const RoadmapQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up() { at_.finish(PathStatus::budget_spent); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const;
    [[nodiscard]] SearchStats stats() const;
    [[nodiscard]] Result<void> take(Route& route);
    /// For all_goals: one goal's route.
    [[nodiscard]] Result<void> take(Route& route, std::uint32_t point);

  private:
    enum class Stage : std::uint8_t { attach_start, attach_goals, straight, reach, search, done };
    using Engine = BestFirst<RoadmapSpace, RunKey, HeapOpen, HashedNodes, RunTrace>;

    [[nodiscard]] std::uint32_t point_count() const;
    [[nodiscard]] Spot place(std::uint32_t point) const;
    [[nodiscard]] Vec3 position_of(const Spot& at) const;
    [[nodiscard]] bool attach_waypoint(const Spot& at, std::uint32_t point, Array<Attachment>& out);

    void work_attach_start(std::uint64_t& budget);
    void work_attach_goals(std::uint64_t& budget);
    void work_straight(std::uint64_t& budget);
    void work_reach(std::uint64_t& budget);
    void work_search(std::uint64_t& budget);

    [[nodiscard]] bool join_on_arcs();
    void judge_attachments();
    void begin_reach();
    void begin_search();
    void begin_engine(const FixedScale& scale);
    void end_search();
    [[nodiscard]] bool order_sinks();
    [[nodiscard]] std::uint32_t goals_in_reach();
    [[nodiscard]] ScaleInput scale_input() const;

    // write_route.cpp
    struct Writer;
    [[nodiscard]] Result<void> write(Route& route, std::uint32_t end_node, PathStatus status);
    [[nodiscard]] bool list_chain(std::uint32_t end_node);
    [[nodiscard]] bool keep_best();
    [[nodiscard]] Result<void> write_best(Route& route);
    [[nodiscard]] Result<void> write_chain(Route& route, std::uint32_t point, PathStatus status);
    void write_head(Route& route) const;

    RoadmapState state_;
    RoadmapQuery query_{};
    SearchTrace trace_{};
    bool all_goals_ = false;
    RunState<Stage> at_;

    AttachRules rules_{};
    Attacher attacher_;
    bool attaching_ = false;   ///< the attacher is at work on a point
    std::uint32_t point_ = 0;  ///< the goal at hand
    Array<Vec3> points_;       ///< the start, then the goals
    Array<Attachment> starts_;
    Array<Attachment> goals_;
    Array<Shortcut> shortcuts_;
    Array<SinkRef> sink_order_;
    ReachWalk reach_;

    RoadmapSpace space_;
    HeapOpen open_;
    HashedNodes nodes_;
    std::optional<Engine> engine_;
    bool wide_ = false;     ///< the search at the wide scale is on
    SearchStats before_{};  ///< of searches at finer scales
    Digest digest_{};
    Array<std::uint32_t> chain_;       ///< waypoints of a route, first to last; marks of goals before that
    Array<std::uint32_t> best_chain_;  ///< to the waypoint nearest a goal, of searches before the last
    double best_away_ = kInfinity;
};

/// The errors of a malformed query.
[[nodiscard]] Result<void> check_query(const RoadmapState& state, const RoadmapQuery& query);

}  // namespace fairlead::roadmap
