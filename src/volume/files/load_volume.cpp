// Bytes to volumes: the file is looked at whole, then its blocks are copied; or they are taken where they lie.
#include <fairlead/volume/save_volume.h>

#include <bit>

#include "base/revisions.h"
#include "volume/files/stored_volume.h"

namespace fairlead {

namespace volume {

namespace {

Result<Volume> make_stored(const BakedFile& file, std::span<const std::uint8_t> bytes,
                           const VolumeLoadOptions& options, bool trusted = false) {
    const Result<StoredVolume> stored = StoredVolume::read(file, bytes, options.voxels_max, trusted);
    if (!stored) return stored.error();
    Result<Volume> made = Volume::make_from({.origin = stored->origin(),
                                             .voxel_size = stored->voxel_size(),
                                             .size = stored->size(),
                                             .allocator = options.allocator},
                                            &*stored);
    if (made || made.error().code == ErrorCode::out_of_memory || made.error().code == ErrorCode::baked_value)
        return made;
    return stored->bad_options();
}

bool is_readable(const BakedHeader& header) {
    return header.major == kVolumeMajor && header.minor <= kVolumeMinor;
}

Error stale(VolumeStale why) { return {ErrorCode::incompatible, -1, static_cast<std::int64_t>(why)}; }

Result<Volume> make_fresh(std::span<const std::uint8_t> bytes, const VolumeKey& key,
                          const VolumeLoadOptions& options, bool trusted) {
    // Of any kind and version at first: what is another one must be whole to count.
    const Result<BakedFile> file =
        BakedFile::open(bytes, {.kind = 0, .bytes_max = options.bytes_max, .trusted = trusted});
    if (!file) return file.error();
    const BakedHeader& header = file->header();
    if (header.kind != kBakedVolume) return Error{ErrorCode::baked_kind, -1, header.kind};
    if (!is_readable(header)) return stale(VolumeStale::version);
    if (header.options_hash != key.options) return stale(VolumeStale::options);
    if (header.source_hash != key.source || key.source == 0) return stale(VolumeStale::source);
    return make_stored(*file, bytes, options, trusted);
}

// As the blocks lie in memory, so they lie in the file.
bool is_native(std::span<const std::uint8_t> bytes) {
    return std::endian::native == std::endian::little && sizeof(Block) == 16 &&
           reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) == 0;
}

}  // namespace

}  // namespace volume

Result<Volume> load_volume(std::span<const std::uint8_t> bytes, const VolumeLoadOptions& options) {
    const Result<BakedFile> file = BakedFile::open(bytes, {.kind = kBakedVolume,
                                                           .major = volume::kVolumeMajor,
                                                           .minor = volume::kVolumeMinor,
                                                           .bytes_max = options.bytes_max});
    if (!file) return file.error();
    return volume::make_stored(*file, bytes, options);
}

Result<Volume> load_fresh_volume(std::span<const std::uint8_t> bytes, const VolumeKey& key,
                                 const VolumeLoadOptions& options) {
    return volume::make_fresh(bytes, key, options, false);
}

Result<Volume> map_trusted_volume(std::span<const std::uint8_t> bytes, const VolumeKey& key,
                                  const VolumeLoadOptions& options) {
    return volume::make_fresh(bytes, key, options, volume::is_native(bytes));
}

}  // namespace fairlead
