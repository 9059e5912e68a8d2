// Settling: the cell that a start or goal point belongs to; and where a query has a reach, the nearest place where the unit can be.
#pragma once

#include <cstdint>

#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

#include "grid/free_place.h"
#include "grid/general_space.h"

namespace fairlead::grid {

struct Attached {
    PathStatus status = PathStatus::complete;
    Cell cell{};
    bool two = false;  ///< the point lies between two walls that meet diagonally: it belongs to `other`, too
    Cell other{};
};

/// The cell whose stand point is nearest to a point and can be walked to in a straight line. `blocked`: the status if there is none.
/// Of a point unit in the corner between two walls: the cells on both sides, for it may leave to either.
[[nodiscard]] Attached attach(const CellQuery& cells, Vec2 point, std::int32_t layer, PathStatus blocked);

/// A point is looked up; with a reach it is moved where the unit has no place at it. False: the budget is spent, and the walk goes on
/// at the next call.
[[nodiscard]] bool settle(const CellQuery& cells, const GridQuery& query, Vec2& point, std::int32_t layer,
                          PathStatus blocked, Attached& at, FreePlace& walk, std::uint64_t& budget);

/// A point of any_of, in cells, where a disc has no room: moved as the query's reach says, in one piece, which is taken off the budget.
/// False: not.
[[nodiscard]] bool move_goal_point(const CellQuery& cells, const GridQuery& query, Vec2& point,
                                   std::uint64_t& budget);

}  // namespace fairlead::grid
