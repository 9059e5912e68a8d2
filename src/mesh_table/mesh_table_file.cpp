// MeshTable as a baked file, kind MTAB. FORMAT.md says what the records mean.
#include <fairlead/mesh/mesh_table.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairlead/base/baked.h>

#include "base/no_memory.h"
#include "base/section_loader.h"
#include "mesh/table/table.h"

namespace fairlead {

using mesh::HubEntry;
using mesh::kNone;
using mesh::kTailFlag;
using mesh::Sight;
using mesh::TableData;

namespace {

constexpr std::uint16_t kTableMajor = 1;
constexpr std::uint16_t kTableMinor = 0;
constexpr SectionKind kTableCounts{four_letters("CNTS"), 8};
constexpr SectionKind kSightFirsts{four_letters("SEE1"), 4};
constexpr SectionKind kSights{four_letters("SEEN"), 12};
constexpr SectionKind kLabelFirsts{four_letters("LAB1"), 4};
constexpr SectionKind kLabelEntries{four_letters("LABL"), 16};

// Numbers of the first record of each of `lists` lists, and of the end.
bool are_list_firsts(const Array<std::uint32_t>& first, std::size_t lists, std::size_t records) {
    return first.size() == lists + 1 && first[0] == 0 && first[lists] == records &&
           std::is_sorted(first.begin(), first.end());
}

const HubEntry* find_entry(const TableData& table, std::uint32_t corner, std::uint32_t hub) {
    for (const HubEntry& entry : table.labels.of(corner)) {
        if (entry.hub == hub) return &entry;
    }
    return nullptr;
}

// Hubs from the most important on, each as far as the next corner on the way to it says.
bool is_label_entry(const TableData& table, std::uint32_t corner, const HubEntry* entry) {
    const HubEntry* const first = table.labels.entries.data() + table.labels.first[corner];
    if (entry != first && entry->hub <= entry[-1].hub) return false;
    if (entry->next == corner) return entry->far == 0.0;
    const HubEntry* const onward = find_entry(table, entry->next, entry->hub);
    if (onward == nullptr || onward->far > entry->far) return false;
    return entry->far == onward->far + distance(table.corner_at[entry->next], table.corner_at[corner]);
}

}  // namespace

Result<void> MeshTable::save(Array<std::uint8_t>& out) const {
    const TableData& table = *data_;
    BakedWriter file(
        {.kind = kBakedMeshTable, .major = kTableMajor, .minor = kTableMinor, .source_hash = table.surface},
        table.points.allocator());
    const auto begin = [&](const SectionKind& kind) -> ByteWriter& {
        return file.begin(kind.id, kind.stride);
    };
    begin(kTableCounts).put(table.legs);
    ByteWriter& sight_firsts = begin(kSightFirsts);
    for (const std::uint32_t first : table.sight_first) sight_firsts.put(first);
    ByteWriter& sights = begin(kSights);
    for (const Sight& sight : table.sights) {
        sights.put(sight.corner);
        sights.put(sight.left);
        sights.put(sight.right);
    }
    ByteWriter& label_firsts = begin(kLabelFirsts);
    for (const std::uint32_t first : table.labels.first) label_firsts.put(first);
    ByteWriter& entries = begin(kLabelEntries);
    for (const HubEntry& entry : table.labels.entries) {
        entries.put(entry.far);
        entries.put(entry.hub);
        entries.put(entry.next);
    }
    return file.finish(out);
}

Result<MeshTable> MeshTable::load(std::span<const std::uint8_t> bytes, NavMeshSnapshot mesh,
                                  const Allocator& allocator) {
    FAIRLEAD_ASSERT(mesh.held());
    const Result<BakedFile> file =
        BakedFile::open(bytes, {.kind = kBakedMeshTable, .major = kTableMajor, .minor = kTableMinor});
    if (!file) return file.error();
    const mesh::StateData& state = mesh->data();
    const std::uint64_t surface = mesh::surface_digest(state);
    if (file->header().source_hash != surface) return Error{ErrorCode::incompatible, -1, 0};
    Result<MeshTable> made = empty(std::move(mesh), allocator);
    if (!made) return made;
    TableData& table = *made->data_;
    if (!table.number(state)) return kNoMemory;
    table.surface = surface;

    SectionLoader in(*file);
    const std::uint32_t corners = table.corners();
    const auto is_limit = [&](std::uint32_t limit) {
        return limit == kNone || (limit & ~kTailFlag) < table.points.size();
    };
    const auto get_sight = [&](ByteReader& from, Sight& sight) {
        sight.corner = from.get<std::uint32_t>();
        sight.left = from.get<std::uint32_t>();
        sight.right = from.get<std::uint32_t>();
        return sight.corner < corners && is_limit(sight.left) && is_limit(sight.right);
    };
    const auto get_entry = [&](ByteReader& from, HubEntry& entry) {
        entry.far = from.get<double>();
        entry.hub = from.get<std::uint32_t>();
        entry.next = from.get<std::uint32_t>();
        return std::isfinite(entry.far) && entry.far >= 0.0 && entry.hub < corners && entry.next < corners;
    };
    std::uint64_t counts = 0;
    const auto get_counts = [&](ByteReader& from) {
        table.legs = from.get<std::uint64_t>();
        return ++counts == 1;
    };
    if (!in.records(kTableCounts, get_counts) || !in.list(kSightFirsts, table.sight_first, read_number) ||
        !in.list(kSights, table.sights, get_sight) ||
        !in.list(kLabelFirsts, table.labels.first, read_number) ||
        !in.list(kLabelEntries, table.labels.entries, get_entry))
        return in.error();
    if (counts != 1) return in.bad(kTableCounts, 0);
    if (!are_list_firsts(table.sight_first, state.polygons, table.sights.size()))
        return in.bad(kSightFirsts, 0);
    if (!are_list_firsts(table.labels.first, corners, table.labels.entries.size()))
        return in.bad(kLabelFirsts, 0);
    for (std::uint32_t corner = 0; corner < corners; ++corner) {
        for (std::uint32_t i = table.labels.first[corner]; i < table.labels.first[corner + 1]; ++i) {
            if (!is_label_entry(table, corner, &table.labels.entries[i])) return in.bad(kLabelEntries, i);
        }
    }
    return made;
}

Result<bool> MeshTable::is_as_made() const {
    const Result<MeshTable> made = make_from(mesh_->data(), {.allocator = data_->points.allocator()});
    if (!made) return made.error();
    return made->digest() == digest() && made->data_->legs == data_->legs;
}

}  // namespace fairlead
