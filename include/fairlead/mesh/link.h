// Off-mesh links: ways between places of a level mesh that no floor joins. Ladders, jumps, doors that teleport, lifts.
//
//     const MeshEdit put[] = {MeshEdit::add_link({.id = 7, .from = {4, 2, 3}, .to = {6, 2, 0}, .one_way = true})};
//     Result<void> done = mesh->apply(put);
//     ...
//     if (leg.kind == LegKind::link) play(mesh->state().link(leg.link_id)->link.tag);
//
// A link leads from one place to another. With an `extent` it can be entered anywhere on a side of that length: the entry
// side has `from` in its middle and stands across the heading, the exit side is the same side with `to` in its middle, and who
// enters at a place of one leaves at the same place of the other. Without, both sides are points.
//
// Ends. Each end is put on the nearest surface within `reach` of it, as if there were no obstacles; from then on it stays
// there. Where there is no surface (an obstacle stands on it, its tile is not there) that part of the link cannot be used; when
// the surface comes back, the link does. Of a wide link the parts are used that have surface on both sides. The link is
// *asleep* when no part of it can be used.
//
// Cost is in units of length and is added to that of the way on the ground. It may be less than the distance, and 0.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>

namespace fairlead {

inline constexpr std::uint32_t kLinkKindsMax = 64;
inline constexpr double kLinkCostMax = 1e6;
/// MeshLink::cost: the straight distance between the ends, height included.
inline constexpr double kLinkCostStraight = -1.0;
/// MeshLink::heading_rad: from `from` to `to` as seen from above; 0 if one is above the other.
inline constexpr double kLinkHeadingAlong = 1e9;

struct MeshLink {
    std::uint32_t id = 0;             ///< the user's own; no other link of the mesh has it
    Vec3 from{};                      ///< middle of the entry side, in the world
    Vec3 to{};                        ///< middle of the exit side
    double extent = 0.0;              ///< length of the sides, >= 0
    bool one_way = false;             ///< only from `from` to `to`
    std::uint8_t kind = 0;            ///< below kLinkKindsMax; MeshFilter closes kinds and gives them prices
    double cost = kLinkCostStraight;  ///< 0 to kLinkCostMax, or kLinkCostStraight
    double heading_rad =
        kLinkHeadingAlong;  ///< of a unit that enters and leaves; against it on the way back. |heading| <= 1e4
    std::uint32_t tag = 0;    ///< the user's own: which animation
    double radius_max = 1e9;  ///< largest Agent::radius that may use it, >= 0
    double reach = 2.0;       ///< how far off the surface an end may be, across, above and below; >= 0

    friend bool operator==(const MeshLink&, const MeshLink&) = default;
};

/// A link as it is in one revision.
struct MeshLinkState {
    MeshLink link{};
    bool awake = false;  ///< it can be used, or a part of it
    Vec3 from{};         ///< where its ends are on the surface; what was asked for if there is none
    Vec3 to{};
    double heading_rad = 0.0;  ///< on the way there
    double cost = 0.0;         ///< of the way through its middle
};

}  // namespace fairlead
