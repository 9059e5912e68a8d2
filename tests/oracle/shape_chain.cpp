#include "oracle/shape_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fairlead::oracle {

namespace {

double clamp_to(double v, double low, double high) { return std::max(low, std::min(v, high)); }

Vec2 nearest_in(const Shape& s, Vec2 p) {
    return {clamp_to(p.x, s.low.x, s.high.x), clamp_to(p.y, s.low.y, s.high.y)};
}

// Of two intervals, the places nearest to each other; halfway along what they share.
void nearest_on_axis(double a0, double a1, double b0, double b1, double& a, double& b) {
    if (a1 < b0) {
        a = a1;
        b = b0;
    } else if (b1 < a0) {
        a = a0;
        b = b1;
    } else {
        a = b = 0.5 * (std::max(a0, b0) + std::min(a1, b1));
    }
}

bool sides_cross(Vec2 a, Vec2 b, Vec2 p, Vec2 q) {
    const auto left = [](Vec2 u, Vec2 v, Vec2 w) {
        return (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x) > 0.0;
    };
    return left(a, b, p) != left(a, b, q) && left(p, q, a) != left(p, q, b);
}

// Sets with the parity of each member's way to its parent.
struct ParitySets {
    std::vector<std::uint32_t> parent;
    std::vector<bool> odd;
    explicit ParitySets(std::size_t n) : parent(n), odd(n, false) {
        std::iota(parent.begin(), parent.end(), 0U);
    }
    std::uint32_t root(std::uint32_t at, bool& parity) const {
        parity = false;
        while (parent[at] != at) {
            parity = parity != odd[at];
            at = parent[at];
        }
        return at;
    }
    // False: a closed chain with an odd number of crossings.
    bool join(std::uint32_t a, std::uint32_t b, bool crossing) {
        bool pa = false, pb = false;
        const std::uint32_t ra = root(a, pa), rb = root(b, pb);
        const bool rest = pa != (pb != crossing);
        if (ra == rb) return !rest;
        parent[ra] = rb;
        odd[ra] = rest;
        return true;
    }
};

}  // namespace

std::vector<Shape> shapes_of_tiles(std::int32_t width, std::int32_t height,
                                   const std::vector<bool>& blocked) {
    std::vector<Shape> shapes;
    for (std::int32_t y = -1; y <= height; ++y) {
        for (std::int32_t x = -1; x <= width; ++x) {
            const bool edge = x < 0 || y < 0 || x == width || y == height;
            if (edge || blocked[static_cast<std::size_t>(y * width + x)])
                shapes.push_back({{x + 0.0, y + 0.0}, {x + 1.0, y + 1.0}, 0.0});
        }
    }
    return shapes;
}

ShapeChain::ShapeChain(std::vector<Shape> shapes, double radius, double slack)
    : radius_(radius - slack), shapes_(std::move(shapes)) {
    for (std::uint32_t u = 0; u < shapes_.size(); ++u) {
        for (std::uint32_t v = 0; v < u; ++v) {
            const Shape& a = shapes_[u];
            const Shape& b = shapes_[v];
            Vec2 p, q;
            nearest_on_axis(a.low.x, a.high.x, b.low.x, b.high.x, p.x, q.x);
            nearest_on_axis(a.low.y, a.high.y, b.low.y, b.high.y, p.y, q.y);
            const double gap = length(q - p);
            if (!(gap < 2.0 * radius_ + a.radius + b.radius)) continue;
            steps_.push_back({u, v, {a.middle(), p, q, b.middle()}});
        }
    }
}

bool ShapeChain::fits(Vec2 p) const {
    return std::none_of(shapes_.begin(), shapes_.end(),
                        [&](const Shape& s) { return length(p - nearest_in(s, p)) < radius_ + s.radius; });
}

bool ShapeChain::joined(Vec2 a, Vec2 b) const {
    if (a == b) return true;
    const Vec2 via = (a + b) * 0.5 + Vec2{0.0817234519, 0.1394573221};
    ParitySets sets(shapes_.size());
    for (const Step& s : steps_) {
        bool odd = false;
        for (int i = 0; i < 3; ++i) {
            if (s.points[i] == s.points[i + 1]) continue;
            odd = odd != sides_cross(a, via, s.points[i], s.points[i + 1]);
            odd = odd != sides_cross(via, b, s.points[i], s.points[i + 1]);
        }
        if (!sets.join(s.from, s.to, odd)) return false;
    }
    return true;
}

}  // namespace fairlead::oracle
