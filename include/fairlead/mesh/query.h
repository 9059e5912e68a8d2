// MeshQuery: what is asked of a level mesh. Every field has a default; fill in by name.
//
//     MeshQuery{.start = {2, 3, 0}, .goal = Vec3{40, 8, 0}}
//     MeshQuery{.start = {2, 3, 0}, .goal = Goal::any_of(exits), .filter = {.areas = {.closed = {kWater}}}}
//
// Start and goals are moved to the nearest point of the surface within `reach` (NavMeshState::nearest); z tells the
// floors apart.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/kind_filter.h>

namespace fairlead {

/// What areas and links mean to this unit, for this query only: doors, water, factions. Where the factors of the open areas differ,
/// the route is the cheapest line through a corridor, whatever the planner.
struct MeshFilter {
    KindFilter areas{};  ///< by area, 0 to kAreasMax - 1: the factor is what a unit of length costs
    KindFilter links{};  ///< by kind of link, 0 to kLinkKindsMax - 1
};

enum class MeshPlanner : std::uint8_t {
    any_angle,  ///< the shortest way there is, bound 1 (Polyanya: Cui, Harabor & Grastien 2017)
    corridor,  ///< A* over polygons, then a funnel: the shortest line through one corridor, not always the best one
    portal_midpoints,  ///< A* over polygons, then the middles of their sides, skipping those in sight. For demonstration
    count_,
};

/// "any_angle", ... as on the command line. Never null.
[[nodiscard]] const char* planner_name(MeshPlanner planner);

class MeshTable;

struct MeshQuery {
    Spot start{};
    Goal goal{};  ///< point and any_of
    Agent agent{};
    MeshReach reach{};
    MeshPlanner planner = MeshPlanner::any_angle;
    MeshFilter filter{};
    /// unreachable: go to the place nearest the goal that can be reached. budget_spent: to the best place so far
    /// (find_route.h).
    bool partial = false;
    std::uint64_t expansions_max = UINT64_MAX;  ///< give up with budget_spent after this many
    /// Answers where it can: any_angle, without a radius, an open filter, no trace (mesh_table.h). Must outlive the search.
    const MeshTable* table = nullptr;
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(MeshQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.filter.areas.factors);
    visit(query.filter.links.factors);
}

}  // namespace fairlead
