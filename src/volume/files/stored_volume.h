// StoredVolume: the sections of a file, looked at from end to end before any memory is taken for them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include <fairlead/base/baked.h>
#include <fairlead/base/result.h>

#include "volume/files/volume_sections.h"

namespace fairlead::volume {

/// Little-endian records without copying them. Compilers make one load of it.
template <class T>
[[nodiscard]] inline T record_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    T out = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out = static_cast<T>(out | static_cast<T>(T{bytes[at + i]} << (8 * i)));
    return out;
}

class StoredVolume {
  public:
    /// Of a file that has been opened. Errors: baked_section, baked_value, size_limit (as load_volume).
    [[nodiscard]] static Result<StoredVolume> read(const BakedFile& file, std::span<const std::uint8_t> bytes,
                                                   std::int64_t voxels_max);

    [[nodiscard]] Vec3 origin() const { return origin_; }
    [[nodiscard]] Vec3 voxel_size() const { return voxel_size_; }
    [[nodiscard]] Voxel size() const { return size_; }
    /// Calls visit(chunk, its first word) for each in turn; stops where it returns false.
    template <class Visit>
    [[nodiscard]] bool each_chunk(const Visit& visit) const {
        std::size_t next = 0;
        for (std::size_t i = 0; i < chunks(); ++i) {
            const StoredChunk from = chunk(i);
            if (!visit(from, next)) return false;
            next += from.words;
        }
        return true;
    }
    /// Word i of `WORD`.
    [[nodiscard]] std::uint64_t word(std::size_t i) const {
        return record_at<std::uint64_t>(word_bytes_, i * kWordSection.stride);
    }

    /// What a wrong value in OPTS is, which only Volume::make can tell.
    [[nodiscard]] Error bad_options() const { return {ErrorCode::baked_value, kOptionsSectionAt, 0}; }

  private:
    [[nodiscard]] Result<void> find_sections(const BakedFile& file, std::span<const std::uint8_t> bytes);
    [[nodiscard]] Result<void> read_options(const BakedFile& file, std::int64_t voxels_max);
    [[nodiscard]] Result<void> check_chunks();
    [[nodiscard]] bool check_chunk(const StoredChunk& chunk, std::size_t& word);
    [[nodiscard]] bool check_cell(Voxel low, std::size_t& word);

    [[nodiscard]] std::size_t chunks() const { return chunk_bytes_.size() / kChunkSection.stride; }
    [[nodiscard]] std::size_t words() const { return word_bytes_.size() / kWordSection.stride; }
    [[nodiscard]] StoredChunk chunk(std::size_t i) const {
        const std::span<const std::uint8_t> at =
            chunk_bytes_.subspan(i * kChunkSection.stride, kChunkSection.stride);
        const auto number = [&](std::size_t k) {
            return static_cast<std::int32_t>(record_at<std::uint32_t>(at, k));
        };
        return {{number(0), number(4), number(8)},
                record_at<std::uint32_t>(at, 12),
                record_at<std::uint64_t>(at, 16),
                record_at<std::uint64_t>(at, 24)};
    }

    Vec3 origin_{};
    Vec3 voxel_size_{};
    Voxel size_{};
    std::uint64_t solid_ = 0;
    std::span<const std::uint8_t> option_bytes_, chunk_bytes_, word_bytes_;
};

struct EditorData;

/// Puts them into the draft of an empty volume. False: out of memory.
[[nodiscard]] bool write_stored(EditorData& editor, const StoredVolume& stored);

}  // namespace fairlead::volume
