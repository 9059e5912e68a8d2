#include <fairlead/bridge/mesh_drive.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/no_memory.h"
#include "bridge/mesh_drive_run.h"

namespace fairlead {

namespace {

constexpr std::int64_t kAgentField = 2;
constexpr double kFineRadiusMax =
    16.0;  // cells: a lattice's cells are half as large then, and 32 is the most

double mesh_cell_size(const Agent& agent, const MeshDriveSetup& setup) {
    if (setup.cell_size > 0.0) return setup.cell_size;
    const double width = agent.shape == BodyShape::box ? agent.width : 2.0 * agent.radius;
    const double third = agent.turning_radius / 3.0;
    return width > 0.0 ? std::max(std::min(third, width), agent.turning_radius / kFineRadiusMax) : third;
}

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
            if (!made) {
                if (made.error().code == ErrorCode::out_of_memory) return made.error();
                return Error{made.error().code, kAgentField, made.error().index};
            }
            kept.emplace(std::move(*made));
        }
        return &*kept;
    }
};

DriveTableOptions mesh_table_options(const Agent& agent, const MeshDriveSetup& setup) {
    return {.agent = agent,
            .cell_size = mesh_cell_size(agent, setup),
            .headings = setup.headings,
            .stretch = setup.stretch,
            .allocator = setup.allocator};
}

}  // namespace

Result<DriveTable> make_mesh_drive_table(const Agent& agent, const MeshDriveSetup& setup) {
    return DriveTable::make(mesh_table_options(agent, setup));
}

MeshDriveSearch::MeshDriveSearch(const NavMeshState& mesh, const DriveTable& table,
                                 const MeshDriveQuery& query, Scratch& scratch, const SearchHooks& hooks)
    : run_(scratch.get<bridge::MeshDriveRun>()) {
    if (run_ != nullptr) run_->begin(mesh, table, query, hooks);
}

bool MeshDriveSearch::step(std::uint64_t expansions) { return run_ != nullptr && run_->step(expansions); }

Result<void> MeshDriveSearch::take(Route& route) {
    if (run_ != nullptr) return run_->take(route);
    route.clear();
    return kNoMemory;
}

Result<void> find_drive_into(const NavMeshState& mesh, const DriveTable& table, const MeshDriveQuery& query,
                             Scratch& scratch, Route& route, const SearchHooks& hooks) {
    MeshDriveSearch search(mesh, table, query, scratch, hooks);
    while (search.step(UINT64_MAX)) {
    }
    return search.take(route);
}

Result<Route> find_drive(const NavMeshState& mesh, const DriveTable& table, const MeshDriveQuery& query,
                         Scratch& scratch, const SearchHooks& hooks) {
    Route route;
    if (const Result<void> done = find_drive_into(mesh, table, query, scratch, route, hooks); !done)
        return done.error();
    return route;
}

Result<void> find_drive_into(const NavMeshState& mesh, const MeshDriveQuery& query, Scratch& scratch,
                             Route& route, const MeshDriveSetup& setup, const SearchHooks& hooks) {
    route.clear();
    if (const Result<void> good = bridge::check_query(query); !good) return good;
    auto* tables = scratch.get<MeshDriveTables>();
    if (tables == nullptr) return kNoMemory;
    DriveTableOptions options = mesh_table_options(query.agent, setup);
    Result<const DriveTable*> table = tables->bring(0, options);
    if (!table) return table.error();
    const Result<void> done = find_drive_into(mesh, **table, query, scratch, route, hooks);
    const bool again = setup.refine && query.agent.turning_radius <= kFineRadiusMax * options.cell_size;
    if (!done || route.status != PathStatus::unreachable || !again || route.stats.expanded == 0) return done;
    options.nodes = DriveNodes::halves;
    options.headings = 16;
    table = tables->bring(1, options);
    if (!table) {
        route.clear();
        return table.error();
    }
    return find_drive_into(mesh, **table, query, scratch, route, hooks);
}

Result<Route> find_drive(const NavMeshState& mesh, const MeshDriveQuery& query, Scratch& scratch,
                         const MeshDriveSetup& setup, const SearchHooks& hooks) {
    Route route;
    if (const Result<void> done = find_drive_into(mesh, query, scratch, route, setup, hooks); !done)
        return done.error();
    return route;
}

}  // namespace fairlead
