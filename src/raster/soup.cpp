// Checks triangle soup and moves it into grid coordinates.

#include <fairlead/raster/soup.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "raster/row_piece.h"
#include "raster/soup_rows.h"

namespace fairlead {

namespace {

constexpr double kLattice = 16384.0;
constexpr double kSlopeSlack = 1e-6;  ///< of the squared cosine: a slope of exactly the limit is walkable

// `steps` lattice steps to a unit of the value.
double on_lattice(double value, double steps) {
    constexpr double kWhole = 0x1.8p52;  // adding it leaves no room for a fraction, up to 2^51
    return ((value * steps + kWhole) - kWhole) * (1.0 / kLattice);
}

struct SoupJob {
    const TriangleSoup& soup;
    const GridFrame& frame;
    const SoupOptions& options;
    double cosine_squared;
    double steps;                   ///< of the lattice in a metre, on the ground
    double steps_up;                ///< and in height
    Array<raster::CellRows>* rows;  ///< null: not wanted
    GridSoup out;
    bool all_in_reach = true;  ///< every vertex, so none needs to be looked at again

    static bool in_reach(Vec3 p) {
        return std::fabs(p.x) < kGridMax && std::fabs(p.y) < kGridMax && std::fabs(p.z) < kGridMax;
    }

    [[nodiscard]] bool convert_vertices() {
        if (!out.points.resize_uninitialized(soup.vertices.size())) return false;
        for (std::size_t i = 0; i < soup.vertices.size(); ++i) {
            const Vec3 world = soup.vertices[i];
            out.points[i] = {on_lattice(world.x - frame.origin.x, steps),
                             on_lattice(world.y - frame.origin.y, steps),
                             on_lattice(world.z - frame.origin.z, steps_up)};
            all_in_reach = all_in_reach && in_reach(out.points[i]);
        }
        return true;
    }

    // The kind of fault, or duplicate for none: what is a duplicate is not known yet.
    SoupFaultKind convert(std::size_t index, SoupTriangle& t) {
        for (std::size_t k = 0; k < 3; ++k) {
            t.corners[k] = soup.triangles[3 * index + k];
            if (t.corners[k] >= soup.vertices.size()) return SoupFaultKind::bad_index;
        }
        for (const std::uint32_t corner : t.corners) {
            if (all_in_reach || in_reach(out.points[corner])) continue;
            return is_finite(soup.vertices[corner]) ? SoupFaultKind::too_far : SoupFaultKind::not_finite;
        }
        t.index = static_cast<std::uint32_t>(index);
        return set_area(t) ? SoupFaultKind::duplicate : SoupFaultKind::no_area;
    }

    // False if the triangle has no area in space.
    [[nodiscard]] bool set_area(SoupTriangle& t) const {
        const Vec3 a = out.points[t.corners[1]] - out.points[t.corners[0]];
        const Vec3 b = out.points[t.corners[2]] - out.points[t.corners[0]];
        const double ax = a.x * frame.cell_size;
        const double ay = a.y * frame.cell_size;
        const double az = a.z * frame.cell_height;
        const double bx = b.x * frame.cell_size;
        const double by = b.y * frame.cell_size;
        const double bz = b.z * frame.cell_height;
        const double nx = ay * bz - az * by;
        const double ny = az * bx - ax * bz;
        const double nz = ax * by - ay * bx;
        const double squared = nx * nx + ny * ny + nz * nz;
        const bool gentle = nz > 0.0 && nz * nz >= cosine_squared * squared;
        t.area = !gentle ? 0 : (soup.areas.empty() ? 1 : soup.areas[t.index]);
        return squared > 0.0;
    }

