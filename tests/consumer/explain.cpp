// Links fairlead::explain alone.
#include "town.h"

int main() {
    Walk walk;
    walk.query.goal = fairlead::cell_centre(6, 5);  // in the building
    const fairlead::Result<fairlead::Explanation> why =
        fairlead::explain(*walk.town, walk.query, walk.scratch);
    return why && why->reason != fairlead::ExplainReason::none ? 0 : 1;
}
