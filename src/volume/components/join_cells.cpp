// The three steps after an edit: floods of the touched cells give their tables; links of them and of their neighbours; labels.
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

struct Place {
    std::int32_t x, y, z;  ///< cells
};

Place place_of(const StateData& state, std::uint32_t chunk, std::uint32_t cell) {
    const auto nx = static_cast<std::uint32_t>(state.chunk_count.x),
               ny = static_cast<std::uint32_t>(state.chunk_count.y);
    const auto c = static_cast<std::int32_t>(cell);
    return {static_cast<std::int32_t>(chunk % nx) * 4 + (c & 3),
            static_cast<std::int32_t>(chunk / nx % ny) * 4 + (c >> 2 & 3),
            static_cast<std::int32_t>(chunk / nx / ny) * 4 + (c >> 4)};
}

std::uint32_t chunk_at(const StateData& state, Place p) {
    return static_cast<std::uint32_t>(state.chunk_index(p.x >> 2, p.y >> 2, p.z >> 2));
}

Place neighbour(Place p, int face) {
    return {p.x + kFaceStep[face][0], p.y + kFaceStep[face][1], p.z + kFaceStep[face][2]};
}

// ---- tables -------------------------------------------------------------------------------------------------

class TableWriter {
  public:
    TableWriter(EditorData& editor, std::uint32_t chunk)
        : editor_(editor), chunk_(chunk), tables_(editor.allocator), parts_(editor.allocator) {}

