// Chunks that come and go. One that goes gives its place to the solid chunk that all missing ones share; one that comes begins open and
// is then written as by any edit. Both touch all of its cells, so that distances, components, links and labels around it are found anew.
#include <algorithm>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

constexpr Error kNoMemoryLeft{ErrorCode::out_of_memory};

// All that may be otherwise than before: every cell, part and block of it.
bool touch_chunk(EditorData& editor, Voxel at) {
    const StateData& state = *editor.draft;
    const auto index = static_cast<std::uint32_t>(state.chunk_index(at.x, at.y, at.z));
    editor.changed = true;
    editor.parts.include(at.x * 8, at.y * 8, at.z * 8);
    editor.parts.include(at.x * 8 + 7, at.y * 8 + 7, at.z * 8 + 7);
    editor.blocks.include(at.x * 2, at.y * 2, at.z * 2);
    editor.blocks.include(at.x * 2 + 1, at.y * 2 + 1, at.z * 2 + 1);
    for (std::int32_t c = 0; c < 64; ++c) {
        if (!state.cell_in_bounds(at.x * 4 + (c & 3), at.y * 4 + (c >> 2 & 3), at.z * 4 + (c >> 4))) continue;
        if (!editor.touched.push_back({index, static_cast<std::uint32_t>(c)})) return false;
    }
    return true;
}

template <class B>
bool replace(EditorData& editor, B*& slot, B* by) {
    if (slot != nullptr && !editor.give_up(&slot->block)) return false;
    slot = by;
    return true;
}

// Bricks by cell and place.
Result<void> collect(EditorData& editor, Voxel at, std::span<const VoxelBrick> bricks) {
    const StateData& state = *editor.draft;
    if (!editor.chunk_bits.resize(64 * 64)) return kNoMemoryLeft;
    std::fill(editor.chunk_bits.begin(), editor.chunk_bits.end(), std::uint64_t{0});
    for (std::size_t i = 0; i < bricks.size(); ++i) {
        const VoxelBrick& b = bricks[i];
        const bool here = b.x >> 4 == at.x && b.y >> 4 == at.y && b.z >> 4 == at.z;
        if (!here || !state.brick_in_bounds(b.x, b.y, b.z) ||
            (b.solid & ~state.inside_bits(b.x, b.y, b.z)) != 0)
            return Error{ErrorCode::out_of_range, Field::cells, -1, static_cast<std::int64_t>(i)};
        const std::uint32_t cell = place64(b.x >> 2, b.y >> 2, b.z >> 2);
        editor.chunk_bits[cell * 64 + place64(b.x, b.y, b.z)] |= b.solid;
    }
    return {};
}

}  // namespace

Result<void> load_chunk(EditorData& editor, Voxel at, std::span<const VoxelBrick> bricks) {
    StateData& state = *editor.draft;
    const std::size_t index = state.chunk_index(at.x, at.y, at.z);
    if (const Result<void> good = collect(editor, at, bricks); !good) return good;
    if (!state.is_loaded(index)) {
        if (!touch_chunk(editor, at)) return kNoMemoryLeft;
        state.chunks[index] = nullptr;
        state.links[index] = nullptr;
        state.missing -= state.voxels_in(at);
        --state.unloaded;
    }
    ChunkWriter writer(editor, at.x, at.y, at.z);
    for (std::uint32_t cell = 0; cell < 64; ++cell) {
        CellBits bits;
        std::copy_n(editor.chunk_bits.data() + cell * 64, 64, bits.bricks);
        if (!writer.write(cell, bits)) return kNoMemoryLeft;
    }
    return writer.finish() ? Result<void>{} : Result<void>{kNoMemoryLeft};
}

Result<void> unload_chunk(EditorData& editor, Voxel at) {
    StateData& state = *editor.draft;
    const std::size_t index = state.chunk_index(at.x, at.y, at.z);
    if (!state.is_loaded(index)) return {};
    if (state.chunks[index] != nullptr) state.solid -= state.chunks[index]->solid;
    state.missing += state.voxels_in(at);
    ++state.unloaded;
    const bool good = touch_chunk(editor, at) && replace(editor, state.chunks[index], unloaded_chunk()) &&
                      replace<ChunkTables>(editor, state.tables[index], nullptr) &&
                      replace(editor, state.links[index], unloaded_links());
    return good ? Result<void>{} : Result<void>{kNoMemoryLeft};
}

}  // namespace fairlead::volume
