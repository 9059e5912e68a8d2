// Sight, judged wall by wall in long double. Knows nothing of lines, windows and slabs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>

namespace fairlead::testing {

using Wide = long double;

struct WideBox {
    Wide low_x, low_y, high_x, high_y;
};

/// Does the segment enter the box made smaller by `less` on every side? `closed`: or touch it.
[[nodiscard]] inline bool enters(Vec2 a, Vec2 b, const WideBox& box, Wide less, bool closed = false) {
    Wide t0 = 0, t1 = 1;
    const Wide from[2] = {a.x, a.y};
    const Wide by[2] = {Wide(b.x) - a.x, Wide(b.y) - a.y};
    const Wide low[2] = {box.low_x + less, box.low_y + less};
    const Wide high[2] = {box.high_x - less, box.high_y - less};
    for (int i = 0; i < 2; ++i) {
        if (low[i] > high[i] || (low[i] == high[i] && !closed)) return false;
        if (by[i] == 0) {
            if (from[i] < low[i] || from[i] > high[i]) return false;
            if (!closed && (from[i] == low[i] || from[i] == high[i])) return false;
            continue;
        }
        Wide u = (low[i] - from[i]) / by[i];
        Wide v = (high[i] - from[i]) / by[i];
        if (u > v) std::swap(u, v);
        t0 = std::max(t0, u);
        t1 = std::min(t1, v);
    }
    return t0 <= t1;
}

[[nodiscard]] inline Wide distance_to_segment(Wide x, Wide y, Vec2 a, Vec2 b) {
    const Wide dx = Wide(b.x) - a.x, dy = Wide(b.y) - a.y;
    const Wide norm = dx * dx + dy * dy;
    Wide t = norm == 0 ? 0 : ((x - a.x) * dx + (y - a.y) * dy) / norm;
    t = std::clamp<Wide>(t, 0, 1);
    const Wide ex = a.x + t * dx - x, ey = a.y + t * dy - y;
    return std::sqrt(ex * ex + ey * ey);
}

[[nodiscard]] inline Wide distance_to_box(Vec2 a, Vec2 b, const WideBox& box) {
    if (enters(a, b, box, 0, true)) return 0;
    Wide best = INFINITY;
    for (const Wide x : {box.low_x, box.high_x}) {
        for (const Wide y : {box.low_y, box.high_y}) best = std::min(best, distance_to_segment(x, y, a, b));
    }
    for (const Vec2 p : {a, b}) {
        const Wide dx = std::max<Wide>({box.low_x - p.x, p.x - box.high_x, 0});
        const Wide dy = std::max<Wide>({box.low_y - p.y, p.y - box.high_y, 0});
        best = std::min(best, std::sqrt(dx * dx + dy * dy));
    }
    return best;
}

/// What may be said of a sweep that is judged with a slack.
enum class Judged { free, blocked, close };

class DenseSight {
  public:
    const GridState* grid = nullptr;
    double radius = 0.0;
    std::int32_t footprint = 0;
    CornerRule corner = CornerRule::never;
    std::span<const std::uint16_t> closed_where_zero{};
    std::span<const Blocker> blockers{};
    std::int32_t layer = 0;

    static constexpr Wide kSure = 0.3e-9L;
    static constexpr Wide kBeyond = 1e-9L;

    [[nodiscard]] Judged judge(Vec2 a, Vec2 b) const {
        if (!meets(a, b, kSure)) return Judged::free;
        return meets(a, b, kBeyond) ? Judged::blocked : Judged::close;
    }

    [[nodiscard]] bool wall(std::int32_t x, std::int32_t y) const {
        const auto wrapped = [](std::int32_t v, std::int32_t n) { return ((v % n) + n) % n; };
        if (grid->wrap_x()) x = wrapped(x, grid->width());
        if (grid->wrap_y()) y = wrapped(y, grid->height());
        const Cell cell{x, y, layer};
        if (!grid->inside(cell) || grid->blocked(cell)) return true;
        return !closed_where_zero.empty() && closed_where_zero[grid->tile(cell)] == 0;
    }

    [[nodiscard]] Wide clearance(Vec2 a, Vec2 b, Wide limit) const {
        Wide best = limit;
        for_walls(a, b, static_cast<double>(limit), [&](std::int32_t x, std::int32_t y) {
            best = std::min(best, distance_to_box(a, b, {Wide(x), Wide(y), Wide(x) + 1, Wide(y) + 1}));
            return false;
        });
        for_blockers(a, b, static_cast<double>(limit), [&](const WideBox& box, Wide round) {
            best = std::min(best, std::max<Wide>(distance_to_box(a, b, box) - round, 0));
            return false;
        });
        return best;
    }

  private:
    [[nodiscard]] double reach() const { return footprint > 0 ? 0.5 * footprint : radius; }

