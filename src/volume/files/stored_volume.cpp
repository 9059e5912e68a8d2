// The sections and the order of chunks. What their blocks hold is looked at in check_chunk.cpp and check_joins.cpp.
#include "volume/files/stored_volume.h"

#include <algorithm>

#include "volume/data/state.h"

namespace fairlead::volume {

namespace {

bool is_later(Voxel a, Voxel b) {
    if (a.z != b.z) return a.z > b.z;
    if (a.y != b.y) return a.y > b.y;
    return a.x > b.x;
}

}  // namespace

Result<StoredVolume> StoredVolume::read(const BakedFile& file, std::span<const std::uint8_t> bytes,
                                        std::int64_t voxels_max, bool trusted) {
    StoredVolume out;
    out.trusted_ = trusted;
    out.parts_ = file.header().minor == kVolumeParts;
    if (const Result<void> found = out.find_sections(file, bytes); !found) return found.error();
    if (const Result<void> good = out.read_options(file, voxels_max); !good) return good.error();
    if (const Result<void> good = out.check_places(); !good) return good.error();
    if (trusted) return out;
    if (const Result<void> good = out.check_blocks(); !good) return good.error();
    if (const Result<void> good = out.check_labels(); !good) return good.error();
    return out;
}

Result<void> StoredVolume::find_sections(const BakedFile& file, std::span<const std::uint8_t> bytes) {
    const SectionKind kinds[] = {kOptionsSection, kChunkSection, kDataSection, kLabelSection};
    std::span<const std::uint8_t>* const parts[] = {&option_bytes_, &chunk_bytes_, &data_bytes_,
                                                    &label_bytes_};
    for (std::uint32_t i = 0; i < 4; ++i) {
        if (i >= file.sections()) return Error{ErrorCode::baked_section, -1, kinds[i].id};
        const BakedSection section = file.section_at(i);
        if (section.id != kinds[i].id || section.stride != kinds[i].stride)
            return Error{ErrorCode::baked_section, i, section.id};
        *parts[i] =
            bytes.subspan(static_cast<std::size_t>(section.offset), static_cast<std::size_t>(section.size));
    }
    if (file.sections() > 4) return Error{ErrorCode::baked_section, 4, file.section_at(4).id};
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

bool StoredVolume::is_in_bounds(Voxel chunk) const {
    const auto near = [](std::int32_t at, std::int32_t side) { return at >= 0 && at < (side + 63) / 64; };
    return near(chunk.x, size_.x) && near(chunk.y, size_.y) && near(chunk.z, size_.z);
}

// Chunks in order and in bounds; blocks as many words as there are.
Result<void> StoredVolume::check_places() const {
    std::uint64_t next = 0;
    Voxel last{-1, -1, -1};
    bool missing = false;
    for (std::size_t i = 0; i < chunks(); ++i) {
        const StoredChunk from = chunk(i);
        missing = missing || !from.is_loaded();
        const bool good = is_in_bounds(from.place) && is_later(from.place, last) &&
                          (from.is_loaded() ? from.chunk >= sizeof(Chunk) / 8 : parts_) &&
                          from.words() <= words() - next;
        if (!good) return Error{ErrorCode::baked_value, kChunkSectionAt, static_cast<std::int64_t>(i)};
        last = from.place;
        next += from.words();
    }
    if (missing != parts_)
        return Error{ErrorCode::baked_value, kChunkSectionAt, static_cast<std::int64_t>(chunks())};
    if (next != words())
        return Error{ErrorCode::baked_value, kDataSectionAt, static_cast<std::int64_t>(next)};
    const auto across = [](std::int32_t side) { return static_cast<std::uint64_t>((side + 63) / 64); };
    const std::uint64_t all = across(size_.x) * across(size_.y) * across(size_.z);
    const bool labels =
        label_bytes_.size() >= sizeof(Labels) && record_at<std::uint32_t>(label_bytes_, 16) == all &&
        ((sizeof(Labels) + (all + record_at<std::uint32_t>(label_bytes_, 20)) * 4 + 7) & ~std::uint64_t{7}) ==
            label_bytes_.size();
    return labels ? Result<void>{} : Result<void>{Error{ErrorCode::baked_value, kLabelSectionAt, 2}};
}

Result<void> StoredVolume::check_blocks() const {
    std::uint64_t solid = 0;
    Error error{};
    const bool good = each_chunk([&](const StoredChunk& from, std::size_t at) {
        if (!from.is_loaded()) return true;
        const auto fails = [&](std::size_t first, std::size_t fault) {
            error = {ErrorCode::baked_value, kDataSectionAt, static_cast<std::int64_t>(first + fault)};
            return fault != kGood;
        };
        const std::span<const std::uint8_t> chunk = data(at, from.chunk);
        if (fails(at, find_chunk_fault(chunk, from.place, size_, solid))) return false;
        const std::size_t tables = at + from.chunk, links = tables + from.tables;
        if (from.tables != 0 && fails(tables, find_tables_fault(data(tables, from.tables), chunk)))
            return false;
        const bool has_solid = record_at<std::uint32_t>(chunk, 16) != 0;
        if (has_solid != (from.links != 0) || (!has_solid && from.tables != 0)) {
            (void)fails(at, 2);
            return false;
        }
        return !has_solid ||
               !fails(links, find_links_fault(data(links, from.links), chunk, from.place, size_));
    });
    if (!good) return error;
    return solid == solid_ ? Result<void>{} : Result<void>{bad_options()};
}

// Pieces are numbered chunk by chunk; a label is the lowest number that bears it.
Result<void> StoredVolume::check_labels() const {
    const auto bad = [](std::size_t byte) {
        return Error{ErrorCode::baked_value, kLabelSectionAt, static_cast<std::int64_t>(byte / 8)};
    };
    const std::span<const std::uint8_t> in = label_bytes_;
    const std::size_t chunks = record_at<std::uint32_t>(in, 16), pieces = record_at<std::uint32_t>(in, 20);
    if (record_at<std::uint64_t>(in, 0) != Block::kBorrowed || record_at<std::uint64_t>(in, 8) != in.size())
        return bad(0);
    const std::size_t labels = sizeof(Labels) + chunks * 4, end = labels + pieces * 4;
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::uint32_t label = record_at<std::uint32_t>(in, labels + i * 4);
        if (label > i || record_at<std::uint32_t>(in, labels + std::size_t{label} * 4) != label)
            return bad(labels + i * 4);
    }
    if (end < in.size() && record_at<std::uint32_t>(in, end) != 0) return bad(end);
    const auto across = [](std::int32_t side) { return static_cast<std::size_t>((side + 63) / 64); };
    std::size_t chunk = 0;
    std::uint64_t next = 0;
    bool good = true;
    // Up to and without chunk `to`, whose pieces are `more`.
    const auto count = [&](std::size_t to, std::uint32_t more) {
        for (; good && chunk < to; ++chunk, ++next)
            good = record_at<std::uint32_t>(in, sizeof(Labels) + chunk * 4) == next;
        if (!good || chunk >= chunks) return;
        good = record_at<std::uint32_t>(in, sizeof(Labels) + chunk * 4) == next;
        ++chunk;
        next += more;
    };
    (void)each_chunk([&](const StoredChunk& from, std::size_t at) {
        if (from.links == 0 && from.is_loaded()) return true;
        const std::size_t place = (static_cast<std::size_t>(from.place.z) * across(size_.y) +
                                   static_cast<std::size_t>(from.place.y)) *
                                      across(size_.x) +
                                  static_cast<std::size_t>(from.place.x);
        if (!from.is_loaded())
            count(place, 0);
        else
            count(place, record_at<std::uint32_t>(data(at + from.chunk + from.tables, from.links), 44));
        return good;
    });
    if (good) count(chunks, 0);
    if (!good) return bad(sizeof(Labels) + std::min(chunk, chunks - 1) * 4);
    return next == pieces ? Result<void>{} : Result<void>{bad(16)};
}

}  // namespace fairlead::volume
