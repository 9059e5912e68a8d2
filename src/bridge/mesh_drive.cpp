// find_route of turning units on a level mesh: the harness of all searches over bridge::MeshDriveRun, and the unit's table.
#include <fairlead/bridge/mesh_drive.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/no_memory.h"
#include "bridge/mesh_drive_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<MeshDriveSearchKind>;

namespace {

constexpr double kFineRadiusMax =
    16.0;  // cells: a lattice's cells are half as large then, and 32 is the most

// Tables of the last unit, kept in the Scratch.
struct MeshDriveTables {
    explicit MeshDriveTables(const Allocator&) {}
    std::optional<DriveTable> table[2];  // the second: every half cell

    [[nodiscard]] Result<const DriveTable*> bring(int which, const DriveTableOptions& wanted) {
        std::optional<DriveTable>& kept = table[which];
        const auto same = [&](const DriveTableOptions& other) {
            return other.agent == wanted.agent && other.cell_size == wanted.cell_size &&
                   other.headings == wanted.headings && other.stretch == wanted.stretch &&
                   other.nodes == wanted.nodes;
        };
        if (!kept || !same(kept->options())) {
            kept.reset();
            Result<DriveTable> made = DriveTable::make(wanted);
            if (!made) return made.error();
            kept.emplace(std::move(*made));
        }
        return &*kept;
    }
};

DriveTableOptions mesh_table_options(const Agent& agent, const MeshLatticeOptions& lattice) {
    return {.agent = agent,
            .cell_size = bridge::mesh_cell_size(agent, lattice),
            .headings = lattice.headings,
            .stretch = lattice.stretch,
            .allocator = lattice.allocator};
}

}  // namespace

namespace bridge {

double mesh_cell_size(const Agent& agent, const MeshLatticeOptions& lattice) {
    if (lattice.cell_size > 0.0) return lattice.cell_size;
    const double width = agent.shape == BodyShape::box ? agent.width : 2.0 * agent.radius;
    const double third = agent.turning_radius / 3.0;
    return width > 0.0 ? std::max(std::min(third, width), agent.turning_radius / kFineRadiusMax) : third;
}

}  // namespace bridge

Result<DriveTable> make_mesh_drive_table(const Agent& agent, const MeshLatticeOptions& lattice) {
    return DriveTable::make(mesh_table_options(agent, lattice));
}

template <std::same_as<MeshDriveQuery> Query>
Result<void> find_route_into(const NavMeshState& mesh, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    using bridge::MeshDriveRun;
    if (query.table != nullptr) return find_into<MeshDriveRun>(mesh, query, scratch, route, hooks);
    route.clear();
    if (scratch.in_use()) return kScratchInUse;
    if (const Result<void> good = bridge::check_query(query); !good) return good;
    auto* tables = scratch.get<MeshDriveTables>();
    if (tables == nullptr) return kNoMemory;
    DriveTableOptions options = mesh_table_options(query.agent, query.lattice);
    MeshDriveQuery asked = query;
    Result<const DriveTable*> table = tables->bring(0, options);
    if (!table) return table.error();
    asked.table = *table;
    const Result<void> done = find_into<MeshDriveRun>(mesh, asked, scratch, route, hooks);
    const bool again =
        query.lattice.refine && query.agent.turning_radius <= kFineRadiusMax * options.cell_size;
    if (!done || !again) return done;
    const bool none = route.status == PathStatus::unreachable && route.stats.expanded > 0;
    const bool nearby = route.status == PathStatus::partial && scratch.get<MeshDriveRun>()->is_cut_off();
    if (!none && !nearby) return done;
    route.clear();
    options.nodes = DriveNodes::halves;
    options.headings = 16;
    table = tables->bring(1, options);
    if (!table) return table.error();
    asked.table = *table;
    return find_into<MeshDriveRun>(mesh, asked, scratch, route, hooks);
}

template <std::same_as<MeshDriveQuery> Query>
Result<Route> find_route(const NavMeshState& mesh, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(scratch,
                     [&](Route& route) { return find_route_into(mesh, query, scratch, route, hooks); });
}

template Result<Route> find_route(const NavMeshState&, const MeshDriveQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const NavMeshState&, const MeshDriveQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
