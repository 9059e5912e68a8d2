// Revalidation of turning units' routes over a DriveMap, and what mending needs: in repair.cpp for the map's own calls, in bridge for
// those over a grid.
#pragma once

#include <fairlead/drive/find_drive.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/route/route_index.h>

#include "drive/body/leg_clearance.h"
#include "drive/cost/line_cost.h"
#include "drive/map/blocker_sweep.h"
#include "route/mend.h"

namespace fairlead::drive {

/// A query's blockers, ready; null: none. In memory of the scratch, which is read only where there are some. Errors: those of
/// check_blockers, scratch_in_use, out_of_memory.
[[nodiscard]] Result<const BlockerSweep*> blockers_in(const MapData& map, std::span<const Blocker> blockers,
                                                      Scratch& scratch);

/// `changed` null: everything has. `blockers` null: none.
[[nodiscard]] Revalidation look_at_drive(const MapData& map, const BlockerSweep* blockers, const Route& route,
                                         const TouchedBox* changed);

/// The same, and what a legal route gets: the revision, claims of clearance.
[[nodiscard]] Revalidation look_and_keep(const MapData& map, const BlockerSweep* blockers, Route& route,
                                         const TouchedBox* changed);
/// All of it, for a query over a map.
[[nodiscard]] Result<Revalidation> revalidate_drive(const MapData& map, Route& route,
                                                    std::span<const Blocker> blockers, Scratch& scratch,
                                                    const TouchedBox* changed);

/// May the route end elsewhere than it does: is there more than one pose that would do?
[[nodiscard]] bool has_other_poses(const Goal& goal);

/// A Mender (route/mend.h). `find(query, piece)` is the world's find_route_into.
template <class Find>
class DriveMender {
  public:
    DriveMender(const MapData& map, const DriveQuery& query, Find find)
        : map_(map), query_(query), find_(find) {}

    void fit(MendGap&) const {}
    // What is best so far may be another place by now.
    [[nodiscard]] bool ends_anywhere(const MendGap& gap, const Route& route) const {
        return gap.to_end() && falls_short(route);
    }
    [[nodiscard]] std::uint64_t revision() const { return map_.options().revision; }
    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        DriveQuery between = query_;
        between.start = gap.start_in(route);
        between.goal = gap.end_in(route);
        between.partial = false;
        return find_(between, piece);
    }
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work,
                                      Place& end) const {
        if (!join_legs(gap, route, work, end)) return kNoMemory;
        return true;
    }
    [[nodiscard]] bool has_other_ends() const { return query_.partial || has_other_poses(query_.goal); }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        DriveQuery anew = query_;
        anew.start = route.legs.empty() ? route.end : route.legs[0].start;
        return find_(anew, piece);
    }
    [[nodiscard]] double measure(const Route& route, const Route*) const {
        return line_cost(map_, route.legs.span());
    }

  private:
    const MapData& map_;
    const DriveQuery& query_;
    Find find_;
};

/// Looks, and mends what is illegal. `scratch` holds the work.
template <class Find>
[[nodiscard]] Result<void> mend_drive(const MapData& map, Route& route, const DriveQuery& query,
                                      Scratch& scratch, Find find) {
    const Result<const BlockerSweep*> blockers = blockers_in(map, query.blockers.span(), scratch);
    if (!blockers) return blockers.error();
    const Revalidation found = look_and_keep(map, *blockers, route, nullptr);
    if (found.legal) return {};
    auto* work = scratch.get<MendWork>();
    if (work == nullptr) return kNoMemory;
    DriveMender mender(map, query, find);
    if (const Result<void> done = mend(mender, found, *work, route); !done) return done;
    for (Leg& leg : route.legs) {
        if (leg.clearance != kUnknown) write_clearance(map, *blockers, leg);
    }
    return {};
}

}  // namespace fairlead::drive
