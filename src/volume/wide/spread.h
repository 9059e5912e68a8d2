// The cheapest way from one set of joined places towards another through cells that are not decided: cells by
// Dijkstra's algorithm, a set that is reached at once with all its places. Where there is none, no motion exists
// (but for cells too small to be cut).
//
// The same within a window of cells, for one pinch between two sets.
#pragma once

#include <cstdint>

#include "base/least_heap.h"
#include "volume/wide/linker.h"

namespace fairlead::volume {

enum class SpreadEnd : std::uint8_t { running, reached, exhausted, joined, no_memory };

/// Cells in a row between two sets.
struct Pinch {
    std::uint32_t from;  ///< node
    std::uint32_t to;
    std::uint32_t first;  ///< of path cells, the last one first
    std::uint32_t count;
};

class Spread {
  public:
    Spread(Lattice& lattice, Cells& cells, Sets& sets, Linker& linker, const Allocator& allocator)
        : lattice_(lattice),
          cells_(cells),
          sets_(sets),
          linker_(linker),
          heap_(allocator),
          window_heap_(allocator),
          stack_(allocator),
          entries_(allocator),
          cells_reached_(allocator),
          nodes_reached_(allocator),
          lost_cells_(allocator),
          lost_nodes_(allocator),
          chain_(allocator),
          hits_(allocator),
          contacts_(allocator),
          more_(allocator),
          path_(allocator),
          pinches_(allocator) {}

    void begin_world() {
        contacts_.clear();
        more_.clear();
        round_ = stamps_ = checks_ = misses_ = 0;
    }
    /// From the set of one node to that of another. `loose`: cells of the finest size are passed as well.
    [[nodiscard]] bool begin(std::uint32_t from, std::uint32_t to, bool loose);
    /// reached: pinches() and path() tell how. joined: on the way both were found to be one set.
    [[nodiscard]] SpreadEnd step(std::uint64_t& budget);
    /// After reached: cells were cut, `made` of them, and sets joined. What was reached through those cells is
    /// reached anew; go on with step().
    [[nodiscard]] bool repair(std::span<const std::uint32_t> made);
    /// A whole cube was cut: those beside it may lead to a part of it. To `made` go those that were left out so far.
    [[nodiscard]] bool wake(std::uint32_t cube, Array<std::uint32_t>& made);
    [[nodiscard]] std::span<const Pinch> pinches() const { return pinches_.span(); }
    [[nodiscard]] std::span<const std::uint32_t> path() const { return path_.span(); }

    /// Joins a part of a brick to the parts around it. visit(node), before it is joined -> bool. False: visit said
    /// so, out of memory.
    template <class Visit>
    [[nodiscard]] bool explore(std::uint32_t node, Visit&& visit);

    /// In one go: among the leaves of `window`, all in `leaves`. The path is in path() then, the last cell first.
    [[nodiscard]] SpreadEnd search_window(std::uint32_t from, std::uint32_t to, std::uint32_t window,
                                          std::span<const std::uint32_t> leaves);

  private:
    struct Entry {
        std::uint32_t cost;
        std::uint32_t cell;
    };
    /// How a set was reached: through a cell that touches it; kNone: it is where the search begins.
    struct SetEntry {
        std::uint32_t node;
        std::uint32_t via;
        std::uint32_t cost;
        bool good;
    };
    static bool before(const Entry& a, const Entry& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.cell < b.cell;
    }

