// Routes after edits: each leg is looked at by sight; a way around those that are blocked is searched and put in their place.
#include <fairlead/volume/repair.h>

#include <cmath>

#include <fairlead/volume/find_route.h>

#include "base/no_memory.h"
#include "route/mend.h"
#include "volume/edit/editor.h"
#include "volume/repair_tree.h"
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

struct PricesInScratch {
    explicit PricesInScratch(const Allocator& a) : prices(a) {}
    volume::Prices prices;
};

/// The query's unit on its way.
class FlightTest {
  public:
    /// `blockers`: null where there are none.
    FlightTest(const StateData& state, const Agent& agent, const BlockerTree* blockers)
        : state_(state), body_(state, agent, kGive, kGap) {
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
    const FlightTest test(volume.data(), query.agent, blockers);
    if (changed != nullptr && changed->empty()) return {};
    return look_at_legs(
        route,
        [&](const Place& a, const Place& b, const Leg*) {
            return changed == nullptr || test.near(a.position, b.position, *changed);
        },
        [&](const Leg& leg, const Place& end) { return test.legal(leg, end); },
        [&](const Place& at) { return test.stands(at); });
}

Result<void> check_unit(const VolumeState& volume, const VolumeQuery& query) {
    if (const Result<void> good = volume::check_upright(volume.data(), query.agent); !good) return good;
    if (const Result<void> good = volume::check_prices(volume.data(), query.areas.span()); !good) return good;
    return volume::check_blockers(volume.data(), query.blockers.span());
}

class VolumeMender {
  public:
    VolumeMender(const VolumeState& volume, const VolumeQuery& query, volume::Prices& prices,
                 Scratch& scratch)
        : volume_(volume), query_(query), prices_(prices), scratch_(scratch) {}

    void fit(MendGap&) const {}
    [[nodiscard]] bool ends_anywhere(const MendGap&, const Route&) const { return false; }
    [[nodiscard]] std::uint64_t revision() const { return volume_.revision(); }
    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        VolumeQuery between = query_;
        between.start = gap.start_in(route).position;
        between.goal = gap.end_in(route).position;
        between.partial = false;
        between.reach = 0.0;  // the legs around it begin and end where they do
        return find_route_into(volume_, between, scratch_, piece);
    }
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work,
                                      Place& end) const {
        if (!join_legs(gap, route, work, end)) return kNoMemory;
        return true;
    }
    [[nodiscard]] bool has_other_ends() const { return query_.partial || query_.reach > 0.0; }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        VolumeQuery anew = query_;
        anew.start = route.legs.empty() ? route.end.position : route.legs[0].start.position;
        return find_route_into(volume_, anew, scratch_, piece);
    }
    [[nodiscard]] double measure(const Route& route, const Route*) const {
        if (prices_.empty()) return length_in_space(route);
        const Vec3 low = volume_.data().origin;
        double sum = 0.0;
        for (std::size_t i = 0; i < route.legs.size(); ++i)
            sum += prices_.of_line(route.legs[i].start.position - low, leg_end(route, i).position - low);
        return sum;
    }

  private:
    const VolumeState& volume_;
    const VolumeQuery& query_;
    volume::Prices& prices_;
    Scratch& scratch_;
};

}  // namespace

Result<Revalidation> revalidate(const VolumeState& volume, Route& route, const VolumeQuery& query,
                                Scratch& scratch, const VoxelBox* changed) {
    if (const Result<void> good = check_unit(volume, query); !good) return good.error();
    const Result<const BlockerTree*> blockers =
        volume::tree_of(volume, query.blockers.span(), core_half_height(query.agent), scratch);
    if (!blockers) return blockers.error();
    const Revalidation result = test_flight(volume, route, query, *blockers, changed);
    if (result.legal) keep_route(route, volume.revision());
    return result;
}

Result<void> repair(const VolumeState& volume, Route& route, const VolumeQuery& query, Scratch& scratch) {
    const Result<Revalidation> found = revalidate(volume, route, query, scratch, nullptr);
    if (!found) return found.error();
    if (found->legal) return {};
    auto* work = scratch.get<MendWork>();
    auto* priced = scratch.get<PricesInScratch>();
    if (work == nullptr || priced == nullptr) return kNoMemory;
    if (!priced->prices.begin(volume.data(), query.areas.span())) return kNoMemory;
    VolumeMender mender(volume, query, priced->prices, scratch);
    return mend(mender, *found, *work, route);
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
