// A volume behind a fleet: units are asked for with VolumeSearch.
#include <fairlead/fleet/volume_fleet.h>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/repair.h>

#include "fleet/port_data.h"

namespace fairlead {

namespace fleet {

struct VolumeKind {
    explicit VolumeKind(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
};

template <>
struct Own<Volume> : NoPlaces, NoPlans, NoFields {
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

    static Result<void> prepare(PortData<Volume>&, VolumeKind& kind) {
        if (kind.unit.agent.turning_radius > 0.0) {
            return Error{ErrorCode::unsupported, Field::agent_turning_radius};
        }
        return {};
    }

    static VolumeQuery query_of(const FleetAsk& ask) {
        VolumeQuery query;
        query.start = Vec3{ask.from.position};
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        return query;
    }

    static Result<RequestId> ask(PortData<Volume>& port, const VolumeKind&, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options) {
        VolumeQuery query = query_of(ask);
        query.reach = kMoved * least_side(*port.now);
        return scheduler.submit<VolumeSearch>(*port.id, query, options);
    }

    static bool legal(PortData<Volume>& port, const VolumeKind&, Route& route, const FleetAsk& ask) {
        const Result<Revalidation> still = revalidate(*port.now, route, query_of(ask), port.scratch);
        return still && still->legal;
    }

    static Result<void> published(PortData<Volume>&, Scheduler&) { return {}; }
};

}  // namespace fleet

template class WorldFleet<Volume>;

}  // namespace fairlead
