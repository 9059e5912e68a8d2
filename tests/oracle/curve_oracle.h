// Shortest curves by numbers alone, for comparison: no formula of the curve module, long double, the standard library.
//
// A word is a first arc, a middle part with one unknown amount, and a last arc. The first arc turns the rest about the start's
// circle, so the middle's unknown is where the distance between the two outer centres is that of the problem: found by
// scanning and bisection. Then the first arc is the angle between the two, and the last one what the headings leave. Every
// solution is a way that can be driven; the shortest over all middles that Dubins, or Reeds and Shepp, prove sufficient is
// the optimum.
#pragma once

#include <fairlead/math/pose.h>

namespace fairlead::oracle {

/// Radius 1. A solution that touches only (a double root) may be missed: for poses in no special position.
[[nodiscard]] double dubins_length(const Pose& from, const Pose& to);
[[nodiscard]] double reeds_shepp_length(const Pose& from, const Pose& to);

}  // namespace fairlead::oracle
