#include "grid/half_search.h"

#include <algorithm>
#include <cmath>

#include "grid/connectivity.h"
#include "grid/image.h"
#include "grid/sections.h"
#include "grid/settle.h"

namespace fairlead::grid {

namespace {

/// Start and goal no farther apart than this may lie in one room.
constexpr double kRoomReach = 1.0;

/// More goals' points are not looked for along each run.
constexpr std::size_t kGoalsToJump = 8;

bool on_map(const StateData& state, Vec2 p, std::int32_t layer) {
    return layer >= 0 && layer < state.layers && p.x >= 0.0 && p.x <= state.width && p.y >= 0.0 &&
           p.y <= state.height;
}

class HalfPreparation {
  public:
    HalfPreparation(GridWork& work, const GridQuery& query)
        : work_(work), query_(query), cells_(work.query.cells), state_(*cells_.state) {}

    [[nodiscard]] bool run() {
        work_.on_half = true;
        work_.half_jumps = false;
        work_.status = PathStatus::complete;
        cells_.goal = goal_in_cells(query_.goal, state_);
        if (work_.query.goal_moved) cells_.goal.point = work_.query.goal_place;
        blocked_ = work_.query.goal_blocked = false;
        work_.query.goals.clear();
        work_.query.goal_points.clear();
        work_.half_starts.clear();
        work_.half_goals.clear();
        const SightWorld world = cells_.sight(query_.start.layer);
        if (!can_sweep(world, cells_.start_point, cells_.start_point)) {
            work_.status = PathStatus::start_blocked;
            return true;
        }
        body_ = state_.find_half(HalfDisc::of(cells_.radius).square);
        code_ = HalfCode::of(state_);
        places_at_ = static_cast<std::uint32_t>(code_.count(state_.layers));
        if (work_.half_moves_for != (cells_.eight ? 1 : 0)) {
            work_.half_moves_for = cells_.eight ? 1 : 0;
            work_.half_moves.fill(CornerRule::never,
                                  cells_.eight ? Neighbourhood::eight : Neighbourhood::four);
        }
        work_.half =
            HalfSpace(cells_, work_.half_planes, work_.half_ways, work_.half_moves, {}, {}, places_at_);
        if (!work_.half_planes.begin(world, HalfDisc::of(cells_.radius))) return false;
        work_.half_ways.begin(work_.half_planes, world);
        if (!find_goal_places()) return false;
        if (work_.status != PathStatus::complete) return true;
        if (provably_apart()) {
            work_.status = PathStatus::unreachable;
            if (!query_.partial) return true;
            work_.status = PathStatus::complete;
        }
        if (!add_starts()) return false;
        if (!blocked_ && (!add_goals() || !add_direct_ways())) return false;
        const bool apart = !direct_ && !query_.partial && points_apart();
        const bool nowhere =
            apart || work_.half_starts.empty() ||
            (work_.half_goals.empty() && !work_.half.region() && !direct_ && !query_.partial);
        if (nowhere) work_.status = PathStatus::unreachable;
        work_.half = HalfSpace(cells_, work_.half_planes, work_.half_ways, work_.half_moves,
                               work_.half_starts.span(), work_.half_goals.span(), places_at_);
        work_.half_jumps = !nowhere && jumps() && body_ != nullptr && !direct_ &&
                           work_.half_goals.size() == 1 && query_.start.layer == cells_.goal.layer;
        if (work_.half_jumps) {
            work_.half_jump = HalfJumpSpace(state_, *body_, query_.start.layer, cells_.half_scale, work_.half,
                                            work_.half_starts.span(), code_.point(work_.half_goals[0].state));
        } else if (!nowhere && !look_at_lines(world)) {
            return false;
        }
        return !work_.half_planes.out_of_memory() && !work_.half_ways.out_of_memory();
    }

  private:
    // What tells of many points at once: stops, and for jumps the columns.
    [[nodiscard]] bool look_at_lines(const SightWorld& world) {
        const bool gaps = work_.half_planes.disc().key > kGapKey;
        if (gaps) {
            if (!work_.half_stops.begin(work_.half_planes)) return false;
            work_.half.set_stops(&work_.half_stops);
        }
        if (!jumps()) return true;
        if (!work_.half_columns.begin(world, HalfDisc::of(cells_.radius), true)) return false;
        if (gaps && !work_.half_column_stops.begin(work_.half_columns)) return false;
        work_.half.set_jumps(&work_.half_columns, gaps ? &work_.half_column_stops : nullptr);
        return true;
    }

