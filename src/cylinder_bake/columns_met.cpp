// A column is the space between two planes through the axis and two planes across it, so a triangle is cut to it exactly,
// plane by plane (Sutherland and Hodgman 1974); how far what is left of it lies from the axis gives the slices. All in
// tiles. A place within kSnap of a face is on it; a face belongs to what lies behind it: the tile of the larger x or y,
// the slice of the larger radius. Rows are shared out over threads in bands; each writes its own.

#include "cylinder_bake/columns_met.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "cylinder_bake/tube.h"

namespace fairlead::bake {

namespace {

constexpr double kSnap = 1.0 / 16384.0;
constexpr std::int32_t kBandsMax = 64;
constexpr std::int32_t kBandRowsMin = 16;
constexpr std::size_t kBandsAtOnce = 8;

double snapped(double value) {
    const double whole = std::floor(value + 0.5);
    return std::abs(value - whole) <= kSnap ? whole : value;
}

// What is left of a triangle: three corners, and one more for each of four planes.
struct Piece {
    TubePoint points[8];
    int count = 0;
};

// Keeps the side of a plane where value(point) is 0 or more. Cut points are worked out from the side that is kept, so
// that two triangles with a common side get the same.
template <class Value>
Piece kept(const Piece& in, const Value& value) {
    Piece out;
    double values[8];
    for (int i = 0; i < in.count; ++i) {
        const double v = value(in.points[i]);
        values[i] = std::abs(v) <= kSnap ? 0.0 : v;
    }
    for (int i = 0; i < in.count; ++i) {
        const int next = i + 1 == in.count ? 0 : i + 1;
        if (values[i] >= 0.0) out.points[out.count++] = in.points[i];
        if (!((values[i] > 0.0 && values[next] < 0.0) || (values[i] < 0.0 && values[next] > 0.0))) continue;
        const int here = values[i] > 0.0 ? i : next;
        const int there = values[i] > 0.0 ? next : i;
        const double part = values[here] / (values[here] - values[there]);
        const TubePoint& a = in.points[here];
        const TubePoint& b = in.points[there];
        out.points[out.count++] = {a.across + (b.across - a.across) * part,
                                   a.along + (b.along - a.along) * part};
    }
    return out;
}

class ColumnCutter {
  public:
    ColumnCutter(const TriangleSoup& soup, const Cylinder& shape)
        : shape_(shape),
          triangles_(soup.triangles.data()),
          radius_(shape.radius / shape.cell_size()),
          thickness_(shape.thickness / shape.cell_size()) {}

    Array<TubePoint> points;      ///< in tiles, from the origin
    Array<Vec2> rays;             ///< the planes through the axis, by where they leave it
    Array<std::uint32_t> worthy;  ///< triangles that may meet a slice
    Array<std::uint64_t>* met = nullptr;

    bool prepare(const TriangleSoup& soup) {
        const double scale = 1.0 / shape_.cell_size();
        if (!points.reserve(soup.vertices.size())) return false;
        for (const Vec3& v : soup.vertices) {
            const TubePoint p = cylinder::turned(shape_.axis, v - shape_.origin);
            if (!points.push_back({p.across * scale, p.along * scale})) return false;
        }
        for (std::int32_t i = 0; i < shape_.around; ++i) {
            if (!rays.push_back(math::direction(kTwoPi * i / shape_.around))) return false;
        }
        return true;
    }

    [[nodiscard]] Piece triangle(std::uint32_t index) const {
        Piece piece;
        piece.count = 3;
        for (std::uint32_t k = 0; k < 3; ++k) piece.points[k] = points[triangles_[3 * index + k]];
        return piece;
    }

    /// Does it come between the wall and the innermost slice's end?
    [[nodiscard]] bool meets_slices(std::uint32_t index) const { return slices_met(triangle(index)) != 0; }

    /// The rows [first, last).
    void cut(std::int32_t first, std::int32_t last) const {
        for (const std::uint32_t index : worthy) {
            const Piece piece = triangle(index);
            const double a = piece.points[0].along, b = piece.points[1].along, c = piece.points[2].along;
            const double low = std::max(std::floor(snapped(std::min({a, b, c}))), double(first));
            const double high = std::min(std::floor(snapped(std::max({a, b, c}))), double(last - 1));
            for (auto y = static_cast<std::int32_t>(low); y <= high; ++y) cut_row(piece, y);
        }
    }

  private:
    // Bits of the slices that lie as far from the axis as a piece.
    [[nodiscard]] std::uint64_t slices_met(const Piece& piece) const {
        const RadiusRange range = radius_range(piece.points, piece.count);
        const double low = snapped((radius_ - range.high) / thickness_);
        const double high = snapped((radius_ - range.low) / thickness_);
        if (high <= 0.0 || low > shape_.slices) return 0;
        const std::int32_t first = low <= 0.0 ? 0 : static_cast<std::int32_t>(std::ceil(low)) - 1;
        const std::int32_t last =
            high >= shape_.slices ? shape_.slices - 1 : static_cast<std::int32_t>(std::ceil(high)) - 1;
        return (~std::uint64_t{0} >> (63 - (last - first))) << first;
    }

    void cut_row(const Piece& whole, std::int32_t y) const {
        const Piece above = kept(whole, [&](const TubePoint& p) { return p.along - y; });
        const Piece row = kept(above, [&](const TubePoint& p) { return y + 1.0 - p.along; });
        const bool within = std::any_of(row.points, row.points + row.count,
                                        [&](const TubePoint& p) { return y + 1.0 - p.along > kSnap; });
        if (!within || slices_met(row) == 0) return;
        std::int32_t first = 0, count = shape_.around;
        find_columns(row, first, count);
        for (std::int32_t i = 0; i < count; ++i) {
            const std::int32_t x = (first + i) % shape_.around;
            const std::uint64_t slices = cut_column(row, x);
            (*met)[static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.around) +
                   static_cast<std::size_t>(x)] |= slices;
        }
    }

