// HalfSpace: the search for a disc of any radius, over the half-cell lattice (half_lattice.h).
//
// Steps: straight ones between points that fit; diagonal ones where all four corners of the room fit; where only the two
// opposite ones do, a motion between them (half_motion.h); and ways through gaps from point to point. With start and goal
// joined to the points around them (half_ways.h) that is all there is: where this search finds nothing no motion exists,
// blockers aside, which are tested on these steps alone.
//
// On uniform cost and without blockers of the first two kinds those steps are left out that another order of steps makes as cheap
// (MoveTables::canonical); after a step of the other kinds all are made.
//
// For few goals and on plain maps (set_jumps) a straight step goes on as far as nothing else could be done: to where a wall ends
// beside it, to a point before a wall with a squeezed diagonal, to a stop (half_stops.h), or to a goal's point. 64 points are
// looked at at once, along columns too (jump points: Harabor & Grastien 2014).
//
// A goal region's places between the points are found beside the points that are expanded near it (half_region.h).
//
// A flood through many gaps, or of a large disc, does not fit into a unit of work: the search waits for it (search/engine.h).
//
// A step costs its length times the cost of the cell that it runs in, or along whose side it runs: the cheaper one. Squeezed
// steps cost no less than the octile length between their ends, so that the heuristic holds. Costs are in half cells.
#pragma once

#include <algorithm>

#include "grid/general_space.h"
#include "grid/half_region.h"
#include "grid/half_stops.h"
#include "grid/half_ways.h"

namespace fairlead::grid {

/// Points as states: state = (layer (2 height + 1) + j) << i_bits | i. Beyond the last point's state follow the goals' own.
struct HalfCode {
    std::int32_t i_bits = 0;
    std::int32_t lines = 0;  ///< of a layer
    std::int32_t lap_i = 0;  ///< 0: the axis does not wrap
    std::int32_t lap_j = 0;

    [[nodiscard]] static HalfCode of(const StateData& data) {
        return {static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(2 * data.width))),
                2 * data.height + 1, data.wrap_x ? 2 * data.width : 0, data.wrap_y ? 2 * data.height : 0};
    }
    [[nodiscard]] std::uint64_t count(std::int32_t layers) const {
        return static_cast<std::uint64_t>(lines) * static_cast<std::uint64_t>(layers) << i_bits;
    }
    [[nodiscard]] std::uint32_t state(HalfPoint p, std::int32_t layer) const {
        if (lap_i != 0) p.i = wrapped(p.i, lap_i);
        if (lap_j != 0) p.j = wrapped(p.j, lap_j);
        return (static_cast<std::uint32_t>(layer * lines + p.j) << i_bits) | static_cast<std::uint32_t>(p.i);
    }
    [[nodiscard]] HalfPoint point(std::uint32_t state) const {
        const auto row = static_cast<std::int32_t>(state >> i_bits);
        return {static_cast<std::int32_t>(state & ((1U << i_bits) - 1U)), row % lines};
    }
    [[nodiscard]] std::int32_t layer(std::uint32_t state) const {
        return static_cast<std::int32_t>(state >> i_bits) / lines;
    }
};

/// Tags of steps beside the eight moves and kNoMove.
inline constexpr std::uint32_t kPortalMove = 9;
inline constexpr std::uint32_t kGapMove = 10;
inline constexpr std::uint32_t kRunMove = 12;  ///< diagonal, then straight, as far as they go
/// And the move: to the opposite corner of a room, between two that do not fit.
inline constexpr std::uint32_t kSqueezeMove = 16;
inline constexpr std::uint32_t kGoalMove =
    11;  ///< from a point to the goal's place, or straight from the start to it

/// A point that a goal's place is joined to.
struct HalfGoal {
    std::uint32_t state = 0;
    std::uint32_t goal = 0;  ///< of the query's goal points
    Cost cost = 0;
};

/// Where the search begins: a point, or a goal's place itself.
struct HalfStart {
    std::uint32_t state = 0;
    std::uint32_t tag = kNoMove;
    Cost cost = 0;
};

class HalfSpace {
  public:
    HalfSpace() = default;
    /// starts and goals (sorted by state) must outlive the search, as the query and the ways do. Goal places have the states
    /// from `places_at` on.
    /// `moves`: for the rule never and the query's neighbours.
    HalfSpace(const CellQuery& query, HalfPlanes& planes, HalfWays& ways, const MoveTables& moves,
              std::span<const HalfStart> starts, std::span<const HalfGoal> goals, std::uint32_t places_at)
        : query_(&query),
          planes_(&planes),
          ways_(&ways),
          moves_(&moves),
          prunes_(query.uniform && query.blockers.empty()),
          code_(HalfCode::of(*query.state)),
          starts_(starts),
          goals_(goals),
          places_at_(places_at) {}

