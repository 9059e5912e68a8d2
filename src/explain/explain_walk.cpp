// Why a walker has no route.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include "explain/tile_inquiry.h"
#include "grid/stand.h"

namespace fairlead {

namespace {

using namespace explaining;

// The slack of sight is a little above 1e-9 cells; radii this much above what fits do not.
constexpr double kSurelyWider = 1e-8;  // cells

class WalkExplainer {
  public:
    WalkExplainer(TileInquiry& inquiry, const GridQuery& query)
        : in_(inquiry), grid_(inquiry.world), query_(query), out_(inquiry.out), work_(inquiry.work) {
        query_.partial = false;
        query_.certify = false;
    }

    // False: an error, in the inquiry.
    [[nodiscard]] bool look() {
        return ask_first(in_, query_, [&](PathStatus status) {
            if (!settle_ends()) return false;
            query_.planner = GridPlanner::automatic;
            query_.smoothing = Smoothing::none;
            query_.expansions_max = UINT64_MAX;
            switch (status) {
                case PathStatus::window: return look_past_window();
                case PathStatus::unreachable: return look_at_ground();
                case PathStatus::off_world: return tell_off_world();
                case PathStatus::start_blocked: return look_at_end(true);
                case PathStatus::goal_blocked: return look_at_end(false);
                default: out_.reason = ExplainReason::budget_spent; return true;
            }
        });
    }

  private:
    // The ends where the unit was looked for.
    [[nodiscard]] bool settle_ends() {
        if (query_.reach == 0.0) return true;
        const Result<void> done = grid::prepare_query(grid_, query_, work_.query);
        query_.reach = 0.0;
        if (!done) in_.spending.error = done.error();
        return done.has_value();
    }

    [[nodiscard]] bool look_past_window() {
        out_.reason = ExplainReason::window;
        if (in_.spending.empty()) return true;
        Route route;
        const Outcome outcome = ask_more(in_, query_, route);
        if (outcome == Outcome::error) return false;
        if (outcome == Outcome::failed) return look_at_ground();
        if (outcome == Outcome::spent) out_.reason = ExplainReason::budget_spent;
        return true;
    }

    [[nodiscard]] bool tell_off_world() {
        out_.reason = ExplainReason::off_world;
        const Vec2 p = in_cells(grid_, query_.start.ground());
        const bool start = !(p.x >= 0 && p.y >= 0 && p.x <= grid_.width() && p.y <= grid_.height()) ||
                           query_.start.layer < 0 || query_.start.layer >= grid_.layers();
        const Spot& spot = start ? query_.start : query_.goal.at;
        put_place(spot.ground(), spot.layer);
        return true;
    }

    void put_place(Vec2 world, std::int32_t layer) { in_.put_place({world.x, world.y, 0.0}, 0.0, layer); }

    // ---- a blocked end -------------------------------------------------------------------------------------------

    [[nodiscard]] bool prepare(const Agent& agent) {
        GridQuery query = query_;
        query.agent = agent;
        const Result<void> done = grid::prepare_query(grid_, query, work_.query);
        if (!done) in_.spending.error = done.error();
        return done.has_value();
    }

    [[nodiscard]] double reach() const {
        return query_.agent.footprint > 0 ? 0.5 * query_.agent.footprint
                                          : query_.agent.radius / grid_.cell_size();
    }

    // The nearest closed tile that the body reaches into.
    void find_touched(const grid::Sight& sight, Vec2 p, std::int32_t layer) {
        const double r = std::min(reach(), 64.0);
        const bool square = query_.agent.footprint > 0;
        out_.cell = nearest_touched(
            p, r, grid_.width(), grid_.height(), layer, [&](std::int32_t x, std::int32_t y, Vec2 gap) {
                const double far = dot(gap, gap);
                return !sight.open(x, y) && (square ? gap.x < r && gap.y < r : far < r * r || far == 0.0);
            });
    }

    // Of several goals the first one is looked at, of a region its middle.
    [[nodiscard]] bool look_at_end(bool start) {
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        const Goal& goal = query_.goal;
        const Spot spot = start ? query_.start : goal.is_list() ? goal.list[0] : goal.at;
        const Vec2 world = grid::position_of_spot(spot, grid_.data());
        const std::int32_t layer = start ? query_.start.layer : goal.at.layer;
        put_place(world, layer);
        if (!prepare(query_.agent)) return false;
        const Vec2 p = in_cells(grid_, world);
        const grid::CellQuery& cells = work_.query.cells;
        const grid::Sight sight(cells.sight(layer));
        find_touched(sight, p, layer);
        const double room = sight.clearance(p, p, std::clamp(reach(), 1e-6, grid::kRadiusCellsMax));
        out_.width = 2.0 * room * grid_.cell_size();
        return move_end(start, p, layer, cells) && fit_in(room);
    }

