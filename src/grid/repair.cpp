#include <fairlead/grid/repair.h>

#include <algorithm>
#include <cmath>

#include <fairlead/grid/find_route.h>
#include <fairlead/math/contact.h>

#include "grid/body.h"
#include "grid/sight.h"
#include "grid/sight_lines.h"
#include "grid/stand.h"
#include "grid/terrain.h"
#include "route/check_filter.h"
#include "route/leads_nowhere.h"
#include "route/take_over.h"

namespace fairlead {

namespace {

struct RepairWork {
    explicit RepairWork(const Allocator& a) : legs(a) { piece.legs = Array<Leg>(a); }
    Route piece;
    Array<Leg> legs;
};

// The query's unit and what is in its way, in cells.
struct LegTest {
    const grid::StateData& state;
    const GridQuery& query;
    std::uint16_t costs[256];
    bool filtered = false;
    double slack = grid::kSightSlack;

    LegTest(const GridState& grid, const GridQuery& q) : state(grid.data()), query(q), costs() {
        // Far from the origin places are rounded by more than a planner lets a body overlap.
        const double contact = tile_contact_slack(state.origin, state.cell_size, state.width, state.height);
        slack = std::max(slack, 0.5 * contact);
        filtered = !q.terrain.empty();
        for (std::uint32_t i = 1; i < 256 && filtered; ++i)
            costs[i] = grid::terrain_cost(state, q.terrain, i);
    }

    [[nodiscard]] Vec2 cells(Vec3 p) const { return (ground(p) - state.origin) * (1.0 / state.cell_size); }

    [[nodiscard]] grid::SightWorld world(std::int32_t layer) const {
        grid::SightWorld w;
        w.state = &state;
        w.layer = layer;
        w.radius = query.agent.footprint > 0 ? 0.0 : query.agent.radius / state.cell_size;
        w.footprint = query.agent.footprint;
        w.corner = query.corner;
        w.slack = slack;
        w.costs = filtered ? costs : nullptr;
        return w;
    }

    // Does the way come near the changed cells, or is it at most `more` cells away? Positions may lie laps away on wrapped
    // axes: then always. So do those that are nowhere.
    [[nodiscard]] bool near(const Leg& leg, Vec2 a, Vec2 b, const CellRect& changed,
                            double more = 0.0) const {
        if (leg.kind == LegKind::link || !is_finite(a) || !is_finite(b)) return true;
        if (leg.start.layer != changed.layer) return false;
        if (state.wrap_x || state.wrap_y) return true;
        const double reach =
            std::max(query.agent.radius / state.cell_size, query.agent.footprint * 0.5) + 1.0 + more;
        return std::min(a.x, b.x) - reach <= changed.high.x && std::max(a.x, b.x) + reach >= changed.low.x &&
               std::min(a.y, b.y) - reach <= changed.high.y && std::max(a.y, b.y) + reach >= changed.low.y;
    }

    [[nodiscard]] bool near(const Place& place, const CellRect& changed) const {
        const Vec2 at = cells(place.position);
        Leg here;
        here.start = place;
        return near(here, at, at, changed);
    }

    // May the unit stand there?
    [[nodiscard]] bool stands(const Place& place) const {
        const Vec2 at = cells(place.position);
        return has_layer(place.layer) && sweeps(at, at, place.layer);
    }

    // A route of another world may name floors and portals that this one lacks.
    [[nodiscard]] bool legal(const Leg& leg, Vec2 a, Vec2 b, const Place& end) const {
        if (!has_layer(leg.start.layer) || !has_layer(end.layer)) return false;
        if (leg.kind == LegKind::drive) return sweeps(a, b, leg.start.layer);
        if (leg.link_id >= state.portal_count) return false;
        const Portal& portal = state.portals[leg.link_id];
        const bool there = portal.from.layer == leg.start.layer && portal.to.layer == end.layer;
        const bool back = portal.to.layer == leg.start.layer && portal.from.layer == end.layer;
        if (!there && !(back && portal.two_way)) return false;
        return sweeps(a, a, leg.start.layer) && sweeps(b, b, end.layer);
    }

