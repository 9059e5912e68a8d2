// SearchRun: one query on its way: placing start and goals on the surface, the question whether there is a way at all,
// the search. Every stage works in slices and counts what it does against one budget.
#pragma once

#include <optional>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/search/engine.h>

#include "mesh/query/leg_writer.h"
#include "mesh/query/partial_goal.h"
#include "mesh/search/aims.h"
#include "mesh/search/any_angle.h"
#include "mesh/search/corridor_run.h"
#include "mesh/search/link_reach.h"
#include "mesh/search/taut.h"
#include "mesh/surface/clear_spot.h"
#include "mesh/surface/surface.h"
#include "mesh/table/table_run.h"
#include "search/run_state.h"

namespace fairlead::mesh {

class SearchRun {
  public:
    explicit SearchRun(const Allocator& allocator);

    /// Takes on a query; a malformed one is done at once, with its error.
    void begin(const NavMeshState& state, const MeshQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up() { at_.finish(PathStatus::budget_spent); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const;
    [[nodiscard]] SearchStats stats() const;
    [[nodiscard]] Result<void> take(Route& route);
    /// For all_goals: one goal's route.
    [[nodiscard]] Result<void> take(Route& route, std::uint32_t goal);

  private:
    enum class Stage : std::uint8_t { place_start, place_goals, reach, look_up, search, partial, done };
    using Engine = BestFirst<AnyAngleSpace, AStarKey, HeapOpen, ListedNodes>;

    /// A goal, placed.
    struct Target {
        SurfacePoint at{};
        PathStatus status = PathStatus::unreachable;
        std::uint32_t number = 0;        ///< in the query
        std::uint32_t interval = kNone;  ///< where the search reached it
    };

    [[nodiscard]] std::uint32_t goal_count() const;
    [[nodiscard]] Vec3 goal_point(std::uint32_t i) const;
    [[nodiscard]] SurfacePoint place(Vec3 position, PathStatus blocked, PathStatus& status);
    void work_place_start(std::uint64_t& budget);
    void work_place_goals(std::uint64_t& budget);
    void work_reach(std::uint64_t& budget);
    void begin_search();
    void finish_without_way();
    void begin_partial();
    void work_partial(std::uint64_t& budget);
    [[nodiscard]] LinkUse link_use() const;
    [[nodiscard]] bool can_look_up() const;
    void work_look_up(std::uint64_t& budget);
    void read_filter();
    void begin_corridor();
    void work_corridor(std::uint64_t& budget);
    void end_corridor(bool found);
    void work_search(std::uint64_t& budget);
    void note_goal();

    // best_so_far.cpp
    /// A place that an exact search has come to, straight from a root.
    struct Near {
        SurfacePoint place{};
        std::uint32_t root = 0;
    };
    [[nodiscard]] bool leads_to_best() const;
    [[nodiscard]] bool list_aims();
    static void note_side(const Interval& at, void* user);
    void note_near(const Interval& at);
    [[nodiscard]] bool has_room(bool& good);
    [[nodiscard]] bool has_near() const;
    [[nodiscard]] bool keep_near();
    [[nodiscard]] bool keep_near_corridor();
    [[nodiscard]] bool write_best(Route& route);

    // write_route.cpp
    [[nodiscard]] Result<void> write(Route& route, PathStatus status, const Target* target);
    [[nodiscard]] Vec3 in_world(Vec2 p, double z) const { return state_->origin + Vec3{p.x, p.y, z}; }
    [[nodiscard]] LegWriter begin_legs(Route& route) const;
    [[nodiscard]] bool write_way(Route& route);
    [[nodiscard]] bool take_link(LegWriter& legs, std::uint32_t piece_number, Vec3 exit) const;
    [[nodiscard]] bool write_corners(Route& route, const Target& target);
    [[nodiscard]] bool list_way(const SurfacePoint& end, std::uint32_t last_root);
    [[nodiscard]] bool list_way(const Target& target) {
        return list_way(target.at, space_.interval(target.interval).root);
    }
    [[nodiscard]] std::size_t list_part(std::size_t from);
    [[nodiscard]] bool write_band(LegWriter& legs, const WayPoint& last);
    [[nodiscard]] PathStatus pull_way(Route& route);
    [[nodiscard]] bool write_line(Route& route, const Target& target);
    [[nodiscard]] bool write_corridor(Route& route, const Target* target);
    [[nodiscard]] bool write_exact(Route& route, const Target* target);

    const StateData* state_ = nullptr;
    MeshQuery query_{};
    SearchTrace trace_{};
    bool all_goals_ = false;
    RunState<Stage> at_;

    SurfacePoint start_{};
    std::uint32_t point_ = 0;       ///< the goal at hand
    Array<Target> targets_;         ///< all goals
    Array<PathEnd> ends_;           ///< those that can be reached
    Array<std::uint32_t> end_of_;   ///< which target each of them is
    std::uint32_t best_ = kNone;    ///< the target that the route leads to
    std::uint32_t open_goals_ = 0;  ///< still to be reached

    LinkReach link_reach_;
    AreaPrices prices_{};
    std::uint64_t closed_links_ = 0;
    bool weighted_ = false;  ///< areas cost differently
    bool by_corridor_ = false;
    std::uint32_t end_ = 0;  ///< the end that the corridor at hand leads to
    double best_cost_ = 0.0;
    double best_cap_ = 0.0;  ///< CorridorRun::cap of it
    CorridorRun corridor_;
    Array<LinePoint> best_line_;
    SearchStats
        earlier_{};  ///< of searches before the one that is on: other goals, no way before a partial route

    AnyAngleSpace space_;
    HeapOpen open_;
    ListedNodes nodes_;
    std::optional<Engine> engine_;
    TableRun table_;
    bool by_table_ = false;  ///< the answer comes from the table
    double radius_ = 0.0;    ///< what the unit needs beyond what the surface keeps from walls
    double slack_ = 0.0;
    FloodWork flood_;
    PartialGoal partial_;
    Array<SurfacePoint> partial_goals_;
    Array<std::uint32_t> partial_targets_;  ///< which target each of them is
    bool looked_near_ = false;              ///< for a place near the goal
    TautBand band_;
    Array<WayPoint> way_;
    Array<WayPoint> part_;  ///< of it, between links

    // Best so far.
    Aims aims_;
    double near_square_ = 0.0;  ///< of the distance of the nearest place that was noted
    Array<Near> nears_;         ///< by the search that is on; each nearer than the one before
    Array<WayPoint> best_way_;  ///< of earlier ones
    Route trial_;
    bool in_corridor_ = false;  ///< a search of corridors has begun
    Target near_end_{};         ///< where near_line_ leads
    Array<LinePoint> near_line_;
    double near_cost_ = 0.0;
};

/// The errors of a malformed query.
[[nodiscard]] Result<void> check_query(const StateData& state, const MeshQuery& query);
/// Of its unit and filter alone.
[[nodiscard]] Result<void> check_unit(const StateData& state, const MeshQuery& query);

}  // namespace fairlead::mesh