    [[nodiscard]] bool move_end(bool start, Vec2 p, std::int32_t layer, const grid::CellQuery& cells) {
        const auto stands = [&](Vec2 q) {
            const auto x = static_cast<std::int32_t>(std::floor(q.x));
            const auto y = static_cast<std::int32_t>(std::floor(q.y));
            return cells.state->inside(x, y) && cells.stands(x, y, layer) &&
                   !cells.meets_blocker(q, q, layer);
        };
        const HelpKind kind = start ? HelpKind::move_start : HelpKind::move_goal;
        Vec2 place{};
        in_.help(kind).proof = Proof::not_looked;
        if (cells.radius > grid::kRadiusCellsMax) return true;
        if (!nearest_place(p, 1, cells.stand_offset, std::max(grid_.width(), grid_.height()),
                           in_.spending.expansions, place, stands)) {
            if (in_.spending.expansions > 0) in_.help(kind).proof = Proof::none;
            return true;
        }
        in_.help(kind).has_place = true;
        const Vec2 world = in_world(grid_, place);
        in_.help(kind).place = {{world.x, world.y, 0.0}, 0.0, layer};
        in_.help(kind).value = distance(place, p) * grid_.cell_size();
        GridQuery query = query_;
        (start ? query.start : query.goal.at) = Spot(world).on_layer(layer);
        if (!start) query.goal = query.goal.at;
        return try_help(in_, kind, query, asker(in_));
    }

