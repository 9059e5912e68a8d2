// From a search that has come to its goal to a Route: the chain of curves, and its legs with their heights.
#include <fairlead/base/assert.h>
#include <fairlead/math/trig.h>

#include "bridge/mesh_drive_run.h"
#include "drive/body/leg_word.h"
#include "drive/curves/write_route.h"
#include "drive/lattice/lattice_path.h"
#include "drive/lattice/list_nodes.h"

namespace fairlead::bridge {

using drive::ChainPose;
using drive::FreeCurve;
using drive::LatticePose;
using drive::SheetPose;

namespace {

const Primitive& primitive_joining(const DriveTable& table, const LatticePose& from, const LatticePose& to) {
    const Primitive* found = nullptr;
    for (const Primitive& p : table.primitives().from(from.heading)) {
        const bool fits =
            p.dx == to.x - from.x && p.dy == to.y - from.y && p.to == to.heading && p.gear == to.gear;
        if (fits && (found == nullptr || p.length < found->length)) found = &p;
    }
    FAIRLEAD_ASSERT(found != nullptr);
    return *found;
}

}  // namespace

// The curves from the chain's last pose to the pose beyond a bridge.
bool MeshDriveRun::add_bridge(std::uint32_t from, std::uint32_t to) {
    const MeshBridge* bridge = lattice_.bridges.joining(from, to);
    FAIRLEAD_ASSERT(bridge != nullptr);
    work_.chain.pop_back();
    for (const ChainPose& part : lattice_.bridges.curves(*bridge)) {
        if (!work_.chain.push_back(part)) return false;
    }
    return work_.chain.push_back({lattice_.sheet_pose(to), {}});
}

// The curve of the chain's last pose, and the next pose.
bool MeshDriveRun::add_lattice_curve(std::uint32_t from, std::uint32_t to) {
    if (!from_goal_ && to != MeshLattice::kGoalState && lattice_.nodes[to].tag == MeshLattice::kByBridge)
        return add_bridge(from, to);
    FreeCurve& next = work_.chain.back().next;
    const LatticePose at = lattice_.pose_of(from);
    if (to == MeshLattice::kGoalState) {
        if (lattice_.accepts(from)) return true;  // it is there
        int which = 0;
        if (!lattice_.goal.curve_from(lattice_.sheet_pose(from), at.gear, next, which)) return false;
        return work_.chain.push_back({lattice_.goal.target[which], {}});
    }
    const Primitive& move = primitive_joining(*table_, at, lattice_.pose_of(to));
    const double plain = lattice_.goal.curves.cost_of(move.word, lattice_.sheet_pose(from));
    next = {move.word, plain, plain, move.gear, move.gear, lattice_.sheet_pose(to).sheet};
    if (move.gear != at.gear) next.cost += lattice_.goal.curves.cusp_penalty;
    return work_.chain.push_back({lattice_.sheet_pose(to), {}});
}

bool MeshDriveRun::write_curves() {
    work_.chain.clear();
    if (states_[0] == MeshLattice::kGoalState) {
        return work_.chain.push_back({start_poses_[direct_.from], direct_.curve}) &&
               work_.chain.push_back({lattice_.goal.target[direct_.which], {}});
    }
    const MeshStart* first = nullptr;
    for (const MeshStart& start : lattice_.starts) {
        if (start.state == states_[0] && (first == nullptr || start.cost < first->cost)) first = &start;
    }
    FAIRLEAD_ASSERT(first != nullptr);
    const SheetPose node = lattice_.sheet_pose(states_[0]);
    if (first->word.count > 0) {
        const SheetPose& from = start_poses_[first->from];
        const double cost = lattice_.goal.curves.cost_of(first->word, from);
        const Gear gear = lattice_.pose_of(states_[0]).gear;
        FreeCurve curve = drive::with_gears(first->word, gear);
        curve.plain = curve.cost = cost;
        curve.sheet = node.sheet;
        if (!work_.chain.push_back({from, curve})) return false;
    }
    if (!work_.chain.push_back({node, {}})) return false;
    for (std::size_t i = 1; i < states_.size(); ++i) {
        if (!add_lattice_curve(states_[i - 1], states_[i])) return false;
    }
    drive::free_first_gear(work_.chain.span());
    return true;
}

// Heights of legs from `first` on: of the surface where each begins. `polygon`: where the first one does; becomes that under
// the end of the last one.
bool MeshDriveRun::write_heights(std::size_t first, std::uint32_t& polygon, Array<Leg>& legs) {
    const Vec2 origin = ground(state_->origin);
    for (std::size_t i = first; i < legs.size(); ++i) {
        Leg& leg = legs[i];
        const Vec2 at = ground(leg.start.position) - origin;
        leg.start.position.z = on_surface(polygon, at).z;
        const Pose from{lattice_.sweep.frame().in_cells(at), leg.start.heading_rad};
        const drive::LegWord driven = drive::leg_word(leg, lattice_.sweep.frame().scale);
        if (!lattice_.sweep.follow(polygon, from, driven.radius, driven.word) && lattice_.failed())
            return false;
    }
    return true;
}

bool MeshDriveRun::write_route(Route& route) {
    const double radius = table_->options().agent.turning_radius;
    Pose start = to_world(work_.best[0].pose);
    start.position = ground(query_.start.position);
    if (ends_.start_headings == 0) start.heading_rad = query_.start.heading_rad;
    double cost = 0.0;
    double along = 0.0;  // without penalties, if areas cost differently
    for (std::size_t i = 0; i + 1 < work_.best.size(); ++i) {
        const Pose from = i == 0 ? start : to_world(work_.best[i].pose);
        const std::size_t first = route.legs.size();
        Pose end;
        if (!append_legs(work_.best[i].next.word, from, radius, 0, route.legs, end)) return false;
        std::uint32_t polygon = work_.best[i].pose.sheet;
        if (!write_heights(first, polygon, route.legs)) return false;
        cost += work_.best[i].next.cost;
        if (!prices_.even)
            along += lattice_.sweep.priced_length(work_.best[i].pose, table_->turning_radius(),
                                                  work_.best[i].next.word, 1.0);
    }
    drive::merge_legs(route.legs);
    const bool at_goal = !work_.so_far && lattice_.goal.range <= 0.0;
    const bool exact = at_goal && ends_.goal_headings == 0;
    const Pose last = work_.best.size() == 1 ? start : to_world(work_.best.back().pose);
    const double heading = exact ? query_.goal.at.heading_rad : last.heading_rad;
    const Vec2 end = at_goal ? ground(query_.goal.at.position) : last.position;
    const std::uint32_t under = at_goal ? goal_.at.polygon : work_.best.back().pose.sheet;
    const Vec3 place = on_surface(under, end - ground(state_->origin));
    route.end = {{end.x, end.y, place.z}, heading, 0};
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        Leg& leg = route.legs[i];
        leg.rise = leg_end(route, i).position.z - leg.start.position.z;
        route.length += leg.length;
    }
    route.cost = cost * table_->lattice_size() * prices_.unit;
    route.line_cost = (prices_.even ? route.length : along * table_->lattice_size()) * prices_.unit;
    return true;
}

}  // namespace fairlead::bridge
