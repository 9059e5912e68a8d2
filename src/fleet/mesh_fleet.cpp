// A level mesh behind a fleet: walkers are asked for with MeshSearch, vehicles with MeshDriveSearch and a table of their kind.
#include <fairlead/fleet/mesh_fleet.h>

#include <algorithm>
#include <optional>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>

#include "fleet/port_data.h"

namespace fairlead {

namespace fleet {

struct MeshKind {
    explicit MeshKind(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
    std::optional<DriveTable> table{};
};

template <>
struct Own<NavMesh> : OnGround, NoPlans {
    using Snapshot = NavMeshSnapshot;
    using View = MeshCrowd;
    using Kind = MeshKind;
    static constexpr bool kHasPlaces = true;
    static constexpr double kRadiiAcrossMax = 1500.0;

    static double point_radius(const NavMeshState& mesh) {
        return mesh.agent_radius() > 0.0 ? 0.01 * mesh.agent_radius() : 1e-3;
    }

    static Result<void> prepare(PortData<NavMesh>&, MeshKind& kind) {
        if (kind.unit.agent.turning_radius == 0.0) return {};
        Result<DriveTable> table = make_mesh_drive_table(kind.unit.agent);
        if (!table) return table.error();
        kind.table.emplace(std::move(*table));
        return {};
    }

    static Result<RequestId> ask(PortData<NavMesh>& port, const MeshKind& kind, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options) {
        Spot start(ask.from);
        start.has_layer = false;
        if (!kind.table) {
            MeshQuery query;
            query.start = start.any_heading();
            query.goal = ask.goal;
            query.agent = ask.unit->agent;
            return scheduler.submit<MeshSearch>(*port.id, query, options);
        }
        MeshDriveQuery query;
        query.start = start;
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        query.reverse_penalty = ask.unit->reverse_penalty;
        query.cusp_penalty = ask.unit->cusp_penalty;
        query.table = &*kind.table;
        return scheduler.submit<MeshDriveSearch>(*port.id, query, options);
    }

    static bool legal(PortData<NavMesh>& port, const MeshKind& kind, Route& route, const FleetAsk& ask) {
        if (kind.table) return route.revision == port.now->revision();
        MeshQuery query;
        query.agent = ask.unit->agent;
        const Result<Revalidation> still = revalidate(*port.now, route, query, port.scratch);
        return still && still->legal;
    }

    static bool places(PortData<NavMesh>& port, double radius) {
        const Aabb box = port.now->bounds();
        const double across = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
        if (!(radius * kRadiiAcrossMax > across)) return false;  // too fine a raster
        WallsOptions options;
        options.radius = radius;
        const Result<MeshWalls> walls = MeshWalls::make(*port.now, options);
        if (!walls || walls->floors() != 1) return false;
        Result<NarrowPlaces> found = port.finder.find(walls->options(0), walls->rows(0));
        if (!found) return false;
        port.places = std::move(*found);
        return true;
    }

    static Result<void> published(PortData<NavMesh>&, Scheduler&) { return {}; }
};

}  // namespace fleet

template class WorldFleet<NavMesh>;

}  // namespace fairlead