    // May straight steps be jumps (half_space.h)? A search for the nearest place looks at every point.
    [[nodiscard]] bool jumps() const {
        return cells_.uniform && cells_.eight && cells_.blockers.empty() && !state_.wrap_x &&
               !state_.wrap_y && state_.portal_count == 0 && !query_.partial && !work_.half.region() &&
               work_.half_goals.size() <= kGoalsToJump;
    }

    [[nodiscard]] bool fits_at(Vec2 p, std::int32_t layer) const {
        return can_sweep(cells_.sight(layer), p, p);
    }

    // The goal's places that fit; the status if there are none. For a region its centre, which is one if it fits.
    [[nodiscard]] bool find_goal_places() {
        const CellGoal& goal = cells_.goal;
        Array<Vec2>& places = work_.query.goal_points;
        if (goal.kind == Goal::Kind::any_of) {
            PathStatus worst = PathStatus::off_world;
            for (std::size_t i = 0; i < query_.goal.list.size(); ++i) {
                Vec2 p = in_cells(query_.goal.list[i], state_);
                const bool inside = on_map(state_, p, goal.layer);
                if (inside) worst = PathStatus::goal_blocked;
                const bool fits = (inside && fits_at(p, goal.layer)) || move_goal_point(cells_, query_, p);
                if (fits && !places.push_back(p)) return false;
            }
            if (places.empty()) work_.status = worst;
            if (places.empty() && worst == PathStatus::goal_blocked && query_.partial) return aim_at_points();
        } else if (!on_map(state_, goal.point, goal.layer) ||
                   (work_.half.region() && !(goal.point.x < state_.width && goal.point.y < state_.height))) {
            work_.status = PathStatus::off_world;
        } else if (goal.kind == Goal::Kind::adjacent) {
            if (!any_beside()) note_blocked();
            if (work_.half_planes.out_of_memory()) return false;
        } else if (fits_at(goal.point, goal.layer)) {
            if (!places.push_back(goal.point)) return false;
        } else if (goal.kind == Goal::Kind::point) {
            note_blocked();
        }
        cells_.goal_points = places.span();
        return true;
    }

    // The disc has no room at the goal: with `partial` the place nearest to it is searched for.
    void note_blocked() {
        blocked_ = work_.query.goal_blocked = true;
        if (!query_.partial) work_.status = PathStatus::goal_blocked;
    }

    // Of any_of: what to come near to. False: out of memory.
    [[nodiscard]] bool aim_at_points() {
        note_blocked();
        work_.status = PathStatus::complete;
        for (std::size_t i = 0; i < query_.goal.list.size(); ++i) {
            const Vec2 p = in_cells(query_.goal.list[i], state_);
            if (on_map(state_, p, cells_.goal.layer) && !work_.query.goal_points.push_back(p)) return false;
        }
        cells_.goal_points = work_.query.goal_points.span();
        return true;
    }

    // Does the disc fit at a point in a cell next to the goal's?
    [[nodiscard]] bool any_beside() {
        const auto x = static_cast<std::int32_t>(cells_.goal.point.x);
        const auto y = static_cast<std::int32_t>(cells_.goal.point.y);
        work_.half.enter(cells_.goal.layer);
        bool any = false;
        for (std::int32_t j = 2 * y - 2; j <= 2 * y + 3; ++j) {
            for (std::int32_t i = 2 * x - 2; i <= 2 * x + 3; ++i) {
                const HalfPoint p{i, j};
                any = any || (work_.half.region_holds(position_of(p), cells_.goal.layer) &&
                              work_.half_planes.fits(p));
            }
        }
        return any;
    }

    // A point unit goes wherever the disc does: its index knows what no disc reaches.
    [[nodiscard]] bool provably_apart() const {
        if (state_.portal_count == 0 && query_.start.layer != cells_.goal.layer) return true;
        if (blocked_ || work_.half.region()) return false;
        const std::uint64_t start = component(cells_.start_point, query_.start.layer);
        return std::none_of(cells_.goal_points.begin(), cells_.goal_points.end(),
                            [&](Vec2 p) { return component(p, cells_.goal.layer) == start; });
    }
    [[nodiscard]] std::uint64_t component(Vec2 p, std::int32_t layer) const {
        const std::int32_t x = std::min(static_cast<std::int32_t>(p.x), state_.width - 1);
        const std::int32_t y = std::min(static_cast<std::int32_t>(p.y), state_.height - 1);
        return component_of(state_, state_.bodies[0], x, y, layer);
    }

