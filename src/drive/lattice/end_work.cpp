#include "drive/lattice/end_work.h"

#include <algorithm>

#include <fairlead/curve/reeds_shepp.h>

#include "drive/ground/ground_goals.h"
#include "drive/lattice/drive_work.h"
#include "drive/lattice/prepare_ends.h"

namespace fairlead::drive {

void EndWork::begin(const MapData& map, const LatticeQuery& query, DriveWork& work, bool corridor) {
    map_ = &map;
    query_ = query;
    work_ = &work;
    failed_ = false;
    corridor_ = corridor;
    work.in_corridor = false;
    work.least = 0.0;
    stage_ = Stage::blockers;
}

void EndWork::begin_everywhere() {
    work_->in_corridor = corridor_ = false;
    stage_ = Stage::ground;
}

bool EndWork::step() {
    switch (stage_) {
        case Stage::blockers:
            if (work_->blockers.step()) break;
            failed_ = work_->blockers.failed();
            stage_ = Stage::look;
            break;
        case Stage::look: look_up(); break;
        case Stage::divided: look_for_part(); break;
        case Stage::starts:
            if (starts_.step()) break;
            failed_ = starts_.failed();
            poses_ = StartPoses(*map_, query_);
            work_->direct = {};
            target_ = 0;
            least_ = 1e300;
            stage_ = Stage::direct;
            break;
        case Stage::direct: find_direct(); break;
        case Stage::joined:
            if (!joined_.step()) end_joined();
            break;
        case Stage::ground: begin_ground(); break;
        case Stage::way: find_way(); break;
        case Stage::mark: mark_way(); break;
        case Stage::least: find_least(); break;
        case Stage::near: grow_near(); break;
        case Stage::grow: grow(); break;
        case Stage::done: break;
    }
    if (failed_) stage_ = Stage::done;
    return stage_ != Stage::done;
}

void EndWork::look_up() {
    work_->divided = false;
    stage_ = Stage::done;
    work_->status = PathStatus::off_world;
    if (!MapFrame(*map_).on_map(query_.goal.position, query_.goal_layer)) return;
    work_->status = start_status(*map_, query_);
    if (work_->status != PathStatus::complete) return;
    work_->status = PathStatus::goal_blocked;
    if (fill_goal(*map_, query_, work_->goal)) begin_divided();
}

// Are all places of the goal in other parts of the ground than the start?
void EndWork::begin_divided() {
    const LatticeGoal& goal = work_->goal;
    from_ = MapFrame(*map_).in_cells(query_.start, query_.start_layer);
    if (map_->has_links()) return end_divided(false);
    if (goal.targets > 0) return end_divided(map_->divided(from_.position, goal.centre));
    places_ = NodeWalk(map_->free_cells(), goal.centre, goal.range, goal.node_offset);
    stage_ = Stage::divided;
}

void EndWork::look_for_part() {
    constexpr int kPlaces = 32;
    std::int32_t x = 0;
    std::int32_t y = 0;
    for (int i = 0; i < kPlaces; ++i) {
        if (!places_.next(x, y)) return end_divided(true);
        if (!map_->divided(from_.position, map_->table().node(x, y, 0).position)) return end_divided(false);
    }
}

void EndWork::end_divided(bool divided) {
    work_->divided = divided;
    work_->status = PathStatus::unreachable;
    stage_ = divided ? Stage::done : Stage::starts;
    if (!divided) starts_.begin(*map_, query_, *work_);
}

// One curve all the way, if one is free.
void EndWork::find_direct() {
    const LatticeGoal& goal = work_->goal;
    if (target_ < goal.targets && query_.goal_curves && (target_ > 0 || poses_.next(from_))) {
        FreeCurve curve;
        if (goal.curves.find(from_, Gear::forward, goal.target[target_], least_, kReedsSheppWords, curve)) {
            curve.cost = curve.plain;  // which gear it starts in is free
            least_ = curve.cost;
            work_->direct = {from_, curve, target_};
        }
        if (++target_ == goal.targets) target_ = 0;
        return;
    }
    const bool direct = work_->direct.which >= 0;
    if (work_->starts.empty()) {
        if (direct) work_->status = PathStatus::complete;
        stage_ = Stage::done;
    } else if (direct) {
        stage_ = Stage::ground;
    } else {
        joined_.begin(*map_, *work_);
        stage_ = Stage::joined;
    }
}

void EndWork::end_joined() {
    failed_ = joined_.failed();
    stage_ = joined_.joined() ? Stage::ground : Stage::done;
}

void EndWork::begin_ground() {
    work_->status = PathStatus::complete;
    stage_ = Stage::done;
    if (map_->table().ground_factor() == 0.0) return;
    if (corridor_ && begin_way()) {
        stage_ = Stage::way;
        return;
    }
    if (!failed_) grow_on(map_->free_cells());
}

// All free cells, or those of a corridor.
void EndWork::grow_on(const GroundBits& cells) {
    const DriveTable& table = map_->table();
    const LatticePose& start = work_->starts[0].pose;
    GroundDistance& ground = work_->ground;
    stage_ = Stage::done;
    if (!ground.begin(cells, table.ground_corner(), start.x, start.y)) {
        failed_ = true;
        return;
    }
    if (map_->has_links())
        ground.take_links(map_->links_back(), kGroundStraight / (table.ground_factor() * map_->cheapest()));
    failed_ = !add_ground_goals(cells, table, work_->goal, ground);
    if (query_.heuristic != DriveHeuristic::bounds) return;
    start_ = 0;
    stage_ = Stage::grow;
}

// The search asks for the ground at every start.
void EndWork::grow() {
    constexpr std::size_t kStarts = 64;
    const std::size_t end = std::min(work_->starts.size(), start_ + kStarts);
    for (; start_ < end; ++start_) {
        const LatticePose& at = work_->starts[start_].pose;
        if (!work_->ground.grow_toward(at.x, at.y)) return;
    }
    if (start_ == work_->starts.size()) stage_ = Stage::done;
}

}  // namespace fairlead::drive
