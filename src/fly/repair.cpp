// Routes of turning units in a volume after edits: each leg is looked at by CurveProbe; what is illegal is found anew (route/mend.h).
#include <fairlead/fly/repair.h>

#include <algorithm>
#include <cmath>

#include "fly/check_flier.h"
#include "fly/curve_probe.h"
#include "fly/fly_run.h"
#include "route/mend.h"
#include "volume/repair_tree.h"

namespace fairlead {

namespace {

// Does the leg pass within the unit's reach of the box? Every point of an arc is within half its length of one of its ends.
bool flies_near(const volume::StateData& state, const Agent& agent, const Place& from, const Place& to,
                const Leg* leg, const VoxelBox& box) {
    if (!is_finite(from.position) || !is_finite(to.position)) return true;
    const double grow =
        circumscribed_sphere(agent) + (leg != nullptr && leg->curvature != 0.0 ? 0.5 * leg->length : 0.0);
    const Vec3 a = state.in_voxels(from.position), b = state.in_voxels(to.position);
    const auto meets = [grow](double p, double q, double side, std::int32_t low, std::int32_t high) {
        const double reach = grow / side + 1.0;
        return std::min(p, q) - reach <= high && std::max(p, q) + reach >= low;
    };
    return meets(a.x, b.x, state.scale.x, box.low.x, box.high.x) &&
           meets(a.y, b.y, state.scale.y, box.low.y, box.high.y) &&
           meets(a.z, b.z, state.scale.z, box.low.z, box.high.z);
}

bool is_on_map(const volume::StateData& state, const Place& at) {
    return at.layer == 0 && is_finite(at.position) && state.holds(state.in_voxels(at.position));
}

Revalidation test_curves(const VolumeState& volume, const Route& route, const FlyQuery& query,
                         const volume::BlockerTree* blockers, const VoxelBox* changed) {
    const volume::StateData& state = volume.data();
    const fly::CurveProbe probe(state, query.agent, blockers);
    if (changed != nullptr && changed->empty()) return {};
    return look_at_legs(
        route,
        [&](const Place& a, const Place& b, const Leg* leg) {
            return changed == nullptr || flies_near(state, query.agent, a, b, leg, *changed);
        },
        [&](const Leg& leg, const Place& end) {
            return leg.kind == LegKind::drive && is_on_map(state, leg.start) && is_on_map(state, end) &&
                   std::isfinite(leg.length) && std::isfinite(leg.curvature) && probe.is_free(leg);
        },
        [&](const Place& at) { return is_on_map(state, at) && probe.stands(at); });
}

class FlyMender {
  public:
    FlyMender(const VolumeState& volume, const FlyQuery& query, Scratch& scratch)
        : volume_(volume), query_(query), scratch_(scratch) {}

    void fit(MendGap&) const {}
    // What is best so far may be another place by now.
    [[nodiscard]] bool ends_anywhere(const MendGap& gap, const Route& route) const {
        return gap.to_end() && falls_short(route);
    }
    [[nodiscard]] std::uint64_t revision() const { return volume_.revision(); }
    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        FlyQuery between = query_;
        between.start = gap.start_in(route);
        between.goal = gap.end_in(route);
        between.partial = false;
        return find_route_into(volume_, between, scratch_, piece);
    }
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work,
                                      Place& end) const {
        if (!join_legs(gap, route, work, end)) return kNoMemory;
        return true;
    }
    [[nodiscard]] bool has_other_ends() const { return query_.partial; }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        FlyQuery anew = query_;
        anew.start = route.legs.empty() ? route.end : route.legs[0].start;
        return find_route_into(volume_, anew, scratch_, piece);
    }
    [[nodiscard]] double measure(const Route& route, const Route*) const { return length_in_space(route); }

  private:
    const VolumeState& volume_;
    const FlyQuery& query_;
    Scratch& scratch_;
};

}  // namespace

Result<Revalidation> revalidate(const VolumeState& volume, Route& route, const FlyQuery& query,
                                Scratch& scratch, const VoxelBox* changed) {
    if (const Result<void> good = fly::check_flier(volume, query); !good) return good.error();
    const Result<const volume::BlockerTree*> blockers =
        volume::tree_of(volume, query.blockers.span(), core_half_height(query.agent), scratch);
    if (!blockers) return blockers.error();
    const Revalidation found = test_curves(volume, route, query, *blockers, changed);
    if (found.legal) keep_route(route, volume.revision());
    return found;
}

Result<void> repair(const VolumeState& volume, Route& route, const FlyQuery& query, Scratch& scratch) {
    const Result<Revalidation> found = revalidate(volume, route, query, scratch, nullptr);
    if (!found) return found.error();
    if (found->legal) return {};
    auto* work = scratch.get<MendWork>();
    if (work == nullptr) return kNoMemory;
    FlyMender mender(volume, query, scratch);
    return mend(mender, *found, *work, route);
}

}  // namespace fairlead
