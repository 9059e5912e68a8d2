// verify over a grid: GridState already has the reading functions that the checker asks of a tile world.
#include <fairlead/verify/verify.h>

#include "verify/check.h"

namespace fairlead {

Violation verify(const Route& route, const GridState& grid, const Agent& agent,
                 const VerifyOptions& options) {
    return witness::verify_over(route, grid, agent, options);
}

}  // namespace fairlead
