// Is a route still good after the level has changed?
//
//     const Revalidation still = *revalidate(*mesh, route);
//     if (!still.legal) ...                       // legs still.first_bad to still.last_bad: ask for a new one from here
//     Result<Revalidation> wide = revalidate(*mesh, route, query, scratch);    // with the radius of query.agent
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Walks the straight legs of a route over the surface as it is now, for units no larger than NavMeshState::agent_radius().
/// A leg is bad where the surface under its start is gone (further off than contact slack on the ground plane, or than
/// `height_slack` in height) or a wall or closed area is in its way. A leg over a link is bad where the link is gone, asleep
/// or closed there, or leads to another place. Legal without doubt where it says so, up to the contact slack
/// (math/contact.h); shorter ways that have opened are not looked for. A route without legs that found its way is illegal
/// (`first_bad` = -1) where the surface at its end is gone or closed. Cost: 20 ns a polygon and 0.2 us a leg.
[[nodiscard]] Revalidation revalidate(const NavMeshState& mesh, const Route& route,
                                      const MeshFilter& filter = {}, double height_slack = 0.5);

/// The same for the disc of query.agent and query.filter: a leg, straight or an arc, is bad as well where a wall or closed
/// area is nearer to it than the disc allows, and so the end of a route without legs; a leg over a link also where the disc
/// has no room at its ends. Cost: 50 ns for each side of a polygon near the leg. Errors: out_of_memory.
[[nodiscard]] Result<Revalidation> revalidate(const NavMeshState& mesh, const Route& route,
                                              const MeshQuery& query, Scratch& scratch,
                                              double height_slack = 0.5);

}  // namespace fairlead
