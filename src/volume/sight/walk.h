// Sight: the walk along a line through the pyramid, for a point and for a sphere.
//
// The walk only finds which voxels could matter; what decides is the distance from the segment to the voxel's box
// (math/segment_space_box.h). So both directions of a line agree, however it is walked. A point's line takes a quick walk, voxel by voxel
// as the line crosses their faces; where a crossing is so near an edge that rounding could pick the wrong voxel, all voxels at the edge
// are asked. A line that runs along a side is left to the careful walk of spheres.
//
// Positions are in voxels from the low corner (StateData::in_voxels).
#pragma once

#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/volume/volume.h>

#include "math/segment_space_box.h"
#include "volume/data/state.h"
#include "volume/sight/blockers.h"

namespace fairlead::volume {

using math::first_within;
using math::is_within_before;
using math::nearest_on_segment;
using math::squared_at;
using Box = math::SpaceBox;

/// A point keeps this far off what is solid, voxels of the shortest side.
inline constexpr double kPointGap = 0x1p-26;
/// Where a line crosses a side of a voxel this near to another side, the quick walk asks all voxels there; in voxels, along the axis
/// on which the line moves least.
inline constexpr double kTie = 0x1p-23;

/// What is moved: a sphere, a point, or an upright capsule. What a capsule comes near to, its middle comes as near to, if all that is
/// solid is first made taller by half of what stands between its round ends, up and down.
struct Body {
    Body() = default;
    /// What touches it is what comes nearer than the radius by more than so many contact slacks; a point, nearer than `gap` voxels.
    Body(const StateData& state, double world_radius, double slacks = 0.5, double gap = kPointGap)
        : Body(state, world_radius, 0.0, slacks, gap) {}
    Body(const StateData& state, const Agent& agent, double slacks = 0.5, double gap = kPointGap)
        : Body(state, agent.radius, core_half_height(agent), slacks, gap) {}

    /// An upright cylinder, which Masks alone know: the walks of sight do not.
    [[nodiscard]] static Body cylinder(const StateData& state, double world_radius, double world_half);
    /// Does it fit in the middle of every free voxel?
    [[nodiscard]] bool is_narrow(const StateData& state) const;

    double radius = 0.0;  ///< world units; 0: a point
    double half = 0.0;    ///< world units: of a capsule, how much taller all that is solid is, up and down
    bool is_cylinder = false;
    double limit = 0.0;   ///< squared world distance below which it touches
    double grow[3] = {};  ///< voxels: how far from a line what touches it can be, and a little more
    double hit = 0.0;   ///< squared world distance of a voxel's middle below which it is touched for certain
    double miss = 0.0;  ///< and from which on it is not
    double miss_brick = 0.0;  ///< the same of a brick's middle
    double touch = 0.0;   ///< as limit, and so much less that rounding does not matter; 0: too small a body
    double clear = 0.0;   ///< and more; infinite
    double keep[3] = {};  ///< voxels: how far inside the bounds its middle stays
    double margin = 0.0;  ///< world units: a line keeps this far off blockers
    double give = 0.0;    ///< so deep a point may stand in one
    const BlockerTree* blockers = nullptr;  ///< null: none; as much taller

  private:
    Body(const StateData& state, double world_radius, double world_half, double slacks, double gap);
};

/// A voxel as a body of that Body::half meets it, world units from the low corner.
[[nodiscard]] inline Box taller_box(Vec3 s, Voxel v, double half) {
    return {{v.x * s.x, v.y * s.y, v.z * s.z - half},
            {(v.x + 1) * s.x, (v.y + 1) * s.y, (v.z + 1) * s.z + half}};
}

struct SightHit {
    bool blocked = false;
    double share = 1.0;  ///< of the line up to where it is blocked
    Voxel voxel{};
    std::int64_t blocker = -1;  ///< that blocks it; `voxel` is the one where it does
};

/// Is the middle of the body in the bounds, and far enough from them?
[[nodiscard]] bool inside(const StateData& state, const Body& body, Vec3 at);

/// Is the line free? Both ends are inside().
[[nodiscard]] bool sees(const StateData& state, const Body& body, Vec3 from, Vec3 to);
/// The same, and where it is blocked first.
[[nodiscard]] SightHit look(const StateData& state, const Body& body, Vec3 from, Vec3 to);

/// The same two questions of one blocker; both ends in voxels.
[[nodiscard]] bool sees_past(const StateData& state, const Body& body, const Obstacle& o, Vec3 from, Vec3 to);
[[nodiscard]] bool stands_beside(const StateData& state, const Body& body, const Obstacle& o, Vec3 at);
/// What of it comes before what has been hit so far.
void look_past(const StateData& state, const Body& body, const Obstacle& o, std::int64_t number, Vec3 from,
               Vec3 to, SightHit& hit);

/// How far what is solid, made taller by `half`, and the bounds are from a place in world units, up to `limit`.
[[nodiscard]] double room_at(const StateData& state, Vec3 at, double half, double limit);

/// Does the body fit with its middle there? A point fits where it is in, or on the side of, a free voxel.
[[nodiscard]] bool stands(const StateData& state, const Body& body, Vec3 at);
/// The free voxel that holds a point or has it on its side, but for the contact slack: its own before others. False: none.
[[nodiscard]] bool free_voxel_at(const StateData& state, Vec3 at, Voxel& voxel);

// ---- the two walks --------------------------------------------------------------------------------------------

enum class WalkEnd : std::uint8_t { free, blocked, unsure };
[[nodiscard]] WalkEnd walk_point(const StateData& state, const Body& body, Vec3 from, Vec3 to, SightHit& hit);
/// `first`: where it is blocked first is asked; else any voxel that blocks will do.
[[nodiscard]] bool walk_body(const StateData& state, const Body& body, Vec3 from, Vec3 to, bool first,
                             SightHit& hit);

}  // namespace fairlead::volume