    // The largest body that stands at the blocked end: does it have a route?
    [[nodiscard]] bool fit_in(double room) {
        if (query_.agent.footprint > 0) return shrink_footprint();
        if (room <= 0.0 || query_.agent.radius == 0.0) {
            in_.help(HelpKind::smaller_body).proof =
                query_.agent.radius == 0.0 ? Proof::not_asked : Proof::none;
            return true;
        }
        return shrink_disc(room);
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    [[nodiscard]] bool look_at_ground() {
        out_.reason = ExplainReason::budget_spent;
        if (!prepare({})) return false;
        Ground& ground = work_.ground;
        if (!ground.begin(work_.query, 1)) return in_.no_memory();
        // Where a larger body stands a point does; only a goal region may have no place for it.
        const PathStatus status = work_.query.status;
        if (status != PathStatus::complete && status != PathStatus::unreachable) return true;
        Answer answer = Answer::unknown;
        if (!flood_ground(in_, answer)) {
            if (answer == Answer::no_memory) return in_.no_memory();
            return answer == Answer::unknown || open_ways();
        }
        out_.reason = ExplainReason::too_wide;
        return fit_through() && open_ways();
    }

    // The largest body that fits through the tightest place of the widest way.
    [[nodiscard]] bool fit_through() {
        const Agent& agent = query_.agent;
        if (agent.footprint == 0 && !(agent.radius > 0.0)) return true;
        Ground& ground = work_.ground;
        const Answer answer = ground.widest(reach(), in_.spending.expansions);
        if (answer == Answer::no_memory) return in_.no_memory();
        if (answer == Answer::unknown) in_.help(HelpKind::smaller_body).proof = Proof::not_looked;
        if (answer != Answer::yes) return true;
        tell_tightest(ground);
        return agent.footprint > 0 ? shrink_footprint() : shrink_disc(ground.room());
    }

    // A square may be too wide where a disc of its width is not: then no place is told.
    void tell_tightest(const Ground& ground) {
        if (ground.room() >= reach()) return;
        out_.width = 2.0 * ground.room() * grid_.cell_size();
        put_place(in_world(grid_, ground.tightest()), ground.tightest_layer());
    }

    // The widest way over tiles' middles has room for discs of `room`. Between tiles' middles wider ones may pass: what squeezes
    // a disc most is two tiles, n half tiles squared apart, or an end (which has the room asked for, or is what `room` is
    // of). So the largest radius is `room` or the square root of such an n, and that is looked for by halving.
    [[nodiscard]] bool shrink_disc(double room) {
        Help& out = in_.help(HelpKind::smaller_body);
        const double cell = grid_.cell_size();
        const double least = kSurelyWider * cell;
        const double wanted = query_.agent.radius;
        const auto change = [](Agent& agent, double radius) { agent.radius = radius; };
        const auto fits = with_unit(query_, asker(in_), change);
        double guess = room * cell;
        double fails = wanted;
        const double half_cells = 2.0 * room;
        auto low = static_cast<std::int64_t>(std::floor(half_cells * half_cells * (1.0 + 1e-12)));
        const double most = std::min(wanted / cell, grid::kRadiusCellsMax);  // nothing larger fits anywhere
        auto high = static_cast<std::int64_t>(std::ceil(4.0 * most * most));
        Route route;
        while (high - low > 1 && !in_.spending.empty()) {
            const std::int64_t n = low + (high - low) / 2;
            const double radius = 0.5 * std::sqrt(static_cast<double>(n)) * cell;
            const Outcome outcome = fits(radius, route, out);
            if (outcome == Outcome::error) return false;
            if (outcome == Outcome::spent) break;
            if (outcome == Outcome::found) guess = radius;
            if (outcome == Outcome::failed) fails = radius;
            (outcome == Outcome::found ? low : high) = n;
        }
        out.value = 0.0;
        if (!bisect(0.0, std::max(fails, std::min(wanted, guess + least)), guess, 2.0 * least, 0.0,
                    in_.spending, out, fits))
            return false;
        if (out.proof == Proof::found && out.value > (room + kSurelyWider) * cell) tell_tightest(out.route);
        return true;
    }

    // Where a route comes nearest to what is in the way.
    void tell_tightest(const Route& route) {
        double least = 1e300;
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            if (leg.kind != LegKind::drive) continue;
            const grid::Sight sight(work_.query.cells.sight(leg.start.layer));
            Vec2 a = in_cells(grid_, ground(leg.start.position));
            Vec2 b = in_cells(grid_, ground(leg_end(route, i).position));
            const double room = sight.clearance(a, b, reach());
            if (room >= least) continue;
            least = room;
            while (distance(a, b) > 1e-6) {  // the half that has it
                const Vec2 middle = (a + b) * 0.5;
                (sight.clearance(a, middle, reach()) <= room + 1e-12 ? b : a) = middle;
            }
            put_place(in_world(grid_, a), leg.start.layer);
        }
        if (least < reach()) out_.width = 2.0 * least * grid_.cell_size();
    }

    [[nodiscard]] bool shrink_footprint() {
        Help& out = in_.help(HelpKind::smaller_body);
        out.proof = query_.agent.footprint > 1 ? Proof::not_looked : Proof::none;
        out.failed = query_.agent.footprint;
        for (std::int32_t side = query_.agent.footprint - 1; side >= 1 && !in_.spending.empty(); --side) {
            GridQuery query = query_;
            query.agent.footprint = side;
            const Outcome outcome = ask_more(in_, query, out.route);
            if (outcome == Outcome::error) return false;
            out.proof = proof_of(outcome);
            if (outcome == Outcome::failed) {
                out.failed = side;
                if (side > 1) out.proof = Proof::not_looked;
                continue;
            }
            out.value = side;
            out.agent = query.agent;
            break;
        }
        return true;
    }

    // Terrain that the filter closes, and blockers.
    [[nodiscard]] bool open_ways() {
        const auto fits = [&](Route& route) {
            GridQuery query = query_;
            query.terrain = work_.terrain;
            return ask_more(in_, query, route);
        };
        const auto without = [&](std::span<const Blocker> blockers, Route& route) {
            GridQuery query = query_;
            query.blockers = blockers;
            return ask_more(in_, query, route);
        };
        return open_terrain(in_, query_.terrain, query_.agent, fits) &&
               drop_blockers(in_, query_.blockers, query_.agent, without);
    }

    TileInquiry& in_;
    const GridState& grid_;
    GridQuery query_;
    Explanation& out_;
    TileWork& work_;
};

}  // namespace

Result<Explanation> explain(const GridState& grid, const GridQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    return explain_by<TileInquiry>(grid, query.agent, scratch, options, [&](TileInquiry& inquiry) {
        return WalkExplainer(inquiry, query).look();
    });
}

}  // namespace fairlead
