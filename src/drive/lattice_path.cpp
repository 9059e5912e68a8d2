#include "drive/lattice_path.h"

#include <algorithm>

namespace fairlead::drive {

namespace {

// On terrain a step costs what its parts in the cells cost.
bool fill_visits(const DriveMap& map, double reverse_penalty, DriveWork& work) {
    const std::span<const Primitive> all = map.table().primitives().all();
    const auto cell = static_cast<double>(work.scale.straight);
    work.visits.clear();
    if (!work.first_visit.resize_uninitialized(all.size() + 1)) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        work.first_visit[i] = static_cast<std::uint32_t>(work.visits.size());
        const double penalty = all[i].gear == Gear::reverse ? reverse_penalty : 1.0;
        for (const TerrainVisit& visit : map.table().visits(i)) {
            const auto cost = static_cast<Cost>(visit.length * penalty * cell + 0.5);
            if (!work.visits.push_back({cost, visit.dx, visit.dy})) return false;
        }
    }
    work.first_visit[all.size()] = static_cast<std::uint32_t>(work.visits.size());
    return true;
}

// The nodes from the start to the goal.
bool list_path(DriveWork& work) {
    work.path.clear();
    for (std::uint32_t node = work.engine.goal_node(); node != kNoNode; node = work.nodes[node].parent) {
        if (!work.path.push_back(node)) return false;
    }
    std::reverse(work.path.begin(), work.path.end());
    return true;
}

// No two primitives have the same ends and gear.
const Primitive& primitive_between(const DriveMap& map, const LatticePose& from, const LatticePose& to) {
    const std::span<const Primitive> group = map.table().primitives().from(from.heading);
    const auto found = std::find_if(group.begin(), group.end(), [&](const Primitive& p) {
        return p.dx == to.x - from.x && p.dy == to.y - from.y && p.to == to.heading && p.gear == to.gear;
    });
    FAIRLEAD_ASSERT(found != group.end());
    return *found;
}

// The curve that a node of the path came by, from the pose before it, and where it ends.
bool curve_into(const DriveMap& map, DriveWork& work, std::size_t i, FreeCurve& out, Pose& end) {
    const std::uint32_t before = work.path[i - 1];
    const LatticePose at = work.space.code().pose(before);
    if (work.path[i] == work.space.goal_state()) {
        int which = 0;
        const bool free = work.goal.curve_from(work.space.pose_in_cells(at), at.gear, out, which);
        if (free) end = work.goal.target[which];
        return free;
    }
    const LatticePose to = work.space.code().pose(work.path[i]);
    end = work.space.pose_in_cells(to);
    out = curve_between(map, work.goal.curves, at, to);
    return true;
}

// The cheapest of the starts that lead to a pose.
const LatticeStart& start_of(const DriveWork& work, const LatticePose& pose) {
    const LatticeStart* best = nullptr;
    for (const LatticeStart& start : work.starts) {
        if (start.pose == pose && (best == nullptr || start.cost < best->cost)) best = &start;
    }
    FAIRLEAD_ASSERT(best != nullptr);
    return *best;
}

}  // namespace

bool fill_steps(const DriveMap& map, double reverse_penalty, DriveWork& work) {
    const std::span<const Primitive> all = map.table().primitives().all();
    if (!work.steps.resize_uninitialized(all.size())) return false;
    const auto cell = static_cast<double>(work.scale.straight);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Primitive& p = all[i];
        const double cost = p.length * (p.gear == Gear::reverse ? reverse_penalty : 1.0);
        work.steps[i] = {static_cast<Cost>(cost * cell + 0.5), p.dx, p.dy, p.to, p.gear};
    }
    if (!map.uniform()) return fill_visits(map, reverse_penalty, work);
    return true;
}

Cost step_cost(const DriveMap& map, const DriveWork& work, std::size_t i, std::int32_t x, std::int32_t y) {
    if (map.uniform()) return work.steps[i].cost;
    const Terrain terrain = map.terrain();
    Cost sum = 0;
    for (std::uint32_t k = work.first_visit[i]; k < work.first_visit[i + 1]; ++k) {
        sum += work.visits[k].cost * terrain.at(x + work.visits[k].dx, y + work.visits[k].dy);
    }
    return sum;
}

FreeCurve curve_between(const DriveMap& map, const CurveWorld& curves, const LatticePose& from,
                        const LatticePose& to) {
    const Primitive& step = primitive_between(map, from, to);
    const Pose start = map.table().node(from.x, from.y, from.heading);
    const double plain = curves.cost_of(step.word, start);
    FreeCurve out{step.word, plain, plain, step.gear, step.gear};
    if (step.gear != from.gear) out.cost += curves.cusp_penalty;
    return out;
}

bool fill_chain(const DriveMap& map, DriveWork& work) {
    if (!list_path(work)) return false;
    work.chain.clear();
    if (work.path[0] == work.space.goal_state()) {
        const DirectCurve& direct = work.direct;
        return work.chain.push_back({direct.from, direct.curve}) &&
               work.chain.push_back({work.goal.target[direct.which], {}});
    }
    const LatticeStart& first = start_of(work, work.space.code().pose(work.path[0]));
    if (first.word.count > 0) {
        const double cost = work.goal.curves.cost_of(first.word, first.from);
        if (!work.chain.push_back({first.from, {first.word, cost, cost, first.pose.gear, first.pose.gear}}))
            return false;
    }
    const LatticePose start = work.space.code().pose(work.path[0]);
    if (!work.chain.push_back({work.space.pose_in_cells(start), {}})) return false;
    for (std::size_t i = 1; i < work.path.size(); ++i) {
        if (work.path[i] == work.space.goal_state() &&
            work.goal.accepts(work.space.code().pose(work.path[i - 1]))) {
            break;  // it is there
        }
        Pose end;
        if (!curve_into(map, work, i, work.chain.back().next, end) || !work.chain.push_back({end, {}}))
            return false;
    }
    // Which gear the unit starts in is free.
    if (work.chain.size() > 1) work.chain[0].next.cost = work.chain[0].next.plain;
    return true;
}

}  // namespace fairlead::drive
