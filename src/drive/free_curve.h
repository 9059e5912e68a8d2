// The cheapest free curve between two exact poses, whatever the lattice says: all words in order of cost, the first whose
// sweep touches no wall (technique C10).
#pragma once

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "drive/ground_distance.h"

namespace fairlead::drive {

struct FreeCurve {
    CurveWord word{};
    double cost = 0.0;  ///< cells; penalties included, a change of gear before its first segment as well
    Gear first = Gear::forward;
    Gear last = Gear::forward;
};

/// What curves are made for. All lengths in cells.
struct CurveWorld {
    GroundBits free{};
    BodyCore body{};
    double radius = 1.0;  ///< turning radius
    bool can_reverse = false;
    double reverse_penalty = 1.0;
    double cusp_penalty = 0.0;

    /// The cheapest free curve of those that cost less than `limit` and turn by no more than a whole circle, out of the
    /// `tries` cheapest. `gear`: what it is driven in before.
    [[nodiscard]] bool find(const Pose& from, Gear gear, const Pose& to, double limit, int tries,
                            FreeCurve& out) const {
        return can_reverse ? find_either(from, to, gear, limit, tries, out)
                           : find_forward(from, to, gear, limit, tries, out);
    }
    /// Without reverse. Twice as fast.
    [[nodiscard]] bool find_forward(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                                    FreeCurve& out) const;

  private:
    [[nodiscard]] bool accept(const CurveWord& word, const Pose& from, Gear gear, double limit,
                              FreeCurve& out) const;
    [[nodiscard]] bool find_either(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                                   FreeCurve& out) const;
};

/// Angle by which a curve turns in all, either way.
[[nodiscard]] double turning_of(const CurveWord& word);

/// The same curve from its end back to its start, in the other gear.
[[nodiscard]] CurveWord driven_back(const CurveWord& word);

}  // namespace fairlead::drive
