// Routes over a roadmap after edits: leg_walk.h walks them again, route/mend.h finds anew what cannot be walked.
#include <fairlead/roadmap/repair.h>

#include <fairlead/roadmap/find_route.h>

#include "base/no_memory.h"
#include "roadmap/leg_walk.h"
#include "roadmap/search_run.h"
#include "route/mend.h"

namespace fairlead {

namespace {

using roadmap::kNoSlot;
using roadmap::LegWalk;

struct RoadmapWalk {
    explicit RoadmapWalk(const Allocator& a) : walk(a) {}
    LegWalk walk;
};

LegWalk::Way way_of(const Route& route) {
    return {route.legs.span(), route.end, falls_short(route), route.revision};
}

// Prices a legal route anew.
void settle(const RoadmapState& state, const LegWalk& walk, Route& route) {
    const double cost = walk.cost() < roadmap::kInfinity ? walk.cost() : route.cost;
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

class RoadmapMender {
  public:
    /// `walk` has walked the route.
    RoadmapMender(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch, LegWalk& walk)
        : roadmap_(roadmap), query_(query), scratch_(scratch), walk_(walk) {}

    // Between two legs a gap begins and ends at waypoints.
    void fit(MendGap& gap) const {
        while (gap.first > 0 && walk_.waypoint_before(gap.first) == kNoSlot) --gap.first;
        while (gap.last + 1 < gap.legs && walk_.waypoint_before(gap.last + 1) == kNoSlot) ++gap.last;
    }
    // What is nearest to a goal that cannot be reached may be another place by now.
    [[nodiscard]] bool ends_anywhere(const MendGap& gap, const Route& route) const {
        return gap.to_end() && falls_short(route);
    }
    [[nodiscard]] std::uint64_t revision() const { return roadmap_.revision(); }

    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        const auto id = [&](std::size_t joint) {
            return Spot(roadmap_.node({walk_.waypoint_before(joint)}).id);
        };
        RoadmapQuery between = query_;
        between.start = gap.first == 0 ? own_start(route) : id(gap.first);
        between.goal = gap.to_end() ? own_goal(roadmap_, query_.goal, route.end.position) : id(gap.last + 1);
        between.partial = false;
        return find_route_into(roadmap_, between, scratch_, piece);
    }

    // Where several waypoints lie in one place, the piece may have ended on another than the next leg leaves from: then the gap is too
    // small. The marks of the joints are those of the old legs.
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work, Place& end) {
        if (!join_legs(gap, route, work, end)) return kNoMemory;
        if (gap.whole()) return true;
        const LegWalk::Way way{work.legs.span(), end, falls_short(route)};
        if (!walk_.run(roadmap_, query_, way, nullptr)) return kNoMemory;
        if (walk_.found().legal) return true;
        if (!walk_.run(roadmap_, query_, way_of(route), nullptr)) return kNoMemory;
        return false;
    }

    [[nodiscard]] bool has_other_ends() const { return query_.partial; }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        RoadmapQuery whole = query_;
        whole.start = own_start(route);
        return find_route_into(roadmap_, whole, scratch_, piece);
    }
    [[nodiscard]] double measure(const Route&, const Route* whole) const {
        return whole != nullptr ? whole->cost : walk_.cost();
    }

  private:
    [[nodiscard]] Spot own_start(const Route& route) const {
        return own_place(roadmap_, query_.start, way_of(route).joint(0));
    }

    const RoadmapState& roadmap_;
    const RoadmapQuery& query_;
    Scratch& scratch_;
    LegWalk& walk_;
};

Result<void> check_but_places(const RoadmapState& state, const RoadmapQuery& query) {
    RoadmapQuery anywhere = query;
    anywhere.start = Vec3{};
    anywhere.goal = Vec3{};
    anywhere.partial = false;
    return roadmap::check_query(state, anywhere);
}

// Walks the route anew. False: it led nowhere, and is up to date. Errors: as the header says.
Result<bool> walk_again(const RoadmapState& roadmap, Route& route, const RoadmapQuery& query, LegWalk*& walk,
                        Scratch& scratch, const Aabb* changed) {
    if (const Result<void> good = check_but_places(roadmap, query); !good) return good.error();
    if (leads_nowhere(route)) {
        route.revision = roadmap.revision();
        return false;
    }
    auto* work = scratch.get<RoadmapWalk>();
    if (work == nullptr || !work->walk.run(roadmap, query, way_of(route), changed)) return kNoMemory;
    walk = &work->walk;
    if (walk->found().legal) settle(roadmap, *walk, route);
    return true;
}

}  // namespace

Result<Revalidation> revalidate(const RoadmapState& roadmap, Route& route, const RoadmapQuery& query,
                                Scratch& scratch, const Aabb* changed) {
    LegWalk* walk = nullptr;
    const Result<bool> walked = walk_again(roadmap, route, query, walk, scratch, changed);
    if (!walked.has_value()) return walked.error();
    return *walked ? walk->found() : Revalidation{};
}

Result<void> repair(const RoadmapState& roadmap, Route& route, const RoadmapQuery& query, Scratch& scratch) {
    LegWalk* walk = nullptr;
    const Result<bool> walked = walk_again(roadmap, route, query, walk, scratch, nullptr);
    if (!walked.has_value()) return walked.error();
    if (!*walked || walk->found().legal) return {};
    auto* work = scratch.get<MendWork>();
    if (work == nullptr) return kNoMemory;
    RoadmapMender mender(roadmap, query, scratch, *walk);
    const Revalidation found = walk->found();
    return mend(mender, found, *work, route);
}

}  // namespace fairlead