    [[nodiscard]] bool reached(std::uint32_t node) const { return sets_[node].stamp == round_; }
    [[nodiscard]] bool push_set(std::uint32_t node, std::uint32_t entry);
    [[nodiscard]] bool enter_set(std::uint32_t node, std::uint32_t via);
    [[nodiscard]] bool relax(std::uint32_t cell, std::uint32_t cost, std::uint32_t before,
                             std::uint32_t jump);
    [[nodiscard]] bool passes(const WideCell& a, const WideCell& b) const {
        return b.open() && (loose_ || !a.finest() || !b.finest());
    }
    [[nodiscard]] bool contact(std::uint32_t node, std::uint32_t cell);
    [[nodiscard]] bool enter_node(std::uint32_t node);
    [[nodiscard]] bool enter_lattice(std::uint32_t node);
    [[nodiscard]] bool enter_cell_node(std::uint32_t node);
    [[nodiscard]] bool list_contacts(std::uint32_t part);
    [[nodiscard]] bool leads_on(Voxel low, std::uint32_t corners, bool& does);
    [[nodiscard]] bool is_idle(std::uint32_t cell, bool& is);
    [[nodiscard]] bool touch_cube(std::uint32_t node, const LatticePart& part, std::uint32_t cube);
    [[nodiscard]] bool add_contact(std::uint32_t cube);
    struct More {
        std::uint32_t cube;
        std::uint32_t next;
    };
    [[nodiscard]] bool pop_cell(std::uint64_t& budget);
    [[nodiscard]] bool trace(std::uint32_t via);
    [[nodiscard]] bool drop_lost();
    [[nodiscard]] std::uint32_t before_of(const WideCell& cell) const {
        return cell.jump == kNone ? cell.before : entries_[cell.jump].via;
    }
    [[nodiscard]] bool holds(std::uint32_t cell, bool& does);
    [[nodiscard]] bool enter_otherwise(SetEntry& entry, bool& does);
    [[nodiscard]] bool mend_entries();
    [[nodiscard]] bool reach_again(std::uint32_t cell);
    [[nodiscard]] bool seek_set(std::uint32_t node);
    [[nodiscard]] std::uint32_t next_hit();
    [[nodiscard]] SpreadEnd search_leaves(std::uint32_t from, std::uint32_t to, std::uint32_t window,
                                          std::span<const std::uint32_t> leaves);
    [[nodiscard]] bool touches(std::uint32_t cell, std::uint32_t node, bool& does);

    Lattice& lattice_;
    Cells& cells_;
    Sets& sets_;
    Linker& linker_;
    LeastHeap<Entry, before> heap_;
    LeastHeap<Entry, before> window_heap_;
    LeastHeap<Entry, before>* open_ = nullptr;  ///< the one in use
    Array<std::uint32_t> stack_;                ///< nodes that are reached, to be entered
    Array<SetEntry> entries_;
    Array<std::uint32_t> cells_reached_;
    Array<std::uint32_t> nodes_reached_;
    Array<std::uint32_t> lost_cells_;
    Array<std::uint32_t> lost_nodes_;
    Array<std::uint32_t> chain_;
    Array<std::uint32_t> hits_;  ///< cells that touch what is looked for
    Array<std::uint32_t> contacts_;
    Array<More> more_;
    Array<std::uint32_t> path_;
    Array<Pinch> pinches_;
    std::uint32_t stamps_ = 0;
    std::uint32_t round_ = 0;
    std::uint32_t checks_ = 0;  ///< stamps of holds()
    std::uint32_t misses_ = 0;
    std::uint32_t from_ = kNone;
    std::uint32_t to_ = kNone;
    std::uint32_t sought_ = kNone;  ///< the cheapest reached cell that a lost node touches
    bool seeking_ = false;
    bool loose_ = false;
    bool look_for_hits_ = false;
};

template <class Visit>
bool Spread::explore(std::uint32_t node, Visit&& visit) {
    sets_[node].explored = true;
    const LatticePart part = lattice_.part(sets_[node].ref);
    const Voxel at = lattice_[part.brick].at;
    constexpr std::uint64_t low[3] = {0x1111111111111111ULL, 0x000f000f000f000fULL, 0xffffULL};
    for (std::uint32_t face = 0; face < 6; ++face) {
        const std::uint32_t axis = face >> 1, step = 1U << (2 * axis);
        const bool high = (face & 1) != 0;
        std::uint64_t edge = part.mask & (high ? low[axis] << (3 * step) : low[axis]);
        if (edge == 0) continue;
        const std::int32_t d = high ? 1 : -1;
        const std::uint32_t other = lattice_.brick(
            {at.x + (axis == 0 ? d : 0), at.y + (axis == 1 ? d : 0), at.z + (axis == 2 ? d : 0)});
        if (other == kNone) return false;
        edge = high ? edge >> (3 * step) : edge << (3 * step);
        const std::uint32_t first = lattice_[other].parts, count = lattice_[other].part_count;
        for (std::uint32_t i = first; i < first + count; ++i) {
            const std::uint64_t both = lattice_.part(i).mask & edge;
            if (both == 0) continue;
            const std::uint32_t neighbour = lattice_.part(i).node;
            if (!visit(neighbour)) return false;
            if (sets_.same(node, neighbour)) continue;
            const auto there = static_cast<std::uint32_t>(std::countr_zero(both));
            const std::uint32_t here = high ? there + 3 * step : there - 3 * step;
            if (!sets_.unite_over_face(node, neighbour, here, face)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::volume
