// Distances of parts and blocks around what became empty or solid: the solid ones as bits, a row of up to 32 a word, grown by one and by
// two in all directions. Who is solid is at distance 0, whom the first growth reaches at 1, whom the second at 2.
#include <algorithm>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

constexpr std::int32_t kInner = 12;  ///< groups that are measured at a time, on each axis: 3 chunks
constexpr std::int32_t kGroups =
    kInner + 2;  ///< that are looked at for it: of kDistanceCap - 1 units more on each side

/// Units are measured in groups of 2 x 2 x 2, whose distances are one number: the parts of a cell, or the blocks of a chunk.
struct Parts {
    static constexpr std::int32_t kShift = 2;  ///< groups of a chunk, as a power of 2

    [[nodiscard]] static std::uint16_t of(const Chunk& chunk, std::int32_t x, std::int32_t y,
                                          std::int32_t z) {
        return chunk.cells[place64(x, y, z)].distances;
    }
    static void set(Chunk& chunk, std::int32_t x, std::int32_t y, std::int32_t z, std::uint16_t distances) {
        chunk.cells[place64(x, y, z)].distances = distances;
    }
};
struct Blocks {
    static constexpr std::int32_t kShift = 0;

    [[nodiscard]] static std::uint16_t of(const Chunk& chunk, std::int32_t, std::int32_t, std::int32_t) {
        return chunk.block_distances;
    }
    static void set(Chunk& chunk, std::int32_t, std::int32_t, std::int32_t, std::uint16_t distances) {
        chunk.block_distances = distances;
    }
};

/// Half open.
struct GroupBox {
    std::int32_t low[3];
    std::int32_t high[3];
};

/// Calls visit(x, y, z, chunk) for each group of a box, until it returns false.
template <class Kind, class Visit>
bool each_group(const StateData& state, const GroupBox& box, const Visit& visit) {
    constexpr std::int32_t kShift = Kind::kShift;
    for (std::int32_t z = box.low[2]; z < box.high[2]; ++z) {
        for (std::int32_t y = box.low[1]; y < box.high[1]; ++y) {
            const std::size_t row = state.chunk_index(0, y >> kShift, z >> kShift);
            for (std::int32_t x = box.low[0]; x < box.high[0]; ++x) {
                if (!visit(x, y, z, row + static_cast<std::size_t>(x >> kShift))) return false;
            }
        }
    }
    return true;
}

template <class Kind>
std::uint16_t distances_at(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z,
                           std::size_t chunk) {
    return state.chunks[chunk] == nullptr ? std::uint16_t{0xffff} : Kind::of(*state.chunks[chunk], x, y, z);
}

template <class Kind>
class Measure {
  public:
    explicit Measure(const StateData& state) : state_(state) {}

    // Calls visit(x, y, z, chunk, distances) for each group of a box, at most kInner on each axis, whose distances are
    // others than it has. Stops where it returns false.
    template <class Visit>
    [[nodiscard]] bool run(const GroupBox& box, const Visit& visit) {
        if (!has_chunks(box)) return true;
        for (int k = 0; k < 3; ++k) {
            from_[k] = (box.low[k] - 1) * 2;
            size_[k] = (box.high[k] - box.low[k] + 2) * 2;
        }
        for (std::int32_t z = 0; z < size_[2]; ++z) std::fill_n(solid_[z], size_[1], 0U);
        collect(box);
        grow();
        return each_group<Kind>(
            state_, box, [&](std::int32_t x, std::int32_t y, std::int32_t z, std::size_t chunk) {
                if (x == box.low[0]) far_ = far_in(y * 2 - from_[1], z * 2 - from_[2]);
                const std::int32_t i = x * 2 - from_[0];
                const std::uint16_t distances = (far_ >> i & 3) == 3
                                                    ? std::uint16_t{0xffff}
                                                    : take(i, y * 2 - from_[1], z * 2 - from_[2]);
                return distances_at<Kind>(state_, x, y, z, chunk) == distances ||
                       visit(x, y, z, chunk, distances);
            });
    }

  private:
    using Row = std::uint32_t[2 * kGroups];

