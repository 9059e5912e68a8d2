// RoadmapQuery: what is asked of a roadmap. Every field has a default; fill in by name.
//
//     RoadmapQuery{.start = WaypointId{1}, .goal = WaypointId{7}}      // from waypoint to waypoint
//     RoadmapQuery{.start = Vec2{2.5, 3}, .goal = Vec2{40, 8}}         // from anywhere to anywhere
//
// A start or goal that is a point is *attached* to the net: by straight segments to waypoints, and to the
// nearest point of edges, along which the body moves clear of the walls. The `attach_max` nearest places in
// sight are tried and the best route over all of them is found; a straight line from start to goal counts too
// where it is clear. Nothing is known about walls if there are neither walls in the roadmap nor a `sight`:
// then only the one nearest place of the net is attached to (several if they are equally near), and the
// straight line is not tried.
//
// A point that lies on the net (within half the contact slack of math/contact.h) is on it whatever the walls say: edges are
// the user's word. With `check_edges` they are not, and every edge must be clear for this agent as well.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/math/vec.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/heuristic.h>
#include <fairlead/route/kind_filter.h>
#include <fairlead/route/sight.h>

namespace fairlead {

/// What edges mean to this unit, for this query only: doors, factions, kinds of road, threats. An edge's cost
/// is multiplied by the factor of its kind and by what `factor` returns; either may close it.
struct EdgeFilter {
    static constexpr double kFactorMin = KindFilter::kFactorMin;
    static constexpr double kFactorMax = KindFilter::kFactorMax;

    KindFilter kinds{};               ///< by WaypointEdge::kind
    std::uint32_t blocked_flags = 0;  ///< closed: an edge with any of these bits

    /// Called for edges as the search meets them; may be null. Returns a factor from factor_min to
    /// kFactorMax; anything else closes the edge. Must give the same answer every time during one search.
    double (*factor)(const RoadmapState& state, WaypointSlot from, const RoadmapArc& arc,
                     void* user) = nullptr;
    void* user = nullptr;
    double factor_min = 1.0;  ///< kFactorMin to kFactorMax; the larger the faster the search, if it is true
};

enum class RoadmapPlanner : std::uint8_t {
    astar,              ///< optimal; straight lines as the heuristic (Hart, Nilsson & Raphael 1968)
    dijkstra,           ///< optimal, without a heuristic (Dijkstra 1959)
    greedy_best_first,  ///< no bound: follows the distance to the goal alone. For demonstration
    count_,
};

/// "astar", ... as on the command line. Never null.
[[nodiscard]] const char* planner_name(RoadmapPlanner planner);

struct RoadmapQuery {
    Spot start{};
    Goal goal{};  ///< point and any_of
    Agent
        agent{};  ///< a disc that turns on the spot; only off the net does its radius matter, unless check_edges is set

    RoadmapPlanner planner = RoadmapPlanner::astar;
    /// In place of the straight line, with astar and greedy_best_first, searched forward; no estimate: the straight line. Asked of
    /// waypoints.
    OwnHeuristic own{};
    bool backward = false;  ///< search from the goal to the start: the same cost, other expansions
    EdgeFilter filter{};
    SightQuery sight{};        ///< the user's walls; the roadmap's own walls count too
    bool check_edges = false;  ///< edges that are walked must be clear for this agent

    bool direct = true;         ///< try the straight line from start to goal
    double off_net_cost = 1.0;  ///< price of a unit of length off the net, 1e-6 to 1e6
    double attach_range = std::numeric_limits<double>::infinity();  ///< no attaching further than this, >= 0
    std::uint32_t attach_max = 8;  ///< places in sight that each point is attached to, 1 to 64
    std::uint32_t attach_tests =
        1024;  ///< nearest places looked at before a point counts as blocked, 1 to 2^20

    /// unreachable: return the route to the waypoint nearest the goal instead. budget_spent: to the best one so far
    /// (find_route.h).
    bool partial = false;
    std::uint64_t expansions_max = UINT64_MAX;  ///< give up with budget_spent after this many
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(RoadmapQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.filter.kinds.factors);
}

}  // namespace fairlead
