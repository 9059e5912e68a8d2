// Random volumes for tests, all from one seeded stream, as plain arrays and as the library's bricks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/volume/volume.h>

#include "oracle/volume_dense.h"

namespace fairlead::testing {

enum class VolumeKind : std::uint8_t {
    noise,         ///< 5 to 45 % of the voxels are solid
    sparse_noise,  ///< 0.5 to 8 %
    rooms,         ///< walls with holes of 1 to 3 voxels
    plates,        ///< sheets with ragged holes
    stairs,        ///< oblique steps, in two directions
    tunnels,       ///< solid, with winding ways 1 to 3 wide
    boxes,         ///< closed boxes in the open, some with a pin hole
    asteroids,     ///< balls in the open
    open,          ///< nothing
    count_,
};

[[nodiscard]] const char* volume_kind_name(VolumeKind kind);

/// A world of that kind and size: cubes of side 1 from (0, 0, 0) on.
[[nodiscard]] oracle::VolumeDense random_volume(Rng& rng, VolumeKind kind, Voxel size);
/// Of any kind; sides of 1 to `side_max` voxels, few of them multiples of 4 or 16; one in three is far from the origin,
/// with sides of any length.
[[nodiscard]] oracle::VolumeDense any_volume(Rng& rng, std::int32_t side_max);
/// Somewhere else, with voxels of other sides (at most 4 to 1).
void move_volume(Rng& rng, oracle::VolumeDense& world);

/// Options with the memory behind them.
struct VolumeBricks {
    VolumeOptions options{};
    std::vector<VoxelBrick> bricks{};

    explicit VolumeBricks(const oracle::VolumeDense& world);
    VolumeBricks(const VolumeBricks&) = delete;
    VolumeBricks& operator=(const VolumeBricks&) = delete;
};
/// The library's volume; ends the program where that is refused.
[[nodiscard]] Volume make_volume(const oracle::VolumeDense& world);

/// A free voxel; false: after many trials none was found.
[[nodiscard]] bool draw_free(Rng& rng, const oracle::VolumeDense& world, Voxel& out);
/// A place in it, world units: one in three its middle, one in three anywhere in it, else at a multiple of 1/16.
[[nodiscard]] Vec3 draw_place(Rng& rng, const oracle::VolumeDense& world, Voxel in);

/// A .3dmap text: `voxel X Y Z`, then the solid voxels.
[[nodiscard]] oracle::VolumeDense read_voxel_map(const std::string& text);
/// A line of a .3dscen text: from, to, the published cost.
struct VolumeTask {
    Voxel from{};
    Voxel to{};
    double cost = 0.0;
};
[[nodiscard]] std::vector<VolumeTask> read_voxel_tasks(const std::string& text);

}  // namespace fairlead::testing
