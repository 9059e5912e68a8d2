// The path that a tile search found: how long it is, where it begins and ends, and the one over clusters.
#include "grid/path.h"

#include <algorithm>

#include "grid/image.h"
#include "grid/sections.h"

namespace fairlead::grid {

// Length of the path as it lies on the map, in cells: for the window, whose own costs are coarse.
double path_length(const GridWork& work) {
    const CellQuery& cells = work.query.cells;
    Cost sum = 0;
    for (std::size_t i = 1; i < work.path.size(); ++i) {
        const Cell a = cells.code.cell(work.path[i - 1].state);
        const Cell b = cells.code.cell(work.path[i].state);
        sum += cells.scale.octile(b.x - a.x, b.y - a.y);
    }
    return cells.scale.to_cells(sum);
}

// The same of a path whose steps are straight lines, and portals.
double straight_length(const GridWork& work) {
    const CellQuery& cells = work.query.cells;
    double sum = 0.0;
    for (std::size_t i = 1; i < work.path.size(); ++i) {
        const std::uint32_t from = work.path[i - 1].state, to = work.path[i].state;
        if (work.path[i].by == kByPortal) {
            sum += cells.state->portals[portal_between(cells, from, to)].cost;
            continue;
        }
        const Cell a = cells.code.cell(from), b = cells.code.cell(to);
        sum += distance(cell_centre(a.x, a.y),
                        nearest_image(*cells.state, cell_centre(a.x, a.y), cell_centre(b.x, b.y)));
    }
    return sum;
}

bool take_hops(GridWork& work, const HashedNodes& nodes, std::uint32_t last) {
    Array<ClusterHop>& hops = work.clusters.hops;
    hops.clear();
    work.path.clear();
    for (std::uint32_t node = last; node != kNoNode; node = nodes[node].parent) {
        if (!hops.push_back({nodes.state_of(node), nodes[node].tag != 0})) return false;
    }
    std::reverse(hops.begin(), hops.end());
    return true;
}

bool unpack_path(GridWork& work, Unpacked how_far) {
    ClusterSearch& clusters = work.clusters;
    const CellCode& code = work.query.cells.code;
    clusters.cells.clear();
    work.path.clear();
    Unpacker unpacker(clusters.space, clusters.cells, clusters.field);
    const std::span<const ClusterHop> hops = clusters.hops.span();
    bool good = false;
    switch (how_far) {
        case Unpacked::all: good = unpacker.unpack(hops); break;
        case Unpacked::first_legs: good = unpacker.unpack_first(hops); break;
        case Unpacked::to_last_node: good = unpacker.unpack_part(hops); break;
    }
    if (!good) return false;
    for (const WayCell& way : clusters.cells) {
        const Cell& c = way.cell;
        if (!work.path.push_back({code.state(c.x, c.y, c.layer), way.by_portal ? kByPortal : kByLine}))
            return false;
    }
    work.tile_cost = straight_length(work);
    return true;
}

// Does the query go over the hierarchy? Where it does not serve, jump points do. False: out of memory.
bool choose_clusters(GridWork& work, const GridQuery& query) {
    GridPlanner& planner = work.query.planner;
    const CellQuery& cells = work.query.cells;
    const bool asked = planner == GridPlanner::hierarchy;
    const bool may = query.planner == GridPlanner::automatic && work.query.clusters_may_serve;
    if ((!asked && !may) || work.clusters_tried || cells.goals.empty()) return true;
    const Cell start = cells.code.cell(cells.start);
    const Cell goal = cells.code.cell(cells.goals[0]);
    planner = work.query.flat_planner;
    // Beside jump points it pays later than beside single steps, which portals and seams ask for.
    const bool jumps = planner == GridPlanner::jump_point;
    const bool near = cells_apart(*cells.state, start, goal) < (asked || !jumps ? kNearCells : kFarCells);
    if (near && (!asked || start.layer == goal.layer)) return true;
    work.clusters_tried = true;
    bool serves = false;
    if (!work.clusters.begin(cells, start, goal, serves)) return false;
    if (serves) planner = GridPlanner::hierarchy;
    return true;
}

NearestPlace start_of(const GridWork& work, const GridQuery& query) {
    const CellQuery& cells = work.query.cells;
    // Not for rounding's sake.
    const double square = cells.goal_gap(cells.start_point);
    NearestPlace start;
    start.note(0, query.start.layer == cells.goal.layer, square - 4e-9 * (1.0 + square));
    return start;
}

bool ends_nearer(const GridWork& work, const GridQuery& query) {
    const CellQuery& cells = work.query.cells;
    const std::uint32_t last = work.path.back().state;
    NearestPlace end;
    if (work.on_half) {
        const HalfCode& code = work.half.code();
        if (last >= work.half.places_at()) {  // the nearest place of a pocket
            end.note(0, true, cells.goal_gap(cells.goal_points[last - work.half.places_at()]));
        } else {
            end.note(0, code.layer(last) == cells.goal.layer, cells.goal_gap(position_of(code.point(last))));
        }
    } else {
        cells.note(end, 0, cells.code.cell(last));
    }
    return end.before(start_of(work, query));
}

}  // namespace fairlead::grid
