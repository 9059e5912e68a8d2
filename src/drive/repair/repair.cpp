// Routes of turning units after edits: every leg again with the exact swept test of the planner, links and the rules of roads; what is
// illegal is found anew (route/mend.h).
#include <fairlead/drive/repair.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/body/leg_check.h"
#include "drive/body/pieces.h"
#include "drive/lattice/lattice_query.h"
#include "drive/repair/look_at_drive.h"
#include "search/run_search.h"

namespace fairlead {

namespace drive {

namespace {

constexpr double kLinkGap = 1e-6;  // cells: a link's end in a route is where the map has it

class DriveLegTest {
  public:
    DriveLegTest(const MapData& map, const BlockerSweep* blockers)
        : map_(map),
          check_(map, blockers),
          reach_((farthest_point(map.table().body()) + 1.0) * check_.frame().size) {}

    // Does the body pass by there? Every point of an arc is within half its length of one of its ends.
    [[nodiscard]] bool near(const Place& a, const Place& b, const Leg* leg, const TouchedBox& changed,
                            double more = 0.0) const {
        if (leg != nullptr && leg->kind == LegKind::link) return true;
        if (!is_finite(a.position) || !is_finite(b.position)) return true;
        if (changed.layer != kAnyLayer && changed.layer != a.layer) return false;
        const bool bends = leg != nullptr && leg->curvature != 0.0;
        const double grow = reach_ + more + (bends ? 0.5 * leg->length : 0.0);
        const auto meets = [&](double p, double q, double low, double high) {
            return std::min(p, q) - grow <= high && std::max(p, q) + grow >= low;
        };
        const Aabb& box = changed.box;
        return meets(a.position.x, b.position.x, box.low.x, box.high.x) &&
               meets(a.position.y, b.position.y, box.low.y, box.high.y);
    }
    [[nodiscard]] bool stands(const Place& at) const { return is_finite(at.position) && check_.stands(at); }
    [[nodiscard]] bool legal(const Leg& leg, const Place& end) const {
        if (leg.kind == LegKind::link) return link_is_open(leg, end);
        if (!is_finite(leg.start.position) || !std::isfinite(leg.length) || !std::isfinite(leg.curvature))
            return false;
        if (!check_.leg_is_free(leg)) return false;
        return !map_.has_roads() || line_cost(map_, {&leg, 1}) < kNoBound;
    }

  private:
    [[nodiscard]] bool link_is_open(const Leg& leg, const Place& end) const {
        if (!stands(leg.start) || !stands(end)) return false;
        const LatticeLink* const link = link_of(map_, leg);
        if (link == nullptr) return false;
        const double middle = map_.table().node_offset();
        const Vec2 at = check_.frame().in_cells({ground(end.position), 0.0}, end.layer).position;
        const Vec2 off = at - Vec2{link->to_x + middle, link->to_y + middle};
        return std::max(std::abs(off.x), std::abs(off.y)) <= kLinkGap;
    }

    const MapData& map_;
    LegCheck check_;
    double reach_;  // world units
};

Result<void> check_unit(const MapData& map, const Agent& agent) {
    if (agent == Agent{} || agent == map.table().options().agent) return {};
    return Error{ErrorCode::incompatible, Field::agent};
}

}  // namespace

Result<const BlockerSweep*> blockers_in(const MapData& map, std::span<const Blocker> blockers,
                                        Scratch& scratch) {
    if (blockers.empty()) return static_cast<const BlockerSweep*>(nullptr);
    if (const Result<void> good = check_blockers(map, blockers); !good) return good.error();
    if (scratch.in_use()) return kScratchInUse;
    auto* sweep = scratch.get<BlockerSweep>();
    if (sweep == nullptr || !sweep->make(map, blockers)) return kNoMemory;
    return static_cast<const BlockerSweep*>(sweep);
}

Revalidation look_at_drive(const MapData& map, const BlockerSweep* blockers, const Route& route,
                           const TouchedBox* changed) {
    return look_at_legs(DriveLegTest(map, blockers), route, changed);
}

Revalidation look_and_keep(const MapData& map, const BlockerSweep* blockers, Route& route,
                           const TouchedBox* changed) {
    const Revalidation found = look_at_drive(map, blockers, route, changed);
    if (!found.legal) return found;
    const DriveLegTest test(map, blockers);
    const double claims = kClearanceBeyond * map.table().lattice_size();
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        Leg& leg = route.legs[i];
        const bool asked =
            changed == nullptr || test.near(leg.start, leg_end(route, i), &leg, *changed, claims);
        if (leg.clearance != kUnknown && asked) write_clearance(map, blockers, leg);
    }
    keep_route(route, map.options().revision);
    return found;
}

Result<Revalidation> revalidate_drive(const MapData& map, Route& route, std::span<const Blocker> blockers,
                                      Scratch& scratch, const TouchedBox* changed) {
    const Result<const BlockerSweep*> others = blockers_in(map, blockers, scratch);
    if (!others) return others.error();
    return look_and_keep(map, *others, route, changed);
}

bool has_other_poses(const Goal& goal) {
    return goal.kind != Goal::Kind::point || !goal.at.has_heading || goal.at.heading_tolerance_rad > 0.0;
}

}  // namespace drive

Result<Revalidation> revalidate(const DriveMapState& map, Route& route, const DriveQuery& query,
                                Scratch& scratch, const Aabb* changed) {
    if (const Result<void> good = drive::check_unit(map.data(), query.agent); !good) return good.error();
    const TouchedBox box{.box = changed != nullptr ? *changed : Aabb{}};
    return drive::revalidate_drive(map.data(), route, query.blockers.span(), scratch,
                                   changed != nullptr ? &box : nullptr);
}

Result<void> repair(const DriveMapState& map, Route& route, const DriveQuery& query, Scratch& scratch) {
    if (const Result<void> good = drive::check_unit(map.data(), query.agent); !good) return good.error();
    return drive::mend_drive(map.data(), route, query, scratch, [&](const DriveQuery& between, Route& piece) {
        return find_route_into(map, between, scratch, piece);
    });
}

Result<Revalidation> revalidate(const DriveMapState& map, Route& route, const TimedQuery& query,
                                Scratch& scratch, const Aabb* changed) {
    if (query.times == nullptr || &query.times->moves() != &map.table())
        return Error{ErrorCode::incompatible, Field::times};
    const TouchedBox box{.box = changed != nullptr ? *changed : Aabb{}};
    return drive::revalidate_drive(map.data(), route, query.blockers.span(), scratch,
                                   changed != nullptr ? &box : nullptr);
}

Result<void> repair(const DriveMapState& map, Route& route, const TimedQuery& query, Scratch& scratch) {
    const Result<Revalidation> found = revalidate(map, route, query, scratch, nullptr);
    if (!found) return found.error();
    if (found->legal) return {};
    auto* work = scratch.get<MendWork>();
    if (work == nullptr) return kNoMemory;
    TimedQuery anew = query;
    anew.start = route.legs.empty() ? route.end : route.legs[0].start;
    if (const Result<void> done = find_route_into(map, anew, scratch, work->piece); !done) return done;
    return take_over(work->piece, route) ? Result<void>() : Result<void>(kNoMemory);
}

}  // namespace fairlead
