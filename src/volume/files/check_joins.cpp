// Tables, links and pieces of a stored chunk: that every index lies in its list, so that whatever they say, nobody reads beyond it.
// Whether they are those of these voxels is not looked at.
#include <bit>
#include <cstring>

#include "volume/components/joins.h"
#include "volume/data/state.h"
#include "volume/files/stored_volume.h"

namespace fairlead::volume {

namespace {

using Bytes = std::span<const std::uint8_t>;

// The cells of a chunk, a bit each. Those beyond the bounds are empty, too.
struct CellMasks {
    std::uint64_t empty = 0;
    std::uint64_t mixed = 0;
};
CellMasks cells_of(Bytes chunk) {
    CellMasks out;
    for (std::uint32_t c = 0; c < 64; ++c) {
        const std::uint32_t node = record_at<std::uint16_t>(chunk, 24 + c * 4);
        out.empty |= std::uint64_t{node == CellEntry::kEmpty} << c;
        out.mixed |= std::uint64_t{node > CellEntry::kFull} << c;
    }
    return out;
}

bool is_block(Bytes in, std::size_t head) {
    return in.size() >= head && record_at<std::uint64_t>(in, 0) == Block::kBorrowed &&
           record_at<std::uint64_t>(in, 8) == in.size();
}

bool is_zero(Bytes in, std::size_t from) {
    for (; from < in.size(); ++from) {
        if (in[from] != 0) return false;
    }
    return true;
}

// Of the table at `at`, whose parts begin at part `first`.
bool is_table(Bytes in, std::size_t at, std::size_t part_at, std::uint32_t first, std::uint32_t parts) {
    const std::uint32_t count = record_at<std::uint16_t>(in, at + 4),
                        components = record_at<std::uint16_t>(in, at + 6);
    if (record_at<std::uint32_t>(in, at) != first || count > parts - first || components < 2 ||
        components > kCellComponentsMax)
        return false;
    // Without branches: many at once. What is one more than kSeveral is 0.
    static_assert(kSeveral == 0xff);
    std::uint8_t component[64];
    std::memcpy(component, in.data() + at + 8, 64);
    std::uint8_t end_of_one = 0, largest = 0;
    for (const std::uint8_t c : component) {
        const auto next = static_cast<std::uint8_t>(c + 1);
        end_of_one = next > end_of_one ? next : end_of_one;
        largest = c > largest ? c : largest;
    }
    if (end_of_one > components || (largest == kSeveral) != (count > 0)) return false;
    const std::size_t begin = part_at + first * std::size_t{4}, end = begin + count * std::size_t{4};
    std::uint32_t wrong = 0;  // as above
    for (std::size_t i = begin; i < end; i += 4) {
        const std::uint32_t part = record_at<std::uint32_t>(in, i);
        const std::uint32_t before = record_at<std::uint32_t>(in, i == begin ? i : i - 4);
        const bool ordered = (part & 0xffff) > (before & 0xffff) || i == begin;
        wrong |= static_cast<std::uint32_t>(!ordered) |
                 static_cast<std::uint32_t>((part & 0xffff) >= 64 * 64) |
                 static_cast<std::uint32_t>(part >> 16 >= components);
    }
    return wrong == 0;
}

}  // namespace

std::size_t find_tables_fault(Bytes in, Bytes chunk) {
    constexpr std::size_t kHead = sizeof(ChunkTables);
    if (!is_block(in, kHead)) return 0;
    const std::uint64_t several = record_at<std::uint64_t>(in, 16);
    const std::uint32_t parts = record_at<std::uint32_t>(in, 24), tables = count_bits(several);
    if (tables == 0 || (several & ~cells_of(chunk).mixed) != 0) return 2;
    if (parts > 64 * kCellComponentsMax || ChunkTables::bytes_for(tables, parts) != in.size() ||
        record_at<std::uint32_t>(in, 28) != 0)
        return 3;
    const std::size_t part_at = kHead + tables * sizeof(CellTable);
    std::uint32_t first = 0;
    for (std::size_t at = kHead; at < part_at; at += sizeof(CellTable)) {
        if (!is_table(in, at, part_at, first, parts)) return at / 8;
        first += record_at<std::uint16_t>(in, at + 4);
    }
    if (first != parts || !is_zero(in, part_at + std::size_t{parts} * 4)) return in.size() / 8 - 1;
    return kGood;
}

std::size_t find_links_fault(Bytes in, Bytes chunk, Voxel place, Voxel size) {
    if (!is_block(in, sizeof(ChunkLinks))) return 0;
    ChunkLinks head;
    head.empty = record_at<std::uint64_t>(in, 16);
    head.mixed = record_at<std::uint64_t>(in, 24);
    head.listed = record_at<std::uint64_t>(in, 32);
    head.links = record_at<std::uint32_t>(in, 40);
    head.pieces = record_at<std::uint32_t>(in, 44);
    head.numbers = record_at<std::uint32_t>(in, 48);
    const auto inside = [](std::int32_t side, std::int32_t at) { return (side + 15) / 16 - at * 4; };
    const CellMasks cells = cells_of(chunk);
    const std::uint64_t in_bounds =
        low_places(inside(size.x, place.x), inside(size.y, place.y), inside(size.z, place.z));
    if (head.empty != (cells.empty & in_bounds)) return 2;
    if (head.mixed != cells.mixed) return 3;
    if ((head.listed & ~head.mixed) != 0) return 4;
    constexpr std::uint32_t kMembersMax = 64 * kCellComponentsMax;
    if ((head.pieces > 1) != (head.numbers > 0) || head.pieces > kMembersMax || head.numbers > kMembersMax ||
        head.links > UINT16_MAX)
        return 5;
    if (record_at<std::uint32_t>(in, 52) != 0 || head.bytes() != in.size()) return 6;
    // Where links begin, faces, numbers.
    const std::size_t number = sizeof(ChunkLinks) + head.links * std::size_t{4} + head.starts() * 4;
    const std::size_t first = number + head.numbers * head.number_size(), faces = first + head.firsts() * 2;
    for (std::size_t at = number; at < first; at += head.number_size()) {
        const std::uint32_t piece =
            head.number_size() == 4 ? record_at<std::uint32_t>(in, at) : record_at<std::uint16_t>(in, at);
        if (piece >= head.pieces) return at / 8;
    }
    std::uint32_t last = 0;
    for (std::size_t at = first; at < faces; at += 2) {
        const std::uint32_t link = record_at<std::uint16_t>(in, at);
        if (link < last || link > head.links || (at == first && link != 0)) return at / 8;
        last = link;
    }
    if (last != head.links) return 5;
    const std::size_t end = faces + head.face_count();
    for (std::size_t at = faces; at < end; ++at) {
        if (in[at] >= 64) return at / 8;
    }
    return is_zero(in, end) ? kGood : in.size() / 8 - 1;
}

}  // namespace fairlead::volume
