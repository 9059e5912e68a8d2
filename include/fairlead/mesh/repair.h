// Is a route still good after the level has changed?
//
//     const Revalidation still = *revalidate(*mesh, route);
//     if (!still.legal) ...                       // legs still.first_bad to still.last_bad: ask for a new one from here
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>

namespace fairlead {

/// Walks the straight legs of a route over the surface as it is now. A leg is bad where the surface under its start is
/// gone (further off than contact slack on the ground plane, or than `height_slack` in height) or a wall or closed area
/// is in its way. A leg over a link is bad where the link is gone, asleep or closed there, or leads to another place; the unit's
/// radius is not asked. Legal without doubt where it says so, up to the contact slack (1e-9 x the size of the mesh); shorter
/// ways that have opened are not looked for. Cost: 20 ns a polygon and 0.2 us a leg.
[[nodiscard]] Revalidation revalidate(const NavMeshState& mesh, const Route& route,
                                      const MeshFilter& filter = {}, double height_slack = 0.5);

}  // namespace fairlead
