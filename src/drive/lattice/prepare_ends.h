// Where a query's exact poses join the lattice.
#pragma once

#include <algorithm>
#include <cmath>

#include "drive/lattice/lattice_query.h"

#include "drive/body/curve_check.h"
#include "drive/lattice/drive_work.h"
#include "drive/lattice/list_starts.h"
#include "drive/lattice/node_walk.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

/// The lattice pose nearest to an exact one, in cells.
[[nodiscard]] LatticePose nearest_pose(const Pose& pose, const DriveTable& table);
/// Is it that very pose?
[[nodiscard]] bool is_lattice_pose(const Pose& pose, const LatticePose& at, const DriveTable& table);

/// What a query's blockers are to a search: DriveWork::blockers and clear_moves, and LatticeQuery::blockers where there are some.
/// Errors: those of check_blockers, out_of_memory.
[[nodiscard]] Result<void> take_blockers(const MapData& map, std::span<const Blocker> blockers,
                                         DriveWork& work, LatticeQuery& query);

/// complete, off_world or start_blocked.
[[nodiscard]] PathStatus start_status(const MapData& map, const LatticeQuery& query);

/// Is there a place at the goal that the body stands in?
[[nodiscard]] bool fill_goal(const MapData& map, const LatticeQuery& query, LatticeGoal& goal);

/// What it costs from a pose of the lattice to be at the goal at once: nothing, or a free curve. False: that is not possible.
[[nodiscard]] bool cost_to_goal(const MapData& map, const LatticeGoal& goal, const LatticePose& at,
                                double& cost);

/// Calls visit(x, y) for the places of the lattice (x + offset, y + offset) on the map within `range` of p, until it
/// returns true.
template <class Visit>
bool any_node_near(const GroundBits& free, Vec2 p, double range, double offset, const Visit& visit) {
    NodeWalk walk(free, p, range, offset);
    std::int32_t x = 0;
    std::int32_t y = 0;
    while (walk.next(x, y)) {
        if (visit(x, y)) return true;
    }
    return false;
}

/// Calls visit(pose) for the poses of the lattice that may be the last one, until it returns true. Whether the curve
/// from there to the goal is free is another question (cost_to_goal).
template <class Visit>
bool any_last_pose(const MapData& map, const LatticeGoal& goal, const Visit& visit) {
    const double range = goal.targets > 0 ? std::max(goal.reach, goal.range) : goal.range;
    return any_node_near(
        map.free_cells(), goal.centre, range, goal.node_offset, [&](std::int32_t x, std::int32_t y) {
            for (std::int32_t h = 0; h < map.table().headings(); ++h) {
                const LatticePose at{x, y, h, Gear::forward};
                if ((goal.targets > 0 || goal.accepts(at)) && map.edges().stands(x, y, h) && visit(at))
                    return true;
            }
            return false;
        });
}

/// Calls visit(heading_rad) for the headings that a query takes for an end: those of its mask, or, if that is 0, the exact one;
/// until it returns true.
template <class Visit>
bool any_heading_asked(double exact_rad, std::uint32_t mask, std::int32_t headings, const Visit& visit) {
    if (mask == 0) return visit(exact_rad);
    for (std::int32_t h = 0; h < headings; ++h) {
        if (((mask >> h) & 1U) != 0 && visit(heading_rad(headings, h))) return true;
    }
    return false;
}

/// Calls visit(pose) for the exact poses, in cells, that a query may start in and that the body stands in, until it returns
/// true.
template <class Visit>
bool any_start_pose(const MapData& map, const LatticeQuery& query, const Visit& visit) {
    StartPoses poses(map, query);
    Pose pose;
    while (poses.next(pose)) {
        if (visit(pose)) return true;
    }
    return false;
}

}  // namespace fairlead::drive
