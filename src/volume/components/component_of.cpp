// Whose component a voxel is in.
#include <algorithm>
#include <bit>

#include "volume/components/flood.h"
#include "volume/components/joins.h"
#include "volume/components/places.h"
#include "volume/data/state.h"

namespace fairlead::volume {

CellView::CellView(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z)
    : state_(&state), x_(x), y_(y), z_(z) {
    components_ = state.cell_entry(x, y, z).node == CellEntry::kFull ? 0 : 1;
    const ChunkTables* tables = state.tables[state.chunk_index(x >> 2, y >> 2, z >> 2)];
    table_ = tables == nullptr ? nullptr : tables->find(place64(x, y, z));
    if (table_ == nullptr) return;
    components_ = table_->components;
    parts_ = tables->part() + table_->parts;
}

std::uint64_t CellView::free(std::uint32_t brick) const {
    const auto b = static_cast<std::int32_t>(brick);
    return state_->free_bits(x_ * 4 + (b & 3), y_ * 4 + (b >> 2 & 3), z_ * 4 + (b >> 4));
}

std::uint32_t CellView::component(std::uint32_t brick, std::uint32_t voxel, std::uint64_t& bits) const {
    bits = kAll;
    if (table_ == nullptr) return 0;
    if (table_->component[brick] != kSeveral) return table_->component[brick];
    bits = flood_brick(std::uint64_t{1} << voxel, free(brick));
    const auto lowest =
        static_cast<std::uint16_t>(brick * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    // In a forged file it may be missing: then any other will do.
    const PartOf* last = parts_ + table_->part_count - 1;
    const PartOf* part =
        std::lower_bound(parts_, last, lowest, [](const PartOf& p, std::uint16_t v) { return p.voxel < v; });
    return part->component;
}

std::uint32_t components_in(const StateData& state, std::uint32_t chunk, std::uint32_t cell) {
    const ChunkTables* tables = state.tables[chunk];
    const CellTable* table = tables == nullptr ? nullptr : tables->find(cell);
    if (table != nullptr) return table->components;
    const Place p = place_of(state, chunk, cell);
    if (state.in_bounds({p.x * 16 + 15, p.y * 16 + 15, p.z * 16 + 15})) return 1;
    for (std::int32_t b = 0; b < 64; ++b) {
        if (state.free_bits(p.x * 4 + (b & 3), p.y * 4 + (b >> 2 & 3), p.z * 4 + (b >> 4)) != 0) return 1;
    }
    return 0;
}

std::uint32_t component_of(const StateData& state, Voxel v) {
    std::uint64_t bits = 0;
    return CellView(state, v.x >> 4, v.y >> 4, v.z >> 4)
        .component(place64(v.x >> 2, v.y >> 2, v.z >> 2), place64(v.x, v.y, v.z), bits);
}

std::uint32_t label_of(const StateData& state, Voxel v) {
    const std::size_t chunk = state.chunk_index(v.x >> 6, v.y >> 6, v.z >> 6);
    const ChunkLinks* links = state.links[chunk];
    std::uint32_t piece = 0;
    if (links != nullptr) piece = links->piece(place64(v.x >> 4, v.y >> 4, v.z >> 4), component_of(state, v));
    return state.labels->label()[state.labels->first()[chunk] + piece];
}

}  // namespace fairlead::volume
