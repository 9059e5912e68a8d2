// Level meshes and single tiles of them as baked files (.fl): kinds MESH and MTIL of FORMAT.md.
//
//     Array<std::uint8_t> bytes;
//     Result<void> saved = save_mesh(*level, bytes);                  // a saved game: with its obstacles
//     Result<void> bare = save_mesh(level->state(), bytes);           // as it was baked: without them
//     Result<NavMesh> again = load_mesh(bytes);                       // answers every query as before
//
//     Result<MeshTileFile> part = MeshTileFile::load(other_bytes);    // one tile, from a bake on another machine
//     if (part && part->frame() == frame_of(*again)) again->set_tile(part->tile());
//
// Saved are the frame of the mesh, its tiles (polygons, areas, height fields, keys), its distances to landmarks and its
// off-mesh links, as they are without obstacles, and of a NavMesh (not of a state, which does not know them) its obstacles
// as they were given. They keep their ids, which are the game's own: what the game holds on to moves and removes them
// after a load as before, and the same edits make the same mesh. NavMesh::each_obstacle lists them. The bytes are a
// pure function of that on every machine: a mesh that is saved, loaded and saved again gives the same bytes. What can be
// had again in linear time is not saved: neighbours, parts, corners, gates, and what links lie over. Links keep their
// ids, and what the landmarks know of them; one that slept because of an obstacle is awake
// again where that is not saved. After many edits of links call NavMesh::measure_landmarks before saving.
//
// A load checks everything, by the rules of NavMesh::make and with the same code; it either gives a mesh or an error, and
// never touches another mesh. Distances to landmarks must be finite, not below 0, no larger than any way can be, and differ
// along each side of a polygon by no more than its length, and along a link that they know by no more than its cost. That they are
// those of this mesh is not proven: a forged file can make routes longer than they say (never illegal, never endless). Where
// that matters, let them be measured: `fairlead check` does, and compares.
//
// Cost: saving is linear, 2 ns a byte. Loading is linear too, but for gates (with a radius_max above the agent's radius), which
// are looked for as in make. 2,735 polygons in 196 tiles, 1.06 MB with heights and 16 landmarks: 2 ms to save, 4 to load, 11 with
// gates; 62 with landmarks measured anew. Memory while loading: below 12 times the file and 1 MiB, of which the mesh keeps half;
// with gates, or links that lie over hundreds of polygons each, below 64 times (levels: 15).
// (With landmarks measured anew also what that search needs.) For files from strangers
// set bytes_max, and gate_work_max if 10 s are too long.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead {

/// What all tiles of one mesh have in common; the fields are those of NavMeshOptions.
struct MeshFrame {
    Vec3 origin{};
    double tile_size = 0.0;
    double step_height = 0.5;
    double agent_radius = 0.0;
    double agent_height = 2.0;
    double radius_max = 0.0;

    friend bool operator==(const MeshFrame&, const MeshFrame&) = default;
};

[[nodiscard]] MeshFrame frame_of(const NavMeshState& mesh);

struct MeshLoadOptions {
    std::uint64_t bytes_max = UINT64_MAX;  ///< a longer file is refused (size_limit)
    bool measure_landmarks = false;        ///< as many as the file has, instead of believing it
    /// Where gates are looked for (radius_max above the agent's radius), a file may be made up to take long: what lies within
    /// reach is compared with each other. One that needs more work than this is refused (size_limit); a unit takes about 10 ns.
    /// Levels in tiles need some thousand units a polygon, a mesh of one tile up to twice the square of its polygons.
    std::uint64_t gate_work_max = std::uint64_t{1} << 30;
    Allocator allocator{};
};

/// The mesh as it is without obstacles. Errors: out_of_memory.
[[nodiscard]] Result<void> save_mesh(const NavMeshState& mesh, Array<std::uint8_t>& out);
/// With its obstacles. The same bytes if there are none. Errors: out_of_memory.
[[nodiscard]] Result<void> save_mesh(const NavMesh& mesh, Array<std::uint8_t>& out);

/// Errors: those of BakedFile::open; baked_section (one is missing, or not known); baked_value (index: the section, detail: the record
/// that means nothing; for what concerns a whole tile, its record in TILE); size_limit (index -1, detail: gate_work_max; also
/// where gates cross so many sides that a tile becomes several times as large); out_of_memory.
[[nodiscard]] Result<NavMesh> load_mesh(std::span<const std::uint8_t> bytes,
                                        const MeshLoadOptions& options = {});

/// The tile of a mesh at a place of the raster. Errors: unknown_id (there is none), out_of_memory.
[[nodiscard]] Result<void> save_tile(const NavMeshState& mesh, std::int32_t x, std::int32_t y,
                                     Array<std::uint8_t>& out);
/// A tile that is no part of a mesh yet. Errors: as NavMesh::make.
[[nodiscard]] Result<void> save_tile(const NavMeshTile& tile, const MeshFrame& frame,
                                     Array<std::uint8_t>& out);

namespace mesh {

/// What tiles that come from a file refer to.
struct TileArrays {
    explicit TileArrays(const Allocator& allocator)
        : vertices(allocator),
          sizes(allocator),
          corners(allocator),
          areas(allocator),
          polygon_layers(allocator),
          layers(allocator),
          rows(allocator),
          blocks(allocator),
          words(allocator) {}

    Array<Vec3> vertices;
    Array<std::uint32_t> sizes;
    Array<std::uint32_t> corners;
    Array<std::uint8_t> areas;
    Array<std::uint32_t> polygon_layers;
    Array<HeightLayer> layers;
    Array<HeightRow> rows;
    Array<HeightBlock> blocks;
    Array<std::uint32_t> words;
};

}  // namespace mesh

/// A tile read from a file. Owns what tile() refers to; move only.
class MeshTileFile {
  public:
    /// Errors: as load_mesh. measure_landmarks means nothing here.
    [[nodiscard]] static Result<MeshTileFile> load(std::span<const std::uint8_t> bytes,
                                                   const MeshLoadOptions& options = {});

    /// Valid while this object lives, also when it is moved.
    [[nodiscard]] const NavMeshTile& tile() const { return tile_; }
    [[nodiscard]] const MeshFrame& frame() const { return frame_; }

  private:
    explicit MeshTileFile(const Allocator& allocator) : parts_(allocator) {}

    MeshFrame frame_{};
    NavMeshTile tile_{};
    mesh::TileArrays parts_;
};

}  // namespace fairlead
