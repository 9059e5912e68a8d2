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
// Saved are the bounds and the solid voxels. What follows from them (distances, components) is worked out at load. The
// bytes are a pure function of what is saved, on every machine and however the volume came about: a volume that is
// saved, loaded and saved again gives the same bytes, and so does one that was edited to be the same.
//
// A load checks everything before it takes memory for it; it gives a volume or an error. No two files that load are
// the same volume, so nothing in a file is unread.
//
// Cost: linear. Saving takes 2 ns a byte; a file has 8 bytes a brick of 4^3 voxels that is neither empty nor full, 16
// a cell of 16^3 that is neither and 32 a chunk of 64^3 that is not empty. Loading takes 3 ns a byte and then as long
// as Volume::make needs for distances and components, which is most of it. Memory while loading: that of the volume
// and of Volume::make. As full cells take no room in a file, and a chunk without solid voxels may have components, a
// small file may make a volume that is larger than it: for files from strangers set bytes_max and voxels_max.
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