    // Widens the bounds of all triangles by those of one, and tells its rows.
    raster::CellRows widen_bounds(const SoupTriangle& t) {
        const Vec3 a = out.points[t.corners[0]];
        const Vec3 b = out.points[t.corners[1]];
        const Vec3 c = out.points[t.corners[2]];
        const auto widen = [this](int axis, double low, double high) {
            out.low[axis] = raster::lesser(low, out.low[axis]);
            out.high[axis] = raster::greater(high, out.high[axis]);
        };
        const double y_low = raster::lesser(raster::lesser(a.y, b.y), c.y);
        const double y_high = raster::greater(raster::greater(a.y, b.y), c.y);
        widen(0, raster::lesser(raster::lesser(a.x, b.x), c.x),
              raster::greater(raster::greater(a.x, b.x), c.x));
        widen(1, y_low, y_high);
        widen(2, raster::lesser(raster::lesser(a.z, b.z), c.z),
              raster::greater(raster::greater(a.z, b.z), c.z));
        return {static_cast<std::int32_t>(raster::whole_below(y_low)),
                static_cast<std::int32_t>(raster::whole_below(y_high))};
    }

    [[nodiscard]] static Error refusal(SoupFault fault) {
        constexpr ErrorCode kCodes[] = {ErrorCode::unknown_id, ErrorCode::not_finite, ErrorCode::out_of_range,
                                        ErrorCode::out_of_range, ErrorCode::duplicate_id};
        const auto kind = static_cast<std::size_t>(fault.kind);
        return {kCodes[kind], fault.triangle, static_cast<std::int64_t>(kind)};
    }

    Result<void> run() {
        const std::size_t count = soup.triangles.size() / 3;
        if (!convert_vertices() || !out.triangles.resize_uninitialized(count)) return kNoMemory;
        if (rows != nullptr && !rows->resize_uninitialized(count)) return kNoMemory;
        std::size_t kept = 0;
        const bool tell = options.tell_faults || options.refuse_bad;
        for (std::size_t i = 0; i < count; ++i) {
            SoupTriangle& t = out.triangles[kept];
            const SoupFaultKind kind = convert(i, t);
            if (kind != SoupFaultKind::duplicate && tell) {
                if (!out.faults.push_back({static_cast<std::uint32_t>(i), kind})) return kNoMemory;
            }
            if (kind != SoupFaultKind::duplicate && kind != SoupFaultKind::no_area) continue;
            const raster::CellRows touched = widen_bounds(t);
            if (rows != nullptr) (*rows)[kept] = touched;
            ++kept;
        }
        if (!out.triangles.resize_uninitialized(kept)) return kNoMemory;
        if (rows != nullptr && !rows->resize_uninitialized(kept)) return kNoMemory;
        if (!tell) return {};
        const Result<void> duplicates = find_duplicates();
        if (!duplicates) return duplicates;
        const auto before = [](const SoupFault& a, const SoupFault& b) {
            return a.triangle != b.triangle ? a.triangle < b.triangle : a.kind < b.kind;
        };
        std::sort(out.faults.begin(), out.faults.end(), before);  // total order: no fault is there twice
        if (options.refuse_bad && !out.faults.empty()) return refusal(out.faults[0]);
        return {};
    }

    struct Corners {
        double at[9];
        std::uint32_t triangle;
    };

    // The three corners from the least on, in the triangle's own direction of turning.
    [[nodiscard]] static Corners corners(const GridTriangle& t, std::uint32_t index) {
        int first = 0;
        const auto less = [&t](int a, int b) {
            if (t.x[a] != t.x[b]) return t.x[a] < t.x[b];
            return t.y[a] != t.y[b] ? t.y[a] < t.y[b] : t.z[a] < t.z[b];
        };
        for (int k = 1; k < 3; ++k) first = less(k, first) ? k : first;
        Corners out{};
        for (int k = 0; k < 3; ++k) {
            const int from = (first + k) % 3;
            out.at[3 * k] = t.x[from];
            out.at[3 * k + 1] = t.y[from];
            out.at[3 * k + 2] = t.z[from];
        }
        out.triangle = index;
        return out;
    }

