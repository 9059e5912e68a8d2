// What all explanations have in common: the run of one explanation, and further queries that change one thing. `ask(query, route)` puts
// one such query and pays for it; it gives its Outcome.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "explain/spending.h"

namespace fairlead::explaining {

/// One explanation in the making, on tiles.
struct Inquiry {
    using World = GridState;
    using Work = ExplainWork;
    Inquiry(const GridState& on, const ExplainOptions& options, ExplainWork& memory, Explanation& why)
        : grid(on), work(memory), out(why), spending{options.expansions, options.trials_max} {}

    const GridState& grid;
    ExplainWork& work;
    Explanation& out;
    Spending spending;

    [[nodiscard]] bool no_memory() { return fail({ErrorCode::out_of_memory, -1, 0}); }
    [[nodiscard]] bool fail(const Error& error) {
        spending.error = error;
        return false;
    }
    [[nodiscard]] Help& help(HelpKind kind) { return out.helps[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] Vec2 in_cells(Vec2 p) const { return (p - grid.origin()) * (1.0 / grid.cell_size()); }
    [[nodiscard]] Vec2 in_world(Vec2 p) const { return p * grid.cell_size() + grid.origin(); }
    void put_place(const Pose& pose, std::int32_t layer) {
        out.has_place = true;
        out.place = {{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, layer};
    }

    /// The ground of both ends, already begun: false where it does not join them, or it is not known whether it does.
    [[nodiscard]] bool flood(Answer& answer) {
        Ground& ground = work.ground;
        answer = ground.flood(spending.expansions);
        if (answer == Answer::no) {
            out.reason = ExplainReason::sealed;
            out.goal_side = ground.goal_side();
            out.area = ground.area();
        }
        if (answer == Answer::unknown) out.reason = ExplainReason::budget_spent;
        return answer == Answer::yes;
    }
};

/// A further query as a help of this kind. False: an error, in `spending`.
template <class In, class Query, class Ask>
[[nodiscard]] bool try_help(In& in, HelpKind kind, const Query& query, const Ask& ask) {
    Help& out = in.help(kind);
    out.proof = Proof::not_looked;
    if (in.spending.empty()) return true;
    const Outcome outcome = ask(query, out.route);
    out.proof = proof_of(outcome);
    out.agent = query.agent;
    return outcome != Outcome::error;
}

/// For bisect: the query with a unit that `change(agent, value)` changes.
template <class Query, class Ask, class Change>
[[nodiscard]] auto with_unit(const Query& query, const Ask& ask, const Change& change) {
    return [&query, ask, change](double value, Route& route, Help& to) {
        Query changed = query;
        change(changed.agent, value);
        const Outcome outcome = ask(changed, route);
        if (outcome == Outcome::found) to.agent = changed.agent;
        return outcome;
    };
}

/// Which kinds of terrain the map has.
inline void find_present(const GridState& grid, bool (&present)[256]) {
    for (std::int32_t layer = 0; layer < grid.layers(); ++layer) {
        for (std::int32_t y = 0; y < grid.height(); ++y) {
            for (std::int32_t x = 0; x < grid.width(); ++x) present[grid.tile({x, y, layer})] = true;
        }
    }
}

/// Which terrain that the filter closes must be opened: all of it is, then each kind is closed again if there is a
/// route without it. `fits(route)` asks the query with work.terrain as its filter. False: an error, in `spending`.
template <class Fits>
[[nodiscard]] bool open_terrain(Inquiry& in, const KindFilter& filter, const Agent& agent, const Fits& fits) {
    Help& help = in.help(HelpKind::open_terrain);
    help.agent = agent;
    if (filter.empty()) return true;
    bool present[256] = {};
    find_present(in.grid, present);
    Array<double>& factors = in.work.factors;
    KindFilter& open = in.work.terrain;
    Spending& spending = in.spending;
    if (!factors.assign(filter.factors.span())) return in.no_memory();
    open = {filter.closed, factors.span()};
    const auto set_open = [&](std::uint32_t kind, bool is_open) {
        if (is_open) {
            open.closed.erase(kind);
            if (kind < factors.size() && factors[kind] == 0.0) factors[kind] = 1.0;
        } else {
            open.closed.insert(kind);
        }
    };
    bool any = false;
    for (std::uint32_t k = 1; k < 256; ++k) {
        if (filter.open(k) || !present[k]) continue;
        set_open(k, true);
        help.terrain[k / 64] |= std::uint64_t{1} << (k % 64);
        any = true;
    }
    if (!any) return true;
    help.proof = Proof::not_looked;
    if (spending.empty()) return true;
    Outcome outcome = fits(help.route);
    if (outcome == Outcome::error) return false;
    help.proof = proof_of(outcome);
    Route route;
    for (std::uint32_t k = 1; k < 256 && help.proof == Proof::found && !spending.empty(); ++k) {
        if (((help.terrain[k / 64] >> (k % 64)) & 1U) == 0) continue;
        set_open(k, false);
        outcome = fits(route);
        if (outcome == Outcome::error) return false;
        if (outcome == Outcome::found) {
            help.terrain[k / 64] &= ~(std::uint64_t{1} << (k % 64));
            std::swap(help.route, route);
        } else {
            set_open(k, true);
        }
    }
    return true;
}

/// Without the blockers; then, which of them is enough. `ask(blockers, route)` puts the query with those. False: an error.
template <class Ask>
[[nodiscard]] bool drop_blockers(Inquiry& in, std::span<const Blocker> blockers, const Agent& agent,
                                 const Ask& ask) {
    if (blockers.empty()) return true;
    Help& out = in.help(HelpKind::no_blockers);
    out.proof = Proof::not_looked;
    out.agent = agent;
    out.value = -1.0;
    if (in.spending.empty()) return true;
    const Outcome none = ask(std::span<const Blocker>{}, out.route);
    out.proof = proof_of(none);
    if (none == Outcome::error) return false;
    Array<Blocker> others(in.work.inner.allocator());
    Route route;
    for (std::size_t i = 0; i < blockers.size() && out.proof == Proof::found && !in.spending.empty(); ++i) {
        if (!others.assign(blockers)) return in.no_memory();
        others[i] = others.back();
        others.pop_back();
        const Outcome outcome = ask(std::span<const Blocker>{others.span()}, route);
        if (outcome == Outcome::error) return false;
        if (outcome != Outcome::found) continue;
        out.value = static_cast<double>(i);
        std::swap(out.route, route);
        break;
    }
    return true;
}

/// The place nearest to a point, of those at every 1 / pitch of a tile from (offset, offset) on, for which stands(p) is true;
/// looked for in squares around it, to half the map's size. False: none, or the budget ended first.
template <class Stands>
[[nodiscard]] bool nearest_place(Vec2 point, std::int32_t pitch, double offset, std::int32_t squares,
                                 std::uint64_t& budget, Vec2& out, const Stands& stands) {
    const double step = 1.0 / pitch;
    const auto at_x = static_cast<std::int32_t>(std::floor((point.x - offset) * pitch + 0.5));
    const auto at_y = static_cast<std::int32_t>(std::floor((point.y - offset) * pitch + 0.5));
    double best = 1e300;
    for (std::int32_t k = 0; k <= squares; ++k) {
        const double least = (k - 0.5) * step;
        if (k > 0 && least * least > best) break;
        for (std::int32_t dy = -k; dy <= k; ++dy) {
            for (std::int32_t dx = -k; dx <= k; dx += (dy == -k || dy == k || k == 0) ? 1 : 2 * k) {
                const Vec2 p{(at_x + dx) * step + offset, (at_y + dy) * step + offset};
                const double gap = dot(p - point, p - point);
                if (gap >= best) continue;
                if (budget == 0) return best < 1e300;
                --budget;
                if (!stands(p)) continue;
                best = gap;
                out = p;
            }
        }
    }
    return best < 1e300;
}

/// The tile nearest to a point, of those in a square around it for which touches(x, y, gap) is true; `gap`: from the point to
/// the tile, along x and y. x < 0: none.
template <class Touches>
[[nodiscard]] Cell nearest_touched(Vec2 p, double reach, std::int32_t width, std::int32_t height,
                                   std::int32_t layer, const Touches& touches) {
    const auto low = [&](double v) { return std::max(0, static_cast<std::int32_t>(std::floor(v - reach))); };
    const auto high = [&](double v, std::int32_t size) {
        return std::min(size, static_cast<std::int32_t>(std::ceil(v + reach)));
    };
    double best = 1e300;
    Cell out{-1, -1, -1};
    for (std::int32_t y = low(p.y); y < high(p.y, height); ++y) {
        for (std::int32_t x = low(p.x); x < high(p.x, width); ++x) {
            const Vec2 gap{std::max({x - p.x, p.x - x - 1, 0.0}), std::max({y - p.y, p.y - y - 1, 0.0})};
            const double far = dot(gap, gap);
            if (far >= best || !touches(x, y, gap)) continue;
            best = far;
            out = {x, y, layer};
        }
    }
    return out;
}

/// Checks the options, finds the memory, and has `look(inquiry)` fill the explanation.
template <class In = Inquiry, class Look>
[[nodiscard]] Result<Explanation> explain_by(const typename In::World& world, const Agent& agent,
                                             Scratch& scratch, const ExplainOptions& options,
                                             const Look& look) {
    if (const Result<void> good = check_options(options); !good) return good.error();
    auto* work = scratch.get<typename In::Work>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    Explanation out;
    out.agent = agent;
    In inquiry(world, options, *work, out);
    const bool good = look(inquiry);
    out.expanded = options.expansions - inquiry.spending.expansions;
    out.trials = options.trials_max - inquiry.spending.trials;
    if (!good) return inquiry.spending.error;
    return out;
}

}  // namespace fairlead::explaining
