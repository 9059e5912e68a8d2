// Start and goals are places anywhere: each is joined to the points of its room, or through gaps to others (half_ways.h). A start that is
// joined to none is in a pocket: what it can reach are the few rooms that were flooded.
#include "grid/half_prepare.h"

#include <algorithm>
#include <utility>

#include "grid/connectivity.h"
#include "grid/heap_steps.h"
#include "grid/image.h"
#include "grid/settle.h"

namespace fairlead::grid {

namespace {

/// Start and goal no farther apart than this may lie in one room.
constexpr double kRoomReach = 1.0;

/// More goals' points are not looked for along each run.
constexpr std::size_t kGoalsToJump = 8;

// How much of a list is done for one unit of the budget.
constexpr std::size_t kPlacesAUnit = 8;
constexpr std::size_t kAimsAUnit = 256;
constexpr std::size_t kEndSortsAUnit = 32;
constexpr std::size_t kDirectAUnit = 64;

/// What one start or goal may take without spending anything, in units.
constexpr std::int32_t kUnitsFree = 8;

bool on_map(const StateData& state, Vec2 p, std::int32_t layer) {
    return layer >= 0 && layer < state.layers && p.x >= 0.0 && p.x <= state.width && p.y >= 0.0 &&
           p.y <= state.height;
}

class HalfPreparation {
  public:
    HalfPreparation(GridWork& work, const GridQuery& query)
        : work_(work),
          query_(query),
          cells_(work.query.cells),
          state_(*cells_.state),
          at_(work.half_preparing) {}

    [[nodiscard]] bool begin() {
        at_ = {};
        work_.on_half = true;
        work_.half_jumps = false;
        work_.status = PathStatus::complete;
        cells_.goal = goal_in_cells(query_.goal, state_);
        if (work_.query.goal_moved) cells_.goal.point = work_.query.goal_place;
        work_.query.goal_blocked = false;
        work_.query.goals.clear();
        work_.query.goal_points.clear();
        cells_.goal_points = {};
        work_.half_starts.clear();
        work_.half_goals.clear();
        const SightWorld world = cells_.sight(query_.start.layer);
        if (!can_sweep(world, cells_.start_point, cells_.start_point)) return end(PathStatus::start_blocked);
        at_.body = state_.find_half(HalfDisc::of(cells_.radius).square);
        at_.code = HalfCode::of(state_);
        at_.places_at = static_cast<std::uint32_t>(at_.code.count(state_.layers));
        if (work_.half_moves_for != (cells_.eight ? 1 : 0)) {
            work_.half_moves_for = cells_.eight ? 1 : 0;
            work_.half_moves.fill(CornerRule::never,
                                  cells_.eight ? Neighbourhood::eight : Neighbourhood::four);
        }
        work_.half =
            HalfSpace(cells_, work_.half_planes, work_.half_ways, work_.half_moves, {}, {}, at_.places_at);
        if (!work_.half_planes.begin(world, HalfDisc::of(cells_.radius))) return false;
        work_.half_ways.begin(work_.half_planes, world);
        at_.start_name = component(cells_.start_point, query_.start.layer);
        at_.region = work_.half.region();
        at_.list = cells_.goal.kind == Goal::Kind::any_of;
        if (at_.region) work_.half_region.begin(cells_, work_.query.goal_points);
        at_.part = Part::places;
        return true;
    }

    [[nodiscard]] bool step(std::uint64_t& budget) {
        while (at_.part != Part::done) {
            const Part before = at_.part;
            const bool good = work_at(before, budget);
            if (!good || work_.half_planes.out_of_memory() || work_.half_ways.out_of_memory() ||
                work_.half_region.out_of_memory())
                return false;
            if (at_.part == before) return true;  // the budget is spent
        }
        return true;
    }

  private:
    using Part = HalfPreparing::Part;

