// Volume: a world in three dimensions, of voxels that are free or solid (technique W9). For what flies, swims and drifts.
//
//     Result<Volume> space = Volume::make({.voxel_size = {0.5, 0.5, 0.5}, .size = {512, 512, 256}, .bricks = solid});
//     VolumeSnapshot frozen = space->acquire();               // a search on it never sees later edits
//
// Voxel (x, y, z) is the box [x, x + 1) on each axis, in voxels from the origin; a voxel may be longer on one axis than on
// another. What lies outside the bounds is solid. Two free voxels are joined where they share a face: no unit, however small, passes
// where two solid voxels touch at an edge or a corner.
//
// Inside, only what is near solid voxels takes memory: bricks of 4 x 4 x 4 voxels as 64 bits each, in cells of 16, in chunks of 64.
// Each part of 8 x 8 x 8 knows in 2 bits how far the nearest part with a solid voxel is, each block of 32 the same of blocks: a line
// through open space is walked in few steps.
//
// Chunks come and go. A volume need not be there as a whole: VolumeOptions::streamed begins with nothing, VolumeEdit::load puts a chunk of
// 64^3 voxels in, VolumeEdit::unload takes one out. One that is not there is solid and takes no memory; a start or goal in it is
// off_world. What is joined to what, distances and labels are then those of the chunks that are there, as if all others had been filled.
//
//     Result<Volume> space = Volume::make({.size = {8192, 8192, 1024}, .streamed = true});
//     space->apply(VolumeEdit::load({3, 4, 0}, bricks));      // volume/stream.h: from a callback, from files, for a query
//
// Edits and snapshots. Every edit makes one new revision, or none at all if it cannot be done. A snapshot is the state at one revision
// and never changes; an edit copies the chunks that it touches. One thread edits and acquires; a snapshot may be read and released
// on any thread.
//
// Cost: make is linear in the bricks, about 20 ns each. Memory: 8 bytes a brick that is neither empty nor full, 280 a chunk near one, and
// what is joined to what: 0.02 to 0.05 bits a voxel on published maps. An edit allocates nothing where its chunks' sizes have been met
// before: what is released is kept, up to 128 KiB and half of the volume.
// Deterministic: the same input gives the same state everywhere.
//
// Source: technique W9 and V1 to V12 (Ceipek 1999); bricks under a pyramid: Museth 2013 (VDB), Laine and Karras 2010.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/base/snapshot.h>
#include <fairlead/math/vec.h>

namespace fairlead {

struct Voxel {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    friend constexpr bool operator==(Voxel, Voxel) = default;
};

/// Half open on each axis: low <= voxel < high. Empty where low is not below high.
struct VoxelBox {
    Voxel low{};
    Voxel high{};
    [[nodiscard]] constexpr bool empty() const {
        return low.x >= high.x || low.y >= high.y || low.z >= high.z;
    }
    [[nodiscard]] constexpr bool contains(Voxel v) const {
        return low.x <= v.x && v.x < high.x && low.y <= v.y && v.y < high.y && low.z <= v.z && v.z < high.z;
    }
    friend constexpr bool operator==(const VoxelBox&, const VoxelBox&) = default;
};

/// 64 voxels: those from (4 x, 4 y, 4 z) on. Bit x + 4 y + 16 z of `solid` is the voxel that many from there.
struct VoxelBrick {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    std::uint64_t solid = 0;
};

inline constexpr std::int32_t kVolumeChunkSide = 64;                     ///< voxels of a chunk on each axis
inline constexpr std::int32_t kVolumeSideMax = 1 << 17;                  ///< voxels along one axis
inline constexpr std::int64_t kVolumeVoxelsMax = std::int64_t{1} << 38;  ///< in all

struct VolumeOptions {
    Vec3 origin{};                   ///< the low corner, world units
    Vec3 voxel_size{1.0, 1.0, 1.0};  ///< world units, above 0
    Voxel size{};                    ///< voxels on each axis, 1 to kVolumeSideMax
    Borrowed<VoxelBrick> bricks{};   ///< in any order; what is named twice is solid where one of them says so
    bool streamed = false;           ///< no chunk is there: VolumeEdit::load brings them. Not with bricks
    Allocator allocator{};
};

/// One change. Voxels outside the bounds stay solid, and so do those of chunks that are not there, but for `load`.
struct VolumeEdit {
    enum class Kind : std::uint8_t { box, sphere, brick, load, unload, count_ };
    Kind kind = Kind::box;
    bool solid = true;    ///< fill; false: clear
    VoxelBox voxels{};    ///< box
    Vec3 centre{};        ///< sphere: world units. The voxels whose middle lies within `radius` of it
    double radius = 0.0;  ///< sphere: world units, >= 0
    VoxelBrick brick{};   ///< brick: its 64 voxels become what it says, whatever `solid`
    Voxel chunk{};        ///< load, unload: which, in chunks: its voxels are those from 64 times as many on
    Borrowed<VoxelBrick> bricks{};  ///< load: what is solid in it, as VolumeOptions::bricks; all else is free

