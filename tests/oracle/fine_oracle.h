// A slow, fine search for units with a turning circle: what it finds is legal and nearly the shortest that there is. The
// reference for how much a coarse lattice loses, in success and in length. It shares no code with the search: of the
// library it uses the words of Dubins and Reeds-Shepp, and verify to judge its answer.
//
// How. A best-first search over continuous poses (Hybrid A*: Dolgov, Thrun, Montemerlo, Diebel 2010): short arcs of the
// turning circle, of twice its radius, and lines, forward and in reverse. Of all poses in one bin (a quarter of a cell
// wide and high, 64 headings) the cheapest is kept. All words to the goal are tried from every pose opened near it, and from
// some of the others. The way
// found is then pulled tight: its poses are joined with each other by every word that is free, and the cheapest
// chain is taken, until nothing is gained.
//
// Bodies keep 2e-4 cell away from walls while it searches, and are looked at every 0.03 cell. Where verify then does not like
// the answer, the whole is done again with closer looks; an answer that still is not legal is `doubtful`. No time limit;
// the bins bound the work: 0.01 to 6 seconds on 24 x 24 cells.
#pragma once

#include <cstdint>

#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

#include "oracle/pose_map.h"

namespace fairlead::oracle {

struct FineQuery {
    Pose start{};
    Pose goal{};
    double reverse_penalty = 1.5;
    double cusp_penalty = 1.0;  ///< cells
};

struct FineAnswer {
    bool reachable = false;
    bool doubtful = false;  ///< a way was found, and verify did not like it
    double cost = 0.0;      ///< with the penalties
    double length = 0.0;
    double cost_found = 0.0;  ///< before it was pulled tight
    std::uint64_t opened = 0;
    Route route;
};

[[nodiscard]] FineAnswer find_fine(const PoseMap& map, const Agent& agent, const FineQuery& query);

/// Length, with the penalties: in reverse, and for each change of gear. The gear that it starts in is free.
[[nodiscard]] double drive_cost(const Route& route, double reverse_penalty, double cusp_penalty);

}  // namespace fairlead::oracle
