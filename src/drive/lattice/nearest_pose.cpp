// The place of the lattice nearest to a goal that a unit cannot come to.
#include "drive/lattice/nearest_pose.h"

#include <algorithm>
#include <cmath>

#include "drive/ground/way_joined.h"
#include "drive/lattice/drive_work.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

namespace {

constexpr double kNoPlace = 1e300;
constexpr double kOnePlace = 0.25;  // cells: within which a goal has one place of the lattice

std::int32_t node_near(double v, double offset) {
    constexpr double kFar = 1e6;  // beyond any map
    return static_cast<std::int32_t>(std::clamp(std::floor(v + 0.5 - offset), -kFar, kFar));
}

}  // namespace

void NearestPose::begin(const MapData& map, const LatticeQuery& query, DriveWork& work) {
    map_ = &map;
    query_ = &query;
    work_ = &work;
    failed_ = false;
    cores_ = 0;
    x_ = y_ = -1;
    starts_.begin(map, query, work);
    stage_ = Stage::starts;
}

bool NearestPose::step() {
    switch (stage_) {
        case Stage::starts:
            if (starts_.step()) break;
            failed_ = starts_.failed();
            begin_growing();
            break;
        case Stage::grow: grow(); break;
        case Stage::look: look(); break;
        case Stage::done: break;
    }
    if (failed_) stage_ = Stage::done;
    return stage_ != Stage::done;
}

// Links may lead from what a core reaches to more, and blockers may cut it.
void NearestPose::begin_growing() {
    if (!work_->ahead.begin(map_->edges(), Direction::forward)) {
        failed_ = true;
        return;
    }
    if (query_->blockers != nullptr) work_->ahead.keep_to(work_->clear_moves);
    std::uint32_t known = 0;
    if (!map_->has_links() && query_->blockers == nullptr) {
        for (const LatticeStart& start : work_->starts) known |= map_->links(start.pose).reaches;
    }
    int barred = 0;
    for (std::int32_t core = 0; core < map_->cores() && barred < PoseClosure::kBarredMost; ++core) {
        if (((known >> core) & 1U) == 0) continue;
        work_->ahead.bar(map_->reached(core));
        cores_ |= std::uint32_t{1} << core;
        ++barred;
    }
    for (const LatticeStart& start : work_->starts) work_->ahead.add(start.pose);
    stage_ = Stage::grow;
}

void NearestPose::grow() {
    // Words: past blockers each of their moves is looked at.
    const std::uint64_t turn = query_->blockers != nullptr ? 1 : 16;
    const bool more = work_->ahead.step(turn);
    failed_ = work_->clear_moves.failed();
    if (failed_) return;
    if (more || go_over(map_->links(), map_->table().headings(), work_->ahead)) return;
    begin_looking();
}

void NearestPose::begin_looking() {
    const MapFrame frame(*map_);
    const std::int32_t floor = frame.floor_of(query_->goal_layer);
    low_ = static_cast<std::int32_t>(frame.row(floor));
    top_ = low_ + static_cast<std::int32_t>(frame.height);
    goal_ = frame.in_cells(query_->goal, query_->goal_layer).position;
    const Vec2 from = frame.in_cells(query_->start, query_->start_layer).position - goal_;
    start_square_ = frame.floor_of(query_->start_layer) == floor ? dot(from, from) : kNoPlace;
    square_ = kNoPlace;
    ring_ = along_ = 0;
    stage_ = Stage::look;
}

bool NearestPose::reaches(std::int32_t x, std::int32_t y, std::int32_t heading) const {
    const PoseSet& set = work_->ahead.set();
    if (set.has({x, y, heading, Gear::forward})) return true;
    const std::size_t word = set.word_of(x, y, heading);
    for (std::int32_t core = 0; core < map_->cores(); ++core) {
        if (((cores_ >> core) & 1U) != 0 && ((map_->reached(core)[word] >> (x & 63)) & 1U) != 0) return true;
    }
    return false;
}

void NearestPose::look_at(std::int32_t x, std::int32_t y) {
    if (x < 0 || x >= map_->edges().width() || y < low_ || y >= top_) return;
    const double offset = map_->table().node_offset();
    const Vec2 gap{goal_.x - x - offset, goal_.y - y - offset};
    const double square = dot(gap, gap);
    if (square > square_ || (square == square_ && (y > y_ || (y == y_ && x > x_)))) return;
    for (std::int32_t h = 0; h < map_->table().headings(); ++h) {
        if (!reaches(x, y, h)) continue;
        square_ = square;
        x_ = x;
        y_ = y;
        return;
    }
}

// A ring: no place of the next one is nearer than its number less a half.
void NearestPose::look() {
    const double offset = map_->table().node_offset();
    const std::int32_t x = node_near(goal_.x, offset);
    const std::int32_t y = node_near(goal_.y, offset);
    constexpr std::int32_t kPlaces = 64;
    const std::int32_t k = ring_;
    const double least = k - 0.5;
    if (k > std::max(map_->edges().width(), top_ - low_) || (k > 0 && least * least > square_)) {
        stage_ = Stage::done;
        return;
    }
    if (k == 0) look_at(x, y);
    // Its four sides, a part at a time.
    const std::int32_t end = std::min(8 * k, along_ + kPlaces);
    for (; along_ < end; ++along_) {
        const std::int32_t t = along_ % (2 * k);
        switch (along_ / (2 * k)) {
            case 0: look_at(x - k + t, y - k); break;
            case 1: look_at(x + k, y - k + t); break;
            case 2: look_at(x + k - t, y + k); break;
            default: look_at(x - k, y + k - t); break;
        }
    }
    if (along_ < 8 * k) return;
    ++ring_;
    along_ = 0;
}

PathStatus NearestPose::lead(LatticeQuery& query, PathStatus no_way) const {
    if (x_ < 0 && start_square_ == kNoPlace) return no_way;
    if (square_ < start_square_) {
        aim(query);
        return PathStatus::complete;
    }
    Pose pose;
    if (StartPoses(*map_, query).next(pose)) query.start.heading_rad = pose.heading_rad;
    return PathStatus::partial;
}

// A small region and no exact place: what is written in the world may be rounded.
void NearestPose::aim(LatticeQuery& query) const {
    const MapFrame frame(*map_);
    const Pose at = map_->table().node(x_, y_, 0);
    query.goal = frame.to_world(at);
    query.goal_range = kOnePlace * map_->table().lattice_size();
    query.goal_layer = frame.layer_at(at.position.y);
    query.goal_headings = 0;
    for (std::int32_t h = 0; h < map_->table().headings(); ++h) {
        if (reaches(x_, y_, h)) query.goal_headings |= std::uint32_t{1} << h;
    }
    // What its user knows are other rests.
    if (query.heuristic == DriveHeuristic::own) query.heuristic = DriveHeuristic::bounds;
}

}  // namespace fairlead::drive
