// The first step: floods of a chunk's touched cells. A cell that falls into several components gets a table.
#include <bit>
#include <cstring>
#include <new>

#include "volume/components/places.h"
#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

class TableWriter {
  public:
    TableWriter(EditorData& editor, std::uint32_t chunk)
        : editor_(editor), chunk_(chunk), tables_(editor.tables), parts_(editor.table_parts) {
        tables_.clear();
        parts_.clear();
    }

    [[nodiscard]] bool run(std::uint64_t touched) {
        const StateData& state = *editor_.draft;
        const ChunkTables* old = state.tables[chunk_];
        const Chunk* chunk = state.chunks[chunk_];
        const std::uint64_t kept = old == nullptr ? 0 : old->several & ~touched;
        for (std::uint64_t left = kept | touched; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            if (has(kept, cell)) {
                if (!copy(*old, cell)) return false;
            } else if (chunk != nullptr && chunk->cells[cell].is_mixed()) {
                const Place p = place_of(state, chunk_, cell);
                flood_cell(state, p.x, p.y, p.z, *editor_.flood);
                if (editor_.flood->components > 1 && !add(*editor_.flood, cell)) return false;
            }
        }
        return put();
    }

  private:
    [[nodiscard]] bool copy(const ChunkTables& old, std::uint32_t cell) {
        CellTable table = *old.find(cell);
        const PartOf* parts = old.part() + table.parts;
        table.parts = static_cast<std::uint32_t>(parts_.size());
        for (std::uint32_t i = 0; i < table.part_count; ++i) {
            if (!parts_.push_back(parts[i])) return false;
        }
        several_ |= std::uint64_t{1} << cell;
        return tables_.push_back(table);
    }
    [[nodiscard]] bool add(const CellFlood& flood, std::uint32_t cell) {
        CellTable table{};
        table.parts = static_cast<std::uint32_t>(parts_.size());
        table.components = flood.components;
        for (std::uint32_t b = 0; b < 64; ++b) {
            const std::uint32_t from = flood.first[b], to = flood.first[b + 1];
            if (from == to) continue;
            const std::uint16_t component = flood.parts[from].component;
            bool one = component < kSeveral;
            for (std::uint32_t i = from + 1; i < to; ++i) one = one && flood.parts[i].component == component;
            table.component[b] = one ? static_cast<std::uint8_t>(component) : kSeveral;
            for (std::uint32_t i = from; i < to && !one; ++i) {
                const auto voxel = static_cast<std::uint16_t>(
                    b * 64 + static_cast<std::uint32_t>(std::countr_zero(flood.parts[i].bits)));
                if (!parts_.push_back({voxel, flood.parts[i].component})) return false;
            }
        }
        table.part_count = static_cast<std::uint16_t>(parts_.size() - table.parts);
        several_ |= std::uint64_t{1} << cell;
        return tables_.push_back(table);
    }
    [[nodiscard]] bool put() {
        ChunkTables*& slot = editor_.draft->tables[chunk_];
        ChunkTables* made = nullptr;
        if (!tables_.empty()) {
            void* memory = editor_.make_block(ChunkTables::bytes_for(tables_.size(), parts_.size()));
            if (memory == nullptr) return false;
            const Block block = *static_cast<Block*>(memory);
            made = new (memory) ChunkTables;
            made->block = block;
            made->several = several_;
            made->parts = static_cast<std::uint32_t>(parts_.size());
            std::memcpy(static_cast<void*>(made->table()), tables_.data(),
                        tables_.size() * sizeof(CellTable));
            if (!parts_.empty())
                std::memcpy(static_cast<void*>(made->part()), parts_.data(), parts_.size() * sizeof(PartOf));
        }
        if (slot != nullptr && !editor_.give_up(&slot->block)) {
            if (made != nullptr) editor_.discard(&made->block);
            return false;
        }
        slot = made;
        return true;
    }

    EditorData& editor_;
    std::uint32_t chunk_;
    std::uint64_t several_ = 0;  ///< cells with a table
    Array<CellTable>& tables_;
    Array<PartOf>& parts_;
};

}  // namespace

bool write_tables(EditorData& editor, std::uint32_t chunk, std::uint64_t touched) {
    if (editor.draft->chunks[chunk] == nullptr && editor.draft->tables[chunk] == nullptr) return true;
    return TableWriter(editor, chunk).run(touched);
}

}  // namespace fairlead::volume
