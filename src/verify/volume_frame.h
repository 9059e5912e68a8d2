// The frame in which a volume is judged: world units, relative to the volume's low corner. The axes are a list, so that
// one line serves all three.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include <fairlead/math/vec.h>
#include <fairlead/volume/volume.h>

#include "verify/scale.h"

namespace fairlead::witness {

using Triple = std::array<double, 3>;
/// x, y, z of a voxel or of a brick.
using Lattice = std::array<std::int32_t, 3>;

struct VolumeFrame {
    Triple origin{};
    Triple voxel{1.0, 1.0, 1.0};  ///< sides of a voxel
    Lattice count{};              ///< voxels on each axis
    Triple extent{};              ///< count x voxel
    double slack = 0.0;           ///< contact_slack
    double far = 0.0;             ///< past this, the error bound is not small against the slack

    [[nodiscard]] Triple from_world(Vec3 p) const {
        return {p.x - origin[0], p.y - origin[1], p.z - origin[2]};
    }
    /// The same of a shape that may lie anywhere: so far off it meets nothing, and the square of its distance is a number.
    [[nodiscard]] Triple from_anywhere(Vec3 p) const {
        Triple at = from_world(p);
        for (double& v : at) v = smaller(larger(v, -8.0 * far), 8.0 * far);
        return at;
    }
    [[nodiscard]] Vec3 to_world(const Triple& p) const {
        return {origin[0] + p[0], origin[1] + p[1], origin[2] + p[2]};
    }
    /// The slack less the error bound, where `size` is the largest number involved, that of the volume included.
    /// Positive for sizes up to far.
    [[nodiscard]] double threshold(double size) const { return slack - kErrorRounds * kRound * size; }
    [[nodiscard]] double size() const { return larger(larger(extent[0], extent[1]), extent[2]); }
    [[nodiscard]] double shortest_side() const { return smaller(smaller(voxel[0], voxel[1]), voxel[2]); }
    [[nodiscard]] bool in_bounds(const Lattice& v) const {
        for (std::size_t k = 0; k < 3; ++k) {
            if (v[k] < 0 || v[k] >= count[k]) return false;
        }
        return true;
    }
};

[[nodiscard]] VolumeFrame make_frame(const VolumeState& volume);

[[nodiscard]] inline double size_of(const Triple& p) {
    return larger(larger(std::fabs(p[0]), std::fabs(p[1])), std::fabs(p[2]));
}
[[nodiscard]] inline double distance_of(const Triple& a, const Triple& b) {
    return length(Vec3{b[0] - a[0], b[1] - a[1], b[2] - a[2]});
}

/// A straight piece; its points are a + share x d, 0 <= share <= 1.
struct Chord {
    Triple a{};
    Triple d{};

    [[nodiscard]] Triple at(double share) const {
        return {a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2]};
    }
    [[nodiscard]] Chord part(double from, double to) const {
        return {at(from), {(to - from) * d[0], (to - from) * d[1], (to - from) * d[2]}};
    }
};

[[nodiscard]] inline Chord chord_between(const Triple& a, const Triple& b) {
    return {a, {b[0] - a[0], b[1] - a[1], b[2] - a[2]}};
}

struct VoxelSides {
    Triple low{};
    Triple high{};
};

[[nodiscard]] inline VoxelSides sides_of(const VolumeFrame& frame, const Lattice& v) {
    VoxelSides box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.low[k] = static_cast<double>(v[k]) * frame.voxel[k];
        box.high[k] = static_cast<double>(v[k] + 1) * frame.voxel[k];
    }
    return box;
}

/// What a body that is taller than a sphere by `half`, up and down, meets where a sphere meets the box.
[[nodiscard]] inline VoxelSides taller(VoxelSides box, double half) {
    box.low[2] -= half;
    box.high[2] += half;
    return box;
}

}  // namespace fairlead::witness
