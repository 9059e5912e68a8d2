#include "drive/lattice/list_starts.h"

#include <cmath>

#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/math/trig.h>

#include "drive/lattice/drive_work.h"
#include "drive/lattice/end_curves.h"
#include "drive/lattice/prepare_ends.h"

namespace fairlead::drive {

namespace {

// Cells of the lattice within which units that pivot join it by turn, line, turn.
constexpr double kTurningReach = 1.5;

}  // namespace

CurveWorld curves_for(const MapData& map, const LatticeQuery& query) {
    const DriveTable& table = map.table();
    return {.free = map.free_cells(),
            .body = table.body(),
            .radius = table.turning_radius(),
            .can_reverse = table.options().agent.can_reverse,
            .reverse_penalty = query.reverse_penalty,
            .cusp_penalty = query.cusp_penalty * table.pitch(),
            .can_pivot = table.options().agent.can_pivot,
            .pivot_penalty = query.pivot_penalty * table.pitch(),
            .terrain = map.terrain(),
            .blockers = query.blockers};
}

void StartList::begin(const MapData& map, const LatticeQuery& query, DriveWork& work) {
    map_ = &map;
    query_ = &query;
    work_ = &work;
    curves_ = curves_for(map, query);
    poses_ = StartPoses(map, query);
    work.starts.clear();
    failed_ = false;
    stage_ = Stage::pose;
}

bool StartList::step() {
    switch (stage_) {
        case Stage::pose: next_pose(); break;
        case Stage::curves: add_curves(); break;
        case Stage::turning: add_turning(); break;
        case Stage::words: add_words(); break;
        case Stage::done: break;
    }
    return stage_ != Stage::done && !failed_;
}

std::size_t StartList::count() const { return work_->starts.size(); }

void StartList::next_pose() {
    if (!poses_.next(pose_)) {
        stage_ = Stage::done;
        return;
    }
    const DriveTable& table = map_->table();
    LatticePose at = nearest_pose(pose_, table);
    if (is_lattice_pose(pose_, at, table)) {
        failed_ = !work_->starts.push_back({.pose = at, .from = pose_});
        // Which gear it starts in is free.
        at.gear = Gear::reverse;
        if (table.options().agent.can_reverse)
            failed_ = failed_ || !work_->starts.push_back({.pose = at, .from = pose_});
        return;
    }
    ahead_ = math::direction(pose_.heading_rad);
    before_ = count();
    room_ = before_ + kStartsMax;
    walk_ = NodeWalk(map_->free_cells(), static_cast<std::int32_t>(std::floor(pose_.position.x)),
                     static_cast<std::int32_t>(std::floor(pose_.position.y)), table.primitives().reach());
    stage_ = Stage::curves;
}

// Curves to the poses of the lattice around, forward and, if the unit can, in reverse.
void StartList::add_curves() {
    std::int32_t x = 0;
    std::int32_t y = 0;
    if (count() < room_ && walk_.next(x, y)) {
        for (std::int32_t h = 0; h < map_->table().headings() && count() < room_ && !failed_; ++h)
            failed_ = map_->edges().stands(x, y, h) && !add_both({x, y, h, Gear::forward});
        return;
    }
    if (!curves_.can_pivot) return end_turning();
    walk_ = NodeWalk(map_->free_cells(), pose_.position, kTurningReach, map_->table().node_offset());
    stage_ = Stage::turning;
}

bool StartList::add_both(LatticePose at) {
    const DriveTable& table = map_->table();
    const EndPose from{pose_, ahead_};
    const EndPose to{table.node(at.x, at.y, at.heading), heading_direction(table.headings(), at.heading)};
    return !any_short_word(table, from, to, [&](const CurveWord& word, Gear gear) {
        std::uint32_t sheet = 0;
        if (!curves_.passes(pose_, word, kAnySheet, sheet)) return false;
        at.gear = gear;
        return !add_word(at, word);
    });
}

bool StartList::add_word(const LatticePose& at, const CurveWord& word) {
    const double cost = curves_.terrain.cost_of(word, pose_, curves_.radius, query_->reverse_penalty) *
                        static_cast<double>(work_->scale.straight);
    return !std::isfinite(cost) || work_->starts.push_back({at, pose_, word, static_cast<Cost>(cost)});
}

// Turn, line, turn: to the places of the lattice around.
void StartList::add_turning() {
    std::int32_t x = 0;
    std::int32_t y = 0;
    if (!walk_.next(x, y)) return end_turning();
    for (std::int32_t h = 0; h < map_->table().headings() && !failed_; ++h)
        failed_ = map_->edges().stands(x, y, h) && !add_turning_to({x, y, h, Gear::forward});
}

bool StartList::add_turning_to(const LatticePose& at) {
    FreeCurve curve;
    for (const Gear gear : {Gear::forward, Gear::reverse}) {
        const bool other = gear == Gear::reverse;
        if (other && (!curves_.can_reverse || curve.word.count == 0 || curve.last == gear)) continue;
        const Pose there = map_->table().node(at.x, at.y, at.heading);
        if (curves_.find_turning(pose_, gear, there, 1e300, curves_.can_reverse, curve) &&
            !add_found(at, curve))
            return false;
    }
    return true;
}

bool StartList::add_found(const LatticePose& at, const FreeCurve& curve) {
    const auto cost = static_cast<Cost>(curve.plain * static_cast<double>(work_->scale.straight));
    return work_->starts.push_back({{at.x, at.y, at.heading, curve.last}, pose_, curve.word, cost});
}

void StartList::end_turning() {
    stage_ = Stage::pose;
    if (count() - before_ >= kFewEnds) return;
    room_ = count() + kStartsMax;
    walk_ = NodeWalk(map_->free_cells(), pose_.position, all_words_reach(map_->table()),
                     map_->table().node_offset());
    heading_ = map_->table().headings();
    stage_ = Stage::words;
}

// All words to the next pose around.
void StartList::add_words() {
    const std::int32_t headings = map_->table().headings();
    if (heading_ == headings) {
        if (count() >= room_ || !walk_.next(x_, y_)) {
            stage_ = Stage::pose;
            return;
        }
        heading_ = 0;
    }
    while (heading_ < headings && !map_->edges().stands(x_, y_, heading_)) ++heading_;
    if (heading_ == headings) return;
    const LatticePose at{x_, y_, heading_++, Gear::forward};
    FreeCurve curve;
    if (count() < room_ && curves_.find(pose_, Gear::forward, map_->table().node(at.x, at.y, at.heading),
                                        1e300, kReedsSheppWords, curve))
        failed_ = !add_found(at, curve);
}

}  // namespace fairlead::drive
