// MeshQuery: what is asked of a level mesh. Every field has a default; fill in by name.
//
//     MeshQuery{.start = {2, 3, 0}, .goal = Vec3{40, 8, 0}}
//     MeshQuery{.start = {2, 3, 0}, .goal = MeshGoal::any(exits), .filter = {.closed_areas = 1U << kWater}}
//
// Start and goals are moved to the nearest point of the surface within `reach` (NavMeshState::nearest); z tells the
// floors apart.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/math/vec.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/route/agent.h>

namespace fairlead {

/// One point, or any of several: the one that the shortest way leads to.
struct MeshGoal {
    Vec3 point{};
    std::span<const Vec3> any_of{};  ///< not empty: these instead of `point`; at most 65536

    MeshGoal() = default;
    MeshGoal(Vec3 at) : point(at) {}
    [[nodiscard]] static MeshGoal any(std::span<const Vec3> points) {
        MeshGoal goal;
        goal.any_of = points;
        return goal;
    }
};

/// What areas mean to this unit, for this query only: doors, water, factions.
struct MeshFilter {
    static constexpr double kCostMin = 1e-6;
    static constexpr double kCostMax = 1e6;

    std::uint64_t closed_areas = 0;  ///< bit i: area i is closed, as if it were walls
    /// By area: what a unit of length costs there. Empty: 1 each; else kAreasMax numbers from kCostMin to kCostMax, or 0:
    /// closed. Where those of the open areas differ, the route is the cheapest line through a corridor, whatever the planner.
    std::span<const double> area_costs{};
    std::uint64_t closed_links = 0;  ///< bit i: links of kind i are not there
    /// By kind: what the costs of links are multiplied with. Empty: 1 each; else kLinkKindsMax numbers from kCostMin to
    /// kCostMax, or 0: closed. Factors below 1 make searches slower: distances bound less.
    std::span<const double> link_costs{};
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
    Vec3 start{};
    MeshGoal goal{};
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

}  // namespace fairlead
