// Where the surface lies over the middle of each column: every triangle, looked at once more, lowers the distance from the top of its
// span to the highest triangle over the middle.

#include <algorithm>

#include <fairlead/raster/span_field.h>

#include "raster/row_piece.h"

namespace fairlead {

namespace {

using raster::greater;
using raster::lesser;
using raster::whole_above;
using raster::whole_below;

constexpr double kBeside =
    0x1p-20;  ///< of a cell: a middle as near as that to a side belongs to both triangles
constexpr double kTopRound = 0x1p-9;  ///< of a cell height, twice what spans are rounded by

/// The part of the line of constant y that lies in the triangle; low > high: none.
struct Chord {
    double low = 0.0;
    double high = -1.0;
};

Chord chord_at(const GridTriangle& t, double y) {
    Chord out{kGridMax * 2.0, -kGridMax * 2.0};
    for (int k = 0; k < 3; ++k) {
        const int next = k == 2 ? 0 : k + 1;
        const int a = t.y[k] <= t.y[next] ? k : next;
        const int b = a == k ? next : k;
        if (t.y[a] > y || t.y[b] < y) continue;
        const double rise = t.y[b] - t.y[a];
        const double x = rise > 0.0 ? t.x[a] + (t.x[b] - t.x[a]) * ((y - t.y[a]) / rise) : t.x[a];
        out.low = lesser(x, out.low);
        out.high = greater(x, out.high);
        if (rise > 0.0) continue;
        out.low = lesser(t.x[b], out.low);
        out.high = greater(t.x[b], out.high);
    }
    return out;
}

/// Heights of a triangle's plane, kept between its lowest and its highest corner.
struct Plane {
    double x, y, z;
    double slope_x = 0.0, slope_y = 0.0;
    double low, high;
    bool upright = false;
    bool level = false;

    explicit Plane(const GridTriangle& t)
        : x(t.x[0]),
          y(t.y[0]),
          z(t.z[0]),
          low(lesser(lesser(t.z[0], t.z[1]), t.z[2])),
          high(greater(greater(t.z[0], t.z[1]), t.z[2])) {
        const double ux = t.x[1] - x, uy = t.y[1] - y, uz = t.z[1] - z;
        const double vx = t.x[2] - x, vy = t.y[2] - y, vz = t.z[2] - z;
        const double area = ux * vy - uy * vx;
        upright = area == 0.0;
        level = low == high;
        if (upright || level) return;
        slope_x = (uz * vy - uy * vz) / area;
        slope_y = (ux * vz - uz * vx) / area;
    }
    [[nodiscard]] double at(double px, double py) const {
        return lesser(greater(z + slope_x * (px - x) + slope_y * (py - y), low), high);
    }
};

/// The span of the column that `z` lies in.
Span* span_at(Span& first, Span* upper, double z) {
    if (first.high <= first.low) return nullptr;
    for (Span* at = &first;; at = &upper[at->above]) {
        if (z <= at->high + kTopRound) return z >= at->low - kTopRound ? at : nullptr;
        if (at->above == 0) return nullptr;
    }
}

void lower_drop(Span& span, double z) {
    const double steps = (span.high - z) * kDropSteps + 0.5;
    if (steps >= span.drop) return;  // also: it is too far below
    span.drop = static_cast<std::uint16_t>(steps > 0.0 ? steps : 0.0);
}

}  // namespace

void SpanField::measure_top(const GridTriangle& t) {
    const double y_low = lesser(lesser(t.y[0], t.y[1]), t.y[2]);
    const double y_high = greater(greater(t.y[0], t.y[1]), t.y[2]);
    // Row y has its middle at y + 0.5.
    const std::int64_t first = std::max<std::int64_t>(whole_above(y_low - 0.5), box_.y0);
    const std::int64_t last = std::min<std::int64_t>(whole_below(y_high - 0.5), std::int64_t{box_.y1} - 1);
    if (first > last) return;
    const Plane plane(t);
    if (plane.upright) return;
    for (std::int64_t y = first; y <= last; ++y) {
        const double middle = static_cast<double>(y) + 0.5;
        const Chord chord = chord_at(t, middle);
        if (chord.low > chord.high) continue;
        const std::int64_t from = std::max<std::int64_t>(whole_above(chord.low - 0.5 - kBeside), box_.x0);
        const std::int64_t to =
            std::min<std::int64_t>(whole_below(chord.high - 0.5 + kBeside), std::int64_t{box_.x1} - 1);
        Span* const row = columns_.data() + (y - box_.y0) * box_.width() - box_.x0;
        double z = plane.low;
        for (std::int64_t x = from; x <= to; ++x) {
            if (!plane.level) z = plane.at(static_cast<double>(x) + 0.5, middle);
            if (Span* const span = span_at(row[x], upper_.data(), z)) lower_drop(*span, z);
        }
    }
}

void SpanField::measure_tops(const GridSoup& soup) {
    for (std::size_t i = 0; i < soup.triangles.size(); ++i) measure_top(soup.triangle(i));
}

void SpanField::measure_tops(const GridSoup& soup, std::span<const std::uint32_t> which) {
    for (const std::uint32_t i : which) measure_top(soup.triangle(i));
}

}  // namespace fairlead
