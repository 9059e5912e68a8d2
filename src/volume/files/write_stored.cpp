// Blocks of a file into a draft: copied number by number, or taken where they lie. Then what can be told only with the neighbours: how far
// what is solid is, and where links lead.
#include <bit>
#include <new>

#include "volume/components/places.h"
#include "volume/edit/editor.h"
#include "volume/files/stored_volume.h"

namespace fairlead::volume {

namespace {

using Bytes = std::span<const std::uint8_t>;

template <class T>
void take(Bytes in, std::size_t& at, T* out, std::size_t count) {
    records_at(in, at, out, count);
    at += count * sizeof(T);
}
template <class T>
T take(Bytes in, std::size_t& at) {
    T out = 0;
    take(in, at, &out, 1);
    return out;
}

// A new block of the image's size, and where its fields begin in it. Null: out of memory.
template <class B>
B* begin_block(EditorData& editor, Bytes in, std::size_t& at) {
    void* memory = editor.make_block(in.size());
    if (memory == nullptr) return nullptr;
    const Block block = *static_cast<Block*>(memory);
    auto* made = new (memory) B;
    made->block = block;
    at = 16;
    return made;
}

Chunk* take_chunk(EditorData& editor, Bytes in) {
    std::size_t at = 0;
    auto* chunk = begin_block<Chunk>(editor, in, at);
    if (chunk == nullptr) return nullptr;
    chunk->solid = take<std::uint32_t>(in, at);
    chunk->words = take<std::uint16_t>(in, at);
    chunk->block_distances = take<std::uint16_t>(in, at);
    take(in, at, &chunk->cells->node, 2 * 64);
    take(in, at, chunk->node(2), chunk->words - 2U);
    return chunk;
}

ChunkTables* take_tables(EditorData& editor, Bytes in) {
    std::size_t at = 0;
    auto* tables = begin_block<ChunkTables>(editor, in, at);
    if (tables == nullptr) return nullptr;
    tables->several = take<std::uint64_t>(in, at);
    tables->parts = take<std::uint32_t>(in, at);
    at += 4;
    for (std::uint32_t i = 0; i < tables->tables(); ++i) {
        CellTable& table = tables->table()[i];
        table.parts = take<std::uint32_t>(in, at);
        table.part_count = take<std::uint16_t>(in, at);
        table.components = take<std::uint16_t>(in, at);
        take(in, at, table.component, 64);
    }
    static_assert(sizeof(PartOf) == 2 * sizeof(std::uint16_t) &&
                  sizeof(CellEntry) == 2 * sizeof(std::uint16_t));
    if (tables->parts > 0) take(in, at, &tables->part()->voxel, tables->parts * std::size_t{2});
    return tables;
}

// Of a block that is being made.
template <class T>
T* mine(const T* numbers) {
    return const_cast<T*>(numbers);
}

ChunkLinks* take_links(EditorData& editor, Bytes in) {
    std::size_t at = 0;
    auto* links = begin_block<ChunkLinks>(editor, in, at);
    if (links == nullptr) return nullptr;
    for (std::uint64_t* cells : {&links->empty, &links->mixed, &links->listed})
        *cells = take<std::uint64_t>(in, at);
    for (std::uint32_t* n : {&links->links, &links->pieces, &links->numbers})
        *n = take<std::uint32_t>(in, at);
    at += 4;
    static_assert(sizeof(Link) == sizeof(std::uint32_t));
    if (links->links > 0) take(in, at, &mine(links->link())->bits, links->links);
    take(in, at, mine(links->start()), links->starts());
    if (links->number_size() == 4)
        take(in, at, mine(static_cast<const std::uint32_t*>(links->number())), links->numbers);
    else
        take(in, at, mine(static_cast<const std::uint16_t*>(links->number())), links->numbers);
    take(in, at, mine(links->first()), links->firsts());
    take(in, at, mine(links->faces()), links->face_count());
    return links;
}

Labels* take_labels(EditorData& editor, Bytes in) {
    std::size_t at = 0;
    auto* labels = begin_block<Labels>(editor, in, at);
    if (labels == nullptr) return nullptr;
    labels->chunks = take<std::uint32_t>(in, at);
    labels->pieces = take<std::uint32_t>(in, at);
    take(in, at, labels->first(), labels->chunks);
    take(in, at, labels->label(), labels->pieces);
    return labels;
}

// The block as it lies in the file. Nobody writes it: Block::kBorrowed.
template <class B>
B* borrow(Bytes in) {
    const void* memory = in.data();
    return const_cast<B*>(static_cast<const B*>(memory));
}

bool put_chunk(EditorData& editor, const StoredVolume& stored, const StoredChunk& from, std::size_t at) {
    StateData& state = *editor.draft;
    const std::size_t index = state.chunk_index(from.place.x, from.place.y, from.place.z);
    if (!from.is_loaded()) {
        state.chunks[index] = unloaded_chunk();
        state.links[index] = unloaded_links();
        state.missing += state.voxels_in(from.place);
        ++state.unloaded;
        return true;
    }
    const Bytes chunk = stored.data(at, from.chunk), tables = stored.data(at + from.chunk, from.tables),
                links = stored.data(at + from.chunk + from.tables, from.links);
    const bool trusted = stored.is_trusted();
    state.chunks[index] = trusted ? borrow<Chunk>(chunk) : take_chunk(editor, chunk);
    bool good = state.chunks[index] != nullptr;
    if (good && !tables.empty()) {
        state.tables[index] = trusted ? borrow<ChunkTables>(tables) : take_tables(editor, tables);
        good = state.tables[index] != nullptr;
    }
    if (good && !links.empty()) {
        state.links[index] = trusted ? borrow<ChunkLinks>(links) : take_links(editor, links);
        good = state.links[index] != nullptr;
    }
    return good;
}

// ---- looked at with the neighbours

bool is_linked(const StateData& state, Place here, Link link, std::uint32_t components) {
    if (link.from() >= components || link.face() >= 6) return false;
    const Place there = neighbour(here, link.face());
    if (!is_cell(state, there)) return false;
    const std::uint32_t cell = place64(there.x, there.y, there.z);
    const std::size_t index = state.chunk_index(there.x >> 2, there.y >> 2, there.z >> 2);
    const Chunk* chunk = state.chunks[index];
    if (chunk == nullptr || chunk->cells[cell].node == CellEntry::kEmpty) return link.to() == 0;
    if (!chunk->cells[cell].is_mixed()) return false;
    const bool whole = state.in_bounds({there.x * 16 + 15, there.y * 16 + 15, there.z * 16 + 15});
    return (link.to() == 0 && whole) ||
           link.to() < components_in(state, static_cast<std::uint32_t>(index), cell);
}

// Cells of a chunk that certainly have a first component.
std::uint64_t free_cells(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z) {
    const Voxel& count = state.chunk_count;
    if (x < 0 || y < 0 || z < 0 || x >= count.x || y >= count.y || z >= count.z) return 0;
    const ChunkLinks* links = state.links[state.chunk_index(x, y, z)];
    const bool whole = state.in_bounds({x * 64 + 63, y * 64 + 63, z * 64 + 63});
    if (links != nullptr) return links->empty | (whole ? links->mixed : 0);
    return whole ? kAll : 0;
}

// Cells beyond whose face such a one lies.
void find_free(const StateData& state, Place corner, std::uint64_t free[6]) {
    const std::int32_t x = corner.x >> 2, y = corner.y >> 2, z = corner.z >> 2;
    const std::uint64_t layers[3] = {kLowX, kLowY, kLowZ}, mine = free_cells(state, x, y, z);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const std::int32_t dx = axis == 0 ? 1 : 0, dy = axis == 1 ? 1 : 0, dz = axis == 2 ? 1 : 0;
        const std::uint64_t layer = layers[axis], below = free_cells(state, x - dx, y - dy, z - dz),
                            above = free_cells(state, x + dx, y + dy, z + dz);
        const std::uint32_t step = 1U << (2 * axis);
        free[2 * axis] = (mine << step & ~layer) | (below >> (3 * step) & layer);
        free[2 * axis + 1] = (mine >> step & ~(layer << (3 * step))) | (above & layer) << (3 * step);
    }
}

// Does every number have its place, and every link lead from a component to a component?
bool is_joined(const StateData& state, std::uint32_t chunk) {
    const ChunkLinks& links = *state.links[chunk];
    const Place corner = place_of(state, chunk, 0);
    std::uint64_t free[6];
    find_free(state, corner, free);
    std::uint32_t members = count_bits(links.empty), i = 0;
    for (std::uint64_t left = links.mixed; left != 0; left &= left - 1, ++i) {
        const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
        if (links.numbers != 0 && links.start()[i] != members) return false;
        const std::uint32_t components = components_in(state, chunk, cell);
        members += components;
        const auto c = static_cast<std::int32_t>(cell);
        const Place here{corner.x + (c & 3), corner.y + (c >> 2 & 3), corner.z + (c >> 4)};
        for (const Link link : links.links_of(cell)) {
            const bool plain =
                link.to() == 0 && link.from() < components && link.face() < 6 && has(free[link.face()], cell);
            if (!plain && !is_linked(state, here, link, components)) return false;
        }
    }
    return (links.pieces > 0) == (members > 0) && (links.numbers == 0 || links.numbers == members);
}

}  // namespace