    [[nodiscard]] bool work_at(Part part, std::uint64_t& budget) {
        switch (part) {
            case Part::places: return find_places(budget);
            case Part::aims: return aim_at_points(budget);
            case Part::starts: return add_starts(budget);
            case Part::goals: return add_goals(budget);
            case Part::sort: return sort_goals(budget);
            case Part::direct: return add_direct_ways(budget);
            case Part::pocket: return look_in_pocket(budget);
            case Part::last: return finish();
            case Part::done: break;
        }
        return true;
    }
    void go_to(Part part) {
        at_.part = part;
        at_.at = 0;
        at_.begun = false;
    }
    [[nodiscard]] bool end(PathStatus status) {
        work_.status = status;
        at_.part = Part::done;
        return true;
    }
    [[nodiscard]] static bool pay(std::uint64_t& budget) {
        if (budget == 0) return false;
        --budget;
        return true;
    }
    [[nodiscard]] bool fits_at(Vec2 p, std::int32_t layer) const {
        return can_sweep(cells_.sight(layer), p, p);
    }

    // ---- the goal's places ------------------------------------------------------------------------------------

    [[nodiscard]] bool add_place(Vec2 p) {
        Array<Vec2>& places = work_.query.goal_points;
        if (!places.push_back(p)) return false;
        cells_.goal_points = places.span();
        // A point unit goes wherever the disc does: its index knows what no disc reaches.
        at_.may_meet =
            at_.may_meet || at_.region || at_.blocked || component(p, cells_.goal.layer) == at_.start_name;
        const Vec2 gap = nearest_image(state_, cells_.start_point, p) - cells_.start_point;
        if (dot(gap, gap) < at_.aim_square) {
            at_.aim_square = dot(gap, gap);
            at_.aim = p;
        }
        return true;
    }
    [[nodiscard]] std::uint64_t component(Vec2 p, std::int32_t layer) const {
        if (layer < 0 || layer >= state_.layers) return UINT64_MAX;
        const std::int32_t x = std::clamp(static_cast<std::int32_t>(p.x), 0, state_.width - 1);
        const std::int32_t y = std::clamp(static_cast<std::int32_t>(p.y), 0, state_.height - 1);
        return component_of(state_, state_.bodies[0], x, y, layer);
    }

    // A point of any_of, moved where the query has a reach; the next ones pay for that.
    [[nodiscard]] bool find_listed(std::size_t i, std::uint64_t& budget) {
        Vec2 p = in_cells(query_.goal.list[i], state_);
        const bool inside = on_map(state_, p, cells_.goal.layer);
        at_.any_inside = at_.any_inside || inside;
        const bool fits =
            (inside && fits_at(p, cells_.goal.layer)) || move_goal_point(cells_, query_, p, budget);
        return !fits || add_place(p);
    }

    // The goal's places that fit; the status if there are none. For a region its centre, which is one if it fits.
    [[nodiscard]] bool find_places(std::uint64_t& budget) {
        const CellGoal& goal = cells_.goal;
        if (at_.list) {
            while (at_.at < query_.goal.list.size()) {
                if (!pay(budget)) return true;
                const std::size_t last = std::min(at_.at + kPlacesAUnit, query_.goal.list.size());
                for (; at_.at < last; ++at_.at) {
                    if (!find_listed(at_.at, budget)) return false;
                }
            }
            if (cells_.goal_points.empty()) {
                if (!at_.any_inside) return end(PathStatus::off_world);
                if (!query_.partial) return end(PathStatus::goal_blocked);
                note_blocked();
                go_to(Part::aims);
                return true;
            }
        } else if (!on_map(state_, goal.point, goal.layer) ||
                   (at_.region && !(goal.point.x < state_.width && goal.point.y < state_.height))) {
            return end(PathStatus::off_world);
        } else if (goal.kind == Goal::Kind::adjacent) {
            if (!any_beside()) note_blocked();
            if (work_.half_planes.out_of_memory()) return false;
        } else if (fits_at(goal.point, goal.layer)) {
            if (!add_place(goal.point)) return false;
        } else if (goal.kind == Goal::Kind::point) {
            note_blocked();
        }
        if (at_.blocked && !query_.partial) return end(PathStatus::goal_blocked);
        return places_found();
    }
    [[nodiscard]] bool places_found() {
        const bool no_floor = state_.portal_count == 0 && query_.start.layer != cells_.goal.layer;
        const bool apart = !at_.blocked && !at_.region && !at_.may_meet;
        if ((no_floor || apart) && !query_.partial) return end(PathStatus::unreachable);
        go_to(Part::starts);
        return true;
    }

