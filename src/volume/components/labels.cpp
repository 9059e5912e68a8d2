// Which pieces are one component: sets of all pieces, joined where chunks meet; and whose component a voxel is in.
#include <algorithm>
#include <bit>
#include <new>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

class Labeller {
  public:
    Labeller(const StateData& state, Labels& labels)
        : state_(state), labels_(labels), first_(labels.first()), set_(labels.label()) {}

    void run() {
        for (std::uint32_t i = 0; i < labels_.pieces; ++i) set_[i] = i;
        std::int32_t x = 0, y = 0, z = 0;
        for (std::uint32_t chunk = 0; chunk < labels_.chunks; ++chunk) {
            meet(chunk, x, y, z, 0);
            meet(chunk, x, y, z, 1);
            meet(chunk, x, y, z, 2);
            if (++x < state_.chunk_count.x) continue;
            x = 0;
            if (++y < state_.chunk_count.y) continue;
            y = 0;
            ++z;
        }
        for (std::uint32_t i = 0; i < labels_.pieces; ++i) set_[i] = root(i);
    }

  private:
    [[nodiscard]] std::uint32_t root(std::uint32_t i) {
        while (set_[i] != i) i = set_[i] = set_[set_[i]];
        return i;
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        a = root(a), b = root(b);
        if (a < b)
            set_[b] = a;
        else
            set_[a] = b;
    }

    // With the chunk a step up along an axis.
    void meet(std::uint32_t chunk, std::int32_t x, std::int32_t y, std::int32_t z, int axis) {
        const std::int32_t at[3] = {x, y, z};
        const std::int32_t count[3] = {state_.chunk_count.x, state_.chunk_count.y, state_.chunk_count.z};
        if (at[axis] + 1 >= count[axis]) return;
        const auto other = static_cast<std::uint32_t>(
            state_.chunk_index(x + (axis == 0 ? 1 : 0), y + (axis == 1 ? 1 : 0), z + (axis == 2 ? 1 : 0)));
        const ChunkLinks* mine = state_.links[chunk];
        const ChunkLinks* theirs = state_.links[other];
        if (mine == nullptr && theirs == nullptr) return unite(first_[chunk], first_[other]);
        const std::uint32_t low = axis == 0 ? 1 : axis == 1 ? 4 : 16;
        for (std::uint32_t i = 0; i < 16; ++i) {
            const std::uint32_t there = axis == 0 ? i * 4 : axis == 1 ? (i & 3) + (i >> 2) * 16 : i;
            const std::uint32_t here = there + 3 * low;
            meet_cells({chunk, here, mine}, {other, there, theirs}, static_cast<std::uint32_t>(axis) * 2 + 1);
        }
    }

    struct Side {
        std::uint32_t chunk;
        std::uint32_t cell;
        const ChunkLinks* links;
    };
    [[nodiscard]] const CellEntry& entry(const Side& s) const {
        const Chunk* chunk = state_.chunks[s.chunk];
        return (chunk == nullptr ? kOpenChunk : *chunk).cells[s.cell];
    }
    // Of an empty cell; kNoPiece beyond the bounds.
    [[nodiscard]] std::uint32_t piece_of(const Side& s, bool mixed, std::uint32_t component) const {
        return s.links == nullptr ? 0 : s.links->piece(s.cell, mixed, component);
    }
    void unite(const Side& a, std::uint32_t piece_a, const Side& b, std::uint32_t piece_b) {
        if (piece_a != kNoPiece && piece_b != kNoPiece)
            unite(first_[a.chunk] + piece_a, first_[b.chunk] + piece_b);
    }
    void meet_cells(const Side& a, const Side& b, std::uint32_t face) {
        const CellEntry &ea = entry(a), &eb = entry(b);
        if (ea.is_mixed()) {
            for (const Link& link : a.links->links_of(a.cell)) {
                if (link.face == face)
                    unite(a, piece_of(a, true, link.from), b, piece_of(b, eb.is_mixed(), link.to));
            }
        } else if (eb.is_mixed()) {
            for (const Link& link : b.links->links_of(b.cell)) {
                if (link.face == face - 1) unite(a, piece_of(a, false, 0), b, piece_of(b, true, link.from));
            }
        } else if (ea.node == CellEntry::kEmpty && eb.node == CellEntry::kEmpty) {
            if (in_bounds(a) && in_bounds(b)) unite(a, piece_of(a, false, 0), b, piece_of(b, false, 0));
        }
    }
    // Cells beyond the bounds are stored as empty.
    [[nodiscard]] bool in_bounds(const Side& s) const {
        if (s.links != nullptr) return s.links->cell_piece[s.cell] != kNoPiece;
        const auto nx = static_cast<std::uint32_t>(state_.chunk_count.x),
                   ny = static_cast<std::uint32_t>(state_.chunk_count.y);
        const std::uint32_t x = s.chunk % nx * 4 + (s.cell & 3),
                            y = s.chunk / nx % ny * 4 + (s.cell >> 2 & 3),
                            z = s.chunk / nx / ny * 4 + (s.cell >> 4);
        return state_.cell_in_bounds(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
                                     static_cast<std::int32_t>(z));
    }

    const StateData& state_;
    Labels& labels_;
    const std::uint32_t* first_;
    std::uint32_t* set_;
};

}  // namespace

bool label_pieces(EditorData& editor) {
    StateData& state = *editor.draft;
    const auto chunks = static_cast<std::uint32_t>(state.chunks.size());
    std::uint32_t pieces = 0;
    for (const ChunkLinks* links : state.links) pieces += links == nullptr ? 1 : links->pieces;
    void* memory = editor.make_block(Labels::bytes_for(chunks, pieces));
    if (memory == nullptr) return false;
    const Block block = *static_cast<Block*>(memory);
    auto* made = new (memory) Labels;
    made->block = block;
    made->chunks = chunks;
    made->pieces = pieces;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < chunks; ++i) {
        made->first()[i] = next;
        next += state.links[i] == nullptr ? 1 : state.links[i]->pieces;
    }
    Labeller(state, *made).run();
    if (state.labels != nullptr && !editor.give_up(&state.labels->block)) {
        editor.discard(&made->block);
        return false;
    }
    state.labels = made;
    return true;
}

// ---- asked ---------------------------------------------------------------------------------------------------

CellView::CellView(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z)
    : state_(&state), x_(x), y_(y), z_(z) {
    const std::size_t chunk = state.chunk_index(x >> 2, y >> 2, z >> 2);
    const std::uint32_t cell = place64(x, y, z);
    components_ = state.cell_entry(x, y, z).components;
    const ChunkTables* tables = state.tables[chunk];
    if (components_ <= 1 || tables == nullptr || tables->at[cell] == kNoTable) return;
    table_ = tables->table() + tables->at[cell];
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
    const PartOf* end = parts_ + table_->part_count;
    const PartOf* part =
        std::lower_bound(parts_, end, lowest, [](const PartOf& p, std::uint16_t v) { return p.voxel < v; });
    return part->component;
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
    if (links != nullptr) {
        const std::uint32_t cell = place64(v.x >> 4, v.y >> 4, v.z >> 4);
        const bool mixed = state.chunks[chunk]->cells[cell].is_mixed();
        piece = links->piece(cell, mixed, mixed ? component_of(state, v) : 0);
    }
    return state.labels->label()[state.labels->first()[chunk] + piece];
}

}  // namespace fairlead::volume
