#include "drive/lattice/bin_space.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/lattice/curve_bounds.h"

namespace fairlead::drive {

namespace {

constexpr int kTargetTries = 1;  // other words than the shortest find nothing more

}  // namespace

Pose turned_round(const Pose& pose) { return {pose.position, math::wrap_pi(pose.heading_rad + kPi)}; }

BodyCore turned_round(const BodyCore& body) {
    return {{{-body.core.high.x, -body.core.high.y}, {-body.core.low.x, -body.core.low.y}}, body.radius};
}

CurveWord turned_round(const CurveWord& word) {
    CurveWord back = word;
    for (std::int32_t i = 0; i < word.count; ++i) {
        const CurveSegment& segment = word.segments[word.count - 1 - i];
        // Turned round, it still turns about its axle; on the way back the other way.
        const bool spin = segment.steer == Steer::spin;
        back.segments[i] =
            spin ? CurveSegment{-segment.amount, Steer::spin}
                 : CurveSegment{segment.amount, static_cast<Steer>(-static_cast<int>(segment.steer))};
    }
    return back;
}

bool BinSpace::fits(const GroundBits& free, std::int32_t pitch, const BinSize& size) {
    const double bins = size.bins / pitch;
    return free.width * bins * free.height * bins * kHeadings * 2 < 4.2e9;
}

void BinSpace::begin(const CurveWorld& world, std::int32_t pitch, const BinSize& size, Cost cell,
                     GroundDistance* ground, const HashedNodes& nodes) {
    world_ = &world;
    ground_ = ground;
    nodes_ = &nodes;
    starts_.clear();
    targets_.clear();
    poses_.clear();
    bins_ = size.bins / pitch;
    step_ = size.move * pitch;
    reach_ = std::max(4.0 * pitch, 3.0 * world.radius);
    columns_ = static_cast<std::uint32_t>(world.free.width * bins_);
    cell_ = cell;
    cusp_ = static_cast<Cost>(world.cusp_penalty * static_cast<double>(cell));
    failed_ = false;
}

std::uint32_t BinSpace::state_of(const Pose& pose, std::uint32_t gear) const {
    const auto x = static_cast<std::uint32_t>(pose.position.x * bins_);
    const auto y = static_cast<std::uint32_t>(pose.position.y * bins_);
    const double turn = math::wrap_pi(pose.heading_rad) * (kHeadings / kTwoPi);
    const auto heading =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(turn + 0.5)) & (kHeadings - 1));
    return (((y * columns_ + x) * kHeadings + heading) << 1) | gear;
}

Pose BinSpace::middle_of(std::uint32_t state) const {
    const std::uint32_t heading = (state >> 1) & (kHeadings - 1);
    const std::uint32_t bin = state / (2 * kHeadings);
    return {{(bin % columns_ + 0.5) / bins_, (bin / columns_ + 0.5) / bins_}, heading * (kTwoPi / kHeadings)};
}

Cost BinSpace::heuristic(std::uint32_t state) {
    if (state == goal_state_) return 0;
    const Pose at = middle_of(state);
    const Ways ways = ways_of(world_->can_reverse, world_->can_pivot);
    double least = 1e300;
    for (const Pose& target : targets_) {
        least = std::min(least, least_length(at, target, world_->radius, ways));
    }
    if (ground_ != nullptr) {
        const std::uint32_t steps =
            ground_->at(static_cast<std::int32_t>(at.position.x), static_cast<std::int32_t>(at.position.y));
        if (steps != kGroundFar) least = std::max(least, steps * (1.0 / kGroundStraight));
    }
    return static_cast<Cost>(least * static_cast<double>(cell_)) *
           static_cast<Cost>(world_->terrain.cheapest);
}

bool BinSpace::place(std::uint32_t node, std::uint32_t tag, Pose& at) {
    if (node >= poses_.size() &&
        !poses_.resize_uninitialized(std::max<std::size_t>(node + 1, 2 * poses_.size()))) {
        failed_ = true;
        return false;
    }
    at = tag >= kMoves ? starts_[tag - kMoves]
                       : end_of_move(poses_[(*nodes_)[node].parent], static_cast<int>(tag));
    poses_[node] = at;
    return true;
}

CurveWord BinSpace::move(int i) const {
    CurveWord word;
    if (i >= kLeft) {
        word.segments[0] = {(i == kLeft ? 2.0 : -2.0) * (kTwoPi / kHeadings), Steer::spin};
        word.count = 1;
        return word;
    }
    const double amount = step_ / world_->radius;
    word.segments[0] = {i < kBack ? amount : -amount, static_cast<Steer>(i % 3 - 1)};
    word.count = 1;
    word.length = amount;
    word.cost = amount;
    return word;
}

Pose BinSpace::end_of_move(const Pose& at, int i) const { return end_of_curve(at, world_->radius, move(i)); }

Cost BinSpace::move_cost(const Pose& at, int i) const {
    return static_cast<Cost>(world_->cost_of(move(i), at) * static_cast<double>(cell_));
}

bool BinSpace::move_is_free(const Pose& at, int i) const {
    std::uint32_t sheet = 0;
    return world_->passes(at, move(i), kAnySheet, sheet);
}

bool BinSpace::is_known(std::uint32_t state, Cost g) const {
    const std::uint32_t node = nodes_->find(state);
    return node != kNoNode && ((*nodes_)[node].closed != 0 || (*nodes_)[node].g <= g);
}

bool BinSpace::cheapest_to_target(const Pose& from, Gear gear, FreeCurve& out, std::size_t& which) const {
    out.cost = 1e300;
    bool found = false;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        const Vec2 gap = targets_[i].position - from.position;
        if (dot(gap, gap) > reach_ * reach_) continue;
        FreeCurve curve;
        if (!world_->find(from, gear, targets_[i], out.cost, kTargetTries, curve)) continue;
        out = curve;
        which = i;
        found = true;
    }
    return found;
}

bool BinSpace::write_chain(std::uint32_t goal, Array<ChainPose>& chain) const {
    chain.clear();
    // Nodes from the last one before the goal back to the start.
    std::uint32_t last = (*nodes_)[goal].parent;
    std::size_t count = 0;
    for (std::uint32_t node = last; node != kNoNode; node = (*nodes_)[node].parent) ++count;
    if (!chain.resize(count + 1)) return false;
    std::size_t at = count;
    for (std::uint32_t node = last; node != kNoNode; node = (*nodes_)[node].parent) {
        --at;
        chain[at].pose = poses_[node];
        const std::uint32_t tag = (*nodes_)[node].tag;
        if (tag >= kMoves) break;
        FreeCurve& curve = chain[at - 1].next;
        curve.word = move(static_cast<int>(tag));
        curve.first = curve.last = (nodes_->state_of(node) & 1U) == 0 ? Gear::forward : Gear::reverse;
    }
    const Gear gear = (nodes_->state_of(last) & 1U) == 0 ? Gear::forward : Gear::reverse;
    FreeCurve curve;
    std::size_t which = 0;
    if (!cheapest_to_target(chain[count - 1].pose, gear, curve, which)) return false;
    chain[count - 1].next = curve;
    chain[count].pose = targets_[which];
    return true;
}

}  // namespace fairlead::drive
