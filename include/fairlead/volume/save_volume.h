// Volumes as baked files (.fl): kind VOLU of FORMAT.md.
//
//     Array<std::uint8_t> bytes;
//     Result<void> saved = save_volume(*space, bytes);
//     Result<Volume> again = load_volume(bytes);                 // the same voxels, revision 1
//
// A volume that takes long to make is kept in a file, and made anew when what it was made from has changed:
//
//     const VolumeKey key = volume_key(frame, hash_of_the_level);
//     Result<LoadedVolume> space = load_or_make_volume(bytes_or_none, key, [&] { return voxelise(level); });
//     if (space && space->made) save_volume(space->volume, bytes, key.source);
//
// Saved is all that a volume consists of: bounds, solid voxels, distances, and what is joined to what. The bytes are a pure function of
// bounds and voxels, on every machine and however the volume came about: a volume that is saved, loaded and saved again gives the same
// bytes, and so does one that was edited to be the same.
//
// A load checks every voxel, all distances, and that all other numbers lie in their lists; it gives a volume or an error. What is joined to
// what is not worked out again: in a forged file it may be wrong, and then a goal is called unreachable that is not, or is looked for in
// vain. No way is illegal, and no search endless. `fairlead check` works it out.
//
// Cost: linear. Saving takes 2 ns a byte, loading about 0.5. A file is as large as the volume in memory. Memory while loading: that of
// the volume. For files from strangers set bytes_max and voxels_max: 4 bytes a chunk of the bounds are in the file, 28 in memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

/// What a file is a volume of: two hashes in its header.
struct VolumeKey {
    std::uint64_t options = 0;  ///< of origin, voxel size and size
    std::uint64_t source = 0;   ///< of what the voxels were made from, by whoever made them; 0: not known

    friend bool operator==(const VolumeKey&, const VolumeKey&) = default;
};

/// For volumes that are made from something else than bricks: the bricks of `options` do not count.
[[nodiscard]] VolumeKey volume_key(const VolumeOptions& options, std::uint64_t source);
/// For volumes that are made from the bricks in `options`: of them all, in their order.
[[nodiscard]] VolumeKey volume_key(const VolumeOptions& options);

struct VolumeLoadOptions {
    std::uint64_t bytes_max = UINT64_MAX;  ///< a longer file is refused (size_limit)
    std::int64_t voxels_max =
        kVolumeVoxelsMax;  ///< so is a larger volume: voxels within its bounds, free ones included
    Allocator allocator{};
};

/// `source`: VolumeKey::source. Errors: out_of_memory.
[[nodiscard]] Result<void> save_volume(const VolumeState& volume, Array<std::uint8_t>& out,
                                       std::uint64_t source = 0);

/// Errors: those of BakedFile::open; baked_section (one is missing, or not known); baked_value (index: the section,
/// detail: the record that means nothing); size_limit (index -1, detail: voxels_max); out_of_memory.
[[nodiscard]] Result<Volume> load_volume(std::span<const std::uint8_t> bytes,
                                         const VolumeLoadOptions& options = {});

/// Why a whole file is not the one that is wanted: detail of Error incompatible.
enum class VolumeStale : std::uint8_t {
    version,  ///< of the kind: of an older or a newer library
    options,  ///< other bounds
    source,   ///< made from something else, or one of the two is not known (0)
    count_,
};

/// load_volume if the file has this key. Errors also: incompatible (detail: VolumeStale). A damaged file is not
/// stale: that its header tells another key counts only if all checksums are right.
[[nodiscard]] Result<Volume> load_fresh_volume(std::span<const std::uint8_t> bytes, const VolumeKey& key,
                                               const VolumeLoadOptions& options = {});

/// A volume on bytes that the caller keeps, unchanged, while it, its snapshots and what was moved out of it live: nothing is copied, so
/// that it takes some 0.1 us a chunk, however large the file. For files that this program wrote itself and that nobody else can write: only
/// the header, the table of sections and the sizes of blocks are looked at. Damaged bytes may give any answer, or end the program.
/// The bytes are only read: an edit copies the chunks that it touches. VolumeState::memory counts what is copied. Where numbers lie
/// otherwise in memory (big-endian, 32 bits), or the bytes do not begin at a multiple of 8, it does what load_fresh_volume does.
/// Errors: those of load_fresh_volume.
[[nodiscard]] Result<Volume> map_trusted_volume(std::span<const std::uint8_t> bytes, const VolumeKey& key,
                                                const VolumeLoadOptions& options = {});

struct LoadedVolume {
    Volume volume;
    bool made = false;  ///< it was: the file, if there was one, is to be replaced
};

/// Loads a file that is fresh; makes the volume anew, by calling make() for a Result<Volume>, if it is stale or
/// `bytes` is empty: there is no file; refuses one that is damaged, and one that is no volume, which nobody should
/// overwrite. Errors: those of load_volume and of make().
template <class Make>
[[nodiscard]] Result<LoadedVolume> load_or_make_volume(std::span<const std::uint8_t> bytes,
                                                       const VolumeKey& key, const Make& make,
                                                       const VolumeLoadOptions& options = {}) {
    if (!bytes.empty()) {
        Result<Volume> loaded = load_fresh_volume(bytes, key, options);
        if (loaded) return LoadedVolume{std::move(*loaded), false};
        if (loaded.error().code != ErrorCode::incompatible) return loaded.error();
    }
    Result<Volume> made = make();
    if (!made) return made.error();
    return LoadedVolume{std::move(*made), true};
}

}  // namespace fairlead
