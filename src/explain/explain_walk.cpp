// Why a walker has no route.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include "explain/spending.h"
#include "grid/stand.h"

namespace fairlead {

namespace {

using namespace explaining;

// The slack of sight is a little above 1e-9 cells; radii this much above what fits do not.
constexpr double kSurelyWider = 1e-8;  // cells

class WalkExplainer {
  public:
    WalkExplainer(const GridState& grid, const GridQuery& query, ExplainWork& work,
                  const ExplainOptions& options, Explanation& out)
        : grid_(grid), query_(query), work_(work), out_(out) {
        spending_.expansions = options.expansions;
        spending_.trials = options.trials_max;
        query_.partial = false;
        query_.certify = false;
    }

    [[nodiscard]] Result<void> run() {
        const std::uint64_t before = spending_.expansions;
        const std::int32_t trials = spending_.trials;
        const bool good = look();
        out_.expanded = before - spending_.expansions;
        out_.trials = trials - spending_.trials;
        if (!good) return spending_.error;
        return {};
    }

  private:
    [[nodiscard]] bool no_memory() {
        spending_.error = {ErrorCode::out_of_memory, -1, 0};
        return false;
    }
    [[nodiscard]] Help& help(HelpKind kind) { return out_.helps[static_cast<std::size_t>(kind)]; }

    [[nodiscard]] Outcome ask(GridQuery query, Route& route) {
        query.expansions_max = std::min(query.expansions_max, spending_.expansions);
        return spending_.judge(find_route_into(grid_, query, work_.inner, route), route);
    }
    [[nodiscard]] Outcome ask_more(const GridQuery& query, Route& route) {
        --spending_.trials;
        return ask(query, route);
    }
    // A further query, as a help of this kind.
    [[nodiscard]] bool try_help(HelpKind kind, const GridQuery& query) {
        Help& out = help(kind);
        out.proof = Proof::not_looked;
        if (spending_.empty()) return true;
        const Outcome outcome = ask_more(query, out.route);
        out.proof = proof_of(outcome);
        out.agent = query.agent;
        return outcome != Outcome::error;
    }

    [[nodiscard]] bool look() {
        Route route;
        const Outcome first = ask(query_, route);
        out_.status = route.status;
        if (first == Outcome::error) return false;
        if (first == Outcome::found) return true;
        query_.planner = GridPlanner::automatic;
        query_.smoothing = Smoothing::none;
        query_.expansions_max = UINT64_MAX;
        switch (route.status) {
            case PathStatus::window: return look_past_window();
            case PathStatus::unreachable: return look_at_ground();
            case PathStatus::off_world: return tell_off_world();
            case PathStatus::start_blocked: return look_at_end(true);
            case PathStatus::goal_blocked: return look_at_end(false);
            default: out_.reason = ExplainReason::budget_spent; return true;
        }
    }

    [[nodiscard]] bool look_past_window() {
        out_.reason = ExplainReason::window;
        if (spending_.empty()) return true;
        Route route;
        const Outcome outcome = ask_more(query_, route);
        if (outcome == Outcome::error) return false;
        if (outcome == Outcome::failed) return look_at_ground();
        if (outcome == Outcome::spent) out_.reason = ExplainReason::budget_spent;
        return true;
    }

    [[nodiscard]] bool tell_off_world() {
        out_.reason = ExplainReason::off_world;
        const Vec2 p = in_cells(query_.start);
        const bool start = !(p.x >= 0 && p.y >= 0 && p.x <= grid_.width() && p.y <= grid_.height()) ||
                           query_.start_layer < 0 || query_.start_layer >= grid_.layers();
        put_place(start ? query_.start : query_.goal.point, start ? query_.start_layer : query_.goal.layer);
        return true;
    }

    [[nodiscard]] Vec2 in_cells(Vec2 p) const { return (p - grid_.origin()) * (1.0 / grid_.cell_size()); }
    [[nodiscard]] Vec2 in_world(Vec2 p) const { return p * grid_.cell_size() + grid_.origin(); }
    void put_place(Vec2 world, std::int32_t layer) {
        out_.has_place = true;
        out_.place = {{world.x, world.y, 0.0}, 0.0, layer};
    }

    // ---- a blocked end -------------------------------------------------------------------------------------------