    // The cells of one chunk that are touched. False: out of memory.
    [[nodiscard]] bool run(std::uint64_t touched) {
        StateData& state = *editor_.draft;
        const ChunkTables* old = state.tables[chunk_];
        Chunk* chunk = state.chunks[chunk_];
        if (chunk == nullptr && old == nullptr) return true;
        std::uint8_t at[64];
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            at[cell] = kNoTable;
            if ((touched >> cell & 1) == 0) {
                if (old != nullptr && old->at[cell] != kNoTable && !copy(*old, cell, at)) return false;
                continue;
            }
            if (chunk == nullptr) continue;
            CellEntry& entry = chunk->cells[cell];
            entry.components = entry.node == CellEntry::kFull ? 0 : 1;
            if (!entry.is_mixed()) continue;
            const Place p = place_of(state, chunk_, cell);
            flood_cell(state, p.x, p.y, p.z, *editor_.flood);
            entry.components = editor_.flood->components;
            if (entry.components > 1 && !add(*editor_.flood, cell, at)) return false;
        }
        return put(at);
    }

  private:
    [[nodiscard]] bool copy(const ChunkTables& old, std::uint32_t cell, std::uint8_t at[64]) {
        CellTable table = old.table()[old.at[cell]];
        const PartOf* parts = old.part() + table.parts;
        table.parts = static_cast<std::uint32_t>(parts_.size());
        for (std::uint32_t i = 0; i < table.part_count; ++i) {
            if (!parts_.push_back(parts[i])) return false;
        }
        at[cell] = static_cast<std::uint8_t>(tables_.size());
        return tables_.push_back(table);
    }
    [[nodiscard]] bool add(const CellFlood& flood, std::uint32_t cell, std::uint8_t at[64]) {
        CellTable table{};
        table.parts = static_cast<std::uint32_t>(parts_.size());
        for (std::uint32_t b = 0; b < 64; ++b) {
            const std::uint32_t from = flood.first[b], to = flood.first[b + 1];
            bool one = true;
            for (std::uint32_t i = from + 1; i < to; ++i)
                one = one && flood.parts[i].component == flood.parts[from].component;
            table.component[b] = from == to ? std::uint16_t{0} : one ? flood.parts[from].component : kSeveral;
            for (std::uint32_t i = from; i < to && !one; ++i) {
                const auto voxel = static_cast<std::uint16_t>(
                    b * 64 + static_cast<std::uint32_t>(std::countr_zero(flood.parts[i].bits)));
                if (!parts_.push_back({voxel, flood.parts[i].component})) return false;
            }
        }
        table.part_count = static_cast<std::uint32_t>(parts_.size()) - table.parts;
        at[cell] = static_cast<std::uint8_t>(tables_.size());
        return tables_.push_back(table);
    }
    [[nodiscard]] bool put(const std::uint8_t at[64]) {
        ChunkTables*& slot = editor_.draft->tables[chunk_];
        ChunkTables* made = nullptr;
        if (!tables_.empty()) {
            void* memory = editor_.make_block(ChunkTables::bytes_for(tables_.size(), parts_.size()));
            if (memory == nullptr) return false;
            const Block block = *static_cast<Block*>(memory);
            made = new (memory) ChunkTables;
            made->block = block;
            made->tables = static_cast<std::uint32_t>(tables_.size());
            made->parts = static_cast<std::uint32_t>(parts_.size());
            std::memcpy(made->at, at, 64);
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
    Array<CellTable> tables_;
    Array<PartOf> parts_;
};

// ---- links --------------------------------------------------------------------------------------------------

/// The layer of bricks at a face, and how a brick's face is laid on that of the brick opposite.
struct FaceOf {
    std::uint64_t layer;  ///< of this brick's voxels
    std::uint32_t first;  ///< brick of the layer
    std::uint32_t step[2];
    std::uint32_t across;  ///< from a brick of the layer to the one opposite, within their cells
    std::int32_t shift;    ///< of bits from this layer to the one opposite; below 0 to the right
};

constexpr FaceOf kFaces[6] = {
    {kLowX, 0, {4, 16}, 3, 3},           {kLowX << 3, 3, {4, 16}, 3, -3}, {kLowY, 0, {1, 16}, 12, 12},
    {kLowY << 12, 12, {1, 16}, 12, -12}, {kLowZ, 0, {1, 4}, 48, 48},      {kLowZ << 48, 48, {1, 4}, 48, -48},
};

class LinkWriter {
  public:
    LinkWriter(EditorData& editor, std::uint32_t chunk)
        : editor_(editor),
          state_(*editor.draft),
          chunk_(chunk),
          links_(editor.allocator),
          cells_(editor.allocator),
          sets_(editor.allocator) {}

    // `fresh`: cells whose links are to be found anew; the others' are those of the block that is there.
    [[nodiscard]] bool run(std::uint64_t fresh) {
        const Chunk* chunk = state_.chunks[chunk_];
        ChunkLinks*& slot = state_.links[chunk_];
        if (chunk == nullptr || chunk->solid == 0) {
            if (slot != nullptr && !editor_.give_up(&slot->block)) return false;
            slot = nullptr;
            return true;
        }
        ChunkLinks head;
        std::fill_n(head.at, 64, std::uint8_t{0});
        std::uint32_t numbers = 0;
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            const CellEntry& entry = chunk->cells[cell];
            if (!entry.is_mixed()) continue;
            head.at[cell] = static_cast<std::uint8_t>(cells_.size());
            CellLinks record{static_cast<std::uint32_t>(links_.size()), 0, numbers};
            numbers += entry.components;
            const bool keep = (fresh >> cell & 1) == 0 && slot != nullptr;
            if (keep ? !copy(slot->links_of(cell)) : !find(cell)) return false;
            record.link_count = static_cast<std::uint32_t>(links_.size()) - record.links;
            if (!cells_.push_back(record)) return false;
        }
        return put(*chunk, head, numbers, slot);
    }

  private:
    [[nodiscard]] bool copy(std::span<const Link> links) {
        for (const Link& link : links) {
            if (!links_.push_back(link)) return false;
        }
        return true;
    }

    [[nodiscard]] bool find(std::uint32_t cell) {
        const Place here = place_of(state_, chunk_, cell);
        const CellView mine(state_, here.x, here.y, here.z);
        const std::size_t begin = links_.size();
        for (int face = 0; face < 6; ++face) {
            const Place there = neighbour(here, face);
            if (there.x < 0 || there.y < 0 || there.z < 0 ||
                !state_.cell_in_bounds(there.x, there.y, there.z))
                continue;
            const CellView other(state_, there.x, there.y, there.z);
            if (other.components() == 0) continue;
            if (!find_at(mine, other, face)) return false;
        }
        const auto before = [](const Link& a, const Link& b) {
            if (a.from != b.from) return a.from < b.from;
            return a.face != b.face ? a.face < b.face : a.to < b.to;
        };
        std::sort(links_.begin() + begin, links_.end(), before);  // total order: a link is listed once
        return true;
    }

    [[nodiscard]] bool find_at(const CellView& mine, const CellView& other, int face) {
        const FaceOf& f = kFaces[face];
        const std::size_t first = links_.size();
        for (std::uint32_t i = 0; i < 16; ++i) {
            const std::uint32_t a = f.first + (i & 3) * f.step[0] + (i >> 2) * f.step[1];
            const std::uint32_t b = (face & 1) != 0 ? a - f.across : a + f.across;
            const std::uint64_t free = other.free(b);
            // Free voxels of this face whose neighbours are free, too.
            std::uint64_t both = mine.free(a) & f.layer & (f.shift < 0 ? free << -f.shift : free >> f.shift);
            while (both != 0) {
                const auto voxel = static_cast<std::uint32_t>(std::countr_zero(both));
                std::uint64_t in_mine = 0, in_other = 0;
                const std::uint32_t from = mine.component(a, voxel, in_mine);
                const std::uint32_t opposite = voxel + static_cast<std::uint32_t>(f.shift);
                const std::uint32_t to = other.component(b, opposite, in_other);
                const Link link{from & 0xfffU, static_cast<std::uint32_t>(face) & 7U, to & 0xfffU, 0};
                if (std::find(links_.begin() + first, links_.end(), link) == links_.end() &&
                    !links_.push_back(link))
                    return false;
                both &= ~(in_mine & (f.shift < 0 ? in_other << -f.shift : in_other >> f.shift));
            }
            if (mine.components() == 1 && other.components() == 1 && links_.size() > first) break;
        }
        return true;
    }

    // ---- pieces: sets of cells and components joined inside the chunk

    [[nodiscard]] std::uint16_t root(std::uint16_t i) {
        while (sets_[i] != i) i = sets_[i] = sets_[sets_[i]];
        return i;
    }
    void unite(std::uint16_t a, std::uint16_t b) {
        a = root(a), b = root(b);
        if (a < b)
            sets_[b] = a;
        else
            sets_[a] = b;
    }

    [[nodiscard]] bool put(const Chunk& chunk, ChunkLinks& head, std::uint32_t numbers, ChunkLinks*& slot) {
        void* memory = editor_.make_block(ChunkLinks::bytes_for(cells_.size(), links_.size(), numbers));
        if (memory == nullptr) return false;
        head.block = *static_cast<Block*>(memory);
        auto* made = new (memory) ChunkLinks(head);
        made->cells = static_cast<std::uint32_t>(cells_.size());
        made->links = static_cast<std::uint32_t>(links_.size());
        made->numbers = numbers;
        if (!cells_.empty())
            std::memcpy(static_cast<void*>(made->cell()), cells_.data(), cells_.size() * sizeof(CellLinks));
        if (!links_.empty())
            std::memcpy(static_cast<void*>(made->link()), links_.data(), links_.size() * sizeof(Link));
        if (!number_pieces(chunk, *made) || (slot != nullptr && !editor_.give_up(&slot->block))) {
            editor_.discard(&made->block);
            return false;
        }
        slot = made;
        return true;
    }

    // Members 0 to 63 are the empty cells, then the components of mixed ones.
    [[nodiscard]] bool number_pieces(const Chunk& chunk, ChunkLinks& made) {
        if (!sets_.resize_uninitialized(64 + made.numbers)) return false;
        for (std::uint32_t i = 0; i < 64 + made.numbers; ++i) sets_[i] = static_cast<std::uint16_t>(i);
        const Place corner = place_of(state_, chunk_, 0);
        std::uint64_t inside = 0;
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            const Place p = place_of(state_, chunk_, cell);
            if (state_.cell_in_bounds(p.x, p.y, p.z)) inside |= std::uint64_t{1} << cell;
        }
        const auto member = [&](std::uint32_t cell, std::uint32_t component) {
            return static_cast<std::uint16_t>(
                chunk.cells[cell].is_mixed() ? 64 + made.cell()[made.at[cell]].pieces + component : cell);
        };
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            if ((inside >> cell & 1) == 0) continue;
            const Place here = place_of(state_, chunk_, cell);
            const auto next = [&](int face, std::uint32_t& out) {
                const Place p = neighbour(here, face);
                out = place64(p.x, p.y, p.z);
                return p.x >> 2 == corner.x >> 2 && p.y >> 2 == corner.y >> 2 && p.z >> 2 == corner.z >> 2 &&
                       (inside >> out & 1) != 0;
            };
            std::uint32_t other = 0;
            if (chunk.cells[cell].is_mixed()) {
                for (const Link& link : made.links_of(cell)) {
                    if (next(static_cast<int>(link.face), other))
                        unite(member(cell, link.from), member(other, link.to));
                }
            } else if (chunk.cells[cell].node == CellEntry::kEmpty) {
                for (const int face : {1, 3, 5}) {
                    if (next(face, other) && chunk.cells[other].node == CellEntry::kEmpty)
                        unite(member(cell, 0), member(other, 0));
                }
            }
        }
        number(chunk, inside, made);
        return true;
    }

    void number(const Chunk& chunk, std::uint64_t inside, ChunkLinks& made) {
        std::uint16_t next = 0;
        const auto piece_of = [&](std::uint16_t member, auto&& known) {
            const std::uint16_t lowest = root(member);
            return lowest == member ? next++ : known(lowest);
        };
        const auto known = [&](std::uint16_t member) {
            return member < 64 ? made.cell_piece[member] : made.number()[member - 64];
        };
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            const bool empty = chunk.cells[cell].node == CellEntry::kEmpty && (inside >> cell & 1) != 0;
            made.cell_piece[cell] = empty ? piece_of(static_cast<std::uint16_t>(cell), known) : kNoPiece;
        }
        for (std::uint32_t i = 0; i < made.numbers; ++i)
            made.number()[i] = piece_of(static_cast<std::uint16_t>(64 + i), known);
        made.pieces = next;
    }

    EditorData& editor_;
    StateData& state_;
    std::uint32_t chunk_;
    Array<Link> links_;
    Array<CellLinks> cells_;
    Array<std::uint16_t> sets_;
};

