// Explanations on tiles: what walkers and turning units share.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "explain/ground.h"
#include "explain/inquiry.h"

namespace fairlead::explaining {

struct TileWork {
    explicit TileWork(const Allocator& a) : query(a), ground(a), factors(a), closed(a), inner(a) {}
    grid::PreparedQuery query;
    Ground ground;
    Array<double> factors;  ///< of `terrain`
    KindFilter terrain{};
    Array<Blocker> closed;  // tiles, and the blockers of a turning unit's query
    Scratch inner;
};

using TileInquiry = InquiryOf<GridState, TileWork>;

[[nodiscard]] inline Vec2 in_cells(const GridState& grid, Vec2 p) {
    return (p - grid.origin()) * (1.0 / grid.cell_size());
}
[[nodiscard]] inline Vec2 in_world(const GridState& grid, Vec2 p) {
    return p * grid.cell_size() + grid.origin();
}

/// The ground of both ends, already begun: false where it does not join them, or it is not known whether it does.
[[nodiscard]] inline bool flood_ground(TileInquiry& in, Answer& answer) {
    Ground& ground = in.work.ground;
    answer = ground.flood(in.spending.expansions);
    if (answer == Answer::no) {
        in.out.reason = ExplainReason::sealed;
        in.out.goal_side = ground.goal_side();
        in.out.area = ground.area();
    }
    if (answer == Answer::unknown) in.out.reason = ExplainReason::budget_spent;
    return answer == Answer::yes;
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
[[nodiscard]] bool open_terrain(TileInquiry& in, const KindFilter& filter, const Agent& agent,
                                const Fits& fits) {
    Help& help = in.help(HelpKind::open_terrain);
    help.agent = agent;
    if (filter.empty()) return true;
    bool present[256] = {};
    find_present(in.world, present);
    Array<double>& factors = in.work.factors;
    KindFilter& open = in.work.terrain;
    if (!factors.assign(filter.factors.span())) return in.no_memory();
    open = {filter.closed, factors.span()};
    std::uint32_t kinds[256] = {}, count = 0;
    const auto set_open = [&](std::uint32_t i, bool is_open) {
        const std::uint32_t kind = kinds[i];
        const std::uint64_t bit = std::uint64_t{1} << (kind % 64);
        if (is_open) {
            open.closed.erase(kind);
            if (kind < factors.size() && factors[kind] == 0.0) factors[kind] = 1.0;
            help.terrain[kind / 64] |= bit;
        } else {
            open.closed.insert(kind);
            help.terrain[kind / 64] &= ~bit;
        }
    };
    for (std::uint32_t k = 1; k < 256; ++k) {
        if (filter.open(k) || !present[k]) continue;
        kinds[count] = k;
        set_open(count++, true);
    }
    return spare_kinds(in.spending, count, false, help, set_open, fits);
}

/// Without the blockers; then, which of them is enough. `ask(blockers, route)` puts the query with those. False: an error.
template <class Ask>
[[nodiscard]] bool drop_blockers(TileInquiry& in, std::span<const Blocker> blockers, const Agent& agent,
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

}  // namespace fairlead::explaining
