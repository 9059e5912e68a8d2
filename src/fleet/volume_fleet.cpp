// A volume behind a fleet: units are asked for with VolumeSearch, those with a turning circle with FlySearch.
#include <fairlead/fleet/volume_fleet.h>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/fly/curve_sight.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/repair.h>

#include "fleet/plane_search.h"
#include "fleet/port_data.h"

namespace fairlead {

namespace fleet {

struct VolumeKind {
    explicit VolumeKind(const FleetUnit& given) : unit(given) {}
    [[nodiscard]] bool flies() const { return unit.agent.turning_radius > 0.0; }
    FleetUnit unit;
};

template <>
struct Own<Volume> : NoBegin, NoPlaces, NoPlans, NoLattice, NoDraw, NoFields {
    using Snapshot = VolumeSnapshot;
    using View = VolumeCrowd;
    using Kind = VolumeKind;
    static constexpr bool kSpace = true;
    static constexpr double kMoved = 1e-3;  // voxels

    static double least_side(const VolumeState& volume) {
        const Vec3 side = volume.voxel_size();
        const double least = side.x < side.y ? side.x : side.y;
        return side.z < least ? side.z : least;
    }
    static double point_radius(const VolumeState& volume) { return 1e-3 * least_side(volume); }

    static Result<void> prepare(PortData<Volume>&, const VolumeKind& kind) {
        const Agent& agent = kind.unit.agent;
        if (agent.footprint != 0) return Error{ErrorCode::incompatible, Field::agent_footprint};
        if (agent.shape != BodyShape::disc) return Error{ErrorCode::unsupported, Field::agent_shape};
        if (kind.flies() && (agent.can_reverse || agent.can_pivot))
            return Error{ErrorCode::unsupported, Field::agent};
        return {};
    }

    static VolumeQuery query_of(const FleetAsk& ask) {
        VolumeQuery query;
        query.start = Vec3{ask.from.position};
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        return query;
    }

    static Result<RequestId> ask(PortData<Volume>& port, const VolumeKind& kind, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options) {
        if (kind.flies()) {
            PlaneQuery plane;
            plane.fly.start = Spot(ask.from);
            plane.fly.start.has_heading = ask.has_heading;
            plane.fly.goal = ask.goal;
            plane.fly.agent = ask.unit->agent;
            plane.fly.climb = ask.unit->climb;
            plane.fly.blockers = Borrowed<VolumeBlocker>(ask.balls.data(), ask.balls.size());
            return scheduler.submit<PlaneSearch>(*port.id, plane, options);
        }
        VolumeQuery query = query_of(ask);
        query.reach = kMoved * least_side(*port.now);
        return scheduler.submit<VolumeSearch>(*port.id, query, options);
    }

    static bool legal(PortData<Volume>& port, const VolumeKind& kind, Route& route, const FleetAsk& ask) {
        if (kind.flies()) {
            bool free = true;
            for (const Leg& leg : route.legs)
                free = free && leg_in_sight(*port.now, leg, ask.unit->agent.radius);
            return free;
        }
        const Result<Revalidation> still = revalidate(*port.now, route, query_of(ask), port.scratch);
        return still && still->legal;
    }

    static Result<void> published(PortData<Volume>&, Scheduler&) { return {}; }
};

}  // namespace fleet

template class WorldFleet<Volume>;

}  // namespace fairlead
