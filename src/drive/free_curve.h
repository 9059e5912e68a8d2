// The cheapest free curve between two exact poses, whatever the lattice says: all words in order of cost, the first whose
// sweep touches no wall (technique C10). Units that turn on the spot have one more word for each gear: turn, line, turn, each
// turn by the shorter way round if that is free, else by the longer one.
#pragma once

#include <span>

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "drive/ground_distance.h"
#include "drive/terrain.h"

namespace fairlead::drive {

struct FreeCurve {
    CurveWord word{};
    double plain = 0.0;  ///< cells, by terrain; penalties included
    double cost = 0.0;   ///< and a change of gear before its first segment, if there is one
    Gear first = Gear::forward;
    Gear last = Gear::forward;
};

/// A word and the gears that it begins and ends in: `before`, where it does not move. At no cost.
[[nodiscard]] FreeCurve with_gears(const CurveWord& word, Gear before = Gear::forward);

/// What curves are made for. All lengths in cells.
struct CurveWorld {
    GroundBits free{};
    BodyCore body{};
    double radius = 1.0;  ///< turning radius
    bool can_reverse = false;
    double reverse_penalty = 1.0;
    double cusp_penalty = 0.0;
    bool can_pivot = false;
    double pivot_penalty = 0.0;  ///< of a turn on the spot, for a radian
    Terrain terrain{};

    /// What a curve costs, changes of gear and turns on the spot on the way included.
    [[nodiscard]] double cost_of(const CurveWord& word, const Pose& from) const;

    /// The cheapest free curve of those that cost less than `limit` and turn by no more than a whole circle, out of the
    /// `tries` cheapest. `gear`: what it is driven in before.
    [[nodiscard]] bool find(const Pose& from, Gear gear, const Pose& to, double limit, int tries,
                            FreeCurve& out) const {
        const bool turns = can_pivot && find_turning(from, gear, to, limit, can_reverse, out);
        if (turns) limit = out.cost;
        const bool curves = can_reverse ? find_either(from, to, gear, limit, tries, out)
                                        : find_word_forward(from, to, gear, limit, tries, out);
        return turns || curves;
    }
    /// The same to the cheapest of several poses, and which one.
    [[nodiscard]] bool find_any(const Pose& from, Gear gear, std::span<const Pose> to, int tries,
                                FreeCurve& out, int& which) const;
    /// Without reverse. Twice as fast.
    [[nodiscard]] bool find_forward(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                                    FreeCurve& out) const {
        const bool turns = can_pivot && find_turning(from, gear, to, limit, false, out);
        if (turns) limit = out.cost;
        return find_word_forward(from, to, gear, limit, tries, out) || turns;
    }
    /// Turn, line, turn: the cheaper gear, if it is free and costs less than `limit`. Only where the unit can pivot.
    [[nodiscard]] bool find_turning(const Pose& from, Gear gear, const Pose& to, double limit,
                                    bool either_gear, FreeCurve& out) const;

  private:
    [[nodiscard]] bool accept_turning(const Pose& from, Gear gear, const Pose& to, Gear way, double limit,
                                      FreeCurve& out) const;
    [[nodiscard]] bool free_turn(const Pose& at, double& turn) const;
    [[nodiscard]] bool find_word_forward(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                                         FreeCurve& out) const;
    [[nodiscard]] bool accept(const CurveWord& word, const Pose& from, Gear gear, double limit,
                              FreeCurve& out) const;
    [[nodiscard]] bool find_either(const Pose& from, const Pose& to, Gear gear, double limit, int tries,
                                   FreeCurve& out) const;
};

/// Angle by which a curve turns on the spot in all, either way.
[[nodiscard]] double turned_on_spot(const CurveWord& word);
/// Is it nothing but turns on the spot? An empty word is not.
[[nodiscard]] bool only_turns(const CurveWord& word);

/// Angle by which a curve turns in all, either way.
[[nodiscard]] double turning_of(const CurveWord& word);

/// The same curve from its end back to its start, in the other gear.
[[nodiscard]] CurveWord driven_back(const CurveWord& word);

}  // namespace fairlead::drive
