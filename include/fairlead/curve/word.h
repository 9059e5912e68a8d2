// CurveWord: a path of arcs of one radius and straight lines, as Dubins and Reeds-Shepp paths are. Up to five segments,
// each to the left, straight or to the right, forward or in reverse, tangent to each other; where the gear changes is a
// cusp. A segment may also be a turn on the spot, for units that can do that; dubins.h and reeds_shepp.h give none.
//
//     const Pose here{{0, 0}, 0}, there{{4, 4}, kHalfPi};
//     const CurveWord way = shortest_dubins(here, there, 1.0);          // dubins.h
//     const Pose midway = pose_on_curve(here, 1.0, way, way.length / 2);
//     append_legs(way, here, 1.0, route.legs);
//
// Numbers are in units of the turning radius, so an arc's amount is its angle. The word does not hold the pose it starts
// from nor the radius: one word serves all places that lie to each other in the same way.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/aabb.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/route.h>

namespace fairlead {

enum class Steer : std::int8_t { right = -1, straight = 0, left = 1, spin = 2 };  // spin: on the spot

struct CurveSegment {
    double amount =
        0.0;  ///< in radii (arcs: radians); negative: in reverse. Spin: radians, positive counter-clockwise
    Steer steer = Steer::straight;

    friend bool operator==(const CurveSegment&, const CurveSegment&) = default;
};

inline constexpr int kCurveSegmentsMax = 5;

/// The largest turning radius, and the longest straight-line distance in radii: beyond it angles have too few digits.
inline constexpr double kCurveRadiusMax = 1e12;
inline constexpr double kCurveSpanMax = 1e12;

/// Whether the functions of this module may be asked for a way between these: they trust their arguments, and one that this
/// refuses is a caller's bug there (an assert). not_finite: a NaN or infinity in from, to or radius.
/// out_of_range: the radius is not in (0, kCurveRadiusMax], or the places are more than kCurveSpanMax radii
/// apart. Any finite heading will do.
[[nodiscard]] Result<void> check_curve(const Pose& from, const Pose& to, double radius);

struct CurveWord {
    CurveSegment segments[kCurveSegmentsMax] = {};
    std::int32_t count = 0;  ///< segments in use; some may have amount 0
    double length = 0.0;     ///< sum of |amount|, in radii; of a turn on the spot 0
    double cost = 0.0;       ///< what the words are ordered by: length, with the penalties asked for

    [[nodiscard]] std::span<const CurveSegment> used() const {
        return {segments, static_cast<std::size_t>(count)};
    }
    friend bool operator==(const CurveWord&, const CurveWord&) = default;
};

/// Changes of gear, segments of amount 0 and turns on the spot left out.
[[nodiscard]] int cusps(const CurveWord& word);

/// "L+ S+ R-": the letters and gears; T: a turn on the spot. At most 15 characters and a zero.
struct CurveName {
    char text[16] = {};
};
[[nodiscard]] CurveName name(const CurveWord& word);

/// Where the unit is after `distance` (in world units, 0 to radius x length, clamped) along the word from `start`. The
/// heading is where the unit faces, in reverse too; a turn on the spot at the word's end is not made. Cost: one sine a segment
/// passed.
[[nodiscard]] Pose pose_on_curve(const Pose& start, double radius, const CurveWord& word, double distance);

/// The end of the word.
[[nodiscard]] Pose end_of_curve(const Pose& start, double radius, const CurveWord& word);

/// The smallest box around the centre line, up to rounding outward by 1e-12 of its size.
[[nodiscard]] Aabb bounds_of_curve(const Pose& start, double radius, const CurveWord& word);

/// Appends the segments, those shorter than 1e-12 radii left out, as legs of kind drive (spin: turn) on `layer`, and gives
/// the end pose.
/// False: out of memory, `legs` as it was.
[[nodiscard]] bool append_legs(const CurveWord& word, const Pose& start, double radius, std::int32_t layer,
                               Array<Leg>& legs, Pose& end);

}  // namespace fairlead
