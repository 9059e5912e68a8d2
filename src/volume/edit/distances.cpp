// Distances of parts and blocks, where something became empty or solid: the solid ones as bits, a row of up to 64 a word, grown three
// times by one in all directions. Whom the first growth reaches is at distance 1, and so on.
#include <algorithm>
#include <new>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

constexpr std::int32_t kSide = 64 - 2 * kDistanceCap;  ///< of what is measured at a time
constexpr std::int32_t kRows = 64;

/// Solid ones in a cube of 64 x 64 x 64 from (x, y, z) on.
struct Rows {
    std::uint64_t bits[kRows][kRows];
    std::int32_t ny = 0;
    std::int32_t nz = 0;
};

// Each grown by one along x, then y, then z.
void grow(Rows& rows, Rows& to) {
    for (std::int32_t z = 0; z < rows.nz; ++z) {
        for (std::int32_t y = 0; y < rows.ny; ++y) {
            const std::uint64_t w = rows.bits[z][y];
            to.bits[z][y] = w | w << 1 | w >> 1;
        }
    }
    for (std::int32_t z = 0; z < rows.nz; ++z) {
        for (std::int32_t y = 0; y < rows.ny; ++y) {
            std::uint64_t w = to.bits[z][y];
            if (y > 0) w |= to.bits[z][y - 1];
            if (y + 1 < rows.ny) w |= to.bits[z][y + 1];
            rows.bits[z][y] = w;
        }
    }
    for (std::int32_t z = 0; z < rows.nz; ++z) {
        for (std::int32_t y = 0; y < rows.ny; ++y) {
            std::uint64_t w = rows.bits[z][y];
            if (z > 0) w |= rows.bits[z - 1][y];
            if (z + 1 < rows.nz) w |= rows.bits[z + 1][y];
            to.bits[z][y] = w;
        }
    }
    for (std::int32_t z = 0; z < rows.nz; ++z) std::copy_n(to.bits[z], rows.ny, rows.bits[z]);
}

template <class Visit>
void each_cell(const StateData& state, const std::int32_t low[3], const std::int32_t high[3], Visit visit) {
    // Chunks are 4 cells; low and high count cells.
    for (std::int32_t z = low[2]; z < high[2]; ++z) {
        for (std::int32_t y = low[1]; y < high[1]; ++y) {
            for (std::int32_t x = low[0]; x < high[0]; ++x) {
                const Chunk* chunk = state.chunks[state.chunk_index(x >> 2, y >> 2, z >> 2)];
                if (chunk == nullptr) {
                    x |= 3;
                    continue;
                }
                visit(x, y, z, chunk->cells[place64(x, y, z)]);
            }
        }
    }
}

// Of parts, 2 on each axis of a cell, or of blocks, each 2 cells long.
struct Measure {
    // The rows are not set: most of them are not used.
    Measure(EditorData& e, bool of_blocks) : editor(e), blocks(of_blocks) {}

    EditorData& editor;
    bool blocks;
    std::int32_t from[3] = {};  ///< where the cube of rows begins, in units
    Rows solid;
    Rows grown;

    void put(std::int32_t x, std::int32_t y, std::int32_t z) {
        x -= from[0], y -= from[1], z -= from[2];
        if (static_cast<std::uint32_t>(x) < 64 && y >= 0 && y < solid.ny && z >= 0 && z < solid.nz)
            solid.bits[z][y] |= std::uint64_t{1} << x;
    }