    // The disc has no room at the goal: with `partial` the place nearest to it is searched for.
    void note_blocked() {
        at_.blocked = work_.query.goal_blocked = true;
        at_.aim = cells_.goal.point;
    }

    // Of any_of: what to come near to.
    [[nodiscard]] bool aim_at_points(std::uint64_t& budget) {
        while (at_.at < query_.goal.list.size()) {
            if (!pay(budget)) return true;
            const std::size_t last = std::min(at_.at + kAimsAUnit, query_.goal.list.size());
            for (; at_.at < last; ++at_.at) {
                const Vec2 p = in_cells(query_.goal.list[at_.at], state_);
                if (on_map(state_, p, cells_.goal.layer) && !add_place(p)) return false;
            }
        }
        return places_found();
    }

    // Does the disc fit in a cell next to the goal's, at a point or between them?
    [[nodiscard]] bool any_beside() {
        const auto x = static_cast<std::int32_t>(cells_.goal.point.x);
        const auto y = static_cast<std::int32_t>(cells_.goal.point.y);
        work_.half.enter(cells_.goal.layer);
        bool any = false;
        for (std::int32_t j = 2 * y - 2; j <= 2 * y + 4; ++j) {
            for (std::int32_t i = 2 * x - 2; i <= 2 * x + 4; ++i) {
                const HalfPoint p{i, j};
                any = any || (work_.half.region_holds(position_of(p), cells_.goal.layer) &&
                              work_.half_planes.fits(p));
                Vec2 place;
                any = any || (work_.half_region.place_in(p, place) &&
                              work_.half.region_holds(place, cells_.goal.layer));
            }
        }
        return any;
    }

    // ---- start and goals, joined to points --------------------------------------------------------------------

    // Looks on for the ends of a place. False: the budget is spent.
    [[nodiscard]] bool finish_ends(std::uint64_t& budget) {
        for (;;) {
            if (at_.pieces == 0) {
                if (!pay(budget)) return false;
                at_.pieces = work_.half.pieces_a_unit();
            }
            --at_.pieces;
            if (!work_.half_ways.step_ends()) return true;
        }
    }
    [[nodiscard]] std::int32_t free_pieces() const { return kUnitsFree * work_.half.pieces_a_unit(); }

    [[nodiscard]] bool add_starts(std::uint64_t& budget) {
        if (!at_.begun) {
            at_.begun = true;
            at_.pieces = free_pieces();
            work_.half.enter(query_.start.layer);
            work_.half_ways.begin_ends(cells_.start_point);
        }
        if (!finish_ends(budget)) return true;
        for (const HalfEnd& end : work_.half_ways.ends()) {
            const HalfStart start{at_.code.state(end.point, query_.start.layer), kNoMove,
                                  end.cost > 0.0 ? work_.half.cost_of(end.cost) : 0};
            if (!work_.half_starts.push_back(start)) return false;
        }
        at_.in_pocket = work_.half_starts.empty();
        go_to(at_.blocked ? Part::pocket : Part::goals);
        return true;
    }

    // Does the index of the registered size join a start to the point? Blockers and filters only take ways away.
    void note_meeting(std::uint32_t goal) {
        if (at_.meets || at_.body == nullptr) return;
        const auto name = [&](std::uint32_t state) {
            const HalfPoint p = at_.code.point(state);
            return component_of(state_, *at_.body, p.i, p.j, at_.code.layer(state));
        };
        for (const HalfStart& start : work_.half_starts)
            at_.meets = at_.meets || name(start.state) == name(goal);
    }

