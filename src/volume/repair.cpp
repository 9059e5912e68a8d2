// Routes after edits: each leg is looked at by sight; a way around those that are blocked is searched and put in their place.
#include <fairlead/volume/repair.h>

#include <cmath>

#include <fairlead/volume/find_route.h>

#include "base/no_memory.h"
#include "route/leads_nowhere.h"
#include "route/take_over.h"
#include "search/run_search.h"
#include "volume/edit/editor.h"
#include "volume/sight/check_unit.h"
#include "volume/sight/prices.h"
#include "volume/sight/walk.h"

namespace fairlead {

namespace {

using volume::BlockerTree;
using volume::Body;
using volume::StateData;

// Between what sight allows (half a slack) and what verify does: the places of a route are rounded numbers.
constexpr double kGive = 0.6;
constexpr double kGap = 0.5 * volume::kPointGap;

struct VolumeRepairWork {
    explicit VolumeRepairWork(const Allocator& a) : legs(a), blockers(a), prices(a) {
        piece.legs = Array<Leg>(a);
    }
    Route piece;
    Array<Leg> legs;
    BlockerTree blockers;
    volume::Prices prices;
};

/// The query's sphere on its way.
class FlightTest {
  public:
    /// `blockers`: null where there are none.
    FlightTest(const StateData& state, double radius, const BlockerTree* blockers)
        : state_(state), body_(state, radius, kGive, kGap) {
        body_.blockers = blockers;
    }

    [[nodiscard]] bool stands(const Place& place) const {
        const Vec3 at = state_.in_voxels(place.position);
        return place.layer == 0 && is_finite(place.position) && state_.holds(at) &&
               volume::stands(state_, body_, at);
    }

    [[nodiscard]] bool legal(const Leg& leg, const Place& end) const {
        if (leg.kind != LegKind::drive || leg.curvature != 0.0) return false;
        if (leg.start.layer != 0 || end.layer != 0) return false;
        if (!is_finite(leg.start.position) || !is_finite(end.position)) return false;
        const Vec3 a = state_.in_voxels(leg.start.position), b = state_.in_voxels(end.position);
        if (!inside(state_, body_, a) || !inside(state_, body_, b)) return false;
        return sees(state_, body_, a, b) ||
               (body_.radius == 0.0 && (in_voxel_of(a, b) || in_voxel_of(b, a)) && stays_outside(a, b));
    }

    // Does the leg pass within the unit's reach of the box?
    [[nodiscard]] bool near(Vec3 from, Vec3 to, const VoxelBox& box) const {
        if (!is_finite(from) || !is_finite(to)) return true;
        const Vec3 a = state_.in_voxels(from), b = state_.in_voxels(to);
        const auto meets = [](double p, double q, double grow, std::int32_t low, std::int32_t high) {
            return std::min(p, q) - grow <= high && std::max(p, q) + grow >= low;
        };
        return meets(a.x, b.x, body_.grow[0] + 1.0, box.low.x, box.high.x) &&
               meets(a.y, b.y, body_.grow[1] + 1.0, box.low.y, box.high.y) &&
               meets(a.z, b.z, body_.grow[2] + 1.0, box.low.z, box.high.z);
    }

  private:
    // A point that touches something sees nothing along it; in the free voxel that it is on the side of it may be anywhere.
    [[nodiscard]] bool in_voxel_of(Vec3 a, Vec3 b) const {
        Voxel v;
        if (!volume::free_voxel_at(state_, a, v)) return false;
        const auto in = [&](double p, std::int32_t low) {
            return p >= low - state_.slack && p <= low + 1 + state_.slack;
        };
        return in(b.x, v.x) && in(b.y, v.y) && in(b.z, v.z);
    }

    // Beside blockers that it may touch.
    [[nodiscard]] bool stays_outside(Vec3 a, Vec3 b) const {
        if (body_.blockers == nullptr) return true;
        const Vec3 s = state_.scale, from{a.x * s.x, a.y * s.y, a.z * s.z},
                   to{b.x * s.x, b.y * s.y, b.z * s.z};
        return !body_.blockers->along(from, to, body_.margin, [&](const volume::Obstacle& o, std::uint32_t) {
            return goes_inside(o, from, to, body_.give);
        });
    }

    const StateData& state_;
    Body body_;
};

Revalidation test_flight(const VolumeState& volume, const Route& route, const VolumeQuery& query,
                         const BlockerTree* blockers, const VoxelBox* changed) {
    const FlightTest test(volume.data(), query.agent.radius, blockers);
    Revalidation result;
    if (changed != nullptr && changed->empty()) return result;
    if (route.legs.empty()) {
        const Vec3 at = route.end.position;
        const bool asked = !leads_nowhere(route) && (changed == nullptr || test.near(at, at, *changed));
        result.legal = !asked || test.stands(route.end);
        return result;
    }
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Place& end = leg_end(route, i);
        if (changed != nullptr && !test.near(leg.start.position, end.position, *changed)) continue;
        if (test.legal(leg, end)) continue;
        result.legal = false;
        if (result.first_bad < 0) result.first_bad = static_cast<std::int64_t>(i);
        result.last_bad = static_cast<std::int64_t>(i);
    }
    return result;
}

Result<void> check_unit(const VolumeState& volume, const VolumeQuery& query) {
    if (const Result<void> good = volume::check_sphere(query.agent); !good) return good;
    if (const Result<void> good = volume::check_prices(volume.data(), query.areas.span()); !good) return good;
    return volume::check_blockers(volume.data(), query.blockers.span());
}

// Of the query's blockers; null where there are none.
Result<const BlockerTree*> tree_of(const VolumeState& volume, const VolumeQuery& query, Scratch& scratch) {
    if (query.blockers.empty()) return static_cast<const BlockerTree*>(nullptr);
    if (scratch.in_use()) return kScratchInUse;
    auto* work = scratch.get<VolumeRepairWork>();
    if (work == nullptr || !work->blockers.begin(volume.data(), query.blockers.span())) return kNoMemory;
    return static_cast<const BlockerTree*>(&work->blockers);
}

void keep(const VolumeState& volume, Route& route) {
    if (route.revision != volume.revision()) route.bound = kNoBound;
    route.revision = volume.revision();
}

// The legs first to last, both included, are to be searched anew.
struct FlightGap {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t legs = 0;

