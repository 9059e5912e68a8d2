// Bytes to volumes: the file is looked at whole, then its cells are put in place one by one.
#include <fairlead/volume/save_volume.h>

#include "volume/files/stored_volume.h"

namespace fairlead {

namespace volume {

namespace {

Result<Volume> make_stored(const BakedFile& file, std::span<const std::uint8_t> bytes,
                           const VolumeLoadOptions& options) {
    const Result<StoredVolume> stored = StoredVolume::read(file, bytes, options.voxels_max);
    if (!stored) return stored.error();
    Result<Volume> made = Volume::make_from({.origin = stored->origin(),
                                             .voxel_size = stored->voxel_size(),
                                             .size = stored->size(),
                                             .allocator = options.allocator},
                                            &*stored);
    if (!made && made.error().code != ErrorCode::out_of_memory) return stored->bad_options();
    return made;
}

bool is_readable(const BakedHeader& header) {
    return header.major == kVolumeMajor && header.minor <= kVolumeMinor;
}

Error stale(VolumeStale why) { return {ErrorCode::incompatible, -1, static_cast<std::int64_t>(why)}; }

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
    // Of any kind and version at first: what is another one must be whole to count.
    const Result<BakedFile> file = BakedFile::open(bytes, {.kind = 0, .bytes_max = options.bytes_max});
    if (!file) return file.error();
    const BakedHeader& header = file->header();
    if (header.kind != kBakedVolume) return Error{ErrorCode::baked_kind, -1, header.kind};
    if (!volume::is_readable(header)) return volume::stale(VolumeStale::version);
    if (header.options_hash != key.options) return volume::stale(VolumeStale::options);
    if (header.source_hash != key.source || key.source == 0) return volume::stale(VolumeStale::source);
    return volume::make_stored(*file, bytes, options);
}

}  // namespace fairlead
