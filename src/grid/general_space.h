// GeneralSpace: single steps with everything a query can ask for: any body, seams, portals, terrain costs and
// filters, influence, temporary blockers, goal regions, layers, forward or backward.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/grid/query.h>
#include <fairlead/search/cost.h>

#include "grid/cell_code.h"
#include "grid/moves.h"
#include "grid/nearest_place.h"
#include "grid/portals.h"
#include "grid/sight.h"
#include "grid/state.h"

namespace fairlead::grid {

/// Where the query wants to be, in cells; the places of a list aside.
struct CellGoal {
    Goal::Kind kind = Goal::Kind::point;
    Vec2 point{};
    double range = 0.0;
    std::int32_t layer = 0;
};

/// What a query means in cells: made once per query by prepare.cpp.
struct CellQuery {
    const StateData* state = nullptr;
    CellCode code{};
    CostScale scale{};
    CostScale half_scale{};  ///< the same for steps of half a cell
    BodyKey key = kPointBody;
    const Body* body = nullptr;        ///< its bitmap, if registered
    std::int32_t clearance_least = 0;  ///< else the clearance class it needs, if below the cap
    double radius = 0.0;               ///< in cells
    std::int32_t footprint = 0;
    bool half = false;          ///< where cells say no, the half lattice has the last word (half_search.h)
    double stand_offset = 0.5;  ///< of the body's centre in its cell: 0 for even footprints
    CornerRule corner = CornerRule::never;
    bool eight = true;
    bool uniform = true;            ///< every step costs its length
    std::uint16_t costs[256] = {};  ///< by terrain; 0: may not be entered
    bool filtered = false;          ///< some terrain of the map may be closed
    Influence influence{};
    std::uint32_t cost_least = 1;         ///< of any cell, for the heuristic
    std::span<const Blocker> blockers{};  ///< in cells
    const route::BlockerIndex* blocker_index = nullptr;
    GridHeuristic heuristic = GridHeuristic::octile;
    OwnHeuristic own{};
    Cost own_most = 0;  ///< no way costs more

    CellGoal goal{};    ///< in cells
    bool aims = false;  ///< what goal_gap() measures to is `aim`, not the goal: one that stands for it
    Vec2 aim{};
    Vec2 start_point{};  ///< in cells, exact
    Vec2 goal_point{};
    std::uint32_t start = 0;                       ///< states
    std::uint32_t start_other = UINT32_MAX;        ///< the start lies between two cells: the second one
    std::span<const std::uint32_t> goals{};        ///< sorted; for point and any_of
    std::span<const Vec2> goal_points{};           ///< of any_of, by index of `goals`
    std::span<const std::uint32_t> far_portals{};  ///< entries of portals that beat walking; see heuristic

