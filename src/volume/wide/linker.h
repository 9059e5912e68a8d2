// Legal ways between known places of a cell and of those beside it: corners, middles, free cells, the ends of the
// query.
#pragma once

#include <cstdint>

#include "volume/wide/cells.h"

namespace fairlead::volume {

struct WideEndPlace {
    Vec3 at{};
    std::uint32_t leaf = kNone;  ///< that holds it
    std::uint32_t node = kNone;
};

class Linker {
  public:
    Linker(Cells& cells, Sets& sets, const Allocator& allocator)
        : cells_(cells), sets_(sets), ports_(allocator) {}

    void begin(const WideEndPlace& start, const WideEndPlace& goal) {
        ends_[0] = start;
        ends_[1] = goal;
    }
    [[nodiscard]] const WideEndPlace& end(int which) const { return ends_[which]; }

    /// Tries all pairs of known places of a mixed cell that are not joined. False: out of memory.
    [[nodiscard]] bool link(std::uint32_t cell);
    /// Cuts a cell; what is free is joined to what touches it. False: out of memory.
    [[nodiscard]] bool cut(std::uint32_t cell);

    /// Nodes with a place in, or on the border of, a leaf that is not blocked, but for the free cells beside it; of
    /// a finest mixed one only its own, unless `loose`. visit(node) -> bool; false ends with false, out of memory
    /// too.
    template <class Visit>
    [[nodiscard]] bool each_place(std::uint32_t cell, bool loose, Visit&& visit) {
        const std::uint32_t own = cells_[cell].node;
        if (own != kNone && !visit(own)) return false;
        if (cells_[cell].state == CellState::free || (cells_[cell].finest() && !loose)) return true;
        if (!cells_.each_corner(cell, [&](std::uint32_t node, Vec3) { return visit(node); })) return false;
        for (const WideEndPlace& e : ends_) {
            if (e.leaf == cell && !visit(e.node)) return false;
        }
        return true;
    }
    /// The free cells beside it as well.
    template <class Visit>
    [[nodiscard]] bool each_node(std::uint32_t cell, bool loose, Visit&& visit) {
        if (!each_place(cell, loose, visit)) return false;
        if (cells_[cell].state == CellState::free || (cells_[cell].finest() && !loose)) return true;
        for (int face = 0; face < 6; ++face) {
            const bool good = cells_.each_beside(cell, face, [&](std::uint32_t other) {
                return cells_[other].state != CellState::free || visit(cells_[other].node);
            });
            if (!good) return false;
        }
        return true;
    }

  private:
    /// A place of a node on the border of a cell, and the node's own place that it is joined to straight.
    struct Port {
        std::uint32_t cell;  ///< whose middle it comes from, if `node` is not made yet
        std::uint32_t node;
        Vec3 own;
        Vec3 at;
    };

    [[nodiscard]] bool list_ports(std::uint32_t cell);
    [[nodiscard]] bool add_port_beside(std::uint32_t cell, std::uint32_t other);
    [[nodiscard]] bool join(Port& a, Port& b);
    [[nodiscard]] bool join_free(std::uint32_t cell);
    [[nodiscard]] bool unite(std::uint32_t a, std::uint32_t b, Vec3 from, Vec3 to) {
        const Vec3 way[2] = {from, to};
        return sets_.same(a, b) || sets_.unite(a, b, way);
    }
    [[nodiscard]] Vec3 between(std::uint32_t a, std::uint32_t b) const;

    Cells& cells_;
    Sets& sets_;
    WideEndPlace ends_[2];
    Array<Port> ports_;
};

}  // namespace fairlead::volume