    [[nodiscard]] bool whole() const { return first == 0 && last + 1 == legs; }
    void widen() {
        if (first > 0) --first;
        if (last + 1 < legs) ++last;
    }
};

// The query for the gap: the legs around it begin and end where they do.
VolumeQuery gap_query(const VolumeQuery& query, Vec3 from, Vec3 to) {
    VolumeQuery gap = query;
    gap.start = from;
    gap.goal = to;
    gap.partial = false;
    gap.reach = 0.0;
    return gap;
}

// False: out of memory; the route is as it was.
bool put_in(Route& route, const FlightGap& gap, Vec3 origin, VolumeRepairWork& work) {
    work.legs.clear();
    const std::span<const Leg> old = route.legs.span();
    const bool to_end = gap.last + 1 >= old.size();
    const std::span<const Leg> parts[] = {old.first(gap.first), work.piece.legs.span(),
                                          to_end ? std::span<const Leg>() : old.subspan(gap.last + 1)};
    for (const std::span<const Leg> part : parts) {
        for (const Leg& leg : part) {
            if (!work.legs.push_back(leg)) return false;
        }
    }
    if (!route.legs.assign(work.legs.span())) return false;
    if (to_end) route.end = work.piece.end;
    route.length = route.line_cost = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        route.length += leg.length;
        route.line_cost += work.prices.empty() ? length(Vec2{leg.length, leg.rise})
                                               : work.prices.of_line(leg.start.position - origin,
                                                                     leg_end(route, i).position - origin);
    }
    return true;
}

}  // namespace

Result<Revalidation> revalidate(const VolumeState& volume, Route& route, const VolumeQuery& query,
                                Scratch& scratch, const VoxelBox* changed) {
    if (const Result<void> good = check_unit(volume, query); !good) return good.error();
    const Result<const BlockerTree*> blockers = tree_of(volume, query, scratch);
    if (!blockers) return blockers.error();
    const Revalidation result = test_flight(volume, route, query, *blockers, changed);
    if (result.legal) keep(volume, route);
    return result;
}

Result<void> repair(const VolumeState& volume, Route& route, const VolumeQuery& query, Scratch& scratch) {
    if (const Result<void> good = check_unit(volume, query); !good) return good.error();
    const Result<const BlockerTree*> blockers = tree_of(volume, query, scratch);
    if (!blockers) return blockers.error();
    const Revalidation found = test_flight(volume, route, query, *blockers, nullptr);
    if (found.legal) {
        keep(volume, route);
        return {};
    }
    auto* work = scratch.get<VolumeRepairWork>();
    if (work == nullptr) return kNoMemory;
    // Of a route without legs the gap is the place where it stands: from leg 0 to the one before it.
    FlightGap gap{route.legs.empty() ? 0 : static_cast<std::size_t>(found.first_bad),
                  static_cast<std::size_t>(found.last_bad), route.legs.size()};
    Route& piece = work->piece;
    for (;; gap.widen()) {
        const bool none = route.legs.empty();
        const Vec3 from = none ? route.end.position : route.legs[gap.first].start.position;
        const Vec3 to = none ? route.end.position : leg_end(route, gap.last).position;
        const Result<void> done = find_route_into(volume, gap_query(query, from, to), scratch, piece);
        if (!done) return done.error();
        if (piece.status == PathStatus::complete) break;
        if (!gap.whole()) continue;
        const PathStatus status = piece.status;
        if (query.partial || query.reach > 0.0) {
            VolumeQuery anew = query;
            anew.start = from;
            if (const Result<void> again = find_route_into(volume, anew, scratch, piece); !again)
                return again.error();
            return take_over(piece, route) ? Result<void>() : Result<void>(kNoMemory);
        }
        route.clear();
        route.status = status;
        route.planner = planner_name(query.planner);
        route.revision = volume.revision();
        route.end = piece.end;
        return {};
    }
    if (!work->prices.begin(volume.data(), query.areas.span())) return kNoMemory;
    if (!put_in(route, gap, volume.data().origin, *work)) return kNoMemory;
    route.cost = gap.whole() ? piece.cost : route.line_cost;
    route.bound = gap.whole() ? piece.bound : kNoBound;
    route.stats = piece.stats;
    route.revision = volume.revision();
    return {};
}

TouchedBox touched_box(const VolumeState& volume, const VoxelBox& changed) {
    const StateData& state = volume.data();
    const auto corner = [&](Voxel v) {
        return state.in_world({static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
    };
    const Vec3 low = corner(changed.low), high = corner(changed.high);
    return {.box = {ground(low), ground(high)}, .low = low.z, .high = high.z};
}

VoxelBox changed_voxels(const VolumeState& volume, const VolumeEdit& edit) {
    const Result<VoxelBox> box = volume::edit_box(volume.data(), edit);
    return box && !box->empty() ? *box : VoxelBox{};
}

}  // namespace fairlead
