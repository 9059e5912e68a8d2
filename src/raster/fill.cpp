// Triangles into the span field, row by row.

#include <algorithm>
#include <limits>

#include <fairlead/raster/span_field.h>

#include "base/no_memory.h"
#include "raster/row_piece.h"
#include "raster/row_walk.h"
#include "raster/widen_span.h"

namespace fairlead {

namespace {

using raster::greater;
using raster::lesser;
using raster::LinePoint;
using raster::RowHeights;
using raster::RowPart;
using raster::RowPiece;
using raster::RowWalk;
using raster::whole_above;
using raster::whole_below;
using raster::widen;

constexpr double kRound = 0x1p-10;  ///< of a cell height: nearer than this is the same height

// The sides of the triangle's part in one row: at most three of its own, and the two lines that bound the row.
struct RowPieces {
    RowPiece at[5];
    int count = 0;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double z_low = std::numeric_limits<double>::infinity();
    double z_high = -std::numeric_limits<double>::infinity();

    explicit RowPieces(const RowPart<LinePoint>& part) {
        if (part.has_bottom) add(part.left_from, part.right_from);
        if (!part.has_sides) return;
        add(part.left_from, part.left_to);
        if (part.has_middle) {
            add(part.right_from, part.middle);
            add(part.middle, part.right_to);
        } else {
            add(part.right_from, part.right_to);
        }
        if (part.has_top) add(part.left_to, part.right_to);
    }
    void add(LinePoint a, LinePoint b) {
        if (b.x < a.x) std::swap(a, b);
        at[count++] = {a.x, a.z, b.x, b.z};
        low = lesser(a.x, low);
        high = greater(b.x, high);
        z_low = lesser(lesser(a.z, b.z), z_low);
        z_high = greater(greater(a.z, b.z), z_high);
    }
};

// What one coordinate has in a row.
struct Extent {
    double low, high;