    // Does the index of the registered size know that no start is joined to a goal? Blockers and filters only take ways away.
    [[nodiscard]] bool points_apart() const {
        if (body_ == nullptr || work_.half.region()) return false;
        const auto name = [&](std::uint32_t state) {
            const HalfPoint p = code_.point(state);
            return component_of(state_, *body_, p.i, p.j, code_.layer(state));
        };
        for (const HalfStart& start : work_.half_starts) {
            const std::uint64_t home = name(start.state);
            for (const HalfGoal& goal : work_.half_goals) {
                if (name(goal.state) == home) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool add_starts() {
        work_.half.enter(query_.start.layer);
        for (const HalfEnd& end : work_.half_ways.ends_of(cells_.start_point)) {
            const HalfStart start{code_.state(end.point, query_.start.layer), kNoMove,
                                  end.cost > 0.0 ? work_.half.cost_of(end.cost) : 0};
            if (!work_.half_starts.push_back(start)) return false;
        }
        return true;
    }

    [[nodiscard]] bool add_goals() {
        work_.half.enter(cells_.goal.layer);
        for (std::size_t k = 0; k < cells_.goal_points.size(); ++k) {
            const std::span<const HalfEnd> ends = work_.half_ways.ends_of(cells_.goal_points[k]);
            // They are joined to each other: the nearest stands for all. Blockers may part them.
            const HalfEnd* nearest = nullptr;
            for (const HalfEnd& end : ends) {
                if (nearest == nullptr || end.cost < nearest->cost) nearest = &end;
            }
            for (const HalfEnd& end : ends) {
                if (cells_.blockers.empty() && &end != nearest) continue;
                const HalfGoal goal{code_.state(end.point, cells_.goal.layer), static_cast<std::uint32_t>(k),
                                    end.cost > 0.0 ? work_.half.cost_of(end.cost) : 0};
                if (!work_.half_goals.push_back(goal)) return false;
            }
        }
        std::sort(work_.half_goals.begin(), work_.half_goals.end(),  // total order
                  [](const HalfGoal& a, const HalfGoal& b) {
                      if (a.state != b.state) return a.state < b.state;
                      return a.goal != b.goal ? a.goal < b.goal : a.cost < b.cost;
                  });
        return true;
    }

    // From the start straight to a goal in its room or pocket.
    [[nodiscard]] bool add_direct_ways() {
        if (query_.start.layer != cells_.goal.layer) return true;
        work_.half.enter(query_.start.layer);
        const bool pocket = work_.half_starts.empty();
        if (work_.half.region() && work_.half.region_holds(cells_.start_point, query_.start.layer)) {
            direct_ = true;
            return work_.half_starts.push_back({places_at_, kGoalMove, 0});
        }
        for (std::size_t k = 0; k < cells_.goal_points.size(); ++k) {
            const Vec2 goal = nearest_image(state_, cells_.start_point, cells_.goal_points[k]);
            if (!pocket && distance(cells_.start_point, goal) > kRoomReach) continue;
            if (work_.half_ways.way_between(cells_.start_point, goal).empty()) continue;
            direct_ = true;
            const HalfStart start{places_at_ + static_cast<std::uint32_t>(k), kGoalMove,
                                  work_.half.cost_of(work_.half_ways.cost())};
            if (!work_.half_starts.push_back(start)) return false;
        }
        return true;
    }

    GridWork& work_;
    const GridQuery& query_;
    CellQuery& cells_;
    const StateData& state_;
    const Body* body_ = nullptr;  ///< the registered size's points
    HalfCode code_{};
    std::uint32_t places_at_ = 0;
    bool direct_ = false;
    bool blocked_ = false;  ///< no goal has room for the disc
};

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
    work.half_start_layer = query.start.layer;
    return HalfPreparation(work, query).run();
}

bool make_half_sections(GridWork& work) { return HalfBends(work).write(); }

}  // namespace fairlead::grid
