#include <fairlead/roadmap/repair.h>

#include <fairlead/roadmap/find_route.h>

#include "base/no_memory.h"
#include "roadmap/leg_walk.h"
#include "roadmap/search_run.h"
#include "route/leads_nowhere.h"
#include "route/take_over.h"

namespace fairlead {

namespace {

using roadmap::kNoSlot;
using roadmap::LegWalk;

struct RepairWork {
    explicit RepairWork(const Allocator& a) : walk(a), legs(a) { piece.legs = Array<Leg>(a); }
    LegWalk walk;
    Route piece;
    Array<Leg> legs;
};

// The query with other places; one goal.
RoadmapQuery between(const RoadmapQuery& query, const Spot& from, const Spot& to) {
    RoadmapQuery gap = query;
    gap.start = from;
    gap.goal = to;
    gap.partial = false;
    return gap;
}

// The way to a place nearer the goal, not to the goal: it ends on the net.
bool falls_short(const Route& route) {
    return route.status == PathStatus::partial || route.status == PathStatus::budget_spent;
}

LegWalk::Way way_of(const Route& route) { return {route.legs.span(), route.end, falls_short(route)}; }

// Prices a legal route anew.
void settle(const RoadmapState& state, const LegWalk& walk, Route& route) {
    const double cost = route.legs.empty() ? route.cost : walk.cost();
    const double before = route.cost;
    // The same prices, added in another order.
    const bool same = roadmap::absolute(cost - before) <= 1e-12 * before;
    if (!same || route.revision != state.revision()) route.bound = kNoBound;
    if (!same) route.cost = cost;
    route.line_cost = route.cost;
    route.revision = state.revision();
}

// The query's own place if the route's end is there: a waypoint stays a waypoint.
Spot own_place(const RoadmapState& state, const Spot& wanted, Vec3 at) {
    const double slack = roadmap::net_slack(state.data(), at);
    if (!wanted.waypoint.valid()) return distance(wanted.position, at) <= slack ? wanted : Spot(at);
    const WaypointSlot slot = state.find(wanted.waypoint);
    const bool there = slot.valid() && distance(state.node(slot).position, at) <= slack;
    return there ? wanted : Spot(at);
}

Spot own_goal(const RoadmapState& state, const Goal& goal, Vec3 at) {
    if (!goal.is_list()) return own_place(state, goal.at, at);
    const Spot point(at);
    for (std::size_t i = 0; i < goal.list.size(); ++i) {
        const Spot own = own_place(state, goal.list[i], at);
        if (own.waypoint.valid()) return own;
    }
    return point;
}

// From leg `first` to leg `last`, both included, is to be searched anew.
struct Gap {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t legs = 0;

