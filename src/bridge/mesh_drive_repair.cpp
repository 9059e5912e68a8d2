// Routes of turning units on a level mesh after edits: every leg is swept with the body again, over the sheet of surface that it starts on;
// what is illegal is found anew (route/mend.h).
#include <fairlead/bridge/drive_repair.h>

#include <algorithm>
#include <cmath>

#include "bridge/mesh_drive_run.h"
#include "bridge/mesh_sweep.h"
#include "drive/body/leg_word.h"
#include "drive/repair/look_at_drive.h"
#include "mesh/query/leg_look.h"
#include "mesh/surface/surface.h"
#include "route/mend.h"

namespace fairlead {

namespace bridge {

namespace {

/// Kept in the scratch.
struct MeshDriveLook {
    explicit MeshDriveLook(const Allocator& a) : sweep(a) {}
    MeshSweep sweep;
};

class MeshLegTest {
  public:
    MeshLegTest(const NavMeshState& mesh, const MeshDriveQuery& query, double cell, Vec3 near_to,
                MeshSweep& sweep)
        : state_(mesh.data()),
          prices_(MeshPrices::of_filter(query.filter)),
          sweep_(sweep),
          slack_(state_.touching()) {
        const Agent& agent = query.table != nullptr ? query.table->options().agent : query.agent;
        const Vec2 around = ground(near_to - state_.origin);
        const MeshFrame frame = MeshFrame::around(is_finite(around) ? around : Vec2{}, cell);
        const BodyCore body = body_beyond(agent, state_.agent_radius);
        sweep_.begin(state_, frame, scaled_body(body, frame.scale), prices_);
        reach_ = circumscribed_radius(agent) + state_.agent_radius + cell;
    }

    [[nodiscard]] bool near(const Place& a, const Place& b, const Leg* leg, const Aabb& changed) const {
        if (!is_finite(a.position) || !is_finite(b.position)) return true;
        const double grow = reach_ + (leg != nullptr && leg->curvature != 0.0 ? 0.5 * leg->length : 0.0);
        const auto meets = [&](double p, double q, double low, double high) {
            return std::min(p, q) - grow <= high && std::max(p, q) + grow >= low;
        };
        return meets(a.position.x, b.position.x, changed.low.x, changed.high.x) &&
               meets(a.position.y, b.position.y, changed.low.y, changed.high.y);
    }
    [[nodiscard]] bool stands(const Place& at) const {
        std::uint32_t polygon = under(at);
        return polygon != mesh::kNone && sweep_.is_free(polygon, pose_of(at), 1.0, CurveWord{});
    }
    [[nodiscard]] bool legal(const Leg& leg, const Place& end) const {
        if (leg.kind == LegKind::link || !std::isfinite(leg.length) || !std::isfinite(leg.curvature))
            return false;
        std::uint32_t polygon = under(leg.start);
        if (polygon == mesh::kNone || !is_finite(end.position)) return false;
        const drive::LegWord driven = drive::leg_word(leg, sweep_.frame().scale);
        if (!sweep_.is_free(polygon, pose_of(leg.start), driven.radius, driven.word)) return false;
        const Vec3 at = end.position - state_.origin;
        return std::abs(mesh::ground_near(state_, polygon, ground(at)) - at.z) <= mesh::kRouteHeightSlack;
    }
    [[nodiscard]] bool failed() const { return sweep_.failed(); }
    [[nodiscard]] std::uint64_t revision() const { return state_.revision; }

    /// Of legs that are legal.
    [[nodiscard]] double line_cost(std::span<const Leg> legs) const {
        double sum = 0.0;
        for (const Leg& leg : legs) {
            const std::uint32_t polygon = under(leg.start);
            if (prices_.even || polygon == mesh::kNone || leg.kind != LegKind::drive) {
                sum += leg.length;
                continue;
            }
            const drive::LegWord driven = drive::leg_word(leg, sweep_.frame().scale);
            const drive::SheetPose from(pose_of(leg.start), polygon);
            sum += sweep_.priced_length(from, driven.radius, driven.word, 1.0) * sweep_.frame().size;
        }
        return sum * prices_.unit;
    }

  private:
    [[nodiscard]] std::uint32_t under(const Place& at) const {
        if (!is_finite(at.position)) return mesh::kNone;
        const MeshReach reach{slack_, mesh::kRouteHeightSlack, mesh::kRouteHeightSlack};
        return mesh::nearest_point(state_, at.position - state_.origin, reach, prices_.closed).polygon;
    }
    [[nodiscard]] Pose pose_of(const Place& at) const {
        return {sweep_.frame().in_cells(ground(at.position - state_.origin)), at.heading_rad};
    }

