// Replanning over the known map: only where the way that is left has been cut, or there is none.
#include "grid/explore/explore_data.h"

#include <cmath>

namespace fairlead::grid {

namespace {

Vec2 end_of_leg(const ExploreData& d, std::size_t leg) {
    const Place& end = leg + 1 < d.plan.legs.size() ? d.plan.legs[leg + 1].start : d.plan.end;
    return (ground(end.position) - d.map().origin) / d.map().cell_size;
}

// Is all that is left of the plan free, as far as is known?
bool holds(const ExploreData& d) {
    const SightWorld sight = d.sight_on(d.known.state(), 0);
    Vec2 from = d.at;
    for (std::size_t leg = d.next_leg; leg < d.plan.legs.size(); ++leg) {
        const Vec2 to = end_of_leg(d, leg);
        if (!can_sweep(sight, from, to)) return false;
        from = to;
    }
    return true;
}

WalkEnd make_plan(ExploreData& d, Scratch& scratch, Vec2 to) {
    ++d.stats.plans;
    GridQuery query;
    query.start = d.to_world(d.at);
    query.goal = d.to_world(to);
    query.agent = d.options.agent;
    const Result<void> done = find_route_into(d.known.state(), query, scratch, d.plan);
    if (!done) return WalkEnd::no_memory;
    d.has_plan = d.plan.status == PathStatus::complete;
    d.next_leg = 0;
    d.plan_to = to;
    return d.has_plan ? WalkEnd::walking : WalkEnd::no_way;
}

// Along the next leg. A point unit does not stop in a corner between two walls: who plans from there might go on at its other side. Nor
// does it go through it, where the plan did not know of one of the walls.
bool walk_leg(ExploreData& d, const GridState& world) {
    const Vec2 first = d.at;
    const Sight sight(d.sight_on(world, d.options.layer));
    Vec2 before = d.at;
    bool moved = false;
    if (!walk_to(d, world, end_of_leg(d, d.next_leg), moved)) return false;
    while (moved && d.next_leg + 1 < d.plan.legs.size() && sight.between_walls(d.at)) {
        const Vec2 next = end_of_leg(d, ++d.next_leg);
        moved = sight.side_between_walls(d.at, before) == sight.side_between_walls(d.at, next);
        before = d.at;
        if (moved && !walk_to(d, world, next, moved)) return false;
        if (moved) continue;
        d.has_plan = false;  // back the way it came
        bool news = false;
        return look_round(d, world, news) && walk_to(d, world, first, moved);
    }
    if (!moved) d.has_plan = false;
    return true;
}

}  // namespace

WalkEnd walk_known(ExploreData& d, const GridState& world, Scratch& scratch, Vec2 to, double length_max,
                   bool news) {
    if (d.at == to) return WalkEnd::there;
    const bool serves = d.has_plan && d.plan_to == to && (!news || holds(d));
    if (!serves) {
        const WalkEnd made = make_plan(d, scratch, to);
        if (made != WalkEnd::walking) return made;
        if (d.plan.length / d.map().cell_size > length_max) return WalkEnd::too_long;
    }
    while (d.next_leg < d.plan.legs.size() && end_of_leg(d, d.next_leg) == d.at) ++d.next_leg;
    if (d.next_leg >= d.plan.legs.size()) {  // rounding alone is between it and the place
        d.has_plan = false;
        d.at = to;
        return WalkEnd::there;
    }
    if (!walk_leg(d, world)) return WalkEnd::no_memory;
    return d.at == to ? WalkEnd::there : WalkEnd::walking;
}

bool walk_by_map(ExploreData& d, const GridState& world, Scratch& scratch, bool news) {
    const WalkEnd end = walk_known(d, world, scratch, d.goal, INFINITY, news);
    if (end == WalkEnd::there) d.status = ExploreStatus::arrived;
    if (end == WalkEnd::no_way) d.status = ExploreStatus::unreachable;
    return end != WalkEnd::no_memory;
}

}  // namespace fairlead::grid