    Result<void> find_duplicates() {
        Array<Corners> all(out.triangles.allocator());
        if (!all.resize_uninitialized(out.triangles.size())) return kNoMemory;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = corners(out.triangle(i), out.triangles[i].index);
        const auto compare = [](const Corners& a, const Corners& b) {
            for (int k = 0; k < 9; ++k) {
                if (a.at[k] != b.at[k]) return a.at[k] < b.at[k] ? -1 : 1;
            }
            return 0;
        };
        const auto before = [&compare](const Corners& a, const Corners& b) {
            const int order = compare(a, b);
            return order != 0 ? order < 0 : a.triangle < b.triangle;
        };
        std::sort(all.begin(), all.end(), before);  // total order: by triangle at last
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (compare(all[i - 1], all[i]) != 0) continue;
            if (!out.faults.push_back({all[i].triangle, SoupFaultKind::duplicate})) return kNoMemory;
        }
        return {};
    }
};

Result<void> check_soup(const TriangleSoup& soup, const GridFrame& frame, const SoupOptions& options) {
    constexpr std::int64_t kTrianglesMax = std::int64_t{1} << 30;
    const auto indices = static_cast<std::int64_t>(soup.triangles.size());
    if (indices % 3 != 0) return Error{ErrorCode::size_mismatch, Field::triangles, indices - indices % 3};
    if (indices / 3 > kTrianglesMax) return Error{ErrorCode::size_limit, Field::triangles, kTrianglesMax};
    if (!soup.areas.empty() && static_cast<std::int64_t>(soup.areas.size()) != indices / 3)
        return Error{ErrorCode::size_mismatch, Field::areas, indices / 3};
    if (!(frame.cell_size >= 1e-6 && frame.cell_size <= 1e6))
        return Error{ErrorCode::out_of_range, Field::cell_size};
    if (!(frame.cell_height >= 1e-6 && frame.cell_height <= 1e6))
        return Error{ErrorCode::out_of_range, Field::cell_height};
    if (!(options.slope_max_rad >= 0.0 && options.slope_max_rad < 1.5707963267948966))
        return Error{ErrorCode::out_of_range, Field::slope_max};
    if (!is_finite(frame.origin)) return Error{ErrorCode::out_of_range, Field::origin};
    return {};
}

}  // namespace

double effective_cell_size(double size) {
    FAIRLEAD_ASSERT(std::isfinite(size) && size > 0.0);
    int exponent = 0;
    const double fraction = std::frexp(size, &exponent);
    return std::ldexp(std::floor(fraction * 65536.0 + 0.5), exponent - 16);
}

Vec3 soup_low_corner(const TriangleSoup& soup) {
    Vec3 low;
    bool any = false;
    for (const Vec3& p : soup.vertices) {
        if (!is_finite(p)) continue;
        low = any ? Vec3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)} : p;
        any = true;
    }
    return low;
}

Result<GridSoup> raster::prepare_soup_rows(const TriangleSoup& soup, const GridFrame& frame,
                                           const SoupOptions& options, const Allocator& allocator,
                                           Array<CellRows>* rows) {
    const Result<void> checked = check_soup(soup, frame, options);
    if (!checked) return checked.error();
    const double cosine = math::cos(options.slope_max_rad);
    SoupJob job{soup,
                frame,
                options,
                cosine * cosine * (1.0 - kSlopeSlack),
                kLattice / frame.cell_size,
                kLattice / frame.cell_height,
                rows,
                GridSoup(allocator)};
    const Result<void> done = job.run();
    if (!done) return done.error();
    return std::move(job.out);
}

Result<GridSoup> prepare_soup(const TriangleSoup& soup, const GridFrame& frame, const SoupOptions& options,
                              const Allocator& allocator) {
    return raster::prepare_soup_rows(soup, frame, options, allocator, nullptr);
}

}  // namespace fairlead
