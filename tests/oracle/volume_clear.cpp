// Between two planes of voxel sides a segment is in one voxel, or on the sides of several: the middle of each such
// part, and each place where a plane is crossed, is asked for all voxels that it touches.
#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/volume_room.h"

namespace fairlead::oracle {

namespace {

constexpr double kTouching = 1e-9;  // voxels

/// The layers of voxels that a coordinate touches on one axis.
struct Layers {
    std::int32_t first, last;
};

Layers layers_at(double v) {
    return {static_cast<std::int32_t>(std::floor(v - kTouching)),
            static_cast<std::int32_t>(std::floor(v + kTouching))};
}

bool free_round(const VolumeDense& world, Vec3 p) {
    const Layers xs = layers_at(p.x);
    const Layers ys = layers_at(p.y);
    const Layers zs = layers_at(p.z);
    for (std::int32_t z = zs.first; z <= zs.last; ++z) {
        for (std::int32_t y = ys.first; y <= ys.last; ++y) {
            for (std::int32_t x = xs.first; x <= xs.last; ++x) {
                if (!world.is_free({x, y, z})) return false;
            }
        }
    }
    return true;
}

void add_crossings(double a, double b, std::vector<double>& out) {
    if (a == b) return;
    const double low = std::min(a, b);
    const double high = std::max(a, b);
    for (double plane = std::ceil(low); plane <= high; plane += 1.0) out.push_back((plane - a) / (b - a));
}

}  // namespace

bool clear_of_all(const VolumeDense& world, Vec3 from, Vec3 to) {
    const auto in_voxels = [&](Vec3 p) {
        const Vec3 q = p - world.origin;
        return Vec3{q.x / world.voxel.x, q.y / world.voxel.y, q.z / world.voxel.z};
    };
    const Vec3 a = in_voxels(from);
    const Vec3 b = in_voxels(to);
    std::vector<double> shares{0.0, 1.0};
    add_crossings(a.x, b.x, shares);
    add_crossings(a.y, b.y, shares);
    add_crossings(a.z, b.z, shares);
    std::sort(shares.begin(), shares.end());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (!free_round(world, a + (b - a) * shares[i])) return false;
        if (i + 1 < shares.size() && !free_round(world, a + (b - a) * (0.5 * (shares[i] + shares[i + 1]))))
            return false;
    }
    return true;
}

}  // namespace fairlead::oracle
