// Sight: exact tests of a body moved along a straight segment over the tile world, in cell units (the map's low
// corner is the origin, a cell is 1 x 1). See sight.cpp for the geometry.
#pragma once

#include <span>

#include <fairlead/grid/query.h>
#include <fairlead/math/vec.h>

#include "grid/body.h"
#include "grid/state.h"

namespace fairlead::grid {

/// What a moved body must not touch and what its way costs. Everything in cells. Positions on a wrapped axis may
/// run past the edge of the map: they are taken modulo its size.
struct SightWorld {
    const StateData* state = nullptr;
    std::int32_t layer = 0;
    double radius = 0.0;                 ///< of a disc; ignored for a footprint
    std::int32_t footprint = 0;          ///< > 0: an axis-aligned square of so many cells
    CornerRule corner = CornerRule::never;  ///< for a point unit: may it pass the corner between walls?
    const std::uint16_t* costs = nullptr;   ///< by terrain, 0 = may not enter; null: uniform cost 1 and no filter
    std::span<const std::uint8_t> influence{};
    std::int32_t influence_weight = 0;
    std::span<const Blocker> blockers{};    ///< already in cell units
};

/// May the body move from a to b? Exact: no point of the swept body lies in the open interior of a wall, blocker or
/// terrain that may not be entered (up to 1e-9 cell); touching is allowed.
[[nodiscard]] bool can_sweep(const SightWorld& world, Vec2 a, Vec2 b);

/// Cost of moving the centre from a to b: length times the cost of the cells it runs through. Finite for a way
/// that can_sweep allows.
[[nodiscard]] double sweep_cost(const SightWorld& world, Vec2 a, Vec2 b);

/// Smallest distance from the segment to a wall, at most `limit`, in cells.
[[nodiscard]] double sweep_clearance(const SightWorld& world, Vec2 a, Vec2 b, double limit);

}  // namespace fairlead::grid
