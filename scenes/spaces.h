// Volumes made by code: for tests, pictures and examples of flying and swimming. Cubes of side 1 from (0, 0, 0) on, z up.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/volume/volume.h>

namespace fairlead::scenes {

struct Space {
    Voxel size{};
    std::vector<VolumeEdit> edits{};  ///< of the empty volume, in this order
    Vec3 start{};
    Vec3 goal{};
    VoxelBox shown{};  ///< of the solid voxels, for pictures that cut the rest away; empty: all of them

    [[nodiscard]] Result<Volume> make() const;
};

/// 72 x 56 x 40 voxels with 100 rocks, from one end to the other.
[[nodiscard]] Space asteroid_field();

/// 64 x 56 x 32 voxels of rock with winding ways 5 wide, forks, dead ends and two halls.
[[nodiscard]] Space tunnels();

/// The article's worst case: the goal lies inside an object with one small entrance, on the far side and behind a plate; inside are two
/// rooms. 64 x 64 x 40 voxels.
[[nodiscard]] Space sealed_object();

/// A flat plate of side^2 voxels, one thick, in the middle of open space; start and goal 5 voxels before and behind its middle. So
/// far off are the bounds that no way round is longer for them: side + 12 to each side.
[[nodiscard]] Space plate(std::int32_t side);

/// A sea of 96 x 56 x 36 voxels: a trench, a ridge, and a station of two decks on legs. The way leads up over the ridge, down and below
/// the station, up through its moon pool, over a wall, up a shaft and back on the upper deck.
[[nodiscard]] Space sea();

/// Three round pillars to wind between, as the balls in the article's picture of the path follower. 52 x 40 x 15 voxels.
[[nodiscard]] Space three_pillars();

}  // namespace fairlead::scenes