    [[nodiscard]] static VolumeEdit fill(const VoxelBox& box) { return {.solid = true, .voxels = box}; }
    [[nodiscard]] static VolumeEdit clear(const VoxelBox& box) { return {.solid = false, .voxels = box}; }
    [[nodiscard]] static VolumeEdit ball(Vec3 centre, double radius, bool solid = true) {
        return {.kind = Kind::sphere, .solid = solid, .centre = centre, .radius = radius};
    }
    [[nodiscard]] static VolumeEdit set(const VoxelBrick& brick) {
        return {.kind = Kind::brick, .brick = brick};
    }
    /// Puts a chunk in, or in the place of the one that is there.
    [[nodiscard]] static VolumeEdit load(Voxel chunk, Borrowed<VoxelBrick> bricks) {
        return {.kind = Kind::load, .chunk = chunk, .bricks = bricks};
    }
    /// Takes a chunk out; nothing if it is not there.
    [[nodiscard]] static VolumeEdit unload(Voxel chunk) { return {.kind = Kind::unload, .chunk = chunk}; }
};

struct VolumeMemory {
    std::size_t chunks = 0;      ///< cells, bricks, distances
    std::size_t components = 0;  ///< what is joined to what
    std::size_t tables = 0;      ///< of pointers to chunks
    [[nodiscard]] std::size_t total() const { return chunks + components + tables; }
};

namespace volume {
struct StateData;    // src/volume/data/state.h
struct EditorData;   // src/volume/edit/editor.h
class StoredVolume;  // src/volume/files/stored_volume.h
}  // namespace volume

/// One revision of a volume, read only. Reading is safe from any thread while a snapshot of it is held (or, for the current
/// one, while nobody edits).
class VolumeState {
  public:
    [[nodiscard]] std::uint64_t revision() const;
    [[nodiscard]] Vec3 origin() const;
    [[nodiscard]] Vec3 voxel_size() const;
    [[nodiscard]] Voxel size() const;
    /// Of the chunks that are there.
    [[nodiscard]] std::int64_t solid_voxels() const;

    /// Of the bounds on each axis: those that they cut count.
    [[nodiscard]] Voxel chunks() const;
    /// Is the chunk there? In chunks; false outside the bounds.
    [[nodiscard]] bool is_loaded(Voxel chunk) const;
    [[nodiscard]] std::size_t loaded_chunks() const;

    [[nodiscard]] bool in_bounds(Voxel v) const;
    /// BlockOccupied3D of technique V6: false also outside the bounds and in a chunk that is not there. About 3 ns.
    [[nodiscard]] bool is_free(Voxel v) const;
    /// 64 voxels at once; those outside the bounds, or of a chunk that is not there, are solid.
    [[nodiscard]] std::uint64_t solid_bits(std::int32_t brick_x, std::int32_t brick_y,
                                           std::int32_t brick_z) const;
    /// The voxel that holds a point of the world; one outside the bounds where the point is outside, {-1, -1, -1} far outside.
    [[nodiscard]] Voxel voxel_at(Vec3 world) const;
    [[nodiscard]] Vec3 centre(Voxel v) const;
    /// Two free voxels have the same number if and only if a point can go from one to the other; kNoComponent: not free.
    [[nodiscard]] std::uint32_t component(Voxel v) const;
    static constexpr std::uint32_t kNoComponent = UINT32_MAX;

    /// Tells `visit` of every brick of the chunks that are there that holds a solid voxel, once, chunk by chunk.
    void each_brick(void (*visit)(const VoxelBrick& brick, void* user), void* user) const;

    [[nodiscard]] VolumeMemory memory() const;

    /// For the library's own modules.
    [[nodiscard]] const volume::StateData& data() const { return *data_; }

  private:
    friend class Volume;
    friend class Snapshot<VolumeState>;
    [[nodiscard]] bool has_data() const { return data_ != nullptr; }
    void hold() const;
    void let_go() const;

    const volume::StateData* data_ = nullptr;
};

/// Keeps one revision alive (base/snapshot.h). Released before its Volume is destroyed.
using VolumeSnapshot = Snapshot<VolumeState>;

/// The owner and editor of a volume. Move only.
class Volume {
  public:
    /// Errors: not_finite, out_of_range (origin, voxel_size: also where the contact slack of math/contact.h would be more than
    /// 1e-3 of a voxel); out_of_range and size_limit (size); out_of_range (bricks, with the place: it lies outside the bounds);
    /// incompatible (bricks of a streamed volume); out_of_memory.
    [[nodiscard]] static Result<Volume> make(const VolumeOptions& options);

    Volume(Volume&& other) noexcept;
    Volume& operator=(Volume&& other) noexcept;
    Volume(const Volume&) = delete;
    Volume& operator=(const Volume&) = delete;
    ~Volume();

    /// The current revision. The reference follows the edits; it is valid while the Volume lives.
    [[nodiscard]] const VolumeState& state() const {
        FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has no state");
        return state_;
    }
    operator const VolumeState&() const { return state(); }

    /// Freezes the current revision. O(1).
    [[nodiscard]] VolumeSnapshot acquire() const;

    /// Makes the edits, in this order, as one new revision. On an error nothing has changed and Error::index says which edit:
    /// not_finite, out_of_range (sphere: centre, radius; kind; brick: it lies outside the bounds; load, unload: so does the chunk, or, with
    /// Field::cells and the brick in Error::detail, a brick of it). With index -1: out_of_memory. Edits that change nothing make no
    /// revision. Loading takes 10 us a chunk to 1 ms where all is mixed, unloading a fifth; several at once are cheaper.
    Result<void> apply(std::span<const VolumeEdit> edits);
    Result<void> apply(const VolumeEdit& edit) { return apply({&edit, 1}); }

    /// For the library's own modules: of what a file holds, which was looked at; the bricks in `options` do not count.
    [[nodiscard]] static Result<Volume> make_from(const VolumeOptions& options,
                                                  const volume::StoredVolume* stored);

  private:
    Volume() = default;
    VolumeState state_;
    volume::EditorData* editor_ = nullptr;
};

}  // namespace fairlead
