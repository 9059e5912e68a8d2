// Ways between two walls: a point may touch the corner at which two walls meet diagonally, but passes it only where the corner
// rule is always. verify leaves that to the rule, so it is looked at here, by the signs of places around the corner.
#pragma once

#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

#include "oracle/grid_oracle.h"

namespace fairlead::simulate {

/// Does the route lead a point through such a corner although the query's rule does not let it?
[[nodiscard]] bool squeezes(const oracle::World& world, const GridQuery& query, const Route& route);

}  // namespace fairlead::simulate
