// The witness of Route::line_cost on tile worlds: walks the legs from tile border to tile border and adds up what lies under
// them. Written apart from the library: it knows the tiles as a vector of bytes.
#pragma once

#include <cstddef>
#include <string>

#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

#include "oracle/grid_oracle.h"

namespace fairlead::oracle {

/// What a stretch may cost, in world units. The two differ where a leg runs so near a border that rounding alone says
/// whether it is on it (there the cheaper tile counts).
struct WalkedCost {
    double low = 0.0;
    double high = 0.0;
};

/// Legs first to last - 1 of a route for this query, portals' prices included.
[[nodiscard]] WalkedCost walk_legs(const World& world, const GridQuery& query, const Route& route,
                                   std::size_t first, std::size_t last);

/// What two ways to add up `cost` may differ by, with the rounding of coordinates in world units.
[[nodiscard]] double walk_slack(double cost, const World& world);

/// Is Route::line_cost what its legs cost? Empty if so, else what it is and what was walked.
[[nodiscard]] std::string line_cost_problem(const World& world, const GridQuery& query, const Route& route);

}  // namespace fairlead::oracle
