// Relaxed Dubins paths: from a pose to a place, whatever the heading there (technique K2, corrected).
//
//     const CurveWord way = shortest_to_point({{0, 0}, 0}, {0, 5}, 1.0);   // L S, 5.6965
//
// An arc and a line (CS) if the place lies outside one of the two circles that the unit can begin on. The shortest path
// to a place inside such a circle is two arcs (CC): away from it first, then round. It is often said that such a place
// cannot be reached, or only by way of the other circle: that is up to 2.3 times too long.
//
// The distance is a lower bound of the way to every pose at that place, and so a heuristic that never exceeds the truth.
//
// Cost: 0.1 to 0.2 us. Errors: none; what check_curve (word.h) refuses is a caller's bug, an assert.
//
// Source: X. N. Bui, J.-D. Boissonnat, Accessibility region for a car that only moves forwards along optimal paths, 1994.
#pragma once

#include <fairlead/curve/word.h>

namespace fairlead {

inline constexpr int kRelaxedWords = 6;

[[nodiscard]] CurveWord shortest_to_point(const Pose& from, Vec2 to, double radius);

/// In world units.
[[nodiscard]] double distance_to_point(const Pose& from, Vec2 to, double radius);

/// All that exist in order of length: LS, RS, and LR and RL with both places for the second circle. 2 to 6.
[[nodiscard]] int words_to_point(const Pose& from, Vec2 to, double radius,
                                 std::span<CurveWord, kRelaxedWords> words);

}  // namespace fairlead
