// What a unit sees in a volume: does it fit here, is this line free, where is it blocked (the three calls of technique V6).
//
//     if (in_sight(*space, drone, target, 0.4)) fly_straight();
//     const VolumeHit hit = cast_ray(*space, muzzle, muzzle + aim * 100.0);
//
// A unit is a sphere about its position; radius 0 is a point; an Agent may be an upright capsule too (route/agent.h, height; its radius
// at least 1/1024 of a voxel's shortest side). A sphere fits where its middle is no nearer than `radius` to any
// solid voxel and to the bounds; touching fits, up to half the contact slack (math/contact.h). A line is free for it where it fits
// all along. A point's line is free where it keeps off every solid voxel, by 1.5e-8 voxels: it does not graze.
//
// Promises. Exact: what decides is the distance between the segment and each voxel's box, in one function, to 1e-12 voxels. The
// answer for (a, b) is that for (b, a). No allocation.
//
// Blockers (volume/blocker.h) may be given: they are in the way as solid voxels are, each looked at for each call, 10 ns. A blocker with a
// number that is not finite, or a radius below 0, is left out.
//
// Cost: open space is crossed in steps of up to 96 voxels; about 0.2 us a 256 voxels for a point, 0.5 us for a sphere.
//
// Source: technique V6 (Ceipek 1999); traversal: Amanatides and Woo 1987.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/volume/blocker.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

struct VolumeHit {
    bool blocked = false;
    double share = 1.0;         ///< of the line that is free, 0 to 1, rounded down
    Voxel voxel{};              ///< that stops it; outside the bounds where those do
    Vec3 position{};            ///< from + share x (to - from)
    std::int64_t blocker = -1;  ///< that stops it; `voxel` is then the one that holds the position
};

/// All positions are world units. NaN and infinite ones, and those too far to be counted in voxels, fit nowhere and see nothing.
[[nodiscard]] bool fits(const VolumeState& volume, Vec3 at, double radius = 0.0,
                        std::span<const VolumeBlocker> blockers = {});
[[nodiscard]] bool in_sight(const VolumeState& volume, Vec3 from, Vec3 to, double radius = 0.0,
                            std::span<const VolumeBlocker> blockers = {});
[[nodiscard]] VolumeHit cast_ray(const VolumeState& volume, Vec3 from, Vec3 to, double radius = 0.0,
                                 std::span<const VolumeBlocker> blockers = {});

/// The same of a unit that may have a height. One that find_route refuses fits nowhere and sees nothing.
[[nodiscard]] bool fits(const VolumeState& volume, Vec3 at, const Agent& agent,
                        std::span<const VolumeBlocker> blockers = {});
[[nodiscard]] bool in_sight(const VolumeState& volume, Vec3 from, Vec3 to, const Agent& agent,
                            std::span<const VolumeBlocker> blockers = {});
[[nodiscard]] VolumeHit cast_ray(const VolumeState& volume, Vec3 from, Vec3 to, const Agent& agent,
                                 std::span<const VolumeBlocker> blockers = {});

/// How far the nearest solid voxel or bound is, up to `limit` (world units). 0 inside of one.
[[nodiscard]] double clearance_at(const VolumeState& volume, Vec3 at, double limit);

/// BlockDistance3D of technique V6: between the middles of two voxels, world units.
[[nodiscard]] double voxel_distance(const VolumeState& volume, Voxel a, Voxel b);

}  // namespace fairlead
