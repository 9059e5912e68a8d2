// Space between the middles of voxels: cubes from middle to middle, cut in eight down to 1/64, free, blocked or
// mixed.
//
// A cell is free if no solid voxel is nearer than the radius to it (box to box), blocked as blocked.h says. Each
// has the solid voxels nearer than the radius, handed down from what it was cut from. What is outside the bounds is
// solid voxels as well.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "volume/sight/walk.h"
#include "volume/wide/blocked.h"
#include "volume/wide/key_map.h"
#include "volume/wide/lattice.h"
#include "volume/wide/sets.h"

namespace fairlead::volume {

inline constexpr int kFinest = 6;  ///< levels below a cube between middles

enum class CellState : std::uint8_t {
    fresh,  ///< a cube with a corner that does not fit, not looked at yet
    free,
    blocked,
    mixed,
    cut,
};

struct WideCell {
    std::int32_t low[3];  ///< 1/64 voxel
    CellState state;
    std::uint8_t level;
    bool fits;             ///< in its middle
    std::uint8_t corners;  ///< of a whole cube: those that fit
    std::uint32_t parent;
    std::uint32_t child;  ///< the first of eight
    std::uint32_t cube;   ///< the whole cube that it is part of
    std::uint32_t sides;  ///< of a whole cube: where those beside it are kept
    std::uint32_t list;
    std::uint32_t list_count;
    std::uint32_t node;    ///< of the sets: a free cell's, or its middle's; kNone: none yet
    std::uint32_t weight;  ///< of passing, 16 and more; 0: free
    // Of the search that goes through it.
    std::uint32_t stamp;
    std::uint32_t cost;
    std::uint32_t before;  ///< cell
    std::uint32_t
        jump;  ///< the entry of the set that the way came through; kNone: over a face, from `before`
    std::uint32_t window;
    std::uint32_t checked;  ///< the way to it holds: asked at that time
    std::uint32_t missed;   ///< it does not
    bool popped;
    std::uint8_t leads;  ///< a whole cube, on to somewhere: 0 not asked, 1 no, 2 yes
    bool listed;         ///< a whole cube: among the contacts of its corners

    [[nodiscard]] std::int32_t side() const { return 64 >> level; }
    [[nodiscard]] bool open() const { return state == CellState::mixed || state == CellState::fresh; }
    [[nodiscard]] bool finest() const { return level == kFinest; }
};

class Cells {
  public:
    explicit Cells(const Allocator& allocator)
        : index_(allocator),
          cells_(allocator),
          corners_(allocator),
          sides_(allocator),
          lists_(allocator),
          wanted_(allocator),
          test_(allocator),
          gaps_(allocator) {}

    [[nodiscard]] bool begin(const StateData& state, const Body& body, Lattice& lattice, Sets& sets);

    /// The cube from the middle of a voxel on. kNone: out of memory.
    [[nodiscard]] std::uint32_t cube(Voxel low);
    /// Makes a fresh cell free, blocked or mixed. False: out of memory.
    [[nodiscard]] bool look_at(std::uint32_t cell);
    /// In eight; its middle stays a node. False: out of memory.
    [[nodiscard]] bool cut(std::uint32_t cell);

    [[nodiscard]] WideCell& operator[](std::uint32_t i) { return cells_[i]; }
    [[nodiscard]] const WideCell& operator[](std::uint32_t i) const { return cells_[i]; }
    [[nodiscard]] std::size_t size() const { return cells_.size(); }
    [[nodiscard]] std::size_t cut_count() const { return cuts_; }
    /// Is there a mixed cell that cannot be cut?
    [[nodiscard]] bool any_undecided() const { return undecided_; }
    [[nodiscard]] Vec3 middle(const WideCell& cell) const {
        const double half = 0.5 * cell.side();
        return {(cell.low[0] + half) / 64.0, (cell.low[1] + half) / 64.0, (cell.low[2] + half) / 64.0};
    }
    /// The voxel whose middle is the low corner of the cube that the cell is part of.
    [[nodiscard]] static Voxel base(const WideCell& cell) {
        return {(cell.low[0] - 32) >> 6, (cell.low[1] - 32) >> 6, (cell.low[2] - 32) >> 6};
    }
    /// Of a free cell or a middle that fits, made where there is none. kNone: out of memory.
    [[nodiscard]] std::uint32_t node_of(std::uint32_t cell);
    /// Is a segment inside the cell free? Ends in voxels.
    [[nodiscard]] bool sees_inside(const WideCell& cell, Vec3 from, Vec3 to) const;
    /// Down to the leaf at a corner of the cell.
    [[nodiscard]] std::uint32_t leaf_at(std::uint32_t cell, std::uint32_t corner) const {
        while (cells_[cell].state == CellState::cut) cell = cells_[cell].child + corner;
        return cell;
    }
    /// The leaf around a place in the cell.
    [[nodiscard]] std::uint32_t leaf_around(std::uint32_t cell, Vec3 p) const;