    // Do the legs `i` - 1 and `i` lead a point through the corner where two walls meet? Each may end there (grid/sight.h), but
    // not lead on from the other side.
    [[nodiscard]] bool squeezes(std::span<const Leg> legs, const Place& end, std::size_t i) const {
        const std::int32_t layer = legs[i].start.layer;
        const Vec2 at = cells(legs[i].start.position);
        if (!is_corner(at) || !has_layer(layer)) return false;
        const grid::Sight sight(world(layer));
        if (!sight.between_walls(at)) return false;
        std::int32_t from = 0;  // 0: from a link, or it begins here
        for (std::size_t k = i; k > 0 && from == 0 && legs[k - 1].kind != LegKind::link; --k)
            from = sight.side_between_walls(at, cells(legs[k - 1].start.position));
        std::int32_t to = 0;
        for (std::size_t k = i; k < legs.size() && to == 0 && legs[k].kind != LegKind::link; ++k) {
            const Place& next = k + 1 < legs.size() ? legs[k + 1].start : end;
            to = sight.side_between_walls(at, cells(next.position));
        }
        return from * to < 0;
    }

    // The clearance of a straight leg, as find_route writes it.
    [[nodiscard]] double clearance(Vec2 a, Vec2 b, std::int32_t layer) const {
        grid::SightWorld here = world(layer);
        double best = grid::Sight(here).clearance(a, b, here.radius + grid::kClaimReach);
        each_some_blockers(here, [&] {
            best = grid::Sight(here).clearance(a, b, best);
            return best > 0.0;
        });
        return best * state.cell_size;
    }

  private:
    [[nodiscard]] bool has_layer(std::int32_t layer) const { return layer >= 0 && layer < state.layers; }

    // Is a place that may be looked at a corner of cells? This costs less than to look at it.
    [[nodiscard]] bool is_corner(Vec2 p) const {
        const bool near = std::fabs(p.x) <= grid::kSightReachMax && std::fabs(p.y) <= grid::kSightReachMax;
        return near && grid::sight_detail::meets(p, grid::sight_detail::corner_of_cells(p), slack);
    }

    [[nodiscard]] bool sweeps(Vec2 a, Vec2 b, std::int32_t layer) const {
        grid::SightWorld here = world(layer);
        if (!grid::Sight(here).can_sweep(a, b)) return false;
        return each_some_blockers(here, [&] { return grid::Sight(here).blockers_allow(a, b); });
    }

    // The blockers are converted to cells a few at a time, so that revalidate needs no memory. `look` says whether to go on.
    template <class Look>
    bool each_some_blockers(grid::SightWorld& here, Look look) const {
        constexpr std::size_t kSome = 16;
        Blocker some[kSome];
        for (std::size_t i = 0; i < query.blockers.size(); i += kSome) {
            const std::size_t count = std::min(kSome, query.blockers.size() - i);
            for (std::size_t k = 0; k < count; ++k) some[k] = in_cells(query.blockers[i + k]);
            here.blockers = {some, count};
            if (!look()) return false;
        }
        return true;
    }

