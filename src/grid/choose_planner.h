// Which planner answers a query.
#pragma once

#include "grid/prepare.h"

namespace fairlead::grid {

/// Fills out.planner, out.flat_planner and out.clusters_may_serve. incompatible or unsupported with detail = a GridRule: the planner that
/// the query names cannot serve it.
[[nodiscard]] Result<void> choose_planner(const GridQuery& query, PreparedQuery& out);

/// An end lies between two cells (CellQuery::ends_between): planners that go from one cell to one other make way for single steps.
void choose_for_ends_between(PreparedQuery& out);

}  // namespace fairlead::grid
