// How wide a sphere can get from one place to another: places 1/16 of a voxel apart, the distance from each to the
// nearest solid voxel, exact, and the places joined in falling distance. Voxels are cubes here, of side 1, from the
// origin on.
//
// A way for radius r among these places means that there is one for r - 0.032 (half a step aside). None for r means
// that there is none for r + 0.055 (sqrt 3 / 32 to the nearest place).
//
// Memory: 10 bytes for each of the 16^3 places of a voxel: 75 MB for 12^3 voxels, 570 MB for 24^3.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/volume_dense.h"

namespace fairlead::oracle {

/// What the answers may be off by.
inline constexpr double kRadiusTooWide = 0.032;
inline constexpr double kRadiusTooNarrow = 0.055;

class VolumeRadius {
  public:
    /// Distances beyond `radius_max` voxels are not told apart.
    VolumeRadius(const VolumeDense& world, double radius_max);

    struct Pair {
        Vec3 from{};
        Vec3 to{};
        double radius = -1.0;  ///< the widest that gets from one to the other; below 0: not even a point
    };
    /// Answers all of them. Ends are taken at the nearest of the places; draw them at multiples of 1/16.
    void answer(std::vector<Pair>& pairs) const;

    /// Of the nearest place from the nearest solid voxel, at most radius_max.
    [[nodiscard]] double room_at(Vec3 p) const;

  private:
    static constexpr std::int32_t kParts = 16;

    [[nodiscard]] std::size_t place_at(Vec3 p) const;
    void measure(const VolumeDense& world);

    std::int32_t side_[3] = {};  ///< places on each axis
    std::int32_t cap_ = 0;
    std::vector<std::uint16_t> squared_;  ///< of the distance, in 1/16 voxels
};

}  // namespace fairlead::oracle