    [[nodiscard]] Blocker in_cells(const Blocker& b) const {
        const double scale = 1.0 / state.cell_size;
        Blocker c = b;
        c.centre = (b.centre - state.origin) * scale;
        c.radius = b.radius * scale;
        if (!b.box.empty()) c.box = {(b.box.low - state.origin) * scale, (b.box.high - state.origin) * scale};
        return c;
    }
};

Result<void> check_unit(const GridQuery& query) {
    if (const Result<void> good = grid::check_agent(query.agent); !good) return good.error();
    return check_filter(query.terrain, KindSet::kKindsMax, Field::terrain);
}

void note_bad(Revalidation& result, std::size_t first, std::size_t last) {
    result.legal = false;
    if (result.first_bad < 0) result.first_bad = static_cast<std::int64_t>(first);
    result.last_bad = static_cast<std::int64_t>(last);
}

Revalidation test_legs(const GridState& grid, const Route& route, const GridQuery& query,
                       const CellRect* changed) {
    const LegTest test(grid, query);
    Revalidation result;
    if (route.legs.empty()) {
        const bool asked = !leads_nowhere(route) && (changed == nullptr || test.near(route.end, *changed));
        result.legal = !asked || test.stands(route.end);
        return result;
    }
    bool looked = false;  // at the leg before this one
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Place& end = leg_end(route, i);
        const Vec2 a = test.cells(leg.start.position);
        const Vec2 b = test.cells(end.position);
        const bool before = looked;
        looked = changed == nullptr || test.near(leg, a, b, *changed);
        if (i > 0 && (before || looked) && test.squeezes(route.legs.span(), route.end, i))
            note_bad(result, i - 1, i);
        if (looked && !test.legal(leg, a, b, end)) note_bad(result, i, i);
    }
    return result;
}

// Claims of clearance that an edit may have made too large are made anew; only straight legs have them.
void renew_claims(const GridState& grid, const GridQuery& query, const CellRect* changed, Route& route) {
    const LegTest test(grid, query);
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        Leg& leg = route.legs[i];
        if (leg.clearance == kUnknown) continue;
        const Vec2 a = test.cells(leg.start.position);
        const Vec2 b = test.cells(leg_end(route, i).position);
        if (changed != nullptr && !test.near(leg, a, b, *changed, grid::kClaimReach)) continue;
        const bool straight = leg.kind == LegKind::drive && leg.curvature == 0.0;
        leg.clearance = straight ? test.clearance(a, b, leg.start.layer) : kUnknown;
    }
}

// The query for the gap between two places of the route.
GridQuery gap_query(const GridQuery& query, const Place& from, const Place& to) {
    GridQuery gap = query;
    gap.start = from;
    gap.goal = to;
    gap.partial = false;
    gap.reach = 0.0;  // the legs around it begin and end where they do
    return gap;
}

// Brings a place on wrapped axes back onto the map.
Place on_map(const GridState& grid, Place place) {
    const double w = grid.width() * grid.cell_size();
    const double h = grid.height() * grid.cell_size();
    if (grid.wrap_x()) place.position.x -= w * std::floor((place.position.x - grid.origin().x) / w);
    if (grid.wrap_y()) place.position.y -= h * std::floor((place.position.y - grid.origin().y) / h);
    return place;
}

// The whole laps between two images of one place; zero without seams.
Vec2 laps(const GridState& grid, Vec2 from, Vec2 to) {
    const double w = grid.width() * grid.cell_size();
    const double h = grid.height() * grid.cell_size();
    return {grid.wrap_x() ? w * std::floor((to.x - from.x) / w + 0.5) : 0.0,
            grid.wrap_y() ? h * std::floor((to.y - from.y) / h + 0.5) : 0.0};
}

bool append_shifted(Array<Leg>& legs, std::span<const Leg> more, Vec2 shift) {
    for (Leg leg : more) {
        leg.start.position.x += shift.x;
        leg.start.position.y += shift.y;
        if (!legs.push_back(leg)) return false;
    }
    return true;
}

// What is searched anew: the legs first to last, and the places where they begin and end.
struct RepairGap {
    std::size_t first = 0;
    std::size_t last = 0;
    Place start{};
    Place end{};
};

// The legs of the route with the piece in place of the gap, and where they end. The piece starts on the map; the route
// around it may be laps away. False: out of memory.
bool put_in(const GridState& grid, const Route& route, const RepairGap& broken, RepairWork& work,
            Place& end) {
    const Vec2 start = ground(broken.start.position);
    const Vec2 ahead = laps(grid, ground(on_map(grid, broken.start).position), start);
    const Vec2 behind = ahead + laps(grid, ground(broken.end.position), ground(work.piece.end.position));
    const std::span<const Leg> legs = route.legs.span();
    const bool to_end = broken.last + 1 >= legs.size();
    const std::span<const Leg> rest = to_end ? std::span<const Leg>() : legs.subspan(broken.last + 1);
    work.legs.clear();
    if (!append_shifted(work.legs, legs.first(broken.first), {}) ||
        !append_shifted(work.legs, work.piece.legs.span(), ahead) ||
        !append_shifted(work.legs, rest, behind)) {
        return false;
    }
    end = to_end ? work.piece.end : route.end;
    const Vec2 shift = to_end ? ahead : behind;
    end.position.x += shift.x;
    end.position.y += shift.y;
    return true;
}