    template <class Sink>
    void start(Sink& sink) {
        for (const HalfStart& s : starts_) sink.add(s.state, s.cost, s.tag);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const;
    [[nodiscard]] bool is_goal(std::uint32_t state) const {
        return state >= places_at_ || (region() && region_holds(state));
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t tag, Sink& sink) {
        const HalfPoint p = code_.point(state);
        const std::int32_t layer = code_.layer(state);
        enter(layer);
        if (nearest_ != nullptr)
            nearest_->note(state, layer == query_->goal.layer, query_->goal_gap(position_of(p)));
        told_gaps_ = false;
        step_around(p, layer, tag, [&](HalfPoint to, Cost cost, std::uint32_t by) {
            sink.add(code_.state(to, layer), cost, by);
        });
        if (waits_) return;  // once more when the ways through its gaps are known
        if (region_ != nullptr && layer == query_->goal.layer && region_->comes_near(position_of(p)))
            add_places(p, layer, sink);
        const auto first = std::lower_bound(goals_.begin(), goals_.end(), state,
                                            [](const HalfGoal& g, std::uint32_t s) { return g.state < s; });
        for (auto g = first; g != goals_.end() && g->state == state; ++g)
            sink.add(places_at_ + g->goal, g->cost, kGoalMove);
        if (query_->state->portal_count != 0 && (p.i & p.j & 1) != 0) expand_portals(p, layer, sink);
    }

    /// Where to note what is expanded, for partial routes; null: nowhere.
    void track(NearestPlace* nearest) { nearest_ = nearest; }

    /// Where ways through gaps are looked for: at stops alone. For R > 9.
    void set_stops(HalfStops* stops) { stops_ = stops; }

    /// For goal regions: where their places between the points are found. Its goals' states follow those of the query.
    void set_region(HalfRegion* region) { region_ = region; }

    /// The ways through gaps from the point expanded last are not all known yet; go_on() works for a unit at them (engine.h).
    [[nodiscard]] bool waits() const { return waits_; }
    [[nodiscard]] bool go_on();
    /// How many pieces of HalfWays::step_ends are a unit of work.
    [[nodiscard]] std::int32_t pieces_a_unit() const;

    /// Straight steps become jumps. `columns`: the planes turned, and with stops those of the columns. For uniform cost, eight
    /// neighbours, no blockers, portals and wrapped axes, and few goals.
    void set_jumps(HalfPlanes* columns, HalfStops* column_stops) {
        columns_ = columns;
        column_stops_ = column_stops;
    }

    /// Of what it looks things up in.
    [[nodiscard]] bool out_of_memory() const {
        const auto is_out = [](const auto* part) { return part != nullptr && part->out_of_memory(); };
        return is_out(planes_) || is_out(ways_) || is_out(columns_) || is_out(stops_) ||
               is_out(column_stops_) || is_out(region_);
    }
    [[nodiscard]] const HalfCode& code() const { return code_; }
    [[nodiscard]] std::uint32_t places_at() const { return places_at_; }
    /// Makes the planes and ways those of a layer.
    void enter(std::int32_t layer) {
        if (layer == planes_->layer()) return;
        planes_->set_layer(layer);
        ways_->enter(query_->sight(layer));
    }
    /// A length or cost in cells as the search counts, rounded up a little.
    [[nodiscard]] Cost cost_of(double cells) const {
        return static_cast<Cost>(cells * 2.0 * static_cast<double>(query_->half_scale.straight)) + 1;
    }
    [[nodiscard]] bool region() const {
        return query_->goal.kind != Goal::Kind::point && query_->goal.kind != Goal::Kind::any_of;
    }
    [[nodiscard]] bool region_holds(std::uint32_t state) const {
        return region_holds(position_of(code_.point(state)), code_.layer(state));
    }
    [[nodiscard]] bool region_holds(Vec2 place, std::int32_t layer) const;

    /// What the motion to the opposite corner of a room costs, between two that do not fit; kCostMax if a blocker is in its way.
    [[nodiscard]] Cost across(HalfPoint from, HalfPoint to);
    /// Calls add(point, cost) for the points that gaps lead to; for none if the search has to wait for them.
    template <class Add>
    void through_gaps(HalfPoint p, const Add& add) {
        if (!know_gaps(p)) return;
        for (const HalfEnd& end : ways_->ends())
            add(end.point, std::max(cost_of(end.cost), estimate(p, end.point)));
    }

  private:
    template <class Add>
    void step_around(HalfPoint p, std::int32_t layer, std::uint32_t tag, const Add& add);
    [[nodiscard]] bool know_gaps(HalfPoint p);
    [[nodiscard]] Cost step_cost(HalfPoint p, std::int32_t dx, std::int32_t dy, std::int32_t layer) const;
    [[nodiscard]] Cost estimate(HalfPoint p, HalfPoint to) const;
    [[nodiscard]] std::uint32_t tile_cost(std::int32_t x, std::int32_t y, std::int32_t layer) const;
    [[nodiscard]] bool jump(HalfPoint p, std::uint32_t move, HalfPoint& to) const;
    [[nodiscard]] std::int32_t run_end(bool row, std::int32_t at, std::int32_t line, bool up,
                                       bool& stops) const;

    template <class Sink>
    void expand_portals(HalfPoint p, std::int32_t layer, Sink& sink) {
        const std::uint32_t cell = query_->code.state(p.i >> 1, p.j >> 1, layer);
        for (const PortalStep& step : portals_from(query_->state->portal_tables->steps, cell)) {
            const Cell to = query_->code.cell(step.to);
            const Vec2 stand = query_->stand_point(to);
            enter(to.layer);
            const HalfPoint there{2 * to.x + 1, 2 * to.y + 1};
            const bool fits = planes_->fits(there) && !query_->meets_blocker(stand, stand, to.layer);
            enter(layer);
            if (!fits) continue;
            const double price = query_->state->portals[step.portal].cost;
            sink.add(code_.state(there, to.layer), cost_of(price), kPortalMove);
        }
    }

    // The places of the region beside a point, each joined to it as a goal is.
    template <class Sink>
    void add_places(HalfPoint p, std::int32_t layer, Sink& sink) {
        const std::uint32_t here = code_.state(p, layer);
        for (const HalfRoom room :
             region_->rooms(p, told_gaps_ ? ways_->passed() : std::span<const HalfRoom>{})) {
            Vec2 place;
            if (!region_->place_in(room, place) || !region_holds(place, layer)) continue;
            for (const HalfEnd& end : ways_->ends_of(place)) {
                if (code_.state(end.point, layer) != here) continue;
                const std::uint32_t number = region_->add(place);
                if (number != UINT32_MAX)
                    sink.add(places_at_ + number, end.cost > 0.0 ? cost_of(end.cost) : 0, kGoalMove);
                break;
            }
        }
    }

    const CellQuery* query_ = nullptr;
    HalfPlanes* planes_ = nullptr;
    HalfWays* ways_ = nullptr;
    HalfStops* stops_ = nullptr;     ///< null: not known
    HalfPlanes* columns_ = nullptr;  ///< null: straight steps are single ones
    HalfStops* column_stops_ = nullptr;
    const MoveTables* moves_ = nullptr;
    bool prunes_ = false;  ///< steps that another order makes as cheap are left out
    HalfCode code_{};
    std::span<const HalfStart> starts_{};
    std::span<const HalfGoal> goals_{};
    std::uint32_t places_at_ = UINT32_MAX;
    NearestPlace* nearest_ = nullptr;
    HalfRegion* region_ = nullptr;
    bool waits_ = false;
    bool knows_ = false;      ///< the ways through gaps that were waited for are known
    bool told_gaps_ = false;  ///< the ways know which rooms the gaps of the point expanded last pass through
};

template <class Add>
void HalfSpace::step_around(HalfPoint p, std::int32_t layer, std::uint32_t tag, const Add& add) {
    const std::uint32_t around = planes_->around(p);
    const auto fits = [&](std::uint32_t m) {
        return ((around >> (3 * (kMoveDy[m] + 1) + kMoveDx[m] + 1)) & 1U) != 0;
    };
    std::uint32_t needed = prunes_ ? moves_->canonical[tag < kNoMove ? tag : kNoMove][around]
                                   : std::uint32_t{moves_->allowed[around]};
    for (; needed != 0; needed &= needed - 1) {
        const auto m = static_cast<std::uint32_t>(std::countr_zero(needed));
        HalfPoint to{p.i + kMoveDx[m], p.j + kMoveDy[m]};
        if (columns_ != nullptr && !is_diagonal(m)) {
            if (!jump(p, m, to)) continue;
            const std::int32_t steps = (to.i - p.i) * kMoveDx[m] + (to.j - p.j) * kMoveDy[m];
            add(to, query_->half_scale.straight * static_cast<Cost>(steps), m);
            continue;
        }
        if (!query_->blockers.empty() && query_->meets_blocker(position_of(p), position_of(to), layer))
            continue;
        add(to, step_cost(p, kMoveDx[m], kMoveDy[m], layer), m);
    }
    constexpr std::uint32_t kAll = 0b111111111;
    if (around == kAll) return;
    // With one of the two other corners two straight steps do it.
    bool gaps = false;
    for (std::uint32_t m = 1; m < 8; m += 2) {
        const bool before = fits(m - 1);
        const bool after = fits((m + 1) & 7U);
        if (fits(m)) {
            if (before || after) continue;
            const HalfPoint to{p.i + kMoveDx[m], p.j + kMoveDy[m]};
            const Cost cost = across(p, to);
            if (cost != kCostMax) add(to, cost, kSqueezeMove + m);
        } else if (!before || !after) {
            gaps = true;  // perhaps
        }
    }
    // Beside a region blind gaps count too.
    const auto blind = [&] { return region_ != nullptr && region_->comes_near(position_of(p)); };
    if (!gaps || (stops_ != nullptr && !stops_->at(p) && !blind())) return;
    through_gaps(p, [&](HalfPoint to, Cost cost) { add(to, cost, kGapMove); });
}

}  // namespace fairlead::grid
