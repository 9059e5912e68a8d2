// The shortest way among all angles, found apart from the library: a visibility graph over the corners of walls, its
// edges judged by DenseSight, searched by Dijkstra. And the cost of a way over terrain, cut at every border.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "oracle/grid_oracle.h"
#include "support/dense_sight.h"

namespace fairlead::testing {

/// For one body on one map without seams. For points and squares its answer is exact; for discs the arcs at corners are
/// polygons around them, which makes ways longer, by less than kArcExcess of their length.
class AnyAngle {
  public:
    static constexpr int kArcPoints = 8;           ///< for a quarter of a circle
    static constexpr double kArcExcess = 0.00322;  ///< tan(x) / x - 1, x = 45 degrees / kArcPoints

    explicit AnyAngle(const DenseSight& sight) : sight_(sight) {
        for (std::int32_t y = 0; y <= sight.grid->height(); ++y) {
            for (std::int32_t x = 0; x <= sight.grid->width(); ++x) add_corner(x, y);
        }
    }

    struct Way {
        double length = -1.0;  ///< negative: there is none
        int bends = 0;
    };

    [[nodiscard]] Way shortest(Vec2 start, Vec2 goal) const {
        std::vector<Node> nodes = nodes_;
        nodes.push_back({start, {}});
        nodes.push_back({goal, {}});
        const std::size_t n = nodes.size();
        std::vector<double> best(n, INFINITY);
        std::vector<int> bends(n, -1);
        std::vector<char> done(n);
        best[n - 2] = 0.0;
        for (;;) {
            std::size_t at = n;
            for (std::size_t i = 0; i < n; ++i) {
                const double key = best[i] + distance(nodes[i].at, goal);
                if (done[i] == 0 && best[i] < INFINITY &&
                    (at == n || key < best[at] + distance(nodes[at].at, goal)))
                    at = i;
            }
            if (at == n) return {};
            if (at == n - 1) return {best[at], bends[at]};
            done[at] = 1;
            for (std::size_t i = 0; i < n; ++i) {
                const double length = best[at] + distance(nodes[at].at, nodes[i].at);
                if (done[i] != 0 || length >= best[i]) continue;
                if (!nodes[at].leads_to(nodes[i]) || !nodes[i].leads_to(nodes[at])) continue;
                if (sight_.judge(nodes[at].at, nodes[i].at) == Judged::blocked) continue;
                best[i] = length;
                bends[i] = bends[at] + 1;
            }
        }
    }

  private:
    struct Node {
        Vec2 at;
        /// Not zero: a corner between two walls, where ways bend on this side of it without coming out on the other.
        Vec2 side{};
        [[nodiscard]] bool leads_to(const Node& to) const {
            if (side != Vec2{} && to.side != Vec2{} && at == to.at)
                return false;  // the other side of the corner
            return (to.at.x - at.x) * side.x >= 0.0 && (to.at.y - at.y) * side.y >= 0.0;
        }
    };

    /// The corners that a taut way can bend at: those of one wall, or of two that meet only there.
    void add_corner(std::int32_t x, std::int32_t y) {
        const bool walls[2][2] = {{sight_.wall(x - 1, y - 1), sight_.wall(x, y - 1)},
                                  {sight_.wall(x - 1, y), sight_.wall(x, y)}};
        for (int j = 0; j < 2; ++j) {
            for (int i = 0; i < 2; ++i) {
                if (!walls[j][i] || walls[1 - j][i] || walls[j][1 - i]) continue;
                const Vec2 corner{static_cast<double>(x), static_cast<double>(y)};
                const Vec2 out{i == 0 ? 1.0 : -1.0, j == 0 ? 1.0 : -1.0};
                const bool point = sight_.footprint == 0 && sight_.radius < 1e-9;
                if (walls[1 - j][1 - i] && point && sight_.corner != CornerRule::always) {
                    add_node({corner, {out.x, -out.y}});
                } else {
                    add_nodes(corner, out);
                }
            }
        }
    }

    /// `out` is the diagonal that leads away from the wall.
    void add_nodes(Vec2 corner, Vec2 out) {
        if (sight_.footprint > 0) return add_node({corner + out * (0.5 * sight_.footprint), {}});
        if (sight_.radius < 1e-9) return add_node({corner, {}});
        constexpr double kQuarter = 1.5707963267948966;
        const double radius = sight_.radius / std::cos(0.5 * kQuarter / kArcPoints);
        for (int i = 0; i < kArcPoints; ++i) {
            const double angle = (i + 0.5) * kQuarter / kArcPoints;
            add_node({corner + Vec2{out.x * std::cos(angle), out.y * std::sin(angle)} * radius, {}});
        }
    }

    void add_node(const Node& node) {
        if (sight_.judge(node.at, node.at) != Judged::blocked) nodes_.push_back(node);
    }

    DenseSight sight_;
    std::vector<Node> nodes_;
};

/// The cost of the body's centre going from a to b (in cells), by the middle of each piece between two borders. Along a
/// border the cheaper side counts.
[[nodiscard]] inline double terrain_cost(const oracle::World& world, const GridQuery& query, Vec2 a, Vec2 b,
                                         std::int32_t layer) {
    std::vector<Wide> cuts{0.0L, 1.0L};
    const Wide from[2] = {a.x, a.y};
    const Wide by[2] = {Wide(b.x) - a.x, Wide(b.y) - a.y};
    for (int axis = 0; axis < 2; ++axis) {
        if (std::fabs(by[axis]) < 1e-12L) continue;
        const Wide low = std::min(from[axis], from[axis] + by[axis]);
        const Wide high = std::max(from[axis], from[axis] + by[axis]);
        for (Wide line = std::ceil(low); line <= high; ++line) cuts.push_back((line - from[axis]) / by[axis]);
    }
    std::sort(cuts.begin(), cuts.end());
    const auto cell_cost = [&](double x, double y) {
        Cell cell{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), layer};
        if (!world.wrap(cell)) return INFINITY;
        const auto index = static_cast<std::size_t>(world.index(cell));
        const std::uint8_t tile = world.tiles[index];
        double cost = world.cost_for(query, tile);
        if (tile == 0 || cost == 0.0) return INFINITY;
        if (!query.influence.cells.empty())
            cost += double{1.0} * query.influence.cells[index] * query.influence.weight;
        return static_cast<float>(cost);
    };
    constexpr Wide kOnBorder = 1e-8L;
    const Wide length = std::sqrt(by[0] * by[0] + by[1] * by[1]);
    Wide sum = 0.0L;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        const Wide t = 0.5L * (cuts[i - 1] + cuts[i]);
        const Wide x = from[0] + t * by[0], y = from[1] + t * by[1];
        double cost = INFINITY;
        for (const Wide dx : {-kOnBorder, kOnBorder}) {
            for (const Wide dy : {-kOnBorder, kOnBorder}) {
                cost = std::min<double>(cost, cell_cost(static_cast<double>(std::floor(x + dx)),
                                                        static_cast<double>(std::floor(y + dy))));
            }
        }
        sum += (cuts[i] - cuts[i - 1]) * length * Wide(cost == INFINITY ? 1.0 : cost);
    }
    return static_cast<double>(sum);
}

}  // namespace fairlead::testing
