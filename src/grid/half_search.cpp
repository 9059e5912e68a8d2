#include "grid/half_search.h"

#include <algorithm>
#include <cmath>

#include "grid/half_prepare.h"
#include "grid/image.h"
#include "grid/sections.h"

namespace fairlead::grid {

namespace {

// Writes the path's bends.
class HalfBends {
  public:
    explicit HalfBends(GridWork& work)
        : work_(work),
          cells_(work.query.cells),
          code_(HalfCode::of(*cells_.state)),
          layer_(work.half_start_layer) {}

    [[nodiscard]] bool write() {
        work_.points.clear();
        work_.sections.clear();
        work_.half.enter(layer_);
        if (!begin_section(work_, layer_) || !add_point(work_, cells_.start_point)) return false;
        if (!begin(work_.path[0].state)) return false;
        for (std::size_t i = 1; i < work_.path.size(); ++i) {
            if (!step(work_.path[i].state, work_.path[i].by)) return false;
        }
        return !work_.half_ways.out_of_memory() && !work_.half_planes.out_of_memory();
    }

  private:
    [[nodiscard]] bool add_all(std::span<const Vec2> points) {
        return std::all_of(points.begin(), points.end(), [&](Vec2 p) { return add_point(work_, p); });
    }

    // From the start's place to its point, or straight to the goal.
    [[nodiscard]] bool begin(std::uint32_t first) {
        HalfWays& ways = work_.half_ways;
        if (first >= work_.half.places_at()) {
            if (work_.half.region() && work_.half.region_holds(cells_.start_point, layer_)) return true;
            const Vec2 goal = cells_.goal_points[first - work_.half.places_at()];
            return add_all(
                ways.way_between(cells_.start_point, nearest_image(*cells_.state, cells_.start_point, goal)));
        }
        for (const HalfEnd& end : ways.ends_of(cells_.start_point)) {
            if (code_.state(end.point, layer_) != first) continue;
            at_ = end.point;
            break;
        }
        return add_all(ways.way_to(cells_.start_point, at_));
    }

    [[nodiscard]] bool step(std::uint32_t state, std::uint32_t tag) {
        HalfWays& ways = work_.half_ways;
        if (tag == kPortalMove) return take_portal(state);
        if (tag == kRunMove) return take_run(code_.point(state));
        if (tag == kGoalMove) return arrive(cells_.goal_points[state - work_.half.places_at()]);
        if (tag == kGapMove) {
            const Vec2 to = nearest_image(*cells_.state, position_of(at_), position_of(code_.point(state)));
            const HalfPoint from = at_;
            at_ = {static_cast<std::int32_t>(std::floor(2.0 * to.x + 0.5)),
                   static_cast<std::int32_t>(std::floor(2.0 * to.y + 0.5))};
            return add_all(ways.way_through_gaps(from, at_));
        }
        const bool squeezed = tag >= kSqueezeMove;
        const std::uint32_t move = squeezed ? tag - kSqueezeMove : tag;
        const HalfPoint from = at_;
        const bool laps = code_.lap_i != 0 || code_.lap_j != 0;  // jumps are made where there are none
        at_ = laps ? HalfPoint{at_.i + kMoveDx[move], at_.j + kMoveDy[move]} : code_.point(state);
        if (squeezed) return add_all(ways.way_across(from, at_));
        return add_point(work_, position_of(at_));
    }

    // Diagonally, then straight.
    [[nodiscard]] bool take_run(HalfPoint to) {
        const std::int32_t di = to.i - at_.i;
        const std::int32_t dj = to.j - at_.j;
        const std::int32_t diagonal = std::min(std::abs(di), std::abs(dj));
        const HalfPoint bend{at_.i + (di < 0 ? -diagonal : diagonal),
                             at_.j + (dj < 0 ? -diagonal : diagonal)};
        at_ = to;
        return add_point(work_, position_of(bend)) && add_point(work_, position_of(to));
    }

    [[nodiscard]] bool take_portal(std::uint32_t state) {
        const HalfPoint to = code_.point(state);
        const std::uint32_t from_state = code_.state(at_, layer_);
        const HalfPoint from = code_.point(from_state);
        const std::int32_t to_layer = code_.layer(state);
        work_.sections.back().portal =
            portal_between(cells_, cells_.code.state(from.i >> 1, from.j >> 1, layer_),
                           cells_.code.state(to.i >> 1, to.j >> 1, to_layer));
        layer_ = to_layer;
        at_ = to;
        work_.half.enter(layer_);
        return begin_section(work_, layer_) && add_point(work_, position_of(at_));
    }

    // From the point where the path ends to the goal's place: its way there, backward.
    [[nodiscard]] bool arrive(Vec2 goal) {
        HalfWays& ways = work_.half_ways;
        HalfPoint near = at_;
        for (const HalfEnd& end : ways.ends_of(goal)) {
            if (code_.state(end.point, layer_) != code_.state(at_, layer_)) continue;
            near = end.point;
            break;
        }
        const Vec2 lap = position_of(at_) - position_of(near);
        const std::span<const Vec2> way = ways.way_to(goal, near);
        for (std::size_t n = way.size(); n-- > 0;) {
            if (!add_point(work_, way[n] + lap)) return false;
        }
        return add_point(work_, goal + lap);
    }

    GridWork& work_;
    const CellQuery& cells_;
    HalfCode code_;
    std::int32_t layer_;
    HalfPoint at_{};
};

}  // namespace

bool asks_half(const CellQuery& cells, const GridQuery& query) {
    if (cells.key <= kCellBody || cells.radius > kRadiusCellsMax) return false;
    if (query.planner == GridPlanner::fixed_window && !query.window_grows) return false;
    constexpr std::uint64_t kPlacesMax = 1U << 17;
    return HalfCode::of(*cells.state).count(cells.state->layers) + kPlacesMax < UINT32_MAX;
}

bool half_is_faster(const CellQuery& cells, const GridQuery& query) {
    const StateData& state = *cells.state;
    const bool plain = !state.wrap_x && !state.wrap_y && state.portal_count == 0 && query.blockers.empty() &&
                       cells.uniform && !cells.filtered && cells.eight;
    return query.planner == GridPlanner::automatic && plain && cells.body == nullptr &&
           cells.goal.kind == Goal::Kind::point;
}

bool prepare_half(GridWork& work, const GridQuery& query) {
    std::uint64_t all = UINT64_MAX;
    return begin_half(work, query) && step_half(work, query, all);
}

bool make_half_sections(GridWork& work) { return HalfBends(work).write(); }

}  // namespace fairlead::grid
