// Which pieces are one component: sets of all pieces, joined where chunks meet. An edit that leaves all
// meetings as they were leaves the labels.
#include <algorithm>
#include <bit>
#include <new>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

/// What a chunk shows at its faces.
struct Side {
    const ChunkLinks* links;
    std::uint64_t empty;  ///< cells, in bounds

    // Of a component of a mixed cell, or of an empty one.
    [[nodiscard]] std::uint32_t piece(std::uint32_t cell, std::uint32_t component) const {
        return links == nullptr ? 0 : links->piece(cell, component);
    }
    [[nodiscard]] std::uint64_t mixed() const { return links == nullptr ? 0 : links->mixed; }
    [[nodiscard]] bool is_one() const { return links == nullptr || links->numbers == 0; }
};

/// Chunk coordinates.
struct At {
    std::int32_t x, y, z;

    [[nodiscard]] At step(int axis, std::int32_t by) const {
        return {x + (axis == 0 ? by : 0), y + (axis == 1 ? by : 0), z + (axis == 2 ? by : 0)};
    }
};

bool is_chunk(const StateData& state, At at) {
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < state.chunk_count.x && at.y < state.chunk_count.y &&
           at.z < state.chunk_count.z;
}

Side side_of(const StateData& state, At at) {
    const ChunkLinks* links = state.links[state.chunk_index(at.x, at.y, at.z)];
    if (links != nullptr) return {links, links->empty};
    const auto last = [](std::int32_t size, std::int32_t from) { return ((size + 15) >> 4) - from * 4 - 1; };
    return {nullptr, bits_between(0, last(state.size.x, at.x), kLowX, 1) &
                         bits_between(0, last(state.size.y, at.y), kLowY, 4) &
                         bits_between(0, last(state.size.z, at.z), kLowZ, 16)};
}

// Calls visit(piece, piece) where cells of a's last layer along an axis meet those of b's first.
template <class Visit>
void meet_cells(const Side& a, const Side& b, int axis, const Visit& visit) {
    constexpr std::uint64_t kLayer[3] = {kLowX, kLowY, kLowZ};
    const std::uint32_t up = 3U << (2 * axis), face = static_cast<std::uint32_t>(axis) * 2 + 1;
    const std::uint64_t layer = kLayer[axis];
    const bool once = a.is_one() && b.is_one();
    for (std::uint64_t left = a.empty >> up & b.empty & layer; left != 0; left &= left - 1) {
        const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
        visit(a.piece(cell + up, 0), b.piece(cell, 0));
        if (once) return;
    }
    for (std::uint64_t left = a.mixed() >> up & (b.mixed() | b.empty) & layer; left != 0; left &= left - 1) {
        const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
        for (const Link link : a.links->links_of(cell + up, face)) {
            visit(a.piece(cell + up, link.from()), b.piece(cell, link.to()));
            if (once) return;
        }
    }
    for (std::uint64_t left = a.empty >> up & b.mixed() & layer; left != 0; left &= left - 1) {
        const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
        for (const Link link : b.links->links_of(cell, face - 1)) {
            visit(a.piece(cell + up, 0), b.piece(cell, link.from()));
            if (once) return;
        }
    }
}

// Where a chunk meets the one a step up along an axis, if there is one.
template <class Visit>
void meet(const StateData& state, At at, int axis, const Visit& visit) {
    const At other = at.step(axis, 1);
    if (is_chunk(state, other)) meet_cells(side_of(state, at), side_of(state, other), axis, visit);
}

class Labeller {
  public:
    Labeller(const StateData& state, Labels& labels)
        : state_(state), labels_(labels), first_(labels.first()), set_(labels.label()) {}

