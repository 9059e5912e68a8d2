// A level mesh behind a fleet: walkers are asked for with MeshSearch, vehicles with MeshDriveSearch and a table of their kind.
#include <fairlead/fleet/mesh_fleet.h>

#include <algorithm>
#include <new>
#include <optional>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>

#include "fleet/kind_list.h"

namespace fairlead {

namespace fleet {

struct MeshKind {
    explicit MeshKind(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
    std::optional<DriveTable> table{};
};

struct MeshPortData {
    MeshPortData(const NavMesh& given, const Allocator& allocator)
        : mesh(&given), kinds(allocator), finder(allocator) {}

    const NavMesh* mesh;
    NavMeshSnapshot now{};
    std::optional<WorldId<NavMeshSnapshot>> world{};
    std::optional<MeshCrowd> crowd{};
    KindList<MeshKind> kinds;
    PlaceFinder finder;
    NarrowPlaces places{};
    Scratch scratch{};
};

namespace {

constexpr double kRadiiAcrossMax = 1500.0;

MeshPortData& level(void* user) { return *static_cast<MeshPortData*>(user); }

Result<void> mesh_add_kind(const FleetUnit& unit, FleetKind, void* user) {
    MeshPortData& port = level(user);
    MeshKind* kind = port.kinds.add(unit);
    if (kind == nullptr) return Error{ErrorCode::out_of_memory};
    if (unit.agent.turning_radius == 0.0) return {};
    Result<DriveTable> table = make_mesh_drive_table(unit.agent);
    if (!table) {
        port.kinds.drop_last();
        return table.error();
    }
    kind->table.emplace(std::move(*table));
    return {};
}

Result<RequestId> mesh_ask(Scheduler& scheduler, const FleetAsk& ask, const RequestOptions& options,
                           void* user) {
    MeshPortData& port = level(user);
    const MeshKind& kind = port.kinds[ask.kind.value];
    Spot start(ask.from);
    start.has_layer = false;
    if (!kind.table) {
        MeshQuery query;
        query.start = start.any_heading();
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        return scheduler.submit<MeshSearch>(*port.world, query, options);
    }
    MeshDriveQuery query;
    query.start = start;
    query.goal = ask.goal;
    query.agent = ask.unit->agent;
    query.reverse_penalty = ask.unit->reverse_penalty;
    query.cusp_penalty = ask.unit->cusp_penalty;
    query.table = &*kind.table;
    return scheduler.submit<MeshDriveSearch>(*port.world, query, options);
}

bool mesh_legal(Route& route, const FleetAsk& ask, void* user) {
    MeshPortData& port = level(user);
    if (port.kinds[ask.kind.value].table) return route.revision == port.now->revision();
    MeshQuery query;
    query.agent = ask.unit->agent;
    const Result<Revalidation> still = revalidate(*port.now, route, query, port.scratch);
    return still && still->legal;
}

CrowdWorld mesh_crowd(void* user) { return level(user).crowd->world(); }

const NarrowPlaces* mesh_places(double radius, void* user) {
    MeshPortData& port = level(user);
    const Aabb box = port.now->bounds();
    const double across = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
    if (!(radius * kRadiiAcrossMax > across)) return nullptr;  // too fine a raster
    WallsOptions options;
    options.radius = radius;
    const Result<MeshWalls> walls = MeshWalls::make(*port.now, options);
    if (!walls || walls->floors() != 1) return nullptr;
    Result<NarrowPlaces> found = port.finder.find(walls->options(0), walls->rows(0));
    if (!found) return nullptr;
    port.places = std::move(*found);
    return &port.places;
}

Result<void> mesh_publish(Scheduler& scheduler, void* user) {
    MeshPortData& port = level(user);
    port.now = port.mesh->acquire();
    port.crowd.emplace(*port.now);
    if (port.world) return scheduler.publish(*port.world, port.now);
    const auto added = scheduler.add_world(port.now);
    if (!added) return added.error();
    port.world = *added;
    return {};
}

}  // namespace

}  // namespace fleet

MeshFleet::MeshFleet(const NavMesh& mesh, const Allocator& allocator) : allocator_(allocator) {
    void* memory =
        allocator_.allocate(sizeof(fleet::MeshPortData), alignof(fleet::MeshPortData), allocator_.user);
    if (memory != nullptr) data_ = ::new (memory) fleet::MeshPortData(mesh, allocator_);
}

MeshFleet::~MeshFleet() {
    if (data_ == nullptr) return;
    data_->~MeshPortData();
    allocator_.release(data_, sizeof(fleet::MeshPortData), alignof(fleet::MeshPortData), allocator_.user);
}

FleetPort MeshFleet::port() const {
    if (data_ == nullptr) return {};
    const double kept = data_->mesh->state().agent_radius();
    const double point = kept > 0.0 ? 0.01 * kept : 1e-3;
    return {fleet::mesh_add_kind,
            fleet::mesh_ask,
            fleet::mesh_legal,
            fleet::mesh_crowd,
            fleet::mesh_places,
            fleet::mesh_publish,
            nullptr,
            nullptr,
            point,
            data_};
}

}  // namespace fairlead
