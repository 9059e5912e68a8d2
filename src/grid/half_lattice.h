// The half-cell lattice: where the centre of a disc of any radius fits, at cells' corners, sides' middles and centres.
//
// Points are counted in half cells: (i, j) lies at (i / 2, j / 2). A blocked tile (c, e) is hx half cells away along x,
// hx = max(0, 2c - i, i - 2c - 2), and hy along y, so it is nearer than the radius r iff
//     hx^2 + hy^2  <  4 r^2 (1 - 1e-12)  =: R.
// The left side is an integer: only ceil(R) matters. The factor makes a disc that just touches fit.
//
// Half cells are fine enough for every radius: docs/decisions/0021 has the proof. A *room* is the square between four
// points, a *door* one of its sides (half_gap.h). Within a room any two places where the disc fits are joined by a motion
// that stays in the room (half_motion.h), so what is joined are the rooms whose doors have a place that fits.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "grid/half_words.h"
#include "grid/sight.h"
#include "grid/state.h"

namespace fairlead::grid {

/// A disc as the half lattice sees it. radius > 0, in cells.
struct HalfDisc {
    double square = 0.0;   ///< R
    std::int64_t key = 0;  ///< ceil(R): discs with one key fit at the same points
    double radius = 0.0;   ///< sqrt(R) / 2

    [[nodiscard]] static HalfDisc of(double r) {
        const double radius = touching_radius(r);
        constexpr double kFitsNoMap = 0x1p62;  // of a radius of 2^30 cells
        const double whole = 4.0 * radius * radius * (1.0 - 1e-12);
        const double square = whole < kFitsNoMap ? whole : kFitsNoMap;
        const double up = std::ceil(square);
        return {square, static_cast<std::int64_t>(up), 0.5 * std::sqrt(square)};
    }
};

/// Offsets of the tiles that block a point, from the cell (i / 2, j / 2) rounded down, for points with odd i and odd j or not; none farther
/// than `most_x` and `most_y` cells. `door`: of those that block both ends of the door that begins there, along i (1) or j (2).
/// False: out of memory.
[[nodiscard]] bool half_disc_rows(std::int64_t key, bool odd_i, bool odd_j, std::int32_t most_x,
                                  std::int32_t most_y, std::int32_t door, Array<BodyRow>& rows);

/// The 32 low bits of x, each followed by a zero.
[[nodiscard]] std::uint64_t spread_bits(std::uint64_t x);

/// And back: every second bit of x, from the lowest on.
[[nodiscard]] std::uint64_t even_bits(std::uint64_t x);

/// What is in a disc's way: walls, what lies past the edges of the map, terrain that the filter closes.
class HalfWalls {
  public:
    HalfWalls() = default;
    explicit HalfWalls(const SightWorld& world);

    /// Blocked bits of 64 cells of row y from x on, or of column x from y on; any x and y.
    [[nodiscard]] std::uint64_t along_row(std::int32_t x, std::int32_t y) const;
    [[nodiscard]] std::uint64_t along_column(std::int32_t x, std::int32_t y) const;
    [[nodiscard]] const StateData& state() const { return *state_; }
    [[nodiscard]] bool closes_terrain() const { return costs_ != nullptr; }

  private:
    [[nodiscard]] std::uint64_t closed(std::int32_t x, std::int32_t y, bool column,
                                       std::uint64_t known) const;

    const StateData* state_ = nullptr;
    const std::uint16_t* costs_ = nullptr;  ///< null: no terrain is closed
    std::int32_t layer_ = 0;
    WallReader rows_{};
    WallReader columns_{};
};

/// A point of the lattice.
struct HalfPoint {
    std::int32_t i = 0;
    std::int32_t j = 0;
    friend bool operator==(const HalfPoint&, const HalfPoint&) = default;
};

[[nodiscard]] inline Vec2 position_of(HalfPoint p) {
    return {0.5 * static_cast<double>(p.i), 0.5 * static_cast<double>(p.j)};
}

/// Which points fit, found out 64 cells of a row at a time when first asked for.
class HalfPlanes {
  public:
    explicit HalfPlanes(const Allocator& a = {})
        : rows_{Array<BodyRow>(a), Array<BodyRow>(a), Array<BodyRow>(a), Array<BodyRow>(a)},
          table_(a),
          pages_(a) {}

