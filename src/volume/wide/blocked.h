// Is all of a box too near to what is solid?
//
// The squared distance to a cube is convex, and so is any mean of such with weights. A mean is no less than the
// least of them: a box is blocked if for some weights the mean is below the limit at its eight corners. With one
// cube that is "its farthest corner is too near"; with the weights that hold a sphere in a tight place the test
// ends boxes as large as the root of what is missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

namespace fairlead::volume {

/// A solid voxel, from the low voxel of the cube between middles that asks.
struct NearVoxel {
    std::int16_t at[3];
};

/// Places between middles, 1/64 voxel each, from the low corner of voxel 0 of the cube on: the low middle is at 32.
struct FineBox {
    double low[3];
    double side;
};

[[nodiscard]] inline double fine_gap(double p, double voxel) {
    const double low = voxel * 64.0;
    return p < low ? low - p : p > low + 64.0 ? p - low - 64.0 : 0.0;
}

/// World units along one axis: of 1/64 voxel, and how much larger voxels count there to either side (Body::half).
struct FineUnit {
    double unit = 1.0;
    double half = 0.0;

    [[nodiscard]] double gap(double p, double voxel) const {
        return std::max(fine_gap(p, voxel) * unit - half, 0.0);
    }
};

class BlockTest {
  public:
    explicit BlockTest(const Allocator& allocator) : squared_(allocator) {}

    enum class Answer : std::uint8_t { no, blocked, no_memory };
    /// `limit`: of the squared distance. `middle`: of the voxels the nearest to the box's middle. `no` does not mean that a sphere fits
    /// anywhere in it.
    [[nodiscard]] Answer ask(std::span<const NearVoxel> voxels, const FineBox& box, const FineUnit unit[3],
                             double limit, std::size_t middle);

  private:
    Array<double> squared_;  ///< by voxel and corner
};

}  // namespace fairlead::volume
