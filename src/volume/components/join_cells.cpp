// The three steps after an edit: tables of the touched cells; links of them and of their neighbours; labels.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "volume/components/places.h"
#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

bool add_cell(Array<CellSet>& sets, std::uint32_t chunk, std::uint32_t cell) {
    for (std::size_t i = sets.size(); i-- > 0 && i + 64 > sets.size();) {
        if (sets[i].chunk != chunk) continue;
        sets[i].cells |= std::uint64_t{1} << cell;
        return true;
    }
    return sets.push_back({chunk, std::uint64_t{1} << cell});
}

// One entry a chunk, in order.
void merge(Array<CellSet>& sets) {
    const auto before = [](const CellSet& a, const CellSet& b) {
        return a.chunk != b.chunk ? a.chunk < b.chunk : a.cells < b.cells;
    };
    std::sort(sets.begin(), sets.end(), before);  // total order
    std::size_t kept = 0;
    for (const CellSet set : sets) {
        if (kept > 0 && sets[kept - 1].chunk == set.chunk)
            sets[kept - 1].cells |= set.cells;
        else
            sets[kept++] = set;
    }
    while (sets.size() > kept) sets.pop_back();
}

}  // namespace

bool EditorData::make_flood() {
    if (flood == nullptr)
        flood = static_cast<CellFlood*>(
            allocator.allocate(sizeof(CellFlood), alignof(CellFlood), allocator.user));
    return flood != nullptr;
}

void EditorData::free_buffers() {
    if (flood != nullptr) allocator.release(flood, sizeof(CellFlood), alignof(CellFlood), allocator.user);
    flood = nullptr;
    const auto free = [this](auto&... lists) { ((lists = std::decay_t<decltype(lists)>(allocator)), ...); };
    free(words, chunk_bits, touched, touched_sets, fresh_sets, tables, table_parts, links, found, sets,
         pieces, meetings[0], meetings[1]);
}

bool join_cells(EditorData& editor) {
    const StateData& state = *editor.draft;
    Array<CellSet>&touched = editor.touched_sets, &fresh = editor.fresh_sets;
    touched.clear();
    fresh.clear();
    for (const TouchedCell& t : editor.touched) {
        if (!add_cell(touched, t.chunk, t.cell)) return false;
    }
    merge(touched);
    for (const CellSet& set : touched) {
        if (!write_tables(editor, set.chunk, set.cells)) return false;
    }
    for (const CellSet& set : touched) {
        for (std::uint64_t left = set.cells; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            if (!add_cell(fresh, set.chunk, cell)) return false;
            for (std::uint32_t face = 0; face < 6; ++face) {
                const Place there = neighbour(place_of(state, set.chunk, cell), face);
                if (is_cell(state, there) &&
                    !add_cell(fresh, chunk_at(state, there), place64(there.x, there.y, there.z)))
                    return false;
            }
        }
    }
    merge(fresh);
    for (const CellSet& set : fresh) {
        if (!write_links(editor, set.chunk, set.cells)) return false;
    }
    return label_pieces(editor);
}

}  // namespace fairlead::volume