    void collect(const GroupBox& box) {
        GroupBox around = box;
        const std::int32_t count[3] = {state_.chunk_count.x, state_.chunk_count.y, state_.chunk_count.z};
        for (int k = 0; k < 3; ++k) {
            around.low[k] = std::max(box.low[k] - 1, 0);
            around.high[k] = std::min(box.high[k] + 1, count[k] << Kind::kShift);
        }
        (void)each_group<Kind>(state_, around,
                               [&](std::int32_t& x, std::int32_t y, std::int32_t z, std::size_t index) {
                                   const Chunk* chunk = state_.chunks[index];
                                   if (chunk == nullptr || chunk->solid == 0) {
                                       x |= (1 << Kind::kShift) - 1;
                                       return true;
                                   }
                                   const std::uint32_t d = Kind::of(*chunk, x, y, z);
                                   const std::uint32_t solid = ~(d | d >> 1) & 0x5555U;
                                   if (solid != 0) put(x, y, z, solid);
                                   return true;
                               });
    }
    void put(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t solid) {
        const std::int32_t i = x * 2 - from_[0], j = y * 2 - from_[1], k = z * 2 - from_[2];
        for (std::int32_t n = 0; n < 4; ++n) {
            const std::uint32_t pair = solid >> (4 * n) & 5;
            solid_[k + (n >> 1)][j + (n & 1)] |= ((pair | pair >> 1) & 3) << i;
        }
    }

    // Along x, then y, then z; the outermost two rows are not needed.
    void grow() {
        for (std::int32_t z = 0; z < size_[2]; ++z) {
            Row a, b;
            for (std::int32_t y = 0; y < size_[1]; ++y) {
                const std::uint32_t w = solid_[z][y];
                a[y] = w | w << 1 | w >> 1;
                b[y] = a[y] | w << 2 | w >> 2;
            }
            for (std::int32_t y = 2; y + 2 < size_[1]; ++y) {
                flat_one_[z][y] = a[y - 1] | a[y] | a[y + 1];
                flat_two_[z][y] = b[y - 2] | b[y - 1] | b[y] | b[y + 1] | b[y + 2];
            }
        }
        for (std::int32_t z = 2; z + 2 < size_[2]; ++z) {
            for (std::int32_t y = 2; y + 2 < size_[1]; ++y) {
                const std::uint32_t one = flat_one_[z - 1][y] | flat_one_[z][y] | flat_one_[z + 1][y];
                const std::uint32_t two = flat_two_[z - 2][y] | flat_two_[z - 1][y] | flat_two_[z][y] |
                                          flat_two_[z + 1][y] | flat_two_[z + 2][y];
                high_[z][y] = ~one;
                odd_[z][y] = (one & ~solid_[z][y]) | ~two;
            }
        }
    }

    // Units at kDistanceCap in all four rows of a row of groups.
    [[nodiscard]] std::uint32_t far_in(std::int32_t j, std::int32_t k) const {
        return odd_[k][j] & high_[k][j] & odd_[k][j + 1] & high_[k][j + 1] & odd_[k + 1][j] &
               high_[k + 1][j] & odd_[k + 1][j + 1] & high_[k + 1][j + 1];
    }

