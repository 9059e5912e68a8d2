#include "drive/lattice/lattice_path.h"

#include <algorithm>

#include "drive/lattice/drive_work.h"
#include "drive/lattice/list_nodes.h"

namespace fairlead::drive {

namespace {

constexpr double kDearest = 1e300;

// Visits of one primitive, for work.visits.
template <class Visits>
bool add_visits(const Visits& visits, double penalty, double cell, DriveWork& work) {
    for (const auto& visit : visits) {
        LatticeVisit out{
            .cost = static_cast<Cost>(visit.length * penalty * cell + 0.5), .dx = visit.dx, .dy = visit.dy};
        if constexpr (requires { visit.facing; }) {
            out.over_x = visit.over_x;
            out.over_y = visit.over_y;
            out.facing = visit.facing;
        }
        if (!work.visits.push_back(out)) return false;
    }
    return true;
}

// On terrain a step costs what its parts in the cells cost.
bool fill_visits(const MapData& map, double reverse_penalty, DriveWork& work) {
    const std::span<const Primitive> all = map.table().primitives().all();
    const auto cell = static_cast<double>(work.scale.straight);
    work.visits.clear();
    if (!work.first_visit.resize_uninitialized(all.size() + 1)) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        work.first_visit[i] = static_cast<std::uint32_t>(work.visits.size());
        const double penalty = all[i].gear == Gear::reverse ? reverse_penalty : 1.0;
        const bool good = map.edges().has_roads()
                              ? add_visits(map.edges().road_visits(i), penalty, cell, work)
                              : add_visits(map.table().visits(i), penalty, cell, work);
        if (!good) return false;
    }
    work.first_visit[all.size()] = static_cast<std::uint32_t>(work.visits.size());
    return true;
}

// On roads what the edge map says of a step holds, to the last digit: it is cut into pieces in the same place.
double cost_on_roads(const MapData& map, std::size_t i, const LatticePose& from) {
    const Terrain terrain = map.terrain();
    double sum = 0.0;
    for (const RoadVisit& visit : map.edges().road_visits(i)) {
        sum += visit.length * terrain.on_road(from.x + visit.dx, from.y + visit.dy, visit.over_x,
                                              visit.over_y, visit.facing);
    }
    return sum * (1.0 / RoadGround::kOne);
}

// The curve that a node of the path came by, from the pose before it, and where it ends.
bool curve_into(const MapData& map, DriveWork& work, std::size_t i, FreeCurve& out, Pose& end) {
    const std::uint32_t before = work.path[i - 1];
    const LatticePose at = work.lattice.code().pose(before);
    if (work.path[i] == work.lattice.goal_state()) {
        int which = 0;
        const bool free = work.goal.curve_from(work.lattice.pose_in_cells(at), at.gear, out, which);
        if (free) end = work.goal.target[which];
        return free;
    }
    const LatticePose to = work.lattice.code().pose(work.path[i]);
    end = work.lattice.pose_in_cells(to);
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

void free_first_gear(std::span<ChainPose> chain) {
    std::size_t moves = 0;
    const auto keeps_gear = [](const FreeCurve& curve) { return only_turns(curve.word) || curve.is_link; };
    while (moves + 1 < chain.size() && keeps_gear(chain[moves].next)) ++moves;
    const Gear gear = chain[moves].next.first;
    for (ChainPose& pose : chain.first(moves)) pose.next.first = pose.next.last = gear;
    for (ChainPose& pose : chain.first(std::min(moves + 1, chain.size() - 1)))
        pose.next.cost = pose.next.plain;
}

bool fill_steps(const MapData& map, const LatticeQuery& query, DriveWork& work) {
    const std::span<const Primitive> all = map.table().primitives().all();
    if (!work.steps.resize_uninitialized(all.size())) return false;
    const auto cell = static_cast<double>(work.scale.straight);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Primitive& p = all[i];
        double cost = p.length * (p.gear == Gear::reverse ? query.reverse_penalty : 1.0);
        if (!map.uniform()) cost = 0.0;  // its visits say it
        if (p.is_turn()) cost = turned_on_spot(p.word) * query.pivot_penalty * map.table().pitch();
        // A turn is never free, however coarse the scale: fields are followed down.
        const Cost least = p.is_turn() ? 1 : 0;
        work.steps[i] = {std::max(static_cast<Cost>(cost * cell + 0.5), least), p.dx, p.dy, p.to, p.gear};
    }
    if (!map.uniform()) return fill_visits(map, query.reverse_penalty, work);
    return true;
}

StepCosts step_costs(const MapData& map, const DriveWork& work) {
    if (map.uniform()) return {};
    return {map.terrain(), work.visits.data(), work.first_visit.data()};
}

namespace {

// The cheapest link from one pose to another.
void take_link(const MapData& map, const LatticePose& from, const LatticePose& to, FreeCurve& out) {
    if (!map.has_links() || from.heading != to.heading || from.gear != to.gear) return;
    for (const LatticeLink& link : map.links_from(from.x, from.y)) {
        if (link.to_x != to.x || link.to_y != to.y || link.cost >= out.plain) continue;
        out = FreeCurve{};
        out.plain = out.cost = link.cost;
        out.first = out.last = to.gear;
        out.is_link = true;
        out.link_id = link.id;
    }
}

}  // namespace

// Primitives with the same ends and gear are different words of one move (DriveTableOptions::every_word): the search took the
// cheapest that is free.
FreeCurve curve_between(const MapData& map, const CurveWorld& curves, const LatticePose& from,
                        const LatticePose& to) {
    const PrimitiveSet& set = map.table().primitives();
    FreeCurve out;
    out.plain = kDearest;
    for (std::size_t i = set.first(from.heading); i < set.first(from.heading + 1); ++i) {
        const Primitive& step = set.all()[i];
        const bool leads = step.dx == to.x - from.x && step.dy == to.y - from.y && step.to == to.heading;
        if (!leads || step.gear != to.gear || !map.edges().may_drive(from.x, from.y, i)) continue;
        const Pose start = map.table().node(from.x, from.y, from.heading);
        if (!is_clear_of(curves.blockers, curves.body, start, curves.radius, step.word)) continue;
        const double reverse = step.gear == Gear::reverse ? curves.reverse_penalty : 1.0;
        const double plain = map.edges().has_roads() && !step.is_turn()
                                 ? cost_on_roads(map, i, from) * reverse
                                 : curves.cost_of(step.word, start);
        if (plain < out.plain) out = {step.word, plain, plain, step.gear, step.gear};
    }
    take_link(map, from, to, out);
    FAIRLEAD_ASSERT(out.plain < kDearest);
    if (out.first != from.gear) out.cost += curves.cusp_penalty;
    return out;
}

bool ChainWork::begin(const MapData& map, DriveWork& work, std::uint32_t last) {
    map_ = &map;
    work_ = &work;
    failed_ = false;
    next_ = 1;
    work.chain.clear();
    if (!list_nodes(work.nodes, last, work.path)) return false;
    if (work.path[0] == work.lattice.goal_state()) {
        const DirectCurve& direct = work.direct;
        return work.chain.push_back({direct.from, direct.curve}) &&
               work.chain.push_back({work.goal.target[direct.which], {}});
    }
    const LatticeStart& first = start_of(work, work.lattice.code().pose(work.path[0]));
    if (first.word.count > 0) {
        const double cost = work.goal.curves.cost_of(first.word, first.from);
        if (!work.chain.push_back({first.from, {first.word, cost, cost, first.pose.gear, first.pose.gear}}))
            return false;
    }
    const LatticePose start = work.lattice.code().pose(work.path[0]);
    return work.chain.push_back({work.lattice.pose_in_cells(start), {}});
}

bool ChainWork::step() {
    constexpr int kPoses = 8;
    for (int i = 0; i < kPoses; ++i) {
        if (add_next()) continue;
        if (!failed_ && work_->path[0] != work_->lattice.goal_state()) free_first_gear(work_->chain.span());
        return false;
    }
    return true;
}

// False: that was all, or there is no memory.
bool ChainWork::add_next() {
    DriveWork& work = *work_;
    if (next_ >= work.path.size()) return false;
    const std::size_t i = next_++;
    const bool is_last = work.path[i] == work.lattice.goal_state();
    if (is_last && work.goal.accepts(work.lattice.code().pose(work.path[i - 1])))
        return false;  // it is there
    Pose end;
    failed_ = !curve_into(*map_, work, i, work.chain.back().next, end) || !work.chain.push_back({end, {}});
    return !failed_;
}

bool fill_chain(const MapData& map, DriveWork& work, std::uint32_t last) {
    if (!work.chain_work.begin(map, work, last)) return false;
    while (work.chain_work.step()) {
    }
    return !work.chain_work.failed();
}

}  // namespace fairlead::drive
