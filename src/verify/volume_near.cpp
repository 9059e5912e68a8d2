// A piece passes each slab of bricks, and each layer of voxels, along its longest axis once: there its bounding box is
// small.
#include "verify/volume_near.h"

#include <cmath>

namespace fairlead::witness {

namespace {

/// The voxel that a coordinate is in, at least -1 and at most `count`.
std::int32_t layer_at(double coordinate, double side, std::int32_t count) {
    const double layer = std::floor(coordinate / side);
    return static_cast<std::int32_t>(larger(-1.0, smaller(layer, static_cast<double>(count))));
}

}  // namespace

std::size_t SolidNear::main_axis(const Chord& chord) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (std::fabs(chord.d[k]) / frame_.voxel[k] > std::fabs(chord.d[best]) / frame_.voxel[best]) best = k;
    }
    return best;
}

LatticeRange SolidNear::range_of(const Chord& chord, double from, double to, double around) const {
    const Triple a = chord.at(from);
    const Triple b = chord.at(to);
    LatticeRange range;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t low =
            layer_at(smaller(a[k], b[k]) - on_axis(k, around), frame_.voxel[k], frame_.count[k]);
        const std::int32_t high =
            layer_at(larger(a[k], b[k]) + on_axis(k, around), frame_.voxel[k], frame_.count[k]);
        range.low[k] = low < 0 ? 0 : low;
        range.high[k] = high >= frame_.count[k] ? frame_.count[k] - 1 : high;
    }
    return range;
}

LatticeRange SolidNear::slab_range(const Chord& chord, std::size_t axis, std::int32_t layer,
                                   std::int32_t count, double around) const {
    double from = 0.0;
    double to = 1.0;
    const double d = chord.d[axis];
    if (d != 0.0) {
        const double more = on_axis(axis, around);
        const double low = static_cast<double>(layer) * frame_.voxel[axis] - more - chord.a[axis];
        const double high = static_cast<double>(layer + count) * frame_.voxel[axis] + more - chord.a[axis];
        from = larger(0.0, smaller(1.0, smaller(low / d, high / d)));
        to = smaller(1.0, larger(0.0, larger(low / d, high / d)));
    }
    LatticeRange range = range_of(chord, from, to, around);
    if (range.low[axis] < layer) range.low[axis] = layer;
    if (range.high[axis] > layer + count - 1) range.high[axis] = layer + count - 1;
    return range;
}

}  // namespace fairlead::witness
