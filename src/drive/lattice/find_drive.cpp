// find_route of turning units over a DriveMap: the harness of all searches (search/run_search.h) over drive::DriveRun.
#include <fairlead/drive/find_drive.h>

#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/curves/few_turns.h"
#include "drive/lattice/drive_run.h"
#include "search/run_search.h"

namespace fairlead {

template class RouteSearch<DriveSearchKind>;

std::uint32_t headings_near(std::int32_t count, double heading, double tolerance_rad) {
    std::uint32_t out = 0;
    for (std::int32_t h = 0; h < count; ++h) {
        if (std::abs(math::wrap_pi(drive::few_turns(heading) - heading_rad(count, h))) <= tolerance_rad)
            out |= 1U << h;
    }
    return out;
}

const char* planner_name(DrivePlanner planner) {
    switch (planner) {
        case DrivePlanner::weighted: return "weighted_lattice";
        case DrivePlanner::lattice: return "lattice";
        case DrivePlanner::anytime: return "anytime_lattice";
    }
    return "";
}

template <std::same_as<DriveQuery> Query>
Result<void> find_route_into(const DriveMapState& map, const Query& query, Scratch& scratch, Route& route,
                             const SearchHooks& hooks) {
    return find_into<drive::DriveRun>(map, query, scratch, route, hooks);
}

template <std::same_as<DriveQuery> Query>
Result<Route> find_route(const DriveMapState& map, const Query& query, Scratch& scratch,
                         const SearchHooks& hooks) {
    return new_route(
        scratch, [&](Route& route) { return find_into<drive::DriveRun>(map, query, scratch, route, hooks); });
}

template Result<Route> find_route(const DriveMapState&, const DriveQuery&, Scratch&, const SearchHooks&);
template Result<void> find_route_into(const DriveMapState&, const DriveQuery&, Scratch&, Route&,
                                      const SearchHooks&);

}  // namespace fairlead