    [[nodiscard]] bool add_goals_of(std::size_t k) {
        const std::span<const HalfEnd> ends = work_.half_ways.ends();
        // They are joined to each other: the nearest stands for all, or those that are equally near. Blockers may part them.
        constexpr double kNear = 1.0 + 1e-12;
        const HalfEnd* nearest = nullptr;
        for (const HalfEnd& end : ends) {
            if (nearest == nullptr || end.cost < nearest->cost) nearest = &end;
        }
        for (const HalfEnd& end : ends) {
            if (cells_.blockers.empty() && end.cost > nearest->cost * kNear) continue;
            const HalfGoal goal{at_.code.state(end.point, cells_.goal.layer), static_cast<std::uint32_t>(k),
                                end.cost > 0.0 ? work_.half.cost_of(end.cost) : 0};
            if (!work_.half_goals.push_back(goal)) return false;
            note_meeting(goal.state);
        }
        return true;
    }

    [[nodiscard]] bool add_goals(std::uint64_t& budget) {
        work_.half.enter(cells_.goal.layer);
        for (; at_.at < cells_.goal_points.size(); ++at_.at) {
            if (!at_.begun) {
                at_.begun = true;
                at_.pieces = at_.list ? 0 : free_pieces();
                work_.half_ways.begin_ends(cells_.goal_points[at_.at]);
            }
            if (!finish_ends(budget)) return true;
            if (!add_goals_of(at_.at)) return false;
            at_.begun = false;
        }
        go_to(Part::sort);
        return true;
    }

    [[nodiscard]] bool sort_goals(std::uint64_t& budget) {
        Array<HalfGoal>& goals = work_.half_goals;
        const auto before = [&](std::size_t a, std::size_t b) {
            const HalfGoal& p = goals[a];
            const HalfGoal& q = goals[b];
            if (p.state != q.state) return p.state < q.state;
            return p.goal != q.goal ? p.goal < q.goal : p.cost < q.cost;
        };
        const std::size_t steps = heap_steps(goals.size());
        while (at_.at < steps) {
            if (at_.list && at_.at % kEndSortsAUnit == 0 && !pay(budget)) return true;
            heap_step(at_.at, goals.size(), before,
                      [&](std::size_t a, std::size_t b) { std::swap(goals[a], goals[b]); });
            ++at_.at;
        }
        go_to(Part::direct);
        return true;
    }

    // From the start straight to a goal in its room or pocket.
    [[nodiscard]] bool add_direct_ways(std::uint64_t& budget) {
        if (query_.start.layer != cells_.goal.layer) {
            go_to(Part::last);
            return true;
        }
        work_.half.enter(query_.start.layer);
        if (at_.region && work_.half.region_holds(cells_.start_point, query_.start.layer)) {
            at_.direct = true;
            go_to(Part::last);
            return work_.half_starts.push_back({at_.places_at, kGoalMove, 0});
        }
        for (; at_.at < cells_.goal_points.size(); ++at_.at) {
            if (at_.list && at_.at % kDirectAUnit == 0 && !at_.begun) {
                if (!pay(budget)) return true;
                at_.begun = true;  // paid for
            }
            const Vec2 goal = nearest_image(state_, cells_.start_point, cells_.goal_points[at_.at]);
            const bool may = at_.in_pocket || !(distance(cells_.start_point, goal) > kRoomReach);
            if (may && at_.list && !pay(budget)) return true;
            at_.begun = false;
            if (may && !add_direct_way(at_.at, goal)) return false;
        }
        go_to(Part::pocket);
        return true;
    }
    // The goal's place is near, or the start in a pocket: is there a way?
    [[nodiscard]] bool add_direct_way(std::size_t k, Vec2 goal) {
        if (work_.half_ways.way_between(cells_.start_point, goal).empty()) return true;
        at_.direct = true;
        return work_.half_starts.push_back({at_.places_at + static_cast<std::uint32_t>(k), kGoalMove,
                                            work_.half.cost_of(work_.half_ways.cost())});
    }

