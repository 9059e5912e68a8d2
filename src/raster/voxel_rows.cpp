// The exact row walk. Corners are whole numbers below 2^31 in size, so an edge function is one below 2^62, and the
// plane's one below 2^95: its bounds are found in doubles and, where these come near a whole cell, by the sign of the
// whole number itself.

#include "raster/voxel_rows.h"

#include <algorithm>
#include <cmath>

namespace fairlead::raster {

namespace {

// floor(a / b), b > 0. Where doubles hold both, the quotient rounds to no other whole number: it is at least 1 / b
// away from one that it is not, and a / b x 2^-53 is less.
std::int64_t below(std::int64_t a, std::int64_t b, bool small) {
    if (small) {
        const double quotient = static_cast<double>(a) / static_cast<double>(b);
        const auto cut = static_cast<std::int64_t>(quotient);
        return cut - (static_cast<double>(cut) > quotient ? 1 : 0);
    }
    return a / b - (a % b < 0 ? 1 : 0);
}

// Cells i from the range's low end, 0 <= low <= i <= high.
struct Interval {
    std::int32_t low;
    std::int32_t high;
    [[nodiscard]] bool empty() const { return low > high; }
    void meet(Interval other) {
        low = std::max(low, other.low);
        high = std::min(high, other.high);
    }
    // What has base + i step >= 0. `small`: both are below 2^53.
    void bound(std::int64_t base, std::int64_t step, bool small) {
        if (step == 0) {
            if (base < 0) high = -1;
        } else if (step > 0) {
            if (base >= 0) return;
            const std::int64_t first = below(-base - 1, step, small) + 1;
            low = static_cast<std::int32_t>(
                std::max<std::int64_t>(low, std::min<std::int64_t>(first, high + 1)));
        } else {
            const std::int64_t last = base < 0 ? -1 : below(base, -step, small);
            high = static_cast<std::int32_t>(std::min<std::int64_t>(high, last));
        }
    }
};

struct Flat {
    std::int64_t u, v;
};

// The line through `from` with `normal` pointing inwards: what of the cells of row j lies not beyond it.
struct HalfPlane {
    std::int64_t base = 0;  ///< at cell (0, 0), its best corner
    std::int64_t step_u = 0, step_v = 0;

    HalfPlane() = default;
    HalfPlane(Flat normal, Flat from, Flat corner, std::int64_t side) {
        const std::int64_t reach =
            side * (std::max<std::int64_t>(normal.u, 0) + std::max<std::int64_t>(normal.v, 0));
        // The best corner of a cell that is open there is not reached.
        base = sum(normal, {corner.u - from.u, corner.v - from.v}) + reach - (reach > 0 ? 1 : 0);
        step_u = normal.u * side;
        step_v = normal.v * side;
    }
    static std::int64_t sum(Flat a, Flat b) {  // fits, though its parts may not
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.u * b.u) +
                                         static_cast<std::uint64_t>(a.v * b.v));
    }
};

// Edges shorter than this: every value in a cell of the triangle's box is below 2^53.
constexpr std::int64_t kSmall = std::int64_t{1} << 25;

// The triangle seen along one axis.
class Shadow {
  public:
    Shadow(const LatticeTriangle& t, int u, int v, const CellRange& range, int shift) {
        const Flat at[3] = {{t.a.at[u], t.a.at[v]}, {t.b.at[u], t.b.at[v]}, {t.c.at[u], t.c.at[v]}};
        const Flat edges[3] = {minus(at[1], at[0]), minus(at[2], at[1]), minus(at[0], at[2])};
        const std::int64_t area = edges[0].u * edges[1].v - edges[0].v * edges[1].u;
        const std::int64_t side = std::int64_t{1} << shift;
        const Flat corner{range.low[u] * side, range.low[v] * side};
        const auto is_small = [](Flat e) { return std::max(std::abs(e.u), std::abs(e.v)) < kSmall; };
        small_ = is_small(edges[0]) && is_small(edges[1]) && is_small(edges[2]);
        if (area != 0) {
            const std::int64_t turn = area > 0 ? 1 : -1;
            for (int k = 0; k < 3; ++k) add({-edges[k].v * turn, edges[k].u * turn}, at[k], corner, side);
            return;
        }
        // A segment, or a point: both sides of its longest edge.
        int longest = 0;
        for (int k = 1; k < 3; ++k) longest = size(edges[k]) > size(edges[longest]) ? k : longest;
        const Flat e = edges[longest];
        add({-e.v, e.u}, at[longest], corner, side);
        add({e.v, -e.u}, at[longest], corner, side);
    }
    // Of the cells (i, j): those of row j, within 0..last.
    [[nodiscard]] Interval row(std::int32_t j, std::int32_t last) const {
        Interval out{0, last};
        for (int k = 0; k < count_ && !out.empty(); ++k)
            out.bound(lines_[k].base + j * lines_[k].step_v, lines_[k].step_u, small_);
        return out;
    }

