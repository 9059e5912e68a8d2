// name_legs: which waypoints and which edge does each leg of a route over a roadmap run along? For a patrol that is counted, a door that is
// opened, a signpost that is read out.
//
//     Array<RoadmapLeg> names;
//     if (Result<void> done = name_legs(*harbour, query, scratch, *route, names); !done) return report(done.error());
//     if (names[i].on_net && names[i].edge.flags & kDoor) open_door(names[i].from, names[i].to);
//
// Legs themselves carry places alone, so that routes of all worlds are alike and a digest does not know the user's numbers; the
// names are read off the places: for a route that find_route made, that repair mended, or that came from a file. Of several edges that
// a leg may run along those count that make the whole route cheapest for the query, as in find_route and revalidate; of
// equals the first in order of ids. Waypoints in one place with an edge between them are passed without a leg, and so without a name.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// What a leg runs along.
struct RoadmapLeg {
    bool on_net =
        false;  ///< false: from a start off the net, to a goal off it, or along no edge that is there (any more)
    WaypointId from{};  ///< the edge leads from here, in the direction of the leg,
    WaypointId to{};    ///< to here
    double enters =
        0.0;  ///< where along the edge the leg begins, 0 to 1; above 0: it comes from a place beside the edge
    double leaves = 1.0;  ///< and where it ends
    RoadmapArc edge{};    ///< as stored: cost, label, flags, kind, link

    friend bool operator==(const RoadmapLeg&, const RoadmapLeg&) = default;
};

/// One for each leg of the route, in place of what `names` held. The route is of this state, or still legal on it (revalidate).
/// Errors: those of revalidate. Cost: about 1 us a leg. A warm call allocates nothing but what `names` needs.
[[nodiscard]] Result<void> name_legs(const RoadmapState& roadmap, const RoadmapQuery& query, Scratch& scratch,
                                     const Route& route, Array<RoadmapLeg>& names);

}  // namespace fairlead