    [[nodiscard]] bool prepare(const Agent& agent) {
        GridQuery query = query_;
        query.agent = agent;
        const Result<void> done = grid::prepare_query(grid_, query, work_.query);
        if (!done) spending_.error = done.error();
        return done.has_value();
    }

    [[nodiscard]] double reach() const {
        return query_.agent.footprint > 0 ? 0.5 * query_.agent.footprint
                                          : query_.agent.radius / grid_.cell_size();
    }

    // The nearest closed tile that the body reaches into.
    void find_touched(const grid::Sight& sight, Vec2 p, std::int32_t layer) {
        const double r = std::min(reach(), 64.0);
        double best = 1e300;
        const auto low = [&](double v) { return static_cast<std::int32_t>(std::floor(v - r)); };
        const auto high = [&](double v) { return static_cast<std::int32_t>(std::ceil(v + r)); };
        for (std::int32_t y = std::max(0, low(p.y)); y < std::min(grid_.height(), high(p.y)); ++y) {
            for (std::int32_t x = std::max(0, low(p.x)); x < std::min(grid_.width(), high(p.x)); ++x) {
                if (sight.open(x, y)) continue;
                const double dx = std::max({x - p.x, p.x - x - 1, 0.0});
                const double dy = std::max({y - p.y, p.y - y - 1, 0.0});
                const double gap = dx * dx + dy * dy;
                const bool meets = query_.agent.footprint > 0 ? dx < r && dy < r : gap < r * r || gap == 0.0;
                if (!meets || gap >= best) continue;
                best = gap;
                out_.cell = {x, y, layer};
            }
        }
    }

    // Of several goals the first one is looked at, of a region its middle.
    [[nodiscard]] bool look_at_end(bool start) {
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        const Goal& goal = query_.goal;
        const bool many = goal.kind == Goal::Kind::any_of;
        const Vec2 world = start ? query_.start : (many ? goal.points[0] : goal.point);
        const std::int32_t layer = start ? query_.start_layer : goal.layer;
        put_place(world, layer);
        if (!prepare(query_.agent)) return false;
        const Vec2 p = in_cells(world);
        const grid::CellQuery& cells = work_.query.cells;
        const grid::Sight sight(cells.sight(layer));
        find_touched(sight, p, layer);
        const double room = sight.clearance(p, p, std::max(reach(), 1e-6));
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
        help(kind).proof = Proof::not_looked;
        if (cells.radius > grid::kRadiusCellsMax) return true;
        if (!nearest_place(p, 1, cells.stand_offset, std::max(grid_.width(), grid_.height()),
                           spending_.expansions, place, stands)) {
            if (spending_.expansions > 0) help(kind).proof = Proof::none;
            return true;
        }
        help(kind).has_place = true;
        const Vec2 world = in_world(place);
        help(kind).place = {{world.x, world.y, 0.0}, 0.0, layer};
        GridQuery query = query_;
        if (start) query.start = world;
        if (!start) {
            query.goal = Goal(world);
            query.goal.layer = layer;
        }
        return try_help(kind, query);
    }