    void run() {
        for (std::uint32_t i = 0; i < labels_.pieces; ++i) set_[i] = i;
        At at{0, 0, 0};
        for (std::uint32_t chunk = 0; chunk < labels_.chunks; ++chunk) {
            for (int axis = 0; axis < 3; ++axis) join(chunk, at, axis);
            if (++at.x < state_.chunk_count.x) continue;
            at.x = 0;
            if (++at.y < state_.chunk_count.y) continue;
            at.y = 0;
            ++at.z;
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
    void join(std::uint32_t chunk, At at, int axis) {
        const At other = at.step(axis, 1);
        if (!is_chunk(state_, other)) return;
        const std::size_t there = state_.chunk_index(other.x, other.y, other.z);
        const std::uint32_t a = first_[chunk], b = first_[there];
        if (state_.links[chunk] == nullptr && state_.links[there] == nullptr) return unite(a, b);
        meet_cells(side_of(state_, at), side_of(state_, other), axis,
                   [&](std::uint32_t mine, std::uint32_t theirs) { unite(a + mine, b + theirs); });
    }

    const StateData& state_;
    Labels& labels_;
    const std::uint32_t* first_;
    std::uint32_t* set_;
};

// ---- what an edit leaves as it is

// All meetings of a chunk, each once, in order. False: out of memory.
bool list_meetings(const StateData& state, At at, Array<std::uint64_t>& out) {
    out.clear();
    bool good = true;
    for (int face = 0; face < 6; ++face) {
        const int axis = face >> 1;
        const At from = (face & 1) != 0 ? at : at.step(axis, -1);
        if (!is_chunk(state, from)) continue;
        const std::size_t begin = out.size();
        meet(state, from, axis, [&](std::uint32_t a, std::uint32_t b) {
            const std::uint64_t pair = std::uint64_t{a} << 32 | b;
            if (out.size() == begin || out.back() != pair) good = good && out.push_back(pair);
        });
        std::sort(out.begin() + begin, out.end());  // total order
        std::size_t kept = begin;
        for (std::size_t i = begin; i < out.size(); ++i) {
            if (i == begin || out[i] != out[i - 1]) out[kept++] = out[i];
        }
        while (out.size() > kept) out.pop_back();
        good = good && out.push_back(UINT64_MAX);  // the next face begins
    }
    return good;
}

// Do all linked chunks have as many pieces as before, which meet their neighbours' as before? Then every label stays.
bool keeps_labels(EditorData& editor, bool& same) {
    same = false;
    if (editor.state == nullptr) return true;
    const StateData &before = *editor.state, &now = *editor.draft;
    const auto pieces = [](const ChunkLinks* links) { return links == nullptr ? 1 : links->pieces; };
    for (const CellSet& set : editor.fresh_sets) {
        if (pieces(before.links[set.chunk]) != pieces(now.links[set.chunk])) return true;
    }
    for (const CellSet& set : editor.fresh_sets) {
        const auto nx = static_cast<std::uint32_t>(now.chunk_count.x),
                   ny = static_cast<std::uint32_t>(now.chunk_count.y);
        const At at{static_cast<std::int32_t>(set.chunk % nx), static_cast<std::int32_t>(set.chunk / nx % ny),
                    static_cast<std::int32_t>(set.chunk / nx / ny)};
        if (!list_meetings(before, at, editor.meetings[0]) || !list_meetings(now, at, editor.meetings[1]))
            return false;
        const Array<std::uint64_t>&a = editor.meetings[0], &b = editor.meetings[1];
        if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) return true;
    }
    same = true;
    return true;
}

}  // namespace

bool label_pieces(EditorData& editor) {
    bool same = false;
    if (!keeps_labels(editor, same)) return false;
    if (same) return true;
    StateData& state = *editor.draft;
    const auto chunks = static_cast<std::uint32_t>(state.chunks.size());
    std::uint64_t all = 0;
    for (const ChunkLinks* links : state.links) all += links == nullptr ? 1 : links->pieces;
    if (all >= UINT32_MAX) return false;  // of tens of gigabytes
    const auto pieces = static_cast<std::uint32_t>(all);
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

}  // namespace fairlead::volume
