// Fixed-angle art: lines and arcs redrawn with straight legs along equal facings, for units drawn as sprites that have
// 8, 16 or 32 pictures (techniques A1 to A3).
//
//     FacingPath way;
//     line_on_facings({0, 0}, {5, 2}, 16, FacingOrder::right_first, way);    // two legs, along 0 and 22.5 degrees
//     arc_outside({{0, 0}, 0}, 0.5, kPi, 16, way);                           // half a polygon around the half circle
//     arc_inside({{0, 0}, 0}, 0.5, kPi, 16, way);                            // half a polygon within it
//
// Facing k of n is the direction k 2 pi / n, counter-clockwise from +x. They are equal parts of the circle, as the artist
// drew them; the headings of a lattice (drive/headings.h) are not.
//
//   * A line becomes two legs along the facings on either side of its direction, in either order. They leave the line by at
//     most L/2 tan(step/2) (n = 8: 0.207 L, 16: 0.0995 L, 32: 0.0493 L) and are at most 1 / cos(step/2) times as long
//     (+8.24 %, +1.96 %, +0.48 %). A line along a facing stays one leg.
//   * An arc becomes a part of the polygon around its circle: the tangents at all facings that it passes, entered and left
//     at the arc's own ends (the article's program snaps them, and the unit jumps). It leaves the circle by at most
//     r / cos(step/2) - r (+8.24 %, +1.96 %, +0.48 % of r) and is at most tan(step/2) / (step/2) times as long, entry and exit
//     aside (+5.48 %, +1.31 %, +0.32 %).
//   * Or of the polygon within it: chords along the facings. It leaves the circle by at most r - r cos(step/2).
//
// Promises: the legs of a path join its two ends; each corner is where the legs before it lead, within 4e-16 of the
// coordinates and lengths. No leg is shorter than 1e-12. A side offset of up to 1e-11, and 1e-15 of the
// coordinates, counts as along a facing.
// Deterministic. Nothing is allocated. Cost: some 30 ns a leg.
//
// Errors: none; a number of facings that good_facings refuses, and NaN, are a caller's bug: an assert.
//
// Source: M. Pinter, Toward More Realistic Pathfinding, 2001, fixed-angle art; the ends, both orders and the inner polygon
// are ours.
#pragma once

#include <cstdint>

#include <fairlead/math/pose.h>
#include <fairlead/route/route.h>

namespace fairlead {

/// 8, 16 or 32.
[[nodiscard]] constexpr bool good_facings(std::int32_t facings) {
    return facings == 8 || facings == 16 || facings == 32;
}

/// In [0, 2 pi). 0 <= facing < facings.
[[nodiscard]] double facing_rad(std::int32_t facings, std::int32_t facing);

/// The facing nearest to an angle; of two equally near the upper one.
[[nodiscard]] std::int32_t nearest_facing(std::int32_t facings, double angle_rad);

/// One straight leg: from where the one before ended (the first: from the path's start).
struct FacingLeg {
    std::int32_t facing = 0;  ///< direction of travel
    double length = 0.0;      ///< > 0
    Vec2 end{};

    friend bool operator==(const FacingLeg&, const FacingLeg&) = default;
};

/// Room for the polygon of a whole turn with 32 facings, entry and exit included.
inline constexpr int kFacingLegsMax = 40;

struct FacingPath {
    FacingLeg legs[kFacingLegsMax] = {};
    int count = 0;
};

enum class FacingOrder : std::uint8_t {
    right_first,  ///< first along the facing on the line's right: the path runs on its right side
    left_first,
};

/// Replaces `path` by the line from `from` to `to`: no leg (the same place), one or two.
void line_on_facings(Vec2 from, Vec2 to, std::int32_t facings, FacingOrder order, FacingPath& path);

/// Replaces `path` by the polygon around an arc: from `start`, *travelling* along its heading, for `length` (>= 0) on a
/// circle of signed `curvature` (not 0; positive: to the left). At most one whole turn, |curvature| length <= 2 pi.
void arc_outside(const Pose& start, double curvature, double length, std::int32_t facings, FacingPath& path);

/// The same by the polygon within it.
void arc_inside(const Pose& start, double curvature, double length, std::int32_t facings, FacingPath& path);

/// What a sprite shows that is drawn with the facing nearest to its heading, and moves as the route says (technique A1):
/// the largest angle between its motion and its picture, 0 to pi / facings, over all drive legs. On curves it is
/// pi / facings as soon as one passes the middle between two facings. The eye sees it as sliding.
[[nodiscard]] double drawn_error_rad(const Route& route, std::int32_t facings);

}  // namespace fairlead
