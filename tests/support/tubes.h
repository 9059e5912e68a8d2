// Tubes with obstacles on their wall, as triangles, and what is solid in them by formula.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/cylinder/cylinder.h>

#include "volume_bake/voxel_worlds.h"

namespace fairlead::testing {

/// A pylon: it stands on the wall, grows thinner towards the axis and ends in a flat top. Angles in radians, the first
/// may be more than a lap.
struct Pylon {
    double angle0, angle1, along0, along1;  ///< at the wall
    double height;
    double shrink = 0.0;  ///< at the top: so much less on each side, of half the width
    double base = 0.0;    ///< over 0: it floats so high
};

/// About z, from z = 0.
struct Tube {
    double radius = 20.0;
    double length = 40.0;
    int sides = 96;  ///< of the wall
    bool wall = true;
    std::vector<Pylon> pylons;

    /// As triangles, turned so that the tube lies along `axis` and begins at `origin`.
    [[nodiscard]] Triangles triangles(CylinderAxis axis = CylinderAxis::z, Vec3 origin = {}) const {
        Triangles out;
        const double full = 2.0 * std::numbers::pi;
        for (int i = 0; wall && i < sides; ++i) {
            const double a = full * i / sides, b = full * (i + 1) / sides;
            out.quad(place(a, 0, outer()), place(b, 0, outer()), place(b, length, outer()),
                     place(a, length, outer()));
        }
        for (const Pylon& p : pylons) add(out, p);
        for (Vec3& v : out.vertices) {
            if (axis == CylinderAxis::x) v = {v.z, v.x, v.y};
            if (axis == CylinderAxis::y) v = {v.y, v.z, v.x};
            v = v + origin;
        }
        return out;
    }

    /// Is a place more than `margin` within a pylon (below 0: less than that outside)?
    [[nodiscard]] bool inside(double angle, double along, double r, double margin) const {
        return std::any_of(pylons.begin(), pylons.end(), [&](const Pylon& p) {
            const double high = radius - r;
            if (high < p.base + margin || high > p.height - margin) return false;
            const double part = std::clamp((high - p.base) / (p.height - p.base), 0.0, 1.0);
            const double half = (p.angle1 - p.angle0) / 2 * (1.0 - p.shrink * part);
            const double half_along = (p.along1 - p.along0) / 2 * (1.0 - p.shrink * part);
            const double middle = (p.angle0 + p.angle1) / 2;
            const double full = 2.0 * std::numbers::pi;
            const double off = std::abs(std::remainder(angle - middle, full));
            const double off_along = std::abs(along - (p.along0 + p.along1) / 2);
            return off * r < half * r - margin && off_along < half_along - margin;
        });
    }

  private:
    /// Corners of the wall lie so far out that its sides touch the radius.
    [[nodiscard]] double outer() const { return radius / std::cos(std::numbers::pi / sides); }
    static Vec3 place(double angle, double along, double r) {
        return {r * std::cos(angle), r * std::sin(angle), along};
    }
    // Around in steps of 2 degrees at most: the sides of the tube are finer than its tiles.
    void add(Triangles& out, const Pylon& p) const {
        const int steps = std::max(1, static_cast<int>(std::ceil((p.angle1 - p.angle0) * 30.0)));
        const double mid = (p.angle0 + p.angle1) / 2, mid_along = (p.along0 + p.along1) / 2;
        const auto at = [&](double part, int side, bool top) {
            const double less = top ? 1.0 - p.shrink : 1.0;
            const double angle = mid + (p.angle1 - p.angle0) * (part - 0.5) * less;
            const double along = mid_along + (p.along1 - p.along0) * (side - 0.5) * less;
            return place(angle, along, radius - (top ? p.height : p.base));
        };
        for (int i = 0; i < steps; ++i) {
            const double a = double(i) / steps, b = double(i + 1) / steps;
            out.quad(at(a, 0, true), at(b, 0, true), at(b, 1, true), at(a, 1, true));
            out.quad(at(a, 0, false), at(a, 1, false), at(b, 1, false), at(b, 0, false));
            for (const int side : {0, 1})
                out.quad(at(a, side, false), at(b, side, false), at(b, side, true), at(a, side, true));
        }
        for (const double end : {0.0, 1.0})
            out.quad(at(end, 0, false), at(end, 1, false), at(end, 1, true), at(end, 0, true));
    }
};

/// Pylons of many heights, some over the seam; rings and ridges that bar the way in the outer slices.
inline Tube random_tube(Rng& rng, int count, double radius = 20.0, double length = 40.0) {
    Tube tube;
    tube.radius = radius;
    tube.length = length;
    for (int i = 0; i < count; ++i) {
        const double angle = rng.between(-1.0, 6.3);
        const double along = rng.between(0.0, length * 0.9);
        const double wide = rng.between(0.05, 0.5);
        const double tall = rng.between(0.5, length * 0.3);
        Pylon p{angle, angle + wide, along, std::min(along + tall, length), rng.between(0.1, 0.55) * radius};
        p.shrink = rng.between(0.0, 0.6);
        tube.pylons.push_back(p);
    }
    // Ridges: around but for a gap.
    for (int i = 0; i < 2; ++i) {
        const double angle = rng.between(0.0, 6.0);
        const double along = rng.between(0.1, 0.9) * length;
        tube.pylons.push_back({angle, angle + 5.9, along, along + 1.3, rng.between(0.1, 0.4) * radius});
    }
    return tube;
}

}  // namespace fairlead::testing