  private:
    static Flat minus(Flat a, Flat b) { return {a.u - b.u, a.v - b.v}; }
    static std::int64_t size(Flat a) { return std::abs(a.u) + std::abs(a.v); }
    void add(Flat normal, Flat from, Flat corner, std::int64_t side) {
        lines_[count_++] = HalfPlane(normal, from, corner, side);
    }
    HalfPlane lines_[3];
    int count_ = 0;
    bool small_;
};

// Sign of a sum of products that may need 96 bits.
int sign_of_sum(const std::int64_t* n, const std::int64_t* d) {
    std::int64_t high = 0;
    std::int64_t low = 0;
    for (int k = 0; k < 3; ++k) {
        const std::int64_t low_part = (n[k] & 0xffffffff) * d[k];  // |d| < 2^31
        high += (n[k] >> 32) * d[k] + (low_part >> 32);
        low += low_part & 0xffffffff;
    }
    high += low >> 32;
    low &= 0xffffffff;
    return high != 0 ? (high > 0 ? 1 : -1) : (low > 0 ? 1 : 0);
}

// The triangle's plane: f = n (p - a), and in which cells it takes both signs or 0.
class Plane {
  public:
    Plane(const LatticeTriangle& t, const CellRange& range, int shift) : side_(std::int64_t{1} << shift) {
        std::int64_t e[3], f[3];
        for (int k = 0; k < 3; ++k) {
            e[k] = std::int64_t{t.b.at[k]} - t.a.at[k];
            f[k] = std::int64_t{t.c.at[k]} - t.a.at[k];
            corner_[k] = range.low[k] * side_ - t.a.at[k];
        }
        for (int k = 0; k < 3; ++k) n_[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        if (n_[0] < 0) {
            for (std::int64_t& n : n_) n = -n;
        }
        if (n_[0] != 0) prepare();
    }
    // Of row (j, k), what lies within x.
    [[nodiscard]] Interval row(std::int32_t j, std::int32_t k, Interval x) const {
        if (n_[0] == 0) return x;  // it is a line seen along x, or none: Shadow knows
        const double at = start_ + step_y_ * j + step_z_ * k;
        x.low = first_from(at, j, k, x);
        if (!x.empty()) x.high = last_to(at + width_, j, k, x);
        return x;
    }

  private:
    void prepare() {
        const double n[3] = {static_cast<double>(n_[0]), static_cast<double>(n_[1]),
                             static_cast<double>(n_[2])};
        const double side = static_cast<double>(side_);
        const double per = 1.0 / (n[0] * side);
        double sum = 0.0, size = 0.0, above = 0.0, all = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double d = static_cast<double>(corner_[k]);
            sum += n[k] * d;
            size += std::fabs(n[k]) * (std::fabs(d) + kBlockSide * side);
            above += n[k] > 0.0 ? n[k] : 0.0;
            all += std::fabs(n[k]);
        }
        start_ = -(sum + above * side) * per;
        step_y_ = -n[1] / n[0];
        step_z_ = -n[2] / n[0];
        width_ = all * side * per;
        doubt_ = size * per * 0x1p-46 + 0x1p-40;
    }
    // Is the cell's best corner on the plane or above it, and is its worst corner beyond it?
    [[nodiscard]] bool reaches(std::int32_t i, std::int32_t j, std::int32_t k) const {
        return sign_at(i, j, k, true) > 0;  // the best corner is not part of the cell, as n_[0] > 0
    }
    [[nodiscard]] bool is_beyond(std::int32_t i, std::int32_t j, std::int32_t k) const {
        const int sign = sign_at(i, j, k, false);
        return sign > 0 || (sign == 0 && (n_[1] < 0 || n_[2] < 0));
    }
    [[nodiscard]] int sign_at(std::int32_t i, std::int32_t j, std::int32_t k, bool best) const {
        const std::int32_t cell[3] = {i, j, k};
        std::int64_t d[3];
        for (int axis = 0; axis < 3; ++axis)
            d[axis] =
                corner_[axis] + side_ * (cell[axis] + ((n_[axis] > 0) == best && n_[axis] != 0 ? 1 : 0));
        return sign_of_sum(n_, d);
    }
    // The first cell that reaches is the one after `at`, rounded down: its best corner is above the plane, or on it
    // where nothing is open. `at` is where that corner is on the plane.
    [[nodiscard]] std::int32_t first_from(double at, std::int32_t j, std::int32_t k, Interval x) const {
        if (at + doubt_ < x.low) return x.low;
        if (at - doubt_ > x.high) return x.high + 1;
        const double next = whole(at) + 1.0;
        if (at - (next - 1.0) > doubt_ && next - at > doubt_) return static_cast<std::int32_t>(next);
        std::int32_t low = x.low, high = x.high + 1;  // the first of which it is true
        while (low < high) {
            const std::int32_t middle = (low + high) / 2;
            if (reaches(middle, j, k)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
    // And the last that does not lie beyond.
    [[nodiscard]] std::int32_t last_to(double at, std::int32_t j, std::int32_t k, Interval x) const {
        if (at - doubt_ > x.high) return x.high;
        if (at + doubt_ < x.low) return x.low - 1;
        const double last = whole(at);
        if (at - last > doubt_ && last + 1.0 - at > doubt_) return static_cast<std::int32_t>(last);
        std::int32_t low = x.low - 1, high = x.high;
        while (low < high) {
            const std::int32_t middle = low + (high - low + 1) / 2;
            if (is_beyond(middle, j, k)) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return low;
    }

    // floor(at): within doubt_, which is below 2^35, of 0..kBlockSide.
    static double whole(double at) {
        const auto cut = static_cast<double>(static_cast<std::int64_t>(at));
        return cut - (cut > at ? 1.0 : 0.0);
    }

    std::int64_t side_;
    std::int64_t n_[3] = {};
    std::int64_t corner_[3] = {};
    double start_ = 0.0, step_y_ = 0.0, step_z_ = 0.0, width_ = 0.0, doubt_ = 0.0;
};

}  // namespace

void walk_rows(const LatticeTriangle& t, int shift, const CellRange& clip, RowSink row, void* user) {
    CellRange range;
    if (!cells_of(t, shift, clip, range)) return;
    const std::int32_t last[3] = {range.high[0] - range.low[0], range.high[1] - range.low[1],
                                  range.high[2] - range.low[2]};
    const Shadow xy(t, 0, 1, range, shift);
    const Shadow xz(t, 0, 2, range, shift);
    const Shadow yz(t, 1, 2, range, shift);
    const Plane plane(t, range, shift);
    Interval of_y[kBlockSide];
    for (std::int32_t j = 0; j <= last[1]; ++j) of_y[j] = xy.row(j, last[0]);
    for (std::int32_t k = 0; k <= last[2]; ++k) {
        const Interval y = yz.row(k, last[1]);
        if (y.empty()) continue;
        const Interval of_z = xz.row(k, last[0]);
        for (std::int32_t j = y.low; j <= y.high; ++j) {
            Interval x = of_y[j];
            x.meet(of_z);
            if (!x.empty()) x = plane.row(j, k, x);
            if (!x.empty())
                row(user, range.low[0] + x.low, range.low[0] + x.high, range.low[1] + j, range.low[2] + k);
        }
    }
}

}  // namespace fairlead::raster
