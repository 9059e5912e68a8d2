// Voxels of triangles the plain way: each voxel against each triangle by its thirteen separating axes, in whole
// numbers of 128 bits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include <fairlead/raster/voxels.h>

namespace fairlead::testing {

__extension__ using Wide = __int128;
using Steps = std::array<std::int64_t, 3>;  ///< from the frame's origin, 8192 to a voxel
using VoxelAt = std::array<std::int32_t, 3>;
using VoxelSet = std::set<VoxelAt>;  ///< (z, y, x)

inline constexpr std::int64_t kOracleSteps = 8192;

struct StepTriangle {
    Steps corner[3];
};

/// As the header says: to the nearest step, ties to even.
inline Steps to_steps(Vec3 p, const VoxelFrame& frame) {
    return {
        static_cast<std::int64_t>(std::nearbyint((p.x - frame.origin.x) * (8192.0 / frame.voxel_size.x))),
        static_cast<std::int64_t>(std::nearbyint((p.y - frame.origin.y) * (8192.0 / frame.voxel_size.y))),
        static_cast<std::int64_t>(std::nearbyint((p.z - frame.origin.z) * (8192.0 / frame.voxel_size.z)))};
}

/// Does this direction part the closed triangle and the box [low, low + side) on each axis? The box's ends along it
/// are open if a face that is not its own takes part in them.
inline bool parts(const StepTriangle& t, const Steps& low, std::int64_t side,
                  const std::array<Wide, 3>& axis) {
    Wide t_low = 0, t_high = 0, box_low = 0, box_high = 0;
    bool low_open = false, high_open = false;
    for (int c = 0; c < 3; ++c) {
        Wide at = 0;
        for (std::size_t k = 0; k < 3; ++k) at += axis[k] * t.corner[c][k];
        t_low = c == 0 || at < t_low ? at : t_low;
        t_high = c == 0 || at > t_high ? at : t_high;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const Wide from = axis[k] * low[k];
        const Wide to = axis[k] * (low[k] + side);
        box_low += axis[k] < 0 ? to : from;
        box_high += axis[k] < 0 ? from : to;
        low_open = low_open || axis[k] < 0;
        high_open = high_open || axis[k] > 0;
    }
    return t_high < box_low || (t_high == box_low && low_open) || t_low > box_high ||
           (t_low == box_high && high_open);
}

inline bool meets(const StepTriangle& t, const Steps& low, std::int64_t side = kOracleSteps) {
    const auto edge = [&t](int i) {
        std::array<Wide, 3> out;
        for (std::size_t k = 0; k < 3; ++k) out[k] = t.corner[(i + 1) % 3][k] - t.corner[i][k];
        return out;
    };
    const auto cross = [](const std::array<Wide, 3>& a, const std::array<Wide, 3>& b) {
        return std::array<Wide, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                   a[0] * b[1] - a[1] * b[0]};
    };
    for (std::size_t k = 0; k < 3; ++k) {
        std::array<Wide, 3> axis{0, 0, 0};
        axis[k] = 1;
        if (parts(t, low, side, axis)) return false;
        for (int i = 0; i < 3; ++i) {
            if (parts(t, low, side, cross(axis, edge(i)))) return false;
        }
    }
    return !parts(t, low, side, cross(edge(0), edge(1)));
}

/// All voxels of the frame that a triangle meets. `only`: the boxes that are looked at, a test's way to save time.
inline VoxelSet oracle_voxels(const std::vector<StepTriangle>& triangles, const VoxelFrame& frame) {
    VoxelSet out;
    const auto down = [](std::int64_t a) {
        return a >= 0 ? a / kOracleSteps : -((-a + kOracleSteps - 1) / kOracleSteps);
    };
    for (const StepTriangle& t : triangles) {
        std::int64_t low[3], high[3];
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::max<std::int64_t>(
                down(std::min({t.corner[0][k], t.corner[1][k], t.corner[2][k]})) - 1, 0);
            high[k] = std::min<std::int64_t>(
                down(std::max({t.corner[0][k], t.corner[1][k], t.corner[2][k]})) + 1, frame.size[k] - 1);
        }
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
            for (std::int64_t y = low[1]; y <= high[1]; ++y) {
                for (std::int64_t x = low[0]; x <= high[0]; ++x) {
                    if (meets(t, {x * kOracleSteps, y * kOracleSteps, z * kOracleSteps}))
                        out.insert({static_cast<std::int32_t>(z), static_cast<std::int32_t>(y),
                                    static_cast<std::int32_t>(x)});
                }
            }
        }
    }
    return out;
}

inline VoxelSet voxels_of(std::span<const BrickBits> bricks) {
    VoxelSet out;
    for (const BrickBits& b : bricks) {
        for (std::int32_t bit = 0; bit < 64; ++bit) {
            if ((b.solid >> bit & 1) != 0)
                out.insert({4 * b.z + bit / 16, 4 * b.y + bit / 4 % 4, 4 * b.x + bit % 4});
        }
    }
    return out;
}

}  // namespace fairlead::testing