    /// The leaves beside a leaf over face 2 axis + (1 if high). visit(cell) -> bool, false ends with false; also:
    /// out of memory.
    template <class Visit>
    [[nodiscard]] bool each_beside(std::uint32_t cell, int face, Visit&& visit) {
        const std::uint32_t first = beside(cell, face);
        if (first == kNone) return !failed_;
        return each_on_face(first, face, visit);
    }

    /// Nodes with a place on the border of the cell: corners of its cube that fit, middles of what it was cut from.
    /// visit(node, place) -> bool.
    template <class Visit>
    [[nodiscard]] bool each_corner(std::uint32_t cell, Visit&& visit) {
        const WideCell c = cells_[cell];
        std::uint32_t at = cell;
        while (cells_[at].level > 0) {
            at = cells_[at].parent;
            const WideCell& from = cells_[at];
            if (from.node == kNone || !touches_middle(c, from)) continue;
            if (!visit(from.node, middle(from))) return false;
        }
        const WideCell cube = cells_[at];
        for (std::uint32_t left = cube.corners; left != 0; left &= left - 1) {
            const auto corner = static_cast<std::uint32_t>(std::countr_zero(left));
            bool here = true;
            for (int k = 0; k < 3; ++k) {
                const std::int32_t p = cube.low[k] + static_cast<std::int32_t>(corner >> k & 1) * 64;
                here = here && (p == c.low[k] || p == c.low[k] + c.side());
            }
            if (!here) continue;
            if (!visit(corner_node(cube, corner), middle_of(corner_of(base(cube), corner)))) return false;
        }
        return true;
    }
    /// The whole cube over a face of one; kNone: out of memory, or outside.
    [[nodiscard]] std::uint32_t over_face(std::uint32_t cube, int face) { return beside(cube, face); }
    [[nodiscard]] bool failed() const { return failed_; }
    /// Of a whole cube, at a corner that fits.
    [[nodiscard]] std::uint32_t corner_node(const WideCell& cube, std::uint32_t corner) const {
        return corners_[cube.sides / 6 * 8 + corner];
    }
    [[nodiscard]] static Voxel corner_of(Voxel low, std::uint32_t corner) {
        const auto bit = [&](int k) { return static_cast<std::int32_t>(corner >> k & 1); };
        return {low.x + bit(0), low.y + bit(1), low.z + bit(2)};
    }

  private:
    [[nodiscard]] static bool touches_middle(const WideCell& c, const WideCell& from) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t p = from.low[k] + from.side() / 2;
            if (p != c.low[k] && p != c.low[k] + c.side()) return false;
        }
        return true;
    }
    template <class Visit>
    [[nodiscard]] bool each_on_face(std::uint32_t cell, int face, Visit&& visit) {
        if (cells_[cell].state != CellState::cut) return visit(cell);
        const int axis = face >> 1;
        // Seen from outside: over a high face its low children.
        const std::uint32_t side = (face & 1) != 0 ? 0 : 1;
        const std::uint32_t child = cells_[cell].child;
        for (std::uint32_t i = 0; i < 8; ++i) {
            if ((i >> axis & 1) == side && !each_on_face(child + i, face, visit)) return false;
        }
        return true;
    }
    [[nodiscard]] std::uint32_t beside(std::uint32_t cell, int face);
    [[nodiscard]] std::uint32_t cube_beside(std::uint32_t cube, int face);
    [[nodiscard]] FineBox fine_box(const WideCell& cell) const;
    /// From a stretch of one axis, and its middle, to a voxel; squared world units.
    struct AxisGaps {
        double near, far, middle;
    };
    /// Of the voxels near a cube the one that is nearest to its middle, and whether one is near to all of it.
    struct Nearest {
        double squared;
        std::size_t which = 0;
        bool blocks = false;
    };
    [[nodiscard]] static AxisGaps axis_gaps(double low, double side, double voxel, const FineUnit& unit);
    [[nodiscard]] bool gather(Voxel low, Nearest& nearest);
    void gather_brick(Voxel brick, std::uint64_t bits, Voxel low, Nearest& nearest, bool& good);
    [[nodiscard]] bool decide(std::uint32_t cell, double least, std::size_t nearest);
    [[nodiscard]] std::uint32_t weight_of(const WideCell& cell, double least) const;

    struct Wanted {
        std::uint8_t near;  ///< children that it is near to
    };

    const StateData* state_ = nullptr;
    const Body* body_ = nullptr;
    Lattice* lattice_ = nullptr;
    Sets* sets_ = nullptr;
    KeyMap index_;
    Array<WideCell> cells_;
    Array<std::uint32_t> corners_;  ///< eight a cube: nodes of its corners, if they fit
    Array<std::uint32_t> sides_;    ///< six a cube: the cube over that face; kNone: not asked yet
    Array<NearVoxel> lists_;
    Array<Wanted> wanted_;
    BlockTest test_;
    Array<AxisGaps> gaps_;  ///< of a cube, by axis and voxel from gaps_low_ on
    std::int32_t gaps_low_[3] = {};
    std::int32_t gaps_high_[3] = {};
    std::uint32_t gaps_first_[3] = {};
    FineUnit unit_[3];
    double longest_ = 0.0;
    std::size_t cuts_ = 0;
    bool undecided_ = false;
    bool failed_ = false;
};

}  // namespace fairlead::volume