    // The distances of a group, in order of place8.
    [[nodiscard]] std::uint16_t take(std::int32_t i, std::int32_t j, std::int32_t k) const {
        constexpr std::uint8_t kMixed[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
        std::uint32_t out = 0;
        for (std::int32_t n = 0; n < 4; ++n) {
            const std::uint32_t odd = odd_[k + (n >> 1)][j + (n & 1)] >> i & 3,
                                high = high_[k + (n >> 1)][j + (n & 1)] >> i & 3;
            out |= std::uint32_t{kMixed[odd | high << 2]} << (4 * n);
        }
        return static_cast<std::uint16_t>(out);
    }

    // In the box or a group around it.
    [[nodiscard]] bool has_chunks(const GroupBox& box) const {
        GroupBox chunks{};
        const std::int32_t count[3] = {state_.chunk_count.x, state_.chunk_count.y, state_.chunk_count.z};
        for (int k = 0; k < 3; ++k) {
            chunks.low[k] = std::max((box.low[k] - 1) >> Kind::kShift, 0);
            chunks.high[k] = std::min((box.high[k] >> Kind::kShift) + 1, count[k]);
        }
        return !each_group<Blocks>(state_, chunks,
                                   [&](std::int32_t, std::int32_t, std::int32_t, std::size_t index) {
                                       return state_.chunks[index] == nullptr;
                                   });
    }

    const StateData& state_;
    std::int32_t from_[3] = {};  ///< the first unit that is looked at
    std::int32_t size_[3] = {};  ///< units
    std::uint32_t far_ = 0;      ///< of the row of groups that is being taken
    Row solid_[2 * kGroups];     ///< by z, y; not set, for most of them are not used
    Row flat_one_[2 * kGroups], flat_two_[2 * kGroups];
    Row high_[2 * kGroups], odd_[2 * kGroups];  ///< bits of distances: 2 or 3; 1 or 3
};

// The groups that may be nearer or farther now.
template <class Kind>
GroupBox groups_near(const StateData& state, const UnitBox& changed) {
    GroupBox box{};
    const std::int32_t count[3] = {state.chunk_count.x, state.chunk_count.y, state.chunk_count.z};
    for (int k = 0; k < 3 && !changed.empty(); ++k) {
        box.low[k] = std::max(((changed.low[k] - kDistanceCap + 1) >> 1), 0);
        box.high[k] = std::min(((changed.high[k] + kDistanceCap) >> 1), count[k] << Kind::kShift);
    }
    return box;
}

// Calls visit(x, y, z, chunk, distances) for each group of a box whose distances are others than it has.
template <class Kind, class Visit>
bool each_other(const StateData& state, const GroupBox& box, const Visit& visit) {
    Measure<Kind> work(state);
    for (std::int32_t z = box.low[2]; z < box.high[2]; z += kInner) {
        for (std::int32_t y = box.low[1]; y < box.high[1]; y += kInner) {
            for (std::int32_t x = box.low[0]; x < box.high[0]; x += kInner) {
                const GroupBox some{{x, y, z},
                                    {std::min(x + kInner, box.high[0]), std::min(y + kInner, box.high[1]),
                                     std::min(z + kInner, box.high[2])}};
                if (!work.run(some, visit)) return false;
            }
        }
    }
    return true;
}

bool is_open(const Chunk& chunk) {
    if (chunk.solid != 0 || chunk.block_distances != 0xffff) return false;
    return std::all_of(chunk.cells, chunk.cells + 64,
                       [](const CellEntry& cell) { return cell.distances == 0xffff; });
}

// Chunks that are open need no memory.
template <class Kind>
bool drop_open(EditorData& editor, const GroupBox& box) {
    GroupBox chunks = box;
    for (int k = 0; k < 3; ++k) {
        chunks.low[k] >>= Kind::kShift;
        chunks.high[k] = ((box.high[k] - 1) >> Kind::kShift) + 1;
    }
    return each_group<Blocks>(*editor.draft, chunks,
                              [&](std::int32_t, std::int32_t, std::int32_t, std::size_t index) {
                                  Chunk*& chunk = editor.draft->chunks[index];
                                  if (chunk == nullptr || !is_open(*chunk)) return true;
                                  if (!editor.give_up(&chunk->block)) return false;
                                  chunk = nullptr;
                                  return true;
                              });
}

template <class Kind>
bool measure(EditorData& editor, const UnitBox& changed) {
    if (changed.empty()) return true;
    const GroupBox box = groups_near<Kind>(*editor.draft, changed);
    const auto set = [&](std::int32_t x, std::int32_t y, std::int32_t z, std::size_t index,
                         std::uint16_t distances) {
        Chunk* chunk = editor.own_chunk(index);
        if (chunk == nullptr) return false;
        Kind::set(*chunk, x, y, z, distances);
        return true;
    };
    return each_other<Kind>(*editor.draft, box, set) && drop_open<Kind>(editor, box);
}

template <class Kind>
std::size_t find_other(const StateData& state) {
    const Voxel& count = state.chunk_count;
    constexpr std::int32_t kShift = Kind::kShift;
    std::size_t found = SIZE_MAX;
    (void)each_other<Kind>(state, {{0, 0, 0}, {count.x << kShift, count.y << kShift, count.z << kShift}},
                           [&](std::int32_t, std::int32_t, std::int32_t, std::size_t index, std::uint16_t) {
                               found = index;
                               return false;
                           });
    return found;
}

}  // namespace

std::size_t find_distance_fault(const StateData& state) {
    const std::size_t found = find_other<Parts>(state);
    if (found != SIZE_MAX) return found;
    return find_other<Blocks>(state);
}

bool measure_distances(EditorData& editor) {
    return measure<Parts>(editor, editor.parts) && measure<Blocks>(editor, editor.blocks);
}

}  // namespace fairlead::volume