    explicit Extent(const RowPart<double>& part)
        : low(lesser(lesser(part.left_from, part.left_to), lesser(part.right_from, part.right_to))),
          high(greater(greater(part.left_from, part.left_to), greater(part.right_from, part.right_to))) {
        if (!part.has_middle) return;
        low = lesser(low, part.middle);
        high = greater(high, part.middle);
    }
};

struct Heights {
    std::int32_t low;
    std::int32_t high;
};

Heights whole_heights(double low, double high) {
    const auto top = static_cast<std::int32_t>(whole_above(high - kRound));
    const auto bottom = static_cast<std::int32_t>(whole_below(low + kRound));
    return {std::min(bottom, top - 1), top};
}

}  // namespace

FAIRLEAD_INLINE bool SpanField::insert(Span& first, std::int32_t low, std::int32_t high, std::uint32_t area) {
    if (first.high <= first.low) {
        first = {low, high, static_cast<std::uint16_t>(area), kDropUnknown, 0};
        return true;
    }
    if (first.above == 0 && low <= first.high && first.low <= high) {
        raster::widen_span(first, low, high, area);
        return true;
    }
    return insert_among(first, low, high, area);
}

bool SpanField::add_span(std::int32_t x, std::int32_t y, std::int32_t low, std::int32_t high,
                         std::uint32_t area) {
    FAIRLEAD_DEBUG_ASSERT(x >= box_.x0 && x < box_.x1 && y >= box_.y0 && y < box_.y1 && low < high);
    Span& first = columns_[static_cast<std::size_t>(y - box_.y0) * static_cast<std::size_t>(box_.width()) +
                           static_cast<std::size_t>(x - box_.x0)];
    return insert(first, low, high, area);
}

bool SpanField::fill_flat(std::int32_t y, std::int64_t from, std::int64_t to, double low, double high,
                          std::uint32_t area) {
    const Heights heights = whole_heights(low, high);
    Span* row =
        columns_.data() + static_cast<std::size_t>(y - box_.y0) * static_cast<std::size_t>(box_.width());
    for (std::int64_t x = from; x <= to; ++x) {
        if (!insert(row[x - box_.x0], heights.low, heights.high, area)) return false;
    }
    return true;
}

bool SpanField::fill_row(std::int32_t y, std::int64_t from, std::int64_t to, const double* lows,
                         const double* highs, std::uint32_t area) {
    Span* cells = columns_.data() +
                  static_cast<std::size_t>(y - box_.y0) * static_cast<std::size_t>(box_.width()) +
                  (from - box_.x0);
    for (std::int64_t i = 0; i <= to - from; ++i) {
        if (lows[i] > highs[i]) continue;
        const Heights heights = whole_heights(lows[i], highs[i]);
        if (!insert(cells[i], heights.low, heights.high, area)) return false;
    }
    return true;
}

// A row of at most kNarrow cells, the first of them `left`; those in from..to are in the box.
bool SpanField::fill_narrow(const raster::RowPiece* pieces, int count, std::int32_t y, std::int64_t left,
                            std::int64_t from, std::int64_t to, std::uint32_t area) {
    double lows[raster::kNarrow];
    double highs[raster::kNarrow];
    std::fill(lows, lows + raster::kNarrow, std::numeric_limits<double>::infinity());
    std::fill(highs, highs + raster::kNarrow, -std::numeric_limits<double>::infinity());
    raster::widen_narrow(pieces, count, static_cast<double>(left), lows, highs);
    return fill_row(y, from, to, lows + (from - left), highs + (from - left), area);
}

bool SpanField::fill_pieces(const raster::RowPiece* pieces, int count, std::int32_t y, std::int64_t from,
                            std::int64_t to, std::uint32_t area) {
    const RowHeights heights{rows_.data(), rows_.data() + box_.width(), box_.x0};
    std::fill(heights.low + (from - box_.x0), heights.low + (to + 1 - box_.x0),
              std::numeric_limits<double>::infinity());
    std::fill(heights.high + (from - box_.x0), heights.high + (to + 1 - box_.x0),
              -std::numeric_limits<double>::infinity());
    for (int i = 0; i < count; ++i) {
        const RowPiece& piece = pieces[i];
        widen(piece, heights, std::max(whole_below(piece.xa), from), std::min(whole_below(piece.xb), to));
    }
    return fill_row(y, from, to, heights.low + (from - box_.x0), heights.high + (from - box_.x0), area);
}

// A triangle that leaves its row nowhere.
bool SpanField::add_in_row(const GridTriangle& t, std::int64_t row) {
    const double x_low = lesser(lesser(t.x[0], t.x[1]), t.x[2]);
    const double x_high = greater(greater(t.x[0], t.x[1]), t.x[2]);
    const RowRange range{x_low, x_high, lesser(lesser(t.z[0], t.z[1]), t.z[2]),
                         greater(greater(t.z[0], t.z[1]), t.z[2])};
    RowPiece pieces[3];
    for (int k = 0; k < 3; ++k) {
        const int next = k == 2 ? 0 : k + 1;
        const bool turned = t.x[next] < t.x[k];
        const int a = turned ? next : k;
        const int b = turned ? k : next;
        pieces[k] = {t.x[a], t.z[a], t.x[b], t.z[b]};
    }
    return add_row(pieces, 3, range, static_cast<std::int32_t>(row), t.area);
}

bool SpanField::add_row(const raster::RowPiece* pieces, int count, const RowRange& range, std::int32_t y,
                        std::uint32_t area) {
    const std::int64_t left = whole_below(range.low);
    const std::int64_t right = whole_below(range.high);
    const std::int64_t from = std::max<std::int64_t>(left, box_.x0);
    const std::int64_t to = std::min<std::int64_t>(right, std::int64_t{box_.x1} - 1);
    if (from > to) return true;
    if (left == right || range.z_low == range.z_high)
        return fill_flat(y, from, to, range.z_low, range.z_high, area);
    if (right - left < raster::kNarrow) return fill_narrow(pieces, count, y, left, from, to, area);
    return fill_pieces(pieces, count, y, from, to, area);
}

// One height everywhere: a row needs nothing but its ends.
bool SpanField::add_level(const GridTriangle& t, std::int64_t first, std::int64_t last) {
    const Heights heights = whole_heights(t.z[0], t.z[0]);
    RowWalk<double> walk(t.y, t.x, static_cast<double>(first));
    for (std::int64_t y = first; y <= last; ++y) {
        RowPart<double> part;
        walk.take_row(static_cast<double>(y), part);
        const Extent x(part);
        const std::int64_t from = std::max<std::int64_t>(whole_below(x.low), box_.x0);
        const std::int64_t to = std::min<std::int64_t>(whole_below(x.high), std::int64_t{box_.x1} - 1);
        Span* row = columns_.data() + (y - box_.y0) * box_.width();
        for (std::int64_t i = from; i <= to; ++i) {
            if (!insert(row[i - box_.x0], heights.low, heights.high, t.area)) return false;
        }
    }
    return true;
}

// One column in every row.
bool SpanField::add_in_column(const GridTriangle& t, std::int64_t column, std::int64_t first,
                              std::int64_t last) {
    if (column < box_.x0 || column >= box_.x1) return true;
    RowWalk<double> walk(t.y, t.z, static_cast<double>(first));
    Span* cell = columns_.data() + (first - box_.y0) * box_.width() + (column - box_.x0);
    for (std::int64_t y = first; y <= last; ++y, cell += box_.width()) {
        RowPart<double> part;
        walk.take_row(static_cast<double>(y), part);
        const Extent z(part);
        const Heights heights = whole_heights(z.low, z.high);
        if (!insert(*cell, heights.low, heights.high, t.area)) return false;
    }
    return true;
}

bool SpanField::add_triangle(const GridTriangle& t) {
    const double y_low = lesser(lesser(t.y[0], t.y[1]), t.y[2]);
    const double y_high = greater(greater(t.y[0], t.y[1]), t.y[2]);
    const std::int64_t begin = whole_below(y_low);
    const std::int64_t end = whole_below(y_high);
    const std::int64_t first = std::max<std::int64_t>(begin, box_.y0);
    const std::int64_t last = std::min<std::int64_t>(end, std::int64_t{box_.y1} - 1);
    if (first > last) return true;
    if (begin == end) return add_in_row(t, first);
    if (t.z[0] == t.z[1] && t.z[1] == t.z[2]) return add_level(t, first, last);
    const std::int64_t column = whole_below(lesser(lesser(t.x[0], t.x[1]), t.x[2]));
    if (column == whole_below(greater(greater(t.x[0], t.x[1]), t.x[2])))
        return add_in_column(t, column, first, last);
    const LinePoint corners[3] = {{t.x[0], t.z[0]}, {t.x[1], t.z[1]}, {t.x[2], t.z[2]}};
    RowWalk<LinePoint> walk(t.y, corners, static_cast<double>(first));
    for (std::int64_t row = first; row <= last; ++row) {
        RowPart<LinePoint> part;
        walk.take_row(static_cast<double>(row), part);
        const RowPieces pieces(part);
        const bool done =
            add_row(pieces.at, pieces.count, {pieces.low, pieces.high, pieces.z_low, pieces.z_high},
                    static_cast<std::int32_t>(row), t.area);
        if (!done) return false;
    }
    return true;
}

Result<void> SpanField::add(std::span<const GridTriangle> triangles) {
    for (const GridTriangle& triangle : triangles) {
        if (!add_triangle(triangle)) return kNoMemory;
    }
    return {};
}

Result<void> SpanField::add(const GridSoup& soup) {
    for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
        if (!add_triangle(soup.triangle(i))) return kNoMemory;
    }
    return {};
}

Result<void> SpanField::add(const GridSoup& soup, std::span<const std::uint32_t> which) {
    for (const std::uint32_t i : which) {
        if (!add_triangle(soup.triangle(i))) return kNoMemory;
    }
    return {};
}

}  // namespace fairlead