    const mesh::StateData& state_;
    MeshPrices prices_;
    MeshSweep& sweep_;
    double slack_ = 0.0;
    double reach_ = 0.0;  // world units
};

class MeshDriveMender {
  public:
    MeshDriveMender(const NavMeshState& mesh, const MeshDriveQuery& query, Scratch& scratch,
                    const MeshLegTest& test)
        : mesh_(mesh), query_(query), scratch_(scratch), test_(test) {}

    void fit(MendGap&) const {}
    // What is best so far may be another place by now.
    [[nodiscard]] bool ends_anywhere(const MendGap& gap, const Route& route) const {
        return gap.to_end() && falls_short(route);
    }
    [[nodiscard]] std::uint64_t revision() const { return mesh_.revision(); }
    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        MeshDriveQuery between = query_;
        between.start = in_any_layer(gap.start_in(route));
        between.goal = in_any_layer(gap.end_in(route));
        between.reach = {0.0, mesh::kRouteHeightSlack, mesh::kRouteHeightSlack};
        between.partial = false;
        return find_route_into(mesh_, between, scratch_, piece);
    }
    // Heights are those of the surface as it is now where the piece begins and ends.
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work,
                                      Place& end) const {
        if (!join_legs(gap, route, work, end)) return kNoMemory;
        const std::span<Leg> legs = work.legs.span();
        for (std::size_t i = 0; i < legs.size(); ++i) {
            const double to = i + 1 < legs.size() ? legs[i + 1].start.position.z : end.position.z;
            legs[i].rise = to - legs[i].start.position.z;
        }
        return true;
    }
    [[nodiscard]] bool has_other_ends() const {
        return query_.partial || drive::has_other_poses(query_.goal);
    }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        MeshDriveQuery anew = query_;
        anew.start = in_any_layer(route.legs.empty() ? route.end : route.legs[0].start);
        return find_route_into(mesh_, anew, scratch_, piece);
    }
    [[nodiscard]] double measure(const Route& route, const Route* whole) const {
        return whole != nullptr ? whole->line_cost : test_.line_cost(route.legs.span());
    }

  private:
    static Spot in_any_layer(const Place& place) {
        Spot spot(place);
        spot.has_layer = false;
        return spot;
    }

    const NavMeshState& mesh_;
    const MeshDriveQuery& query_;
    Scratch& scratch_;
    const MeshLegTest& test_;
};

// The sides of the lattice's cells that the query's unit is searched on: numbers are small in them.
Result<double> cell_of(const MeshDriveQuery& query) {
    if (const Result<void> good = check_prices(query.filter); !good) return good.error();
    if (query.table != nullptr) return query.table->lattice_size();
    if (const Result<void> good = check_body(query.agent); !good) return good.error();
    const double cell = mesh_cell_size(query.agent, query.lattice);
    if (!(cell > 0.0) || !std::isfinite(cell)) return Error{ErrorCode::out_of_range, Field::cell_size};
    return cell;
}

Vec3 first_place(const Route& route) {
    return route.legs.empty() ? route.end.position : route.legs[0].start.position;
}

}  // namespace

}  // namespace bridge

Result<Revalidation> revalidate(const NavMeshState& mesh, Route& route, const MeshDriveQuery& query,
                                Scratch& scratch, const Aabb* changed) {
    const Result<double> cell = bridge::cell_of(query);
    if (!cell) return cell.error();
    auto* work = scratch.get<bridge::MeshDriveLook>();
    if (work == nullptr) return kNoMemory;
    const bridge::MeshLegTest test(mesh, query, *cell, bridge::first_place(route), work->sweep);
    const Revalidation found = look_at_legs(test, route, changed);
    if (test.failed()) return kNoMemory;
    if (found.legal) keep_route(route, mesh.revision());
    return found;
}

Result<void> repair(const NavMeshState& mesh, Route& route, const MeshDriveQuery& query, Scratch& scratch) {
    const Result<Revalidation> found = revalidate(mesh, route, query, scratch, nullptr);
    if (!found) return found.error();
    if (found->legal) return {};
    auto* look = scratch.get<bridge::MeshDriveLook>();
    auto* work = scratch.get<MendWork>();
    if (look == nullptr || work == nullptr) return kNoMemory;
    const bridge::MeshLegTest test(mesh, query, *bridge::cell_of(query), bridge::first_place(route),
                                   look->sweep);
    bridge::MeshDriveMender mender(mesh, query, scratch, test);
    return mend(mender, *found, *work, route);
}

}  // namespace fairlead
