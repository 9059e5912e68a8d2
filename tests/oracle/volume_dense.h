// A volume as a plain array of voxels, and what is joined to what in it: the ground of the oracles on volumes. Shares
// nothing with the library but Vec3 and Voxel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>
#include <fairlead/volume/volume.h>

namespace fairlead::oracle {

struct VolumeDense {
    Voxel size{};
    std::vector<std::uint8_t> solid;  ///< x + size.x (y + size.y z); not 0: solid
    Vec3 origin{};
    Vec3 voxel{1.0, 1.0, 1.0};

    VolumeDense() = default;
    explicit VolumeDense(Voxel of)
        : size(of),
          solid(static_cast<std::size_t>(of.x) * static_cast<std::size_t>(of.y) *
                static_cast<std::size_t>(of.z)) {}

    [[nodiscard]] bool holds(Voxel v) const {
        return v.x >= 0 && v.x < size.x && v.y >= 0 && v.y < size.y && v.z >= 0 && v.z < size.z;
    }
    [[nodiscard]] std::size_t index(Voxel v) const {
        const auto wide = static_cast<std::size_t>(size.x);
        const auto deep = static_cast<std::size_t>(size.y);
        return static_cast<std::size_t>(v.x) +
               wide * (static_cast<std::size_t>(v.y) + deep * static_cast<std::size_t>(v.z));
    }
    [[nodiscard]] Voxel at(std::size_t index) const {
        const auto wide = static_cast<std::size_t>(size.x);
        const auto deep = static_cast<std::size_t>(size.y);
        return {static_cast<std::int32_t>(index % wide), static_cast<std::int32_t>(index / wide % deep),
                static_cast<std::int32_t>(index / (wide * deep))};
    }
    /// What is outside is solid.
    [[nodiscard]] bool is_free(Voxel v) const { return holds(v) && solid[index(v)] == 0; }
    void set(Voxel v, bool is_solid) { solid[index(v)] = is_solid ? 1 : 0; }
    [[nodiscard]] Vec3 centre(Voxel v) const {
        return {origin.x + (v.x + 0.5) * voxel.x, origin.y + (v.y + 0.5) * voxel.y,
                origin.z + (v.z + 0.5) * voxel.z};
    }
};

/// The number of its component for each voxel, from 0 on in the order of their first voxels; -1 where it is solid.
/// Joined is what shares a face.
[[nodiscard]] std::vector<std::int32_t> volume_components(const VolumeDense& world);

}  // namespace fairlead::oracle
