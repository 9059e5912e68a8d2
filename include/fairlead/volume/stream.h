// Chunks of a volume that come when they are needed, and go.
//
//     Result<Volume> space = Volume::make({.size = {8192, 8192, 1024}, .streamed = true});   // nothing is there
//     const VolumeSource source{.chunk = read_chunk, .user = &level};
//     Result<Route> way = find_route_on_demand(*space, query, scratch, source);              // loads what the query needs
//     unload_outside(*space, around_the_player);
//
// A VolumeSource tells what is solid in a chunk, whichever way it knows. So the three designs of the article (technique V10) are one
// interface, and all give the same bytes:
//   on demand   find_route_on_demand: the engine is asked chunk by chunk, where a query comes to;
//   at load     load_box over the whole bounds;
//   prebuilt    a source that reads files of one chunk each (save_volume_chunk), or load_volume for all (volume/save_volume.h; it
//               keeps which chunks are there).
// bake::TriangleChunks (volume_bake/triangle_chunks.h) is a source of triangles.
//
// Where chunks take long to come, ask for them and go on: missing_chunks names those that matter to a query, load_volume_chunk reads a
// file on any thread, and VolumeChunk::edit puts it in. A search in slices goes on in the snapshot that it began with; changed_voxels and
// touched_box (volume/repair.h) tell which routes the edit may have broken.
//
// Cost: a chunk 10 us to 1 ms, besides its source; all that come in one call make one revision. Deterministic: what is loaded, and in
// which order, follows from query and volume alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/save_volume.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

// ---- one chunk, and its file -----------------------------------------------------------------------------------

struct VolumeChunk {
    explicit VolumeChunk(const Allocator& allocator = {}) : bricks(allocator) {}

    Voxel place{};             ///< in chunks
    Array<VoxelBrick> bricks;  ///< what is solid in it, by cell and brick
    std::uint64_t source = 0;  ///< of its file: as VolumeKey::source

    /// Valid while the bricks are.
    [[nodiscard]] VolumeEdit edit() const { return VolumeEdit::load(place, bricks.span()); }
};

/// A file (.fl, kind VCHK of FORMAT.md) of one chunk: 16 bytes a brick that holds something. The same bytes on every machine. Errors:
/// out_of_range (Field::chunks: there is no such chunk), incompatible (it is not loaded), out_of_memory.
[[nodiscard]] Result<void> save_volume_chunk(const VolumeState& volume, Voxel chunk, Array<std::uint8_t>& out,
                                             std::uint64_t source = 0);

/// Of a volume with these bounds and voxels (volume_key; `source` 0: of any). Every brick is looked at. May run while others edit the
/// volume. Errors: those of BakedFile::open; baked_section; baked_value (index: the section, detail: the record that means nothing);
/// incompatible (detail: VolumeStale); out_of_memory.
[[nodiscard]] Result<VolumeChunk> load_volume_chunk(std::span<const std::uint8_t> bytes, const VolumeKey& of,
                                                    const VolumeLoadOptions& options = {});

// ---- where chunks come from ------------------------------------------------------------------------------------

struct VolumeSource {
    /// Appends what is solid in a chunk (in chunks) to `bricks`, which is empty. An error ends the call that asked, which then has
    /// loaded nothing in its last step.
    Result<void> (*chunk)(Voxel place, Array<VoxelBrick>& bricks, void* user) = nullptr;
    void* user = nullptr;
};

/// Loads the chunks that a box of voxels meets and that are not there, as one revision; tells how many. Errors: the source's; those of a
/// bad brick (Volume::apply; Error::index: which of them); out_of_memory.
[[nodiscard]] Result<std::size_t> load_box(Volume& volume, const VoxelBox& box, const VolumeSource& source);
/// The same of chunks by name; those that are there, or outside the bounds, are left out.
[[nodiscard]] Result<std::size_t> load_chunks(Volume& volume, std::span<const Voxel> chunks,
                                              const VolumeSource& source);
/// Takes out every chunk that the box does not meet, as one revision; tells how many. Errors: out_of_memory.
[[nodiscard]] Result<std::size_t> unload_outside(Volume& volume, const VoxelBox& keep);

/// The voxels of the bounds that lie within `reach` (world units) of a place, or hold part of what does: a box for the two above.
[[nodiscard]] VoxelBox voxels_around(const VolumeState& volume, Vec3 place, double reach);

// ---- what a query needs ----------------------------------------------------------------------------------------

/// The chunks that are not there and may stand between a query and its answer, `most` at most, those first by which the way would be
/// shortest as the crow flies. First those that the unit meets at its start and at its goals; where they are all there, those that lie
/// beside the free space of the start or of a goal. None: no chunk can turn `unreachable` into a way. Ask where find_route found none; of
/// a complete route it is not told whether a chunk would make it shorter.
///
/// Cost: 2 ns a chunk of the bounds, 10 us a face where free space ends at a chunk that is not there. Errors: those of a malformed unit,
/// place or reach in find_route; scratch_in_use; out_of_memory.
[[nodiscard]] Result<void> missing_chunks(const VolumeState& volume, const VolumeQuery& query,
                                          Scratch& scratch, std::size_t most, Array<Voxel>& out);

struct OnDemandOptions {
    std::size_t chunks_max = SIZE_MAX;  ///< load no more than these for one query
    std::size_t batch =
        4;  ///< chunks at a time, 1 or more: more of them need fewer searches, and load more in vain
};

/// find_route; where it finds no way, loads the next missing chunks and asks again, until there is one, none is missing, or chunks_max
/// are loaded. `unreachable` is then as true as with all chunks there, unless chunks_max stopped it. A complete route is legal, and
/// short for the chunks that were there. Errors: those of find_route and load_chunks; out_of_range (Field::chunks: batch is 0). What was
/// loaded stays.
[[nodiscard]] Result<Route> find_route_on_demand(Volume& volume, const VolumeQuery& query, Scratch& scratch,
                                                 const VolumeSource& source,
                                                 const OnDemandOptions& options = {},
                                                 const SearchHooks& hooks = {});

}  // namespace fairlead
