// The cheapest free curve between two exact poses, whatever the lattice says: all words in order of cost, the first whose
// sweep touches no wall (technique C10). Units that turn on the spot have one more word for each gear: turn, line, turn, each
// turn by the shorter way round if that is free, else by the longer one.
#pragma once

#include <span>

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "drive/cost/terrain.h"
#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

class BlockerSweep;

inline constexpr std::uint32_t kAnySheet = UINT32_MAX;

/// A pose, and the sheet of a surface with several floors that it is on; a map has one sheet, 0.
struct SheetPose : Pose {
    std::uint32_t sheet = 0;

    SheetPose() = default;
    SheetPose(const Pose& pose, std::uint32_t on = 0) : Pose(pose), sheet(on) {}
};

/// Instead of a map's free cells: may a curve be driven from a pose, and which sheet does it end on? And instead of its terrain:
/// what does one that may be driven cost, without changes of gear and turns on the spot?
struct SheetSweep {
    bool (*is_free)(const SheetPose& from, double radius, const CurveWord& word, std::uint32_t& sheet,
                    void* user) = nullptr;
    double (*cost)(const SheetPose& from, double radius, const CurveWord& word, double reverse_penalty,
                   void* user) =
        nullptr;  ///< null: all lengths cost the same; else never less than their length
    void* user = nullptr;
};

struct FreeCurve {
    CurveWord word{};
    double plain = 0.0;  ///< cells, by terrain; penalties included
    double cost = 0.0;   ///< and a change of gear before its first segment, if there is one
    Gear first = Gear::forward;
    Gear last = Gear::forward;
    std::uint32_t sheet = 0;  ///< that it ends on
    std::uint32_t link_id = 0;
    bool is_link = false;  ///< not a curve (`word` is empty) but the map's link `link_id`
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
    SheetSweep surface{};                    ///< is_free null: `free` counts
    const BlockerSweep* blockers = nullptr;  ///< of the query; null: none

    /// May the body be driven along a curve, to a pose on a sheet (kAnySheet: whichever it is)? Tells the sheet.
    [[nodiscard]] bool passes(const SheetPose& from, const CurveWord& word, std::uint32_t to,
                              std::uint32_t& sheet) const;

    /// What a curve costs, changes of gear and turns on the spot on the way included.
    [[nodiscard]] double cost_of(const CurveWord& word, const SheetPose& from) const;

    /// The cheapest free curve of those that cost less than `limit` and turn by no more than a whole circle, out of the
    /// `tries` cheapest. `gear`: what it is driven in before.
    [[nodiscard]] bool find(const SheetPose& from, Gear gear, const SheetPose& to, double limit, int tries,
                            FreeCurve& out) const {
        const bool turns = can_pivot && find_turning(from, gear, to, limit, can_reverse, out);
        if (turns) limit = out.cost;
        const bool curves = can_reverse ? find_either(from, to, gear, limit, tries, out)
                                        : find_word_forward(from, to, gear, limit, tries, out);
        return turns || curves;
    }
    /// The same to the cheapest of several poses, and which one.
    [[nodiscard]] bool find_any(const SheetPose& from, Gear gear, std::span<const SheetPose> to, int tries,
                                FreeCurve& out, int& which) const;
    /// Without reverse. Twice as fast.
    [[nodiscard]] bool find_forward(const SheetPose& from, const SheetPose& to, Gear gear, double limit,
                                    int tries, FreeCurve& out) const {
        const bool turns = can_pivot && find_turning(from, gear, to, limit, false, out);
        if (turns) limit = out.cost;
        return find_word_forward(from, to, gear, limit, tries, out) || turns;
    }
    /// Turn, line, turn: the cheaper gear, if it is free and costs less than `limit`. Only where the unit can pivot.
    [[nodiscard]] bool find_turning(const SheetPose& from, Gear gear, const SheetPose& to, double limit,
                                    bool either_gear, FreeCurve& out) const;

  private:
    [[nodiscard]] bool accept_turning(const SheetPose& from, Gear gear, const SheetPose& to, Gear way,
                                      double limit, FreeCurve& out) const;
    [[nodiscard]] bool uniform() const { return terrain.uniform() && surface.cost == nullptr; }
    [[nodiscard]] double driven_cost(const CurveWord& word, const SheetPose& from) const;
    [[nodiscard]] bool free_turn(const SheetPose& at, double& turn) const;
    [[nodiscard]] bool find_word_forward(const SheetPose& from, const SheetPose& to, Gear gear, double limit,
                                         int tries, FreeCurve& out) const;
    [[nodiscard]] bool accept(const CurveWord& word, const SheetPose& from, const SheetPose& to, Gear gear,
                              double limit, FreeCurve& out) const;
    [[nodiscard]] bool find_either(const SheetPose& from, const SheetPose& to, Gear gear, double limit,
                                   int tries, FreeCurve& out) const;
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
