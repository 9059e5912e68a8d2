// Motion primitives: the moves that a turning unit's search is made of.
//
//     Result<PrimitiveSet> moves = PrimitiveSet::make({.turning_radius = 3.0});
//     for (const Primitive& move : moves->from(heading)) ...
//
// A primitive leads from the centre of a cell in one of the lattice's headings (headings.h) to the centre of another
// cell in another heading, along a Dubins path of up to three segments. A primitive in reverse is one forward, driven back
// from its end to its start. Lengths are in cells.
//
// Which primitives there are:
//   * rings 0 (the default): the set is chosen for the turning radius. Of all shortest curves to the cells within `reach`, the
//     shortest first, one is taken if going on with those taken already would be longer by more than the factor
//     `stretch`. So on open ground no way on the lattice is longer than that factor times the best curve to the
//     same place within reach, with as few moves as do. (A greedy spanner: Althofer et al. 1993; for state lattices:
//     Botros and Smith 2019.) Curves that turn by more than a quarter of a circle in all are put together from others.
//   * rings 1, 2, 3: Directional-8, -24 and -48 of the article (Pinter 2001): to each cell of the first rings around
//     the unit and each heading there the shortest of the four curves of arc, line, arc, whatever it turns: 64, 192 and 384
//     moves from each of 8 headings. Ring 4 is Directional-80. Of two equally long curves, the one that begins to the left.
//     With `every_word` all of the up to six words are moves of their own, those of three arcs included.
//     The chosen set finds more ways than these (docs/turning.md) with a tenth of the moves.
//
// With `pivot` there are turns on the spot as well: from each heading to the next one on either side, length 0, one in
// each gear that the unit has, so that a turn is no change of gear.
//
// Cost: make takes 5 to 50 ms (the reach squared times headings); 64 bytes a primitive, 150 to 700 of them; of rings
// 512, 1,536 and 3,072 with 8 headings. Deterministic; the ends of the moves have all eight symmetries of the square, and
// so have the curves of rings 0.
//
// Errors of make: out_of_range or not_finite of the field; out_of_memory.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/curve/word.h>
#include <fairlead/drive/headings.h>
#include <fairlead/route/route.h>

namespace fairlead {

inline constexpr std::int32_t kRingsMax = 4;
/// Rings are made for turning radii up to this, in cells: their loops are twice as wide.
inline constexpr double kRingsRadiusMax = 16.0;

struct PrimitiveOptions {
    double turning_radius = 1.0;  ///< in cells, 0.25 to 32
    std::int32_t headings = 16;   ///< 8, 16 or 32
    std::int32_t rings = 0;       ///< 0: chosen; 1 to kRingsMax
    double stretch = 1.02;        ///< rings 0: 1.001 to 2
    std::int32_t reach = 0;       ///< rings 0: cells to each side; 0: by the radius. At most 40
    bool reverse = false;         ///< moves in reverse as well
    bool pivot = false;           ///< turns on the spot as well
    bool every_word = false;      ///< with rings: all six words, each a move
    Allocator allocator{};
};

struct Primitive {
    CurveWord
        word{};  ///< amounts in turning radii; negative in reverse. A turn on the spot: one segment, Steer::spin
    double length = 0.0;  ///< cells; of a turn on the spot 0
    std::int8_t dx = 0;   ///< to the end's cell
    std::int8_t dy = 0;
    std::uint8_t from = 0;  ///< headings
    std::uint8_t to = 0;
    Gear gear = Gear::forward;

    [[nodiscard]] bool is_turn() const { return dx == 0 && dy == 0; }
    friend bool operator==(const Primitive&, const Primitive&) = default;
};

class PrimitiveSet {
  public:
    [[nodiscard]] static Result<PrimitiveSet> make(const PrimitiveOptions& options);

    [[nodiscard]] const PrimitiveOptions& options() const { return options_; }
    [[nodiscard]] std::int32_t headings() const { return options_.headings; }
    /// All, grouped by the heading they start in; in a group the shortest first.
    [[nodiscard]] std::span<const Primitive> all() const { return all_.span(); }
    [[nodiscard]] std::span<const Primitive> from(std::int32_t heading) const {
        return all_.span().subspan(first_[heading], first_[heading + 1] - first_[heading]);
    }
    /// Place of a heading's first primitive in all(); of `headings`: their number.
    [[nodiscard]] std::uint32_t first(std::int32_t heading) const { return first_[heading]; }
    /// Largest |dx|, |dy| of a primitive.
    [[nodiscard]] std::int32_t reach() const { return reach_; }
    [[nodiscard]] std::size_t bytes() const { return all_.bytes(); }

  private:
    friend class DriveTable;  // loads one from a file
    PrimitiveSet() = default;
    [[nodiscard]] static Result<PrimitiveSet> from_list(const PrimitiveOptions& options,
                                                        Array<Primitive>&& list);
    [[nodiscard]] bool add_turns();
    void group();
    PrimitiveOptions options_;
    Array<Primitive> all_;
    std::uint32_t first_[kHeadingsMax + 1] = {};
    std::int32_t reach_ = 0;
};

}  // namespace fairlead
