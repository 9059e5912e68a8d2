// The cheapest chain of spots under a route's legs, read backward.
#include <fairlead/roadmap/leg_names.h>

#include "base/no_memory.h"
#include "roadmap/leg_walk.h"
#include "roadmap/search_run.h"
#include "search/run_search.h"

namespace fairlead {

namespace roadmap {

bool LegWalk::keep(std::span<const NetSpot> spots) {
    if (!keeps_) return true;
    if (!seen_first_.push_back(seen_.size())) return false;
    for (const NetSpot& spot : spots) {
        if (!seen_.push_back(spot)) return false;
    }
    return true;
}

std::span<const LegWalk::NetSpot> LegWalk::kept(std::size_t joint) const {
    const std::size_t end = joint + 1 < seen_first_.size() ? seen_first_[joint + 1] : seen_.size();
    return seen_.span().subspan(seen_first_[joint], end - seen_first_[joint]);
}

// The edge that `step` counts between two spots.
RoadmapLeg LegWalk::name(const NetSpot& from, const NetSpot& to, const Leg& leg) const {
    const StateData& data = state_.data();
    RoadmapLeg out;
    out.on_net = true;
    out.from = {data.node(from.slot).id};
    if (from.on_arc() || to.on_arc()) {
        const NetSpot& on = from.on_arc() ? from : to;
        out.edge = data.arcs(on.slot)[on.arc];
        out.enters = from.on_arc() ? from.t : 0.0;
        out.leaves = to.on_arc() ? to.t : 1.0;
    } else {
        double least = kInfinity;
        for (const RoadmapArc& arc : data.arcs(from.slot)) {
            const bool link = leg.kind == LegKind::link;
            if (arc.to.value != to.slot || arc.link != link || (link && arc.label != leg.link_id)) continue;
            const double price = prices_.of(from.slot, arc);
            if (!(price < least)) continue;
            least = price;
            out.edge = arc;
        }
    }
    out.to = {data.node(out.edge.to.value).id};
    return out;
}

bool LegWalk::run_naming(const RoadmapState& state, const RoadmapQuery& query, const Way& way,
                         std::span<RoadmapLeg> names) {
    keeps_ = true;
    const bool done = run(state, query, way, nullptr);
    keeps_ = false;
    if (!done) return false;
    // Of the spots that one may have come from, the cheapest; of the last ones those at the goal.
    const auto cheapest = [&](std::span<const NetSpot> spots, std::uint32_t slot) {
        std::uint32_t best = kNoSlot;
        for (std::uint32_t i = 0; i < spots.size(); ++i) {
            if (!may_end_on(spots[i], slot) || !(spots[i].cost < kInfinity)) continue;
            if (best == kNoSlot || spots[i].cost < spots[best].cost) best = i;
        }
        return best;
    };
    std::uint32_t at = kNoSlot;
    for (std::size_t joint = names.size(); joint > 0; --joint) {
        const std::span<const NetSpot> spots = kept(joint);
        const std::span<const NetSpot> earlier = kept(joint - 1);
        const bool last = joint == names.size();
        RoadmapLeg& out = names[joint - 1];
        out = {};
        if (last && ends_off_) continue;
        if (at == kNoSlot) at = cheapest(spots, last ? end_slot_ : kNoSlot);
        while (at != kNoSlot && spots[at].here) at = spots[at].before;
        if (at == kNoSlot) continue;
        const std::uint32_t before = spots[at].before;
        if (before != kNoSlot) out = name(earlier[before], spots[at], way.legs[joint - 1]);
        at = before;
    }
    return true;
}

}  // namespace roadmap

namespace {

struct LegNamesWork {
    explicit LegNamesWork(const Allocator& a) : walk(a) {}
    roadmap::LegWalk walk;
};

}  // namespace

Result<void> name_legs(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                       const Route& route, Array<RoadmapLeg>& names) {
    names.clear();
    RoadmapQuery but_places = query;  // a waypoint may have been removed
    but_places.start = Vec3{};
    but_places.goal = Goal(Vec3{});
    if (const Result<void> good = roadmap::check_query(roadmap, but_places); !good) return good.error();
    if (scratch.in_use()) return kScratchInUse;
    auto* work = scratch.get<LegNamesWork>();
    if (work == nullptr || !names.resize(route.legs.size())) return kNoMemory;
    if (route.legs.empty()) return {};
    const bool short_of_it = route.status == PathStatus::partial || route.status == PathStatus::budget_spent;
    const roadmap::LegWalk::Way way{route.legs.span(), route.end, short_of_it};
    return work->walk.run_naming(roadmap, query, way, names.span()) ? Result<void>()
                                                                    : Result<void>(kNoMemory);
}

}  // namespace fairlead