// Does a point get from the route to the piece and back without squeezing between two walls?
bool seams_hold(const LegTest& test, const RepairGap& broken, const RepairWork& work, const Place& end) {
    const auto holds = [&](std::size_t i) {
        return i == 0 || i >= work.legs.size() || !test.squeezes(work.legs.span(), end, i);
    };
    return holds(broken.first) && holds(broken.first + work.piece.legs.size());
}

// Length and cost of the legs as they are now: the integral of the terrain's cost.
void measure(const GridState& grid, const GridQuery& query, Route& route) {
    const LegTest test(grid, query);
    route.length = 0.0;
    route.line_cost = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        route.length += leg.length;
        if (leg.kind == LegKind::link) {
            route.line_cost += grid.portals()[leg.link_id].cost * grid.cell_size();
            continue;
        }
        grid::SightWorld world = test.world(leg.start.layer);
        if (world.costs == nullptr && !grid.uniform()) world.costs = test.state.costs;
        world.influence = query.influence.cells;
        world.influence_weight = query.influence.weight;
        const Vec2 a = test.cells(leg.start.position);
        const Vec2 b = test.cells(leg_end(route, i).position);
        route.line_cost += grid::Sight(world).cost(a, b) * grid.cell_size();
    }
    route.cost = route.line_cost;
}

}  // namespace

Result<Revalidation> revalidate(const GridState& grid, Route& route, const GridQuery& query,
                                const CellRect* changed) {
    if (const Result<void> good = check_unit(query); !good) return good.error();
    const Revalidation result = test_legs(grid, route, query, changed);
    if (result.legal) {
        renew_claims(grid, query, changed, route);
        route.revision = grid.revision();
    }
    return result;
}

Result<void> repair(const GridState& grid, const GridQuery& query, Scratch& scratch, Route& route) {
    if (const Result<void> good = check_unit(query); !good) return good.error();
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    auto* work = scratch.get<RepairWork>();
    if (work == nullptr) return no_memory;
    const Revalidation found = test_legs(grid, route, query, nullptr);
    if (found.legal) {
        renew_claims(grid, query, nullptr, route);
        route.revision = grid.revision();
        return {};
    }
    // Of a route without legs the gap is the place where it stands: from leg 0 to the one before it.
    auto first = route.legs.empty() ? 0 : static_cast<std::size_t>(found.first_bad);
    auto last = static_cast<std::size_t>(found.last_bad);
    bool whole = false;
    for (;;) {
        whole = first == 0 && last + 1 == route.legs.size();
        const bool none = route.legs.empty();
        const Place& gap_start = none ? route.end : route.legs[first].start;
        const Place& gap_end = none ? route.end : leg_end(route, last);
        const Place from = on_map(grid, gap_start);
        const Place to = on_map(grid, gap_end);
        const GridQuery gap = gap_query(query, from, to);
        if (const Result<void> done = find_route_into(grid, gap, scratch, work->piece); !done)
            return done.error();
        if (work->piece.status == PathStatus::complete) {
            const RepairGap broken{first, last, gap_start, gap_end};
            Place end;
            if (!put_in(grid, route, broken, *work, end)) return no_memory;
            if (whole || seams_hold(LegTest(grid, query), broken, *work, end)) {
                if (!route.legs.assign(work->legs.span())) return no_memory;
                route.end = end;
                break;
            }
        }
        if (whole && (query.partial || query.reach > 0.0)) {
            GridQuery anew = query;
            anew.start = gap.start;
            if (const Result<void> done = find_route_into(grid, anew, scratch, work->piece); !done)
                return done.error();
            return take_over(work->piece, route) ? Result<void>() : Result<void>(no_memory);
        }
        if (whole) {
            const PathStatus status = work->piece.status;
            route.clear();
            route.status = status;
            route.revision = grid.revision();
            return {};
        }
        if (first > 0) --first;
        if (last + 1 < route.legs.size()) ++last;
    }
    measure(grid, query, route);
    renew_claims(grid, query, nullptr, route);
    if (whole) route.cost = work->piece.cost;
    route.bound = whole ? work->piece.bound : kNoBound;
    route.revision = grid.revision();
    route.stats = work->piece.stats;
    return {};
}

}  // namespace fairlead