Result<void> write_stored(EditorData& editor, const StoredVolume& stored) {
    StateData& state = *editor.draft;
    state.solid = stored.solid();
    const bool done = stored.each_chunk(
        [&](const StoredChunk& from, std::size_t at) { return put_chunk(editor, stored, from, at); });
    if (!done) return Error{ErrorCode::out_of_memory};
    state.labels =
        stored.is_trusted() ? borrow<Labels>(stored.labels()) : take_labels(editor, stored.labels());
    if (state.labels == nullptr) return Error{ErrorCode::out_of_memory};
    if (stored.is_trusted()) return {};
    std::size_t wrong = kGood;
    (void)stored.each_chunk([&](const StoredChunk& from, std::size_t at) {
        const auto chunk =
            static_cast<std::uint32_t>(state.chunk_index(from.place.x, from.place.y, from.place.z));
        if (from.links == 0 || is_joined(state, chunk)) return true;
        wrong = at + from.chunk + from.tables;
        return false;
    });
    if (wrong != kGood)
        return Error{ErrorCode::baked_value, kDataSectionAt, static_cast<std::int64_t>(wrong)};
    const std::size_t far = find_distance_fault(state);
    if (far == kGood) return {};
    (void)stored.each_chunk([&](const StoredChunk& from, std::size_t at) {
        wrong = at + 2;
        return state.chunk_index(from.place.x, from.place.y, from.place.z) < far;
    });
    return Error{ErrorCode::baked_value, kDataSectionAt, static_cast<std::int64_t>(wrong)};
}

}  // namespace fairlead::volume
