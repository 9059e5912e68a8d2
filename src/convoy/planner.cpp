#include "convoy/planner.h"

#include <algorithm>
#include <cmath>

#include "convoy/convoy_data.h"
#include "drive/map/map_frame.h"

namespace fairlead::convoy {

namespace {

constexpr double kBucket = 0.2;              // seconds
constexpr double kWait = 0.5;                // seconds
constexpr double kInTheWay = 1.5;            // seconds
constexpr double kReverseCost = 1.05;        // a second in reverse
constexpr double kTicks = 16777216.0;        // 2^24 a second
constexpr std::size_t kSeenSize = 1U << 16;  // at most units_max of them are filled
constexpr std::size_t kNodesMax = 1U << 20;

}  // namespace

double field_seconds(const drive::MapData& map, const MoveSet& moves, const Target& target,
                     const drive::LatticePose& at) {
    const Pose pose = drive::MapFrame(map).to_world(map.table().node(at.x, at.y, at.heading));
    const double cost = target.field.cost_at(pose.position, at.heading, at.gear);
    const double seconds = cost / moves.times().limits().speed_max + target.ramp_seconds;
    return seconds < kNoWay ? seconds : kNoWay;
}

std::uint64_t Planner::key(const Node& node) const {
    const auto bucket = static_cast<std::uint64_t>((node.time - ask_.start) / kBucket);
    std::uint64_t k = static_cast<std::uint16_t>(node.x);
    k = k << 16 | static_cast<std::uint16_t>(node.y);
    k = k << 5 | node.heading;
    k = k << 4 | node.level;
    k = k << 1 | (node.gear == Gear::reverse ? 1U : 0U);
    k = k << 2 | static_cast<std::uint64_t>(node.where);
    return k << 20 | (bucket & 0xfffffU);
}

std::size_t Planner::slot_of(std::uint64_t k) const {
    std::uint64_t hash = k * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32;
    std::size_t i = hash & (kSeenSize - 1);
    while (seen_[i].stamp == stamp_ && seen_[i].key != k) i = (i + 1) & (kSeenSize - 1);
    return i;
}

bool Planner::is_closed(const Node& node) const { return seen_[slot_of(key(node))].stamp == stamp_; }

bool Planner::close(const Node& node) {
    const std::uint64_t k = key(node);
    Seen& seen = seen_[slot_of(k)];
    if (seen.stamp == stamp_) return false;
    seen = {k, stamp_};
    return true;
}

double Planner::in_the_way(Vec2 at) const {
    double cost = 0.0;
    for (const Obstacle& obstacle : obstacles_) {
        if (!obstacle.open) continue;
        const Vec2 gap = at - obstacle.at;
        if (dot(gap, gap) < obstacle.reach * obstacle.reach) cost += kInTheWay;
    }
    return cost;
}

Pose Planner::pose_of(const Node& node) const {
    if (node.where == Where::docked) return ask_.target->goal;
    if (node.where == Where::off) return ask_.root.at;
    return drive::MapFrame(*ask_.map).to_world(ask_.map->table().node(node.x, node.y, node.heading));
}

Stop Planner::stop_of(const Node& node) const {
    Stop stop;
    stop.x = node.x;
    stop.y = node.y;
    stop.heading = node.heading;
    stop.level = node.level;
    stop.gear = node.gear;
    stop.off = node.where != Where::lattice;
    stop.at = pose_of(node);
    return stop;
}

bool Planner::at_goal(const Node& node) const {
    const Target& target = *ask_.target;
    if (target.has_ramp) return node.where == Where::docked;
    return node.where == Where::lattice && node.level == 0 && node.x == target.last.x &&
           node.y == target.last.y && node.heading == target.last.heading;
}

double Planner::rest_from(const drive::LatticePose& at) const {
    return field_seconds(*ask_.map, *ask_.moves, *ask_.target, at);
}

double Planner::rest_of(const Node& node) const {
    if (at_goal(node)) return 0.0;
    if (node.where == Where::lattice) return rest_from({node.x, node.y, node.heading, node.gear});
    double least = kNoWay;
    for (std::size_t i = 0; i < ask_.exits->count; ++i)
        least = std::min(least, exit_seconds_[i] + rest_from(ask_.exits->list[i].at));
    return least;
}

void Planner::push(Node& node, std::uint32_t parent, double cost) {
    if (nodes_.size() >= kNodesMax) return;
    if (node.step != Step::stay && node.step != Step::root && is_closed(node)) return;
    const double rest = rest_of(node);
    if (rest >= kNoWay) return;
    if (parent != UINT32_MAX) cost += in_the_way(pose_of(node).position);
    node.parent = parent;
    node.g = parent == UINT32_MAX ? 0.0 : nodes_[parent].g + cost;
    const auto h = static_cast<Cost>(rest * ask_.weight * kTicks);
    const auto f = static_cast<Cost>((node.g + rest * ask_.weight) * kTicks);
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    if (!nodes_.push_back(node) || !open_.push(f, h, index)) no_memory_ = true;
}

bool Planner::begin(const PlanAsk& ask) {
    ask_ = ask;
    nodes_.clear();
    open_.reset();
    exit_knots_.clear();
    no_memory_ = false;
    spent_ = 0;
    if (seen_.empty() && !seen_.resize(kSeenSize)) return false;
    if (++stamp_ == 0) {
        for (Seen& seen : seen_) seen = {};
        stamp_ = 1;
    }
    Node root;
    root.time = ask.start;
    root.gear = ask.root.gear;
    if (ask.root.off) {
        const bool docked = ask.target->has_ramp && ask.root.at == ask.target->goal;
        root.where = docked ? Where::docked : Where::off;
        for (std::size_t i = 0; i < ask.exits->count; ++i) {
            exit_first_[i] = static_cast<std::uint32_t>(exit_knots_.size());
            if (!ramp_profile(ask.exits->list[i].word, ask.moves->times(), knots_)) return false;
            exit_seconds_[i] = knots_.empty() ? kNoWay : knots_.back().time;
            for (const SpeedKnot& knot : knots_) {
                if (!exit_knots_.push_back(knot)) return false;
            }
        }
        exit_first_[ask.exits->count] = static_cast<std::uint32_t>(exit_knots_.size());
    } else {
        root.x = static_cast<std::int16_t>(ask.root.x);
        root.y = static_cast<std::int16_t>(ask.root.y);
        root.heading = ask.root.heading;
        root.level = ask.root.level;
    }
    push(root, UINT32_MAX, 0.0);
    return !no_memory_;
}

double Planner::shift_seconds(Gear from, Gear to) const {
    return from == to ? 0.0 : ask_.moves->times().limits().cusp_seconds;
}

bool Planner::may_drive(const Node& from, const Move& move) const {
    const EdgeMap& edges = ask_.map->edges();
    const int dx = move.dx / move.repeat;
    const int dy = move.dy / move.repeat;
    for (int k = 0; k < move.repeat; ++k) {
        if (!edges.may_drive(from.x + k * dx, from.y + k * dy, move.primitive)) return false;
    }
    return true;
}

void Planner::take_moves(std::uint32_t index) {
    const Node from = nodes_[index];
    for (const Move& move : ask_.moves->from(from.heading, from.level)) {
        if (move.gear != from.gear && from.level > 0) continue;
        const double shift = shift_seconds(from.gear, move.gear);
        Node next;
        next.time = from.time + shift + move.seconds;
        if (next.time + ask_.moves->stop_seconds(move.level) > ask_.end || !may_drive(from, move)) continue;
        next.x = static_cast<std::int16_t>(from.x + move.dx);
        next.y = static_cast<std::int16_t>(from.y + move.dy);
        next.heading = move.to;
        next.level = move.level;
        next.gear = move.gear;
        next.step = Step::move;
        next.which = ask_.moves->index(move);
        push(next, index, shift + move.seconds * (move.gear == Gear::reverse ? kReverseCost : 1.0));
    }
}

void Planner::take_exits(std::uint32_t index) {
    const Node from = nodes_[index];
    for (std::size_t i = 0; i < ask_.exits->count; ++i) {
        const Ramp& ramp = ask_.exits->list[i];
        const double shift = shift_seconds(from.gear, ramp.first);
        Node next;
        next.time = from.time + shift + exit_seconds_[i];
        if (next.time > ask_.end) continue;
        next.x = static_cast<std::int16_t>(ramp.at.x);
        next.y = static_cast<std::int16_t>(ramp.at.y);
        next.heading = static_cast<std::uint8_t>(ramp.at.heading);
        next.gear = ramp.last;
        next.step = Step::leave;
        next.which = static_cast<std::uint32_t>(i);
        push(next, index, shift + exit_seconds_[i]);
    }
}

void Planner::take_ramp(std::uint32_t index) {
    const Node from = nodes_[index];
    const Target& target = *ask_.target;
    if (!target.has_ramp || from.x != target.last.x || from.y != target.last.y ||
        from.heading != target.last.heading)
        return;
    const double shift = shift_seconds(from.gear, target.ramp.first);
    Node next;
    next.time = from.time + shift + target.ramp_seconds;
    if (next.time > ask_.end) return;
    next.where = Where::docked;
    next.gear = target.ramp.last;
    next.step = Step::dock;
    push(next, index, shift + target.ramp_seconds);
}

void Planner::expand(std::uint32_t index) {
    const Node from = nodes_[index];
    if (from.level == 0) {
        const bool there = at_goal(from);
        Node next = from;
        next.step = Step::stay;
        next.time = ask_.end;
        push(next, index, there ? 0.0 : ask_.end - from.time);
        if (from.time + kWait < ask_.end) {
            next.step = Step::wait;
            next.time = from.time + kWait;
            push(next, index, there ? 0.0 : kWait);
        }
    }
    if (from.where != Where::lattice) {
        // An exact pose is left by the curves of the root alone.
        if (nodes_[0].where == from.where) take_exits(index);
        return;
    }
    take_moves(index);
    if (from.level == 0) take_ramp(index);
}

PlanAnswer Planner::step(std::uint64_t& units) {
    while (units > 0) {
        std::uint32_t index = 0;
        if (no_memory_) return PlanAnswer::no_memory;
        if (spent_ >= ask_.units_max || !open_.pop(index)) return PlanAnswer::none;
        --units;
        ++spent_;
        const Node node = nodes_[index];
        if (node.step == Step::stay) {
            if (!is_clear(node)) continue;
            found_ = index;
            return PlanAnswer::found;
        }
        if (!is_clear(node) || !close(node)) continue;
        expand(index);
    }
    return PlanAnswer::running;
}

bool Planner::stand_is_clear(const Pose& pose, double from, double until) const {
    Vec2 at[kDiscsMax];
    const Cover& cover = ask_.moves->cover();
    cover.place(pose, at);
    for (const Obstacle& obstacle : obstacles_) {
        if (!obstacle.track->near(pose.position, cover.reach, from, until, obstacle.both)) continue;
        if (obstacle.track->meets(at, at, cover.discs, from, until, obstacle.both)) return false;
    }
    return true;
}

bool Planner::move_is_clear(const Pose& from, const Move& move, double start) const {
    const Cover& cover = ask_.moves->cover();
    const Vec2* const samples = ask_.moves->samples(move);
    const double part = move.seconds / (move.samples - 1);
    for (const Obstacle& obstacle : obstacles_) {
        const Track& track = *obstacle.track;
        if (!track.near(from.position + move.middle, move.reach, start, start + move.seconds, obstacle.both))
            continue;
        for (std::uint32_t k = 0; k + 1 < move.samples; ++k) {
            Vec2 at[kDiscsMax];
            Vec2 to[kDiscsMax];
            for (std::uint32_t i = 0; i < cover.discs; ++i) {
                at[i] = from.position + samples[k * cover.discs + i];
                to[i] = from.position + samples[(k + 1) * cover.discs + i];
            }
            const double now = start + part * k;
            if (track.meets(at, to, cover.discs, now, now + part, obstacle.both)) return false;
        }
    }
    return true;
}

// Curves to exact poses are rare: sampled as they are asked for.
bool Planner::ramp_is_clear(const Pose& from, const CurveWord& word, std::span<const SpeedKnot> knots,
                            double start) const {
    if (knots.empty()) return false;
    const Cover& cover = ask_.moves->cover();
    const double seconds = knots.back().time;
    const auto parts = static_cast<std::uint32_t>(std::ceil(seconds / ask_.moves->sample_seconds())) + 1;
    const double part = seconds / parts;
    Vec2 at[kDiscsMax];
    Vec2 to[kDiscsMax];
    cover.place(from, at);
    for (std::uint32_t k = 0; k < parts; ++k) {
        const double now = part * (k + 1);
        const Pose pose = pose_on_curve(from, ask_.moves->radius(), word, distance_at(knots, now));
        cover.place(pose, to);
        for (const Obstacle& obstacle : obstacles_) {
            if (obstacle.track->meets(at, to, cover.discs, start + part * k, start + now, obstacle.both))
                return false;
        }
        for (std::uint32_t i = 0; i < cover.discs; ++i) at[i] = to[i];
    }
    return true;
}

bool Planner::is_clear(const Node& node) const {
    if (node.step == Step::root) return true;
    const Node& before = nodes_[node.parent];
    const Pose from = pose_of(before);
    if (node.step == Step::wait || node.step == Step::stay)
        return stand_is_clear(from, before.time, node.time);
    Gear first = node.gear;
    if (node.step == Step::leave) first = ask_.exits->list[node.which].first;
    if (node.step == Step::dock) first = ask_.target->ramp.first;
    const double start = before.time + shift_seconds(before.gear, first);
    if (start > before.time && !stand_is_clear(from, before.time, start)) return false;
    if (node.step == Step::move) return move_is_clear(from, ask_.moves->move(node.which), start);
    if (node.step == Step::dock)
        return ramp_is_clear(from, ask_.target->ramp.word, ask_.target->ramp_knots.span(), start);
    const std::uint32_t low = exit_first_[node.which];
    return ramp_is_clear(from, ask_.exits->list[node.which].word,
                         exit_knots_.span().subspan(low, exit_first_[node.which + 1] - low), start);
}

bool Planner::write_node(const Node& node, Plan& plan) const {
    const Node& before = nodes_[node.parent];
    const Stop stop = stop_of(before);
    if (node.step == Step::wait || node.step == Step::stay) {
        return node.time <= before.time || plan.stand(stop, before.time, node.time);
    }
    CurveWord word;
    std::span<const SpeedKnot> knots;
    Gear first = node.gear;
    if (node.step == Step::move) {
        const Move& move = ask_.moves->move(node.which);
        word = ask_.moves->word(move);
        knots = ask_.moves->knots(move);
    } else if (node.step == Step::dock) {
        word = ask_.target->ramp.word;
        first = ask_.target->ramp.first;
        knots = ask_.target->ramp_knots.span();
    } else {
        const std::uint32_t low = exit_first_[node.which];
        word = ask_.exits->list[node.which].word;
        first = ask_.exits->list[node.which].first;
        knots = exit_knots_.span().subspan(low, exit_first_[node.which + 1] - low);
    }
    const double start = before.time + shift_seconds(before.gear, first);
    if (start > before.time && !plan.stand(stop, before.time, start)) return false;
    return plan.drive(stop.at, word, knots, start, node.time, stop_of(node));
}

bool Planner::write(Plan& plan) {
    chain_.clear();
    for (std::uint32_t i = found_; nodes_[i].step != Step::root; i = nodes_[i].parent) {
        if (!chain_.push_back(i)) return false;
    }
    for (std::size_t k = chain_.size(); k > 0; --k) {
        if (!write_node(nodes_[chain_[k - 1]], plan)) return false;
    }
    return true;
}

}  // namespace fairlead::convoy