    [[nodiscard]] SightWorld sight(std::int32_t layer) const {
        SightWorld world;
        world.state = state;
        world.layer = layer;
        world.radius = radius;
        world.footprint = footprint;
        world.corner = corner;
        world.costs = uniform && !filtered ? nullptr : costs;
        world.influence = influence.cells;
        world.influence_weight = influence.weight;
        world.blockers = blockers;
        world.blocker_index = blocker_index;
        return world;
    }
    [[nodiscard]] Vec2 stand_point(const Cell& cell) const {
        return {static_cast<double>(cell.x) + stand_offset, static_cast<double>(cell.y) + stand_offset};
    }
    /// May the body stand there: walls and closed terrain, blockers not included?
    [[nodiscard]] bool stands(std::int32_t x, std::int32_t y, std::int32_t layer) const;
    /// Cost of entering a free cell.
    [[nodiscard]] std::uint32_t cell_cost(std::int32_t x, std::int32_t y, std::int32_t layer) const;
    /// Lower bound of the cost from a cell to the goal.
    [[nodiscard]] Cost estimate(std::uint32_t from) const;
    /// The user's.
    [[nodiscard]] Cost own_estimate(const Cell& from) const;
    /// Of the cost of changing floors; 0 but on maps whose portals are all stairs (PortalTables::floor_cost).
    [[nodiscard]] Cost floors_between(std::int32_t a, std::int32_t b) const {
        if (a == b || state->portal_count == 0) return 0;
        const double one = state->portal_tables->floor_cost * static_cast<double>(scale.straight);
        return static_cast<Cost>(one) * static_cast<Cost>(a < b ? b - a : a - b);
    }
    [[nodiscard]] bool reaches_goal(std::uint32_t at) const;
    /// The start's cells: one, or both that it lies between.
    struct Starts {
        std::uint32_t list[2];
        std::uint32_t count;
        [[nodiscard]] const std::uint32_t* begin() const { return list; }
        [[nodiscard]] const std::uint32_t* end() const { return list + count; }
    };
    [[nodiscard]] Starts starts() const {
        return {{start, start_other}, start_other == UINT32_MAX ? 1U : 2U};
    }
    [[nodiscard]] bool is_start(std::uint32_t at) const { return at == start || at == start_other; }
    /// Does an end lie between two cells? For a start, and for one goal of two cells, single steps alone serve.
    [[nodiscard]] bool ends_between() const {
        return start_other != UINT32_MAX || (goal.kind == Goal::Kind::point && goals.size() > 1);
    }
    [[nodiscard]] Cost portal_cost(std::uint32_t portal) const {
        return static_cast<Cost>(state->portals[portal].cost * static_cast<double>(scale.straight));
    }
    /// Is a place, not farther than a lap outside, within the goal's range, and for in_sight in sight of its point?
    [[nodiscard]] bool in_range(Vec2 place, std::int32_t layer) const;
    /// Square of the straight distance from a cell's stand point to the goal point, or to the nearest of them.
    [[nodiscard]] double goal_gap(const Cell& cell) const { return goal_gap(stand_point(cell)); }
    [[nodiscard]] double goal_gap(Vec2 place) const;
    void note(NearestPlace& nearest, std::uint32_t at, const Cell& cell) const {
        nearest.note(at, cell.layer == goal.layer, goal_gap(cell));
    }
    /// Does a blocker stand in the way of the body moving between two cell positions?
    [[nodiscard]] bool meets_blocker(Vec2 a, Vec2 b, std::int32_t layer) const;
    /// May the body step from (x, y) by the move? Both cells are inside the map (seams applied to the target).
    [[nodiscard]] bool can_step(std::int32_t x, std::int32_t y, std::int32_t layer, std::uint32_t move,
                                std::int32_t& to_x, std::int32_t& to_y) const;
};

class GeneralSpace {
  public:
    GeneralSpace() = default;
    explicit GeneralSpace(const CellQuery& query, bool backward = false)
        : query_(&query), backward_(backward) {}

    template <class Sink>
    void start(Sink& sink) {
        if (!backward_) {
            for (const std::uint32_t start : query_->starts()) sink.add(start, 0, kNoMove);
            return;
        }
        for (const std::uint32_t goal : query_->goals) sink.add(goal, 0, kNoMove);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const;
    [[nodiscard]] bool is_goal(std::uint32_t state) const {
        return backward_ ? query_->is_start(state) : query_->reaches_goal(state);
    }

    /// Where to note what is expanded, for partial routes; null: nowhere.
    void track(NearestPlace* nearest) { nearest_ = nearest; }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const Cell cell = query_->code.cell(state);
        if (nearest_ != nullptr) query_->note(*nearest_, state, cell);
        const std::uint32_t stay =
            backward_ && !query_->uniform ? query_->cell_cost(cell.x, cell.y, cell.layer) : 1;
        for (std::uint32_t m = 0; m < 8; m += query_->eight ? 1 : 2) {
            std::int32_t x = 0;
            std::int32_t y = 0;
            if (!query_->can_step(cell.x, cell.y, cell.layer, m, x, y)) continue;
            const Cost length = is_diagonal(m) ? query_->scale.diagonal : query_->scale.straight;
            // A step costs what its target costs; backward the target is where we are.
            const std::uint32_t factor =
                query_->uniform ? 1 : (backward_ ? stay : query_->cell_cost(x, y, cell.layer));
            sink.add(query_->code.state(x, y, cell.layer), length * factor, m);
        }
        if (query_->state->portal_count != 0) expand_portals(state, sink);
    }

  private:
    template <class Sink>
    void expand_portals(std::uint32_t state, Sink& sink) {
        const PortalTables& portals = *query_->state->portal_tables;
        for (const PortalStep& step : portals_from(backward_ ? portals.backs : portals.steps, state)) {
            const Cell to = query_->code.cell(step.to);
            const Vec2 stand = query_->stand_point(to);
            if (!query_->stands(to.x, to.y, to.layer) || query_->meets_blocker(stand, stand, to.layer))
                continue;
            sink.add(step.to, query_->portal_cost(step.portal), kNoMove);
        }
    }

    const CellQuery* query_ = nullptr;
    bool backward_ = false;
    NearestPlace* nearest_ = nullptr;
};

}  // namespace fairlead::grid
