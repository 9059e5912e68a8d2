// StoredVolume: the sections of a file, looked at from end to end before any memory is taken for them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include <fairlead/base/baked.h>
#include <fairlead/base/result.h>

#include "volume/files/volume_sections.h"

namespace fairlead::volume {

/// Little-endian numbers of a file, wherever they lie.
template <class T>
[[nodiscard]] inline T record_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    T out = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&out, bytes.data() + at, sizeof(T));
    } else {
        for (std::size_t i = 0; i < sizeof(T); ++i)
            out = static_cast<T>(out | static_cast<T>(T{bytes[at + i]} << (8 * i)));
    }
    return out;
}
template <class T>
inline void records_at(std::span<const std::uint8_t> bytes, std::size_t at, T* out, std::size_t count) {
    if constexpr (std::endian::native == std::endian::little) {
        if (count > 0) std::memcpy(out, bytes.data() + at, count * sizeof(T));
    } else {
        for (std::size_t i = 0; i < count; ++i) out[i] = record_at<T>(bytes, at + i * sizeof(T));
    }
}

struct EditorData;
struct StateData;

class StoredVolume {
  public:
    /// Of a file that has been opened. Errors: baked_section, baked_value, size_limit (as load_volume). `trusted`: only its options and
    /// the sizes of its blocks are looked at.
    [[nodiscard]] static Result<StoredVolume> read(const BakedFile& file, std::span<const std::uint8_t> bytes,
                                                   std::int64_t voxels_max, bool trusted = false);

    [[nodiscard]] Vec3 origin() const { return origin_; }
    [[nodiscard]] Vec3 voxel_size() const { return voxel_size_; }
    [[nodiscard]] Voxel size() const { return size_; }
    [[nodiscard]] std::int64_t solid() const { return static_cast<std::int64_t>(solid_); }
    [[nodiscard]] bool is_trusted() const { return trusted_; }
    /// Calls visit(chunk, its first word in DATA) for each in turn; stops where it returns false.
    template <class Visit>
    [[nodiscard]] bool each_chunk(const Visit& visit) const {
        std::size_t next = 0;
        for (std::size_t i = 0; i < chunks(); ++i) {
            const StoredChunk from = chunk(i);
            if (!visit(from, next)) return false;
            next += static_cast<std::size_t>(from.words());
        }
        return true;
    }
    /// Words of `DATA`.
    [[nodiscard]] std::span<const std::uint8_t> data(std::size_t word, std::uint32_t words) const {
        return data_bytes_.subspan(word * 8, std::size_t{words} * 8);
    }
    [[nodiscard]] std::span<const std::uint8_t> labels() const { return label_bytes_; }

    /// What a wrong value in OPTS is, which only Volume::make can tell.
    [[nodiscard]] Error bad_options() const { return {ErrorCode::baked_value, kOptionsSectionAt, 0}; }

  private:
    [[nodiscard]] Result<void> find_sections(const BakedFile& file, std::span<const std::uint8_t> bytes);
    [[nodiscard]] Result<void> read_options(const BakedFile& file, std::int64_t voxels_max);
    [[nodiscard]] Result<void> check_places() const;
    [[nodiscard]] Result<void> check_blocks() const;
    [[nodiscard]] Result<void> check_labels() const;
    [[nodiscard]] bool is_in_bounds(Voxel chunk) const;

    [[nodiscard]] std::size_t chunks() const { return chunk_bytes_.size() / kChunkSection.stride; }
    [[nodiscard]] std::size_t words() const { return data_bytes_.size() / kDataSection.stride; }
    [[nodiscard]] StoredChunk chunk(std::size_t i) const {
        const std::span<const std::uint8_t> at =
            chunk_bytes_.subspan(i * kChunkSection.stride, kChunkSection.stride);
        const auto number = [&](std::size_t k) { return record_at<std::uint32_t>(at, k); };
        const auto side = [&](std::size_t k) { return static_cast<std::int32_t>(number(k)); };
        return {{side(0), side(4), side(8)}, number(12), number(16), number(20)};
    }

    bool trusted_ = false;
    bool parts_ = false;  ///< some chunks are not there
    Vec3 origin_{};
    Vec3 voxel_size_{};
    Voxel size_{};
    std::uint64_t solid_ = 0;
    std::span<const std::uint8_t> option_bytes_, chunk_bytes_, data_bytes_, label_bytes_;
};

/// What is wrong with the voxels of a chunk: the word of it that means nothing, or kGood. `solid` grows by its voxels.
inline constexpr std::size_t kGood = SIZE_MAX;
[[nodiscard]] std::size_t find_chunk_fault(std::span<const std::uint8_t> chunk, Voxel place, Voxel size,
                                           std::uint64_t& solid);
/// The same of its tables, and of its links and pieces, as far as they can be told without the neighbours.
[[nodiscard]] std::size_t find_tables_fault(std::span<const std::uint8_t> tables,
                                            std::span<const std::uint8_t> chunk);
[[nodiscard]] std::size_t find_links_fault(std::span<const std::uint8_t> links,
                                           std::span<const std::uint8_t> chunk, Voxel place, Voxel size);

/// Puts them into the draft of an empty volume: copies, or as they lie there if they are trusted. Errors: out_of_memory; baked_value: of
/// what can be told only then.
[[nodiscard]] Result<void> write_stored(EditorData& editor, const StoredVolume& stored);

}  // namespace fairlead::volume
