// Agent: what moves. One value for every kind of unit; the planners read the parts that concern them.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/base/result.h>
#include <fairlead/math/aabb.h>

namespace fairlead {

enum class BodyShape : std::uint8_t {
    disc,  ///< round; looks the same whichever way it faces: a sphere in volumes, with a height an upright capsule
    box,      ///< a rectangle that turns with the unit's heading
    capsule,  ///< a rectangle with round ends that turns with the unit's heading
};

/// What moves, in world units. A disc by default; radius 0 is a point that may touch walls.
///
/// Wherever a position of the unit is asked for or given, it is the unit's *axle*: the point whose path has a
/// curvature of at most 1 / turning_radius. The middle of the body lies axle_offset ahead of it; for a disc and
/// a footprint the two are the same.
///
/// With `footprint` n > 0 the body is instead an axis-aligned square of n x n tiles (tile worlds only) and the
/// shape is ignored; for an even n its position is a corner of tiles.
struct Agent {
    double radius = 0.0;         ///< disc, capsule: finite, >= 0
    std::int32_t footprint = 0;  ///< 0: as `shape` says; 1 to 64: side of the square in tiles
    BodyShape shape = BodyShape::disc;
    double length = 0.0;  ///< box, capsule: from end to end along the heading; a capsule's is >= 2 radius
    double width = 0.0;   ///< box: across
    double axle_offset = 0.0;  ///< box, capsule: from the axle forward to the middle; |axle_offset| <= length
    double turning_radius = 0.0;  ///< >= 0; 0: it turns on the spot
    bool can_reverse = false;     ///< it may drive backward (where turning_radius > 0)
    bool can_pivot = false;       ///< it may also turn on the spot (where turning_radius > 0)
    /// Volumes alone, anywhere else 0: from the lowest to the highest point, its position in the middle. A disc of height 0 is a
    /// sphere; else it stands upright, a capsule with a vertical axis: height >= 2 radius > 0. A box stays level.
    double height = 0.0;

    friend bool operator==(const Agent&, const Agent&) = default;
};

/// Are all numbers finite and in the ranges stated above? not_finite or out_of_range, with the field; unsupported: a height.
[[nodiscard]] Result<void> check_body(const Agent& agent);
/// The same of a body in a volume, which may have a height.
[[nodiscard]] Result<void> check_body_in_space(const Agent& agent);
[[nodiscard]] bool good_body(const Agent& agent);

/// The shape in the unit's own frame (x ahead, y to the left, origin at the axle): all points within `radius` of
/// the box `core`. A disc's core is a point, a capsule's a line, a box's its rectangle with radius 0. Not for
/// footprints.
struct BodyCore {
    Aabb core{};
    double radius = 0.0;
};
[[nodiscard]] BodyCore body_core(const Agent& agent);
/// What of the body is compared with a surface that ends `margin` before the walls (level meshes; margin >= 0): if this lies on
/// the surface, every point of the body is within `margin` of it. A disc or a capsule loses `margin` of its radius, then of
/// its length; a box margin / sqrt 2 on every side, or what it has and more of the other side. Always holds the axle.
[[nodiscard]] BodyCore body_beyond(const Agent& agent, double margin);
/// The shape `factor` times as large, about the axle.
[[nodiscard]] BodyCore scaled_body(const BodyCore& body, double factor);

/// Distance from the axle to the farthest point of the body, on the ground.
[[nodiscard]] double circumscribed_radius(const Agent& agent);
/// The same in space: of the sphere about the position that holds the body.
[[nodiscard]] double circumscribed_sphere(const Agent& agent);

/// Radius of the largest disc around the axle inside the body; negative is not possible: 0 where the axle lies
/// outside it.
[[nodiscard]] double inscribed_radius(const Agent& agent);

/// Of a body with a height: how far its core, which body_core() tells on the ground, reaches up and down. 0 for a sphere.
[[nodiscard]] double core_half_height(const Agent& agent);

}  // namespace fairlead
