// A level mesh behind a fleet: walkers are asked for with MeshSearch, vehicles with MeshDriveSearch and a table of their kind.
#include <fairlead/fleet/mesh_fleet.h>

#include <optional>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_field.h>
#include <fairlead/mesh/repair.h>

#include "fleet/mesh_window.h"
#include "fleet/port_data.h"

namespace fairlead {

namespace fleet {

struct MeshKind {
    explicit MeshKind(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
    std::optional<DriveTable> table{};
    std::optional<DriveTable> core{};  ///< of what walls are for in windows, if that is less than the body
};

/// A field of a mesh (mesh/mesh_field.h).
class LevelField {
  public:
    explicit LevelField(const Allocator& allocator) : allocator_(allocator), field_(allocator) {}

    [[nodiscard]] Result<void> begin(PortData<NavMesh>& port, const FleetAsk& ask);
    std::uint64_t step(std::uint64_t units) { return field_.step(units); }
    [[nodiscard]] bool running() const { return field_.running(); }
    [[nodiscard]] Result<void> route(const Place& from, Route& out) const {
        return field_.route(from.position, out);
    }
    void drop() { field_ = MeshField(allocator_); }

  private:
    Allocator allocator_;
    MeshField field_;
};

template <>
struct Own<NavMesh> : OnGround, NoDraw {
    using SharedField = LevelField;
    static constexpr bool kHasFields = true;
    /// Measured (docs/performance.md, suite crowd): filling a field costs as much as so many searches.
    static constexpr std::uint32_t kFieldFrom = 150;
    using Snapshot = NavMeshSnapshot;
    using View = MeshCrowd;
    using Kind = MeshKind;
    static constexpr bool kHasPlaces = true;
    static constexpr bool kHasBegin = true;
    static constexpr bool kHasHeight = true;
    static constexpr bool kHasPlans = true;
    static constexpr bool kExactEnds = true;
    static constexpr bool kHasLattice = true;
    using Window = MeshWindow;

    /// Walkers fit beside each other; a lane narrower than two of them may have no place.
    static WalkLattice lattice(const PortData<NavMesh>&, const MeshKind& kind) {
        return {{}, 2.02 * kind.unit.agent.radius};
    }

    static double point_radius(const NavMeshState& mesh) {
        return mesh.agent_radius() > 0.0 ? 0.01 * mesh.agent_radius() : 1e-3;
    }

    static Result<void> prepare(PortData<NavMesh>& port, MeshKind& kind) {
        if (kind.unit.agent.turning_radius == 0.0) return {};
        Result<DriveTable> table = make_mesh_drive_table(kind.unit.agent);
        if (!table) return table.error();
        kind.table.emplace(std::move(*table));
        const double margin = port.source->state().agent_radius();
        if (!(margin > 0.0)) return {};
        const MeshLatticeOptions lattice{.cell_size = kind.table->options().cell_size};
        Result<DriveTable> core = make_mesh_drive_table(core_of(kind.unit.agent, margin), lattice);
        if (!core) return core.error();
        kind.core.emplace(std::move(*core));
        return {};
    }

    static const DriveTable* moves(const MeshKind& kind) {
        return kind.core ? &*kind.core : kind.table ? &*kind.table : nullptr;
    }
    static Result<DriveMap> map(PortData<NavMesh>&, const MeshKind& kind, const MeshWindow& window,
                                std::span<const Blocker> walls) {
        return window.map(*moves(kind), kind.unit.agent, walls);
    }

    /// Who is further off the surface than its radius is in a wall.
    static MeshReach reach_of(double radius) { return {.across = radius}; }

    static MeshQuery walk_of(const MeshKind& kind, const Place& from) {
        MeshQuery query;
        query.start = Spot(from).any_heading();
        query.start.has_layer = false;
        query.agent = kind.unit.agent;
        query.reach = reach_of(circumscribed_radius(query.agent));
        return query;
    }

    /// A leg on slopes is straight, the surface is not.
    static double height(PortData<NavMesh>& port, const Place& at) {
        const MeshPoint below = port.now->nearest(at.position, reach_of(0.0));
        return below.polygon.valid() ? below.position.z : at.position.z;
    }

    /// A query brings a walker's start onto the surface, and as far from walls as it is wide; a vehicle's to the height of the surface.
    static Place begin_at(PortData<NavMesh>& port, const MeshKind& kind, const Place& at) {
        if (kind.table) {
            Place out = at;
            out.position.z = height(port, at);
            return out;
        }
        MeshQuery query = walk_of(kind, at);
        query.goal = query.start;
        const Result<Route> there = find_route(*port.now, query, port.scratch);
        if (!there || there->status != PathStatus::complete) return at;
        Place out = at;
        out.position = there->end.position;
        return out;
    }

    static Result<RequestId> ask(PortData<NavMesh>& port, const MeshKind& kind, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options) {
        if (!kind.table) {
            MeshQuery query = walk_of(kind, ask.from);
            query.goal = ask.goal;
            return scheduler.submit<MeshSearch>(*port.id, query, options);
        }
        Spot start(ask.from);
        start.has_layer = false;
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

    static Result<void> published(PortData<NavMesh>&, Scheduler&) { return {}; }

    static std::uint32_t field_pays_from(const PortData<NavMesh>& port, const FleetAsk& ask) {
        const Agent& agent = ask.unit->agent;
        const bool plain = agent.turning_radius == 0.0 && agent.shape == BodyShape::disc;
        const bool fits = agent.radius <= port.now->agent_radius() || agent.radius == 0.0;
        const bool serves = plain && fits && ask.goal.kind == Spot::Kind::position && port.now->links() == 0;
        return serves ? kFieldFrom : 0;
    }
};

Result<void> LevelField::begin(PortData<NavMesh>& port, const FleetAsk& ask) {
    const double radius = ask.unit->agent.radius;
    return field_.begin(
        port.now, {.goal = ask.goal.position, .radius = radius, .reach = Own<NavMesh>::reach_of(radius)});
}

}  // namespace fleet

template class WorldFleet<NavMesh>;

}  // namespace fairlead
