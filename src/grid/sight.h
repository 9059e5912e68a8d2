// Sight: exact tests of a body moved along a straight segment over the tile world, in cell units (the map's
// low corner is the origin, a cell is 1 x 1). See sight.cpp for the geometry.
//
// What is in the way: walls, everything outside the map on an axis that does not wrap, terrain that the
// filter closes, blockers. The body may touch all of them: overlaps of up to 1e-9 cell are legal. Accepted
// for certain is what overlaps by no more than 0.4e-9, so that a verifier with slack 1e-9 always agrees.
//
// A point (radius 0) runs along a wall's side and past its corner, but not along the side that two walls
// share, nor, unless corner == always, through the corner where two walls meet diagonally with free cells on
// the other diagonal. It may end there.
//
// Positions on a wrapped axis may run past the edge of the map: they are taken modulo its size.
#pragma once

#include <span>

#include <fairlead/grid/query.h>
#include <fairlead/math/vec.h>

#include "grid/body.h"
#include "grid/state.h"

namespace fairlead::route {
class BlockerIndex;
}

namespace fairlead::grid {

/// Overlaps up to this many cells count as touching.
inline constexpr double kSightSlack = kTouchSlack;

/// What a moved body must not touch and what its way costs. Everything in cells.
struct SightWorld {
    const StateData* state = nullptr;
    std::int32_t layer = 0;
    double radius = 0.0;                    ///< of a disc; ignored for a footprint
    std::int32_t footprint = 0;             ///< > 0: an axis-aligned square of so many cells
    CornerRule corner = CornerRule::never;  ///< for a point unit: may it pass the corner between walls?
    const std::uint16_t* costs =
        nullptr;  ///< by terrain, 0 = may not enter; null: uniform cost 1 and no filter
    std::span<const std::uint8_t> influence{};  ///< empty, or one byte for every cell of the grid
    std::int32_t influence_weight = 0;
    std::span<const Blocker> blockers{};                 ///< already in cell units
    const route::BlockerIndex* blocker_index = nullptr;  ///< of all of them; null: each is looked at
    double slack = kSightSlack;  ///< more for places of a route, which are rounded to the world's coordinates
};

/// Positions on a wrapped axis farther out than this are not looked at: can_sweep is false.
inline constexpr double kSightReachMax = 0x1p22;

/// A SightWorld made ready. Cheap to make (a look at the 256 costs, if there are any), so make one per query;
/// the state and the spans must outlive it.
class Sight {
  public:
    Sight() = default;
    Sight(const SightWorld& world);

    /// May the body move from a to b? a == b: may it be there? Non-finite positions: no. The answer for b, a
    /// is the same. Cost: about 60 ns and 6 ns a row crossed, more beside walls and for terrain filters.
    [[nodiscard]] bool can_sweep(Vec2 a, Vec2 b) const;

    /// The same for the blockers alone.
    [[nodiscard]] bool blockers_allow(Vec2 a, Vec2 b) const;

    /// The integral of the cost of the cells along the way of the body's centre, for a way that can_sweep
    /// allows. A way that runs along the border between two cells, within the slack, has the cost of the
    /// cheaper one that may be entered. O(1) on uniform cost, else about 6 ns a cell.
    [[nodiscard]] double cost(Vec2 a, Vec2 b) const;

    /// Smallest distance from the segment to anything in the way, at most `limit`, in cells; 0 when it is
    /// met.
    [[nodiscard]] double clearance(Vec2 a, Vec2 b, double limit) const;

    /// Is this the corner at which two walls meet diagonally, which a point may touch from both sides and not pass?
    [[nodiscard]] bool between_walls(Vec2 p) const;

    /// Of a place that the point may be at, as seen from such a corner: -1 and 1 are the sides of its two free cells, 0 is at it.
    [[nodiscard]] std::int32_t side_between_walls(Vec2 at, Vec2 p) const;

    /// Does every cell cost the same?
    [[nodiscard]] bool uniform() const { return uniform_; }
    /// Smallest cost of any cell; the cost of all when uniform().
    [[nodiscard]] double cost_min() const { return cost_min_; }

    [[nodiscard]] const SightWorld& world() const { return world_; }
    /// Radius of a disc, half the side of a square.
    [[nodiscard]] double reach() const { return reach_; }
    [[nodiscard]] bool is_point() const { return point_; }
    /// A point, under CornerRule::always: it goes through the corner at which two walls meet diagonally.
    [[nodiscard]] bool passes_pinches() const { return pinch_; }

    /// May the centre of a point enter the cell: inside the map, no wall, not closed? On wrapped axes any x,
    /// y.
    [[nodiscard]] bool open(std::int32_t x, std::int32_t y) const;
    /// What a step in the cell costs: at least 1 where open, INT32_MAX where not.
    [[nodiscard]] std::int32_t cell_cost(std::int32_t x, std::int32_t y) const;

    // For the library's own kernels that read the lines of the map (sight_lines.h).
    template <class Use>
    auto with_source(bool columns, Use use) const;
    /// What to subtract on wrapped axes so that all cells within reach of `low` have numbers from 0 on.
    [[nodiscard]] Vec2 lap_below(Vec2 low, double reach) const;

  private:
    [[nodiscard]] bool walls_allow(Vec2 a, Vec2 b) const;
    [[nodiscard]] double blockers_clearance(Vec2 a, Vec2 b, double limit) const;
    // For the library's own kernels; defined in sight_lines.h.
    template <class Use>
    auto with_lines(Vec2 a, Vec2 b, double reach, Use use) const;

    SightWorld world_{};
    double reach_ = 0.0;
    double cost_min_ = 1.0;
    bool point_ = true;    ///< thinner than the slack
    bool pinch_ = false;   ///< may a point pass the corner between two walls?
    bool closes_ = false;  ///< the filter closes terrain that the map has
    bool uniform_ = true;
    bool plain_ = true;  ///< no wrapped axis, closes_ false
};

/// Legs claim a clearance of at most the radius and so many cells.
inline constexpr double kClaimReach = 4.0;

/// For a single question.
[[nodiscard]] bool can_sweep(const SightWorld& world, Vec2 a, Vec2 b);
[[nodiscard]] double sweep_cost(const SightWorld& world, Vec2 a, Vec2 b);
[[nodiscard]] double sweep_clearance(const SightWorld& world, Vec2 a, Vec2 b, double limit);

}  // namespace fairlead::grid
