// MeshTable: shortest routes on a level mesh that does not change, worked out beforehand. For levels whose walls stand still,
// and for the state that a level is in most of the time.
//
//     Result<MeshTable> table = MeshTable::make(level->acquire());                   // once, or load()
//     query.table = &*table;
//     Result<Route> route = find_route(*level, query, scratch);                         // each time
//
// Looking up is part of the search; whoever makes, loads or holds a MeshTable links fairlead::mesh_table.
//
// The answer is that of find_route without the table: the same status, the same errors, the shortest way. Lengths agree to a
// few roundings (1e-12 of them); where several ways are equally short it may be another of them. Route::planner says
// "mesh_table" where the table gave the answer.
//
// What it holds. For each polygon the corners that are seen from it, and from which part of it; for each corner its
// distances to a few others (hubs) and the first move on the way there, such that any two corners share a hub on a shortest
// way. A query looks from start to goal; if there is a wall between, it takes the corners seen from both and
// the best hub for a pair of them.
//
// Where it does not apply the ordinary search runs, with the same result as ever: on another revision than its own (serves()),
// so also while an obstacle stands there that was not there when it was made; where the level has links that the filter
// does not close; where the filter closes areas that the level has, or gives them factors that differ; for a
// radius above NavMeshState::agent_radius(); for another planner than any_angle; with more than 16 goals, and for
// find_routes_into; with a trace or interval hook, which want to see a search.
//
// Revisions. A table belongs to one revision and keeps it alive, like any snapshot: it must be gone before its NavMesh is
// destroyed. When the level comes back to what it was (a door is open again), attach() binds the table to the new revision
// after comparing the surfaces.
//
// Cost. Query: mean 1 to 6 us on levels of 100 to 4000 polygons, however far apart start and goal (docs/decisions/0019); nothing is
// allocated when warm; an expansion is one goal. make: 0.02 to 0.4 ms a corner, for each 2^21 steps of searches for the order
// of hubs 0.3 s. Memory: 16 bytes an entry of a label, 5 to 70 of them a corner; 12 bytes for each polygon that a corner sees,
// dozens to hundreds. In the open with thousands of corners in sight of each other that is much: bytes_max.
// Deterministic: the same bytes on every toolchain and for any number of threads. Any number of threads may use a table at once.
//
// Sources: Bojie Shen, Muhammad Aamir Cheema, Daniel Harabor & Peter Stuckey (2020), "Euclidean pathfinding with compressed path
// databases" (end point search); hub labels instead of rows of first moves as Jinchun Du, Bojie Shen & Muhammad Aamir
// Cheema (2023), "Ultrafast Euclidean shortest path computation using hub labeling"; labels: Akiba, Iwata & Yoshida (2013).
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead {

namespace mesh {
struct TableData;  // src/mesh/table/table.h
}

struct MeshTableOptions {
    std::uint64_t bytes_max = std::uint64_t{1}
                              << 30;  ///< of the table; making it takes up to three times as much
    Jobs jobs{};
    Progress progress{};  ///< parts done: of 2 x corners
    Allocator allocator{};
};

struct MeshTableSize {
    std::uint32_t corners = 0;   ///< that a path can bend round
    std::uint64_t legs = 0;      ///< straight lines between two of them that a path may take
    std::uint64_t sights = 0;    ///< parts of polygons seen by corners
    std::uint64_t labelled = 0;  ///< entries of labels
    std::size_t bytes = 0;
};

/// Move only.
class MeshTable {
  public:
    /// Errors: out_of_memory; size_limit (detail: bytes_max, or 2^32 - 1 numbers of a kind); cancelled (progress said stop).
    /// A snapshot that holds nothing is a caller's bug.
    [[nodiscard]] static Result<MeshTable> make(NavMeshSnapshot mesh, const MeshTableOptions& options = {});

    /// As a file's bytes (FORMAT.md, kind MTAB). Errors: out_of_memory.
    [[nodiscard]] Result<void> save(Array<std::uint8_t>& out) const;
    /// The table as it was saved, for a mesh with the surface that it was made from; numbers that no table can hold are refused. Whether
    /// corners are seen from where it says is another question (is_as_made). Errors: those of BakedFile::open;
    /// incompatible (another surface); baked_value; out_of_memory.
    [[nodiscard]] static Result<MeshTable> load(std::span<const std::uint8_t> bytes, NavMeshSnapshot mesh,
                                                const Allocator& allocator = {});
    /// Is every number what make() gives for the same mesh? Costs as much as make. Errors: those of make.
    [[nodiscard]] Result<bool> is_as_made() const;

    MeshTable(MeshTable&& other) noexcept;
    MeshTable& operator=(MeshTable&& other) noexcept;
    MeshTable(const MeshTable&) = delete;
    MeshTable& operator=(const MeshTable&) = delete;
    ~MeshTable();

    /// Is this the very revision that the table belongs to? O(1).
    [[nodiscard]] bool serves(const NavMeshState& mesh) const { return serves_data(mesh.data()); }
    /// Binds it to another revision (or mesh) with the same surface, polygon by polygon. Compares digests of everything that the
    /// table was made from: about 20 ns a side of a polygon. Not while a search uses the table. Errors: incompatible (another
    /// surface), out_of_memory; the table serves the revision that it served before.
    [[nodiscard]] Result<void> attach(NavMeshSnapshot mesh);

    [[nodiscard]] MeshTableSize size() const;
    /// Of everything that it holds.
    [[nodiscard]] std::uint64_t digest() const;

    /// For the library's own modules.
    [[nodiscard]] const mesh::TableData& data() const { return *data_; }
    [[nodiscard]] bool serves_data(const mesh::StateData& state) const {
        return mesh_.held() && &mesh_->data() == &state;
    }

  private:
    MeshTable() = default;
    [[nodiscard]] static Result<MeshTable> empty(NavMeshSnapshot mesh, const Allocator& allocator);
    [[nodiscard]] static Result<MeshTable> make_from(const mesh::StateData& state,
                                                     const MeshTableOptions& options);
    NavMeshSnapshot mesh_;
    mesh::TableData* data_ = nullptr;
};

}  // namespace fairlead