    void collect() {
        const StateData& state = *editor.draft;
        std::int32_t low[3], high[3];
        const std::int32_t size[3] = {64, solid.ny, solid.nz};
        const std::int32_t cells[3] = {(state.size.x + 15) >> 4, (state.size.y + 15) >> 4,
                                       (state.size.z + 15) >> 4};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = std::max(from[k], 0), b = from[k] + size[k];
            low[k] = blocks ? a * 2 : a >> 1;
            high[k] = std::min(blocks ? b * 2 : (b + 1) >> 1, cells[k]);
        }
        each_cell(state, low, high,
                  [&](std::int32_t x, std::int32_t y, std::int32_t z, const CellEntry& entry) {
                      if (blocks) {
                          if (entry.node != CellEntry::kEmpty) put(x >> 1, y >> 1, z >> 1);
                          return;
                      }
                      if (entry.node == CellEntry::kEmpty) return;
                      for (std::int32_t part = 0; part < 8; ++part) {
                          if (entry.distance(static_cast<std::uint32_t>(part)) == 0)
                              put(x * 2 + (part & 1), y * 2 + (part >> 1 & 1), z * 2 + (part >> 2));
                      }
                  });
    }

    // The distances of the units in [low, high), at most kSide on each axis. False: out of memory.
    [[nodiscard]] bool run(const std::int32_t low[3], const std::int32_t high[3]) {
        for (int k = 0; k < 3; ++k) from[k] = low[k] - kDistanceCap;
        solid.ny = grown.ny = high[1] - low[1] + 2 * kDistanceCap;
        solid.nz = grown.nz = high[2] - low[2] + 2 * kDistanceCap;
        for (std::int32_t z = 0; z < solid.nz; ++z) std::fill_n(solid.bits[z], solid.ny, std::uint64_t{0});
        collect();
        // By distance: bits of those at less than 1, 2, 3.
        for (int d = 0; d < kDistanceCap; ++d) {
            for (std::int32_t z = 0; z < solid.nz; ++z)
                std::copy_n(solid.bits[z], solid.ny, within[d].bits[z]);
            if (d + 1 < kDistanceCap) grow(solid, grown);
        }
        for (std::int32_t z = low[2]; z < high[2]; ++z) {
            for (std::int32_t y = low[1]; y < high[1]; ++y) {
                for (std::int32_t x = low[0]; x < high[0]; ++x) {
                    const std::int32_t i = x - from[0], j = y - from[1], k = z - from[2];
                    std::int32_t d = 0;
                    while (d < kDistanceCap && (within[d].bits[k][j] >> i & 1) == 0) ++d;
                    if (!set(x, y, z, d)) return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] bool set(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t d) {
        StateData& state = *editor.draft;
        const std::int32_t shift = blocks ? 1 : 3;
        const std::size_t index = state.chunk_index(x >> shift, y >> shift, z >> shift);
        const Chunk* now = state.chunks[index];
        if (now == nullptr && d == kDistanceCap) return true;
        const std::uint32_t place = place8(x, y, z);
        const std::uint32_t cell = blocks ? 0 : place64(x >> 1, y >> 1, z >> 1);
        if (now != nullptr && (blocks ? now->block_distance(place) : now->cells[cell].distance(place)) == d)
            return true;
        Chunk* chunk = editor.own_chunk(index);
        if (chunk == nullptr) return false;
        std::uint16_t& field = blocks ? chunk->block_distances : chunk->cells[cell].distances;
        const std::uint32_t at = 2 * place;
        field = static_cast<std::uint16_t>((field & ~(3U << at)) | static_cast<std::uint32_t>(d) << at);
        return true;
    }

    Rows within[kDistanceCap];
};

bool is_open(const Chunk& chunk) {
    if (chunk.solid != 0 || chunk.block_distances != 0xffff) return false;
    return std::all_of(chunk.cells, chunk.cells + 64,
                       [](const CellEntry& cell) { return cell.distances == 0xffff; });
}

// Chunks in the box that are open need no memory.
bool drop_open(EditorData& editor, const std::int32_t low[3], const std::int32_t high[3],
               std::int32_t shift) {
    StateData& state = *editor.draft;
    for (std::int32_t z = low[2] >> shift; z <= (high[2] - 1) >> shift; ++z) {
        for (std::int32_t y = low[1] >> shift; y <= (high[1] - 1) >> shift; ++y) {
            for (std::int32_t x = low[0] >> shift; x <= (high[0] - 1) >> shift; ++x) {
                Chunk*& chunk = state.chunks[state.chunk_index(x, y, z)];
                if (chunk == nullptr || !is_open(*chunk)) continue;
                if (!editor.give_up(&chunk->block)) return false;
                chunk = nullptr;
            }
        }
    }
    return true;
}

bool measure(EditorData& editor, const UnitBox& changed, bool blocks, void* memory) {
    if (changed.empty()) return true;
    const StateData& state = *editor.draft;
    const std::int32_t unit = blocks ? 32 : 8;
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    std::int32_t low[3], high[3];
    auto* work = new (memory) Measure(editor, blocks);
    for (int k = 0; k < 3; ++k) {
        const std::int32_t count = (size[k] + unit - 1) / unit;
        low[k] = std::max(changed.low[k] - kDistanceCap, 0);
        high[k] = std::min(changed.high[k] + kDistanceCap, count);
    }
    for (std::int32_t z = low[2]; z < high[2]; z += kSide) {
        for (std::int32_t y = low[1]; y < high[1]; y += kSide) {
            for (std::int32_t x = low[0]; x < high[0]; x += kSide) {
                const std::int32_t a[3] = {x, y, z};
                const std::int32_t b[3] = {std::min(x + kSide, high[0]), std::min(y + kSide, high[1]),
                                           std::min(z + kSide, high[2])};
                if (!work->run(a, b)) return false;
            }
        }
    }
    return drop_open(editor, low, high, blocks ? 1 : 3);
}

}  // namespace

bool measure_distances(EditorData& editor) {
    const Allocator& a = editor.allocator;
    if (editor.parts.empty() && editor.blocks.empty()) return true;
    void* memory = a.allocate(sizeof(Measure), alignof(Measure), a.user);
    if (memory == nullptr) return false;
    const bool done =
        measure(editor, editor.parts, false, memory) && measure(editor, editor.blocks, true, memory);
    a.release(memory, sizeof(Measure), alignof(Measure), a.user);
    return done;
}

}  // namespace fairlead::volume
