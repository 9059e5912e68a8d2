// Every record is looked at: chunks in order, cells and bricks in the bounds and in the one form that a volume has.
// So a file that passes is what save_volume makes of the volume that it holds.
#include "volume/files/stored_volume.h"

#include <utility>

namespace fairlead::volume {

namespace {

constexpr std::uint64_t kEvery = ~std::uint64_t{0};

// Of the 4^3 parts with sides of `unit` that begin at `low`: those that the bounds touch, and those that lie within.
std::uint64_t touched_places(Voxel size, Voxel low, std::int32_t unit) {
    const auto up = [unit](std::int32_t n) { return n <= 0 ? 0 : (n + unit - 1) / unit; };
    return low_places(up(size.x - low.x), up(size.y - low.y), up(size.z - low.z));
}
std::uint64_t whole_places(Voxel size, Voxel low, std::int32_t unit) {
    const auto down = [unit](std::int32_t n) { return n <= 0 ? 0 : n / unit; };
    return low_places(down(size.x - low.x), down(size.y - low.y), down(size.z - low.z));
}

bool is_later(Voxel a, Voxel b) {
    if (a.z != b.z) return a.z > b.z;
    if (a.y != b.y) return a.y > b.y;
    return a.x > b.x;
}

}  // namespace

Result<StoredVolume> StoredVolume::read(const BakedFile& file, std::span<const std::uint8_t> bytes,
                                        std::int64_t voxels_max) {
    StoredVolume out;
    if (const Result<void> found = out.find_sections(file, bytes); !found) return found.error();
    if (const Result<void> good = out.read_options(file, voxels_max); !good) return good.error();
    if (const Result<void> good = out.check_chunks(); !good) return good.error();
    return out;
}

Result<void> StoredVolume::find_sections(const BakedFile& file, std::span<const std::uint8_t> bytes) {
    const SectionKind kinds[] = {kOptionsSection, kChunkSection, kWordSection};
    std::span<const std::uint8_t>* const parts[] = {&option_bytes_, &chunk_bytes_, &word_bytes_};
    for (std::uint32_t i = 0; i < 3; ++i) {
        if (i >= file.sections()) return Error{ErrorCode::baked_section, -1, kinds[i].id};
        const BakedSection section = file.section_at(i);
        if (section.id != kinds[i].id || section.stride != kinds[i].stride)
            return Error{ErrorCode::baked_section, i, section.id};
        *parts[i] =
            bytes.subspan(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.size));
    }
    if (file.sections() > 3) return Error{ErrorCode::baked_section, 3, file.section_at(3).id};
    return {};
}

Result<void> StoredVolume::read_options(const BakedFile& file, std::int64_t voxels_max) {
    if (option_bytes_.size() != kOptionsSection.stride) return bad_options();
    ByteReader in(option_bytes_);
    for (Vec3* v : {&origin_, &voxel_size_}) {
        for (double* value : {&v->x, &v->y, &v->z}) *value = in.get<double>();
    }
    bool good = true;  // what the numbers must be is for Volume::make to say
    std::int64_t voxels = 1;
    for (std::int32_t* side : {&size_.x, &size_.y, &size_.z}) {
        *side = in.get<std::int32_t>();
        good = good && *side >= 1 && *side <= kVolumeSideMax && voxels <= kVolumeVoxelsMax / *side;
        if (good) voxels *= *side;
    }
    good = good && in.get<std::uint32_t>() == 0;
    solid_ = in.get<std::uint64_t>();
    if (!good || file.header().options_hash != options_hash_of(origin_, voxel_size_, size_))
        return bad_options();
    if (voxels > voxels_max) return Error{ErrorCode::size_limit, -1, voxels_max};
    return {};
}

// Counts solid voxels on the way.
Result<void> StoredVolume::check_chunks() {
    std::size_t next = 0;
    const std::uint64_t stated = std::exchange(solid_, 0);
    Voxel last{-1, -1, -1};
    for (std::size_t i = 0; i < chunks(); ++i) {
        const Error bad_chunk{ErrorCode::baked_value, kChunkSectionAt, static_cast<std::int64_t>(i)};
        const StoredChunk from = chunk(i);
        const Voxel& p = from.place;
        constexpr std::int32_t kChunksMax = kVolumeSideMax / 64;
        const auto near = [](std::int32_t at) { return at >= 0 && at < kChunksMax; };
        if (!near(p.x) || !near(p.y) || !near(p.z) || !is_later(p, last)) return bad_chunk;
        last = p;
        const Voxel low{p.x * 64, p.y * 64, p.z * 64};
        const bool masks = from.some != 0 && (from.full & ~from.some) == 0 &&
                           (from.some & ~touched_places(size_, low, 16)) == 0 &&
                           (from.full & ~whole_places(size_, low, 16)) == 0;
        if (!masks || from.words > words() - next) return bad_chunk;
        const std::size_t end = next + from.words;
        if (!check_chunk(from, next))
            return Error{ErrorCode::baked_value, kWordSectionAt, static_cast<std::int64_t>(next)};
        if (next != end) return bad_chunk;
    }
    if (next != words())
        return Error{ErrorCode::baked_value, kWordSectionAt, static_cast<std::int64_t>(next)};
    return solid_ == stated ? Result<void>{} : Result<void>{bad_options()};
}

// Where a word means nothing, `next` is it.
bool StoredVolume::check_chunk(const StoredChunk& from, std::size_t& next) {
    const auto full = static_cast<std::uint64_t>(std::popcount(from.full));
    solid_ += full * 64 * 64;
    for (std::uint64_t cells = from.some & ~from.full; cells != 0; cells &= cells - 1) {
        const int c = std::countr_zero(cells);
        const Voxel low{from.place.x * 64 + (c & 3) * 16, from.place.y * 64 + (c >> 2 & 3) * 16,
                        from.place.z * 64 + (c >> 4) * 16};
        if (!check_cell(low, next)) return false;
    }
    return true;
}

bool StoredVolume::check_cell(Voxel low, std::size_t& next) {
    const std::size_t end = words();
    if (end - next < 2) return false;
    const StoredCell cell{word(next), word(next + 1)};
    const bool inside = size_.x - low.x >= 16 && size_.y - low.y >= 16 && size_.z - low.z >= 16;
    if (cell.some == 0 || (!inside && (cell.some & ~touched_places(size_, low, 4)) != 0)) return false;
    const bool parts = (cell.full & ~cell.some) == 0 && cell.full != kEvery;
    if (!parts || (!inside && (cell.full & ~whole_places(size_, low, 4)) != 0)) {
        ++next;
        return false;
    }
    const std::uint64_t mixed = cell.mixed();
    next += 2;
    if (end - next < static_cast<std::size_t>(std::popcount(mixed))) return false;
    for (std::uint64_t left = mixed; left != 0; left &= left - 1, ++next) {
        const std::uint64_t bits = word(next);
        if (bits == 0 || bits == kEvery) return false;
        solid_ += static_cast<std::uint64_t>(std::popcount(bits));
        if (inside) continue;
        const int b = std::countr_zero(left);
        const Voxel corner{low.x + (b & 3) * 4, low.y + (b >> 2 & 3) * 4, low.z + (b >> 4) * 4};
        if ((bits & ~touched_places(size_, corner, 1)) != 0) return false;
    }
    solid_ += 64 * static_cast<std::uint64_t>(std::popcount(cell.full));
    return true;
}

}  // namespace fairlead::volume
