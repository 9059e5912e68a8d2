// The legs of a route against a grid, exactly: sight for the query's unit, terrain filter and blockers.
#include "grid/leg_test.h"

#include <cmath>

#include <fairlead/math/contact.h>

#include "grid/sight_lines.h"
#include "grid/stand.h"
#include "grid/terrain.h"

namespace fairlead::grid {

LegTest::LegTest(const GridState& grid, const GridQuery& query)
    : state_(grid.data()), query_(query), costs_() {
    // Far from the origin places are rounded by more than a planner lets a body overlap.
    const double contact = tile_contact_slack(state_.origin, state_.cell_size, state_.width, state_.height);
    slack_ = std::max(slack_, 0.5 * contact);
    filtered_ = !query.terrain.empty();
    for (std::uint32_t i = 1; i < 256 && filtered_; ++i) costs_[i] = terrain_cost(state_, query.terrain, i);
}

SightWorld LegTest::world(std::int32_t layer) const {
    SightWorld w;
    w.state = &state_;
    w.layer = layer;
    w.radius = query_.agent.footprint > 0 ? 0.0 : query_.agent.radius / state_.cell_size;
    w.footprint = query_.agent.footprint;
    w.corner = query_.corner;
    w.slack = slack_;
    w.costs = filtered_ ? costs_ : nullptr;
    return w;
}

// The blockers are converted to cells a few at a time, so that no memory is needed. `look` says whether to go on.
template <class Look>
bool LegTest::each_some_blockers(SightWorld& here, Look look) const {
    constexpr std::size_t kSome = 16;
    Blocker some[kSome];
    for (std::size_t i = 0; i < query_.blockers.size(); i += kSome) {
        const std::size_t count = std::min(kSome, query_.blockers.size() - i);
        for (std::size_t k = 0; k < count; ++k) some[k] = in_cells(query_.blockers[i + k], state_);
        here.blockers = {some, count};
        if (!look()) return false;
    }
    return true;
}

bool LegTest::near(const Leg& leg, Vec2 a, Vec2 b, const CellRect& changed, double more) const {
    if (leg.kind == LegKind::link || !is_finite(a) || !is_finite(b)) return true;
    if (leg.start.layer != changed.layer) return false;
    if (state_.wrap_x || state_.wrap_y) return true;
    const double reach =
        std::max(query_.agent.radius / state_.cell_size, query_.agent.footprint * 0.5) + 1.0 + more;
    return std::min(a.x, b.x) - reach <= changed.high.x && std::max(a.x, b.x) + reach >= changed.low.x &&
           std::min(a.y, b.y) - reach <= changed.high.y && std::max(a.y, b.y) + reach >= changed.low.y;
}

bool LegTest::near(const Place& place, const CellRect& changed) const {
    const Vec2 at = cells(place.position);
    Leg here;
    here.start = place;
    return near(here, at, at, changed);
}

// Is a place that may be looked at a corner of cells? This costs less than to look at it.
bool LegTest::is_corner(Vec2 p) const {
    const bool near = std::fabs(p.x) <= kSightReachMax && std::fabs(p.y) <= kSightReachMax;
    return near && sight_detail::meets(p, sight_detail::corner_of_cells(p), slack_);
}

bool LegTest::sweeps(Vec2 a, Vec2 b, std::int32_t layer) const {
    SightWorld here = world(layer);
    if (!Sight(here).can_sweep(a, b)) return false;
    return each_some_blockers(here, [&] { return Sight(here).blockers_allow(a, b); });
}

bool LegTest::stands(const Place& place) const {
    const Vec2 at = cells(place.position);
    return has_layer(place.layer) && sweeps(at, at, place.layer);
}

bool LegTest::legal(const Leg& leg, Vec2 a, Vec2 b, const Place& end) const {
    if (!has_layer(leg.start.layer) || !has_layer(end.layer)) return false;
    if (leg.kind == LegKind::drive) return sweeps(a, b, leg.start.layer);
    if (leg.link_id >= state_.portal_count) return false;
    const Portal& portal = state_.portals[leg.link_id];
    const bool there = portal.from.layer == leg.start.layer && portal.to.layer == end.layer;
    const bool back = portal.to.layer == leg.start.layer && portal.from.layer == end.layer;
    if (!there && !(back && portal.two_way)) return false;
    return sweeps(a, a, leg.start.layer) && sweeps(b, b, end.layer);
}

bool LegTest::squeezes(std::span<const Leg> legs, const Place& end, std::size_t i) const {
    const std::int32_t layer = legs[i].start.layer;
    const Vec2 at = cells(legs[i].start.position);
    if (!is_corner(at) || !has_layer(layer)) return false;
    const Sight sight(world(layer));
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

double LegTest::clearance(Vec2 a, Vec2 b, std::int32_t layer) const {
    SightWorld here = world(layer);
    double best = Sight(here).clearance(a, b, here.radius + kClaimReach);
    each_some_blockers(here, [&] {
        best = Sight(here).clearance(a, b, best);
        return best > 0.0;
    });
    return best * state_.cell_size;
}

}  // namespace fairlead::grid