// Cells by chunk: which are set, a bit each.
struct CellSet {
    std::uint32_t chunk = 0;
    std::uint64_t cells = 0;
};

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

void EditorData::free_flood() {
    if (flood != nullptr) allocator.release(flood, sizeof(CellFlood), alignof(CellFlood), allocator.user);
    flood = nullptr;
}

bool join_cells(EditorData& editor) {
    StateData& state = *editor.draft;
    Array<CellSet> touched(editor.allocator), fresh(editor.allocator);
    for (const TouchedCell& t : editor.touched) {
        if (!add_cell(touched, t.chunk, t.cell)) return false;
    }
    merge(touched);
    for (const CellSet& set : touched) {
        if (!TableWriter(editor, set.chunk).run(set.cells)) return false;
    }
    for (const CellSet& set : touched) {
        for (std::uint64_t left = set.cells; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            if (!add_cell(fresh, set.chunk, cell)) return false;
            const Place here = place_of(state, set.chunk, cell);
            for (int face = 0; face < 6; ++face) {
                const Place there = neighbour(here, face);
                if (there.x < 0 || there.y < 0 || there.z < 0 ||
                    !state.cell_in_bounds(there.x, there.y, there.z))
                    continue;
                if (!add_cell(fresh, chunk_at(state, there), place64(there.x, there.y, there.z)))
                    return false;
            }
        }
    }
    merge(fresh);
    for (const CellSet& set : fresh) {
        if (!LinkWriter(editor, set.chunk).run(set.cells)) return false;
    }
    return label_pieces(editor);
}

}  // namespace fairlead::volume
