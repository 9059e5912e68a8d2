#include "drive/lattice/prepare_ends.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "drive/body/curve_check.h"

namespace fairlead::drive {

namespace {

constexpr double kSame = 1e-9;  // cells and radians within which a pose is the lattice's

bool is_node(Vec2 p, const LatticePose& at, const DriveTable& table) {
    const Vec2 node = table.node(at.x, at.y, 0).position;
    return std::abs(p.x - node.x) <= kSame && std::abs(p.y - node.y) <= kSame;
}

std::uint32_t all_headings(std::int32_t count) {
    return count == 32 ? UINT32_MAX : (std::uint32_t{1} << count) - 1;
}

}  // namespace

LatticePose nearest_pose(const Pose& pose, const DriveTable& table) {
    constexpr double kFar = 1e6;  // a field's goal may lie anywhere
    const Vec2 p = pose.position + Vec2{1.0, 1.0} * (0.5 - table.node_offset());
    return {static_cast<std::int32_t>(std::clamp(std::floor(p.x), -kFar, kFar)),
            static_cast<std::int32_t>(std::clamp(std::floor(p.y), -kFar, kFar)),
            nearest_heading(table.headings(), pose.heading_rad), Gear::forward};
}

bool is_lattice_pose(const Pose& pose, const LatticePose& at, const DriveTable& table) {
    const double turn = math::wrap_pi(pose.heading_rad - heading_rad(table.headings(), at.heading));
    return is_node(pose.position, at, table) && std::abs(turn) <= kSame;
}

Result<void> take_blockers(const MapData& map, std::span<const Blocker> blockers, DriveWork& work,
                           LatticeQuery& query) {
    if (const Result<void> good = check_blockers(map, blockers); !good) return good;
    if (!work.blockers.begin(map, blockers)) return kNoMemory;
    work.clear_moves.begin(map.edges(), work.blockers);
    query.blockers = work.blockers.empty() ? nullptr : &work.blockers;
    return {};
}

PathStatus start_status(const MapData& map, const LatticeQuery& query) {
    if (!MapFrame(map).on_map(query.start.position, query.start_layer)) return PathStatus::off_world;
    const bool stands = any_start_pose(map, query, [](const Pose&) { return true; });
    return stands ? PathStatus::complete : PathStatus::start_blocked;
}

bool fill_goal(const MapData& map, const LatticeQuery& query, LatticeGoal& goal) {
    const DriveTable& table = map.table();
    const GroundBits free = map.free_cells();
    const std::int32_t headings = table.headings();
    const MapFrame frame(map);
    const Pose pose = frame.in_cells(query.goal, query.goal_layer);
    goal = {};
    if (map.floors() > 1) {
        const double low = frame.row(frame.floor_of(query.goal_layer));
        goal.low = static_cast<std::int32_t>(low);
        goal.top = static_cast<std::int32_t>(low + frame.height);
    }
    goal.centre = pose.position;
    goal.node_offset = table.node_offset();
    goal.nearest = nearest_pose(pose, table);
    goal.range = std::max(query.goal_range / table.lattice_size(), kSame * 2);
    goal.reach = std::max(4.0, 3.0 * table.turning_radius());
    goal.curves = curves_for(map, query);
    const bool exact = query.goal_headings == 0;
    const bool heading_fits =
        exact &&
        std::abs(math::wrap_pi(pose.heading_rad - heading_rad(headings, goal.nearest.heading))) <= kSame;
    goal.headings = query.goal_headings & all_headings(headings);
    if (heading_fits || (exact && query.goal_range > 0.0)) goal.headings = 1U << goal.nearest.heading;
    goal.on_lattice = heading_fits && is_node(pose.position, goal.nearest, table) && query.goal_range <= 0.0;
    const auto clear = [&](const Pose& at) { return stands_clear_of(query.blockers, table.body(), at); };
    const auto stands = [&](const Pose& at) { return stands_free(free, table.body(), at) && clear(at); };
    if (query.goal_range <= 0.0) {
        // At a place and in a heading of the lattice no curve is needed.
        const bool reached = goal.headings != 0 && is_node(pose.position, goal.nearest, table);
        (void)any_heading_asked(pose.heading_rad, query.goal_headings, headings, [&](double heading) {
            const Pose target{pose.position, heading};
            if (stands(target)) goal.target[goal.targets++] = target;
            return false;
        });
        if (reached && !query.goal_curves) goal.reach = 0.0;
        return goal.targets > 0;
    }
    return any_node_near(free, goal.centre, goal.range, goal.node_offset,
                         [&](std::int32_t x, std::int32_t y) {
                             for (std::int32_t h = 0; h < headings && goal.on_floor(y); ++h) {
                                 if (((goal.headings >> h) & 1U) != 0 && map.edges().stands(x, y, h) &&
                                     clear(table.node(x, y, h)))
                                     return true;
                             }
                             return false;
                         });
}

bool cost_to_goal(const MapData& map, const LatticeGoal& goal, const LatticePose& at, double& cost) {
    cost = 0.0;
    if (goal.accepts(at)) return true;
    const Pose from = map.table().node(at.x, at.y, at.heading);
    FreeCurve curve;
    int which = 0;
    if (!goal.in_reach(at) || !goal.curve_from(from, at.gear, curve, which)) return false;
    cost = curve.cost;
    return true;
}

}  // namespace fairlead::drive