    template <class Visit>
    bool for_walls(Vec2 a, Vec2 b, double around, Visit visit) const {
        const auto x0 = static_cast<std::int32_t>(std::floor(std::min(a.x, b.x) - around)) - 1;
        const auto x1 = static_cast<std::int32_t>(std::ceil(std::max(a.x, b.x) + around)) + 1;
        const auto y0 = static_cast<std::int32_t>(std::floor(std::min(a.y, b.y) - around)) - 1;
        const auto y1 = static_cast<std::int32_t>(std::ceil(std::max(a.y, b.y) + around)) + 1;
        const Vec2 d = b - a;
        const double far = around + 2.0;
        for (std::int32_t y = y0; y <= y1; ++y) {
            for (std::int32_t x = x0; x <= x1; ++x) {
                // Quickly past the cells that are far away, by a rough distance.
                const Vec2 r{x + 0.5 - a.x, y + 0.5 - a.y};
                const double side = d.x * r.y - d.y * r.x;
                if (side * side > far * far * dot(d, d)) continue;
                if (wall(x, y) && visit(x, y)) return true;
            }
        }
        return false;
    }

    template <class Visit>
    bool for_blockers(Vec2 a, Vec2 b, double around, Visit visit) const {
        for (const Blocker& blocker : blockers) {
            if (blocker.layer != layer) continue;
            const bool disc = blocker.box.empty();
            const Aabb box = disc ? Aabb{blocker.centre, blocker.centre} : blocker.box;
            const auto laps = [&](bool wrap, double size, double from, double to) {
                return wrap ? static_cast<int>(
                                  (std::fabs(from) + std::fabs(to) + around + blocker.radius + 64) / size)
                            : 0;  // blockers lie within 60 cells of the origin
            };
            const int laps_x = laps(grid->wrap_x(), grid->width(), a.x, b.x);
            const int laps_y = laps(grid->wrap_y(), grid->height(), a.y, b.y);
            for (int i = -laps_x; i <= laps_x; ++i) {
                for (int j = -laps_y; j <= laps_y; ++j) {
                    const Wide dx = Wide(i) * grid->width(), dy = Wide(j) * grid->height();
                    const WideBox at{box.low.x + dx, box.low.y + dy, box.high.x + dx, box.high.y + dy};
                    if (visit(at, disc ? Wide(blocker.radius) : 0)) return true;
                }
            }
        }
        return false;
    }

    [[nodiscard]] bool meets_box(Vec2 a, Vec2 b, WideBox box, Wide round, Wide slack) const {
        if (footprint > 0) {
            const Wide half = Wide(footprint) / 2;
            box = {box.low_x - half, box.low_y - half, box.high_x + half, box.high_y + half};
        } else {
            round += radius;
        }
        return round > slack ? distance_to_box(a, b, box) < round - slack : enters(a, b, box, slack);
    }

    [[nodiscard]] bool meets(Vec2 a, Vec2 b, Wide slack) const {
        if (meets_wall(a, b, slack)) return true;
        return for_blockers(a, b, reach(), [&](const WideBox& box, Wide round) {
            return meets_box(a, b, box, round, slack);
        });
    }

    [[nodiscard]] bool meets_wall(Vec2 a, Vec2 b, Wide slack) const {
        const bool point = footprint == 0 && radius < 1e-9;
        return for_walls(a, b, reach(), [&](std::int32_t x, std::int32_t y) {
            const WideBox box{Wide(x), Wide(y), Wide(x) + 1, Wide(y) + 1};
            if (meets_box(a, b, box, 0, slack)) return true;
            if (!point) return false;
            const bool right = wall(x + 1, y), up = wall(x, y + 1), both = wall(x + 1, y + 1);
            WideBox wide = box, high = box, large = box;
            wide.high_x += 1;
            high.high_y += 1;
            large.high_x += 1;
            large.high_y += 1;
            if (right && enters(a, b, wide, slack)) return true;
            if (up && enters(a, b, high, slack)) return true;
            if (right && up && both && enters(a, b, large, slack)) return true;
            if (corner == CornerRule::always && radius == 0.0) return false;
            // The corners above and below on the right, with the wall on one diagonal only.
            if (both && !right && !up && squeezes(a, b, Wide(x) + 1, Wide(y) + 1, slack)) return true;
            const bool below = wall(x, y - 1), across = wall(x + 1, y - 1);
            return across && !right && !below && squeezes(a, b, Wide(x) + 1, Wide(y), slack);
        });
    }

    /// Through the corner, rather than past it or from it.
    [[nodiscard]] static bool squeezes(Vec2 a, Vec2 b, Wide x, Wide y, Wide slack) {
        const Wide near =
            kBeyond + kSure - slack;  // for sure (slack large) near is small, and the other way round
        const auto at = [&](Vec2 p) {
            return std::max(std::fabs(p.x - x), std::fabs(p.y - y)) <= Wide(slack);
        };
        if (at(a) || at(b)) return false;
        return enters(a, b, {x - near, y - near, x + near, y + near}, 0);
    }
};

}  // namespace fairlead::testing
