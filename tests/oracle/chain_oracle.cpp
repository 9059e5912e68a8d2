#include "oracle/chain_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace fairlead::oracle {

namespace {

double clamped(double v, double low, double high) { return std::max(low, std::min(v, high)); }

double gap_squared(Vec2 p, std::int32_t x, std::int32_t y) {
    const double dx = p.x - clamped(p.x, x, x + 1.0);
    const double dy = p.y - clamped(p.y, y, y + 1.0);
    return dx * dx + dy * dy;
}

// The places of [a, a + 1] and [b, b + 1] nearest to each other; halfway along what they share.
std::pair<double, double> nearest(std::int32_t a, std::int32_t b) {
    if (a == b) return {a + 0.5, a + 0.5};
    return a < b ? std::pair{a + 1.0, b + 0.0} : std::pair{a + 0.0, b + 1.0};
}

bool cross(Vec2 a, Vec2 b, Vec2 p, Vec2 q) {
    const auto left = [](Vec2 u, Vec2 v, Vec2 w) {
        return (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x) > 0.0;
    };
    return left(a, b, p) != left(a, b, q) && left(p, q, a) != left(p, q, b);
}

class Forest {
  public:
    explicit Forest(std::size_t n) : parent_(n), odd_(n, false) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }

    // False: the step closes a chain with an odd number of crossings.
    bool join(std::uint32_t a, std::uint32_t b, bool odd) {
        const auto [root_a, odd_a] = root(a);
        const auto [root_b, odd_b] = root(b);
        const bool rest = odd_a != (odd_b != odd);
        if (root_a == root_b) return !rest;
        parent_[root_a] = root_b;
        odd_[root_a] = rest;
        return true;
    }

  private:
    std::pair<std::uint32_t, bool> root(std::uint32_t at) {
        std::uint32_t top = at;
        bool odd = false;
        while (parent_[top] != top) {
            odd = odd != odd_[top];
            top = parent_[top];
        }
        for (bool rest = odd; parent_[at] != at && parent_[at] != top;) {
            const std::uint32_t next = parent_[at];
            const bool own = odd_[at];
            parent_[at] = top;
            odd_[at] = rest;
            rest = rest != own;
            at = next;
        }
        return {top, odd};
    }
    std::vector<std::uint32_t> parent_;
    std::vector<bool> odd_;  // crossings of the way to the parent
};

}  // namespace

ChainOracle::ChainOracle(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked,
                         double radius)
    : square_(4.0 * radius * radius * (1.0 - 1e-12)), width_(width), height_(height), blocked_(blocked) {
    const auto is_bare = [&](std::int32_t x, std::int32_t y) {
        for (std::int32_t n = 0; n < 9; ++n) {
            if (is_free(x + n % 3 - 1, y + n / 3 - 1)) return true;
        }
        return false;
    };
    for (std::int32_t y = -1; y <= height; ++y) {
        for (std::int32_t x = -1; x <= width; ++x) {
            const bool edge = x < 0 || y < 0 || x == width || y == height;
            if (!is_free(x, y) && (edge || is_bare(x, y))) tiles_.push_back({x, y});
        }
    }
    for (std::uint32_t u = 0; u < tiles_.size(); ++u) {
        for (std::uint32_t v = u; v-- > 0;) {
            const double rows = std::max(0, tiles_[u].y - tiles_[v].y - 1);
            if (!(rows * rows < square_)) break;  // they are in the order of their rows
            const Tile a = tiles_[u];
            const Tile b = tiles_[v];
            const double dx = std::max(0, std::abs(a.x - b.x) - 1);
            const double dy = std::max(0, std::abs(a.y - b.y) - 1);
            if (!(dx * dx + dy * dy < square_)) continue;
            const auto [ax, bx] = nearest(a.x, b.x);
            const auto [ay, by] = nearest(a.y, b.y);
            steps_.push_back({u, v, {{a.x + 0.5, a.y + 0.5}, {ax, ay}, {bx, by}, {b.x + 0.5, b.y + 0.5}}});
        }
    }
}

bool ChainOracle::is_free(std::int32_t x, std::int32_t y) const {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return false;
    return !blocked_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                     static_cast<std::size_t>(x)];
}

bool ChainOracle::fits(Vec2 p) const {
    const auto x = static_cast<std::int32_t>(std::floor(p.x));
    const auto y = static_cast<std::int32_t>(std::floor(p.y));
    const auto reach = static_cast<std::int32_t>(std::sqrt(square_) / 2.0) + 2;
    for (std::int32_t dy = -reach; dy <= reach; ++dy) {
        for (std::int32_t dx = -reach; dx <= reach; ++dx) {
            if (!is_free(x + dx, y + dy) && 4.0 * gap_squared(p, x + dx, y + dy) < square_) return false;
        }
    }
    return true;
}

bool ChainOracle::joined(Vec2 a, Vec2 b) const {
    if (a == b) return true;
    // A way with no bend at a place where a chain has one.
    const Vec2 via = (a + b) * 0.5 + Vec2{0.0817234519, 0.1394573221};
    Forest forest(tiles_.size());
    for (const Step& s : steps_) {
        bool odd = false;
        for (int i = 0; i < 3; ++i) {
            if (s.points[i] == s.points[i + 1]) continue;
            odd = odd != cross(a, via, s.points[i], s.points[i + 1]);
            odd = odd != cross(via, b, s.points[i], s.points[i + 1]);
        }
        if (!forest.join(s.from, s.to, odd)) return false;
    }
    return true;
}

}  // namespace fairlead::oracle