    // The columns that a piece may meet; all where it lies round the axis.
    void find_columns(const Piece& piece, std::int32_t& first, std::int32_t& count) const {
        if (radius_range(piece.points, piece.count).low == 0.0) return;
        const double begin = math::atan2(piece.points[0].across.y, piece.points[0].across.x);
        double low = 0.0, high = 0.0;
        for (int i = 1; i < piece.count; ++i) {
            const Vec2 p = piece.points[i].across;
            const double turn = math::wrap_pi(math::atan2(p.y, p.x) - begin);
            low = std::min(low, turn);
            high = std::max(high, turn);
        }
        if (high - low > 3.0) return;
        constexpr double kMargin = 1e-3;  // tiles
        const double per_turn = shape_.around / kTwoPi;
        const double from = std::floor((begin + low) * per_turn - kMargin);
        const double to = std::floor((begin + high) * per_turn + kMargin);
        count = static_cast<std::int32_t>(std::min(to - from + 1.0, double(shape_.around)));
        first = static_cast<std::int32_t>(from);
        while (first < 0) first += shape_.around;
    }

    [[nodiscard]] std::uint64_t cut_column(const Piece& row, std::int32_t x) const {
        const Vec2 ray = rays[static_cast<std::size_t>(x)];
        const Vec2 next = rays[static_cast<std::size_t>(x + 1 == shape_.around ? 0 : x + 1)];
        const Piece after = kept(row, [&](const TubePoint& p) { return cross(ray, p.across); });
        const Piece piece = kept(after, [&](const TubePoint& p) { return -cross(next, p.across); });
        const bool within = std::any_of(piece.points, piece.points + piece.count,
                                        [&](const TubePoint& p) { return -cross(next, p.across) > kSnap; });
        return within ? slices_met(piece) : 0;
    }

    const Cylinder& shape_;
    const std::uint32_t* triangles_;
    double radius_;
    double thickness_;
};

struct Bands {
    const ColumnCutter* cutter;
    std::int32_t rows;
    std::int32_t along;
    std::int32_t first;

    static void job(void* context, std::size_t index) {
        const auto& bands = *static_cast<const Bands*>(context);
        const std::int32_t begin = bands.first + static_cast<std::int32_t>(index) * bands.rows;
        bands.cutter->cut(begin, std::min(begin + bands.rows, bands.along));
    }
};

Result<void> cut_all(const ColumnCutter& cutter, const Cylinder& shape, const CylinderBakeOptions& o) {
    Bands bands{&cutter, std::max((shape.along + kBandsMax - 1) / kBandsMax, kBandRowsMin), shape.along, 0};
    while (bands.first < shape.along) {
        const std::int32_t left = (shape.along - bands.first + bands.rows - 1) / bands.rows;
        const std::size_t count = std::min(static_cast<std::size_t>(left), kBandsAtOnce);
        run_jobs(o.jobs, count, Bands::job, &bands);
        bands.first = std::min(bands.first + static_cast<std::int32_t>(count) * bands.rows, shape.along);
        const auto done = static_cast<std::size_t>(bands.first);
        if (o.progress.report != nullptr &&
            !o.progress.report(o.progress.user, done, static_cast<std::size_t>(shape.along)))
            return Error{ErrorCode::cancelled};
    }
    return {};
}

Error bad_triangle(TubeFault fault, std::uint32_t index) {
    const ErrorCode codes[] = {ErrorCode::unknown_id, ErrorCode::not_finite, ErrorCode::out_of_range};
    const auto which = static_cast<std::size_t>(fault) - 1;
    return {codes[which], static_cast<std::int64_t>(index), static_cast<std::int64_t>(which)};
}

// Those that are good and may meet a slice.
Result<void> choose(const TriangleSoup& soup, bool refuse_bad, ColumnCutter& cutter, VoxelCounts& counts) {
    counts.triangles = soup.triangles.size() / 3;
    for (std::uint32_t i = 0; i < counts.triangles; ++i) {
        const TubeFault fault = tube_fault(soup, i);
        if (fault != TubeFault::none) {
            if (refuse_bad) return bad_triangle(fault, i);
            if (counts.first_bad < 0) counts.first_bad = i;
            counts.bad_index += fault == TubeFault::bad_index ? 1 : 0;
            counts.not_finite += fault == TubeFault::not_finite ? 1 : 0;
            counts.too_far += fault == TubeFault::too_far ? 1 : 0;
        } else if (!cutter.meets_slices(i)) {
            ++counts.outside;
        } else {
            ++counts.used;
            if (!cutter.worthy.push_back(i)) return kNoMemory;
        }
    }
    return {};
}

}  // namespace

Result<void> find_columns_met(const TriangleSoup& soup, const Cylinder& shape, const CylinderBakeOptions& o,
                              Array<std::uint64_t>& met, VoxelCounts& counts) {
    ColumnCutter cutter(soup, shape);
    cutter.points = Array<TubePoint>(o.allocator);
    cutter.rays = Array<Vec2>(o.allocator);
    cutter.worthy = Array<std::uint32_t>(o.allocator);
    cutter.met = &met;
    if (!met.resize(shape.columns()) || !cutter.prepare(soup)) return kNoMemory;
    if (const Result<void> good = choose(soup, o.refuse_bad, cutter, counts); !good) return good;
    return cut_all(cutter, shape, o);
}

}  // namespace fairlead::bake