    // The largest body that stands at the blocked end: does it have a route?
    [[nodiscard]] bool fit_in(double room) {
        if (query_.agent.footprint > 0) return shrink_footprint();
        if (room <= 0.0 || query_.agent.radius == 0.0) {
            help(HelpKind::smaller_body).proof = query_.agent.radius == 0.0 ? Proof::not_asked : Proof::none;
            return true;
        }
        return shrink_disc(room);
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    [[nodiscard]] bool look_at_ground() {
        out_.reason = ExplainReason::budget_spent;
        if (!prepare({})) return false;
        Ground& ground = work_.ground;
        if (!ground.begin(work_.query, 1)) return no_memory();
        // Where a larger body stands a point does; only a goal region may have no place for it.
        const bool ends =
            work_.query.status == PathStatus::complete || work_.query.status == PathStatus::unreachable;
        switch (ends ? ground.flood(spending_.expansions) : Answer::unknown) {
            case Answer::no_memory: return no_memory();
            case Answer::unknown: return true;
            case Answer::no:
                out_.reason = ExplainReason::sealed;
                out_.goal_side = ground.goal_side();
                out_.area = ground.area();
                return open_ways();
            case Answer::yes: out_.reason = ExplainReason::too_wide; break;
        }
        const Agent& agent = query_.agent;
        if (agent.footprint > 0 || agent.radius > 0.0) {
            const Answer answer = ground.widest(reach(), spending_.expansions);
            if (answer == Answer::no_memory) return no_memory();
            if (answer == Answer::yes) tell_tightest(ground);
            if (answer == Answer::unknown) help(HelpKind::smaller_body).proof = Proof::not_looked;
            if (answer == Answer::yes &&
                !(agent.footprint > 0 ? shrink_footprint() : shrink_disc(ground.room()))) {
                return false;
            }
        }
        return open_ways();
    }

    // A square may be too wide where a disc of its width is not: then no place is told.
    void tell_tightest(const Ground& ground) {
        if (ground.room() >= reach()) return;
        out_.width = 2.0 * ground.room() * grid_.cell_size();
        put_place(in_world(ground.tightest()), ground.tightest_layer());
    }

    // The widest way is as wide as no other, so that no larger disc has one. find_route leaves and reaches exact points by one
    // tile alone, which may be another: then the radius is found by halving.
    [[nodiscard]] bool shrink_disc(double room) {
        Help& out = help(HelpKind::smaller_body);
        const double cell = grid_.cell_size();
        const auto fits = [&](double radius, Route& route, Help& to) {
            GridQuery query = query_;
            query.agent.radius = radius;
            const Outcome outcome = ask_more(query, route);
            if (outcome == Outcome::found) to.agent = query.agent;
            return outcome;
        };
        const double least = kSurelyWider * cell;
        const double most = std::min(query_.agent.radius, room * cell + least);
        out.value = 0.0;
        return bisect(0.0, most, room * cell, 2.0 * least, 0.0, spending_, out, fits);
    }

    [[nodiscard]] bool shrink_footprint() {
        Help& out = help(HelpKind::smaller_body);
        out.proof = query_.agent.footprint > 1 ? Proof::not_looked : Proof::none;
        out.failed = query_.agent.footprint;
        for (std::int32_t side = query_.agent.footprint - 1; side >= 1 && !spending_.empty(); --side) {
            GridQuery query = query_;
            query.agent.footprint = side;
            const Outcome outcome = ask_more(query, out.route);
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
            query.terrain.costs = work_.terrain.span();
            return ask_more(query, route);
        };
        help(HelpKind::open_terrain).agent = query_.agent;
        return open_terrain(grid_, query_.terrain.costs, work_, spending_, help(HelpKind::open_terrain),
                            fits) &&
               drop_blockers();
    }

    [[nodiscard]] bool drop_blockers() {
        if (query_.blockers.empty()) return true;
        GridQuery query = query_;
        query.blockers = {};
        if (!try_help(HelpKind::no_blockers, query)) return false;
        Help& out = help(HelpKind::no_blockers);
        out.value = -1.0;
        if (out.proof != Proof::found) return true;
        return find_blocker(out);
    }

    // One blocker whose going is enough.
    [[nodiscard]] bool find_blocker(Help& out) {
        Array<Blocker> others(work_.inner.allocator());
        Route route;
        for (std::size_t i = 0; i < query_.blockers.size() && !spending_.empty(); ++i) {
            if (!others.assign(query_.blockers)) return no_memory();
            others[i] = others.back();
            others.pop_back();
            GridQuery query = query_;
            query.blockers = others.span();
            const Outcome outcome = ask_more(query, route);
            if (outcome == Outcome::error) return false;
            if (outcome != Outcome::found) continue;
            out.value = static_cast<double>(i);
            std::swap(out.route, route);
            return true;
        }
        return true;
    }

    const GridState& grid_;
    GridQuery query_;
    ExplainWork& work_;
    Explanation& out_;
    Spending spending_;
};

}  // namespace

Result<Explanation> explain(const GridState& grid, const GridQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    if (const Result<void> good = explaining::check_options(options); !good) return good.error();
    auto* work = scratch.get<explaining::ExplainWork>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    Explanation out;
    out.agent = query.agent;
    const Result<void> done = WalkExplainer(grid, query, *work, options, out).run();
    if (!done) return done.error();
    return out;
}

}  // namespace fairlead
