#include "drive/timed/timed_way.h"

#include <algorithm>
#include <cmath>

#include "drive/curves/write_route.h"
#include "drive/lattice/lattice_path.h"
#include "drive/lattice/list_nodes.h"
#include "drive/timed/timed_ends.h"

namespace fairlead::drive {

namespace {

// Several straight moves in a row are one line.
FreeCurve run_between(const MapData& map, const CurveWorld& curves, const LatticePose& from,
                      const LatticePose& to) {
    const Pose start = map.table().node(from.x, from.y, from.heading);
    const Vec2 gap{static_cast<double>(to.x - from.x), static_cast<double>(to.y - from.y)};
    const double length = std::sqrt(dot(gap, gap)) / curves.radius;
    CurveWord word;
    word.segments[0] = {to.gear == Gear::reverse ? -length : length, Steer::straight};
    word.count = 1;
    word.length = word.cost = length;
    const double cost = curves.cost_of(word, start);
    return {word, cost, cost, to.gear, to.gear};
}

// The curve that a node of the path came by, from the pose before it, and where it ends.
bool curve_into(const MapData& map, TimedWork& work, const DriveWork& ends, std::size_t i, FreeCurve& out,
                Pose& end) {
    const std::uint32_t before = work.nodes.state_of(work.path[i - 1]);
    const std::uint32_t state = work.nodes.state_of(work.path[i]);
    const LatticePose at = work.lattice.pose(before);
    if (state == work.lattice.goal_state()) {
        int which = 0;
        const bool free = ends.goal.curve_from(work.lattice.lattice().pose_in_cells(at), at.gear, out, which);
        if (free) end = ends.goal.target[which];
        return free;
    }
    const LatticePose to = work.lattice.pose(state);
    end = work.lattice.lattice().pose_in_cells(to);
    const bool run = work.nodes[work.path[i]].tag == 1;
    out = run ? run_between(map, ends.goal.curves, at, to) : curve_between(map, ends.goal.curves, at, to);
    return true;
}

// The cheapest start of those that lead to a state.
const LatticeStart& start_of(const TimedWork& work, const DriveWork& ends, std::uint32_t state) {
    const TimedStart* best = nullptr;
    for (const TimedStart& start : work.starts) {
        if (start.state == state && (best == nullptr || start.cost < best->cost)) best = &start;
    }
    FAIRLEAD_ASSERT(best != nullptr);
    return ends.starts[best->start];
}

bool push_start(TimedWork& work, DriveWork& ends) {
    const std::uint32_t state = work.nodes.state_of(work.path[0]);
    const LatticeStart& first = start_of(work, ends, state);
    if (first.word.count > 0) {
        FreeCurve curve = with_gears(first.word);
        curve.plain = curve.cost = ends.goal.curves.cost_of(first.word, first.from);
        if (!ends.chain.push_back({first.from, curve})) return false;
    }
    return ends.chain.push_back({work.lattice.lattice().pose_in_cells(work.lattice.pose(state)), {}});
}

}  // namespace

bool fill_timed_chain(const MapData& map, TimedWork& work, DriveWork& ends, std::uint32_t last) {
    if (!list_nodes(work.nodes, last, work.path)) return false;
    ends.chain.clear();
    const std::uint32_t goal = work.lattice.goal_state();
    if (work.nodes.state_of(work.path[0]) == goal) {
        return ends.chain.push_back({ends.direct.from, ends.direct.curve}) &&
               ends.chain.push_back({ends.goal.target[ends.direct.which], {}});
    }
    if (!push_start(work, ends)) return false;
    for (std::size_t i = 1; i < work.path.size(); ++i) {
        const LatticePose before = work.lattice.pose(work.nodes.state_of(work.path[i - 1]));
        if (work.nodes.state_of(work.path[i]) == goal && ends.goal.accepts(before)) break;  // it is there
        Pose end;
        if (!curve_into(map, work, ends, i, ends.chain.back().next, end) || !ends.chain.push_back({end, {}}))
            return false;
    }
    return true;
}

Drivable fill_timed_route(const MapData& map, const SpeedTable& times, const LatticeQuery& query,
                          EndSpeeds speeds, const Array<ChainPose>& chain, SpeedLine& line, Route& route) {
    route.clear();
    line.pieces.clear();
    if (!write_route(map, query, chain, route, speeds.to_goal) ||
        !append_pieces(map, times, route.legs.span(), line.pieces) ||
        !line.squared.resize_uninitialized(line.pieces.size() + 1))
        return Drivable::no_memory;
    for (Leg& leg : route.legs) leg.speed_max = times.speed_on(leg.curvature, leg.gear);
    if (!route.legs.empty()) {
        if (speeds.from > 0.0 && route.legs[0].gear == Gear::reverse) return Drivable::no;
        if (speeds.to > 0.0 && route.legs.back().gear == Gear::reverse) return Drivable::no;
    }
    const SpeedLimits& limits = times.limits();
    if (!route::fill_speeds(line.pieces.span(), speeds.from, speeds.to, limits, line.squared.span()))
        return Drivable::no;
    if (!route::append_knots(line.pieces.span(), line.squared.span(), limits, route.speeds))
        return Drivable::no_memory;
    route.cost = route.speeds.back().time;
    return Drivable::yes;
}

}  // namespace fairlead::drive
