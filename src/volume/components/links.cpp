// The second step: which components of a chunk's cells meet which of the cells beside them, and into which pieces the chunk falls.
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "volume/components/places.h"
#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

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
          links_(editor.links),
          found_(editor.found),
          sets_(editor.sets),
          pieces_(editor.pieces) {
        links_.clear();
    }

    // `fresh`: cells whose links are to be found anew; the others' are those of the block that is there.
    [[nodiscard]] bool run(std::uint64_t fresh) {
        const Chunk* chunk = state_.chunks[chunk_];
        ChunkLinks*& slot = state_.links[chunk_];
        if (!state_.is_loaded(chunk_)) return true;  // it has none, nor ever changes
        if (chunk == nullptr || chunk->solid == 0) {
            if (slot != nullptr && !editor_.give_up(&slot->block)) return false;
            slot = nullptr;
            return true;
        }
        note_cells(*chunk);
        for (std::uint64_t left = head_.mixed; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            starts_[cell] = components_;
            components_ += components_in(state_, chunk_, cell);
            if (slot == nullptr || has(fresh, cell)) {
                if (!list(cell)) return false;
            } else if (!add(cell, slot->links_of(cell))) {
                return false;
            }
        }
        if (!join_pieces()) return false;
        number_pieces();
        return put(slot);
    }

  private:
    void note_cells(const Chunk& chunk) {
        for (std::uint32_t cell = 0; cell < 64; ++cell) {
            const CellEntry entry = chunk.cells[cell];
            const std::uint64_t bit = std::uint64_t{1} << cell;
            if (entry.is_mixed())
                head_.mixed |= bit;
            else if (entry.node == CellEntry::kEmpty && is_cell(state_, place_of(state_, chunk_, cell)))
                head_.empty |= bit;
        }
    }

    // ---- links

    [[nodiscard]] bool list(std::uint32_t cell) {
        const Place here = place_of(state_, chunk_, cell);
        const CellView mine(state_, here.x, here.y, here.z);
        found_.clear();
        for (std::uint32_t face = 0; face < 6; ++face) {
            const Place there = neighbour(here, face);
            if (!is_cell(state_, there)) continue;
            const CellView other(state_, there.x, there.y, there.z);
            if (other.components() == 0) continue;
            if (!find_at(mine, other, face)) return false;
        }
        const auto before = [](const Link& a, const Link& b) { return a.bits < b.bits; };
        std::sort(found_.begin(), found_.end(), before);  // total order: a link is listed once
        return add(cell, found_.span());
    }

    [[nodiscard]] bool find_at(const CellView& mine, const CellView& other, std::uint32_t face) {
        const FaceOf& f = kFaces[face];
        const std::size_t first = found_.size();
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
                const Link link = Link::make(from, face, other.component(b, opposite, in_other));
                if (std::find(found_.begin() + first, found_.end(), link) == found_.end() &&
                    !found_.push_back(link))
                    return false;
                both &= ~(in_mine & (f.shift < 0 ? in_other << -f.shift : in_other >> f.shift));
            }
            if (mine.components() == 1 && other.components() == 1 && found_.size() > first) break;
        }
        return true;
    }

    [[nodiscard]] bool add(std::uint32_t cell, std::span<const Link> links) {
        std::uint8_t faces = 0;
        bool plain = true;
        for (const Link link : links) {
            plain = plain && link.from() == 0 && link.to() == 0;
            faces = static_cast<std::uint8_t>(faces | 1U << link.face());
        }
        faces_[cell] = faces;
        if (plain) return true;
        head_.listed |= std::uint64_t{1} << cell;
        firsts_[cell] = static_cast<std::uint16_t>(links_.size());
        for (const Link link : links) {
            if (!links_.push_back(link)) return false;
        }
        return true;
    }

    [[nodiscard]] std::span<const Link> links_of(std::uint32_t cell) const {
        if (!has(head_.listed, cell)) return {kFaceLinks[faces_[cell]].link, kFaceLinks[faces_[cell]].count};
        const std::uint64_t later = cell == 63 ? 0 : head_.listed >> (cell + 1) << (cell + 1);
        const std::size_t end = later == 0 ? links_.size() : firsts_[std::countr_zero(later)];
        return links_.span().subspan(firsts_[cell], end - firsts_[cell]);
    }

    // ---- pieces: sets of empty cells and of components of mixed ones that are joined inside the chunk

    [[nodiscard]] std::uint32_t root(std::uint32_t i) {
        while (sets_[i] != i) i = sets_[i] = sets_[sets_[i]];
        return i;
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        a = root(a), b = root(b);
        if (a < b)
            sets_[b] = a;
        else
            sets_[a] = b;
    }
    // The place of a number in the chunk's list.
    [[nodiscard]] std::uint32_t member(std::uint32_t cell, std::uint32_t component) const {
        return has(head_.mixed, cell) ? count_bits(head_.empty) + starts_[cell] + component
                                      : rank(head_.empty, cell);
    }

    [[nodiscard]] bool join_pieces() {
        const std::uint32_t members = count_bits(head_.empty) + components_;
        if (!sets_.resize_uninitialized(members) || !pieces_.resize_uninitialized(members)) return false;
        for (std::uint32_t i = 0; i < members; ++i) sets_[i] = i;
        for (std::uint64_t left = head_.empty | head_.mixed; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            if (has(head_.mixed, cell)) {
                for (const Link& link : links_of(cell)) {
                    std::uint32_t other = 0;
                    if (is_inside(cell, link.face(), other))
                        unite(member(cell, link.from()), member(other, link.to()));
                }
                continue;
            }
            for (const std::uint32_t face : {1U, 3U, 5U}) {
                std::uint32_t other = 0;
                if (is_inside(cell, face, other) && has(head_.empty, other))
                    unite(member(cell, 0), member(other, 0));
            }
        }
        return true;
    }
    // Is the cell beyond a face one of this chunk, and which?
    [[nodiscard]] static bool is_inside(std::uint32_t cell, std::uint32_t face, std::uint32_t& other) {
        const std::uint32_t shift = face & ~1U, at = cell >> shift & 3;
        if (at == ((face & 1) != 0 ? 3U : 0U)) return false;
        const std::uint32_t step = 1U << shift;
        other = (face & 1) != 0 ? cell + step : cell - step;
        return true;
    }

    void number_pieces() {
        std::uint32_t next = 0;
        for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
            const std::uint32_t lowest = root(i);
            pieces_[i] = lowest == i ? next++ : pieces_[lowest];
        }
        head_.pieces = next;
        head_.numbers = next > 1 ? static_cast<std::uint32_t>(pieces_.size()) : 0;
    }

    // ---- put together

    template <class T>
    static void put_at(const T* place, std::size_t i, std::uint32_t value) {
        const_cast<T*>(place)[i] = static_cast<T>(value);  // of a block that is being made
    }

    [[nodiscard]] bool put(ChunkLinks*& slot) {
        head_.links = static_cast<std::uint32_t>(links_.size());
        void* memory = editor_.make_block(head_.bytes());
        if (memory == nullptr) return false;
        head_.block = *static_cast<Block*>(memory);
        auto* made = new (memory) ChunkLinks(head_);
        fill(*made);
        if (slot != nullptr && !editor_.give_up(&slot->block)) {
            editor_.discard(&made->block);
            return false;
        }
        slot = made;
        return true;
    }
    void fill(const ChunkLinks& made) const {
        for (std::uint32_t i = 0; i < links_.size(); ++i) put_at(&made.link()->bits, i, links_[i].bits);
        for (std::uint32_t i = 0; i < made.numbers; ++i) {
            if (made.number_size() == 4)
                put_at(static_cast<const std::uint32_t*>(made.number()), i, pieces_[i]);
            else
                put_at(static_cast<const std::uint16_t*>(made.number()), i, pieces_[i]);
        }
        std::size_t start = 0, first = 0, plain = 0;
        for (std::uint64_t left = made.mixed; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            if (made.numbers != 0) put_at(made.start(), start++, count_bits(made.empty) + starts_[cell]);
            if (has(made.listed, cell))
                put_at(made.first(), first++, firsts_[cell]);
            else
                put_at(made.faces(), plain++, faces_[cell]);
        }
        if (made.listed != 0) put_at(made.first(), first, made.links);
    }

    EditorData& editor_;
    StateData& state_;
    std::uint32_t chunk_;
    ChunkLinks head_{};
    std::uint32_t components_ = 0;  ///< of all mixed cells
    std::uint32_t starts_[64];      ///< of a mixed cell: components of those before it
    std::uint16_t firsts_[64];      ///< of a listed one: links of those before it
    std::uint8_t faces_[64];        ///< of a mixed one: those with links
    Array<Link>& links_;
    Array<Link>& found_;
    Array<std::uint32_t>& sets_;
    Array<std::uint32_t>& pieces_;
};

}  // namespace

bool write_links(EditorData& editor, std::uint32_t chunk, std::uint64_t fresh) {
    return LinkWriter(editor, chunk).run(fresh);
}

}  // namespace fairlead::volume
