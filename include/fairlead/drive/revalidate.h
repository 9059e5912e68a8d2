// Is the route of a turning unit still good after its map has changed?
//
//     update_drive_map(*map, *town);                                // after edits
//     const Result<Revalidation> still = revalidate(*map, *route);
//     if (still && !still->legal) ...                               // legs still->first_bad to still->last_bad: ask for a new one
//
// Each leg is swept with the unit's body over the map's free cells, exactly as the planner does it: lines, arcs, turns on the spot. A route
// without legs is illegal (`first_bad` = -1) where the unit does not stand at its end. Shorter ways that have opened are not looked for.
// Cost: 0.2 to 1 us a leg. Errors: unsupported (floors: a map of several floors, or with links).
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>

namespace fairlead {

[[nodiscard]] Result<Revalidation> revalidate(const DriveMapState& map, const Route& route);

}  // namespace fairlead
