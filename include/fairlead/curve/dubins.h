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
// Promises: each word ends at the goal within 1e-10 radii plus the rounding of the coordinates. Arcs of less than 1e-10
// or within 1e-10 of a full turn are none: a goal dead ahead never gives a full circle. Same result on every compiler.
//
// Cost: shortest_dubins about 0.1 us: which of the arcs of LSL and RSR goes all round follows from signs of cross
// products, and words whose straight part alone is longer than the best so far are not worked out.
//
// Errors: none. Poses must be finite and radius finite and > 0 (an assert); 0 < distance / radius < 1e12.
//
// Source: L. E. Dubins, On curves of minimal length with a constraint on average curvature, 1957. Shkel and Lumelsky,
// Classification of the Dubins set, 2001, for the idea of deciding by quadrants.
#pragma once

#include <fairlead/curve/word.h>

namespace fairlead {

inline constexpr int kDubinsWords = 6;

[[nodiscard]] CurveWord shortest_dubins(const Pose& from, const Pose& to, double radius);

/// In world units: what shortest_dubins would need. A little faster.
[[nodiscard]] double dubins_distance(const Pose& from, const Pose& to, double radius);

/// distances[i] = dubins_distance(from[i], to[i], radius) to the last bit, five times as fast. The three lists are equally
/// long.
void dubins_distances(std::span<const Pose> from, std::span<const Pose> to, double radius, std::span<double> distances);

/// All words that exist, 4 to 6, in order of length; equal lengths in the order LSL RSR LSR RSL RLR LRL.
[[nodiscard]] int dubins_words(const Pose& from, const Pose& to, double radius,
                               std::span<CurveWord, kDubinsWords> words);

}  // namespace fairlead