    // ---- pockets ----------------------------------------------------------------------------------------------

    // A start that is joined to no point: the place of its rooms that a region asks for, or the nearest to the goal.
    [[nodiscard]] bool look_in_pocket(std::uint64_t& budget) {
        const bool asked = at_.in_pocket && !at_.direct && query_.start.layer == cells_.goal.layer &&
                           (at_.region || query_.partial);
        if (!asked) {
            go_to(Part::last);
            return true;
        }
        if (!at_.begun) {
            at_.begun = true;
            at_.pieces = free_pieces();
            work_.half.enter(query_.start.layer);
            work_.half_ways.begin_ends(cells_.start_point);
        }
        if (!finish_ends(budget)) return true;
        const SightWorld world = cells_.sight(query_.start.layer);
        const Sight sight(world);
        HalfNearest nearest(work_.half_planes.walls(), cells_.radius, sight);
        const Vec2 target = at_.region ? cells_.goal.point : at_.aim;
        Vec2 best = cells_.start_point;
        double best_gap = 1e300;
        bool arrives = false;
        for (const HalfRoom room : work_.half_ways.passed()) {
            Vec2 place;
            if (at_.region && work_.half_region.place_in(room, place) &&
                work_.half.region_holds(place, cells_.goal.layer)) {
                arrives = true;
                best = place;
                break;
            }
            const Vec2 near = nearest_image(state_, position_of(room), target);
            if (!query_.partial || !nearest.find(room, near, 1e300, place)) continue;
            const double gap = distance(place, near);
            if (gap >= best_gap) continue;
            best_gap = gap;
            best = place;
        }
        go_to(Part::last);
        if (!arrives && !query_.partial) return true;
        const std::size_t k = work_.query.goal_points.size();
        if (!work_.query.goal_points.push_back(best)) return false;
        cells_.goal_points = work_.query.goal_points.span();
        at_.only_partly = !arrives;
        return add_direct_way(k, best);
    }

    // ---- the search --------------------------------------------------------------------------------------------

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
               !state_.wrap_y && state_.portal_count == 0 && !query_.partial && !at_.region &&
               work_.half_goals.size() <= kGoalsToJump;
    }

    [[nodiscard]] bool finish() {
        const bool known = at_.body != nullptr && !at_.region && !query_.partial;
        const bool apart = known && !at_.direct && !at_.meets;
        const bool nowhere = apart || work_.half_starts.empty() ||
                             (work_.half_goals.empty() && !at_.region && !at_.direct && !query_.partial);
        if (nowhere) work_.status = PathStatus::unreachable;
        if (at_.only_partly && at_.direct) work_.status = PathStatus::partial;
        at_.part = Part::done;
        work_.half = HalfSpace(cells_, work_.half_planes, work_.half_ways, work_.half_moves,
                               work_.half_starts.span(), work_.half_goals.span(), at_.places_at);
        if (at_.region) work_.half.set_region(&work_.half_region);
        work_.half_jumps = !nowhere && jumps() && at_.body != nullptr && !at_.direct &&
                           work_.half_goals.size() == 1 && query_.start.layer == cells_.goal.layer;
        if (work_.half_jumps) {
            work_.half_jump =
                HalfJumpSpace(state_, *at_.body, query_.start.layer, cells_.half_scale, work_.half,
                              work_.half_starts.span(), at_.code.point(work_.half_goals[0].state));
        } else if (!nowhere && !look_at_lines(cells_.sight(query_.start.layer))) {
            return false;
        }
        return true;
    }

    GridWork& work_;
    const GridQuery& query_;
    CellQuery& cells_;
    const StateData& state_;
    HalfPreparing& at_;
};

}  // namespace

bool begin_half(GridWork& work, const GridQuery& query) {
    work.half_start_layer = query.start.layer;
    return HalfPreparation(work, query).begin();
}

bool step_half(GridWork& work, const GridQuery& query, std::uint64_t& budget) {
    return HalfPreparation(work, query).step(budget);
}

}  // namespace fairlead::grid