    /// Forgets everything. The world's state and filter must stay as they are while points are asked for. It begins on the
    /// world's layer. False: out of memory.
    /// `turned`: with i and j exchanged everywhere, so that the words are those of columns.
    [[nodiscard]] bool begin(const SightWorld& world, const HalfDisc& disc, bool turned = false);
    /// Which layer points, walls() and gaps are those of from now on.
    void set_layer(std::int32_t layer);
    [[nodiscard]] std::int32_t layer() const { return world_.layer; }

    /// Does the disc fit at the point? Any i and j: positions on wrapped axes are taken modulo the map's size. Out of
    /// memory: no, and out_of_memory() from then on.
    [[nodiscard]] bool fits(std::int32_t i, std::int32_t j);
    [[nodiscard]] bool fits(HalfPoint p) { return fits(p.i, p.j); }

    /// Which of the 3 x 3 points around (i, j) fit: bit 3 (dj + 1) + di + 1.
    [[nodiscard]] std::uint32_t around(HalfPoint p);

    /// Which of the 64 points from (i, j) on along i fit; none off the map. Not for wrapped axes.
    [[nodiscard]] std::uint64_t window(std::int32_t i, std::int32_t j);

    static constexpr std::int32_t kPageLines = 64;
    static constexpr std::int32_t kPagePoints = 128;  ///< of a line: 64 cells
    /// The points from (i, j) on along i, a page's line of them: i a multiple of kPagePoints. None off the map.
    [[nodiscard]] HalfWords words(std::int32_t i, std::int32_t j);
    /// The last i and j.
    [[nodiscard]] std::int32_t size_i() const { return size_i_; }
    [[nodiscard]] std::int32_t size_j() const { return size_j_; }
    /// Is a point of the map no farther than `reach` from a seam?
    [[nodiscard]] bool near_seam(HalfPoint p, std::int32_t reach) const {
        const auto near = [&](std::int32_t at, std::int32_t size) {
            return at <= reach || at >= size - reach;
        };
        return (wrap_x_ && near(p.i, size_i_)) || (wrap_y_ && near(p.j, size_j_));
    }
    /// Pages of all layers, and which one of them a point of this layer is in.
    [[nodiscard]] std::size_t squares() const { return table_.size(); }
    [[nodiscard]] std::size_t square_at(std::int32_t i, std::int32_t j) const {
        return table_at_ + static_cast<std::size_t>((j / kPageLines) * across_ + (i >> kPageShift));
    }
    /// Are the points a registered size's own? Then its stops (half_body.h) are known too.
    [[nodiscard]] bool is_kept() const { return kept_ != nullptr; }
    [[nodiscard]] HalfWords kept_stops(std::int32_t i, std::int32_t j) const;
    /// What blocks 64 cells from x on along i, on line y of cells.
    [[nodiscard]] std::uint64_t walls_along(std::int32_t x, std::int32_t y) const {
        return turned_ ? walls_.along_column(y, x) : walls_.along_row(x, y);
    }

    [[nodiscard]] const HalfWalls& walls() const { return walls_; }
    [[nodiscard]] const HalfDisc& disc() const { return disc_; }
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
    /// Words of 64 points computed so far: a measure of work.
    [[nodiscard]] std::uint64_t words() const { return words_; }

  private:
    static constexpr std::int32_t kPageShift = 7;
    static_assert(kPagePoints == 1 << kPageShift);
    struct Page {
        std::uint64_t known;  ///< lines that are computed
        std::uint64_t points[kPageLines][2];
    };
    [[nodiscard]] const Page* page_with(std::int32_t i, std::int32_t j);
    [[nodiscard]] HalfWords kept_words(std::int32_t plane, std::int32_t i, std::int32_t j) const;
    void compute(Page& page, std::int32_t i, std::int32_t j);
    [[nodiscard]] bool make_rows(std::int32_t kind);

    SightWorld world_{};
    HalfWalls walls_{};
    HalfDisc disc_{};
    const Body* kept_ = nullptr;  ///< the world's own points of this disc (half_body.h)
    std::size_t table_at_ = 0;    ///< of the layer
    std::size_t squares_ = 0;     ///< a layer's
    Array<BodyRow> rows_[4];      ///< offsets of the tiles that block: [2 (j odd) + (i odd)]
    std::int32_t across_ = 0;
    std::int32_t size_i_ = 0;
    std::int32_t size_j_ = 0;
    bool turned_ = false;
    bool wrap_x_ = false;
    bool wrap_y_ = false;
    bool out_of_memory_ = false;
    std::uint64_t words_ = 0;
    Array<std::uint32_t> table_;  ///< page of each square of points, or kNoPage
    Array<Page> pages_;
};

}  // namespace fairlead::grid
