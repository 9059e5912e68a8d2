// The solid part of a level as columns of spans: for each cell of a box of the grid, the height intervals that the
// triangles touch.
//
//     Result<SpanField> field = SpanField::make({0, 0, 853, 853});
//     Result<void> done = field->add(*soup);
//
// What is promised:
// - For every triangle and every column that it touches (the column is half open, the triangle closed), the heights that it
//   has in the closed column lie in a span, but for 2^-10 of a cell height at its ends: that much of roundness is allowed
//   so that a floor at 2.0000001 is the floor at 2. A span is never higher or lower than the cell heights round that interval.
// - A span has at least one cell height. Spans of a column that meet are one span.
// - A span has the area of what reaches its top; where several do, the highest number. So neither the order of the triangles
//   nor the way they are split over calls changes anything, and a column is the same whatever box it is computed in.
//
// Cost: a triangle costs about 40 ns a row and 4 ns a cell, 15 ns a row if it is level or stands in one column of cells; a field
// is 16 bytes a column and 16 a further span.
// Errors: size_limit (more columns than kSpanColumnsMax), out_of_memory. After an error the field holds part of the
// triangles and is good only to be destroyed.
//
// Method: row intervals. A triangle is walked row by row, up its long side and the two short ones. Inside one row of cells it
// is a polygon of at most five sides, whose shadow on the x-z plane is convex; each side alone gives its cells their
// highest and lowest point.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/raster/soup.h>

namespace fairlead {

namespace raster {
struct RowPiece;  // src/raster/row_piece.h
}

/// Columns x0 <= x < x1, y0 <= y < y1.
struct CellBox {
    std::int32_t x0 = 0;
    std::int32_t y0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y1 = 0;

    [[nodiscard]] constexpr std::int64_t width() const { return std::int64_t{x1} - x0; }
    [[nodiscard]] constexpr std::int64_t height() const { return std::int64_t{y1} - y0; }
    [[nodiscard]] constexpr bool empty() const { return x0 >= x1 || y0 >= y1; }
    friend constexpr bool operator==(const CellBox&, const CellBox&) = default;
};

inline constexpr std::int64_t kSpanColumnsMax = std::int64_t{1} << 28;  ///< 4 GiB

/// Span::drop counts parts of a cell height, this many in one.
inline constexpr std::int32_t kDropSteps = 256;
/// No triangle lies over the column's middle, or it is too far below the span's top.
inline constexpr std::uint16_t kDropUnknown = 0xffff;

/// Solid from `low` up to `high` cell heights. As the first of a column it is empty if high <= low.
struct Span {
    std::int32_t low = 0;
    std::int32_t high = 0;
    std::uint16_t area = 0;  ///< of its top; 0: not walkable
    std::uint16_t drop =
        kDropUnknown;         ///< from `high` down to the surface over the column's middle (measure_tops)
    std::uint32_t above = 0;  ///< the next higher one is at upper()[above]; 0: none
};

class SpanField {
  public:
    [[nodiscard]] static Result<SpanField> make(const CellBox& box, const Allocator& allocator = {});

    /// Adds triangles; what lies outside of the box is left out.
    [[nodiscard]] Result<void> add(std::span<const GridTriangle> triangles);
    [[nodiscard]] Result<void> add(const GridSoup& soup);
    /// Adds those with the numbers `which`.
    [[nodiscard]] Result<void> add(const GridSoup& soup, std::span<const std::uint32_t> which);

    /// Sets Span::drop from the triangles that were added, once all are: where the highest of them lies over the middle of its
    /// column. Neither their order nor the way they are split over calls changes anything. Cost: about 20 ns a triangle,
    /// 5 ns a row and 3 ns a cell.
    void measure_tops(const GridSoup& soup);
    void measure_tops(const GridSoup& soup, std::span<const std::uint32_t> which);

    [[nodiscard]] const CellBox& box() const { return box_; }
    /// The lowest span of the column (x0, y) and of the columns after it. y is in the box.
    [[nodiscard]] const Span* row(std::int32_t y) const {
        return columns_.data() +
               static_cast<std::size_t>(y - box_.y0) * static_cast<std::size_t>(box_.width());
    }
    /// The further spans of all columns.
    [[nodiscard]] const Span* upper() const { return upper_.data(); }
    [[nodiscard]] std::size_t bytes() const { return columns_.bytes() + upper_.bytes() + rows_.bytes(); }

    /// One span by hand, as if a triangle gave it: low < high, (x, y) in the box.
    [[nodiscard]] bool add_span(std::int32_t x, std::int32_t y, std::int32_t low, std::int32_t high,
                                std::uint32_t area);

  private:
    SpanField() = default;
    [[nodiscard]] bool add_triangle(const GridTriangle& triangle);
    void measure_top(const GridTriangle& triangle);
    [[nodiscard]] bool insert(Span& first, std::int32_t low, std::int32_t high, std::uint32_t area);
    [[nodiscard]] bool insert_among(Span& first, std::int32_t low, std::int32_t high, std::uint32_t area);
    [[nodiscard]] std::uint32_t take_upper();
    [[nodiscard]] bool fill_flat(std::int32_t y, std::int64_t from, std::int64_t to, double low, double high,
                                 std::uint32_t area);
    struct RowRange {
        double low, high;  ///< x
        double z_low, z_high;
    };
    [[nodiscard]] bool add_in_row(const GridTriangle& triangle, std::int64_t row);
    [[nodiscard]] bool add_level(const GridTriangle& triangle, std::int64_t first, std::int64_t last);
    [[nodiscard]] bool add_in_column(const GridTriangle& triangle, std::int64_t column, std::int64_t first,
                                     std::int64_t last);
    [[nodiscard]] bool add_row(const raster::RowPiece* pieces, int count, const RowRange& range,
                               std::int32_t y, std::uint32_t area);
    [[nodiscard]] bool fill_pieces(const raster::RowPiece* pieces, int count, std::int32_t y,
                                   std::int64_t from, std::int64_t to, std::uint32_t area);
    [[nodiscard]] bool fill_row(std::int32_t y, std::int64_t from, std::int64_t to, const double* lows,
                                const double* highs, std::uint32_t area);
    [[nodiscard]] bool fill_narrow(const raster::RowPiece* pieces, int count, std::int32_t y,
                                   std::int64_t left, std::int64_t from, std::int64_t to, std::uint32_t area);

    CellBox box_{};
    Array<Span> columns_;
    Array<Span> upper_;
    Array<double> rows_;      ///< lowest and highest of each cell of the row in hand
    std::uint32_t free_ = 0;  ///< list of places in upper_ that are no longer used
};

}  // namespace fairlead
