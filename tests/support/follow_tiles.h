// Tile routes followed step by step from the oracle's moves, and where units stand in cells. Places are in cells here, not in world units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

#include "oracle/grid_oracle.h"

namespace fairlead::testing {

/// The cells of a tile route (smoothing none) and its length, step by step from the oracle's own moves.
struct TileRoute {
    std::vector<std::int32_t> cells;
    oracle::Length length;
    oracle::Length turned;  ///< with the query's turn penalty
    std::string problem;    ///< of the route as a chain of the oracle's moves
};
[[nodiscard]] TileRoute follow_tiles(const oracle::GridOracle& oracle, const GridQuery& query,
                                     const Route& route, std::int32_t start);

[[nodiscard]] Vec2 to_cells(const oracle::World& world, Vec2 p);
/// Where a unit stands in a cell.
[[nodiscard]] Vec2 standing_cells(const oracle::World& world, const Agent& agent, std::int32_t cell);
/// The cell in which a body stands whose centre is at a point, or -1 if it is between cells.
[[nodiscard]] std::int32_t standing_cell(const oracle::World& world, const GridQuery& query, Vec2 p,
                                         std::int32_t layer);
/// A price on turns in the oracle's units, 1024 a cell.
[[nodiscard]] std::int64_t turn_units(const oracle::GridOracle& oracle, double penalty);

}  // namespace fairlead::testing
