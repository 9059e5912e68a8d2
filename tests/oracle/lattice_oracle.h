// Dijkstra's algorithm over the poses of a lattice, as plainly as can be: the witness for the planner `lattice`. Of the
// search it shares the list of curves alone (PrimitiveSet). Whether a curve may be driven is asked of verify, with a route
// of that one curve; nothing of the edge map, the swept masks, the bounds or the search engine is used.
//
// Start and goal are poses of the lattice. The search may also end with a curve of its own to the goal, from a
// pose near it. So there are three answers: on_lattice without such curves and with_shortest, with no more than the shortest
// one of each pose, which the cost of the search never exceeds; and with_curves, where every legal word may be used, which
// it never undercuts.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <fairlead/drive/primitives.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/blocker.h>

namespace fairlead::oracle {

inline constexpr double kNoWay = std::numeric_limits<double>::infinity();

struct OraclePose {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t heading = 0;
};

struct LatticeCosts {
    double reverse_penalty = 1.5;
    double cusp_penalty = 1.0;
    double curve_reach = 0.0;        ///< the last curve begins this near to the goal, cells
    double curve_turn_max = kTwoPi;  ///< and turns by no more than this in all
    double pivot_penalty = 2.0;      ///< a radian on the spot
};

struct LatticeAnswer {
    double on_lattice = kNoWay;
    double with_shortest = kNoWay;
    double with_curves = kNoWay;
};

/// The grid's cells are 1 wide and begin at the origin. Keeps what it has asked of verify for the next query.
class LatticeOracle {
  public:
    /// `blockers` are kept by reference.
    LatticeOracle(const GridState& grid, const Agent& agent, const PrimitiveSet& set,
                  std::span<const Blocker> blockers = {});

    [[nodiscard]] LatticeAnswer find(const OraclePose& start, const OraclePose& goal,
                                     const LatticeCosts& costs);
    [[nodiscard]] bool may_drive(std::int32_t x, std::int32_t y, std::size_t primitive);
    [[nodiscard]] std::uint64_t asked() const { return asked_; }

  private:
    [[nodiscard]] std::size_t state(const OraclePose& at, Gear gear) const;
    [[nodiscard]] bool legal(const CurveWord& word, const Pose& from);
    [[nodiscard]] Pose pose_of(const OraclePose& at) const;
    void sweep(const OraclePose& start, const LatticeCosts& costs, std::vector<double>& cost);
    void try_curves(const Pose& from, Gear gear, const Pose& goal, const LatticeCosts& costs, double so_far,
                    LatticeAnswer& answer);
    void try_turning(const Pose& from, Gear gear, const Pose& goal, const LatticeCosts& costs, double so_far,
                     LatticeAnswer& answer);

    const GridState& grid_;
    const Agent& agent_;
    const PrimitiveSet& set_;
    std::span<const Blocker> blockers_;
    std::vector<std::uint8_t> known_;  // by cell and primitive: 0 not asked, 1 no, 2 yes
    std::uint64_t asked_ = 0;
};

}  // namespace fairlead::oracle
