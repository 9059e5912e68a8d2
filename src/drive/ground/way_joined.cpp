#include "drive/ground/way_joined.h"

#include <algorithm>

#include <fairlead/math/trig.h>

#include "drive/lattice/drive_work.h"

namespace fairlead::drive {

bool go_over(std::span<const LatticeLink> links, std::int32_t headings, PoseClosure& closure) {
    for (const LatticeLink& link : links) {
        for (std::int32_t h = 0; h < headings; ++h) {
            const LatticePose there{link.to_x, link.to_y, h, Gear::forward};
            if (closure.set().has({link.x, link.y, h, Gear::forward}) &&
                closure.has_room(link.to_x, link.to_y, h))
                closure.add(there);
        }
    }
    return !closure.done();
}

void CoreAnswers::add(const LatticePose& pose) {
    const CoreLinks links = map_->links(pose);
    if (std::find(answer_, answer_ + count_, links) != answer_ + count_) return;
    if (count_ == kMost) {
        too_many_ = true;
    } else {
        answer_[count_++] = links;
    }
}

MapData::Joined CoreAnswers::joined_to(const LatticePose& pose) const {
    const CoreLinks to = map_->links(pose);
    MapData::Joined out = too_many_ ? MapData::Joined::unknown : MapData::Joined::no;
    for (int i = 0; i < count_; ++i) {
        const MapData::Joined answer = MapData::joined(answer_[i], to);
        if (answer == MapData::Joined::yes) return answer;
        if (answer == MapData::Joined::unknown) out = answer;
    }
    return out;
}

void WayJoined::begin(const MapData& map, DriveWork& work) {
    map_ = &map;
    work_ = &work;
    starts_ = CoreAnswers(map);
    work.entries.clear();
    joined_ = failed_ = false;
    start_ = listed_ = 0;
    ahead_is_next_ = true;
    stage_ = Stage::starts;
}

bool WayJoined::step() {
    if (stage_ == Stage::starts) {
        add_starts();
    } else if (stage_ == Stage::grow) {
        grow();
    } else if (stage_ != Stage::done) {
        // Curves of all words take long: one a unit. Else the poses of one cell.
        LatticePose at;
        if (!next_pose(at)) {
            next_target();
        } else {
            do {
                MapData::Joined answer = starts_.joined_to(at);
                // A link may join what the cores do not.
                if (map_->has_links() && answer == MapData::Joined::no) answer = MapData::Joined::unknown;
                if (answer != MapData::Joined::no) look_at(at, answer);
            } while (stage_ != Stage::all_words && stage_ != Stage::done && heading_ > 0 && next_pose(at));
        }
    }
    if (joined_ || failed_) stage_ = Stage::done;
    return stage_ != Stage::done;
}

void WayJoined::add_starts() {
    constexpr std::size_t kSome = 64;
    const std::size_t end = std::min(work_->starts.size(), start_ + kSome);
    for (; start_ < end; ++start_) starts_.add(work_->starts[start_].pose);
    if (start_ < work_->starts.size()) return;
    const LatticeGoal& goal = work_->goal;
    stage_ = Stage::accepted;
    walk_ = NodeWalk(map_->free_cells(), goal.centre, goal.range, goal.node_offset);
    heading_ = 0;
}

// Looks for curves to a target of the goal; after the last one, what is to be done then.
void WayJoined::walk_to(Stage stage, std::int32_t target) {
    const LatticeGoal& goal = work_->goal;
    const DriveTable& table = map_->table();
    stage_ = stage;
    target_ = target;
    if (target < goal.targets) {
        to_ = {goal.target[target], math::direction(goal.target[target].heading_rad)};
        const double reach =
            stage == Stage::all_words ? all_words_reach(table) : table.primitives().reach() * 1.4143;
        walk_ = NodeWalk(map_->free_cells(), goal.target[target].position, reach, table.node_offset());
        heading_ = 0;
    } else if (stage == Stage::short_curves && (listed_ < kFewEnds || goal.curves.can_pivot)) {
        walk_to(Stage::all_words, 0);
    } else {
        begin_growing();
    }
}

void WayJoined::next_target() {
    if (stage_ == Stage::accepted) {
        walk_to(Stage::short_curves, 0);
    } else {
        walk_to(stage_, target_ + 1);
    }
}

// The next pose of the walk that the unit stands in. heading_ is 0 after the last one of a cell. False: there is none.
bool WayJoined::next_pose(LatticePose& at) {
    const std::int32_t headings = map_->table().headings();
    for (;;) {
        if (heading_ == 0 && !walk_.next(x_, y_)) return false;
        while (heading_ < headings && !map_->edges().stands(x_, y_, heading_)) ++heading_;
        if (heading_ < headings) break;
        heading_ = 0;
    }
    at = {x_, y_, heading_, Gear::forward};
    do ++heading_;
    while (heading_ < headings && !map_->edges().stands(x_, y_, heading_));
    if (heading_ == headings) heading_ = 0;
    return true;
}

void WayJoined::look_at(const LatticePose& at, MapData::Joined answer) {
    if (!reaches_goal(at)) return;
    if (stage_ != Stage::accepted) ++listed_;
    if (answer == MapData::Joined::yes) {
        joined_ = true;
        stage_ = Stage::done;
    } else {
        failed_ = !work_->entries.push_back(at);
    }
}

bool WayJoined::reaches_goal(const LatticePose& at) const {
    if (stage_ == Stage::accepted) return work_->goal.accepts(at);
    if (!work_->goal.in_reach(at)) return false;  // the search does not try it
    return stage_ == Stage::all_words ? any_word(at) : short_curve(at);
}

bool WayJoined::any_word(const LatticePose& at) const {
    const LatticeGoal& goal = work_->goal;
    FreeCurve curve;
    return goal.curves.find(map_->table().node(at.x, at.y, at.heading), Gear::forward, goal.target[target_],
                            1e300, LatticeGoal::kCurveTries, curve);
}

bool WayJoined::short_curve(const LatticePose& at) const {
    const DriveTable& table = map_->table();
    const EndPose from{table.node(at.x, at.y, at.heading), heading_direction(table.headings(), at.heading)};
    const CurveWorld& curves = work_->goal.curves;
    FreeCurve turning;
    return any_short_curve(*map_, from, to_, [](const CurveWord&, Gear) { return true; }) ||
           (curves.can_pivot &&
            curves.find_turning(from.pose, Gear::forward, to_.pose, 1e300, curves.can_reverse, turning));
}

void WayJoined::begin_growing() {
    stage_ = Stage::done;
    if (work_->entries.empty()) return;
    if (!work_->ahead.begin(map_->edges(), Direction::forward) ||
        !work_->behind.begin(map_->edges(), Direction::backward)) {
        failed_ = true;
        return;
    }
    bar_cores();
    for (const LatticeStart& start : work_->starts) work_->ahead.add(start.pose);
    for (const LatticePose& entry : work_->entries) work_->behind.add(entry);
    stage_ = Stage::grow;
}

// A core that reaches no entry: no pose that it reaches leads to one. A core that no start reaches: no pose that leads to it is reached
// from one. So only what lies before the cores and behind them is looked through. Links may lead elsewhere.
void WayJoined::bar_cores() {
    if (map_->has_links()) return;
    std::uint32_t to = 0;    // cores that reach an entry
    std::uint32_t from = 0;  // that a start reaches
    for (const LatticePose& entry : work_->entries) to |= map_->links(entry).reached;
    for (const LatticeStart& start : work_->starts) from |= map_->links(start.pose).reaches;
    for (std::int32_t core = 0; core < map_->cores(); ++core) {
        if (((to >> core) & 1U) == 0) work_->ahead.bar(map_->reached(core));
        if (((from >> core) & 1U) == 0) work_->behind.bar(map_->reaching(core));
    }
}

void WayJoined::grow() {
    constexpr std::uint64_t kTurn = 16;  // words
    PoseClosure& closure = ahead_is_next_ ? work_->ahead : work_->behind;
    const auto links = ahead_is_next_ ? map_->links() : map_->links_back();
    const bool ahead = ahead_is_next_;
    ahead_is_next_ = !ahead_is_next_;
    if (closure.step(kTurn) || go_over(links, map_->table().headings(), closure)) return;
    // This one has all that there is.
    stage_ = Stage::done;
    joined_ = ahead ? std::any_of(work_->entries.begin(), work_->entries.end(),
                                  [&](const LatticePose& entry) { return closure.set().has(entry); })
                    : std::any_of(work_->starts.begin(), work_->starts.end(),
                                  [&](const LatticeStart& start) { return closure.set().has(start.pose); });
}

}  // namespace fairlead::drive
