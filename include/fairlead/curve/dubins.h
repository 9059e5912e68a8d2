// Dubins paths: the ways of a unit that cannot turn tighter than a radius and cannot reverse, from one pose to another.
//
//     const CurveWord way = shortest_dubins({{0, 0}, 0}, {{4, 4}, kHalfPi}, 1.0);   // L S L, 5.8134
//     CurveWord words[kDubinsWords];
//     const int found = dubins_words(from, to, 1.0, words);                         // all, the shortest first
//
// There are six words: LSL, RSR, LSR, RSL, RLR and LRL; the shortest path is one of them (Dubins 1957). The last two are
// often left out and are the shortest for places nearer than four radii. dubins_words gives those that exist: the
// shortest may be blocked and another free.
//
// Promises: each word ends at the goal within 1e-10 radii, plus 1e-14 of the distance, plus the rounding of the coordinates.
// What would be a full circle only because of such a difference is no arc: a goal dead ahead gives a straight line. Same
// result on every compiler and processor.
//
// Cost, nanoseconds: dubins_distance 60 to 90, shortest_dubins 85 to 115, dubins_distances 25 to 35 a pair; docs/curves.md.
// No word is tried that cannot win: which of the arcs of LSL and RSR go all round follows from signs of cross products, and
// LSR, RSL and the three arcs are worked out only where they may be shorter. Nothing is allocated.
//
// Errors: none. What check_curve (word.h) refuses is a caller's bug: NaN, radius 0 and so on end in an assert.
//
// Source: L. E. Dubins, On curves of minimal length with a constraint on average curvature, 1957. Shkel and Lumelsky,
// Classification of the Dubins set, 2001, for the idea of deciding without inverse functions.
#pragma once

#include <fairlead/curve/word.h>

namespace fairlead {

inline constexpr int kDubinsWords = 6;

[[nodiscard]] CurveWord shortest_dubins(const Pose& from, const Pose& to, double radius);

/// In world units: the length of the shortest, equal to shortest_dubins' up to rounding.
[[nodiscard]] double dubins_distance(const Pose& from, const Pose& to, double radius);

/// distances[i] = dubins_distance(from[i], to[i], radius) to the last bit, two or three times as fast. The three lists are equally
/// long.
void dubins_distances(std::span<const Pose> from, std::span<const Pose> to, double radius,
                      std::span<double> distances);

/// All words that exist, 4 to 6, in order of length; equal lengths in the order LSL RSR LSR RSL RLR LRL.
[[nodiscard]] int dubins_words(const Pose& from, const Pose& to, double radius,
                               std::span<CurveWord, kDubinsWords> words);

}  // namespace fairlead