    [[nodiscard]] bool whole() const { return first == 0 && last + 1 == legs; }
    void widen() {
        if (first > 0) --first;
        if (last + 1 < legs) ++last;
    }
    // Between two legs a gap begins and ends at waypoints.
    void widen_to_waypoints(const LegWalk& walk) {
        while (first > 0 && walk.waypoint_before(first) == kNoSlot) --first;
        while (last + 1 < legs && walk.waypoint_before(last + 1) == kNoSlot) ++last;
    }
};

bool splice(const Route& route, const Gap& gap, const Route& piece, Array<Leg>& out) {
    out.clear();
    const std::span<const Leg> old = route.legs.span();
    const std::span<const Leg> parts[] = {old.first(gap.first), piece.legs.span(), old.subspan(gap.last + 1)};
    for (const std::span<const Leg> part : parts) {
        for (const Leg& leg : part) {
            if (!out.push_back(leg)) return false;
        }
    }
    return true;
}

// The whole way anew, with the query's own goal.
Result<void> search_anew(const RoadmapState& state, const RoadmapQuery& query, Scratch& scratch, Route& piece,
                         Route& route) {
    RoadmapQuery whole = query;
    whole.start = own_place(state, query.start, way_of(route).joint(0));
    if (const Result<void> done = find_route_into(state, whole, scratch, piece); !done) return done.error();
    return take_over(piece, route) ? Result<void>() : Result<void>(kNoMemory);
}

Result<void> check_but_places(const RoadmapState& state, const RoadmapQuery& query) {
    return roadmap::check_query(state, between(query, Vec3{}, Vec3{}));
}

}  // namespace

Result<Revalidation> revalidate(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                                Route& route, const Aabb* changed) {
    if (const Result<void> good = check_but_places(roadmap, query); !good) return good.error();
    if (leads_nowhere(route)) {
        route.revision = roadmap.revision();
        return Revalidation{};
    }
    auto* work = scratch.get<RepairWork>();
    if (work == nullptr || !work->walk.run(roadmap, query, way_of(route), changed)) return kNoMemory;
    if (work->walk.found().legal) settle(roadmap, work->walk, route);
    return work->walk.found();
}

Result<void> repair(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch, Route& route) {
    if (const Result<void> good = check_but_places(roadmap, query); !good) return good.error();
    if (leads_nowhere(route)) {
        route.revision = roadmap.revision();
        return {};
    }
    auto* work = scratch.get<RepairWork>();
    if (work == nullptr) return kNoMemory;
    LegWalk& walk = work->walk;
    Route& piece = work->piece;
    if (!walk.run(roadmap, query, way_of(route), nullptr)) return kNoMemory;
    if (walk.found().legal) {
        settle(roadmap, walk, route);
        return {};
    }
    // Of a route without legs the gap is the place where it stands: from leg 0 to the one before it.
    Gap gap{route.legs.empty() ? 0 : static_cast<std::size_t>(walk.found().first_bad),
            static_cast<std::size_t>(walk.found().last_bad), route.legs.size()};
    for (;; gap.widen()) {
        gap.widen_to_waypoints(walk);
        const bool from_start = gap.first == 0;
        const bool to_end = gap.last + 1 == gap.legs;
        // What is nearest to a goal that cannot be reached may be another place by now.
        if (to_end && falls_short(route)) return search_anew(roadmap, query, scratch, piece, route);
        const auto id = [&](std::size_t joint) {
            return Spot(roadmap.node({walk.waypoint_before(joint)}).id);
        };
        const Spot from =
            from_start ? own_place(roadmap, query.start, way_of(route).joint(0)) : id(gap.first);
        const Spot to = to_end ? own_goal(roadmap, query.goal, route.end.position) : id(gap.last + 1);
        const Result<void> done = find_route_into(roadmap, between(query, from, to), scratch, piece);
        if (!done) return done.error();
        const bool found = piece.status == PathStatus::complete;
        if (gap.whole() && !found) {
            if (query.partial) return search_anew(roadmap, query, scratch, piece, route);
            const PathStatus status = piece.status;
            route.clear();
            route.status = status;
            route.planner = piece.planner;
            route.revision = roadmap.revision();
            return {};
        }
        if (!found) continue;
        if (!splice(route, gap, piece, work->legs)) return kNoMemory;
        const Place end = to_end ? piece.end : route.end;
        if (!gap.whole()) {
            // Where several waypoints lie in one place, the piece may have ended on another than the next leg
            // leaves from: then the gap is too small. The marks of the joints are those of the old legs.
            LegWalk::Way way{work->legs.span(), end, falls_short(route)};
            if (!walk.run(roadmap, query, way, nullptr)) return kNoMemory;
            if (!walk.found().legal) {
                if (!walk.run(roadmap, query, way_of(route), nullptr)) return kNoMemory;
                continue;
            }
        }
        if (!route.legs.assign(work->legs.span())) return kNoMemory;
        route.cost = route.line_cost = gap.whole() ? piece.cost : walk.cost();
        route.bound = gap.whole() ? piece.bound : kNoBound;
        break;
    }
    route.end = route.legs.empty() || gap.last + 1 == gap.legs ? piece.end : route.end;
    route.length = 0.0;
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.stats = piece.stats;
    route.revision = roadmap.revision();
    return {};
}

}  // namespace fairlead
